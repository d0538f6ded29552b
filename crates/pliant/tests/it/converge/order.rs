//! Halving a step, or a tolerance.

use super::motions::{distance, ellipse, kepler};
use pliant::integrate::{Control, Dop853, Dopri5, Method, Radau5, Rk4, Stepper, System, solve};

/// Steps of one length: what is wrong passes, and nothing longer is allowed.
fn even(step: f64) -> Control {
    Control::new(1e30).first_step(step).max_step(step)
}

fn fixed(step: f64) -> Dop853 {
    Dop853::new(even(step))
}

/// `ẏ = y cos t`, whose solution is `exp(sin t)`.
fn swell(t: f64, y: &[f64], rate: &mut [f64]) {
    rate[0] = y[0] * t.cos();
}

/// The largest error at the ends of the steps, and that within them.
fn errors<M: Method<fn(f64, &[f64], &mut [f64])>>(method: M) -> [f64; 2] {
    let system = swell as fn(f64, &[f64], &mut [f64]);
    let mut stepper = Stepper::new(system, method, 0.0, &[1.0]).expect("good settings");
    let (mut ends, mut inside): (f64, f64) = (0.0, 0.0);
    while let Some(mut step) = stepper.step(4.0).expect("no failure") {
        let dense = step.dense().expect("no failure");
        let span = dense.span();
        ends = ends.max((span.after[0] - span.end.sin().exp()).abs());
        for fraction in [0.25, 0.5, 0.8] {
            let (t, mut y) = (span.start + fraction * span.length(), [0.0]);
            dense.at(t, &mut y);
            inside = inside.max((y[0] - t.sin().exp()).abs());
        }
    }
    [ends, inside]
}

/// Asserts the exponents of the errors over a halving of the step.
#[track_caller]
fn check_orders(coarse: [f64; 2], fine: [f64; 2], wanted: [std::ops::Range<f64>; 2]) {
    for ((coarse, fine), wanted) in coarse.iter().zip(fine).zip(wanted) {
        let order = (coarse / fine).log2();
        assert!(wanted.contains(&order), "{coarse:e} / {fine:e}: order {order}, not {wanted:?}");
    }
}

#[test]
fn rk4_is_of_order_4() {
    let [coarse, fine] = [80.0, 160.0].map(|n| errors(Rk4::new(4.0 / n)));
    check_orders(coarse, fine, [3.9..4.1, 3.9..4.1]);
}

#[test]
fn dopri5_is_of_order_5() {
    let [coarse, fine] = [40.0, 80.0].map(|n| errors(Dopri5::new(even(4.0 / n))));
    check_orders(coarse, fine, [4.8..5.2, 4.8..5.2]);
}

/// A vibration with its slopes, for which one round of the iteration is exact.
struct Vibration;

impl System for Vibration {
    type Error = std::convert::Infallible;

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Self::Error> {
        rates.copy_from_slice(&[y[1], -y[0]]);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], matrix: &mut [f64]) -> Result<bool, Self::Error> {
        matrix.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
        Ok(true)
    }
}

/// An interpolant of order 3 is wrong by `h⁴`.
#[test]
fn radau5_is_of_order_5() {
    let errors = |steps: f64| {
        let method = Radau5::new(even(4.0 / steps));
        let mut stepper = Stepper::new(Vibration, method, 0.0, &[1.0, 0.0]).expect("good");
        let (mut ends, mut inside, mut y): (f64, f64, _) = (0.0, 0.0, [0.0; 2]);
        while let Some(mut step) = stepper.step(4.0).expect("no failure") {
            let (end, middle) = (step.span().end, step.span().start + 0.3 * step.span().length());
            ends = ends.max((step.span().after[0] - end.cos()).abs());
            step.dense().expect("no failure").at(middle, &mut y);
            inside = inside.max((y[0] - middle.cos()).abs());
        }
        assert_eq!(stepper.statistics().steps as f64, steps);
        [ends, inside]
    };
    check_orders(errors(40.0), errors(80.0), [4.9..5.1, 3.8..4.2]);
}

/// An interpolant of order 7 is wrong by `h⁸`, as the steps are after many of them.
#[test]
fn dop853_is_of_order_8() {
    let [coarse, fine] = [12.0, 24.0].map(|n| errors(fixed(4.0 / n)));
    check_orders(coarse, fine, [7.8..8.2, 7.8..8.2]);
}

#[test]
fn a_tighter_tolerance_gives_a_smaller_error() {
    let error = |tolerance: f64| {
        let solution = solve(kepler, Dop853::new(tolerance), &ellipse(0.0), &[0.0, 4.0]);
        assert_eq!(solution.outcome, Ok(()));
        distance(&solution.states[1], &ellipse(4.0))
    };
    let errors: Vec<f64> = (4..=12).map(|digits| error(0.1_f64.powi(digits))).collect();
    for (i, pair) in errors.windows(3).enumerate() {
        assert!(pair[1] < pair[0] && pair[2] < 0.2 * pair[0], "{errors:?}");
        let tolerance = 0.1_f64.powi(4 + i32::try_from(i).expect("few"));
        assert!(pair[0] < 20.0 * tolerance, "{errors:?}");
    }
}

#[test]
fn each_component_has_its_tolerance() {
    // two springs, one of which nobody wants to know well
    let springs = |_: f64, y: &[f64], rate: &mut [f64]| {
        rate.copy_from_slice(&[y[1], -y[0], y[3], -100.0 * y[2]]);
    };
    let steps = |control: Control| {
        let solution = solve(springs, Dop853::new(control), &[1.0, 0.0, 1.0, 0.0], &[0.0, 10.0]);
        assert_eq!(solution.outcome, Ok(()));
        (solution.statistics.steps, (solution.states[1][0] - 10.0_f64.cos()).abs())
    };
    let (all, _) = steps(Control::new(1e-10));
    let (few, error) = steps(Control::new(1e-10).absolute_each([1e-10, 1e-10, 1.0, 1.0]));
    assert!(few * 2 < all && error < 1e-8, "{few} {all} {error}");
}

#[test]
fn polynomials_up_to_the_order_are_exact() {
    struct Power(i32);
    impl System for Power {
        type Error = std::convert::Infallible;
        fn rates(&mut self, t: f64, _: &[f64], rates: &mut [f64]) -> Result<(), Self::Error> {
            rates[0] = f64::from(self.0) * t.powi(self.0 - 1);
            Ok(())
        }
    }
    for power in 1..=8 {
        let mut stepper = Stepper::new(Power(power), fixed(2.0), 0.0, &[0.0]).expect("good");
        let mut step = stepper.step(1.5).expect("no failure").expect("a step");
        let mut middle = [0.0];
        step.dense().expect("no failure").at(0.6, &mut middle);
        let (end, inside) = (step.span().after[0] - 1.5_f64.powi(power), middle[0]);
        assert!(end.abs() < 1e-12, "t^{power}: {end:e}");
        let error = inside - 0.6_f64.powi(power);
        assert_eq!(error.abs() < 1e-11, power <= 7, "t^{power} inside: {error:e}");
    }
}
