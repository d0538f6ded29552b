//! From a setup to a folder of results.

use super::Setup;
use super::library_words::LibraryWords;
use super::method::tell;
use super::needs::NoRoom;
use super::times::Times;
use crate::escape::Shown as _;
use crate::file_help;
use crate::files::Existing;
use crate::problem::Report;
use crate::results::{
    self, BegunRun, EndedRun, Exports, FolderLock, Metadata, Reopened, RunFolder, RunOutcome,
    Spent, Writer,
};
use crate::write::write_arm_with;
use pliant::Help;
use pliant::integrate::{SetupError, StateError};
use pliant::scenario::{SimulationOutcome, SlidingSpeed, UnstableLoop};
use pliant::simulate::{
    Channel, DiagramError, Progress, ProgressMonitor, Recorder, Rows, RunError, Status, Summary,
};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A run that has left its results, however it ended.
#[derive(Debug)]
#[must_use]
pub struct Finished {
    /// What is written about it, and the last state.
    pub written: results::RunSummary,
    /// How fast links slid.
    pub sliding: Vec<SlidingSpeed>,
    /// The unstable loop because of which its motion could not be carried on.
    pub unstable: Option<UnstableLoop>,
    /// The same in the words of the library.
    pub words: LibraryWords,
    /// Where its files are.
    pub folder: PathBuf,
    /// The time from which it was run (s): 0, or where its last checkpoint was.
    pub began: f64,
    /// What is to be made of its results, if that was said.
    pub exports: Option<Exports>,
    /// How many of its warnings were known before it was run.
    pub doubts: usize,
    /// Files in that folder that pliant did not write.
    pub foreign: Vec<String>,
    /// What keeps other runs out of the folder until this is dropped.
    pub lock: Arc<FolderLock>,
}

impl Finished {
    /// What became of it.
    pub fn summary(&self) -> &Summary {
        &self.written.outcome.run
    }
}

