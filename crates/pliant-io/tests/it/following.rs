//! Controllers with a model follow plans, from scenario files on.

use crate::tracking::{completed, repository, setup};
use pliant_io::scenario::{Overrides, load};

#[test]
fn the_ready_scenario_is_the_first_row_of_table_5_3() {
    let path = repository().join("scenarios/akmehmet-line.toml");
    let setup = load(path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    let (tracking, warnings, _) = completed(&setup, "akmehmet-line");
    assert!(warnings.is_empty(), "{warnings:?}");
    let most = tracking.joints.iter().map(|joint| joint.most).fold(0.0, f64::max);
    assert!((most / 6.5e-5 - 1.0).abs() < 0.1, "{most}");
    let half = tracking.half_error_integral.expect("a plan");
    assert!((half / 5e-6 - 1.0).abs() < 0.15, "{half}");
    assert!((2.0 * half / tracking.error_integral.expect("a plan") - 1.0).abs() < 1e-12);
    // what the table prints as energy is that of u = tau - k
    let ideal = tracking.half_ideal_effort_integral;
    assert!((ideal / 14.59 - 1.0).abs() < 0.05, "{ideal}");
    assert!(tracking.half_effort_integral > 2.0 * ideal, "{}", tracking.half_effort_integral);
    let tip = tracking.tip.expect("the tip is planned");
    assert!(tip.most < 1e-4 && tip.most > 1e-6, "{tip:?}");
    assert!(tracking.motors.iter().all(|motor| motor.peak >= motor.rms && motor.rms > 0.0));
}

#[test]
fn the_ready_decoupling_follows_the_closed_form() {
    let path = repository().join("scenarios/king-decoupling.toml");
    let overrides = Overrides::of([("duration", "0.3 s")]);
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

/// The true state for Akmehmet's arm, and what the keys of a controller make of it.
const LINE: &str = r#"
arm = "akmehmet-3.toml"
duration = "0.5 s"
method = "rk4"
step = "1 ms"
[plan]
kind = "line"
near = { waist = 0, upper = "-30 deg", fore = "60 deg" }
points = [[0.9, 0, 0], [0.7, 0.3, 0.2]]
durations = ["0.4 s"]
PLAN
[[controller]]
name = "law"
full_state = true
"#;

/// Every law, policy and profile from a file follows the line; what is coarse does so less well.
#[test]
fn every_law_and_policy_follows_from_a_file() {
    let torque = "kind = \"computed-torque\"\nperiod = \"5 ms\"\nstiffness = 400\ndamping = 40\n";
    let least = "horizon = \"40 ms\"\nperiod = \"5 ms\"\n";
    let follows = |plan: &str, law: &str, name: &str| {
        let text = format!("{}{law}", LINE.replace("PLAN", plan));
        let (tracking, warnings, _) = completed(&setup(&text), name);
        assert!(warnings.is_empty(), "{name}: {warnings:?}");
        tracking.tip.expect("a tip").most
    };
    for (i, plan) in [
        "profile = \"parabolic\"",
        "profile = \"trapezoid\"\naccelerate = \"0.1 s\"",
        "profile = \"pulses\"\naccelerate = \"0.1 s\"",
        "profile = \"minimum-jerk\"",
        "blend = \"0.1 s\"",
        "through = true",
    ]
    .into_iter()
    .enumerate()
    {
        let most = follows(plan, torque, &format!("profile-{i}"));
        assert!(most < 4e-3 && most > 1e-7, "{plan}: {most}");
    }
    let jerk = "profile = \"minimum-jerk\"";
    for (i, (law, bound)) in [
        (format!("{torque}update_period = \"40 ms\"\n"), 0.02),
        (format!("{torque}update_change = 0.05\n"), 0.01),
        (format!("{torque}update_distance = 0.05\n"), 0.02),
        (format!("{torque}update_along_plan = \"20 ms\"\n"), 0.01),
        (format!("{torque}update_cells = 200\n"), 0.02),
        (torque.replace("400", "{ waist = 300, upper = 400, fore = 500 }"), 4e-3),
        (torque.replace("computed-torque", "decoupling"), 4e-3),
        (format!("{}update_period = \"20 ms\"\n", torque.replace("computed-torque", "decoupling")), 0.01),
        (
            "kind = \"gravity-pd\"\nperiod = \"1 ms\"\nstiffness = { waist = 2000, upper = 2000, fore = 1000 }\ndamping = { waist = 60, upper = 60, fore = 30 }\n".to_owned(),
            0.05,
        ),
        (format!("kind = \"energy-torque\"\n{least}"), 2e-3),
        (format!("kind = \"energy-torque\"\n{least}aim = \"present\"\nwindow = \"receding\"\n"), 5e-3),
        (format!("kind = \"energy-torque\"\n{least}as_printed = true\n"), 0.1),
        (format!("kind = \"energy-feedback\"\n{least}gains_period = \"10 ms\"\n"), 0.05),
        (format!("kind = \"energy-feedback\"\n{least}form = \"syst1\"\n"), 2e-3),
        (format!("kind = \"energy-feedback\"\n{least}form = \"syst3\"\neffort = \"whole\"\npenalty = 2\n"), 2e-3),
        (format!("kind = \"energy-feedback\"\n{least}form = \"syst3\"\nupdate_along_plan = \"10 ms\"\n"), 2e-3),
    ]
    .into_iter()
    .enumerate()
    {
        let most = follows(jerk, &law, &format!("law-{i}"));
        assert!(most < bound, "{law}: {most}");
    }
}

/// Akmehmet's IHF: a load on the hand that begins on the way.
#[test]
fn a_known_load_does_not_push_the_hand_away() {
    let load = "[[input]]\nkind = \"step\"\nframe = \"fore\"\nforce = [0, 0, \"-20 N\"]\nat = \"0.1 s\"\nafter = 1\n[[controller]]";
    let text = format!(
        "{}kind = \"computed-torque\"\nperiod = \"2 ms\"\nstiffness = 400\ndamping = 40\n",
        LINE.replace("PLAN", "").replace("[[controller]]", load)
    );
    let most = |text: &str, name| completed(&setup(text), name).0.tip.expect("a tip").most;
    let (surprised, told) =
        (most(&text, "load-unknown"), most(&format!("{text}knows_loads = true\n"), "load-known"));
    assert!(surprised > 0.01 && told < 0.1 * surprised, "{surprised} {told}");
}

/// The same load turns with the hand where its axes are the hand's own.
#[test]
fn a_known_load_in_its_own_axes_turns_with_the_hand() {
    let load = "[[input]]\nkind = \"constant\"\nframe = \"fore\"\nforce = [\"15 N\", 0, \"10 N\"]\naxes = \"own\"\nvalue = 1\n[[controller]]";
    let text = format!(
        "{}kind = \"computed-torque\"\nperiod = \"2 ms\"\nstiffness = 400\ndamping = 40\nknows_loads = true\n",
        LINE.replace("PLAN", "").replace("[[controller]]", load)
    );
    let most = completed(&setup(&text), "load-own").0.tip.expect("a tip").most;
    assert!(most < 1e-3, "{most}");
}

/// Who ignores limits is not warned of them.
#[test]
fn limits_that_are_ignored_are_not_told() {
    let plan = "arm = \"iiwa-14.toml\"\nduration = \"1 s\"\n[plan]\nkind = \"joints\"\njoints = [\"joint_2\"]\npoints = [[0], [\"3 rad\"]]\ndurations = [\"1 s\"]\n";
    let warned = |text: &str| {
        let warnings = setup(text).warnings;
        warnings.iter().any(|report| report.to_string().contains("beyond its limits"))
    };
    assert!(warned(plan) && !warned(&format!("limits = \"ignore\"\n{plan}")));
}

/// The controller believes in fewer modes than the arm has, or in none.
#[test]
fn the_model_may_bend_less_than_the_arm() {
    let arm = |bends: &str| {
        format!(
            r#"{{ name = "bar", gravity = [0, 0, 0], link = [{{ name = "bar", joint = {{ kind = "revolute", axis = "z", armature = 0.05 }}, length = "1 m", section = {{ kind = "rectangle", height = "5 mm", width = "20 mm" }}, material = "aluminium"{bends}, payload = {{ mass = 0.2 }} }}] }}"#
        )
    };
    let run = |model: &str, name: &str| {
        let text = format!(
            r#"
arm = {}
duration = "1 s"
[plan]
kind = "joints"
points = [[0], ["20 deg"]]
durations = ["0.8 s"]
[[controller]]
kind = "decoupling"
name = "law"
full_state = true
stiffness = 100
damping = 20
model = {model}
"#,
            arm(", bends = { y = 3, shapes = \"clamped-free\" }")
        );
        let (tracking, _, _) = completed(&setup(&text), name);
        // without a clock its force is not recorded as its own, but as that of the motor
        assert!(tracking.motors.len() == 1 && tracking.motors[0].peak > 0.0);
        tracking.joints[0].most
    };
    let right = run(&arm(", bends = { y = 3, shapes = \"clamped-free\" }"), "modes-three");
    let fewer = run(&arm(", bends = { y = 1, shapes = \"clamped-free\" }"), "modes-one");
    let rigid = run(&arm(""), "modes-none");
    assert!(right < 1e-7 && fewer > 1e-6 && rigid > fewer, "{right} {fewer} {rigid}");
    assert!(rigid < 0.05, "{rigid}");
}

/// Theodore (35) and (36): the law with a sliding link, whose length is a joint like others.
#[test]
fn a_sliding_link_is_decoupled_too() {
    let text = r#"
arm = "theodore-rrp.toml"
duration = "0.4 s"
tolerance = 1e-9
record = { every = "10 ms" }
[initial]
"boom.l" = "0.5 m"
[plan]
kind = "joints"
points = [["10 deg", "10 deg", "0.7 m"], ["10 deg", "10 deg", "0.7 m"]]
durations = ["0.4 s"]
[[controller]]
kind = "decoupling"
name = "law"
full_state = true
stiffness = 100
damping = 20
"#;
    let (_, _, reader) = completed(&setup(text), "theodore-decoupling");
    let times = reader.time().expect("times");
    let step = 10_f64.to_radians();
    for (joint, from, to) in [("column", 0.0, step), ("boom", 0.0, step), ("boom.l", 0.5, 0.7)] {
        for (t, place) in times.iter().zip(reader.column(joint).expect("recorded")) {
            let want = to - (to - from) * (1.0 + 10.0 * t) * (-10.0 * t).exp();
            assert!((place - want).abs() < 1e-7, "{joint} at {t} s: {place} {want}");
        }
    }
}

/// King's arm of section 4.9.1: one link with a payload of 2 kg, the slow part at 20 Hz.
const MULTIRATE: &str = r#"
duration = "1 s"
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
bends = { y = 1, shapes = "clamped-free" }
payload = { mass = "2 kg" }
"#;

/// The slow part alone feeds the bending, and the link is 3 m beside its place after 1.4 s.
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
        bent[100..].iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    let slow = shakes(&MULTIRATE.replace("FAST", ""), "multirate-slow");
    let both = shakes(&MULTIRATE.replace("FAST", fast), "multirate-both");
    assert!(both < 0.5 * slow, "{both} after {slow}");
}
