//! The closed loop of a scenario.

use super::point::{Place, within};
use super::{Linearise, of_option};
use crate::commands::warn_of_variants;
use crate::figures::figure;
use crate::output::{Failure, Output};
use pliant::Help as _;
use pliant::analyse::{Conditions, Input, StateSpace};
use pliant::scenario::Simulation;
use pliant_io::{linear_inputs, linear_outputs, rename_outputs, scenario};

/// The name of the arm, where it is, the period, and the loop.
pub(super) fn find(
    asked: &Linearise,
    output: &Output,
) -> Result<(String, Place, Option<f64>, StateSpace), Failure> {
    if !scenario::is_scenario(&asked.file) {
        let message = "--closed is for scenarios, this is an arm";
        return Err(Failure::input(message, "give a scenario with a [[controller]]"));
    }
    let setup = asked.set.load_scenario(&asked.file, output)?;
    let simulation = &setup.simulation;
    warn_of_variants("the matrices are those", &simulation.scenario.variants, output);
    let time = within(asked, simulation)?;
    let arm = &simulation.arm;
    let conditions = Conditions::unlocked(arm);
    let inputs = match asked.input.as_slice() {
        [] => Vec::new(),
        input => linear_inputs(arm, &conditions, input).map_err(of_option("--input"))?,
    };
    let (outputs, called): (Vec<_>, Vec<_>) =
        linear_outputs(arm, &simulation.diagram.sensors, &asked.output)
            .map_err(of_option("--output"))?
            .into_iter()
            .unzip();
    let closed = simulation.closed_loop(time, &inputs, &outputs).map_err(|error| {
        let help = error.help().unwrap_or_else(|| "change the scenario".to_owned());
        Failure::input(error.to_string(), help)
    })?;
    let mut system = closed.system;
    rename_outputs(&mut system, called);
    tell(simulation, &inputs, &mut system);
    let when = figure(time, 0.0);
    let words = match closed.period {
        Some(period) => format!(
            "closed loop at rest where the plan is at {when} s, in steps of {} s",
            figure(period, 0.0)
        ),
        None => format!("closed loop at rest where the plan is at {when} s"),
    };
    let place = Place { point: closed.point, conditions, words };
    Ok((arm.name().to_owned(), place, closed.period, system))
}

/// Says that forces of motors come in addition to those of controllers.
fn tell(simulation: &Simulation, inputs: &[Input], system: &mut StateSpace) {
    let first = system.inputs.len() - inputs.len();
    for (label, input) in system.inputs[first..].iter_mut().zip(inputs) {
        if let Input::Motor(v) = input {
            label.name = format!("{}.disturbance", simulation.arm.velocity_names()[*v]);
        }
    }
}
