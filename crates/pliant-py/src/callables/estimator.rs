//! State estimators in Python.

use super::context::{EstimatorContext, columns};
use super::state::Actor;
use super::{Raised, vector};
use pliant::control::{ControlError, Estimator, EstimatorContext as Now, Model};
use pliant::integrate::StateVisitor;
use pyo3::prelude::*;

/// An estimator in Python.
#[derive(Clone, Debug)]
pub(crate) struct OwnEstimator {
    actor: Actor,
}

impl OwnEstimator {
    pub(crate) fn new(object: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        Ok(Self { actor: Actor::new(object, raised)? })
    }

    fn call(
        &self,
        py: Python<'_>,
        context: EstimatorContext,
        model: &Model,
    ) -> Result<[Vec<f64>; 2], String> {
        let told = self.actor.call(py, (context,))?;
        let pair: Result<(Bound<'_, PyAny>, Bound<'_, PyAny>), _> = told.extract();
        let (q, u) = pair
            .map_err(|_| format!("it must return (q, u), not {}", crate::scenario::shown(&told)))?;
        let arm = model.arm();
        Ok([
            vector(&q, "the coordinates that it returns", arm.configuration_names())?,
            vector(&u, "the velocities that it returns", arm.velocity_names())?,
        ])
    }
}

impl Estimator for OwnEstimator {
    fn start(&mut self) {
        self.actor.start();
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.actor.visit_state(state);
    }

    fn observe(&mut self, now: &Now<'_>, model: &mut Model) -> Result<(), ControlError> {
        let [reference, reference_rate, _] = columns(now.reference);
        let (model_q, model_u) = model.state();
        let context = EstimatorContext {
            t: now.t,
            since: now.since,
            measured: now.measured.to_vec(),
            forces: now.forces.to_vec(),
            reference,
            reference_rate,
            model_q,
            model_u,
        };
        let told = Python::attach(|py| self.call(py, context, model));
        let [q, u] = told.map_err(|reason| {
            let message = format!("at t = {} s its estimator gives no state: {reason}", now.t);
            ControlError::Own { message, help: None }
        })?;
        model.set_estimate(&q, &u);
        Ok(())
    }
}
