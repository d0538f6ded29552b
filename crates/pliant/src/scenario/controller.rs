//! Controllers with their clocks and wires.

use crate::control::{Continuous, Controller};
use crate::simulate::{
    BlockError, BlockInput, BlockOutput, Clock, Delay, Feedback, ForceInput, SampledBlock, Signal,
};

/// A controller of a scenario with its clock, inputs and outputs.
#[derive(Clone, Debug)]
pub struct ControllerBlock {
    /// Its name.
    pub name: String,
    /// What it does.
    pub controller: Controller,
    /// Whether it leads the arm along the plan.
    pub follows_plan: bool,
    /// The joints that it leads to targets of their own.
    pub targets: Vec<Target>,
    /// When it does.
    pub timing: Timing,
    /// Whether it uses the full state instead of sensors.
    pub full_state: bool,
    /// What it listens to.
    pub inputs: Vec<BlockInput>,
    /// What it drives.
    pub outputs: Vec<BlockOutput>,
    /// The largest force of each output, either way (N m, N).
    pub limits: Vec<f64>,
    /// The fraction of the run for which a motor may saturate without a warning.
    pub saturation: f64,
}

/// When a controller acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// At the ticks of a clock.
    Ticks {
        /// The clock.
        clock: Clock,
        /// How late its forces act.
        delay: Delay,
    },
    /// At every instant.
    Always,
}

/// A coordinate that a controller leads to a target of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The coordinate, by index.
    pub coordinate: usize,
    /// Where it should be (rad, m).
    pub signal: Signal,
}

impl ControllerBlock {
    /// As a sampled block of a run, if it has a clock.
    pub(super) fn block(&self) -> Option<SampledBlock> {
        let Timing::Ticks { clock, delay } = self.timing else {
            return None;
        };
        let (name, inputs) = (self.name.as_str(), self.inputs.clone());
        let outputs = self.outputs.clone();
        let block = SampledBlock::new(name, clock, inputs, outputs, self.controller.clone());
        Some(SampledBlock { delay, uses_full_state: self.full_state, ..block })
    }

    /// As what acts at every instant, if it has no clock.
    fn continuous(&self) -> Option<Continuous> {
        if self.timing != Timing::Always {
            return None;
        }
        let motors = self.outputs.iter().filter_map(|output| output.motor).collect();
        Some(Continuous::new(self.name.as_str(), self.controller.clone(), motors))
    }
}

/// What acts at every instant, all together.
#[derive(Clone)]
struct Together(Vec<Continuous>);

impl ForceInput for Together {
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        ud: &mut [f64],
    ) -> Result<(), BlockError> {
        self.0.iter_mut().try_for_each(|one| one.act(t, q, u, tau, ud))
    }
}

/// The controllers without a clock.
pub(super) fn feedback(controllers: &[ControllerBlock]) -> Option<Box<dyn Feedback>> {
    let all: Vec<_> = controllers.iter().filter_map(ControllerBlock::continuous).collect();
    (!all.is_empty()).then(|| Box::new(Together(all)) as Box<dyn Feedback>)
}
