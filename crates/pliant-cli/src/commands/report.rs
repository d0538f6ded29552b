//! `pliant report`: runs as an HTML page.

use super::options::{Force, not_written};
use super::run::is_one_file;
use super::study;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::Args;
use pliant_io::escape::Shown as _;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::study::Study;
use pliant_io::{report, results};
use std::path::{Path, PathBuf};

/// The name of the page in the folder of a run.
pub(super) const PAGE: &str = results::Exports::NAMES[2];

/// Write an HTML page of a run or a study: the arm in 3-D, plots, and a written summary
///
/// The page is one file that opens offline in any browser. `pliant run` and `pliant sweep` write one at
/// their end. Of several runs the first is drawn solid and the others transparent. A study has its
/// response, sensitivities and parallel coordinates, with all runs to choose from.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant report king-swing-run                       writes king-swing-run/report.html anew\n  \
    pliant report stiff-run soft-run -o compare.html   overlays two runs\n  \
    pliant report payload-study -o payload.html        the page of a study that has ended\n\n\
    Interrupted runs can be shown too, up to their last saved row. A page of the same runs that nobody\n\
    has changed is written anew without --force; what is no page is not replaced at all.")]
pub(crate) struct Report {
    /// Folders of runs, written by `pliant run`, or the folder of a study, written by `pliant sweep`
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
        let is_printed = path == Path::new("-");
        let progress = Progress::new(output, "reading the results, and writing the page");
        let studied = self.runs.iter().find(|run| study::is_folder(run));
        let study = studied.map(|folder| self.study(folder)).transpose()?;
        let is_own = !is_printed
            && match &study {
                Some((study, _)) => report::is_of_study(&path, study),
                None => report::is_of_runs(&path, &self.runs),
            };
        if !is_printed && !is_own {
            self.force.check_page(&path)?;
        }
        let page = match &study {
            Some((study, folder)) => {
                let links = path.parent().is_some_and(|place| is_one_file(place, folder));
                report::of_study(study, folder, links)
                    .map_err(|error| study::unread(study, folder, &error))?
            }
            None => report::of_runs(&self.runs).map_err(|error| refused(&error))?,
        };
        drop(progress);
        if study.is_none() {
            for run in &self.runs {
                let reader = Reader::open(run).map_err(|error| refused(&error))?;
                for warning in reader.warnings() {
                    output.note(&format!("{}: {warning}", run.shown()));
                }
            }
        }
        if is_printed {
            return output.data(&page);
        }
        let existing = if is_own { Existing::Replace } else { self.force.existing() };
        report::write(&path, existing, &page).map_err(|error| not_written(&error))?;
        output.data(&format!("{} ({})\n", path.shown(), size(page.len())))
    }

    /// The study of a folder, which has a page alone.
    fn study<'a>(&self, folder: &'a Path) -> Result<(Study, &'a Path), Failure> {
        if self.runs.len() > 1 {
            return Err(Failure::input(
                format!("{} is the folder of a study, which has a page of its own", folder.shown()),
                "give one study, or runs alone",
            ));
        }
        Ok((study::in_folder(folder)?, folder))
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
