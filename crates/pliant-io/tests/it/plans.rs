//! Plans of files are those of calls, key by key.

use pliant::arm::Arm;
use pliant::plan::{IkGoal, Path, TimeScaling};
use pliant::scalar::short;
use pliant::scenario::Plan;
use pliant::simulate::Rows;
use pliant::spatial::{Mat3, euler_xyz, rotation_vector};
use pliant_io::Source;
use pliant_io::scenario::{Overrides, Setup, parse, write_scenario};
use std::f64::consts::PI;
use std::path::PathBuf;

fn robots() -> PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots")
}

fn setup(text: &str) -> Setup {
    parse(&Source::new("test.toml", text), &robots(), &Overrides::default())
        .unwrap_or_else(|report| panic!("{report}"))
}

/// The configuration that a plan wants at a time (s).
fn wanted(setup: &Setup, t: f64) -> Vec<f64> {
    let arm = &setup.simulation.arm;
    let mut q = arm.neutral();
    let plan: &Plan = setup.simulation.plan.as_ref().expect("a plan");
    for (&v, signal) in plan.velocities.iter().zip(&plan.signals) {
        q[arm.coordinate_of(v).expect("one coordinate")] = signal.value(t);
    }
    q
}

#[test]
fn every_profile_has_its_word() {
    let points = [vec![0.0, 0.1, 0.2], vec![0.5, -0.3, 0.4], vec![0.2, 0.2, 0.9]];
    let times = [0.8, 0.6];
    let corners = |profile| Path::corners(&points, &times, profile, 0.25).expect("a path");
    for (words, path) in [
        ("", corners(TimeScaling::MinimumJerk)),
        ("profile = \"minimum-jerk\"", corners(TimeScaling::MinimumJerk)),
        ("profile = \"parabolic\"", corners(TimeScaling::ParabolicSpeed)),
        ("profile = \"trapezoid\"\naccelerate = \"0.2 s\"", corners(TimeScaling::Trapezoid(0.2))),
        ("profile = \"pulses\"\naccelerate = \"0.2 s\"", corners(TimeScaling::Pulses(0.2))),
        ("blend = \"0.1 s\"", Path::blended(&points, &times, 0.1, 0.25).expect("a path")),
        ("through = true", Path::minimum_jerk(&points, &times, 0.25).expect("a path")),
    ] {
        let setup = setup(&format!(
            "arm = \"akmehmet-3.toml\"\nduration = \"2 s\"\n[plan]\nkind = \"joints\"\npoints = {points:?}\ndurations = {times:?}\nstart = \"0.25 s\"\n{words}\n"
        ));
        for k in 0..=40 {
            let t = 0.05 * f64::from(k);
            let want: Vec<f64> = path.at(t).iter().map(|jet| jet.value).collect();
            let got = wanted(&setup, t);
            let off = got.iter().zip(want).fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
            assert!(off < 1e-14, "{words} at {t} s: {off:e}");
        }
    }
}

