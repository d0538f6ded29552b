//! How errors follow the tolerance, on arms.

use super::arms::{Start, spherical, three};
use super::motions::distance;
use pliant::integrate::{Dop853, Dopri5, Method, Radau5, Stepper, solve};
use pliant::simulate::{Coasting, Motion};

type Free<'a> = Motion<'a, Coasting>;

/// The largest error at the ends of the steps over one second.
fn error<'a, M: Method<Free<'a>>>(start: &'a Start, method: M) -> f64 {
    let motion = || Motion::new(&start.arm, Coasting);
    let mut stepper = Stepper::new(motion(), method, 0.0, &start.state).expect("good settings");
    let (mut times, mut states) = (vec![0.0], vec![start.state.clone()]);
    while let Some(step) = stepper.step(1.0).expect("no failure") {
        times.push(step.span().end);
        states.push(step.span().after.to_vec());
    }
    let reference = solve(motion(), Dop853::new(1e-13), &start.state, &times);
    assert_eq!(reference.outcome, Ok(()));
    states.iter().zip(&reference.states).map(|(a, b)| distance(a, b)).fold(0.0, f64::max)
}

/// The exponent of the errors over tolerances from 1e-4 to 1e-10, by least squares.
fn slope(error: impl Fn(f64) -> f64) -> (f64, Vec<f64>) {
    let digits = [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0_f64];
    let errors: Vec<f64> = digits.iter().map(|digits| error(0.1_f64.powf(*digits))).collect();
    let weight: f64 = digits.iter().map(|x| (x - 7.0).powi(2)).sum();
    let sum: f64 = digits.iter().zip(&errors).map(|(x, e)| (x - 7.0) * e.log10()).sum();
    (-sum / weight, errors)
}

#[track_caller]
fn check(start: &Start, name: &str, error: impl Fn(f64) -> f64) {
    let (slope, errors) = slope(error);
    let told = errors.iter().map(|e| format!("{e:.1e}")).collect::<Vec<_>>().join(" ");
    println!("{}, {name}: slope {slope:.3}, errors {told}", start.name);
    assert!((0.8..1.2).contains(&slope), "{}, {name}: {slope}, {told}", start.name);
}

#[test]
fn errors_follow_the_tolerance() {
    for start in three() {
        check(&start, "Dopri5", |tolerance| error(&start, Dopri5::new(tolerance)));
        check(&start, "Dop853", |tolerance| error(&start, Dop853::new(tolerance)));
        check(&start, "Radau5", |tolerance| error(&start, Radau5::new(tolerance)));
    }
}

#[test]
fn quaternions_stay_unit() {
    fn check<'a, M: Method<Free<'a>>>(start: &'a Start, method: M) {
        let times: Vec<f64> = (0..=40).map(|i| 0.05 * f64::from(i)).collect();
        let solution = solve(Motion::new(&start.arm, Coasting), method, &start.state, &times);
        assert_eq!(solution.outcome, Ok(()));
        for state in &solution.states {
            let length = state[..4].iter().map(|q| q * q).sum::<f64>();
            assert!((length - 1.0).abs() < 4.0 * f64::EPSILON, "{length}");
        }
    }
    let start = spherical();
    check(&start, Dopri5::new(1e-4));
    check(&start, Dop853::new(1e-4));
    check(&start, Radau5::new(1e-4));
}
