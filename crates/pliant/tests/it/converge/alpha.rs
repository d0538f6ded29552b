//! Generalised-alpha: order, damping of what is too fast, and stiff structures.

use super::arms::{Start, double_pendulum, driven, elements, flexible, spherical};
use super::motions::distance;
use pliant::Help;
use pliant::integrate::{
    Dop853, Failure, GeneralisedAlpha, Moment, SecondOrder, SetupError, Stepper, System, Weights,
    solve,
};
use pliant::simulate::{ArmSystem, ForceInput, ImplicitArmSystem, Unforced, natural_frequencies};
use std::convert::Infallible;

/// `ẍ + ω² x + k x³ = 0`.
struct Spring {
    square: f64,
    cubic: f64,
}

impl System for Spring {
    type Error = Infallible;

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        rates.copy_from_slice(&[y[1], -self.square * y[0] - self.cubic * y[0].powi(3)]);
        Ok(())
    }
}

impl SecondOrder for Spring {
    fn velocity_count(&self) -> usize {
        1
    }

    fn configuration_rates(&mut self, _: &[f64], u: &[f64], rates: &mut [f64]) {
        rates[0] = u[0];
    }

    fn displace(&mut self, q: &mut [f64], way: &[f64]) {
        q[0] += way[0];
    }

    fn residual(&mut self, at: &Moment<'_>, residual: &mut [f64]) -> Result<(), Infallible> {
        residual[0] = at.ud[0] + self.square * at.q[0] + self.cubic * at.q[0].powi(3);
        Ok(())
    }

    fn iteration_matrix(
        &mut self,
        at: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), Infallible> {
        matrix[0] = weights.acceleration + self.square + 3.0 * self.cubic * at.q[0].powi(2);
        Ok(())
    }
}

fn run(start: &Start, drive: impl ForceInput, method: GeneralisedAlpha, end: f64) -> Vec<f64> {
    let motion = ImplicitArmSystem::new(&start.arm, drive);
    let mut stepper = Stepper::new(motion, method, 0.0, &start.state).expect("good settings");
    stepper.advance(end).expect("no failure");
    stepper.state().to_vec()
}

#[test]
fn the_order_is_2_on_arms_and_manifolds() {
    for start in [double_pendulum(), flexible(), spherical()] {
        let motion = ArmSystem::new(&start.arm, Unforced);
        let reference = solve(motion, Dop853::new(1e-13), &start.state, &[0.0, 0.5]);
        for radius in [1.0, 0.8, 0.0] {
            let error = |steps: f64| {
                let method = GeneralisedAlpha::new(0.5 / steps).spectral_radius(radius);
                distance(&run(&start, Unforced, method, 0.5), &reference.states[1])
            };
            let (coarse, fine) = (error(800.0), error(1600.0));
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.1, "{}, {radius}: {order}", start.name);
        }
    }
}

#[test]
fn what_is_too_fast_shrinks_by_the_spectral_radius() {
    for radius in [1.0, 0.9, 0.6, 0.3] {
        let method = GeneralisedAlpha::new(1.0).spectral_radius(radius);
        let spring = Spring { square: 1e10, cubic: 0.0 };
        let mut stepper = Stepper::new(spring, method, 0.0, &[1.0, 0.0]).expect("good");
        // like n ρⁿ, the eigenvalue being a double one
        let mut size = |end: f64| {
            stepper.advance(end).expect("no failure");
            (stepper.state()[0].powi(2) + stepper.state()[1].powi(2)).sqrt()
        };
        let (early, late) = (size(30.0), size(60.0));
        let factor = (0.5 * late / early).powf(1.0 / 30.0);
        assert!((factor - radius).abs() < 2e-3, "{radius}: {factor}");
    }
    // and what is slow keeps its amplitude
    let method = GeneralisedAlpha::new(0.05).spectral_radius(0.5);
    let spring = Spring { square: 1.0, cubic: 0.0 };
    let solution = solve(spring, method, &[1.0, 0.0], &[0.0, 10.0]);
    assert!((solution.states[1][0] - 10.0_f64.cos()).abs() < 5e-3);
}

#[test]
fn eight_elements_keep_the_step() {
    let start = elements();
    let (arm, nq, step) = (&start.arm, start.arm.nq(), 1e-3);
    let highest =
        *natural_frequencies(arm, &start.state[..nq]).expect("good").last().expect("some");
    assert!(step * highest > 50.0, "{highest}");
    let times = [0.0, 0.04, 0.08];
    let tip = |state: &[f64]| arm.pose(&state[..nq], "tip").expect("there").position;
    let energy = |state: &[f64]| {
        let (q, u) = state.split_at(nq);
        arm.energies(q, u).expect("good").total()
    };
    let reference = solve(ArmSystem::new(arm, Unforced), Dop853::new(1e-7), &start.state, &times);
    reference.outcome.expect("a run to its end");
    let run = |step: f64| {
        let method = GeneralisedAlpha::new(step).spectral_radius(0.8);
        let motion = ImplicitArmSystem::new(arm, Unforced);
        let mut stepper = Stepper::new(motion, method, 0.0, &start.state).expect("good");
        let (mut error, mut drift) = (0.0_f64, 0.0_f64);
        for (time, wanted) in times.iter().zip(&reference.states).skip(1) {
            stepper.advance(*time).expect("no failure");
            error = error.max((tip(stepper.state()) - tip(wanted)).norm());
            drift = drift.max((energy(stepper.state()) - energy(&start.state)).abs());
        }
        (error, drift, stepper.statistics())
    };
    let (error, drift, costs) = run(step);
    assert_eq!((costs.steps, costs.rejected), (80, 0));
    // the tip falls by 5 cm
    assert!(error < 2e-4 && drift < 1e-3, "{error:e} m, {drift:e} J");
    let (finer, _, _) = run(0.5 * step);
    assert!(finer < 0.5 * error, "{finer:e} m after {error:e} m");
    assert!(costs.evaluations < reference.statistics.evaluations / 50, "{costs:?}");
}