/// Six joints with one attitude, and three of them with the others held where they stood.
#[test]
fn attitudes_are_kept_and_joints_are_held() {
    let line = "arm = \"akmehmet-6.toml\"\nduration = \"1 s\"\ninitial = { waist = 0.1, upper = -0.9, fore = 1.3, POSE }\n[plan]\nkind = \"line\"\npoints = POINTS\ndurations = [\"1 s\"]\n";
    let names = setup("arm = \"akmehmet-6.toml\"\nduration = \"1 s\"\n").simulation.arm;
    let [four, five, six] = [3, 4, 5].map(|k| names.velocity_names()[k].clone());
    let pose = format!("\"{four}\" = 0.4, \"{five}\" = 0.8, \"{six}\" = -0.3");
    let line = line.replace("POSE", &pose);
    let begin = setup(line.split("[plan]").next().expect("a start"));
    let frame =
        begin.simulation.arm.frames()[begin.simulation.tip.expect("a tip")].name().to_owned();
    let start = begin.simulation.arm.pose(&begin.simulation.diagram.q, &frame).expect("a pose");
    let from = start.position.to_array();
    let points = format!("{:?}", [from, [from[0] - 0.05, from[1] + 0.1, from[2] + 0.04]]);
    let line = line.replace("POINTS", &points);
    let kept = setup(&format!("{line}keep_attitude = true\n"));
    let turned = |setup: &Setup| {
        let there = setup.simulation.arm.pose(&wanted(setup, 0.6), &frame).expect("a pose");
        let goal = pliant::spatial::Pose::new(start.rotation, there.position);
        IkGoal::Pose(goal).left(&there).angle
    };
    assert!(turned(&kept) < 1e-8, "{}", turned(&kept));
    let held = setup(&format!("{line}hold = [\"{four}\", \"{five}\", \"{six}\"]\n"));
    assert!(turned(&held) > 1e-2, "{}", turned(&held));
    let q = wanted(&held, 0.6);
    for (k, angle) in [(3, 0.4), (4, 0.8), (5, -0.3)] {
        assert_eq!(q[k], angle, "joint {k} is held");
    }
}

/// A frame is turned as its attitudes say at the points, in whichever way they are given, and about
/// one axis between them; one attitude is kept.
#[test]
fn frames_turn_as_they_are_told() {
    let text = |more: &str| {
        format!(
            "arm = \"ur5.toml\"\nduration = \"1 s\"\n[plan]\nkind = \"line\"\n\
             near = {{ shoulder_pan = 0.7, shoulder_lift = -1.5, elbow = -2, wrist_1 = -1.2, wrist_2 = 1.5 }}\n\
             points = [[0.4, 0.2, 0.3], [0.4, 0.3, 0.35]]\ndurations = [\"1 s\"]\n{more}\n"
        )
    };
    let pose = |setup: &Setup, t: f64| {
        let arm = &setup.simulation.arm;
        let name = arm.frames()[setup.simulation.tip.expect("a tip")].name();
        arm.pose(&wanted(setup, t), name).expect("a pose")
    };
    let down = euler_xyz(PI, 0.0, 0.0);
    let both = setup(&text(
        "attitudes = [{ rpy = [\"180 deg\", 0, 0] }, { axis = \"x\", angle = \"150 deg\" }]",
    ));
    let gap = |from: &Mat3<f64>, to: &Mat3<f64>| rotation_vector(&to.matmul(&from.transpose()));
    let off = |found: &Mat3<f64>, angle: f64| gap(&euler_xyz(angle, 0.0, 0.0), found).norm();
    // a minimum-jerk turn of 30 degrees, half of it after half the time
    for (t, degrees) in [(0.0, 180.0), (0.5, 165.0), (1.0, 150.0)] {
        let error = off(&pose(&both, t).rotation, f64::to_radians(degrees));
        assert!(error < 1e-8, "{t} s: {error} rad");
    }
    for one in [
        "rpy = [\"180 deg\", 0, 0]",
        "quaternion = [0, 1, 0, 0]",
        "rotation = [[1, 0, 0], [0, -1, 0], [0, 0, -1]]",
        "axis = [2, 0, 0], angle = \"180 deg\"",
    ] {
        let kept = setup(&text(&format!("through = true\nattitudes = {{ {one} }}")));
        let error = gap(&down, &pose(&kept, 0.3).rotation).norm();
        assert!(error < 1e-8, "{one}: {error} rad");
    }
    // written back, it says the same
    let again = write_scenario(&both.simulation.scenario).expect("a file can say it");
    let again = setup(&again);
    assert_eq!(pose(&again, 0.5), pose(&both, 0.5));
}

