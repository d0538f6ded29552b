//! `pliant report`: runs as an HTML page.

use super::options::Force;
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
    pliant report king-swing-run --force               writes king-swing-run/report.html anew\n  \
    pliant report stiff-run soft-run -o compare.html   overlays two runs\n\n\
    Interrupted runs can be shown too, up to their last saved row.")]
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
        if !to_output {
            self.force.check(&path)?;
        }
        let page = report::of_runs(&self.runs).map_err(|error| refused(&error))?;
        if to_output {
            return output.data(&page);
        }
        self.force.write(&path, page.as_bytes())?;
        output.data(&format!("{} ({})\n", path.display(), size(page.len())))
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
