//! Proportional-derivative control with gravity compensation.

use super::description::{LawDescription, LawSite, PerJoint};
use super::law::{ControlContext, ControlError, ControlLaw};
use super::model::Model;
use crate::integrate::StateVisitor;

/// `τ = k (q_d − q) + d (q̇_d − q̇) + g(q)`, with gravity, springs and known loads of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct GravityPd {
    /// `k` of each joint (N m/rad, N/m).
    pub stiffness: Vec<f64>,
    /// `d` of each joint (N m s/rad, N s/m).
    pub damping: Vec<f64>,
}

impl ControlLaw for GravityPd {
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()))
    }

    fn visit_state(&mut self, _: &mut StateVisitor<'_>) {}

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        let holding = model.holding();
        for (k, force) in forces.iter_mut().enumerate() {
            let reference = now.reference[k];
            let (error, error_rate) = (reference.value - now.q[k], reference.rate - now.u[k]);
            *force = holding[k] + self.stiffness[k] * error + self.damping[k] * error_rate;
        }
        Ok(())
    }
}

/// [`GravityPd`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct GravityPdDescription {
    /// `k` of each joint (N m/rad, N/m).
    pub stiffness: PerJoint,
    /// `d` of each joint (N m s/rad, N s/m).
    pub damping: PerJoint,
}

impl GravityPdDescription {
    /// With stiffness and damping of each joint.
    pub fn new(stiffness: impl Into<PerJoint>, damping: impl Into<PerJoint>) -> Self {
        Self { stiffness: stiffness.into(), damping: damping.into() }
    }
}

impl LawDescription for GravityPdDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let (stiffness, damping) = site.gains(&self.stiffness, &self.damping)?;
        Some(Box::new(GravityPd { stiffness, damping }))
    }

    fn servo(&self) -> Option<[&PerJoint; 2]> {
        Some([&self.stiffness, &self.damping])
    }
}
