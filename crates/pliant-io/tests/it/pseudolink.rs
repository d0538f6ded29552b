//! King's composite control of joints and of pseudolinks, on his arm without torsion.

use pliant::arm::Arm;
use pliant::control::{
    Composite, CompositeWeights, Controller, Model, Pseudolinks, StateSource, VibrationDamping,
};
use pliant::integrate::Dop853;
use pliant::nalgebra::DVector;
use pliant::plan::{Path, TimeScaling};
use pliant::simulate::{
    BlockOutput, Clock, Diagram, Rows, SampledBlock, Selection, Signal, Status, Summary, run,
};
use pliant_io::scenario::{Overrides, parse};
use std::sync::Arc;

const FILE: &str = include_str!("../../../../robots/king-three-link.toml");

fn king() -> Arm {
    let text = FILE.replace(", twist = 1", "");
    assert_ne!(text, FILE);
    let source = pliant_io::Source::new("king-three-link.toml", text);
    pliant_io::parse_arm(&source).unwrap_or_else(|report| panic!("{report}")).arm
}

fn joints(arm: &Arm) -> Vec<usize> {
    ["waist", "upper", "fore"]
        .map(|name| arm.velocity_names().iter().position(|known| known == name).expect("a joint"))
        .to_vec()
}

/// The points of joint 1 (if it is led), of the second and of the third link.
fn pseudolinks(arm: &Arm, all: bool) -> Pseudolinks {
    let [upper, fore] = ["upper.tip", "fore.tip"].map(|name| arm.frame(name).expect("a tip"));
    Pseudolinks { frames: vec![all.then_some(fore), Some(upper), Some(fore)] }
}

/// The angles of King's figure 4.5: of the tip about the first axis, of the second link's chord in
/// the upright plane, of the third's against the second's.
fn angles(arm: &Arm, q: &[f64]) -> [f64; 3] {
    let place = |name: &str| arm.pose(q, name).expect("a pose").position.to_array();
    let (elbow, tip) = (place("upper.tip"), place("fore.tip"));
    let shoulder = [0.0, 0.0, 0.1];
    // in the plane that the waist turns
    let waist = q[arm.coordinate_of(joints(arm)[0]).expect("an angle")];
    let flat = |p: [f64; 3]| p[0] * waist.cos() + p[1] * waist.sin();
    let chord = |a: [f64; 3], b: [f64; 3]| (b[2] - a[2]).atan2(flat(b) - flat(a));
    let first = tip[1].atan2(tip[0]);
    let second = chord(shoulder, elbow);
    [first, second, chord(elbow, tip) - second]
}

/// (4-19), (4-20) and the corrected (4-22) by differences of where the points are.
#[test]
fn the_map_is_that_of_the_chords() {
    let arm = king();
    let joints = joints(&arm);
    let mut model = Model::new(arm.clone(), &joints).expect("a model");
    for posture in [[0.0, -0.7, 0.8], [0.4, 0.3, -0.5], [-0.2, 0.1, 0.9]] {
        let mut q = arm.neutral();
        for (&v, angle) in joints.iter().zip(posture) {
            q[arm.coordinate_of(v).expect("an angle")] = angle;
        }
        model.set_estimate(&q, &vec![0.0; arm.nv()]);
        let map = pseudolinks(&arm, true).map(&mut model).expect("a map");
        let others: Vec<usize> = (0..arm.nv()).filter(|v| !joints.contains(v)).collect();
        assert_eq!(map.shape(), (3, others.len()));
        for (column, &v) in others.iter().enumerate() {
            let moved = |step: f64| {
                let mut q = q.clone();
                q[arm.coordinate_of(v).expect("bending")] += step;
                angles(&arm, &q)
            };
            let (up, down) = (moved(1e-5), moved(-1e-5));
            for row in 0..3 {
                let slope = (up[row] - down[row]) / 2e-5;
                assert!((map[(row, column)] - slope).abs() < 1e-8, "{row} {v}: {slope} {map}");
            }
        }
    }
}

