//! Messages as a user reads them, held against those that are kept.

use miette::{GraphicalReportHandler, GraphicalTheme};
use pliant_io::Report;
use std::path::Path;

/// As the command draws a report, in lines of a width.
pub(crate) fn draw(report: &Report, width: usize) -> String {
    let renderer = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .with_width(width)
        .with_context_lines(1);
    let mut text = String::new();
    for located in report.each() {
        renderer.render_report(&mut text, located).expect("drawn");
        text.push('\n');
    }
    text
}

/// What is said of a file if it is not what is kept beside it; `PLIANT_BLESS=1` keeps it.
pub(crate) fn changed(path: &Path, drawn: &str) -> Option<String> {
    let expected = path.with_extension("txt");
    if std::env::var_os("PLIANT_BLESS").is_some() {
        std::fs::write(&expected, drawn).expect("written");
        return None;
    }
    let kept = std::fs::read_to_string(&expected).ok();
    (kept.as_deref() != Some(drawn)).then(|| format!("{}:\n{drawn}", path.display()))
}
