//! The figures of runs and the channels of links, against closed forms and second computations.

mod channels;
mod links;
mod rest;
mod waves;

use pliant::scenario::{Scenario, SimulationOutcome};
use pliant::simulate::Rows;

/// Runs it: what came of it, and the rows.
fn completed(scenario: &Scenario) -> (SimulationOutcome, Rows) {
    let mut rows = Rows::new();
    let simulation = scenario.build().unwrap_or_else(|error| panic!("{error}"));
    let outcome = simulation.run(&mut rows, &mut ()).expect("a run");
    (outcome, rows)
}

fn column(rows: &Rows, name: &str) -> Vec<f64> {
    rows.column(name).unwrap_or_else(|| panic!("{name} is not recorded"))
}

#[track_caller]
fn near(got: f64, want: f64, part: f64) {
    assert!((got - want).abs() <= part * want.abs(), "{got}, should be {want}");
}