/// 90 degrees each in two seconds, speeding up for the first and slowing down for the second.
fn trajectory() -> Arc<Path> {
    let degrees = |angles: [f64; 3]| angles.map(f64::to_radians).to_vec();
    let points = [degrees([0.0, -45.0, 45.0]), degrees([90.0, 45.0, -45.0])];
    Arc::new(Path::corners(&points, &[2.0], TimeScaling::Trapezoid(1.0), 0.0).expect("a path"))
}

/// King's weights, and gains that last for 50 ms.
const WEIGHTS: (CompositeWeights, f64) =
    (CompositeWeights { bending: 1e4, rate: 0.0, input: 1.0 }, 0.05);

/// Runs King's trajectory from static rest for some time (s) with some ticks in a second (Hz); the
/// rows hold `t` and all coordinates.
fn follow(
    arm: &Arm,
    links: Pseudolinks,
    (vibrations, period): (impl Into<VibrationDamping>, f64),
    (duration, hertz): (f64, f64),
) -> (Summary, Rows) {
    let joints = joints(arm);
    let path = trajectory();
    let mut law = Composite::new(vec![100.0; 3], vec![20.0; 3], links, vibrations, period);
    law.fastest = 0.3 * hertz;
    let model = Model::new(arm.clone(), &joints).expect("a model");
    let task = (0..3).map(|component| Signal::Planned { path: Arc::clone(&path), component });
    let pilot = Controller::new(law, model, task.collect(), StateSource::full_state(arm, arm))
        .expect("a pilot");
    let mut scenario = Diagram::new(arm, duration, 5e-3);
    for (&v, jet) in joints.iter().zip(path.at(0.0)) {
        scenario.q[arm.coordinate_of(v).expect("an angle")] = jet.value;
    }
    scenario.q = arm.static_equilibrium(&scenario.q).expect("rest").q;
    let outputs = joints.iter().map(|&v| BlockOutput::motor(format!("motor {v}"), v)).collect();
    let clock = Clock::hertz(hertz).expect("a clock");
    let part = SampledBlock::new("composite", clock, Vec::new(), outputs, pilot);
    scenario.blocks.push(SampledBlock { uses_full_state: true, ..part });
    scenario.selection = Selection::new(["coordinates"]);
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-7), &mut rows, &mut ()).expect("a run");
    (summary, rows)
}

/// `γ − γ_d` of each joint in each row after a time (rad).
fn errors(arm: &Arm, links: &Pseudolinks, rows: &Rows, from: f64) -> Vec<[f64; 3]> {
    let joints = joints(arm);
    let mut model = Model::new(arm.clone(), &joints).expect("a model");
    let others: Vec<usize> = (0..arm.nv()).filter(|v| !joints.contains(v)).collect();
    let path = trajectory();
    let of = |(q, t): (&[f64], &f64)| {
        model.set_estimate(q, &vec![0.0; arm.nv()]);
        let map = links.map(&mut model).expect("a map");
        let at = |v: usize| q[arm.coordinate_of(v).expect("one")];
        let offset = map * DVector::from_iterator(others.len(), others.iter().map(|&v| at(v)));
        let wanted = path.at(*t);
        std::array::from_fn(|k| at(joints[k]) + offset[k] - wanted[k].value)
    };
    let rows = rows.values.chunks(rows.channels.len()).zip(&rows.times);
    rows.filter(|(_, t)| **t >= from).map(of).collect()
}

fn rms(errors: &[[f64; 3]], row: usize) -> f64 {
    (errors.iter().map(|e| e[row] * e[row]).sum::<f64>() / errors.len() as f64).sqrt()
}

#[test]
fn the_rows_along_y_follow_the_trajectory() {
    let arm = king();
    let links = pseudolinks(&arm, false);
    let (summary, rows) = follow(&arm, links.clone(), WEIGHTS, (2.0, 1e4));
    assert!(
        summary.ending.status == Status::Completed,
        "{:?} at {} s",
        summary.ending,
        summary.ending.time
    );
    let errors = errors(&arm, &links, &rows, 0.5);
    for row in [1, 2] {
        let degrees = rms(&errors, row).to_degrees();
        assert!(degrees < 0.05, "row {row}: {degrees} deg rms");
    }
}

