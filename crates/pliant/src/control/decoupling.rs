//! King's joint controller: the joints move as if the links were not there.

use super::computed_torque::accelerations;
use super::model::Model;
use super::pilot::{Law, LawError, Situation};

/// `τ = H₁₁ ν + H₁₂ δ̈ + h₁`, King (4-6), with `δ̈ = −H₂₂⁻¹ (H₂₁ ν + h₂ + K δ)` of (4-8) and `ν` of
/// (4-4). For sliding links it is Theodore (35) and (36). Bending that is not seen is believed at
/// rest, (4-11).
#[derive(Clone, Debug, PartialEq)]
pub struct Decoupling {
    /// `K_p` of each joint (1/s²).
    pub stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub damping: Vec<f64>,
}

impl Law for Decoupling {
    fn forces(
        &mut self,
        now: &Situation<'_>,
        model: &mut Model,
        forces: &mut [f64],
    ) -> Result<(), LawError> {
        let wanted = accelerations(now, &self.stiffness, &self.damping);
        let found = model.decouple(&wanted).ok_or(LawError::NoInertia { time: now.t })?;
        forces.copy_from_slice(found.as_slice());
        Ok(())
    }
}
