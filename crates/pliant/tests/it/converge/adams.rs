//! The orders and the steps of the Adams methods.

use super::motions::{distance, ellipse, kepler};
use pliant::integrate::{Adams, Control, Dop853, SetupError, Statistics, Stepper, System, solve};
use std::convert::Infallible;

/// `ẏ = y cos t`, whose solution is `exp(sin t)`, given until the highest order has its past.
struct Swell {
    given_until: f64,
}

impl System for Swell {
    type Error = Infallible;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        rates[0] = y[0] * t.cos();
        Ok(())
    }

    fn project(&mut self, t: f64, y: &mut [f64]) {
        if t <= self.given_until {
            y[0] = t.sin().exp();
        }
    }
}

/// The largest errors at the ends of equal steps of one order, and within them.
fn errors(order: usize, h: f64, given_until: f64) -> [f64; 2] {
    let control = Control::new(1e30).first_step(h).max_step(h);
    let method = Adams::new(control).orders(order..=order);
    let mut stepper = Stepper::new(Swell { given_until }, method, 0.0, &[1.0]).expect("good");
    let (mut ends, mut inside): (f64, f64) = (0.0, 0.0);
    while let Some(mut step) = stepper.step(given_until + 64.0 * h).expect("no failure") {
        let span = step.span();
        let (start, length) = (span.start, span.length());
        if start < given_until {
            continue;
        }
        ends = ends.max((span.after[0] - span.end.sin().exp()).abs());
        for fraction in [0.25, 0.5, 0.8] {
            let (t, mut y) = (start + fraction * length, [0.0]);
            step.dense().expect("no failure").at(t, &mut y);
            inside = inside.max((y[0] - t.sin().exp()).abs());
        }
    }
    [ends, inside]
}

/// A predictor of order `k` is corrected to order `k + 1`; steps are as long as rounding needs.
#[test]
fn each_order_is_seen() {
    let lengths = [20, 20, 30, 30, 30, 40, 50, 60, 60, 60, 70, 90].map(|h| 1e-3 * f64::from(h));
    for (order, h) in (1_u32..).zip(lengths) {
        let given_until = 27.5 * h;
        let [coarse, fine] = [2.0 * h, h].map(|h| errors(order as usize, h, given_until));
        for (coarse, fine) in coarse.iter().zip(fine) {
            let seen = (coarse / fine).log2() - 1.0;
            assert!((seen - f64::from(order)).abs() < 0.5, "order {order}: {coarse:e} {fine:e}");
        }
    }
}

/// An ellipse by both, with tolerances from 1e-6 to 1e-11.
#[test]
fn it_needs_fewer_evaluations_than_dop853() {
    for digits in 6..=11 {
        let (tolerance, times) = (0.1_f64.powi(digits), [0.0, 40.0]);
        let adams = solve(kepler, Adams::new(tolerance), &ellipse(0.0), &times);
        let dop853 = solve(kepler, Dop853::new(tolerance), &ellipse(0.0), &times);
        assert_eq!(adams.outcome, Ok(()));
        let (ours, its) = (adams.statistics, dop853.statistics);
        assert!(2 * ours.steps < ours.evaluations && ours.rejected < ours.steps / 3, "{ours:?}");
        assert!(4 * ours.evaluations < 3 * its.evaluations, "{tolerance:e}: {ours:?} {its:?}");
        let error = |states: &[Vec<f64>]| distance(&states[1], &ellipse(40.0));
        let [own, other] = [&adams.states, &dop853.states].map(|states| error(states));
        assert!(own < 20.0 * other, "{tolerance:e}: {own:e} {other:e}");
    }
}

/// After a corner that nobody told of it goes on with order 1, and comes back to high orders.
#[test]
fn corners_shorten_the_past() {
    let corner = |t: f64, _: &[f64], rate: &mut [f64]| rate[0] = (t - 0.777).abs();
    let solution = solve(corner, Adams::new(1e-10), &[0.0], &[0.0, 2.0]);
    assert_eq!(solution.outcome, Ok(()));
    let wanted = 0.5 * (0.777_f64.powi(2) + 1.223_f64.powi(2));
    let error = (solution.states[1][0] - wanted).abs();
    // what the estimates of high orders miss of a corner
    assert!(error < 1e-6, "{error:e}");
    let Statistics { rejected, evaluations, .. } = solution.statistics;
    assert!(rejected > 3 && evaluations < 200, "{rejected} {evaluations}");
}

#[test]
fn it_turns_round() {
    let mut stepper = Stepper::new(kepler, Adams::new(1e-11), 0.0, &ellipse(0.0)).expect("good");
    for end in [3.0, -2.0, 0.5, 0.5 + 1e-9, 4.0] {
        stepper.advance(end).expect("no failure");
        let error = distance(stepper.state(), &ellipse(end));
        assert!(error < 1e-8, "{end}: {error:e}");
    }
}

#[test]
fn orders_that_do_not_exist_are_refused() {
    for orders in [(0, 3), (5, 4), (1, 13)].map(|(least, most)| least..=most) {
        let (least, most) = orders.clone().into_inner();
        let method = Adams::new(1e-6).orders(orders);
        let refused = Stepper::new(kepler, method, 0.0, &ellipse(0.0)).err();
        assert_eq!(refused, Some(SetupError::Orders { least, most }));
    }
}