#[test]
fn controllers_may_be_stiff() {
    // a spring of 1e8 N m/rad and its damper hold the second joint to a moving target
    let mut start = double_pendulum();
    start.state[3] = 0.1;
    let hold = |t: f64, q: &[f64], u: &[f64], tau: &mut [f64], _: &mut [f64]| {
        tau[1] = 1e8 * (0.1 * t - 0.8 - q[1]) + 1e5 * (0.1 - u[1]);
    };
    let state = run(&start, hold, GeneralisedAlpha::new(1e-2).spectral_radius(0.5), 1.0);
    assert!((state[1] + 0.7).abs() < 1e-6, "{state:?}");
}

#[test]
fn joints_may_be_prescribed() {
    let start = driven();
    let turn = |t: f64, _: &[f64], _: &[f64], tau: &mut [f64], ud: &mut [f64]| {
        (ud[0], tau[1]) = (10.0 * (5.0 * t).cos(), 1.0);
    };
    let motion = ArmSystem::new(&start.arm, turn);
    let reference = solve(motion, Dop853::new(1e-12), &start.state, &[0.0, 0.5]);
    let error = |step: f64| {
        distance(&run(&start, turn, GeneralisedAlpha::new(step), 0.5), &reference.states[1])
    };
    let (coarse, fine) = (error(1e-3), error(5e-4));
    assert!(fine < 1e-4 && (1.9..2.1).contains(&(coarse / fine).log2()), "{coarse:e} {fine:e}");
}

#[test]
fn samples_lie_on_the_motion() {
    let times: Vec<f64> = (0..=37).map(|i| 0.01 * f64::from(i)).collect();
    let spring = Spring { square: 4.0, cubic: 0.0 };
    let method = GeneralisedAlpha::new(2e-3).spectral_radius(0.9);
    let solution = solve(spring, method, &[1.0, 0.0], &times);
    solution.outcome.expect("a run to its end");
    for (t, y) in times.iter().zip(&solution.states) {
        let wanted = [(2.0 * t).cos(), -2.0 * (2.0 * t).sin()];
        assert!(distance(y, &wanted) < 2e-5, "t = {t}: {:e}", distance(y, &wanted));
    }
}

/// A force that jumps where it is zero has no solution in between.
struct Jump;

impl System for Jump {
    type Error = Infallible;

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        rates.copy_from_slice(&[y[1], 0.0]);
        Ok(())
    }
}

impl SecondOrder for Jump {
    fn velocity_count(&self) -> usize {
        1
    }

    fn configuration_rates(&mut self, _: &[f64], u: &[f64], rates: &mut [f64]) {
        rates[0] = u[0];
    }

    fn displace(&mut self, q: &mut [f64], way: &[f64]) {
        q[0] += way[0];
    }

    fn residual(&mut self, at: &Moment<'_>, residual: &mut [f64]) -> Result<(), Infallible> {
        residual[0] = at.ud[0] + 1e9 * if at.q[0] > 0.45 { 1.0 } else { 0.0 };
        Ok(())
    }

    fn iteration_matrix(
        &mut self,
        _: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), Infallible> {
        matrix[0] = weights.acceleration;
        Ok(())
    }
}

#[test]
fn what_does_not_converge_says_so() {
    let mut stepper =
        Stepper::new(Jump, GeneralisedAlpha::new(0.1), 0.0, &[0.0, 1.0]).expect("good");
    let failure = stepper.advance(1.0).expect_err("no solution");
    let Failure::NotConverged { time, step, residual, component } = failure else {
        panic!("{failure}")
    };
    assert!((time - 0.4).abs() < 1e-9 && (step - 0.1).abs() < 1e-9 && component == 1);
    assert!(residual >= 1e8, "{residual}");
    let text = failure.with_help();
    assert!(text.contains("component 1") && text.contains("shorter steps"), "{text}");
    assert!((stepper.time() - 0.4).abs() < 1e-9);
    let method = GeneralisedAlpha::new(0.1).spectral_radius(1.5);
    let refused = Stepper::new(Jump, method, 0.0, &[0.0, 1.0]).map(|_| ()).expect_err("refused");
    assert_eq!(refused, SetupError::SpectralRadius { value: 1.5 });
    assert!(refused.with_help().contains("between 0 and 1"));
}
