//! The arms of `robots/`, linearised.

use crate::files;
use pliant::analyse::riccati::{TimeDomain, lqr};
use pliant::analyse::{Conditions, Input, JointCondition, OperatingPoint, Output, StateSpace};
use pliant::arm::Arm;
use pliant::integrate::Dop853;
use pliant::nalgebra::{Complex, DMatrix};
use pliant::plan::{self, Servo, Shaper, ShaperKind, TimeScaling};
use pliant::simulate::{BlockError, Diagram, ForceInput, Rows, Selection, run};
use pliant_io::Source;
use pliant_io::scenario::{Overrides, parse};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;
use std::sync::Arc;

/// Every arm, in a posture without symmetries where its links hang at rest.
fn arms() -> Vec<(Arm, Vec<f64>)> {
    let paths = files::listed("robots", &["toml"]).expect("the folder of robots");
    assert!(paths.len() >= 7);
    let posture = |path: &std::path::PathBuf| {
        let arm = pliant_io::load(path).unwrap_or_else(|report| panic!("{report}")).arm;
        let mut q = arm.neutral();
        let mut step = vec![0.0; arm.nv()];
        for link in 0..arm.body_count() {
            for v in arm.velocities_of(link) {
                step[v] = 0.3 + 0.1 * v as f64;
            }
        }
        arm.displace(&mut q, &step);
        let rest = arm.static_equilibrium(&q).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (arm, rest.q)
    };
    paths.iter().map(posture).collect()
}

fn linearised(arm: &Arm, q: &[f64], hold: JointCondition) -> StateSpace {
    let joints = (0..arm.body_count()).flat_map(|link| arm.drives_of(link));
    let joints = joints.map(|v| arm.motor_of(v));
    let motors: Vec<Input> = match hold {
        JointCondition::Free => joints.map(Input::Motor).collect(),
        _ => Vec::new(),
    };
    let conditions = Conditions::all(arm, hold);
    arm.linearise(&OperatingPoint::rest(arm, q), &conditions, &motors, &[]).expect("a system")
}

