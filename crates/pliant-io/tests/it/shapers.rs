//! Shapers of plans, from scenario files to what is left of the vibration.

use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{Overrides, Setup, parse, run};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn setup(text: &str, folder: &Path) -> Setup {
    parse(&Source::new("test.toml", text), folder, &Overrides::default())
        .unwrap_or_else(|report| panic!("{report}"))
}

/// How far a frame swings in the two seconds after a time (m): the largest range of its components.
pub(crate) fn swing(reader: &Reader, frame: &str, end: f64) -> f64 {
    let times = reader.time().expect("times");
    let range = |axis: &str| {
        let column = reader.column(&format!("{frame}.position.{axis}")).expect("recorded");
        let watched = times.iter().zip(column).filter(|(t, _)| (end..=end + 2.0).contains(t));
        let (low, high) =
            watched.fold((f64::MAX, f64::MIN), |(low, high), (_, x)| (low.min(x), high.max(x)));
        high - low
    };
    ["x", "y", "z"].map(range).into_iter().fold(0.0, f64::max)
}

/// How far the tip swings in the two seconds after the plan's end (m), and when that is (s).
fn residual(setup: &Setup, name: &str) -> (f64, f64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shapers").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let finished = run(setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let finished = finished.unwrap_or_else(|failure| panic!("{failure}"));
    let tracking = finished.written.outcome.tracking.expect("a report");
    let end = setup.simulation.plan.as_ref().expect("a plan").end;
    let tip = tracking.tip.expect("a tip");
    let left = swing(&Reader::open(folder).expect("results"), &tip.frame, end);
    assert!(end + 2.0 <= setup.simulation.diagram.duration, "{end}");
    (left, end)
}

/// A scenario with its shaper and without: what is left of the vibration, and by how much the plan
/// is longer (s).
fn shaped_and_not(text: &str, folder: &Path, name: &str) -> (f64, f64, f64) {
    let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with("shaper")).collect();
    assert_eq!(plain.len() + 1, text.lines().count());
    let (before, end) = residual(&setup(&plain.join("\n"), folder), &format!("{name}-plain"));
    let (after, late) = residual(&setup(text, folder), name);
    (before, after, late - end)
}

#[test]
fn the_ready_scenario_leaves_a_tenth() {
    let folder = repository().join("scenarios");
    let text = std::fs::read_to_string(folder.join("shaped-turn.toml")).expect("readable");
    let (plain, shaped, longer) = shaped_and_not(&text, &folder, "shaped-turn");
    let words =
        setup(&text, &folder).simulation.plan.and_then(|plan| plan.shaper).expect("a shaper");
    let rounded = (1e4 * longer).round() / 1e4;
    assert!(words.starts_with("ZVD for ") && words.matches(" Hz (damping ratio ").count() == 2);
    assert!(words.ends_with(&format!("; the command is longer by {rounded} s")), "{words}");
    assert!(plain > 1e-3, "nothing to shape: {plain} m");
    assert!(longer > 0.1 && shaped < 0.01 * plain, "{shaped} m of {plain} m, {longer} s longer");
}

/// The elastic arm without friction on servos, measured on one side of its springs.
fn on_springs(side: &str, gains: [&str; 2]) -> (f64, f64, f64) {
    let file = repository().join("robots/elastic-two-link.toml");
    let text = std::fs::read_to_string(file).expect("readable");
    let smooth: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("coulomb") && !line.starts_with("viscous"))
        .collect();
    assert_eq!(smooth.len() + 6, text.lines().count());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("smooth.toml"), smooth.join("\n")).expect("written");
    let [stiffness, damping] = gains;
    let text = format!(
        r#"
duration = "6 s"
arm = "smooth.toml"
method = "dop853"
tolerance = 1e-8

[[sensor]]
kind = "encoder"
name = "first"
coordinate = "upper{side}"
period = "1 ms"
[[sensor]]
kind = "encoder"
name = "second"
coordinate = "fore{side}"
period = "1 ms"

[plan]
kind = "joints"
points = [["-90 deg", 0], ["-30 deg", 0]]
durations = ["1 s"]
shaper = {{ kind = "zvd", modes = 1, stiffness = {stiffness}, damping = {damping} }}

[[controller]]
kind = "gravity-pd"
name = "servo"
period = "1 ms"
sensors = ["first", "second"]
stiffness = {stiffness}
damping = {damping}
"#
    );
    shaped_and_not(&text, folder, &format!("on-springs{side}"))
}

#[test]
fn motors_on_servos_are_in_series_with_the_springs_of_joints() {
    let gains = ["{ upper = 600, fore = 250 }", "{ upper = 5, fore = 2 }"];
    let (plain, shaped, longer) = on_springs(".motor", gains);
    assert!(plain > 0.01, "nothing to shape: {plain} m");
    assert!(shaped < 0.1 * plain, "{shaped} m of {plain} m, {longer} s longer");
}

#[test]
fn encoders_on_links_close_the_loop_over_the_springs() {
    let gains = ["{ upper = 300, fore = 100 }", "{ upper = 4, fore = 1 }"];
    let (plain, shaped, longer) = on_springs("", gains);
    assert!(plain > 0.01, "nothing to shape: {plain} m");
    // with the servos on the motors it would be 3 %
    assert!(shaped < 0.01 * plain, "{shaped} m of {plain} m, {longer} s longer");
}

/// A body of 1 kg m² on a servo of 100 N m/rad, at 1.59 Hz: half a second between ticks is too long,
/// unless the shaper says what samples the plan.
#[test]
fn the_clock_of_the_follower_counts_unless_another_is_given() {
    let read = |shaper: &str, controller: &str| {
        let text = format!(
            r#"
duration = "1 s"
[arm]
gravity = [0, 0, 0]
[[arm.link]]
name = "hub"
joint = {{ kind = "revolute", axis = "z" }}
mass = "2 kg"
inertia = [1, 1, 1]
com = [0, 0, 0]
frames = {{ name = "hand", position = [1, 0, 0] }}
[plan]
kind = "joints"
points = [[0], [0.1]]
durations = ["0.5 s"]
shaper = {{ kind = "zvd", stiffness = {{ hub = 100 }}, damping = {{ hub = 1 }}{shaper} }}
[[controller]]
kind = "gravity-pd"
name = "servo"
full_state = true
stiffness = {{ hub = 100 }}
damping = {{ hub = 1 }}
{controller}
"#
        );
        parse(&Source::new("test.toml", text), Path::new(""), &Overrides::default())
    };
    let slow = "period = \"500 ms\"";
    let Err(report) = read("", slow) else { panic!("too slow, and accepted") };
    let report = report.to_string();
    assert!(report.contains("mode 1 vibrates at 1.59"), "{report}");
    for (shaper, controller) in [("", ""), ("", "period = \"1 ms\""), (", period = \"1 ms\"", slow)]
    {
        let setup = read(shaper, controller).unwrap_or_else(|report| panic!("{report}"));
        assert!(setup.simulation.plan.is_some_and(|plan| plan.end > 1.0), "a period longer");
    }
    assert!(read(", period = \"500 ms\"", "period = \"1 ms\"").is_err());
}
