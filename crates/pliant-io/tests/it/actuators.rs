//! Actuators in arm files, and elastic joints in scenarios.

use pliant::arm::{Actuator, Joint};
use pliant::scenario::Tracking;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{Overrides, Setup, load, parse, run};
use pliant_io::{Report, Source, parse_arm, parse_state};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(text: &str) -> Result<Setup, Report> {
    let robots = repository().join("robots");
    parse(&Source::new("test.toml", text), &robots, &Overrides::default())
}

fn setup(text: &str) -> Setup {
    read(text).unwrap_or_else(|report| panic!("{report}"))
}

fn completed(setup: &Setup, name: &str) -> (Tracking, Vec<String>, Reader) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("actuators").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let finished = run(setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let finished = finished.unwrap_or_else(|failure| panic!("{failure}"));
    let outcome = finished.written.outcome;
    assert!(
        (outcome.run.ending.time - setup.simulation.diagram.duration).abs() < 1e-9,
        "{:?}",
        outcome.run.ending
    );
    let drift = outcome.run.energy_drift.expect("a balance").relative.expect("it moves");
    assert!(drift < 1e-8, "energy drifts by {drift:e}");
    let tracking = outcome.tracking.expect("a report");
    (tracking, outcome.warnings, Reader::open(folder).expect("results"))
}

const BOTH: &str = r#"
[[link]]
name = "upper"
mass = 1
[link.joint]
kind = "revolute"
armature = 0.01
[link.joint.actuator]
torque = "5e3 N cm"
speed = "90 deg/s"
rotor_inertia = "1e-4 kg m^2"
gear = 100
stiffness = "1e4 N m/rad"
damping = 2
viscous = 0.5
coulomb = "0.5 N m"
coulomb_speed = "0.01 rad/s"

[[link]]
name = "boom"
mass = 1
joint = { kind = "prismatic", actuator = { force = "2 kN", speed = "50 cm/s", rotor_inertia = 1e-5, gear = 600 } }
"#;

#[test]
fn actuators_are_read_with_units() {
    let loaded = parse_arm(&Source::new("both.toml", BOTH)).unwrap_or_else(|r| panic!("{r}"));
    let parts = loaded.description.parts();
    let actuator = |link: usize| *parts.links[link].parts().actuator.expect("an actuator");
    let upper = Actuator {
        force: 50.0,
        speed: 90_f64.to_radians(),
        rotor_inertia: 1e-4,
        gear: 100.0,
        stiffness: Some(1e4),
        damping: 2.0,
        viscous: 0.5,
        coulomb: 0.5,
        coulomb_speed: 0.01,
    };
    assert_eq!(actuator(0), upper);
    let boom = Actuator {
        force: 2000.0,
        speed: 0.5,
        rotor_inertia: 1e-5,
        gear: 600.0,
        ..Actuator::default()
    };
    assert_eq!(actuator(1), boom);
    let arm = &loaded.arm;
    assert_eq!(arm.velocity_names(), ["upper", "boom", "upper.motor"]);
    assert_eq!(arm.joints()[2], Joint::revolute([0.0, 0.0, 1.0]));
    // armature and rotor add up, on the motor's side
    let armature = arm.armature();
    assert_eq!(armature[0], 0.0);
    for (got, want) in [(armature[1], 3.6), (armature[2], 1.01)] {
        assert!((got - want).abs() < 1e-15, "{got} {want}");
    }
    assert_eq!(arm.force_limits(), [f64::INFINITY, 2000.0, 50.0]);
}

