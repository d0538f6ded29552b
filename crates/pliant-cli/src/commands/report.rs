//! `pliant report`: runs as an HTML page.

use super::options::{Force, not_written};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::Args;
use pliant_io::escape::Shown as _;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::{report, results};
use std::path::{Path, PathBuf};

/// The name of the page in the folder of a run.
pub(super) const PAGE: &str = results::Exports::NAMES[2];

/// Write an HTML page of a run: the arm in 3-D, plots, and a written summary
///
/// The page is one file that opens offline in any browser. `pliant run` writes one at its end. Of
/// several runs the first is drawn solid and the others transparent.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant report king-swing-run                       writes king-swing-run/report.html anew\n  \
    pliant report stiff-run soft-run -o compare.html   overlays two runs\n\n\
    Interrupted runs can be shown too, up to their last saved row. A page of the same runs that nobody\n\
    has changed is written anew without --force; what is no page is not replaced at all.")]
pub(crate) struct Report {
    /// Folders of runs, written by `pliant run`
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// File to write, "-" for stdout; default: report.html in the folder of the first run
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

impl Report {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let beside = || self.runs.first().map(|first| first.join(PAGE)).unwrap_or_default();
        let path = self.output.clone().unwrap_or_else(beside);
        let to_output = path == Path::new("-");
        let progress = Progress::new(output, "reading the results, and writing the page");
        let is_own = !to_output && report::is_of_runs(&path, &self.runs);
        if !to_output && !is_own {
            self.force.check_page(&path)?;
        }
        let page = report::of_runs(&self.runs).map_err(|error| refused(&error))?;
        drop(progress);
        for run in &self.runs {
            let reader = Reader::open(run).map_err(|error| refused(&error))?;
            for warning in reader.warnings() {
                output.note(&format!("{}: {warning}", run.shown()));
            }
        }
        if to_output {
            return output.data(&page);
        }
        let existing = if is_own { Existing::Replace } else { self.force.existing() };
        report::write(&path, existing, &page).map_err(|error| not_written(&error))?;
        output.data(&format!("{} ({})\n", path.shown(), size(page.len())))
    }
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
