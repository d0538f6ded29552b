//! Orbits that close, motions that go back, and what they cost.

use super::motions::{ARENSTORF, PERIOD, arenstorf, distance, ellipse, kepler};
use pliant::integrate::{Dop853, Rk4, Stepper, solve};
use std::f64::consts::TAU;

#[test]
fn arenstorfs_orbit_closes() {
    // errors grow by about 10⁴ on the way
    for (tolerance, wanted) in [(1e-9, 1e-3), (1e-13, 1e-7)] {
        let solution = solve(arenstorf, Dop853::new(tolerance), &ARENSTORF, &[0.0, PERIOD]);
        assert_eq!(solution.outcome, Ok(()));
        let error = distance(&solution.states[1], &ARENSTORF);
        assert!(error < wanted, "tolerance {tolerance:e}: error {error:e}");
    }
}

#[test]
fn what_an_orbit_costs() {
    let times: Vec<f64> = (0..=100).map(|i| PERIOD * f64::from(i) / 100.0).collect();
    let ends = solve(arenstorf, Dop853::new(1e-9), &ARENSTORF, &[0.0, PERIOD]).statistics;
    let sampled = solve(arenstorf, Dop853::new(1e-9), &ARENSTORF, &times).statistics;
    assert_eq!((ends.steps, ends.rejected), (sampled.steps, sampled.rejected));
    // the guess of the first step, the first stage once per step, eleven more per attempt
    let plain = 1 + 12 * ends.steps + 11 * ends.rejected;
    assert_eq!(ends.evaluations, plain);
    // three for each step looked into, and one more rate at the very end at most
    let further = sampled.evaluations - plain;
    assert!(further <= 3 * ends.steps + 1 && further >= 3 * ends.steps / 2, "{further}");
    assert!(ends.steps < 160 && ends.rejected < ends.steps / 3, "{ends:?}");
}

#[test]
fn samples_are_those_of_the_motion() {
    let times: Vec<f64> = (0..=300).map(|i| TAU * f64::from(i) / 300.0).collect();
    let solution = solve(kepler, Dop853::new(1e-10), &ellipse(0.0), &times);
    assert_eq!(solution.outcome, Ok(()));
    assert_eq!(solution.times, times);
    for (t, y) in times.iter().zip(&solution.states) {
        let error = distance(y, &ellipse(*t));
        assert!(error < 1e-8, "t = {t}: {error:e}");
    }
}

#[test]
fn motions_go_back() {
    let start = ellipse(0.0);
    let mut stepper = Stepper::new(kepler, Dop853::new(1e-12), 0.0, &start).expect("good settings");
    stepper.advance(5.0).expect("no failure");
    assert!(distance(stepper.state(), &start) > 0.5);
    stepper.advance(0.0).expect("no failure");
    assert_eq!(stepper.time(), 0.0);
    assert!(distance(stepper.state(), &start) < 1e-10, "{:?}", stepper.state());

    let back: Vec<f64> = (0..=10).map(|i| -0.3 * f64::from(i)).collect();
    for solution in [
        solve(kepler, Dop853::new(1e-10), &start, &back),
        solve(kepler, Rk4::new(1e-3), &start, &back),
    ] {
        assert_eq!(solution.outcome, Ok(()));
        for (t, y) in back.iter().zip(&solution.states) {
            assert!(distance(y, &ellipse(*t)) < 1e-8, "t = {t}");
        }
    }
}
