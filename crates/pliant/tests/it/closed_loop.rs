//! Closed loops as linear systems: against closed forms, and against runs.

use crate::scenario::built;
use pliant::analyse::{Input, Output};
use pliant::arm::{Builder, Joint, Link};
use pliant::control::{
    ControlContext, ControlError, ControlLaw, GravityPdDescription, LawDescription, LawSite, Model,
};
use pliant::dynamics::kinematics::Axes;
use pliant::integrate::StateVisitor;
use pliant::nalgebra::{Complex, DVector, dmatrix};
use pliant::scenario::{
    ControllerDescription, LoopError, PdJoint, PlanDescription, PlanFollower, RunWarning, Scenario,
    SensorDescription, StrainJoint,
};
use pliant::simulate::{IntegrationMethod, Rows, Signal};

const PERIOD: f64 = 2e-3;

fn wheel(stiffness: f64, damping: f64, delay: f64) -> Scenario {
    let wheel = Link::new("wheel")
        .joint(Joint::revolute([0.0, 0.0, 1.0]))
        .payload(2.0, [0.5, 0.0, 0.0])
        .tip_frame("rim");
    let joint = PdJoint {
        motor: "wheel".into(),
        sensor: Some("encoder".into()),
        stiffness,
        damping,
        limit: Some(1.0),
        target: Signal::Constant(0.3),
    };
    Scenario::new(Builder::new("wheel").gravity([0.0; 3]).link(wheel), 1.0)
        .sensor(SensorDescription::encoder("encoder", "wheel", PERIOD).quantised(1e-3))
        .controller(ControllerDescription::pd("servo", PERIOD, [joint]).delayed(delay))
}

/// `J θ̈ = τ`, and `τ = −k θ_i − d (θ_i − θ_{i−1})/T` held from a part `λ` of the tick on: with
/// `θ(z) = (p(z − 1) + T v)/(z − 1)²` for pushes that move a wheel by `p` and turn it by `v`, the poles
/// solve `(z − 1)² z² + (p₁(z − 1) + T v₁) z (kz + d(z − 1)/T) + (p₀(z − 1) + T v₀)(kz + d(z − 1)/T) = 0`.
#[test]
fn a_wheel_has_the_poles_of_its_polynomial() {
    let (inertia, t) = (0.5, PERIOD);
    for (k, d) in [(100.0, 20.0), (5000.0, 100.0), (0.0, 600.0), (3e5, 10.0)] {
        for late in [0.0, 0.5, 0.75, 1.0] {
            let simulation = wheel(k, d, late * t).build().expect("a scenario");
            let closed = simulation.closed_loop(0.0, &[], &[]).expect("a loop");
            assert_eq!((closed.period, closed.ticks), (Some(t), 1.0));
            let poles = closed.system.poles();
            assert_eq!(poles.len(), if late == 0.0 { 3 } else { 4 });
            let left = 1.0 - late;
            let now = [0.5 * left * left * t * t / inertia, left * t / inertia];
            let before = [0.5 * t * t / inertia - now[0], late * t / inertia];
            for z in poles {
                let one = Complex::from(1.0);
                let moved = |[p, v]: [f64; 2]| (z - one) * p + t * v;
                let law = z * k + (z - one) * (d / t);
                let terms = [(z - one).powi(2) * z * z, moved(now) * z * law, moved(before) * law];
                let size: f64 = terms.iter().map(|term| term.norm()).sum();
                let sum = terms.iter().sum::<Complex<f64>>().norm();
                assert!(sum < 1e-9 * (size + 1.0), "{k} {d} {late}: {z}, {sum:e} of {size:e}");
            }
        }
    }
}

