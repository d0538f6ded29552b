//! `pliant sweep`: a scenario, run many times with other values.

mod journal;
mod optimise;
mod shown;
mod text;

use super::options::Format;
use super::run::interruption;
use crate::figures::rough;
use crate::output::{Failure, Output};
use crate::progress_line::duration;
use clap::Args;
use journal::{By, Journal, Line, broken, object};
pub(super) use optimise::Optimise;
use pliant_io::escape::Shown as _;
use pliant_io::study::{Study, StudyFolder, SweepProgress, sweep};
pub(super) use shown::{in_folder, is_folder, unread, write_page};
use std::time::Instant;

/// Run a scenario many times, each time with other values of its parameters
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant new study                                  writes study.toml, for flexible.toml\n  \
    pliant sweep study.toml                           results are in study-study\n  \
    pliant sweep study.toml --set runs=4096 -o finer --csv\n  \
    pliant sweep study.toml --set \"scenario.duration=1 s\" -o shorter\n  \
    pliant sweep study.toml --dry-run                 plans and writes it, without any run\n  \
    pliant sweep --continue study-study               goes on where it was killed or interrupted\n  \
    pliant run study-study --row 17                   one of its runs, with all that a run leaves\n  \
    pliant plot study-study                           draws a figure over a parameter\n\n\
    A study file names a scenario and its parameters: values of the scenario or its arm, by their paths,\n\
    with the values that they take. `pliant explain keys study` lists all keys.\n\
    The folder contains table.parquet, a row for each run with its parameters (SI units), its figures\n\
    and how it ended; series.parquet, where series are kept: channels of each run over time;\n\
    summary.json, the range of each figure and Sobol indices; report.html, a page to look at all of it;\n\
    and study.toml, the study with its scenario and arm inside. A run that fails is a row with its\n\
    reason.\n\
    Rows are on the disk a second or two after they were computed. Ctrl-C stops the study, --continue\n\
    goes on with it, and the table is the same, byte for byte. A second Ctrl-C ends pliant at once.\n\
    Exit code: 0 success, also where runs have failed, 1 error in the input or interrupted, 2 internal\n\
    error.")]
pub(crate) struct Sweep {
    #[command(flatten)]
    journal: Journal,

    /// Do everything but the runs: shows what the study costs beside them
    #[arg(long)]
    dry_run: bool,
}

impl Sweep {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let finish = |study: Study| if self.dry_run { study.dry() } else { study };
        let (study, mut folder) = self.journal.open(By::Sweep, finish, output)?;
        let (before, begun) = (folder.done(), Instant::now());
        let is_over = self.do_runs(&study, &mut folder, output)?;
        let took = begun.elapsed();
        if !is_over {
            return Err(stopped(&study, &folder, before));
        }
        let (summary, files) = self.journal.finish(&study, &mut folder, output)?;
        match self.journal.format {
            Format::Json => output.data(&object(&summary, folder.path())?),
            Format::Text => {
                let done = study.count() - before;
                let head = text::head(&self.journal.name(), &study, &summary, (done, took));
                let text = text::describe(&study, &summary, folder.path(), &files);
                output.data(&(head + &text))
            }
        }
    }

    /// Does the runs that are missing; whether all are done.
    fn do_runs(
        &self,
        study: &Study,
        folder: &mut StudyFolder,
        output: &Output,
    ) -> Result<bool, Failure> {
        let interrupted = interruption()?;
        let mut shown = Line::new(output);
        let mut watch =
            |progress: &SweepProgress| shown.show(&interrupted, |elapsed| line(progress, elapsed));
        let done = sweep(study, folder, self.journal.threads(), &mut watch);
        output.end_progress();
        let done = done.map_err(|error| broken(error, By::Sweep, folder.path()))?;
        Ok(done.is_continue())
    }
}

/// A study that somebody stopped.
fn stopped(study: &Study, folder: &StudyFolder, before: u64) -> Failure {
    let (done, all) = (folder.done(), study.count());
    let more = done - before;
    Failure::Stopped(format!(
        "interrupted after {more} runs; the rows of {done} of {all} are safe in {}; {}",
        folder.path().shown(),
        By::Sweep.going_on(folder.path())
    ))
}

/// The line: runs done, runs in a second, time left.
fn line(progress: &SweepProgress, elapsed: f64) -> String {
    let SweepProgress { done, all, before } = progress;
    let rate = (done - before) as f64 / elapsed;
    let left = if rate > 0.0 { (all - done) as f64 / rate } else { f64::INFINITY };
    format!("{done} of {all} runs, {} runs/s, {} left", rough(rate), duration(left))
}

#[cfg(test)]
mod tests {
    use super::line;
    use pliant_io::study::SweepProgress;

    #[test]
    fn a_line_says_how_far_it_is() {
        let progress = SweepProgress { done: 300, all: 1000, before: 100 };
        assert_eq!(line(&progress, 4.0), "300 of 1000 runs, 50 runs/s, 14 s left");
        let none = SweepProgress { done: 100, ..progress };
        assert_eq!(line(&none, 4.0), "100 of 1000 runs, 0 runs/s, unknown left");
    }
}
