//! Closed loops as linear systems: against closed forms, and against runs.

use crate::scenario::built;
use pliant::analyse::{Input, Output};
use pliant::arm::{Builder, Joint, Link};
use pliant::dynamics::kinematics::Axes;
use pliant::nalgebra::{Complex, DVector};
use pliant::scenario::{
    ControllerDescription, LoopError, PdJoint, PlanDescription, Scenario, SensorDescription,
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

/// A push on the tip moves the arm in a run as in the linear loop: every law, through encoders and
/// both estimators, with all that they remember.
#[test]
fn pushed_arms_move_as_their_linear_loops() {
    let (push, start) = (1e-6, 0.3);
    let mut compared = 0;
    for (name, simulation) in built() {
        let mut scenario = simulation.scenario.clone();
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
            // as it does in a run
            let outcome = simulation.run(&mut Rows::new(), &mut ()).expect("a run");
            let why = outcome.summary.ending.why.unwrap_or_default();
            assert!(name.starts_with("pseudolink") && why.contains(reason), "{name}: {why}");
            continue;
        }
        let closed = closed.unwrap_or_else(|error| panic!("{name}: {error}"));
        let period = closed.period.expect("ticks");
        let run = |after: f64| {
            let scenario = pushed(after).record(period, ["coordinates"]);
            let mut rows = Rows::new();
            let outcome =
                scenario.build().expect("a scenario").run(&mut rows, &mut ()).expect("a run");
            assert!(outcome.is_complete(), "{name}: {:?}", outcome.summary.ending);
            rows
        };
        let (moved, still) = (run(push), run(-push));
        let width = moved.channels.len();
        let mut x = DVector::zeros(closed.system.a.nrows());
        let input = closed.system.b.column(closed.system.b.ncols() - 1) * push;
        let (mut off, mut size) = (0.0_f64, 0.0_f64);
        for (row, t) in moved.times.iter().enumerate() {
            if *t < start - 1e-9 {
                continue;
            }
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
        println!(
            "{name}: {:e} of {size:e}, {} states, rho {:?}",
            off / size,
            x.len(),
            closed.spectral_radius()
        );
        compared += 1;
    }
    assert!(compared >= 18, "{compared}");
}