/// Why there is no run, or why it has left no complete results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// The results cannot be written. Rows that were saved stay readable.
    #[error(transparent)]
    Results(#[from] results::Error),
    /// The scenario cannot be run.
    #[error(transparent)]
    Scenario(#[from] DiagramError),
    /// The method cannot be started.
    #[error(transparent)]
    Method(#[from] SetupError),
    /// The run cannot be resumed from this state.
    #[error(transparent)]
    State(StateError),
    /// There is no room for its results, or for what it holds.
    #[error("the run is not started: {0}")]
    Room(#[from] NoRoom),
    /// The run ended well, but never told what its rows hold.
    #[error("the run into {} ended without recording anything, which is a fault of pliant", folder.shown())]
    NothingRecorded {
        /// Where its results should be.
        folder: PathBuf,
    },
}

impl Help for RunFailure {
    fn help(&self) -> Option<String> {
        match self {
            Self::Results(error) => error.help(),
            Self::Scenario(error) => error.help(),
            Self::Method(error) => error.help(),
            Self::State(error) => error.help(),
            Self::Room(error) => error.help(),
            Self::NothingRecorded { .. } => None,
        }
    }
}

impl From<RunError<results::Error>> for RunFailure {
    fn from(error: RunError<results::Error>) -> Self {
        Self::of(error, |source| source)
    }
}

impl RunFailure {
    fn of<E: std::error::Error + 'static>(
        error: RunError<E>,
        recorder: impl FnOnce(E) -> results::Error,
    ) -> Self {
        match error {
            RunError::Diagram(error) => Self::Scenario(error),
            RunError::Method(error) => Self::Method(error),
            RunError::State(error) => Self::State(error),
            RunError::Recorder { source, .. } => Self::Results(recorder(source)),
        }
    }
}

/// Runs a scenario into a folder. The monitor is called after every step and may stop the run.
///
/// A folder that holds something is refused unless that is to be replaced; then results of an earlier
/// run are, and all else stays. A folder that another run writes into is always refused.
pub fn run(
    setup: &Setup,
    folder: impl AsRef<Path>,
    existing: Existing,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Finished, RunFailure> {
    run_into(setup, folder.as_ref(), existing, None, watch)
}

/// The same for those who make exports of its results: which is written down in the folder, so that a
/// run that goes on after a kill ends with the same files. Who has made them says so by
/// [`Exports::are_made`].
pub fn run_for(
    exports: Exports,
    setup: &Setup,
    folder: impl AsRef<Path>,
    existing: Existing,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Finished, RunFailure> {
    run_into(setup, folder.as_ref(), existing, Some(exports), watch)
}

/// Takes up a run that was killed or interrupted, from its last checkpoint: it ends with the results
/// of a run that was not, byte for byte, but for the times it took. One that has no checkpoint yet
/// begins anew, and of one that has ended the files that it left half done are completed.
///
/// The exports are those that it was begun for, unless others are given. A folder with a run of another
/// scenario, arm or version of pliant is refused.
pub fn resume(
    setup: &Setup,
    folder: impl AsRef<Path>,
    exports: Option<Exports>,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Resumed, RunFailure> {
    setup.simulation.diagram.check()?;
    let (begin, doubts) = match RunFolder::reopen(folder, &as_run(setup))? {
        Reopened::Ended(run) => return Ok(Resumed::HadEnded(run)),
        Reopened::Begins(folder, doubts) => {
            setup.needs()?.check(folder.path())?;
            (Begin::New(folder), doubts.unwrap_or_else(|| setup.doubts()))
        }
        Reopened::GoesOn(run) => {
            let doubts = run.doubts.clone();
            (Begin::Again(run), doubts)
        }
    };
    let remembered = Exports::remembered(begin.folder().path())?;
    let finished = carry_on(setup, begin, doubts, exports.or(remembered), watch)?;
    Ok(Resumed::Finished(Box::new(finished)))
}

/// What became of a run that was to be taken up.
#[derive(Debug)]
#[must_use]
pub enum Resumed {
    /// It has left its results.
    Finished(Box<Finished>),
    /// It had ended before.
    HadEnded(Box<EndedRun>),
}

/// A new run.
fn run_into(
    setup: &Setup,
    folder: &Path,
    existing: Existing,
    exports: Option<Exports>,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Finished, RunFailure> {
    // nothing is created for what cannot be run
    setup.simulation.diagram.check()?;
    setup.needs()?.check(folder)?;
    let begin = Begin::New(RunFolder::create(folder, existing)?);
    carry_on(setup, begin, setup.doubts(), exports, watch)
}

/// Where a run begins.
enum Begin {
    New(RunFolder),
    Again(BegunRun),
}

impl Begin {
    fn folder(&self) -> &RunFolder {
        match self {
            Self::New(folder) => folder,
            Self::Again(run) => &run.folder,
        }
    }
}

/// Runs to the end, with what was doubtful before. Compiled once: all integrators and kernels are
/// inside.
fn carry_on(
    setup: &Setup,
    begin: Begin,
    doubts: Vec<String>,
    exports: Option<Exports>,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Finished, RunFailure> {
    let folder = begin.folder();
    let checkpoint = match &begin {
        Begin::New(_) => None,
        Begin::Again(run) => Some(run.checkpoint.clone()),
    };
    let (path, foreign) = (folder.path().to_owned(), folder.foreign().to_vec());
    let lock = folder.lock();
    let times = Times::since(checkpoint.as_ref().map_or_else(Spent::default, |one| one.spent));
    let began = checkpoint.as_ref().map_or(0.0, |one| one.time);
    let writer = RefCell::new(None);
    let mut recorder =
        Folder { setup, doubts: &doubts, begin: Some(begin), exports, writer: &writer };
    let is_told = setup.simulation.untold().is_none();
    let mut monitor =
        Monitor { watch, writer: &writer, times: &times, time: began, is_told, trouble: None };
    let outcome = match &checkpoint {
        None => setup.simulation.run(&mut recorder, &mut monitor),
        Some(from) => setup.simulation.resume(&from.state, &mut recorder, &mut monitor),
    };
    if let Some(error) = monitor.trouble {
        return Err(error.into());
    }
    let outcome = outcome.map_err(RunFailure::from)?;
    let writer = writer.into_inner();
    let mut writer = writer.ok_or(RunFailure::NothingRecorded { folder: path.clone() })?;
    let Summary { ending, state, .. } = &outcome.summary;
    if ending.status == Status::Interrupted && is_told && !state.is_empty() {
        writer.checkpoint(ending.time, state.clone(), times.spent())?;
    }
    let known = doubts.len();
    let (sliding, unstable) = (outcome.sliding.clone(), outcome.unstable.clone());
    let words = LibraryWords::new(&outcome, &doubts);
    let written = writer.finish(as_told(outcome, doubts, times.spent()))?;
    let (folder, doubts) = (path, known);
    Ok(Finished {
        written,
        sliding,
        unstable,
        words,
        folder,
        began,
        exports,
        doubts,
        foreign,
        lock,
    })
}

/// What is told of a run, with what was doubtful before.
fn as_told(outcome: SimulationOutcome, doubts: Vec<String>, spent: Spent) -> RunOutcome {
    let SimulationOutcome { mut summary, tracking, links, warnings, unstable, .. } = outcome;
    if let Some(breakdown) = &summary.ending.breakdown {
        let help = file_help::breakdown(breakdown, unstable.as_ref());
        summary.ending.why = Some(format!("{breakdown}; {help}"));
    }
    let compiled = Some(summary.is_compiled);
    let mut outcome = RunOutcome { compiled, ..RunOutcome::new(summary) };
    outcome.warnings = doubts;
    let Spent { wall_seconds, cpu_seconds } = spent;
    (outcome.wall_seconds, outcome.cpu_seconds) = (Some(wall_seconds), Some(cpu_seconds));
    (outcome.tracking, outcome.links) = (tracking, links);
    outcome.warnings.extend(warnings.iter().map(file_help::run_warning));
    outcome
}

/// A run in memory.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// What is told of it, and what was run.
    pub summary: results::RunSummary,
    /// The text of the scenario.
    pub scenario: String,
    /// Its rows.
    pub rows: Rows,
    /// What is told of it, in the words of the library.
    pub words: LibraryWords,
}

/// Runs a scenario in memory. The monitor is called after every step and may stop the run.
pub fn record(
    setup: &Setup,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<RecordedRun, RunFailure> {
    setup.simulation.diagram.check()?;
    setup.needs()?.check_in_memory()?;
    let (times, mut rows) = (Times::since(Spent::default()), Rows::new());
    let outcome = setup.simulation.run(&mut rows, &mut |progress: &Progress| watch(progress));
    let outcome = outcome.map_err(|error| RunFailure::of(error, |never| match never {}))?;
    let words = LibraryWords::new(&outcome, &setup.doubts());
    let outcome = as_told(outcome, setup.doubts(), times.spent());
    let summary = results::RunSummary { outcome, metadata: metadata(setup), files: Vec::new() };
    Ok(RecordedRun { summary, scenario: setup.text.clone(), rows, words })
}

impl RecordedRun {
    /// Writes it into a folder, with the bytes of a run into it.
    pub fn save(&self, folder: impl AsRef<Path>, existing: Existing) -> Result<(), results::Error> {
        let folder = RunFolder::create(folder, existing)?;
        let Self { summary, scenario, rows, .. } = self;
        let (channels, metadata) = (rows.channels.clone(), summary.metadata.clone());
        let mut writer = folder.start(scenario, channels, metadata)?;
        for (k, &time) in rows.times.iter().enumerate() {
            writer.row(time, rows.row_at(k))?;
        }
        writer.finish(summary.outcome.clone()).map(drop)
    }
}

/// Lets the writer work after each step.
struct Monitor<'a> {
    watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    writer: &'a RefCell<Option<Writer>>,
    times: &'a Times,
    /// How far the run is (s).
    time: f64,
    /// Whether there is a state to go on from.
    is_told: bool,
    trouble: Option<results::Error>,
}

impl ProgressMonitor for Monitor<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.time = progress.time;
        (self.watch)(progress)
    }

    /// Rows may be far apart, but none waits long.
    fn checkpoint(&mut self, state: &mut dyn FnMut() -> Vec<f64>) -> ControlFlow<()> {
        let mut writer = self.writer.borrow_mut();
        let (time, times) = (self.time, self.times);
        let done = match writer.as_mut() {
            None => Ok(()),
            Some(writer) if self.is_told => writer.tick_with(time, || (state(), times.spent())),
            Some(writer) => writer.tick(),
        };
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.trouble = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Takes the rows of a run into its folder.
struct Folder<'a> {
    setup: &'a Setup,
    doubts: &'a [String],
    /// Until the first row.
    begin: Option<Begin>,
    exports: Option<Exports>,
    writer: &'a RefCell<Option<Writer>>,
}

impl Recorder for Folder<'_> {
    type Error = results::Error;

    fn start(&mut self, channels: &[Channel]) -> Result<(), results::Error> {
        let (setup, channels) = (self.setup, channels.to_vec());
        let metadata = Metadata { doubts: self.doubts.to_vec(), ..as_run(setup) };
        let Some(begin) = self.begin.take() else { return Ok(()) };
        let path = begin.folder().path().to_owned();
        // before the scenario, which makes the folder one that can be taken up
        if let Some(exports) = self.exports {
            exports.remember(&path)?;
        }
        let writer = match begin {
            Begin::New(folder) => folder.start(&setup.text, channels, metadata)?,
            Begin::Again(run) => run.start(channels, metadata)?,
        };
        *self.writer.borrow_mut() = Some(writer);
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), results::Error> {
        self.writer.borrow_mut().as_mut().map_or(Ok(()), |writer| writer.row(t, values))
    }
}

impl Setup {
    /// What is doubtful before a run, in words: those of the arm first, also where the arm is inside
    /// the scenario, then by kind, since the same scenario may be written in another order.
    pub fn doubts(&self) -> Vec<String> {
        let mut problems: Vec<_> = self.warnings.iter().flat_map(Report::problems).collect();
        problems.sort_by_cached_key(|problem| {
            let kind = problem.code.name;
            (kind.starts_with("pliant::scenario"), kind, problem.message.clone())
        });
        problems.iter().map(|problem| problem.message.clone()).collect()
    }
}

/// The metadata with the text of the scenario.
fn as_run(setup: &Setup) -> Metadata {
    Metadata { scenario: setup.text.clone(), ..metadata(setup) }
}

fn metadata(setup: &Setup) -> Metadata {
    let (setup, left_out) = (&setup.simulation, &setup.left_out);
    let arm = write_arm_with(&setup.description, &setup.scenario.variants);
    let mut metadata = Metadata::new(&arm, setup.diagram.method.name());
    tell(setup.diagram.method, &mut metadata);
    metadata.method_reason.clone_from(&setup.method_reason);
    metadata.seed = (!setup.diagram.sensors.is_empty()).then_some(setup.diagram.seed);
    if let Some(shaper) = setup.plan.as_ref().and_then(|plan| plan.shaper.clone()) {
        metadata.more.insert("shaper".to_owned(), shaper);
    }
    if setup.diagram.fuse {
        metadata.more.insert("fused".to_owned(), "the equations of motion".to_owned());
    }
    metadata.more.insert("arm".to_owned(), setup.description.parts().name.to_owned());
    if !left_out.is_empty() {
        metadata.more.insert("left out".to_owned(), left_out.join("; "));
    }
    if let Some(block) = setup.untold() {
        let why = format!("\"{block}\" does not tell what it remembers");
        metadata.more.insert("cannot be continued".to_owned(), why);
    }
    metadata
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Overrides, parse};
    use crate::source::Source;
    use std::time::Duration;

    fn setup() -> Setup {
        let text = "duration = \"1 s\"\nrecord = { every = \"1 s\" }\n[arm]\nname = \"bob\"\n\
                    [[arm.link]]\nname = \"bob\"\njoint = { kind = \"revolute\", axis = \"y\" }\n\
                    body = { mass = \"2 kg\", com = [1, 0, 0] }\n";
        let source = Source::new("bob.toml", text);
        parse(&source, Path::new(""), &Overrides::default()).expect("a good scenario")
    }

    /// Between two rows a run calls the writer: what waits reaches the disk.
    #[test]
    fn rows_far_apart_do_not_wait_for_each_other() {
        let folder = std::env::temp_dir().join(format!("pliant-far-apart-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut steps = 0;
        let mut saved = None;
        let mut watch = |_: &Progress| {
            steps += 1;
            match steps {
                1 => std::thread::sleep(Duration::from_millis(800)),
                2 => saved = Some(results::Reader::open(&folder).expect("parts").rows()),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        let finished = run(&setup(), &folder, Existing::Refuse, &mut watch).expect("a run");
        assert_eq!((saved, finished.summary().rows), (Some(1), 2));
        assert_eq!(finished.folder, folder);
        std::fs::remove_dir_all(&folder).expect("ours");
    }

    #[test]
    fn failures_say_what_happened() {
        let (step, room) = (SetupError::NoTimes, |time| RunError::Recorder {
            time,
            source: results::Error::RowLength { time, found: 1, expected: 2 },
        });
        let told = RunFailure::from(RunError::Method(step.clone())).to_string();
        assert_eq!(told, step.to_string());
        let told = RunFailure::from(room(0.5)).to_string();
        assert!(told.contains("1 values") && told.contains("2 channels"), "{told}");
        let fault = DiagramError::NotPositive { what: "interval", value: 0.0 };
        let told = RunFailure::from(RunError::Diagram(fault.clone())).to_string();
        assert_eq!(told, fault.to_string());
        let told = RunFailure::NothingRecorded { folder: "runs/one".into() }.to_string();
        assert!(told.contains("without recording") && told.contains("runs/one"), "{told}");
    }
}
