//! Arms that move.

pub(crate) mod conservation;
pub(crate) mod pushed;
mod sliding;
mod spin_up;

use pliant::arm::Arm;
use pliant::integrate::{Dop853, Method, solve};
use pliant::simulate::{ArmSystem, ForceInput};

/// The states at the times, from a start at the first of them.
fn run(
    arm: &Arm,
    drive: impl ForceInput,
    tolerance: f64,
    start: &[f64],
    times: &[f64],
) -> Vec<Vec<f64>> {
    run_by(arm, drive, Dop853::new(tolerance), start, times)
}

/// By any method.
fn run_by<'a, F: ForceInput, M: Method<ArmSystem<'a, F>>>(
    arm: &'a Arm,
    drive: F,
    method: M,
    start: &[f64],
    times: &[f64],
) -> Vec<Vec<f64>> {
    let solution = solve(ArmSystem::new(arm, drive), method, start, times);
    solution.outcome.expect("the run reaches its end");
    solution.states
}

/// Equally spaced times from zero.
fn clock(end: f64, count: usize) -> Vec<f64> {
    (0..=count).map(|k| end * k as f64 / count as f64).collect()
}
