//! Runs that end early, and in which words.

use pliant::Help;
use pliant::integrate::{
    Control, Dop853, Failure, Method, Rk4, SetupError, Stepper, System, solve,
};

/// `ẏ = y²` from 1, which ends at `t = 1`; another component stays out of it.
fn pole(_: f64, y: &[f64], rate: &mut [f64]) {
    rate.copy_from_slice(&[0.0, y[1] * y[1]]);
}

#[test]
fn what_came_before_a_pole_is_kept() {
    let times: Vec<f64> = (0..=20).map(|i| 0.09 * f64::from(i)).collect();
    let solution = solve(pole, Dop853::new(1e-9), &[0.0, 1.0], &times);
    let failure = solution.outcome.expect_err("a pole");
    match failure {
        Failure::StepTooSmall { time, component, .. }
        | Failure::NotFinite { time, component, .. } => {
            assert!((time - 1.0).abs() < 1e-6 && component == 1, "{failure}");
        }
        _ => panic!("{failure}"),
    }
    assert_eq!(solution.times.len(), 12);
    for (t, y) in solution.times.iter().zip(&solution.states) {
        let wanted = 1.0 / (1.0 - t);
        assert!((y[1] - wanted).abs() < 1e-6 * wanted);
    }
}

#[test]
fn a_fixed_step_fails_where_it_diverges() {
    let grow = |_: f64, _: &[f64], rate: &mut [f64]| rate.copy_from_slice(&[0.0, 1e308]);
    let mut stepper = Stepper::new(grow, Rk4::new(1.0), 0.0, &[0.0, 0.0]).expect("good");
    let failure = stepper.advance(5.0).expect_err("beyond all numbers");
    assert_eq!(failure, Failure::NotFinite { time: 1.0, step: 1.0, component: 1 });
    assert_eq!((stepper.time(), stepper.state()), (1.0, &[0.0, 1e308][..]));
    let text = failure.with_help();
    assert!(text.contains("component 1") && text.contains("shorter steps"), "{text}");
}

#[test]
fn a_trial_beyond_the_domain_is_tried_shorter() {
    // ẏ = -√y is undefined below zero, which y reaches at t = 2
    let tank = |_: f64, y: &[f64], rate: &mut [f64]| rate[0] = -y[0].sqrt();
    let method = Dop853::new(Control::new(1e-6).first_step(10.0));
    let mut stepper = Stepper::new(tank, method, 0.0, &[1.0]).expect("good");
    stepper.advance(1.9).expect("a shorter step stays above zero");
    assert!((stepper.state()[0] - 0.0025).abs() < 1e-5 && stepper.statistics().rejected > 0);
    let failure = stepper.advance(3.0).expect_err("the tank is empty");
    assert!((stepper.time() - 2.0).abs() < 1e-2, "{failure}");
}

