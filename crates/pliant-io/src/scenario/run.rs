//! From a setup to a folder of results.

use super::Setup;
use super::method::tell;
use crate::file_help;
use crate::problem::Report;
use crate::results::{self, Metadata, RunFolder, RunOutcome, Writer};
use crate::write::write_arm_with;
use cpu_time::ProcessTime;
use pliant::Help;
use pliant::integrate::{SetupError, StateError};
use pliant::scenario::{SimulationOutcome, SlidingSpeed, UnstableLoop};
use pliant::simulate::{Channel, DiagramError, Progress, Recorder, RunError, Summary};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

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
    /// Where its files are.
    pub folder: PathBuf,
    /// Files in that folder that pliant did not write.
    pub foreign: Vec<String>,
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
    /// The run ended well, but never told what its rows hold.
    #[error("the run into {} ended without recording anything, which is a fault of pliant", folder.display())]
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
            Self::NothingRecorded { .. } => None,
        }
    }
}

impl From<RunError<results::Error>> for RunFailure {
    fn from(error: RunError<results::Error>) -> Self {
        match error {
            RunError::Diagram(error) => Self::Scenario(error),
            RunError::Method(error) => Self::Method(error),
            RunError::State(error) => Self::State(error),
            RunError::Recorder { source, .. } => Self::Results(source),
        }
    }
}

/// Runs a scenario into a folder. The monitor is called after every step and may stop the run.
///
/// A folder that holds something is refused unless `force` is given; then results of an earlier run
/// are replaced, and all else stays.
pub fn run(
    setup: &Setup,
    folder: impl AsRef<Path>,
    force: bool,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Finished, RunFailure> {
    run_into(setup, folder.as_ref(), force, watch)
}

/// The same, compiled once: all integrators and kernels are inside.
fn run_into(
    setup: &Setup,
    folder: &Path,
    force: bool,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Finished, RunFailure> {
    // nothing is created for what cannot be run
    setup.simulation.diagram.check()?;
    let (wall, processor) = (Instant::now(), ProcessTime::now());
    let folder = RunFolder::create(folder, force)?;
    let (path, foreign) = (folder.path().to_owned(), folder.foreign().to_vec());
    let writer = RefCell::new(None);
    let trouble = RefCell::new(None);
    let folder = Some(folder);
    let mut recorder = Rows { setup, folder, writer: &writer };
    let mut watch = |progress: &Progress| {
        // rows may be far apart, but none waits long
        let ticked = writer.borrow_mut().as_mut().map_or(Ok(()), Writer::tick);
        match ticked {
            Ok(()) => watch(progress),
            Err(error) => {
                *trouble.borrow_mut() = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let outcome = setup.simulation.run(&mut recorder, &mut watch);
    if let Some(error) = trouble.into_inner() {
        return Err(error.into());
    }
    let SimulationOutcome { mut summary, tracking, links, sliding, warnings, unstable } =
        outcome.map_err(RunFailure::from)?;
    if let Some(breakdown) = &summary.ending.breakdown {
        let help = file_help::breakdown(breakdown, unstable.as_ref());
        summary.ending.why = Some(format!("{breakdown}; {help}"));
    }
    let mut outcome = RunOutcome::new(summary);
    let problems = setup.warnings.iter().flat_map(Report::problems);
    outcome.warnings.extend(problems.map(|problem| problem.message.clone()));
    outcome.wall_seconds = Some(wall.elapsed().as_secs_f64());
    outcome.cpu_seconds = Some(processor.elapsed().as_secs_f64());
    (outcome.tracking, outcome.links) = (tracking, links);
    outcome.warnings.extend(warnings.iter().map(file_help::run_warning));
    let writer = writer.into_inner().ok_or(RunFailure::NothingRecorded { folder: path.clone() })?;
    let written = writer.finish(outcome)?;
    Ok(Finished { written, sliding, unstable, folder: path, foreign })
}

/// Takes the rows of a run into its folder.
struct Rows<'a> {
    setup: &'a Setup,
    /// Until the first row.
    folder: Option<RunFolder>,
    writer: &'a RefCell<Option<Writer>>,
}

impl Recorder for Rows<'_> {
    type Error = results::Error;

    fn start(&mut self, channels: &[Channel]) -> Result<(), results::Error> {
        let Some(folder) = self.folder.take() else {
            return Ok(());
        };
        let writer = folder.start(&self.setup.text, channels.to_vec(), metadata(self.setup))?;
        *self.writer.borrow_mut() = Some(writer);
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), results::Error> {
        self.writer.borrow_mut().as_mut().map_or(Ok(()), |writer| writer.row(t, values))
    }
}

fn metadata(setup: &Setup) -> Metadata {
    let setup = &setup.simulation;
    let arm = write_arm_with(&setup.description, &setup.scenario.variants);
    let mut metadata = Metadata::new(&arm, setup.diagram.method.name());
    tell(setup.diagram.method, &mut metadata);
    metadata.method_reason.clone_from(&setup.method_reason);
    metadata.seed = (!setup.diagram.sensors.is_empty()).then_some(setup.diagram.seed);
    if let Some(shaper) = setup.plan.as_ref().and_then(|plan| plan.shaper.clone()) {
        metadata.more.insert("shaper".to_owned(), shaper);
    }
    metadata.more.insert("arm".to_owned(), setup.description.parts().name.to_owned());
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
        let finished = run(&setup(), &folder, false, &mut watch).expect("a run");
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
