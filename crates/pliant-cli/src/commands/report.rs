//! `pliant report`: runs as an HTML page.

use crate::output::{Failure, Output};
use clap::Args;
use pliant_io::{report, results};
use std::path::{Path, PathBuf};

/// The name of the page in the folder of a run.
pub(super) const PAGE: &str = "report.html";

/// Write an HTML page of a run: the arm in 3-D, plots, and a written summary
///
/// The page is one file that opens offline in any browser. `pliant run` writes one at its end. Of
/// several runs the first is drawn solid and the others transparent.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant report king-swing-run                       writes king-swing-run/report.html\n  \
    pliant report stiff-run soft-run -o compare.html   overlays two runs\n\n\
    Interrupted runs can be shown too, up to their last saved row.")]
pub(crate) struct Report {
    /// Folders of runs, written by `pliant run`
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// File to write; default: report.html in the folder of the first run
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Report {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let beside = || self.runs.first().map(|first| first.join(PAGE)).unwrap_or_default();
        let path = self.output.clone().unwrap_or_else(beside);
        let page = report::of_runs(&self.runs).map_err(|error| refused(&error))?;
        write(&path, &page, "-o")?;
        output.data(&format!("{} ({})\n", path.display(), size(page.len())))
    }
}

/// Writes a page, whole or not at all, to a file that an option names.
pub(super) fn write(path: &Path, page: &str, option: &str) -> Result<(), Failure> {
    report::write(path, page).map_err(|error| match error {
        results::Error::Write { file, source, .. } => Failure::input(
            format!("{} cannot be written: {source}", file.display()),
            format!("choose another file with {option}, or make room for it"),
        ),
        other => refused(&other),
    })
}

/// Results that cannot be shown.
pub(super) fn refused(error: &results::Error) -> Failure {
    Failure::of(error, "give the folder of a run, as `pliant run` leaves it")
}

/// Bytes for people.
fn size(bytes: usize) -> String {
    if bytes < 1_000_000 {
        format!("{} kB", bytes.div_ceil(1000))
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}
