//! Runs that make no sense say so, and what is said of the others holds.

use pliant::Help;
use pliant::simulate::{Breakdown, Excess, Reason, Status};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{Finished, Overrides, Setup, parse, run};
use std::ops::ControlFlow;
use std::path::Path;

fn setup(text: &str) -> Setup {
    let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    parse(&Source::new("test.toml", text), &robots, &Overrides::default())
        .unwrap_or_else(|report| panic!("{report}"))
}

fn finished(text: &str, name: &str) -> (Finished, Reader) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sense").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let finished = run(&setup(text), &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let finished = finished.unwrap_or_else(|failure| panic!("{failure}"));
    (finished, Reader::open(folder).expect("results"))
}

fn broken(finished: &Finished) -> &Breakdown {
    let Some(breakdown) = &finished.summary().ending.breakdown else {
        panic!("{:?}", finished.summary().ending);
    };
    assert_eq!(finished.written.outcome.run.ending.status, Status::Failed);
    breakdown
}

/// Computed torque by encoders knows nothing of the bending, and feeds it.
#[test]
fn a_law_that_feeds_the_bending_ends_the_run() {
    let encoder = |name: &str| {
        format!(
            "[[sensor]]\nkind = \"encoder\"\nname = \"{name} encoder\"\ncoordinate = \"{name}\"\nperiod = \"1 ms\"\n"
        )
    };
    let text = format!(
        r#"
arm = "king-two-link.toml"
duration = "3 s"
start = "static equilibrium"
record = {{ every = "0.5 ms" }}
[plan]
kind = "joints"
points = [[0, 0], ["20 deg", "30 deg"]]
durations = ["1 s"]
{}{}
[[controller]]
kind = "computed-torque"
name = "law"
period = "1 ms"
sensors = ["upper encoder", "fore encoder"]
stiffness = 25
damping = 10
"#,
        encoder("upper"),
        encoder("fore")
    );
    let (finished, reader) = finished(&text, "feeds-bending");
    let breakdown = broken(&finished);
    assert_eq!(breakdown.reason, Reason::Diverges);
    let Some(Excess::Bent { by, length, .. }) = &breakdown.excess else { panic!("{breakdown}") };
    assert!(*by > 3.0 * length && *by < 30.0 * length, "{by} of {length}");
    assert!(breakdown.time < 1.5, "{}", breakdown.time);
    let why = finished.written.outcome.run.ending.why.as_ref().expect("a reason");
    for said in ["diverges at t = ", "times its length", "gains", "period", "armature"] {
        assert!(why.contains(said), "{said}: {why}");
    }
    assert!(reader.complete() && reader.rows() > 3);
    // the range of validity was left before
    let warnings = &finished.written.outcome.warnings;
    assert!(warnings.iter().any(|one| one.contains("its slope reaches")), "{warnings:?}");
}

/// A rotor of 1 kg m², its centre of mass off its axis.
const ROTOR: &str = r#"
[arm]
gravity = [0, 0, 0]
[[arm.link]]
name = "rotor"
joint = { kind = "revolute", axis = "z" }
mass = 1
com = [1, 0, 0]
"#;

/// It is led to 1 rad.
fn servo(duration: &str, period: &str, stiffness: f64, damping: f64) -> String {
    format!(
        r#"
duration = "{duration}"
record = {{ every = "10 ms" }}
[[controller]]
kind = "pd"
name = "servo"
period = "{period}"
full_state = true
joint = {{ motor = "rotor", stiffness = {stiffness}, damping = {damping}, target = {{ kind = "constant", value = "1 rad" }} }}
{ROTOR}"#
    )
}

/// A damper whose rate times the period is 10 turns the rate round to nine times as much.
#[test]
fn gains_that_the_period_does_not_bear_are_blamed() {
    let (finished, reader) = finished(&servo("2 s", "10 ms", 100.0, 1000.0), "too-stiff");
    let breakdown = broken(&finished);
    assert_eq!(breakdown.reason, Reason::Diverges, "{breakdown}");
    let Some(Excess::Fast { speed, .. }) = &breakdown.excess else { panic!("{breakdown}") };
    assert!(*speed > 1e3, "{breakdown}");
    assert!(breakdown.with_help().contains("lower the gains"), "{breakdown}");
    assert!(reader.rows() > 2);
}

/// `ẍ + 20 ẋ + 100 x = 0`: the error is `(1 + 10 t) exp(-10 t)`, which is 0.02 at t = 0.5834 s.
#[test]
fn targets_of_pd_controllers_are_followed_and_settle_only_for_a_while() {
    let joint = |duration: &str| {
        let (finished, _) = finished(&servo(duration, "0.2 ms", 100.0, 20.0), duration);
        let tracking = finished.written.outcome.tracking.expect("a report");
        assert_eq!(tracking.joints.len(), 1);
        (tracking.joints[0].clone(), tracking.error_integral.expect("targets"))
    };
    let (long, integral) = joint("2 s");
    assert_eq!((long.name.as_str(), long.unit.as_str()), ("rotor", "rad"));
    assert!((long.most - 1.0).abs() < 1e-12, "{long:?}");
    // |ẋ| = 100 t exp(-10 t) is largest at 0.1 s, a row
    assert!((long.most_rate / (10.0 / 1_f64.exp()) - 1.0).abs() < 0.01, "{long:?}");
    assert_eq!(long.settled_after, Some(0.58), "{long:?}");
    // ∫ 100 (1 + 10 t)² exp(-20 t) dt = 12.5 and ∫ 10⁴ t² exp(-20 t) dt = 2.5
    assert!((integral / 15.0 - 1.0).abs() < 0.01, "{integral}");
    // inside for two rows and 3 % of the run
    assert_eq!(joint("0.6 s").0.settled_after, None);
}

