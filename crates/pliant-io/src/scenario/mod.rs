//! Scenario files: an arm, how it starts, what acts on it, for how long, and what is recorded.
//!
//! ```no_run
//! use pliant_io::scenario::{self, Overrides};
//! use std::ops::ControlFlow;
//!
//! let setup = scenario::load("swing.toml", &Overrides::default())?;
//! let finished = scenario::run(&setup, "swing-run", false, &mut |_| ControlFlow::Continue(()))?;
//! let drift = finished.summary().energy_drift.ok_or("energies of other equations")?;
//! assert!(drift.relative < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arm;
mod controller;
mod csv_columns;
mod expressions;
mod file;
mod gains;
mod method;
mod model_law;
mod plan;
mod range;
mod read;
mod refusal;
mod row_state;
mod run;
mod sensor;
mod shaper;
mod shapes;
mod signal;
mod sliding;
mod strain;
mod table;
mod text;
mod tracking;
mod variants;
mod write;

pub(crate) use file::ScenarioTable;

pub use controller::{ControllerSetup, Target, Timing};
pub use plan::Plan;
pub use read::renamed_channel;
pub use run::{Finished, RunFailure, run};
pub use sliding::SlidingSpeed;
pub use write::write_scenario;

use crate::load::read_source;
use crate::problem::Report;
use crate::results::Reader;
use crate::source::Source;
use pliant::arm::{Arm, Builder};
use pliant::reproduce::{Variant, Variants};
use pliant::simulate::{
    Event, EventAction, ExternalLoad, IntegrationMethod, Motor, PrescribedMotion, Reference,
    Scenario, Selection, Sensor,
};
use std::path::Path;
use std::sync::Arc;

/// A longer scenario is refused; tables of functions of time may be long.
const LONGEST: u64 = 64 << 20;

/// A longer table is refused.
const LONGEST_TABLE: u64 = 16 << 20;

/// A scenario from a file, checked.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The arm, with the gravity of the scenario.
    pub arm: Arc<Arm>,
    /// What it was built from.
    pub description: Builder,
    /// Which of its links ask for equations of a document.
    pub variants: Variants,
    /// The arm with these equations, where some do: it is what moves.
    pub variant: Option<Variant>,
    /// The coordinates at the start (rad, m).
    pub q: Vec<f64>,
    /// The velocities at the start (rad/s, m/s).
    pub u: Vec<f64>,
    /// How long it lasts (s).
    pub duration: f64,
    /// The time between two rows (s).
    pub interval: f64,
    /// What is recorded.
    pub selection: Selection,
    /// Forces of motors.
    pub motors: Vec<Motor>,
    /// Loads.
    pub loads: Vec<ExternalLoad>,
    /// Motions of prescribed joints.
    pub prescribed: Vec<PrescribedMotion>,
    /// The sensors.
    pub sensors: Vec<Sensor>,
    /// What drives motors by that.
    pub controllers: Vec<ControllerSetup>,
    /// Where those with a model are to lead the arm.
    pub plan: Option<Plan>,
    /// The targets of controllers.
    pub references: Vec<Reference>,
    /// From which all noise follows.
    pub seed: u64,
    /// Events to detect.
    pub events: Vec<Event>,
    /// What happens at the limits of joints.
    pub limits: Option<EventAction>,
    /// How it is integrated.
    pub method: IntegrationMethod,
    /// Why that, where the scenario leaves the choice.
    pub method_reason: Option<String>,
    /// The scenario as it is run, with the arm inside: a text that gives the same run anywhere.
    pub text: String,
    /// What its file says.
    pub(crate) table: ScenarioTable,
    /// What is doubtful, of the scenario and of the arm's file; perhaps nothing.
    pub warnings: Vec<Report>,
}

/// What the command line says instead of the file, as it would stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The duration, such as `10 s`.
    pub duration: Option<String>,
    /// The tolerance, such as `1e-8`.
    pub tolerance: Option<String>,
}

impl Setup {
    /// The scenario to run.
    pub fn scenario(&self) -> Scenario {
        Scenario {
            q: self.q.clone(),
            u: self.u.clone(),
            selection: self.selection.clone(),
            motors: self.motors.clone(),
            loads: self.loads.clone(),
            prescribed: self.prescribed.clone(),
            sensors: self.sensors.clone(),
            blocks: self.controllers.iter().filter_map(ControllerSetup::block).collect(),
            feedback: controller::feedback(&self.controllers),
            dynamics: self.variant.clone().map(|variant| Box::new(variant) as _),
            references: self.references.clone(),
            seed: self.seed,
            events: self.events.clone(),
            limits: self.limits,
            method: self.method,
            ..Scenario::new(self.shared_arm(), self.duration, self.interval)
        }
    }

    /// The arm that moves, shared where it is the scenario's own.
    fn shared_arm(&self) -> Arc<Arm> {
        self.variant.as_ref().map_or_else(|| Arc::clone(&self.arm), |one| one.arm().into())
    }

    /// The arm that moves, with the energies of its own equations.
    pub fn moving_arm(&self) -> &Arm {
        self.variant.as_ref().map_or(&self.arm, Variant::arm)
    }

    /// The frame at the end of the arm: the tip of the last link that has one, or else the last
    /// frame, by index.
    pub fn tip(&self) -> Option<usize> {
        self.arm.tip()
    }
}

/// Reads a scenario from a file. The path of the arm is from the folder of the file.
pub fn load(path: impl AsRef<Path>, overrides: &Overrides) -> Result<Setup, Report> {
    let path = path.as_ref();
    let folder = if path == Path::new("-") { None } else { path.parent() };
    parse(&read_source(path, LONGEST)?, folder.unwrap_or(Path::new("")), overrides)
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
    root.is_some_and(|root| {
        let has = |key: &str| root.entry(key).is_some();
        !has("link") && (has("arm") || has("duration"))
    })
}

/// Reads a scenario from a text. The path of the arm is from the folder.
pub fn parse(source: &Source, folder: &Path, overrides: &Overrides) -> Result<Setup, Report> {
    let source = &text::overridden(source, overrides)?;
    read::read(source, folder)
}
