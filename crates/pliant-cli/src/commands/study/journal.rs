//! The folder of a study and what is asked of it on the command line.

use super::shown::{TEXT, write_page};
use crate::commands::options::{Format, LOOKING, Set};
use crate::commands::places::{Given, Results};
use crate::commands::report::PAGE;
use crate::commands::run::room;
use crate::figures::pretty;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::Args;
use pliant::Help as _;
use pliant_io::Severity;
use pliant_io::escape::{self, Shown as _};
use pliant_io::files::Existing;
use pliant_io::results;
use pliant_io::scenario::NoRoom;
use pliant_io::study::{JournalError, Study, StudyFolder, StudySummary, StudyTableReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

// clap would take a doc comment here for the help of the whole command
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line")]
pub(super) struct Journal {
    /// The study file; `pliant new study` and `pliant new optimisation` write one. With --continue
    /// also the folder of the study
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

    #[command(flatten)]
    set: Set,

    /// Also write table.csv
    #[arg(long)]
    csv: bool,

    /// Do not write report.html
    #[arg(long)]
    no_report: bool,

    /// What is printed: the study in words, or summary.json with its folder
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// The command that runs a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Sweep,
    Optimise,
}

impl By {
    /// What its folder is called, and its file.
    fn results(self) -> Results {
        let command = match self {
            Self::Sweep => "pliant sweep",
            Self::Optimise => "pliant optimise",
        };
        Results { what: "study", kept: TEXT, file: "study file", command }
    }

    /// What to do to go on with a study.
    pub(super) fn going_on(self, folder: &Path) -> String {
        self.results().going_on(folder)
    }

    /// The command that does it.
    pub(super) fn command(self, folder: &Path) -> String {
        let folder = escape::shell(&folder.to_string_lossy());
        format!("{} --continue {folder}", self.results().command)
    }

    /// Refuses a study that the other command runs.
    fn check(self, study: &Study, file: &Path, goes_on: bool) -> Result<(), Failure> {
        let command = |word: &str| {
            let option = if goes_on { "--continue " } else { "" };
            format!("pliant {word} {option}{} runs it", escape::shell(&file.to_string_lossy()))
        };
        match (self, study.optimisation()) {
            (Self::Sweep, Some(_)) => Err(Failure::input(
                format!("{} is an optimisation: it has a table [optimise]", file.shown()),
                command("optimise"),
            )),
            (Self::Optimise, None) => Err(Failure::input(
                format!(
                    "{} is a sweep: it does not say what is to be small or large",
                    file.shown()
                ),
                format!(
                    "add a line [optimise] and below it minimise = \"bar.tip.settling_time\" (`pliant \
                     explain keys optimisation`), or keep it a sweep: {}",
                    command("sweep")
                ),
            )),
            _ => Ok(()),
        }
    }
}

impl Journal {
    /// The study and its folder, locked; warnings are shown.
    pub(super) fn open(
        &self,
        by: By,
        finish: impl FnOnce(Study) -> Study,
        output: &Output,
    ) -> Result<(Study, StudyFolder), Failure> {
        let (file, folder) = self.places(by)?;
        let settings = self.set.settings()?;
        let progress = Progress::new(output, LOOKING);
        let study = finish(Study::load(&file, &settings)?);
        by.check(&study, &self.study, self.goes_on)?;
        if !self.goes_on {
            warn(&file, &study, output);
        }
        let needs = study.needs(self.threads());
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
        let journal = opened.map_err(|error| refused(&error))?;
        if let Some(why) = journal.unlocked() {
            let folder = folder.shown();
            output.caution(&format!(
                "nothing keeps others out of {folder}, which cannot be locked: {why}"
            ));
        }
        if let Some(lost) = journal.lost() {
            let folder = folder.shown();
            output.caution(&format!("{lost} is no longer in {folder}: its runs are done again"));
        }
        room(&needs, &folder, output);
        Ok((study, journal))
    }

    pub(super) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => usize::from(threads),
            None => available_parallelism().map_or(1, std::num::NonZero::get),
        }
    }

    /// Puts the rows together: the summary, and the names of the files.
    pub(super) fn finish(
        &self,
        study: &Study,
        journal: &mut StudyFolder,
        output: &Output,
    ) -> Result<(StudySummary, Vec<&'static str>), Failure> {
        let progress = Progress::new(output, "putting the rows together in table.parquet");
        let summary = journal.finish(study).map_err(|error| refused(&error))?;
        let mut files = vec!["study.toml", "table.parquet", "summary.json"];
        if !study.series_columns().is_empty() {
            files.insert(2, "series.parquet");
        }
        if self.csv {
            progress.stage("writing table.csv");
            let table = StudyTableReader::open(journal.path()).map_err(|error| refused(&error))?;
            // one that stands there is of this folder's study
            let written = table.write_csv(journal.path(), Existing::Replace);
            written.map_err(|error| refused(&error))?;
            files.push("table.csv");
        }
        if !self.no_report {
            progress.stage(format!("writing {PAGE}"));
            write_page(study, journal.path())?;
            files.push(PAGE);
        }
        Ok((summary, files))
    }

    /// What the study is called.
    pub(super) fn name(&self) -> String {
        let stem = self.study.file_stem().filter(|_| self.study != Path::new("-"));
        stem.map_or("study".to_owned(), |stem| Path::new(stem).shown())
    }

    /// The study file and the folder of the results.
    fn places(&self, by: By) -> Result<(PathBuf, PathBuf), Failure> {
        let (study, folder) = by.results().places(&Given {
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

/// Draws what is doubtful about a study, and counts what is about the files that it names.
fn warn(file: &Path, study: &Study, output: &Output) {
    let name = file.to_string_lossy();
    let (own, named): (Vec<_>, Vec<_>) =
        study.warnings.iter().partition(|report| report.source().name() == name);
    for report in own {
        output.warn(report);
    }
    let count: usize = named.into_iter().map(|report| report.count(Severity::Warning)).sum();
    if count > 0 {
        let (s, them) = if count == 1 { ("", "it") } else { ("s", "them") };
        let file = escape::shell(&name);
        output.note(&format!(
            "{count} warning{s} of the scenario or its arm; to read {them}: pliant check {file}"
        ));
    }
}

/// What summary.json holds, with the folder, as one object.
pub(super) fn object(summary: &StudySummary, folder: &Path) -> Result<String, Failure> {
    let value = serde_json::to_value(summary);
    let mut value = value.map_err(|error| Failure::internal(error.to_string()))?;
    value["folder"] = folder.to_string_lossy().into();
    pretty(&value)
}

/// What stopped the runs of a study.
pub(super) fn broken(error: JournalError, by: By, folder: &Path) -> Failure {
    match error {
        JournalError::Write { file, source } => {
            let help = pliant_io::write_help(&source, "move the folder to another place");
            Failure::input(
                format!("{} cannot be written: {source}", file.shown()),
                format!("{help}; {}", by.going_on(folder)),
            )
        }
        other => refused(&other),
    }
}

pub(super) fn refused(error: &JournalError) -> Failure {
    let help = match error {
        JournalError::NotEmpty { goes_on: true, .. } => {
            "go on with the study in it with --continue, choose another folder with -o, or replace it with --force (other files stay)"
        }
        JournalError::NotEmpty { .. } => {
            "choose another folder with -o, or replace what is of a study in it with --force (other files stay)"
        }
        JournalError::Folder(results::Error::InUse { .. }) => {
            "wait until that study has ended, or choose another folder with -o"
        }
        JournalError::OtherStudy { .. } => {
            "give the study that was begun there, or choose another folder with -o; an empty study of --dry-run goes on with --dry-run"
        }
        JournalError::OtherVersion { .. } => {
            "go on with that version, or run the study anew: with -o into another folder, or with --force"
        }
        JournalError::OtherPoint { .. } => {
            "it comes from another build or machine: run the optimisation anew, with -o into another folder, or with --force"
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
pub(super) struct Line<'a> {
    output: &'a Output,
    start: Instant,
    next: Duration,
}

impl<'a> Line<'a> {
    pub(super) fn new(output: &'a Output) -> Self {
        Self { output, start: Instant::now(), next: PATIENCE }
    }

    /// Shows what is said of the seconds since the start, now and then; whether to go on.
    pub(super) fn show(
        &mut self,
        interrupted: &AtomicBool,
        line: impl FnOnce(f64) -> String,
    ) -> ControlFlow<()> {
        let elapsed = self.start.elapsed();
        if elapsed >= self.next {
            self.next = elapsed + if self.output.on_terminal() { OFTEN } else { SELDOM };
            self.output.progress(&line(elapsed.as_secs_f64()));
        }
        if interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
