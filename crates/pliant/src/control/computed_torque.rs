//! Computed torque: the model makes each joint a mass of its own, and springs and dampers of one
//! frequency lead it.

use super::description::{LawDescription, LawSite, PerJoint};
use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::{Matrices, MatrixUpdate};
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
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()))
    }

    fn acts_continuously(&self) -> bool {
        self.matrices.are_present()
    }

    fn prepare(&mut self, model: Option<&Model>) {
        self.matrices.prepare(model);
    }

    fn start(&mut self) {
        self.matrices.forget();
    }

    fn cycle(&self, period: f64) -> u64 {
        self.matrices.cycle(period)
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

/// [`ComputedTorque`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputedTorqueDescription {
    /// `K_p` of each joint (1/s²).
    pub stiffness: PerJoint,
    /// `K_v` of each joint (1/s).
    pub damping: PerJoint,
    /// When the matrices of the model are computed anew.
    pub update: MatrixUpdate,
}

impl ComputedTorqueDescription {
    /// With the gains of each joint (1/s², 1/s) and matrices of the present.
    pub fn new(stiffness: impl Into<PerJoint>, damping: impl Into<PerJoint>) -> Self {
        let (stiffness, damping) = (stiffness.into(), damping.into());
        Self { stiffness, damping, update: MatrixUpdate::Always }
    }

    /// With matrices that are computed anew less often.
    #[must_use]
    pub fn updated(self, update: MatrixUpdate) -> Self {
        Self { update, ..self }
    }
}

impl LawDescription for ComputedTorqueDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let (stiffness, damping) = site.gains(&self.stiffness, &self.damping)?;
        let matrices = self.update.matrices(site)?;
        Some(Box::new(ComputedTorque { stiffness, damping, matrices }))
    }
}