/// Compares a run in which the tip is pushed with the linear loop: the largest difference and the
/// largest change of a coordinate. Nothing where the law gives up, in both.
fn pushed(name: &str, scenario: &Scenario) -> Option<[f64; 2]> {
    let (push, start) = (1e-6, 0.3);
    let mut scenario = scenario.clone();
    for sensor in &mut scenario.sensors {
        (sensor.noise, sensor.resolution) = (0.0, 0.0);
    }
    scenario.plan = Some(PlanDescription::joints([[0.3, -0.4], [0.3, -0.4]], [0.1]));
    scenario.duration = 0.4;
    scenario.method = IntegrationMethod::Dop853 { tolerance: 1e-12 };
    let scenario = scenario.initial("upper", 0.3).initial("fore", -0.4);
    let pushed = |after: f64| {
        let signal = Signal::Step { at: start, before: 0.0, after };
        scenario.clone().load("fore.tip", [0.0, 1.0, 0.0], [0.0; 3], signal)
    };
    let simulation = pushed(push).build().expect("a scenario");
    let frame = simulation.arm.frame("fore.tip").expect("a frame");
    let inputs = [Input::Wrench { frame, component: 1, axes: Axes::World }];
    let outputs: Vec<Output> = (0..simulation.arm.nv()).map(Output::Coordinate).collect();
    let closed = simulation.closed_loop(0.0, &inputs, &outputs);
    if let Err(LoopError::GaveUp { reason, .. }) = &closed {
        let outcome = simulation.run(&mut Rows::new(), &mut ()).expect("a run");
        let why = outcome.summary.ending.why.unwrap_or_default();
        assert!(why.contains(reason), "{name}: {why}");
        return None;
    }
    let closed = closed.unwrap_or_else(|error| panic!("{name}: {error}"));
    let period = closed.period.expect("ticks");
    let run = |after: f64| {
        let scenario = pushed(after).record(period, ["coordinates"]);
        let mut rows = Rows::new();
        let simulation = scenario.build().expect("a scenario");
        let outcome = simulation.run(&mut rows, &mut ()).expect("a run");
        assert!(outcome.is_complete(), "{name}: {:?}", outcome.summary.ending);
        rows
    };
    let (moved, still) = (run(push), run(-push));
    let width = moved.channels.len();
    let mut x = DVector::zeros(closed.system.a.nrows());
    let input = closed.system.b.column(closed.system.b.ncols() - 1) * push;
    let (mut off, mut size) = (0.0_f64, 0.0_f64);
    for (row, t) in moved.times.iter().enumerate().filter(|(_, t)| **t > start - 1e-9) {
        let now = |rows: &Rows, k: usize| rows.values[row * width + k];
        let seen = &closed.system.c * &x;
        for k in 0..width {
            let real = 0.5 * (now(&moved, k) - now(&still, k));
            off = off.max((real - seen[k]).abs());
            size = size.max(real.abs());
        }
        if size > 1e-4 {
            // the arm is not linear any more
            break;
        }
        assert!(off < 1e-4 * size + 1e-13, "{name}: {off:e} of {size:e} at {t} s");
        x = &closed.system.a * x + &input;
    }
    Some([off, size])
}

/// A push on the tip moves the arm in a run as in the linear loop: every law, through encoders and
/// both estimators, with all that they remember.
#[test]
fn pushed_arms_move_as_their_linear_loops() {
    let built = built();
    let compared = built.iter().filter(|(name, one)| {
        let compared = pushed(name, &one.scenario).is_some();
        assert!(compared || name.starts_with("pseudolink"), "{name} gives up");
        compared
    });
    assert!(compared.count() >= 18);
}

/// Clocks of different periods, delays that are no whole ticks, and what acts at every instant.
#[test]
fn several_clocks_and_delays_follow_each_other_as_in_runs() {
    let usual = &built()[0].1.scenario;
    let law = GravityPdDescription::new(60.0, 6.0);
    let follower = PlanFollower::new(law.clone()).sensors(["shoulder", "elbow"]);
    let mut slow = usual.clone();
    slow.controllers =
        vec![ControllerDescription::follow("law", follower).every(0.003).delayed(0.0025)];
    for (sensor, [period, delay]) in
        slow.sensors.iter_mut().zip([[0.004, 0.001], [0.002, 0.0], [0.003, 0.0], [0.003, 0.0]])
    {
        (sensor.period, sensor.delay) = (period, delay);
    }
    let simulation = slow.build().expect("a scenario");
    let closed = simulation.closed_loop(0.0, &[], &[]).expect("a loop");
    assert_eq!((closed.period, closed.ticks), (Some(0.012), 4.0));
    let [_, size] = pushed("several clocks", &slow).expect("a law");
    assert!(size > 1e-10);
    let strain = StrainJoint {
        motor: "fore".into(),
        sensor: "second".into(),
        stiffness: 500.0,
        damping: 1.0,
        limit: None,
    };
    let mut both = usual.clone();
    both.controllers = vec![
        ControllerDescription::follow("law", PlanFollower::new(law).full_state()),
        ControllerDescription::strain_pd("fast", 0.005, [strain]).delayed(0.0125),
    ];
    let [_, size] = pushed("mixed", &both).expect("a law");
    assert!(size > 1e-10);
}

