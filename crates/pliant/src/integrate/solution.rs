//! A run in one call.

use super::failure::{Failure, SetupError};
use super::method::Method;
use super::stepper::{Statistics, Stepper};
use super::system::System;
use std::error::Error;

/// The states at the times asked for, and how the run ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Solution<E: Error + 'static> {
    /// The times, all of them or those before a failure.
    pub times: Vec<f64>,
    /// The state at each of the times.
    pub states: Vec<Vec<f64>>,
    /// What the run has cost.
    pub statistics: Statistics,
    /// Why it ended early, if it did.
    pub outcome: Result<(), Failure<E>>,
}

/// Integrates from `initial` at the first of the times to the last, and samples at all of them.
///
/// Whatever happens, the samples up to then are in the [`Solution`].
pub fn solve<S: System, M: Method<S>>(
    system: S,
    method: M,
    initial: &[f64],
    times: &[f64],
) -> Solution<S::Error> {
    let (mut reached, mut states) = (Vec::new(), Vec::new());
    let mut statistics = Statistics::default();
    let start = times.first().ok_or(SetupError::NoTimes);
    let stepper = start.and_then(|&start| Stepper::new(system, method, start, initial));
    let outcome = stepper.map_err(Failure::from).and_then(|mut stepper| {
        let outcome = stepper.sample(times, |time, state| {
            reached.push(time);
            states.push(state.to_vec());
        });
        statistics = stepper.statistics();
        outcome
    });
    Solution { times: reached, states, statistics, outcome }
}
