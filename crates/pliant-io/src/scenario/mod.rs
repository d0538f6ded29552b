//! Scenario files: an arm, how it starts, what acts on it, for how long, and what is recorded.
//!
//! ```no_run
//! use pliant_io::files::Existing;
//! use pliant_io::scenario::{self, Overrides};
//! use std::ops::ControlFlow;
//!
//! let setup = scenario::load("swing.toml", &Overrides::default())?;
//! let mut watch = |_: &_| ControlFlow::Continue(());
//! let finished = scenario::run(&setup, "swing-run", Existing::Refuse, &mut watch)?;
//! let drift = finished.summary().energy_drift.ok_or("energies of other equations")?;
//! assert!(drift.relative.is_some_and(|part| part < 1e-9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arm;
mod controller;
mod csv_columns;
mod expressions;
mod fault_words;
mod faults;
mod file;
mod gains;
mod laws;
mod library_words;
mod method;
mod needs;
mod pilot;
mod place;
mod plan;
mod program;
mod read;
mod refusal;
mod run;
mod sensor;
mod shaper;
mod shapes;
mod signal;
mod strain;
mod table;
mod template;
mod text;
mod times;
mod write;

pub(crate) use expressions::problem as expression_problem;
pub(crate) use file::ScenarioTable;
pub(crate) use pilot::{MOST_STEPS, Pilot, pilot};
pub(crate) use read::arm_of;
pub(crate) use shapes::{
    Called, Channels, Each, EachOfKinds, FromNow, KindAt, Listed, Name, NameOrNames, Nameable,
    Names, Whole,
};
pub(crate) use template::Template;

pub use library_words::LibraryWords;
pub use needs::{NoRoom, RunNeeds, size};
pub use read::renamed_channel;
pub use run::{Finished, RecordedRun, Resumed, RunFailure, record, resume, run, run_for};
pub use write::{WriteError, write_scenario};

use crate::codes;
use crate::load::read_source;
use crate::node::Node;
use crate::problem::{Problem, Report};
use crate::results::Reader;
use crate::setting::Setting;
use crate::source::Source;
use pliant::Help;
use pliant::scenario::{ScenarioFault, Simulation};
use std::path::Path;

/// A longer scenario is refused; tables of functions of time may be long.
pub(crate) const LONGEST: u64 = 64 << 20;

/// A longer table is refused.
const LONGEST_TABLE: u64 = 16 << 20;

/// A scenario that is checked and can be run into a folder: from a file, or from Rust
/// ([`Setup::new`]).
#[derive(Clone)]
pub struct Setup {
    /// The scenario, ready to run.
    pub simulation: Simulation,
    /// The scenario as it is run, with the arm inside: a text that gives the same run anywhere.
    pub text: String,
    /// What is doubtful, of the scenario and of the arm's file; perhaps nothing.
    pub warnings: Vec<Report>,
    /// What the text leaves out, in words, because files cannot say it: see [`Setup::of_program`].
    pub left_out: Vec<String>,
}