#[test]
fn rates_that_are_none_name_their_component() {
    fn check<M: Method<fn(f64, &[f64], &mut [f64])>>(method: M) {
        let system = |t: f64, _: &[f64], rate: &mut [f64]| {
            rate.copy_from_slice(&[1.0, 1.0, if t == 1.0 { f64::NAN } else { 1.0 }]);
        };
        let mut stepper =
            Stepper::new(system as fn(f64, &[f64], &mut [f64]), method, 1.0, &[0.0; 3])
                .expect("good");
        let failure = stepper.step(2.0).map(|_| ()).expect_err("no rate");
        assert_eq!(failure, Failure::RateNotFinite { time: 1.0, component: 2 });
        assert!(failure.with_help().contains("component 2"));
        assert_eq!(stepper.time(), 1.0);
    }
    check(Rk4::new(0.1));
    check(Dop853::new(1e-6));
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the valve is stuck")]
struct Stuck;

#[test]
fn a_system_may_refuse() {
    let system = |t: f64, _: &[f64], rate: &mut [f64]| {
        rate[0] = 1.0;
        if t > 0.5 { Err(Stuck) } else { Ok(()) }
    };
    let times = [0.0, 0.2, 0.4, 0.6];
    let solution = solve(system, Rk4::new(0.1), &[0.0], &times);
    let failure = solution.outcome.expect_err("stuck");
    let Failure::System { time, source: Stuck } = failure else { panic!("{failure}") };
    assert!(time > 0.5 && time < 0.6);
    assert_eq!(solution.times, [0.0, 0.2, 0.4]);
    assert_eq!(
        std::error::Error::source(&failure).expect("a cause").to_string(),
        "the valve is stuck"
    );
}

#[test]
fn a_jump_is_passed_and_a_limit_is_kept() {
    let jump = |t: f64, _: &[f64], rate: &mut [f64]| rate[0] = if t < 0.3 { 0.0 } else { 1.0 };
    let jumped = solve(jump, Dop853::new(1e-6), &[0.0], &[0.0, 1.0]);
    assert_eq!(jumped.outcome, Ok(()));
    assert!((jumped.states[1][0] - 0.7).abs() < 1e-3);

    let fast = |_: f64, y: &[f64], rate: &mut [f64]| rate[0] = -1e4 * y[0];
    let method = Dop853::new(Control::new(1e-6).max_steps(50));
    let solution = solve(fast, method, &[1.0], &[0.0, 1.0]);
    let failure = solution.outcome.expect_err("too many");
    let Failure::TooManySteps { steps, end, time, .. } = failure else { panic!("{failure}") };
    assert!((50..60).contains(&steps) && end == 1.0 && time < 0.1, "{failure}");
    assert!(failure.with_help().contains("stiff"));
}

#[test]
fn times_out_of_order() {
    let mut stepper = Stepper::new(pole, Rk4::new(0.1), 0.0, &[0.0, 1.0]).expect("good");
    for (times, time, previous) in [
        (&[0.0, 0.2, 0.1, 0.3][..], 0.1, 0.2),
        (&[-0.1, 0.3], -0.1, 0.0),
        (&[0.3, -0.1], 0.3, 0.0),
        (&[5.0, 0.0], 0.0, 5.0),
        (&[-5.0, 0.0], -5.0, 0.0),
        (&[0.1, f64::INFINITY], f64::INFINITY, 0.1),
    ] {
        let failure = stepper.sample(times, |_, _| ()).expect_err("out of order");
        assert_eq!(failure, Failure::TimeOutOfOrder { time, previous });
    }
    let failure = stepper.advance(f64::NAN).expect_err("no time");
    assert!(matches!(failure, Failure::TimeOutOfOrder { .. }));
    assert_eq!(stepper.statistics().steps, 0);
}

#[test]
fn settings_that_cannot_be() {
    fn refused<M: Method<fn(f64, &[f64], &mut [f64])>>(
        method: M,
        time: f64,
        y: &[f64],
    ) -> SetupError {
        let stepper = Stepper::new(pole as fn(f64, &[f64], &mut [f64]), method, time, y);
        stepper.map(|_| ()).expect_err("refused")
    }
    let (y, good) = ([0.0, 1.0], Dop853::new(1e-6));
    for (error, words) in [
        (refused(Rk4::new(0.0), 0.0, &y), "the step is 0"),
        (refused(Rk4::new(f64::NAN), 0.0, &y), "the step is NaN"),
        (refused(Dop853::new(-1e-6), 0.0, &y), "the relative tolerance is -0.000001"),
        (refused(Dop853::new(Control::new(1e-6).absolute(0.0)), 0.0, &y), "an absolute tolerance"),
        (refused(Dop853::new(Control::new(1e-6).max_step(0.0)), 0.0, &y), "the longest step"),
        (refused(Dop853::new(Control::new(1e-6).first_step(0.0)), 0.0, &y), "the first step"),
        (
            refused(Dop853::new(Control::new(1e-6).absolute_each([1.0; 3])), 0.0, &y),
            "3 absolute tolerances for 2 components",
        ),
        (refused(good.clone(), f64::INFINITY, &y), "time at the start"),
        (refused(good.clone(), 0.0, &[0.0, f64::NAN]), "component 1 at the start"),
    ] {
        assert!(error.with_help().contains(words), "{error}");
    }
    let solution = solve(pole, good, &y, &[]);
    assert_eq!(solution.outcome, Err(Failure::Setup(SetupError::NoTimes)));
    let mut stepper = Stepper::new(pole, Rk4::new(1e-20), 1.0, &y).expect("good");
    assert!(matches!(stepper.advance(2.0), Err(Failure::NoProgress { .. })));
    assert_eq!(stepper.system_mut().rates(0.0, &y, &mut [0.0; 2]), Ok(()));
}
