//! King's joint controller: the joints move as if the links were rigid.

use super::computed_torque::acceleration;
use super::description::{LawDescription, LawSite, PerJoint};
use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::{MatrixUpdate, has_passed, ticks_kept};
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
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()))
    }

    fn acts_continuously(&self) -> bool {
        self.update == 0.0
    }

    fn prepare(&mut self, model: Option<&Model>) {
        self.joints = model.map_or(0, |model| model.joints().len());
    }

    fn start(&mut self) {
        self.kept = None;
    }

    fn cycle(&self, period: f64) -> u64 {
        ticks_kept(self.update, period)
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

/// [`Decoupling`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct DecouplingDescription {
    /// `K_p` of each joint (1/s²).
    pub stiffness: PerJoint,
    /// `K_v` of each joint (1/s).
    pub damping: PerJoint,
    /// The time between two computations of the matrices (s); none for every instant.
    pub update_period: Option<f64>,
}

impl DecouplingDescription {
    /// With the gains of each joint (1/s², 1/s) and matrices of the present.
    pub fn new(stiffness: impl Into<PerJoint>, damping: impl Into<PerJoint>) -> Self {
        let (stiffness, damping) = (stiffness.into(), damping.into());
        Self { stiffness, damping, update_period: None }
    }
}

impl LawDescription for DecouplingDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let (stiffness, damping) = site.gains(&self.stiffness, &self.damping)?;
        let mut law = Decoupling::new(stiffness, damping);
        if let Some(period) = self.update_period {
            // an own period means the same as that of computed torque
            MatrixUpdate::Every(period).matrices(site)?;
            law.update = period;
        }
        Some(Box::new(law))
    }
}
