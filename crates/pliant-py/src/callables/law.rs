//! Control laws in Python.

use super::context::{ControlContext, columns};
use super::state::Actor;
use super::{Raised, vector};
use pliant::control::{
    ControlContext as Now, ControlError, ControlLaw, LawDescription, LawSite, Model,
};
use pliant::integrate::StateVisitor;
use pliant::simulate::BlockOutput;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyTuple};
use std::sync::Arc;

/// A law in Python, before it knows its joints.
#[derive(Clone, Debug)]
pub(crate) struct OwnLawDescription {
    actor: Actor,
    /// What is recorded beside the forces, by name, with units.
    telemetry: Vec<(String, String)>,
}

impl OwnLawDescription {
    pub(crate) fn new(
        object: &Bound<'_, PyAny>,
        telemetry: Vec<(String, String)>,
        raised: &Raised,
    ) -> PyResult<Self> {
        Ok(Self { actor: Actor::new(object, raised)?, telemetry })
    }
}

impl LawDescription for OwnLawDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        Some(Box::new(OwnLaw {
            actor: self.actor.clone(),
            joints: site.joints.clone().into(),
            names: self.telemetry.iter().map(|(name, _)| name.clone()).collect(),
            telemetry: self.telemetry.clone(),
            values: vec![0.0; self.telemetry.len()],
        }))
    }
}

#[derive(Clone, Debug)]
struct OwnLaw {
    actor: Actor,
    joints: Arc<[String]>,
    names: Arc<[String]>,
    telemetry: Vec<(String, String)>,
    values: Vec<f64>,
}

impl OwnLaw {
    /// The forces and what is recorded beside them.
    fn call(&self, py: Python<'_>, context: ControlContext) -> Result<[Vec<f64>; 2], String> {
        let keep = |error: PyErr| self.actor.raised.keep(py, error);
        let told = self.actor.call(py, (context,))?;
        let (forces, beside) = match told.cast::<PyTuple>() {
            Ok(pair) if pair.len() == 2 => {
                let (forces, beside) =
                    told.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(keep)?;
                match beside.cast_into::<PyMapping>() {
                    Ok(beside) => (forces, Some(beside)),
                    Err(_) => (told.clone(), None),
                }
            }
            _ => (told.clone(), None),
        };
        let forces = vector(&forces, "the forces that it returns", &self.joints)?;
        let mut values = Vec::with_capacity(self.names.len());
        for name in self.names.iter() {
            let value = beside.as_ref().and_then(|beside| beside.get_item(name).ok());
            let value = value.ok_or_else(|| {
                format!("its telemetry \"{name}\" is not in what it returns: (forces, {{\"{name}\": …}})")
            })?;
            values.push(value.extract().map_err(|_| {
                format!(
                    "its telemetry \"{name}\" must be a number, not {}",
                    crate::scenario::shown(&value)
                )
            })?);
        }
        Ok([forces, values])
    }
}

impl ControlLaw for OwnLaw {
    fn start(&mut self) {
        self.actor.start();
    }

    fn acts_continuously(&self) -> bool {
        self.actor.is_function
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.actor.visit_state(state);
    }

    fn forces(
        &mut self,
        now: &Now<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let [reference, reference_rate, reference_acceleration] = columns(now.reference);
        let (model_q, model_u) = model.map_or_else(Default::default, |model| model.state());
        let context = ControlContext {
            t: now.t,
            since: now.since,
            joints: Arc::clone(&self.joints),
            q: now.q.to_vec(),
            u: now.u.to_vec(),
            reference,
            reference_rate,
            reference_acceleration,
            limits: now.limits.to_vec(),
            model_q,
            model_u,
        };
        let told = Python::attach(|py| self.call(py, context));
        let [told, values] = told.map_err(|reason| {
            let message = format!("at t = {} s {reason}", now.t);
            ControlError::Own { message, help: None }
        })?;
        forces.copy_from_slice(&told);
        self.values = values;
        Ok(())
    }

    fn telemetry(&self, _: Option<&Model>) -> Vec<BlockOutput> {
        self.telemetry.iter().map(|(name, unit)| BlockOutput::new(name, unit)).collect()
    }

    fn write_telemetry(&self, values: &mut [f64]) {
        values.copy_from_slice(&self.values);
    }
}
