//! A scenario that is checked and ready to run: the arm, what acts on it and what is measured, with
//! the figures by which a run is judged.
//!
//! [`Simulation::run`] can be called many times and from any thread; besides the
//! [`Summary`](crate::simulate::Summary) it tells how well the controllers tracked their plan
//! ([`Tracking`]), which links left the range of their assumptions, and how fast links slid.

mod controller;
mod range;
mod row_state;
mod run;
mod sliding;
mod tracking;
mod tracking_results;

pub use controller::{ControllerBlock, Target, Timing};
pub use range::{RangeFinding, RangeLimit};
pub use run::{RunWarning, SimulationOutcome};
pub use sliding::SlidingSpeed;
pub use tracking::SATURATION;
pub use tracking_results::{JointTracking, MotorEffort, TipTracking, Tracking};

use crate::arm::{Arm, Builder};
use crate::plan::Path;
use crate::reproduce::{Variant, Variants};
use crate::simulate::{
    Diagram, Event, EventAction, ExternalLoad, IntegrationMethod, Motor, PrescribedMotion,
    Reference, Selection, Sensor, Signal,
};
use std::sync::Arc;

/// A scenario that is ready to run.
#[derive(Clone, Debug)]
pub struct Simulation {
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
    pub controllers: Vec<ControllerBlock>,
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
}

/// The trajectory that controllers track.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The joints, as velocity coordinates.
    pub velocities: Vec<usize>,
    /// Where they should be over time (rad, m).
    pub signals: Vec<Signal>,
    /// The frame whose path was given, by index, and the path (m).
    pub tip: Option<(usize, Arc<Path>)>,
    /// When it has arrived (s).
    pub end: f64,
    /// What its shaper is made for, in words, if it has one.
    pub shaper: Option<String>,
}

impl Simulation {
    /// An arm as it was described, without inputs, from rest in its neutral configuration.
    pub fn new(arm: impl Into<Arc<Arm>>, description: Builder, duration: f64) -> Self {
        let arm = arm.into();
        Self {
            q: arm.neutral(),
            u: vec![0.0; arm.nv()],
            arm,
            description,
            variants: Variants::default(),
            variant: None,
            duration,
            interval: 1.0,
            selection: Selection::default(),
            motors: Vec::new(),
            loads: Vec::new(),
            prescribed: Vec::new(),
            sensors: Vec::new(),
            controllers: Vec::new(),
            plan: None,
            references: Vec::new(),
            seed: 0,
            events: Vec::new(),
            limits: Some(EventAction::Report),
            method: IntegrationMethod::default(),
            method_reason: None,
        }
    }

    /// The scenario to run.
    pub fn scenario(&self) -> Diagram {
        Diagram {
            q: self.q.clone(),
            u: self.u.clone(),
            selection: self.selection.clone(),
            motors: self.motors.clone(),
            loads: self.loads.clone(),
            prescribed: self.prescribed.clone(),
            sensors: self.sensors.clone(),
            blocks: self.controllers.iter().filter_map(ControllerBlock::block).collect(),
            feedback: controller::feedback(&self.controllers),
            dynamics: self.variant.clone().map(|variant| Box::new(variant) as _),
            references: self.references.clone(),
            seed: self.seed,
            events: self.events.clone(),
            limits: self.limits,
            method: self.method,
            ..Diagram::new(self.shared_arm(), self.duration, self.interval)
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
