//! Which recursions of a run are compiled.

use super::choice::MethodDemand;
use super::clock::Clock;
use super::diagram::Diagram;
use super::method::IntegrationMethod;
use crate::compile::{CompileError, Evaluator, Quantity};

/// Whether the recursions of a run are compiled to machine code before it begins. The numbers are
/// the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compile {
    /// Where the evaluations that are foreseen are worth it.
    #[default]
    Auto,
    /// Wherever there is machine code.
    Always,
    /// Nowhere.
    Never,
}

/// What a run compiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compiling {
    whether: Compile,
    /// How often forward dynamics, and what implicit steps need, are expected to be evaluated;
    /// infinitely often if they are compiled in any case.
    pub(super) forward: f64,
    pub(super) implicit: f64,
    /// Whether products and sums are rounded together.
    pub(super) fuse: bool,
}

impl Compiling {
    /// How often a block is expected to be evaluated.
    pub(super) fn ticks(self, duration: f64, clock: Clock) -> f64 {
        match self.whether {
            Compile::Never => 0.0,
            Compile::Always => f64::INFINITY,
            Compile::Auto => duration / clock.period(),
        }
    }

    /// A quantity, compiled if that is worth it.
    pub(super) fn applied(self, mut to: Evaluator) -> Result<Evaluator, CompileError> {
        let evaluations = match to.quantity() {
            Quantity::ForwardDynamics | Quantity::DampingPower => self.forward.max(self.implicit),
            _ => self.implicit,
        };
        match to.compile_for(evaluations, self.fuse) {
            // the numbers are the same without
            Err(CompileError::Refused(_)) if !self.fuse => Ok(to),
            done => done.map(|()| to),
        }
    }
}

impl Diagram {
    /// What a run compiles.
    pub(super) fn compiling(&self) -> Compiling {
        let fuse = self.fuse;
        let [forward, implicit] = match self.compile {
            Compile::Always => [f64::INFINITY; 2],
            _ if fuse => [f64::INFINITY; 2],
            Compile::Never => [0.0; 2],
            Compile::Auto => self.evaluations(),
        };
        Compiling { whether: self.compile, forward, implicit, fuse }
    }

    /// How often forward dynamics, and what implicit steps need, are expected to be evaluated.
    fn evaluations(&self) -> [f64; 2] {
        match self.method {
            IntegrationMethod::Rk4 { step } => [4.0 * self.duration / step, 0.0],
            // some three corrections a step
            IntegrationMethod::GeneralisedAlpha { step, .. } => [0.0, 3.0 * self.duration / step],
            IntegrationMethod::Auto { tolerance }
            | IntegrationMethod::Dop853 { tolerance }
            | IntegrationMethod::Dopri5 { tolerance }
            | IntegrationMethod::Radau5 { tolerance } => {
                let demand = MethodDemand::of(&self.arm, &self.q, self.duration, tolerance);
                let Ok(demand) = demand else { return [0.0; 2] };
                MethodDemand { landing: self.landing(), ..demand }.evaluations(self.method)
            }
        }
    }
}
