//! Parts that act at the ticks of their own clocks: controllers, observers, planners.

use super::clock::{Clock, Delay};
use std::error::Error;

/// What a part does at each tick of its clock. What it puts out is held until the next.
pub trait Controller {
    /// A run begins: what is remembered of another one is forgotten.
    fn start(&mut self) {}

    /// Writes the outputs for the inputs at a tick. Both are in the order of the [`Sampled`] part.
    /// The outputs come as they were written the last time, zeros at first. An error ends the run.
    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// What a part may know at a tick.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'a> {
    /// Its number, from 0.
    pub count: u64,
    /// Its time (s).
    pub t: f64,
    /// What the part listens to.
    pub inputs: &'a [f64],
    /// The true state, for parts that are allowed to look.
    pub state: Option<TrueState<'a>>,
}

/// The state of the arm.
#[derive(Clone, Copy, Debug)]
pub struct TrueState<'a> {
    /// The coordinates (rad, m).
    pub q: &'a [f64],
    /// The velocities (rad/s, m/s).
    pub u: &'a [f64],
}

impl<F: FnMut(&Tick<'_>, &mut [f64])> Controller for F {
    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self(tick, outputs);
        Ok(())
    }
}

/// A controller with its clock and its wires.
pub struct Sampled<'a> {
    /// Its name.
    pub name: String,
    /// What it does.
    pub controller: Box<dyn Controller + 'a>,
    /// When it does.
    pub clock: Clock,
    /// What it listens to, one after another.
    pub inputs: Vec<Source>,
    /// What it puts out.
    pub outputs: Vec<Output>,
    /// How late its outputs act. Until the first arrive they are zero.
    pub delay: Delay,
    /// Whether it may look at the true state.
    pub sees_state: bool,
}

/// Something to listen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// All numbers of a sensor, by index, as seen at the tick.
    Sensor(usize),
    /// A reference, by index, at the tick.
    Reference(usize),
    /// The rate of a reference, by index, at the tick.
    ReferenceRate(usize),
    /// An output of a part, both by index, as held at the tick. Of parts that tick together the
    /// one listed first acts first.
    Output {
        /// The part.
        part: usize,
        /// Which of its outputs.
        output: usize,
    },
}

/// One number that a part puts out.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name; channels have that of the part before it.
    pub name: String,
    /// Its unit, for people.
    pub unit: String,
    /// The velocity coordinate whose motor it drives (N m, N), by index.
    pub motor: Option<usize>,
    /// The step to whose multiples it is rounded; zero for none.
    pub resolution: f64,
}

impl Output {
    /// A number for other parts, or for the record.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), motor: None, resolution: 0.0 }
    }

    /// The force of a motor, by the index of its velocity coordinate.
    pub fn motor(name: impl Into<String>, velocity: usize) -> Self {
        Self { motor: Some(velocity), ..Self::new(name, "N m or N") }
    }
}

impl<'a> Sampled<'a> {
    /// A part that neither waits nor looks at the true state.
    pub fn new(
        name: impl Into<String>,
        clock: Clock,
        inputs: Vec<Source>,
        outputs: Vec<Output>,
        controller: impl Controller + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            controller: Box::new(controller),
            clock,
            inputs,
            outputs,
            delay: Delay::None,
            sees_state: false,
        }
    }
}
