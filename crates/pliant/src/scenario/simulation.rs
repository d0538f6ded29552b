//! A scenario that is checked and ready to run.

use super::description::Scenario;
use super::fault::ScenarioFault;
use crate::arm::{Arm, Builder};
use crate::control::Controller;
use crate::integrate::StateVisitor;
use crate::plan::Path;
use crate::simulate::{BlockOutput, Diagram, SampledBlock, Signal};
use std::sync::Arc;

/// A scenario that is checked and ready to run, many times; threads may share it.
#[derive(Clone)]
pub struct Simulation {
    /// What it was built from.
    pub scenario: Scenario,
    /// What its arm was built from, with the gravity of the scenario.
    pub description: Builder,
    /// The arm, with the gravity of the scenario.
    pub arm: Arc<Arm>,
    /// The arm that moves with all that is connected to it. Where links ask for equations of a
    /// document, its arm is another.
    pub diagram: Diagram,
    /// The frame whose motion is watched, by index: the one that the scenario names, or the outermost
    /// one.
    pub tip: Option<usize>,
    /// The trajectory that controllers track.
    pub plan: Option<Plan>,
    /// What each controller drives.
    pub controllers: Vec<DrivenMotors>,
    /// What is foreseen of the steps, where the scenario leaves the choice of the integrator.
    pub method_reason: Option<String>,
    /// What is doubtful about the scenario; what is doubtful about its arm,
    /// [`Arm::warnings`](crate::arm::Arm::warnings) tells.
    pub warnings: Vec<ScenarioFault>,
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

/// The motors that a controller drives.
#[derive(Clone, Debug)]
pub struct DrivenMotors {
    /// The name of the controller.
    pub name: String,
    /// Whether it leads the arm along the plan.
    pub follows_plan: bool,
    /// The joints that it leads to targets of their own.
    pub targets: Vec<Target>,
    /// Its outputs, motors first.
    pub outputs: Vec<BlockOutput>,
    /// The largest force of each motor, either way (N m, N).
    pub limits: Vec<f64>,
    /// The fraction of the run for which a motor may saturate without a warning.
    pub saturation: f64,
    /// The controller itself, as it begins a run.
    pub controller: Controller,
    /// The time between its ticks (s); none where it acts at every instant.
    pub period: Option<f64>,
}

/// A coordinate that a controller leads to a target of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The coordinate, by index.
    pub coordinate: usize,
    /// Where it should be (rad, m).
    pub signal: Signal,
}

impl Simulation {
    /// The first controller that cannot tell what it remembers, by its name: no run goes on from the
    /// state of such a one.
    pub fn untold(&self) -> Option<&str> {
        let is_untold = |block: &&SampledBlock| {
            let mut numbers = Vec::new();
            let mut visitor = StateVisitor::giving(&mut numbers);
            block.block.clone().visit_state(&mut visitor);
            visitor.is_untold()
        };
        self.diagram.blocks.iter().find(is_untold).map(|block| block.name.as_str())
    }

    /// The time between so many looks at the rows of a run (s), a fiftieth of them where links slide,
    /// whose shapes are found anew for each.
    pub(super) fn time_between(&self, looks: f64) -> f64 {
        let slides = (0..self.arm.body_count()).any(|link| self.arm.sliding_of(link).is_some());
        self.diagram.duration / if slides { 0.02 * looks } else { looks }
    }

    /// The arm that moves, with the energies of its own equations.
    pub fn moving_arm(&self) -> &Arm {
        &self.diagram.arm
    }
}
