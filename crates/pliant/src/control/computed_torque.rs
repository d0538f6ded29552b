//! Computed torque: the model makes each joint a mass of its own, and springs and dampers of one
//! frequency lead it.

use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::Matrices;
use super::model::Model;
use crate::integrate::{StateVisitor, Stateful};

/// `τ = J(q) [q̈_d + K_p (q_d − q) + K_v (q̇_d − q̇)] + k`: Akmehmet (3.6), King (4-2) with (4-4).
/// With matrices that are refreshed [when they have changed](super::MatrixUpdate::Changed) it is the
/// simple adaptive approach, 3.1.1.
#[derive(Clone, Debug)]
pub struct ComputedTorque {
    /// `K_p` of each joint (1/s²).
    pub stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub damping: Vec<f64>,
    /// Where `J` and `k` come from.
    pub matrices: Matrices,
}

/// `ν = q̈_d + K_v (q̇_d − q̇) + K_p (q_d − q)` of each joint: Akmehmet (3.3), King (4-4).
pub(super) fn acceleration(
    now: &ControlContext<'_>,
    stiffness: &[f64],
    damping: &[f64],
    k: usize,
) -> f64 {
    let reference = now.reference[k];
    reference.acceleration
        + stiffness[k] * (reference.value - now.q[k])
        + damping[k] * (reference.rate - now.u[k])
}

impl ControlLaw for ComputedTorque {
    fn prepare(&mut self, model: Option<&Model>) {
        self.matrices.prepare(model);
    }

    fn start(&mut self) {
        self.matrices.forget();
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.matrices.visit_state(state);
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        self.matrices.refresh(now, model, None);
        let desired = |k: usize| acceleration(now, &self.stiffness, &self.damping, k);
        self.matrices.forces(desired, now.u, forces);
        Ok(())
    }
}