/// Where no start is given, the attitude that is kept is that of near, or else the neutral one, which
/// is told where it cannot be kept.
#[test]
fn kept_attitudes_are_told() {
    let text = |near: &str| {
        format!(
            "arm = \"ur5.toml\"\nduration = \"1 s\"\n[plan]\nkind = \"line\"\n{near}\
             points = [[0.4, 0.2, 0.3], [0.4, 0.3, 0.35]]\ndurations = [\"1 s\"]\n\
             keep_attitude = true\n"
        )
    };
    let source = Source::new("a.toml", text("").replace("0.35", "3.5"));
    let refused = parse(&source, &robots(), &Overrides::default()).err().expect("too high");
    let told = refused.to_string();
    assert!(told.contains("is that of the neutral configuration: roll, pitch, yaw"), "{told}");
    assert!(told.contains("[initial]") && told.contains("attitudes = { rpy"), "{told}");
    let near = "near = { shoulder_lift = -1.5, elbow = -2, wrist_1 = -1.2, wrist_2 = 1.5 }\n";
    let kept = setup(&text(near));
    let arm = &kept.simulation.arm;
    let name = arm.frames()[kept.simulation.tip.expect("a tip")].name();
    let mut q = arm.neutral();
    for (joint, place) in
        [("shoulder_lift", -1.5), ("elbow", -2.0), ("wrist_1", -1.2), ("wrist_2", 1.5)]
    {
        let at = arm.configuration_names().iter().position(|own| own == joint).expect("a joint");
        q[at] = place;
    }
    let [wished, found] =
        [q, wanted(&kept, 0.5)].map(|q| arm.pose(&q, name).expect("a pose").rotation);
    let error = rotation_vector(&found.matmul(&wished.transpose())).norm();
    assert!(error < 1e-8, "{error} rad");
}

/// Links that sag under gravity are on the line when they are at rest.
#[test]
fn sagging_links_are_on_the_line() {
    let text = "arm = \"king-three-link.toml\"\nduration = \"1 s\"\n[plan]\nkind = \"line\"\nnear = { fore = 0.8 }\npoints = [[1.5, 0.4, 0.6], [1.4, 0.6, 0.7]]\ndurations = [\"1 s\"]\n";
    let off = |setup: &Setup| {
        let arm: &Arm = &setup.simulation.arm;
        let rest = arm.static_equilibrium(&wanted(setup, 0.4)).expect("a rest");
        let name = arm.frames()[setup.simulation.tip.expect("a tip")].name();
        let there = arm.pose(&rest.q, name).expect("a pose");
        let way = TimeScaling::MinimumJerk.at(0.4, 1.0).value;
        let want = [1.5 - 0.1 * way, 0.4 + 0.2 * way, 0.6 + 0.1 * way];
        IkGoal::Place(want.into()).left(&there).position
    };
    let (straight, sagging) = (off(&setup(text)), off(&setup(&format!("{text}sag = true\n"))));
    assert!(straight > 1e-3 && sagging < 1e-8, "{straight} {sagging}");
}

/// The springs of elastic joints are relaxed where the plan begins.
#[test]
fn motors_of_elastic_joints_begin_with_their_links() {
    let text = "arm = \"elastic-two-link.toml\"\nduration = \"1 s\"\n[plan]\nkind = \"joints\"\npoints = [[0.3, -0.4], [0.5, 0.2]]\ndurations = [\"1 s\"]\n";
    let setup = setup(text);
    let arm = &setup.simulation.arm;
    let plan = setup.simulation.plan.as_ref().expect("a plan");
    for (&v, angle) in plan.velocities.iter().zip([0.3, -0.4]) {
        let place = |v: usize| setup.simulation.diagram.q[arm.coordinate_of(v).expect("an angle")];
        assert!(arm.motor_of(v) != v && place(v) == angle, "{v}");
        assert_eq!(place(arm.motor_of(v)), angle);
    }
}

/// A turn of a second, in a run of so long.
fn turn(duration: &str, shaper: &str) -> Setup {
    setup(&format!(
        r#"
arm = "king-two-link.toml"
gravity = [0, 0, 0]
duration = "{duration}"
[plan]
kind = "joints"
points = [[0, 0], [0.1, 0], [0.2, 0], ["90 deg", 0]]
durations = ["0.1 s", "0.2 s", "0.7 s"]
{shaper}
[[controller]]
kind = "gravity-pd"
name = "servo"
full_state = true
stiffness = {{ upper = "400 N m/rad", fore = "200 N m/rad" }}
damping = {{ upper = "8 N m s/rad", fore = "4 N m s/rad" }}
"#
    ))
}

