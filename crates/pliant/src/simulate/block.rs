//! Blocks that act at the ticks of their own clocks: controllers, estimators, planners.

use super::channels::{ChannelRole, Telemetry};
use super::clock::{Clock, Delay};
use crate::Help;
use crate::arm::CoordinateRole;
use crate::boxed::cloneable;
use crate::compile::CompileError;
use crate::integrate::StateVisitor;

/// The update of a block at each tick of its clock. Outputs are held until the next tick
/// (zero-order hold).
pub trait Block: CloneBlock + Send + Sync {
    /// A run begins: what is remembered of another one is forgotten.
    fn start(&mut self) {}

    /// A run is about to begin, with so many ticks: recursions may be compiled for it, and if they
    /// are infinitely many, they are to be.
    fn compile(&mut self, _evaluations: f64) -> Result<(), CompileError> {
        Ok(())
    }

    /// Visits what it remembers from tick to tick, so that a run can be resumed.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>);

    /// Writes the outputs for the inputs at a tick. Both are in the order of the [`SampledBlock`] block.
    /// The outputs come as they were written the last time, zeros at first. An error ends the run.
    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Help + Send + Sync>>;

    /// How many references of its own it follows, besides those among its inputs.
    fn references(&self) -> usize {
        0
    }

    /// Follows from now on what its references are at a time (s), constant, and has no limits: the
    /// block as it is linearised.
    fn hold(&mut self, _t: f64) {}

    /// Shifts a reference that is held, by its number.
    fn shift(&mut self, _reference: usize, _by: f64) {}

    /// After how many ticks of a period (s) it does the same again where nothing changes.
    fn cycle(&self, _period: f64) -> u64 {
        1
    }
}

cloneable! {
    /// Copies blocks behind a `Box`; every block that is `Clone` has it.
    CloneBlock, Block
}

/// A controller, or another block or force input, that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("\"{block}\" gave up: {reason}")]
pub struct BlockError {
    /// Its name.
    pub block: String,
    /// Why.
    pub reason: Box<dyn Help + Send + Sync>,
}

impl Help for BlockError {
    fn help(&self) -> Option<String> {
        self.reason.help()
    }
}

/// The inputs of a block at a tick.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'a> {
    /// Its number, from 0.
    pub count: u64,
    /// Its time (s).
    pub t: f64,
    /// What the block listens to.
    pub inputs: &'a [f64],
    /// The true state, for blocks that are allowed to look.
    pub state: Option<FullState<'a>>,
}

/// The state of the arm.
#[derive(Clone, Copy, Debug)]
pub struct FullState<'a> {
    /// The coordinates (rad, m).
    pub q: &'a [f64],
    /// The velocities (rad/s, m/s).
    pub u: &'a [f64],
}

/// A closure is for laws that remember nothing: what it captures is not part of the state of a run.
impl<F: FnMut(&Tick<'_>, &mut [f64]) + Clone + Send + Sync + 'static> Block for F {
    fn visit_state(&mut self, _: &mut StateVisitor<'_>) {}

    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Help + Send + Sync>> {
        self(tick, outputs);
        Ok(())
    }
}

/// A block with its clock, inputs and outputs.
#[derive(Clone)]
pub struct SampledBlock {
    /// Its name.
    pub name: String,
    /// What it does.
    pub block: Box<dyn Block>,
    /// When it does.
    pub clock: Clock,
    /// What it listens to, one after another.
    pub inputs: Vec<BlockInput>,
    /// What it puts out.
    pub outputs: Vec<BlockOutput>,
    /// How late its outputs act. Until the first arrive they are zero.
    pub delay: Delay,
    /// Whether it may look at the true state.
    pub uses_full_state: bool,
}

/// An input of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockInput {
    /// All numbers of a sensor, by index, as seen at the tick.
    Sensor(usize),
    /// A reference, by index, at the tick.
    Reference(usize),
    /// The rate of a reference, by index, at the tick.
    ReferenceRate(usize),
    /// An output of a block, both by index, as held at the tick. Of blocks that tick together the
    /// one listed first acts first.
    Output {
        /// The block.
        block: usize,
        /// Which of its outputs.
        output: usize,
    },
}

/// One output of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockOutput {
    /// Its name; channels have that of the block before it.
    pub name: String,
    /// Its unit, for people.
    pub unit: String,
    /// What it is: a command, telemetry, or an estimate.
    pub role: ChannelRole,
    /// What it tells of a control law.
    pub telemetry: Telemetry,
    /// The velocity coordinate that it is the estimate or the telemetry of, by index, with its role.
    pub coordinate: Option<(usize, CoordinateRole)>,
    /// The velocity coordinate whose motor it drives (N m, N), by index.
    pub motor: Option<usize>,
    /// The step to whose multiples it is rounded; zero for none.
    pub resolution: f64,
}

impl BlockOutput {
    /// An output for other blocks, or for recording only.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        let (name, unit, role) = (name.into(), unit.into(), ChannelRole::Telemetry);
        let telemetry = Telemetry::Other;
        Self { name, unit, role, telemetry, coordinate: None, motor: None, resolution: 0.0 }
    }

    /// The force of a motor, by the index of its velocity coordinate.
    pub fn motor(name: impl Into<String>, velocity: usize) -> Self {
        let role = ChannelRole::Command;
        Self { motor: Some(velocity), role, ..Self::new(name, "N m or N") }
    }
}

impl SampledBlock {
    /// A block without delay and without access to the full state.
    pub fn new(
        name: impl Into<String>,
        clock: Clock,
        inputs: Vec<BlockInput>,
        outputs: Vec<BlockOutput>,
        block: impl Block + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            block: Box::new(block),
            clock,
            inputs,
            outputs,
            delay: Delay::None,
            uses_full_state: false,
        }
    }
}
