//! The report of how well a plan was followed.

use pliant::scenario::Tracking;
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{Overrides, Setup, load, parse, run};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn setup(text: &str) -> Setup {
    parse(&Source::new("test.toml", text), &repository().join("robots"), &Overrides::default())
        .unwrap_or_else(|report| panic!("{report}"))
}

/// Runs it, and gives the report, the warnings and the rows.
pub(crate) fn completed(setup: &Setup, name: &str) -> (Tracking, Vec<String>, Reader) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tracking").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let finished = run(setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let finished = finished.unwrap_or_else(|failure| panic!("{failure}"));
    let outcome = finished.written.outcome;
    assert!(
        (outcome.run.ending.time - setup.simulation.diagram.duration).abs() < 1e-9,
        "{:?}",
        outcome.run.ending
    );
    let reader = Reader::open(folder).expect("results");
    let read = &reader.summary().expect("a summary").outcome;
    let [read, written] = [read.figures(), outcome.figures()];
    assert_eq!(read.len(), written.len());
    for (read, written) in read.iter().zip(&written) {
        assert_eq!((&read.name, &read.subject), (&written.name, &written.subject));
        // the last digit of a number may be another in JSON
        let off = read.value.zip(written.value).map_or(0.0, |(read, written)| read / written - 1.0);
        assert!(
            read.value.is_some() == written.value.is_some() && off.abs() < 1e-14 || off.is_nan()
        );
    }
    (outcome.tracking.expect("a report"), outcome.warnings, reader)
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
    let mut q = setup.simulation.arm.neutral();
    for name in ["waist", "upper", "fore"] {
        let names = setup.simulation.arm.configuration_names();
        q[names.iter().position(|known| known == name).expect("a joint")] = 10_f64.to_radians();
    }
    let wanted = setup.simulation.arm.pose(&q, &tip.frame).expect("a pose").position.to_array();
    let times = reader.time().expect("times");
    let mut most = 0.0_f64;
    let columns =
        ["x", "y", "z"].map(|axis| reader.column(&format!("{}.position.{axis}", tip.frame)));
    let columns = columns.map(|column| column.expect("recorded"));
    for row in 0..times.len() {
        let off = (0..3).map(|k| (columns[k][row] - wanted[k]).powi(2)).sum::<f64>().sqrt();
        most = most.max(off);
    }
    assert!((tip.most / most - 1.0).abs() < 1e-12, "{} {most}", tip.most);
    // its longest period is more than a quarter of the second that is left, and less than that
    let residual = tip.residual_amplitude.expect("a rest");
    let [least, most] = [1.75, 1.0].map(|from| amplitude(&times, &columns, from));
    assert!(least > 1e-3 && (least..=most).contains(&residual), "{least} {residual} {most}");
    assert_eq!(tip.settling_time, None, "it shakes by more than a millimetre");
}

