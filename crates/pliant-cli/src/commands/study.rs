//! `pliant sweep`: a scenario, run many times with other values.

mod text;

use super::options::{Format, LOOKING, Set};
use super::places::{Given, Results};
use super::run::{interruption, room};
use crate::figures::{pretty, rough};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::progress_line::duration;
use clap::Args;
use pliant::Help as _;
use pliant_io::escape::Shown as _;
use pliant_io::files::Existing;
use pliant_io::results;
use pliant_io::scenario::NoRoom;
use pliant_io::study::{
    JournalError, Study, StudyFolder, StudySummary, StudyTableReader, SweepProgress, sweep,
};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// What a study is called.
const RESULTS: Results =
    Results { what: "study", kept: "study.toml", file: "study file", command: "pliant sweep" };

/// Run a scenario many times, each time with other values of its parameters
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant new study                                  writes study.toml, for flexible.toml\n  \
    pliant sweep study.toml                           results are in study-study\n  \
    pliant sweep study.toml --set runs=4096 -o finer --csv\n  \
    pliant sweep study.toml --set \"scenario.duration=1 s\" -o shorter\n  \
    pliant sweep study.toml --dry-run                 plans and writes it, without any run\n  \
    pliant sweep --continue study-study               goes on where it was killed or interrupted\n\n\
    A study file names a scenario and its parameters: values of the scenario or its arm, by their paths,\n\
    with the values that they take. `pliant explain keys study` lists all keys.\n\
    The folder contains table.parquet, a row for each run with its parameters (SI units), its figures and\n\
    how it ended; series.parquet, where series are kept: channels of each run over time; summary.json, the\n\
    range of each figure and Sobol indices; and study.toml, the study with its scenario and arm inside. A\n\
    run that fails is a row with its reason.\n\
    Rows are on the disk a second or two after they were computed. Ctrl-C stops the study, --continue\n\
    goes on with it, and the table is the same, byte for byte. A second Ctrl-C ends pliant at once.\n\
    Exit code: 0 success, also where runs have failed, 1 error in the input or interrupted, 2 internal\n\
    error.")]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line")]
pub(crate) struct Sweep {
    /// The study file; `pliant new study` writes one. With --continue also the folder of the study
    #[arg(value_name = "STUDY")]
    study: PathBuf,

    /// Folder for the results; default: the study's name with "-study"
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Replace results of an earlier study in that folder
    #[arg(long)]
    force: bool,

    /// Take up the study in that folder, which was killed or interrupted
    #[arg(long = "continue", conflicts_with = "force")]
    goes_on: bool,

    /// How many runs at once; default: as many as the machine has cores. The results are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,

    /// Do everything but the runs: shows what the study costs beside them
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    set: Set,

    /// Also write table.csv
    #[arg(long)]
    csv: bool,

    /// What is printed: the study in words, or summary.json with its folder
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Sweep {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let (file, folder) = self.places()?;
        let settings = self.set.settings()?;
        let progress = Progress::new(output, LOOKING);
        let study = Study::load(&file, &settings)?;
        let study = if self.dry_run { study.dry() } else { study };
        for report in &study.warnings {
            output.warn(report);
        }
        let needs = study.needs();
        if !self.goes_on {
            let shorter = |error: &NoRoom| error.help().unwrap_or_default();
            needs
                .check(&folder)
                .map_err(|error| Failure::input(error.to_string(), shorter(&error)))?;
        }
        progress.stage("looking at what is done");
        let opened = if self.goes_on {
            StudyFolder::reopen(&folder, &study)
        } else {
            StudyFolder::create(&folder, &study, Existing::forced(self.force))
        };
        drop(progress);
        let mut journal = opened.map_err(|error| refused(&error))?;
        if let Some(why) = journal.unlocked() {
            let folder = folder.shown();
            output.caution(&format!(
                "nothing keeps others out of {folder}, which cannot be locked: {why}"
            ));
        }
        room(&needs, &folder, output);
        let (before, begun) = (journal.done(), Instant::now());
        let is_over = self.do_runs(&study, &mut journal, output)?;
        let took = begun.elapsed();
        if !is_over {
            return Err(stopped(&study, &journal, before));
        }
        let progress = Progress::new(output, "putting the rows together in table.parquet");
        let summary = journal.finish(&study).map_err(|error| refused(&error))?;
        let mut files = vec!["study.toml", "table.parquet", "summary.json"];
        if !study.series_columns().is_empty() {
            files.insert(2, "series.parquet");
        }
        if self.csv {
            progress.stage("writing table.csv");
            let table = StudyTableReader::open(&folder).map_err(|error| refused(&error))?;
            // one that stands there is of this folder's study
            let written = table.write_csv(&folder, Existing::Replace);
            written.map_err(|error| refused(&error))?;
            files.push("table.csv");
        }
        drop(progress);
        match self.format {
            Format::Json => output.data(&object(&summary, &folder)?),
            Format::Text => {
                let done = study.count() - before;
                let head = text::head(&self.name(), &study, &summary, (done, took));
                output.data(&(head + &text::describe(&study, &summary, &folder, &files)))
            }
        }
    }