impl Setup {
    /// A scenario made in Rust. Its text is that of [`write_scenario`]; what files cannot say, such
    /// as a control law of one's own, is refused.
    ///
    /// ```no_run
    /// use pliant::arm::{Builder, Joint, Link};
    /// use pliant::scenario::Scenario;
    /// use pliant_io::files::Existing;
    /// use pliant_io::scenario::{Setup, run};
    /// use std::ops::ControlFlow;
    ///
    /// let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [0.5, 0.0, 0.0]);
    /// let swing = Scenario::new(Builder::new("pendulum").link(bob), 2.0).build()?;
    /// let (setup, mut watch) = (Setup::new(swing)?, |_: &_| ControlFlow::Continue(()));
    /// let finished = run(&setup, "swing-run", Existing::Refuse, &mut watch)?;
    /// assert!(finished.folder.join("result.parquet").exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(simulation: Simulation) -> Result<Self, WriteError> {
        Self::written(simulation, false)
    }

    /// The same for a scenario that may have parts which files cannot say, such as functions of a
    /// program; [`examine`]s the loops of its controllers.
    ///
    /// The text is the scenario [as far as it goes](Self::left_out) and says what is left out.
    /// Whoever goes on with a run of it must bring these parts again.
    pub fn of_program(mut simulation: Simulation) -> Result<Self, WriteError> {
        let (said, left_out) = program::as_far_as_it_goes(&simulation.scenario);
        if left_out.is_empty() {
            return Self::written(simulation, true);
        }
        let loops = simulation.loop_warnings();
        simulation.warnings.extend(loops);
        let mut text =
            String::from("# A part of what a program ran, which files cannot say all of:\n");
        for part in &left_out {
            text.extend(["# ", part, "\n"]);
        }
        text.push_str(&write_scenario(&said)?);
        let source = Source::new("scenario.toml", text.as_str());
        let problem = |fault: &ScenarioFault| {
            let problem = Problem::warning(&codes::CANNOT_RUN, fault.to_string());
            fault.help().into_iter().fold(problem, Problem::help)
        };
        let problems = simulation.warnings.iter().map(problem).collect();
        let warnings = vec![Report::new(source, problems)];
        Ok(Self { simulation, text, warnings, left_out })
    }

    fn written(simulation: Simulation, examines: bool) -> Result<Self, WriteError> {
        let text = write_scenario(&simulation.scenario)?;
        let source = Source::new("scenario.toml", text.as_str());
        // what is doubtful about the text is doubtful about what it says
        let read = read::read(&source, Path::new(""), &[], examines);
        let warnings = read.map_or_else(|_| Vec::new(), |read| read.warnings);
        Ok(Self { simulation, text, warnings, left_out: Vec::new() })
    }
}

/// What is said instead of the file, as it would stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Values of keys, applied in turn. Those below `arm` go to the arm's own file, where it has
    /// one.
    pub settings: Vec<Setting>,
}

impl Overrides {
    /// Values of keys of the whole file, called like options: `("duration", "10 s")`.
    pub fn of<'a>(values: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let setting =
            |(key, value): (&str, &str)| Setting::of_option(&format!("--{key}"), key, value.trim());
        Self { settings: values.into_iter().map(setting).collect() }
    }
}

/// Reads a scenario from a file. The path of the arm is from the folder of the file.
pub fn load(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Setup, Report> {
    let path = path.as_ref();
    let folder = if path == Path::new("-") { None } else { path.parent() };
    parse(&read_source(path, LONGEST)?, folder.unwrap_or(Path::new("")), overrides)
}

/// The same, and looks whether the loops of its controllers are stable
/// ([`Simulation::loop_warnings`]).
pub fn examine(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Setup, Report> {
    let path = path.as_ref();
    let folder = if path == Path::new("-") { None } else { path.parent() };
    let source = read_source(path, LONGEST)?;
    read::read(&source, folder.unwrap_or(Path::new("")), &overrides.settings, true)
}

/// The same of a text; the path of the arm is from the folder.
pub fn examine_text(
    source: &Source,
    folder: &Path,
    overrides: &Overrides,
) -> Result<Setup, Report> {
    read::read(source, folder, &overrides.settings, true)
}

/// The scenario of results, as they hold it; those of earlier versions have it beside them, in
/// their folder.
pub fn of_results(folder: &Path, results: &Reader) -> Result<Setup, Report> {
    let file = folder.join("scenario.toml");
    let text = results.metadata().scenario.as_str();
    if text.is_empty() {
        return load(file, &Overrides::default());
    }
    parse(&Source::new(file.to_string_lossy().as_ref(), text), folder, &Overrides::default())
}

/// Whether a file is a scenario rather than an arm, by its keys.
pub fn is_scenario(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    // what comes through a pipe can be read only once
    let source = (path != Path::new("-")).then(|| read_source(path, LONGEST).ok()).flatten();
    let root = source.and_then(|source| crate::toml_text::read(&source).ok());
    root.is_some_and(|root| is_scenario_tree(&root))
}

pub(crate) fn is_scenario_tree(root: &Node) -> bool {
    let has = |key: &str| root.entry(key).is_some();
    !has("link") && (has("arm") || has("duration"))
}

/// Reads a scenario from a text. The path of the arm is from the folder.
pub fn parse(source: &Source, folder: &Path, overrides: &Overrides) -> Result<Setup, Report> {
    read::read(source, folder, &overrides.settings, false)
}
