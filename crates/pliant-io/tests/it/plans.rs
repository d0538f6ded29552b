//! Plans of files are those of calls, key by key.

use pliant::arm::Arm;
use pliant::plan::{IkGoal, Path, TimeScaling};
use pliant::scenario::Plan;
use pliant_io::Source;
use pliant_io::scenario::{Overrides, Setup, parse};

fn setup(text: &str) -> Setup {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    parse(&Source::new("test.toml", text), &folder, &Overrides::default())
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