#[test]
fn poles_of_locked_arms_are_their_modes() {
    let mut compared = 0;
    for (arm, q) in arms() {
        let modes = arm.modes(&q).expect("modes").modes;
        // the dampers of elastic joints and of several links couple the modes, whose ratios leave
        // that out
        let damped = modes.iter().any(|mode| mode.damping_ratio > 0.0);
        let several = arm.flexible_links().len() > 1;
        if (damped && several) || (0..arm.body_count()).any(|body| arm.is_rotor(body)) {
            continue;
        }
        let poles = linearised(&arm, &q, JointCondition::Locked).poles();
        assert_eq!(poles.len(), 2 * modes.len());
        let largest = modes.iter().map(pliant::analyse::Mode::frequency).fold(0.0, f64::max);
        for (pair, mode) in poles.chunks(2).zip(&modes) {
            let error = (pair[0].norm() - mode.frequency()).abs();
            assert!(error < 1e-8 * largest, "{}: {pair:?} {}", arm.name(), mode.frequency());
            let damping = -pair[0].re - mode.damping_ratio * mode.frequency();
            assert!(damping.abs() < 1e-8 * largest, "{}: {pair:?}", arm.name());
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// `G(s) = C (s − A)⁻¹ B` of an input and an output.
fn transfer(system: &StateSpace, s: Complex<f64>) -> Option<Complex<f64>> {
    let n = system.a.nrows();
    let whole = DMatrix::identity(n, n) * s - system.a.map(Complex::from);
    let states = whole.lu().solve(&system.b.map(Complex::from))?;
    Some((system.c.map(Complex::from) * states)[(0, 0)])
}

/// From every motor to every joint and to the tip: where there is a zero the response is small beside
/// what it is near by. The motor of a joint always moves it, by two integrations.
#[test]
fn zeros_of_all_arms_are_zeros() {
    let (mut zeros, mut silent) = (0, 0);
    for (arm, q) in arms() {
        let joints = (0..arm.body_count()).flat_map(|link| arm.drives_of(link));
        let joints: Vec<usize> = joints.collect();
        let inputs: Vec<Input> = joints.iter().map(|&v| Input::Motor(arm.motor_of(v))).collect();
        let coordinates = joints.iter().map(|&v| Output::Coordinate(v));
        let tip = arm.tip().into_iter();
        let tip = tip.flat_map(|frame| (0..3).map(move |axis| Output::Position { frame, axis }));
        let outputs: Vec<Output> = coordinates.chain(tip).collect();
        let free = Conditions::unlocked(&arm);
        let whole =
            arm.linearise(&OperatingPoint::rest(&arm, &q), &free, &inputs, &outputs).expect("one");
        let poles = whole.poles();
        for (column, row) in (0..inputs.len()).flat_map(|i| (0..outputs.len()).map(move |o| (i, o)))
        {
            let name = format!("{}: {:?} {:?}", arm.name(), inputs[column], outputs[row]);
            let channel = whole.channel(column, row);
            let Some(found) = channel.zeros() else {
                silent += 1;
                assert!(column != row, "{name} is not moved");
                continue;
            };
            if column == row && arm.motor_of(joints[row]) == joints[row] {
                assert_eq!(found.len(), poles.len() - 2, "{name}");
            }
            for zero in found {
                let is_pole = |pole: &Complex<f64>| (zero - pole).norm() < 1e-4 * zero.norm();
                // several at zero are apart by a root of rounding too
                if zero.norm() < 1e-2 || poles.iter().any(is_pole) {
                    continue;
                }
                zeros += 1;
                let near = [0.9, 1.1].map(|part| transfer(&channel, zero * part));
                let near = near.into_iter().flatten().map(Complex::norm).fold(0.0, f64::max);
                let there = transfer(&channel, zero).map_or(f64::INFINITY, Complex::norm);
                // zeros that nearly meet are apart by a root of rounding
                assert!(there < 1e-3 * near, "{name}: {zero}, {there} of {near}");
            }
        }
    }
    assert!(zeros > 500 && silent > 0, "{zeros} {silent}");
}

/// One price for every place, rate and force.
#[test]
fn regulators_of_all_arms() {
    for (arm, q) in arms() {
        // a drive along a straight beam on a fixed hub does not bend it
        if (0..arm.body_count()).all(|link| arm.velocities_of(link).is_empty()) {
            continue;
        }
        let StateSpace { a, b, .. } = linearised(&arm, &q, JointCondition::Free);
        let (n, m) = b.shape();
        let (one, r) = (DMatrix::identity(n, n), DMatrix::identity(m, m));
        let found = lqr(TimeDomain::Continuous, &a, &b, &one, &r);
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", arm.name()));
        let x = &found.riccati.x;
        let spent = x * &b * b.transpose() * x;
        let left = a.transpose() * x + x * &a - spent + &one;
        let residual = left.norm() / (one.norm() + a.norm() * x.norm());
        assert!(residual < 1e-12, "{}: {residual:e}", arm.name());
        assert!(found.poles.iter().all(|pole| pole.re < 0.0), "{}", arm.name());
        assert!(found.riccati.condition >= 1.0);
    }
}

/// A spring and a damper from each joint to its path, at every instant.
#[derive(Clone)]
struct Pd {
    arm: Arc<Arm>,
    servos: Vec<Servo>,
    path: plan::Path,
}

impl ForceInput for Pd {
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        _: &mut [f64],
    ) -> Result<(), BlockError> {
        for (k, servo) in self.servos.iter().enumerate() {
            let (v, wanted) = (servo.velocity, self.path.component(k, t, false));
            let place = self.arm.coordinate_of(v).map_or(f64::NAN, |coordinate| q[coordinate]);
            tau[v] +=
                servo.stiffness * (wanted.value - place) + servo.damping * (wanted.rate - u[v]);
        }
        Ok(())
    }
}

/// Joint 1 of King's arm turns by 90 degrees in a second and stands, the elbow is held, both on
/// springs and dampers: the places of the tip in the two seconds after the command has ended.
fn after_the_command(arm: &Arm, servos: &[Servo], path: &plan::Path) -> Vec<[f64; 3]> {
    let end = path.end() + 2.0;
    let mut scenario = Diagram::new(arm, end, 2e-3);
    scenario.q = arm.neutral();
    for (component, servo) in servos.iter().enumerate() {
        let coordinate = arm.coordinate_of(servo.velocity).expect("an angle");
        scenario.q[coordinate] = path.at(0.0)[component].value;
    }
    scenario.q = arm.static_equilibrium(&scenario.q).expect("rest").q;
    scenario.feedback =
        Some(Box::new(Pd { arm: arm.into(), servos: servos.to_vec(), path: path.clone() }));
    scenario.selection = Selection::new(["fore.tip.position.*"]);
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ()).expect("a run");
    assert_eq!(summary.ending.time, end);
    let chunks = rows.values.chunks(3).zip(&rows.times);
    chunks.filter(|(_, t)| **t >= path.end()).map(|(p, _)| [p[0], p[1], p[2]]).collect()
}

/// The largest distance between two places along an axis.
fn peak_to_peak(places: &[[f64; 3]]) -> f64 {
    let along = |axis: usize| {
        let values = || places.iter().map(move |place| place[axis]);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    (0..3).map(along).fold(0.0, f64::max)
}

#[test]
fn a_shaped_command_leaves_a_tenth_of_the_vibration() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/king-two-link.toml");
    let arm = pliant_io::load(file).unwrap_or_else(|report| panic!("{report}")).arm;
    let velocity =
        |name: &str| arm.velocity_names().iter().position(|known| known == name).expect("a joint");
    // from hanging to level, the elbow straight
    let servos = [
        Servo { velocity: velocity("upper"), stiffness: 400.0, damping: 8.0, reach: FRAC_PI_2 },
        Servo { velocity: velocity("fore"), stiffness: 400.0, damping: 8.0, reach: 0.0 },
    ];
    let points = [vec![-FRAC_PI_2, 0.0], vec![0.0, 0.0]];
    let path = plan::Path::corners(&points, &[1.0], TimeScaling::MinimumJerk, 0.0).expect("a path");
    let frame = arm.frame("fore.tip").expect("a tip");
    let modes = plan::vibrations(&arm, &arm.neutral(), &servos, frame).expect("vibrations");
    assert!(modes.len() >= 2, "{modes:?}");
    let shaper = Shaper::new(ShaperKind::Zvd, &modes[..2], Some(1000.0)).expect("a shaper");
    let plain = peak_to_peak(&after_the_command(&arm, &servos, &path));
    let shaped = peak_to_peak(&after_the_command(&arm, &servos, &path.shaped(&shaper)));
    assert!(plain > 0.01, "nothing to shape: {plain} m");
    assert!(shaped < 0.1 * plain, "{shaped} m of {plain} m, {modes:?}");
}

/// The plan of a file is its path convolved with the shaper for the arm at the end of it.
#[test]
fn files_shape_their_plans() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    let still = ["\"-90 deg\", 0", "\"0 deg\", 0"];
    let moved = ["\"-90 deg\", \"10 deg\"", "\"0 deg\", \"70 deg\""];
    let several = "left = 0.2, modes = 2, period = \"1 ms\"";
    for ([from, to], more, kind, count) in [
        (moved, "kind = \"zv\"", ShaperKind::Zv, 1),
        (moved, "kind = \"zvd\", modes = 2", ShaperKind::Zvd, 2),
        // the elbow stands still: what it would stir is not shaped
        (still, "kind = \"zv\", modes = 2", ShaperKind::Zv, 2),
        (moved, "kind = \"ei\"", ShaperKind::Ei { left: 0.05 }, 1),
        (moved, &format!("kind = \"ei\", {several}"), ShaperKind::Ei { left: 0.2 }, 2),
    ] {
        let text = format!(
            r#"
arm = "king-two-link.toml"
duration = "1 s"
[plan]
kind = "joints"
points = [[{from}], [{to}]]
durations = ["0.5 s"]
start = "0.25 s"
[plan.shaper]
stiffness = {{ upper = "400 N m/rad", fore = "300 N m/rad" }}
damping = {{ upper = "30 N m s/rad", fore = "6 N m s/rad" }}
{}
"#,
            more.replace(", ", "\n")
        );
        let setup = parse(&Source::new("shaped.toml", text), &folder, &Overrides::default());
        let setup = setup.unwrap_or_else(|report| panic!("{report}"));
        let (arm, plan) = (&setup.simulation.arm, setup.simulation.plan.as_ref().expect("a plan"));
        let [begin, end] = if from == still[0] {
            [vec![-FRAC_PI_2, 0.0], vec![0.0, 0.0]]
        } else {
            [vec![-FRAC_PI_2, 10.0_f64.to_radians()], vec![0.0, 70.0_f64.to_radians()]]
        };
        let servo = |k: usize, stiffness, damping| {
            let (velocity, reach) = (plan.velocities[k], end[k] - begin[k]);
            Servo { velocity, stiffness, damping, reach }
        };
        let servos = [servo(0, 400.0, 30.0), servo(1, 300.0, 6.0)];
        let mut q = arm.neutral();
        for (servo, angle) in servos.iter().zip(&end) {
            q[arm.coordinate_of(servo.velocity).expect("an angle")] = *angle;
        }
        let frame = arm.frame("fore.tip").expect("a tip");
        let modes = plan::vibrations(arm, &q, &servos, frame).expect("vibrations");
        let shaper = Shaper::new(kind, &modes[..count], None).expect("a shaper");
        let path = plan::Path::corners(&[begin, end], &[0.5], TimeScaling::MinimumJerk, 0.25);
        let path = path.expect("a path").shaped(&shaper);
        assert!((plan.end - path.end()).abs() < 1e-12 && path.end() > 0.8, "{} {kind:?}", plan.end);
        for k in 0..=40 {
            let t = 0.05 * f64::from(k);
            for (signal, jet) in plan.signals.iter().zip(path.at(t)) {
                assert!((signal.value(t) - jet.value).abs() < 1e-12, "{kind:?} at {t} s");
            }
        }
    }
}
