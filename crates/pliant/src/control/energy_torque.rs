//! Minimum-energy computed torque: Akmehmet 3.1.2.

use super::description::{LawDescription, LawSite};
use super::horizon::{Course, Horizon, HorizonDescription};
use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::{Matrices, MatrixUpdate, common_multiple};
use super::minimum_energy::{towards_moving, towards_point};
use super::model::Model;
use crate::integrate::{StateVisitor, Stateful};

/// `τ = J u + k` with the minimum-energy acceleration towards the target, (3.11): the joints are
/// decoupled masses, so that it has a closed form.
#[derive(Clone, Debug)]
pub struct EnergyTorque {
    /// How far it looks ahead.
    pub horizon: Horizon,
    /// Whether the end of the window stands in (3.11) as if it were the present, as Table 5.2 has
    /// it; it is wrong by `6 q̇_f / T`.
    pub as_printed: bool,
    /// Where `J` and `k` come from.
    pub matrices: Matrices,
    course: Course,
}

impl EnergyTorque {
    /// The law with a horizon, in its corrected form.
    pub fn new(horizon: Horizon, matrices: Matrices) -> Self {
        Self { horizon, as_printed: false, matrices, course: Course::default() }
    }
}

impl ControlLaw for EnergyTorque {
    fn prepare(&mut self, model: Option<&Model>) {
        self.matrices.prepare(model);
    }

    fn start(&mut self) {
        self.matrices.forget();
        self.course = Course::default();
    }

    fn cycle(&self, period: f64) -> u64 {
        common_multiple(self.horizon.cycle(period), self.matrices.cycle(period))
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.matrices.visit_state(state);
        self.course.visit_state(state, self.matrices.joints());
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        self.matrices.refresh(now, model, None);
        self.horizon.renew(&mut self.course, now);
        let Course { left, target, acceleration, .. } = &self.course;
        let desired = |k: usize| {
            let ([place, rate], state) = (target[k], [now.q[k], now.u[k]]);
            if self.as_printed {
                return towards_moving(place - state[0], rate - state[1], acceleration[k], *left);
            }
            towards_point(state, target[k], *left)
        };
        self.matrices.forces(desired, now.u, forces);
        Ok(())
    }
}

/// [`EnergyTorque`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyTorqueDescription {
    /// The prediction horizon.
    pub horizon: HorizonDescription,
    /// When the matrices of the model are computed anew.
    pub update: MatrixUpdate,
    /// Whether the end of a window replaces the present in (3.11), as in Table 5.2.
    pub as_printed: bool,
}

impl LawDescription for EnergyTorqueDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let horizon = self.horizon.horizon(site)?;
        let matrices = self.update.matrices(site)?;
        let as_printed = self.as_printed;
        Some(Box::new(EnergyTorque { as_printed, ..EnergyTorque::new(horizon, matrices) }))
    }
}