/// A bar that is too soft for its shapes hangs down and swings: doubtful, but no failure.
#[test]
fn a_bar_that_hangs_far_down_is_doubtful_only() {
    let text = r#"
duration = "2 s"
record = { every = "10 ms" }
[arm]
gravity = [0, 0, -9.81]
[[arm.link]]
name = "bar"
length = "1 m"
section = { kind = "round", diameter = "2 mm" }
material = "aluminium"
bends = { z = 1 }
joint = "fixed"
"#;
    let (finished, reader) = finished(text, "hangs-down");
    assert!(
        finished.summary().ending.status == Status::Completed,
        "{:?}",
        finished.summary().ending
    );
    let warnings = &finished.written.outcome.warnings;
    let said: Vec<_> = warnings.iter().filter(|one| one.contains("its slope reaches")).collect();
    assert_eq!(said.len(), 1, "{warnings:?}");
    // the first shape of a cantilever has the slope 1.3765 where it ends, for 1 there
    let places = reader.column("bar.tip.position.z").expect("recorded");
    let times = reader.time().expect("times");
    let slopes: Vec<f64> = places.iter().map(|z| 1.3765 * z.abs()).collect();
    let most = slopes.iter().copied().fold(0.0, f64::max);
    let first = slopes.iter().position(|&slope| slope > 0.3).expect("far down");
    assert!(most > 0.4 && most < 0.8, "{most}");
    let told = said[0].split("reaches ").nth(1).and_then(|rest| rest.split(',').next());
    let told: f64 = told.and_then(|number| number.parse().ok()).expect("a number");
    assert!((told / most - 1.0).abs() < 2e-3, "{told} {most}");
    for wanted in [
        "link \"bar\"".to_owned(),
        format!("from t = {} s on", times[first]),
        "right up to 0.3".to_owned(),
    ] {
        assert!(said[0].contains(&wanted), "{wanted}: {}", said[0]);
    }
}

const PENDULUM: &str = r#"
duration = "1 s"
METHOD
initial = { bob = 0.1 }
[arm]
[[arm.link]]
name = "bob"
joint = { kind = "revolute", axis = "z", spring = STIFFNESS }
mass = 1
com = [COM, 0, 0]
"#;

fn pendulum(method: &str, stiffness: &str, com: &str) -> String {
    let text = PENDULUM.replace("METHOD", method).replace("STIFFNESS", stiffness);
    text.replace("COM", com)
}

/// A spring that is stretched far too hard moves the arm as fast as its energy says.
#[test]
fn a_stiff_spring_does_not_diverge() {
    let (finished, _) = finished(&pendulum("", "1e18", "1"), "stiff-spring");
    let breakdown = broken(&finished);
    assert_eq!(breakdown.reason, Reason::StoredEnergy, "{breakdown}");
    // ½ k q²
    assert!((breakdown.energy / 5e15 - 1.0).abs() < 1e-3, "{breakdown}");
    let why = finished.written.outcome.run.ending.why.as_ref().expect("a reason");
    assert!(why.contains("soften the spring") && !why.contains("diverges"), "{why}");
}

/// Steps of a fixed length that a stiff spring makes grow.
#[test]
fn steps_too_long_for_a_spring_are_called_that() {
    let text = pendulum("method = \"rk4\"\nstep = \"1 ms\"", "1e12", "1");
    let (finished, _) = finished(&text, "stiff-steps");
    let breakdown = broken(&finished);
    assert_eq!(breakdown.reason, Reason::Stiff, "{breakdown}");
    let Some(Excess::Vibrates { coordinate, frequency }) = &breakdown.excess else {
        panic!("{breakdown}")
    };
    // √(k/m) at a lever of 1 m
    assert!(coordinate == "bob" && (frequency / 1e6 - 1.0).abs() < 1e-9, "{breakdown}");
    let why = finished.written.outcome.run.ending.why.as_ref().expect("a reason");
    assert!(why.contains("method = \"radau5\"") && !why.contains("diverges"), "{why}");
}

/// A mass on the axis of its joint has no inertia about it.
#[test]
fn a_link_without_inertia_is_named() {
    let (finished, _) = finished(&pendulum("", "1", "0"), "no-inertia");
    let breakdown = broken(&finished);
    assert_eq!((breakdown.reason, breakdown.time), (Reason::NoInertia, 0.0), "{breakdown}");
    assert_eq!(breakdown.coordinate.as_deref(), Some("bob"));
    let why = finished.written.outcome.run.ending.why.as_ref().expect("a reason");
    for said in ["mass matrix is singular", "\"bob\"", "com", "inertia", "armature"] {
        assert!(why.contains(said), "{said}: {why}");
    }
}

/// A law that gives up at once leaves no row, and nothing is said of none.
#[test]
fn a_run_without_rows_claims_nothing() {
    let text = r#"
arm = "theodore-rrp.toml"
duration = "3 s"
start = "static equilibrium"
[plan]
kind = "joints"
points = [[0, 0, 0.6], [0.3, 0.3, 0.8]]
durations = ["1 s"]
[[controller]]
kind = "composite"
name = "law"
full_state = true
period = "1 ms"
stiffness = 25
damping = 10
"#;
    let (finished, reader) = finished(text, "gives-up");
    assert!(finished.summary().ending.block.is_some(), "{:?}", finished.summary());
    assert_eq!(reader.rows(), 0);
    assert!(finished.sliding.is_empty(), "{:?}", finished.sliding);
    assert_eq!(finished.written.outcome.tracking, None);
}
