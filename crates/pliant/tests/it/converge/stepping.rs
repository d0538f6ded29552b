//! Where steps end, and what happens between them.

use super::motions::{distance, ellipse, kepler};
use pliant::integrate::{Control, Dop853, Method, Rk4, Stepper, System, solve};
use std::convert::Infallible;

/// The lengths of the steps to an end.
fn lengths<S: System, M: Method<S>>(stepper: &mut Stepper<S, M>, end: f64) -> Vec<f64> {
    let mut lengths = Vec::new();
    while let Some(step) = stepper.step(end).expect("no failure") {
        lengths.push(step.span().length());
    }
    assert_eq!(stepper.time(), end);
    lengths
}

#[test]
fn the_steps_of_rk4_are_equal() {
    for (step, end, count) in [(0.1, 1.0, 10), (0.1, 0.95, 10), (0.3, -1.0, 4), (5.0, 1.0, 1)] {
        let mut stepper = Stepper::new(kepler, Rk4::new(step), 0.0, &ellipse(0.0)).expect("good");
        let lengths = lengths(&mut stepper, end);
        assert_eq!(lengths.len(), count, "{step} to {end}");
        assert!(lengths.iter().all(|h| (h - end / f64::from(count as u32)).abs() < 1e-14));
        assert_eq!(stepper.statistics().evaluations, 4 * count);
    }
}

#[test]
fn no_sliver_is_left_before_an_end() {
    let method = || Dop853::new(1e-9);
    let mut free = Stepper::new(kepler, method(), 0.0, &ellipse(0.0)).expect("good");
    let natural = lengths(&mut free, 100.0);
    for i in 0..200 {
        let end = 1.0 + 0.01 * f64::from(i);
        let mut stepper = Stepper::new(kepler, method(), 0.0, &ellipse(0.0)).expect("good");
        let lengths = lengths(&mut stepper, end);
        let (last, before) = (lengths[lengths.len() - 1], lengths[lengths.len() - 2]);
        assert!(last > 0.3 * before, "{lengths:?}");
        assert!(lengths.len() <= natural.len());
    }
}

#[test]
fn a_short_way_does_not_shorten_the_steps_after_it() {
    let mut stepper = Stepper::new(kepler, Dop853::new(1e-9), 0.0, &ellipse(0.0)).expect("good");
    let before = lengths(&mut stepper, 2.0);
    let usual = before.iter().copied().fold(0.0, f64::max);
    lengths(&mut stepper, 2.0 + 1e-9);
    let after = lengths(&mut stepper, 4.0);
    assert!(after[0] > 0.4 * usual, "{before:?} {after:?}");
}

#[test]
fn the_longest_step_is_kept() {
    let method = Dop853::new(Control::new(1e-3).max_step(0.01));
    let mut stepper = Stepper::new(kepler, method, 0.0, &ellipse(0.0)).expect("good");
    for tick in 1..=100 {
        // one step for each tick, though ticks are rounded
        assert_eq!(lengths(&mut stepper, f64::from(tick) * 0.01).len(), 1);
    }
}

#[test]
fn the_interpolant_joins_the_states() {
    let mut stepper = Stepper::new(kepler, Dop853::new(1e-6), 0.0, &ellipse(0.0)).expect("good");
    stepper.advance(1.0).expect("no failure");
    let mut step = stepper.step(2.0).expect("no failure").expect("a step");
    let dense = step.dense().expect("no failure");
    let (span, mut y) = (dense.span(), [0.0; 4]);
    for (t, state) in [(span.start, span.before), (span.end, span.after)] {
        dense.at(t, &mut y);
        assert_eq!(y, *state);
        let shift = 1e-9 * (span.start + span.end - 2.0 * t);
        dense.at(t + shift, &mut y);
        assert!(distance(&y, state) < 1e-8);
    }
}

/// `ẏ = held`, the output of a controller.
struct Held(f64);

impl System for Held {
    type Error = Infallible;

    fn rates(&mut self, _: f64, _: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        rates[0] = self.0;
        Ok(())
    }
}

#[test]
fn a_controller_acts_at_its_ticks() {
    fn check<M: Method<Held>>(method: M, evaluations: usize) {
        let mut stepper = Stepper::new(Held(0.0), method, 0.0, &[1.0]).expect("good");
        let mut wanted = 1.0;
        for tick in 1..=50 {
            let output = -4.0 * stepper.state()[0];
            stepper.system_mut().0 = output;
            let end = f64::from(tick) * 0.1;
            while let Some(mut step) = stepper.step(end).expect("no failure") {
                // looking into a step keeps its rate; the tick must not use it
                step.dense().expect("no failure");
            }
            assert_eq!(stepper.time(), end);
            wanted *= 1.0 - 0.4;
            assert!((stepper.state()[0] - wanted).abs() < 1e-13, "tick {tick}");
        }
        assert_eq!(stepper.statistics().evaluations, evaluations);
    }
    // of each step one evaluation at its end is for the interpolant alone
    check(Rk4::new(0.1), 50 * 5);
    check(Dop853::new(Control::new(1e-6).first_step(0.1)), 50 * 16);
}

#[test]
fn a_state_may_jump() {
    // a ball that falls from 1 m and loses half its speed on the floor
    let fall = |_: f64, y: &[f64], rate: &mut [f64]| {
        rate[0] = y[1];
        rate[1] = -10.0;
    };
    let mut stepper = Stepper::new(fall, Dop853::new(1e-10), 0.0, &[1.0, 0.0]).expect("good");
    let impact = 0.2_f64.sqrt();
    stepper.advance(impact).expect("no failure");
    let up = -0.5 * stepper.state()[1];
    stepper.restart(impact, &[0.0, up]).expect("finite");
    stepper.advance(impact + 0.1 * up).expect("no failure");
    assert!((stepper.state()[0] - 0.25).abs() < 1e-12 && stepper.state()[1].abs() < 1e-12);
}

/// A unit quaternion that turns about a fixed axis with 1 rad/s.
struct Turn {
    projects: bool,
}

impl System for Turn {
    type Error = Infallible;

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        rates.copy_from_slice(&[-0.5 * y[3], 0.5 * y[2], -0.5 * y[1], 0.5 * y[0]]);
        Ok(())
    }

    fn project(&mut self, _: f64, y: &mut [f64]) {
        if self.projects {
            let length = y.iter().map(|y| y * y).sum::<f64>().sqrt();
            for y in y {
                *y /= length;
            }
        }
    }
}

#[test]
fn states_stay_on_their_manifold() {
    let times: Vec<f64> = (0..=40).map(|i| 0.5 * f64::from(i)).collect();
    for projects in [true, false] {
        let solution = solve(Turn { projects }, Rk4::new(0.3), &[1.0, 0.0, 0.0, 0.0], &times);
        assert_eq!(solution.outcome, Ok(()));
        let drift = |y: &Vec<f64>| (y.iter().map(|y| y * y).sum::<f64>() - 1.0).abs();
        let worst = solution.states.iter().map(drift).fold(0.0, f64::max);
        assert_eq!(worst < 1e-15, projects, "{worst:e}");
        let angle = 20.0_f64;
        let error =
            distance(&solution.states[40], &[(angle / 2.0).cos(), 0.0, 0.0, (angle / 2.0).sin()]);
        assert!(error < 1e-3, "{error:e}");
    }
}