/// How far a point is from the middle of its range at most, from a time on.
fn amplitude(times: &[f64], place: &[Vec<f64>], from: f64) -> f64 {
    let rows = || (0..times.len()).filter(|&row| times[row] >= from);
    let middle: Vec<f64> = place
        .iter()
        .map(|x| {
            let least = rows().map(|row| x[row]).fold(f64::INFINITY, f64::min);
            let most = rows().map(|row| x[row]).fold(f64::NEG_INFINITY, f64::max);
            0.5 * (least + most)
        })
        .collect();
    let off = |row: usize| {
        place.iter().zip(&middle).map(|(x, middle)| (x[row] - middle).powi(2)).sum::<f64>().sqrt()
    };
    rows().map(off).fold(0.0, f64::max)
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

/// What is recorded changes nothing of the report, and the report nothing of what is recorded.
#[test]
fn the_report_does_not_depend_on_what_is_recorded() {
    let weak = format!("{WEAK}limits = {{ upper = \"5 N m\" }}\n");
    let (all, _, _) = completed(&setup(&weak), "records-all");
    let few = weak.replace("[plan]", "record = { channels = [\"energies\"] }\n[plan]");
    let (tracking, warnings, reader) = completed(&setup(&few), "records-energies");
    assert_eq!(tracking, all);
    assert!(warnings.iter().any(|warning| warning.contains("at its limit")), "{warnings:?}");
    let names: Vec<&str> = reader.channels().iter().map(|one| one.name.as_str()).collect();
    assert!(names.iter().all(|name| !name.contains("upper")), "{names:?}");
}

/// A bar that sags and shakes, and is pushed long after the plan has ended.
const PUSHED: &str = r#"
duration = "3.5 s"
start = "static equilibrium"
tolerance = 1e-9
record = { every = "2 ms", channels = ["coordinates", "velocities", "outputs", "bar.tip.position.*"] }
[plan]
kind = "joints"
points = [["10 deg"], ["40 deg"]]
durations = ["0.3 s"]
[[input]]
kind = "step"
frame = "bar.tip"
force = [0, "-2 N", 0]
at = "2.8 s"
after = 1
[[controller]]
kind = "gravity-pd"
name = "law"
full_state = true
period = "2 ms"
stiffness = { bar = 40 }
damping = { bar = 4 }
[arm]
gravity = [0, -9.81, 0]
[[arm.link]]
name = "bar"
joint = { kind = "revolute", axis = "z", armature = 0.05 }
length = "1 m"
section = { kind = "rectangle", height = "8 mm", width = "20 mm" }
material = "aluminium"
bends = { y = 1, shapes = "clamped-free", damping = 0.01 }
payload = { mass = 0.2 }
"#;

/// Every figure of the report from the rows that were recorded.
#[test]
fn the_report_is_what_the_rows_say() {
    let setup = setup(PUSHED);
    let (tracking, _, reader) = completed(&setup, "figures");
    let column = |name: &str| reader.column(name).expect("recorded");
    let (times, q, u) = (reader.time().expect("times"), column("bar"), column("bar.rate"));
    let force = column("law.bar.force");
    let plan = setup.simulation.plan.as_ref().expect("a plan");
    let rows = times.len();
    let jets: Vec<_> = times.iter().map(|t| plan.signals[0].jet(*t)).collect();
    let integral = |of: &dyn Fn(usize) -> f64| -> f64 {
        (1..rows).map(|i| 0.5 * (times[i] - times[i - 1]) * (of(i - 1) + of(i))).sum()
    };
    let most = |of: &dyn Fn(usize) -> f64| (0..rows).fold(0.0, |m: f64, i| m.max(of(i).abs()));
    let error = |i: usize| jets[i].value - q[i];
    let rate_error = |i: usize| jets[i].rate - u[i];
    let near = |what: &str, got: f64, want: f64| {
        assert!((got - want).abs() < 1e-9 * want.abs(), "{what}: {got}, should be {want}");
    };
    let joint = &tracking.joints[0];
    near("most", joint.most, most(&error));
    near("last", joint.last, error(rows - 1));
    near("rms", joint.rms, (integral(&|i| error(i).powi(2)) / 3.5).sqrt());
    near("most rate", joint.most_rate, most(&rate_error));
    let squares = integral(&|i| 100.0 * error(i).powi(2) + rate_error(i).powi(2));
    near("error", tracking.error_integral.expect("a plan"), squares);
    let motor = &tracking.motors[0];
    let power = |i: usize| force[i] * u[i];
    near("peak", motor.peak, most(&|i| force[i]));
    near("work", motor.work, integral(&power));
    near("absolute work", motor.absolute_work, integral(&|i| power(i).abs()));
    near("effort", tracking.effort_integral, integral(&|i| force[i].powi(2)));
    let ideal = |i: usize| {
        let bent = column("bar.y1")[i];
        let rates = [u[i], column("bar.y1.rate")[i]];
        force[i] - setup.simulation.arm.bias(&[q[i], bent], &rates).expect("a bias")[0]
    };
    let chosen: Vec<f64> = (0..rows).map(|i| ideal(i).powi(2)).collect();
    near("ideal effort", tracking.ideal_effort_integral, integral(&|i| chosen[i]));
    // a straight bar along the plan, and what still vibrates at the end
    let tip = tracking.tip.as_ref().expect("a tip");
    let place = ["x", "y"].map(|axis| column(&format!("bar.tip.position.{axis}")));
    let away = |i: usize| {
        let (sin, cos) = jets[i].value.sin_cos();
        (place[0][i] - cos).hypot(place[1][i] - sin)
    };
    near("tip", tip.most, most(&away));
    near("tip rms", tip.rms, (integral(&|i| away(i).powi(2)) / 3.5).sqrt());
    // a quarter of the time after the plan is longer than a period
    let residual = amplitude(&times, &place, 3.5 - 0.25 * (3.5 - plan.end));
    near("residual", tip.residual_amplitude.expect("a rest"), residual);
    let figures = reader.summary().expect("a summary").outcome.figures();
    let figure = |subject: &str, name: &str| {
        let own = figures.iter().find(|one| one.subject == subject && one.name == name);
        own.unwrap_or_else(|| panic!("no {name} of {subject}")).value
    };
    let known = |subject: &str, name: &str| figure(subject, name).expect("known");
    near("residual", known("bar.tip", "residual_amplitude"), residual);
    near("energy of all", known("motors", "energy_used"), motor.energy);
    // its payload and itself: at the least what they weigh when the bar is level
    assert!(figure("bar", "peak_moment").is_some_and(|moment| moment > 0.9 * 0.2 * 9.81));
    assert!(figure("bar", "least_margin").is_some_and(|margin| margin > 1.0));
    near("peak power", motor.peak_power, most(&power));
    near("energy used", motor.energy, integral(&|i| power(i).max(0.0)));
}

/// It has settled when the error stays below a fiftieth of the way, here of 30 degrees.
#[test]
fn joints_settle_when_their_error_stays_small() {
    let short = PUSHED.replace("3.5 s", "2.5 s");
    let (tracking, _, reader) = completed(&setup(&short), "settles");
    let (times, q) = (reader.time().expect("times"), reader.column("bar").expect("recorded"));
    let (end, off) = (40.0_f64.to_radians(), 0.02 * 30.0_f64.to_radians());
    let loose = (0..times.len()).rev().find(|&i| times[i] > 0.3 && (q[i] - end).abs() > off);
    let want = times[loose.expect("it shakes")] - 0.3;
    let got = tracking.joints[0].settled_after.expect("it settles");
    assert!(want > 0.01 && (got - want).abs() < 1e-9, "{got} {want}");
}