    /// Does the runs that are missing; whether all are done.
    fn do_runs(
        &self,
        study: &Study,
        journal: &mut StudyFolder,
        output: &Output,
    ) -> Result<bool, Failure> {
        let threads = match self.threads {
            Some(threads) => usize::from(threads),
            None => available_parallelism().map_or(1, std::num::NonZero::get),
        };
        let interrupted = interruption()?;
        let mut line = Line { output, start: Instant::now(), next: PATIENCE };
        let mut watch = |progress: &SweepProgress| {
            line.show(progress);
            if interrupted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let done = sweep(study, journal, threads, &mut watch);
        output.end_progress();
        done.map(|how| how.is_continue()).map_err(|error| match error {
            JournalError::Write { file, source } => {
                let help = pliant_io::write_help(&source, "move the folder to another place");
                Failure::input(
                    format!("{} cannot be written: {source}", file.shown()),
                    format!("{help}; {}", RESULTS.going_on(journal.path())),
                )
            }
            other => refused(&other),
        })
    }

    /// What the study is called.
    fn name(&self) -> String {
        let stem = self.study.file_stem().filter(|_| self.study != Path::new("-"));
        stem.map_or("study".to_owned(), |stem| Path::new(stem).shown())
    }

    /// The study file and the folder of the results.
    fn places(&self) -> Result<(PathBuf, PathBuf), Failure> {
        let (study, folder) = RESULTS.places(&Given {
            place: &self.study,
            output: self.output.as_deref(),
            goes_on: self.goes_on,
            name: &self.name(),
        })?;
        if study == self.study || study.is_file() {
            return Ok((study, folder));
        }
        Err(refused(&JournalError::NoStudy { path: folder }))
    }
}

/// A study that somebody stopped.
fn stopped(study: &Study, journal: &StudyFolder, before: u64) -> Failure {
    let (done, all) = (journal.done(), study.count());
    let more = done - before;
    Failure::Stopped(format!(
        "interrupted after {more} runs; the rows of {done} of {all} are safe in {}; {}",
        journal.path().shown(),
        RESULTS.going_on(journal.path())
    ))
}

/// What summary.json holds, with the folder, as one object.
fn object(summary: &StudySummary, folder: &Path) -> Result<String, Failure> {
    let value = serde_json::to_value(summary);
    let mut value = value.map_err(|error| Failure::internal(error.to_string()))?;
    value["folder"] = folder.to_string_lossy().into();
    pretty(&value)
}

fn refused(error: &JournalError) -> Failure {
    let help = match error {
        JournalError::NotEmpty { goes_on: true, .. } => {
            "go on with the study in it with --continue, choose another folder with -o, or replace it with --force (other files stay)"
        }
        JournalError::NotEmpty { .. } => {
            "choose another folder with -o, or replace what is of a study in it with --force (other files stay)"
        }
        JournalError::Lock(results::Error::InUse { .. }) => {
            "wait until that study has ended, or choose another folder with -o"
        }
        JournalError::OtherStudy { .. } => {
            "give the study that was begun there, or choose another folder with -o; an empty study of --dry-run goes on with --dry-run"
        }
        JournalError::OtherVersion { .. } => {
            "go on with that version, or run the study anew: with -o into another folder, or with --force"
        }
        other => return Failure::of(other, "choose another folder with -o"),
    };
    Failure::input(error.to_string(), help)
}

/// Shorter studies show nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a terminal is written to, and anything else.
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(10);

/// How far a study is, on one line.
struct Line<'a> {
    output: &'a Output,
    start: Instant,
    next: Duration,
}

impl Line<'_> {
    fn show(&mut self, progress: &SweepProgress) {
        let elapsed = self.start.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + if self.output.on_terminal() { OFTEN } else { SELDOM };
        self.output.progress(&line(progress, elapsed.as_secs_f64()));
    }
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
