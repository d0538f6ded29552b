//! An arm as a system of first order.

use super::block::BlockError;
use crate::arm::Arm;
use crate::boxed::cloneable;
use crate::compile::{CompileError, Evaluator, Quantity};
use crate::integrate::System;

/// The forces, loads and prescribed accelerations that act on a moving arm.
pub trait ForceInput {
    /// Adds the forces of motors and loads at a time and state to `tau` (N m, N), which comes as
    /// zeros, and writes the accelerations of prescribed coordinates into `ud`. An error ends the
    /// run.
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        ud: &mut [f64],
    ) -> Result<(), BlockError>;

    /// A run is about to begin, which asks it so often: recursions may be compiled for it, and if
    /// that is infinitely often, they are to be.
    fn compile(&mut self, _evaluations: f64) -> Result<(), CompileError> {
        Ok(())
    }

    /// How many references it follows.
    fn references(&self) -> usize {
        0
    }

    /// Follows from now on what its references are at a time (s), constant, and has no limits: the
    /// input as it is linearised.
    fn hold(&mut self, _t: f64) {}

    /// Shifts a reference that is held, by its number.
    fn shift(&mut self, _reference: usize, _by: f64) {}
}

/// A [`ForceInput`] that a [`Diagram`](super::Diagram) can own; every one that is `Clone`, `Send`,
/// `Sync` and borrows nothing is one.
pub trait Feedback: ForceInput + CloneFeedback + Send + Sync {}

impl<T: ForceInput + Clone + Send + Sync + 'static> Feedback for T {}

cloneable! {
    /// Copies feedback behind a `Box`.
    CloneFeedback, Feedback
}

/// No forces; prescribed coordinates keep their velocities.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unforced;

impl ForceInput for Unforced {
    fn act(
        &mut self,
        _: f64,
        _: &[f64],
        _: &[f64],
        _: &mut [f64],
        _: &mut [f64],
    ) -> Result<(), BlockError> {
        Ok(())
    }
}

impl<F: FnMut(f64, &[f64], &[f64], &mut [f64], &mut [f64])> ForceInput for F {
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        ud: &mut [f64],
    ) -> Result<(), BlockError> {
        self(t, q, u, tau, ud);
        Ok(())
    }
}

/// An arm with its force input, as a first-order system. The state is `(q, u)`, the rates come from
/// the articulated-body recursion, and quaternions are kept at unit length.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::integrate::{Dop853, Stepper};
/// use pliant::simulate::{Unforced, ArmSystem};
///
/// let pendulum = Builder::new("pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let motion = ArmSystem::new(&pendulum, Unforced);
/// let mut stepper = Stepper::new(motion, Dop853::new(1e-10), 0.0, &[-1.0, 0.0])?;
/// stepper.advance(1.0)?;
/// let before = pendulum.energies(&[-1.0], &[0.0])?.total();
/// let (q, u) = stepper.state().split_at(1);
/// assert!((pendulum.energies(q, u)?.total() - before).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArmSystem<'a, D> {
    arm: &'a Arm,
    /// What acts on the arm.
    pub drive: D,
    accelerations: Evaluator,
    tau: Vec<f64>,
}

impl<'a, D: ForceInput> ArmSystem<'a, D> {
    /// Copies the arm for its recursion, and allocates the workspace.
    pub fn new(arm: &'a Arm, drive: D) -> Self {
        let accelerations = arm.evaluator(Quantity::ForwardDynamics);
        Self { arm, drive, accelerations, tau: vec![0.0; arm.nv()] }
    }

    /// Makes machine code of the recursion, in which products and sums are rounded together with `fuse`,
    /// and of the models of what acts on the arm, which are never fused. What cannot be compiled goes on
    /// by its recursion; the first error tells why.
    pub fn compile(&mut self, fuse: bool) -> Result<(), CompileError> {
        let arm = self.accelerations.compile(fuse);
        self.drive.compile(f64::INFINITY).and(arm)
    }

    /// The arm.
    pub fn arm(&self) -> &'a Arm {
        self.arm
    }
}

impl<D: ForceInput> System for ArmSystem<'_, D> {
    type Error = BlockError;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), BlockError> {
        let (q, u) = y.split_at(self.arm.nq());
        let (qd, ud) = rates.split_at_mut(self.arm.nq());
        self.arm.rate_into(q, u, qd);
        self.tau.fill(0.0);
        ud.fill(0.0);
        self.drive.act(t, q, u, &mut self.tau, ud)?;
        self.accelerations.forward_into(q, u, &mut self.tau, ud);
        Ok(())
    }

    fn project(&mut self, _: f64, y: &mut [f64]) {
        self.arm.normalise(&mut y[..self.arm.nq()]);
    }
}
