//! The loops that the controllers of scenarios close, as linear systems.

use crate::analysis::state_space;
use crate::callables::Raised;
use crate::conditions::tuple;
use crate::error::{Kind, raise, raise_help};
use crate::run::setup;
use pliant::analyse::{Conditions, Input};
use pliant::scenario::Simulation;
use pliant_io::{linear_inputs, linear_outputs, rename_outputs};
use pyo3::prelude::*;
use pyo3::types::PyComplex;

/// The loop near where the plan has the arm at a time (s).
#[pyfunction]
fn closed_loop<'py>(
    py: Python<'py>,
    scenario: &Bound<'py, PyAny>,
    time: f64,
    inputs: Vec<String>,
    outputs: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let raised = Raised::default();
    let (setup, _) = setup(py, scenario, &raised)?;
    let simulation: &Simulation = &setup.simulation;
    let (arm, duration) = (&simulation.arm, simulation.scenario.duration);
    if !(0.0..=duration).contains(&time) {
        let help = format!("give a time from 0 to {duration} s");
        return Err(raise(py, Kind::Argument, &format!("time is {time}"), Some(&help)));
    }
    let refused = |error| raise_help(py, Kind::Argument, &error);
    let inputs = match inputs.as_slice() {
        [] => Vec::new(),
        names => linear_inputs(arm, &Conditions::unlocked(arm), names).map_err(refused)?,
    };
    let outputs = linear_outputs(arm, &simulation.diagram.sensors, &outputs).map_err(refused)?;
    let (outputs, names): (Vec<_>, Vec<_>) = outputs.into_iter().unzip();
    let mut closed = py.detach(|| simulation.closed_loop(time, &inputs, &outputs)).map_err(
        |error| match raised.take(&error.to_string()) {
            Some(own) => own,
            None => raise_help(py, Kind::Dynamics, &error),
        },
    )?;
    rename_outputs(&mut closed.system, names);
    // forces of motors come in addition to those of controllers
    let first = closed.system.inputs.len() - inputs.len();
    for (label, input) in closed.system.inputs[first..].iter_mut().zip(&inputs) {
        if let Input::Motor(v) = input {
            label.name = format!("{}.disturbance", arm.velocity_names()[*v]);
        }
    }
    let motor = |v: usize| arm.velocity_names()[v].clone();
    let mode = tuple(py, "GrowingMode")?;
    let growing = closed.growing(0.0).into_iter().map(|one| {
        let pole = PyComplex::from_doubles(py, one.pole.re, one.pole.im);
        mode.call1((pole, one.rate, motor(one.motor)))
    });
    let growing = growing.collect::<PyResult<Vec<_>>>()?;
    let motors: Vec<String> = closed.motors.iter().map(|&v| motor(v)).collect();
    let (period, ticks) = (closed.period, closed.ticks);
    let system = state_space(py, &[], &[(closed.point.q, closed.system)], period)?;
    tuple(py, "ClosedLoop")?.call1((system, ticks, motors, growing))
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(closed_loop, module)?)
}