/// Clocks that hardly ever come together are not looked at, and said so.
#[test]
fn clocks_that_never_meet_are_told() {
    let mut scenario = wheel(100.0, 20.0, 0.0);
    scenario.sensors[0].period = 0.001_000_1;
    let simulation = scenario.build().expect("a scenario");
    let error = simulation.closed_loop(0.0, &[], &[]).expect_err("too many ticks");
    assert!(matches!(error, LoopError::TooManyTicks { .. }), "{error}");
    let told = simulation.loop_warnings();
    assert!(told.len() == 1 && told[0].to_string().contains("not looked at"), "{told:?}");
}

/// A user's own law that integrates: no further code is needed.
#[test]
fn laws_of_a_user_are_looked_at() {
    #[derive(Clone, Debug, Default)]
    struct Integrating {
        gains: [f64; 3],
        sum: f64,
    }

    impl ControlLaw for Integrating {
        fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
            state.number(&mut self.sum);
        }

        fn forces(
            &mut self,
            now: &ControlContext<'_>,
            _: Option<&mut Model>,
            forces: &mut [f64],
        ) -> Result<(), ControlError> {
            let error = now.reference[0].value - now.q[0];
            self.sum += PERIOD * error;
            let [k, d, i] = self.gains;
            forces[0] = k * error - d * now.u[0] + i * self.sum;
            Ok(())
        }
    }

    #[derive(Clone, Debug)]
    struct Described([f64; 3]);

    impl LawDescription for Described {
        fn law(&self, _: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
            Some(Box::new(Integrating { gains: self.0, sum: 0.0 }))
        }
    }

    let [inertia, t] = [0.5, PERIOD];
    for gains in [[200.0, 20.0, 500.0], [200.0, 20.0, 9000.0]] {
        let mut scenario = wheel(0.0, 0.0, 0.0);
        let follower = PlanFollower::new(Described(gains)).full_state();
        scenario.controllers = vec![ControllerDescription::follow("own", follower).every(t)];
        let scenario = scenario.plan(PlanDescription::joints([[0.0], [0.0]], [0.1]));
        let simulation = scenario.build().expect("a scenario");
        let closed = simulation.closed_loop(0.0, &[], &[]).expect("a loop");
        let [a, b] = [0.5 * t * t / inertia, t / inertia];
        let [k, d, i] = gains;
        let (k, i) = (k + i * t, i);
        let want = dmatrix![
            1.0 - a * k, t - a * d, a * i;
            -b * k, 1.0 - b * d, b * i;
            -t, 0.0, 1.0];
        let mut want: Vec<f64> = want.complex_eigenvalues().iter().map(|z| z.norm()).collect();
        let mut found: Vec<f64> = closed.system.poles().iter().map(|z| z.norm()).collect();
        want.sort_by(f64::total_cmp);
        found.sort_by(f64::total_cmp);
        assert_eq!(found.len(), 3);
        assert!(found.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-8), "{found:?} {want:?}");
        let warned = !simulation.loop_warnings().is_empty();
        assert_eq!(warned, gains[2] > 8000.0, "{found:?}");
    }
}

/// A run that ends far from its target says so, and one that arrives does not.
#[test]
fn runs_that_end_far_from_their_targets_are_told() {
    for (duration, is_far) in [(0.1, true), (2.0, false)] {
        let mut scenario = wheel(100.0, 20.0, 0.0);
        scenario.duration = duration;
        let simulation = scenario.build().expect("a scenario");
        let outcome = simulation.run(&mut Rows::new(), &mut ()).expect("a run");
        assert!(outcome.is_complete() && outcome.unstable.is_none());
        let far = outcome.warnings.iter().find_map(|warning| match warning {
            RunWarning::OffPlan { joint, error, way, .. } => Some((joint.as_str(), *error, *way)),
            _ => None,
        });
        assert_eq!(far.is_some(), is_far, "{duration} s: {far:?}");
        if let Some((joint, error, way)) = far {
            assert!(joint == "wheel" && (0.1..=0.3).contains(&error) && (way - 0.3).abs() < 1e-12);
        }
    }
}
