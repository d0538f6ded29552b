//! What an evaluator evaluates: a quantity of an arm, or of one with parameters.

use super::folded::Functions;
use super::parameters::Parameters;
use super::quantity::{Port, Quantity, Recursions};
use super::trace::{Trace, total};
use crate::arm::Arm;

/// A quantity with its recursion, which follows the parameters.
#[derive(Clone, Debug)]
pub(super) struct Model {
    quantity: Quantity,
    recursions: Recursions<f64>,
    /// With the values that the recursion has.
    parameters: Option<Box<(Parameters, Vec<f64>)>>,
}

impl Model {
    pub(super) fn new(arm: &Arm, quantity: Quantity) -> Self {
        Self { quantity, recursions: Recursions::new(arm.clone(), quantity), parameters: None }
    }

    pub(super) fn with_parameters(parameters: &Parameters, quantity: Quantity) -> Self {
        let nominal = parameters.list().iter().map(|parameter| parameter.nominal).collect();
        let own = Some(Box::new((parameters.clone(), nominal)));
        Self { parameters: own, ..Self::new(parameters.arm(), quantity) }
    }

    pub(super) fn quantity(&self) -> Quantity {
        self.quantity
    }

    pub(super) fn inputs(&self) -> Vec<Port> {
        let parameters = self.parameters.as_ref().map(|own| own.0.list().len());
        self.quantity.inputs_with(self.recursions.arm(), parameters)
    }

    pub(super) fn outputs(&self) -> Vec<Port> {
        self.quantity.outputs(self.recursions.arm())
    }

    pub(super) fn trace(&self, functions: Functions) -> Trace {
        match &self.parameters {
            None => Trace::new(self.recursions.arm(), self.quantity, functions),
            Some(own) => Trace::with_parameters(&own.0, self.quantity, functions),
        }
    }

    /// All outputs from all inputs, by the recursion.
    pub(super) fn run(&mut self, inputs: &[f64], outputs: &mut [f64]) {
        let Self { quantity, recursions, parameters } = self;
        let Some(own) = parameters else { return recursions.run(inputs, outputs) };
        let (parameters, at) = &mut **own;
        let (state, values) = inputs.split_at(inputs.len() - at.len());
        if values != at {
            *recursions = Recursions::new(parameters.arm_at(values), *quantity);
            at.copy_from_slice(values);
        }
        recursions.run(state, outputs);
    }

    /// A state so near to the neutral one to try code at, the same in every build, with parameters near
    /// the nominal ones.
    pub(super) fn trial(&self, round: u32, distance: f64, inputs: &mut [f64]) {
        for (input, i) in inputs.iter_mut().zip(1_u32..) {
            // spread over (−1, 1)
            let spread = i.wrapping_mul(2_654_435_769).rotate_left(round * 7);
            *input = f64::from(spread) / 2_147_483_648.0 - 1.0;
        }
        let arm = self.recursions.arm();
        let (q, rest) = inputs.split_at_mut(arm.nq());
        for (q, neutral) in q.iter_mut().zip(arm.neutral()) {
            *q = neutral + distance * *q;
        }
        arm.normalise(q);
        if let Some(own) = &self.parameters {
            let list = own.0.list();
            let values = &mut rest[total(&self.inputs()) - arm.nq() - list.len()..];
            for (value, parameter) in values.iter_mut().zip(list) {
                let nominal = parameter.nominal;
                let size = if nominal == 0.0 { 1.0 } else { nominal };
                *value = nominal + 0.1 * size * *value;
            }
        }
    }
}