/// What is said of the run, and not of its arm.
fn warnings(setup: &Setup) -> Vec<String> {
    let problems = setup.warnings.iter().flat_map(pliant_io::Report::problems);
    let problems = problems.filter(|one| !one.message.starts_with("link "));
    let words =
        problems.map(|one| format!("{}; {}", one.message, one.help.as_deref().unwrap_or("")));
    words.collect()
}

#[test]
fn a_run_that_ends_before_its_plan_is_told() {
    let told = warnings(&turn("0.75 s", ""));
    let [told] = told.as_slice() else { panic!("{told:?}") };
    let words = "the run ends at t = 0.75 s, before its plan does at t = 1 s; unless it is meant, let it last ";
    assert!(told.starts_with(words), "{told}");
    assert!(
        told.ends_with(" s, so that the arm comes to rest: settling times need that"),
        "{told}"
    );
    // as long as the plan is no fault, also where the sum of its durations is rounded
    for enough in ["1 s", "0.9999999999999 s"] {
        assert_eq!(warnings(&turn(enough, "")), [""; 0], "{enough}");
    }
    // a shaper makes it longer
    let shaper = "shaper = { kind = \"zvd\", modes = 1 }";
    let setup = turn("1 s", shaper);
    let end = setup.simulation.plan.as_ref().expect("a plan").end;
    assert!(end > 1.05, "{end}");
    let told = warnings(&setup);
    let [told] = told.as_slice() else { panic!("{told:?}") };
    let words =
        format!("at t = 1 s, before its plan does, with its shaper, at t = {} s; ", short(end));
    assert!(told.contains(&words), "{told} {words}");
    assert_eq!(warnings(&turn("5 s", shaper)), [""; 0]);
}

/// Fast beside its vibrations, and with few rows: the run that is advised has a rest, and one with its
/// plan has none.
#[test]
fn the_duration_that_is_advised_leaves_a_rest() {
    let text = |duration: &str, every: &str, stiffness: &str, more: &str| {
        let arm = "arm = \"king-two-link.toml\"\ngravity = [0, 0, 0]";
        let plan =
            "[plan]\nkind = \"joints\"\npoints = [[0, 0], [0.02, 0]]\ndurations = [\"40 ms\"]";
        let servo = |name: &str| {
            format!(
                "[[controller]]\nkind = \"gravity-pd\"\nname = \"{name}\"\nfull_state = true\nstiffness = {stiffness}\ndamping = 4\n"
            )
        };
        format!(
            "{arm}\nduration = \"{duration}\"\nrecord = {{ every = \"{every}\" }}\n{plan}\n{}{}",
            servo("servo"),
            if more.is_empty() { String::new() } else { servo(more) }
        )
    };
    for every in ["1 ms", "30 ms"] {
        let told = warnings(&setup(&text("30 ms", every, "200", "")));
        let [told] = told.as_slice() else { panic!("{told:?}") };
        let advised = told.split("let it last ").nth(1).and_then(|rest| rest.split(',').next());
        let longer = setup(&text(advised.expect("an advice"), every, "200", ""));
        assert_eq!(warnings(&longer), [""; 0], "{told}");
        let done = longer.simulation.run(&mut Rows::new(), &mut ()).expect("it runs");
        let tip = done.tracking.expect("followed").tip.expect("a tip");
        assert!(tip.residual_amplitude.is_some(), "{every}: {told}");
    }
    // two that follow are told beside it
    let told = warnings(&setup(&text("30 ms", "1 ms", "200", "other")));
    assert!(told.iter().any(|one| one.contains("follow the plan")), "{told:?}");
    assert!(told.iter().any(|one| one.contains("before its plan")), "{told:?}");
}