#[test]
fn motors_start_with_their_links() {
    let arm = parse_arm(&Source::new("both.toml", BOTH)).unwrap_or_else(|r| panic!("{r}")).arm;
    let state = |text: &str| {
        parse_state(&Source::new("state.json", text), &arm).unwrap_or_else(|r| panic!("{r}")).0
    };
    let both = state(r#"{"q": {"upper": 0.3}, "u": {"upper": 2}, "tau": {"upper": 5}}"#);
    assert_eq!((both.q[2], both.u[2], both.tau[2]), (0.3, 2.0, 0.0));
    let own = state(r#"{"q": {"upper": 0.3, "upper.motor": 0.31}}"#);
    assert_eq!((own.q[0], own.q[2]), (0.3, 0.31));
    assert_eq!(state(r#"{"q": {"boom": 0.3}}"#).q, [0.0, 0.3, 0.0]);
}

#[test]
fn the_ready_scenario_reaches_on_its_springs() {
    let path = repository().join("scenarios/elastic-reach.toml");
    let setup = load(path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    // at rest the links hang on their springs, below the motors
    let at = |name: &str| {
        setup.simulation.arm.configuration_names().iter().position(|n| n == name).unwrap()
    };
    assert!(
        setup.simulation.diagram.q[at("upper")]
            < setup.simulation.diagram.q[at("upper.motor")] - 1e-3
    );
    let (tracking, warnings, reader) = completed(&setup, "elastic-reach");
    assert!(warnings.is_empty(), "{warnings:?}");
    let [upper, fore] = &tracking.motors[..] else { panic!("{:?}", tracking.motors) };
    assert_eq!(upper.name, "lift.upper.motor.force");
    assert!(upper.peak == 35.0 && upper.saturated > 0.001 && upper.saturated < 0.05, "{upper:?}");
    assert!(fore.saturated == 0.0 && fore.peak < 30.0, "{fore:?}");
    let last = |name: &str| *reader.column(name).expect(name).last().expect("rows");
    let sag = last("upper.motor") - last("upper");
    assert!(sag > 0.005 && sag < 0.05, "{sag} rad");
}

/// A joint with a limited motor; `INPUT` drives it.
const LIMITED: &str = r#"
duration = "2 s"
INPUT
[arm]
gravity = [0, 0, 0]
[[arm.link]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
joint = { kind = "revolute", actuator = { torque = "3 N m", speed = "4 rad/s" } }
"#;

#[test]
fn plain_motors_are_limited_and_reported() {
    let input = r#"input = { motor = "wheel", kind = "constant", value = "5 N m" }"#;
    let setup = setup(&LIMITED.replace("INPUT", input));
    let (tracking, warnings, reader) = completed(&setup, "limited");
    let rates = reader.column("wheel.rate").expect("recorded");
    // 3 rad/s² up to 4 rad/s, then nothing more at a tenth beyond
    assert!((rates[100] - 3.0).abs() < 1e-9, "{}", rates[100]);
    let last = rates.last().expect("rows");
    assert!(*last > 4.0 && *last <= 4.4, "{last}");
    let [motor] = &tracking.motors[..] else { panic!("{:?}", tracking.motors) };
    assert_eq!((motor.name.as_str(), motor.peak), ("wheel.force", 3.0));
    // at its torque for 4/3 s of 2 s, too fast for the rest
    assert!((motor.saturated - 2.0 / 3.0).abs() < 0.01, "{motor:?}");
    assert!((motor.too_fast - 1.0 / 3.0).abs() < 0.01, "{motor:?}");
    assert!(warnings.iter().any(|w| w.contains("wheel.force is at its limit of 3 N m")));
    assert!(warnings.iter().any(|w| w.contains("faster than the 4 rad/s")), "{warnings:?}");
}

#[test]
fn controllers_know_the_limits_of_actuators() {
    let controller = |limit: &str| {
        format!(
            r#"
[[controller]]
kind = "pd"
name = "servo"
period = "1 ms"
full_state = true
joint = [{{ motor = "wheel", stiffness = 100, damping = 20, {limit} target = {{ kind = "constant", value = "1 rad" }} }}]
"#
        )
    };
    for (limit, most) in [("", 3.0), ("limit = \"2 N m\",", 2.0), ("limit = \"9 N m\",", 3.0)] {
        let setup = setup(&LIMITED.replace("INPUT", &controller(limit)));
        assert_eq!(setup.simulation.controllers[0].limits, [most], "{limit}");
        let (tracking, _, _) = completed(&setup, "servo-limited");
        assert_eq!(tracking.motors[0].peak, most, "{limit}");
    }
}

#[test]
fn either_side_of_a_spring_can_be_measured() {
    let servo = |coordinate: &str| {
        let text = format!(
            r#"
duration = "1 s"
arm = "elastic-two-link.toml"
gravity = [0, 0, 0]
[[sensor]]
kind = "encoder"
name = "shaft"
coordinate = "{coordinate}"
period = "1 ms"
[[controller]]
kind = "pd"
name = "servo"
period = "1 ms"
joint = {{ motor = "upper", sensor = "shaft", stiffness = 100, damping = 20, target = {{ kind = "constant", value = "0.2 rad" }} }}
"#
        );
        let setup = setup(&text);
        let output = setup.simulation.controllers[0].outputs[0].motor.expect("a motor");
        assert_eq!(setup.simulation.arm.velocity_names()[output], "upper.motor");
        setup.simulation.diagram.references[0].name.clone()
    };
    assert_eq!(servo("upper.motor"), "servo.upper.motor.target");
    assert_eq!(servo("upper"), "servo.upper.target");
}

#[test]
fn elastic_joints_are_rigid_to_laws_with_a_model() {
    let text = r#"
duration = "1 s"
arm = "elastic-two-link.toml"
plan = { kind = "joints", points = [[0, 0], ["20 deg", "20 deg"]], durations = ["0.5 s"] }
controller = { kind = "computed-torque", name = "law", full_state = true, stiffness = 100, damping = 20 }
"#;
    let setup = setup(text);
    let plan = setup.simulation.plan.as_ref().expect("a plan");
    assert_eq!(plan.velocities, [0, 1], "the links are planned");
    let motors: Vec<_> =
        setup.simulation.controllers[0].outputs.iter().map(|output| output.motor).collect();
    assert_eq!(motors, [Some(2), Some(3)], "the motors are driven");
    // actuators limit laws that say nothing of limits
    assert_eq!(setup.simulation.controllers[0].limits, [60.0, 30.0]);
}
