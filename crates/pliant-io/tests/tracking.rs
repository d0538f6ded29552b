//! Plans and controllers with a model, from scenario files to the tracking report.

use pliant_io::Source;
use pliant_io::results::{Reader, Tracking};
use pliant_io::scenario::{Overrides, Setup, load, parse, run};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn setup(text: &str) -> Setup {
    parse(&Source::new("test.toml", text), &repository().join("robots"), &Overrides::default())
        .unwrap_or_else(|report| panic!("{report}"))
}

/// Runs it, and gives the report, the warnings and the rows.
fn completed(setup: &Setup, name: &str) -> (Tracking, Vec<String>, Reader) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let finished = run(setup, &folder, false, &mut |_| ControlFlow::Continue(()));
    let finished = finished.unwrap_or_else(|failure| panic!("{failure}"));
    let outcome = finished.written.outcome;
    assert!((outcome.ended.at - setup.duration).abs() < 1e-9, "{:?}", outcome.ended);
    let tracking = outcome.tracking.expect("a report");
    (tracking, outcome.warnings, Reader::open(folder).expect("results"))
}

#[test]
fn the_ready_scenario_is_the_first_row_of_table_5_3() {
    let path = repository().join("scenarios/akmehmet-line.toml");
    let setup = load(path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    let (tracking, warnings, _) = completed(&setup, "akmehmet-line");
    assert!(warnings.is_empty(), "{warnings:?}");
    let most = tracking.joints.iter().map(|joint| joint.most).fold(0.0, f64::max);
    assert!((most / 6.5e-5 - 1.0).abs() < 0.1, "{most}");
    let half = tracking.half_error_integral;
    assert!((half / 5e-6 - 1.0).abs() < 0.15, "{half}");
    assert!((2.0 * half / tracking.error_integral - 1.0).abs() < 1e-12);
    let tip = tracking.tip.expect("the tip is planned");
    assert!(tip.most < 1e-4 && tip.most > 1e-6, "{tip:?}");
    assert!(tracking.motors.iter().all(|motor| motor.peak >= motor.rms && motor.rms > 0.0));
}

#[test]
fn the_ready_decoupling_follows_the_closed_form() {
    let path = repository().join("scenarios/king-decoupling.toml");
    let overrides = Overrides { duration: Some("0.3 s".into()), ..Overrides::default() };
    let setup = load(path, &overrides).unwrap_or_else(|report| panic!("{report}"));
    let (tracking, _, reader) = completed(&setup, "king-decoupling");
    assert_eq!(tracking.joints.len(), 3);
    let step = 10.0_f64.to_radians();
    let times = reader.time().expect("times");
    for joint in ["waist", "upper", "fore"] {
        let places = reader.column(joint).expect("recorded");
        for (t, place) in times.iter().zip(places) {
            let want = step * (1.0 - (1.0 + 10.0 * t) * (-10.0 * t).exp());
            assert!((place - want).to_degrees().abs() < 1e-4, "{joint} at {t}: {place} {want}");
        }
    }
}

/// The tip of a plan for joints should be where they have it while nothing bends.
#[test]
fn steps_of_joints_settle_while_the_tip_shakes() {
    let path = repository().join("scenarios/king-decoupling.toml");
    let setup = load(path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    let (tracking, _, reader) = completed(&setup, "king-steps");
    // (1 + 10 t) exp(-10 t) = 0.02 at t = 0.5834 s, before the plan's end
    assert!(tracking.joints.iter().all(|joint| joint.settled_after == Some(0.0)), "{tracking:?}");
    let tip = tracking.tip.expect("a tip");
    let mut q = setup.arm.neutral();
    for name in ["waist", "upper", "fore"] {
        let names = setup.arm.configuration_names();
        q[names.iter().position(|known| known == name).expect("a joint")] = 10_f64.to_radians();
    }
    let wanted = setup.arm.pose(&q, &tip.frame).expect("a pose").position.to_array();
    let times = reader.time().expect("times");
    let (mut most, mut shakes) = (0.0_f64, 0.0_f64);
    let columns =
        ["x", "y", "z"].map(|axis| reader.column(&format!("{}.position.{axis}", tip.frame)));
    let columns = columns.map(|column| column.expect("recorded"));
    for row in 0..times.len() {
        let off = (0..3).map(|k| (columns[k][row] - wanted[k]).powi(2)).sum::<f64>().sqrt();
        most = most.max(off);
    }
    for column in &columns {
        let late = times.iter().zip(column).filter(|(t, _)| **t >= 1.0).map(|(_, x)| *x);
        let (low, high) =
            late.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        shakes = shakes.max(high - low);
    }
    assert!((tip.most / most - 1.0).abs() < 1e-12, "{} {most}", tip.most);
    let residual = tip.residual_vibration.expect("a rest");
    assert!(shakes > 1e-3 && (residual / shakes - 1.0).abs() < 1e-12, "{residual} {shakes}");
}

/// A line that the upper two joints follow, with a wrong model and weak motors.
const WEAK: &str = r#"
arm = "akmehmet-3.toml"
duration = "0.4 s"
[plan]
kind = "line"
points = [[0.9, 0, 0], [0.7, 0.2, 0.2]]
durations = ["0.4 s"]
[[sensor]]
kind = "encoder"
name = "a"
coordinate = "waist"
period = "2 ms"
counts = 100000
[[sensor]]
kind = "encoder"
name = "b"
coordinate = "upper"
period = "2 ms"
counts = 100000
[[sensor]]
kind = "encoder"
name = "c"
coordinate = "fore"
period = "2 ms"
counts = 100000
[[controller]]
kind = "computed-torque"
name = "law"
period = "2 ms"
sensors = ["c", "a", "b"]
stiffness = 400
damping = 40
"#;

#[test]
fn a_wrong_model_and_weak_motors_show_in_the_report() {
    let good = completed(&setup(WEAK), "model-good").0;
    let tip = |tracking: &Tracking| tracking.tip.as_ref().map_or(f64::NAN, |tip| tip.most);
    assert!(tip(&good) < 2e-3, "{:?}", good.tip);
    // the controller believes in the six-joint arm, whose hand is heavier
    let wrong = setup(&format!("{WEAK}model = \"akmehmet-6.toml\"\n"));
    let (worse, _, _) = completed(&wrong, "model-wrong");
    assert!(tip(&worse) > 3.0 * tip(&good), "{:?}", worse.tip);
    // what was run holds the model, and gives the same
    let again = parse(
        &Source::new("again.toml", wrong.text.as_str()),
        Path::new(""),
        &Overrides::default(),
    )
    .unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(completed(&again, "model-again").0, worse);
    let weak = setup(&format!("{WEAK}limits = {{ upper = \"5 N m\" }}\n"));
    let (tracking, warnings, _) = completed(&weak, "weak");
    assert!(tracking.motors.iter().any(|motor| motor.saturated > 0.5));
    let said = warnings.iter().find(|warning| warning.contains("at its limit of 5 N m"));
    assert!(said.is_some(), "{warnings:?}");
}

/// King's arm of section 4.9.1: one link with a payload of 2 kg, the slow part at 20 Hz.
const MULTIRATE: &str = r#"
duration = "2 s"
record = { every = "5 ms" }
[plan]
kind = "joints"
points = [[0], ["30 deg"]]
durations = ["0.5 s"]
[[sensor]]
kind = "encoder"
name = "shaft"
coordinate = "link"
period = "10 ms"
[[sensor]]
kind = "strain"
name = "gauge"
link = "link"
at = "10 mm"
y = "10 mm"
period = "10 ms"
[[controller]]
kind = "computed-torque"
name = "slow"
period = "50 ms"
sensors = ["shaft"]
stiffness = 100
damping = 20
FAST
[arm]
gravity = [0, 0, 0]
[[arm.link]]
name = "link"
joint = { kind = "revolute", axis = "z", armature = 2 }
length = "1 m"
section = { kind = "round", radius = "10 mm" }
material = { young = "69 GPa", shear = "26 GPa", density = "3183 kg/m^3" }
bends = { y = 1 }
payload = { mass = "2 kg" }
"#;

#[test]
fn a_fast_part_on_its_own_clock_damps_the_link() {
    let fast = r#"
[[controller]]
kind = "strain-pd"
name = "fast"
period = "10 ms"
[[controller.joint]]
motor = "link"
sensor = "gauge"
stiffness = 0
damping = 600
"#;
    let shakes = |text: &str, name: &str| {
        let (_, _, reader) = completed(&setup(text), name);
        let bent = reader.column("link.y1").expect("recorded");
        bent[300..].iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    let slow = shakes(&MULTIRATE.replace("FAST", ""), "multirate-slow");
    let both = shakes(&MULTIRATE.replace("FAST", fast), "multirate-both");
    assert!(both < 0.5 * slow, "{both} after {slow}");
}
