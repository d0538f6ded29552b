//! King's joint controller: the joints move as if the links were rigid.

use super::computed_torque::acceleration;
use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::has_passed;
use super::model::Model;
use crate::integrate::StateVisitor;
use crate::linear::multiply_vector;
use nalgebra::{DMatrix, DVector};

/// `τ = H₁₁ ν + H₁₂ δ̈ + h₁`, King (4-6), with `δ̈ = −H₂₂⁻¹ (H₂₁ ν + h₂ + K δ)` of (4-8) and `ν` of
/// (4-4). For sliding links it is Theodore (35) and (36). Bending that is not measured is taken to be at
/// rest, (4-11), and to stay so: its `δ̈` is zero.
#[derive(Clone, Debug)]
pub struct Decoupling {
    /// `K_p` of each joint (1/s²).
    pub stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub damping: Vec<f64>,
    /// The time (s) for which the matrices of the model are kept, while `ν` is that of every tick:
    /// the slow part of a multirate scheme, 4.9. Zero computes them at every tick.
    pub update: f64,
    joints: usize,
    /// Since when (s), `A` and `b` of `τ = A ν + b`.
    kept: Option<(f64, DMatrix<f64>, DVector<f64>)>,
}

impl Decoupling {
    /// With `K_p` (1/s²) and `K_v` (1/s) of each joint, and matrices updated at every tick.
    pub fn new(stiffness: Vec<f64>, damping: Vec<f64>) -> Self {
        Self { stiffness, damping, update: 0.0, joints: 0, kept: None }
    }
}

impl ControlLaw for Decoupling {
    fn prepare(&mut self, model: Option<&Model>) {
        self.joints = model.map_or(0, |model| model.joints().len());
    }

    fn start(&mut self) {
        self.kept = None;
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let n = self.joints;
        state.option(&mut self.kept, Default::default, |state, (since, inertia, constant)| {
            state.number(since);
            state.matrix(inertia, n, n);
            state.vector(constant, n);
        });
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        let (time, update) = (now.t, self.update);
        let is_kept = |since: f64| update > 0.0 && !has_passed(update, since, time);
        let is_due = !self.kept.as_ref().is_some_and(|(since, ..)| is_kept(*since));
        let (since, inertia, constant) = self.kept.get_or_insert_default();
        if is_due {
            *since = time;
            if model.decouple(inertia, constant).is_none() {
                self.kept = None;
                return Err(ControlError::NoInertia { time });
            }
        }
        let desired = |k: usize| acceleration(now, &self.stiffness, &self.damping, k);
        multiply_vector(inertia, desired, forces);
        for (force, constant) in forces.iter_mut().zip(constant.iter()) {
            *force += constant;
        }
        Ok(())
    }
}