#[test]
fn with_all_rows_the_guard_speaks_before_the_run_diverges() {
    let arm = king();
    let (summary, rows) = follow(&arm, pseudolinks(&arm, true), WEIGHTS, (2.0, 1e4));
    let (Some(_), Some(why)) = (&summary.ending.block, &summary.ending.why) else {
        panic!("{:?} at {} s", summary.ending, summary.ending.time);
    };
    assert!(why.contains("det(H22 - H21 F) is"), "{why}");
    // the links were still within a tenth of their length
    let last = rows.values.chunks(rows.channels.len()).last().expect("a row");
    let joints = joints(&arm);
    for v in (0..arm.nv()).filter(|v| !joints.contains(v)) {
        let bent = last[arm.coordinate_of(v).expect("bending")];
        assert!(bent.abs() < 0.12, "{v}: {bent}, {why}");
    }
}

/// The same trajectory as a scenario; a controller's own keys come last.
const SCENARIO: &str = r#"
arm = "king.toml"
duration = "0.1 s"
start = "static equilibrium"
method = "dop853"
tolerance = 1e-7
record = { every = "5 ms", channels = ["coordinates"] }
[plan]
kind = "joints"
points = [[0, "-45 deg", "45 deg"], ["90 deg", "45 deg", "-45 deg"]]
durations = ["2 s"]
profile = "trapezoid"
accelerate = "1 s"
[[controller]]
name = "law"
full_state = true
period = "0.1 ms"
stiffness = 100
damping = 20
"#;

/// Runs it with these keys.
fn told(keys: &str) -> (Summary, Rows) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pseudolink");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("king.toml"), FILE.replace(", twist = 1", "")).expect("written");
    let source = pliant_io::Source::new("king-moves.toml", format!("{SCENARIO}{keys}\n"));
    let setup = parse(&source, &folder, &Overrides::default());
    let setup = setup.unwrap_or_else(|report| panic!("{report}"));
    let mut rows = Rows::new();
    let summary = setup.simulation.diagram.clone().run(&mut rows, &mut ()).expect("a run");
    (summary, rows)
}

#[test]
fn files_say_the_same_as_calls() {
    let arm = king();
    let (weights, _) = WEIGHTS;
    let other = (CompositeWeights { bending: 2e4, rate: 500.0, input: 3.0 }, 0.01);
    let keys = "kind = \"composite\"\nbending_weight = 2e4\nrate_weight = 500\ninput_weight = 3\ngains_period = \"10 ms\"";
    let later = "kind = \"composite\"\ninput_weight = 1\ngains_period = \"80 ms\"";
    let all = "kind = \"pseudolink\"\nrate_weight = 0\nguard = 0";
    let some = "kind = \"pseudolink\"\nbending_weight = 1e4\nrows = [\"fore\", \"upper\"]";
    let wished = "kind = \"composite\"\ndamping_ratio = 0.3";
    let of = |(weights, period): (CompositeWeights, f64)| (weights.into(), period);
    for (keys, links, vibrations) in [
        ("kind = \"composite\"", Pseudolinks::none(3), (VibrationDamping::Ratio(0.5), 0.05)),
        (wished, Pseudolinks::none(3), (VibrationDamping::Ratio(0.3), 0.05)),
        (keys, Pseudolinks::none(3), of(other)),
        (later, Pseudolinks::none(3), of((weights, 0.08))),
        (all, pseudolinks(&arm, true), of(WEIGHTS)),
        (some, pseudolinks(&arm, false), of(WEIGHTS)),
    ] {
        let (by_file, told) = told(keys);
        let (by_call, called) = follow(&arm, links, vibrations, (0.1, 1e4));
        assert_eq!(
            by_file.ending.time, by_call.ending.time,
            "{keys}: {:?} {:?}",
            by_file.ending, by_call.ending
        );
        assert!(
            by_call.ending.time > 0.099 && told.times == called.times,
            "{keys}: {:?}",
            by_call.ending
        );
        for (told, called) in told.values.iter().zip(&called.values) {
            assert!((told - called).abs() < 1e-9, "{keys}: {told} {called}");
        }
    }
    // there are better postures
    let (summary, _) = told("kind = \"pseudolink\"\nguard = 0.9");
    let (Some(_), Some(why)) = (&summary.ending.block, &summary.ending.why) else {
        panic!("{:?}", summary.ending)
    };
    assert!(why.contains("below the guard of 0.9"), "{why}");
}
