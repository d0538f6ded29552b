//! Forward dynamics: from forces to accelerations.

use super::compiling::Compiling;
use crate::arm::Arm;
use crate::boxed::cloneable;
use crate::compile::{CompileError, Evaluator, Quantity};

/// The accelerations of an arm: what a run integrates. By default they are those of
/// [`Articulated`].
pub trait ForwardDynamics {
    /// The accelerations `ud` at a state for the generalised forces `tau`, external loads added to
    /// them (N m, N). At free joints `tau` is read and `ud` written; at prescribed joints `ud` is read
    /// and `tau` written.
    fn accelerations_into(&mut self, q: &[f64], u: &[f64], tau: &mut [f64], ud: &mut [f64]);

    /// Whether the energies of the arm are those of these equations. A run has no balance of energy
    /// where they are not.
    fn has_energies(&self) -> bool {
        true
    }
}

/// [`ForwardDynamics`] that a [`Diagram`](super::Diagram) can own; every one that is `Clone`, `Send`,
/// `Sync` and borrows nothing is one.
pub trait OwnedDynamics: ForwardDynamics + CloneDynamics + Send + Sync {}

impl<T: ForwardDynamics + Clone + Send + Sync + 'static> OwnedDynamics for T {}

cloneable! {
    /// Copies equations of motion behind a `Box`.
    CloneDynamics, OwnedDynamics
}

/// The articulated-body algorithm, as its [recursion](crate::dynamics::aba) or as machine code.
#[derive(Clone, Debug)]
pub struct Articulated {
    evaluator: Evaluator,
}

impl Articulated {
    /// The recursion with its workspace.
    pub fn new(arm: &Arm) -> Self {
        Self { evaluator: arm.evaluator(Quantity::ForwardDynamics) }
    }

    /// The same with its recursion compiled, where that is worth it.
    pub(super) fn compiled(self, compiling: Compiling) -> Result<Self, CompileError> {
        Ok(Self { evaluator: compiling.applied(self.evaluator)? })
    }

    pub(super) fn is_compiled(&self) -> bool {
        self.evaluator.is_compiled()
    }
}

impl ForwardDynamics for Articulated {
    fn accelerations_into(&mut self, q: &[f64], u: &[f64], tau: &mut [f64], ud: &mut [f64]) {
        self.evaluator.forward_into(q, u, tau, ud);
    }
}

impl<F: ForwardDynamics + ?Sized> ForwardDynamics for &mut F {
    fn accelerations_into(&mut self, q: &[f64], u: &[f64], tau: &mut [f64], ud: &mut [f64]) {
        (**self).accelerations_into(q, u, tau, ud);
    }

    fn has_energies(&self) -> bool {
        (**self).has_energies()
    }
}
