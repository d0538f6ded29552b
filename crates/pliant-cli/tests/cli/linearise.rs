//! `pliant linearise`.

use super::{pliant, pliant_in, root, scratch};
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const KING: &str = "robots/king-two-link.toml";

fn object(arguments: &[&str]) -> Value {
    let all = [&["linearise"], arguments, &["--format", "json", "--points", "5"]].concat();
    serde_json::from_str(&pliant(&all).done()).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn text_tells_states_poles_and_zeros() {
    let text = pliant(&["linearise", KING]).done();
    for wanted in [
        "king-two-link, at rest: 22 states, 2 inputs, 5 outputs\n",
        "upper [rad]",
        "upper.force [N m]",
        "fore.tip.position.x [m]",
        "damping ratio",
        "zeros [rad/s]",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
}

#[test]
fn poles_of_locked_joints_are_the_modes() {
    let found = object(&[KING, "--lock", "all", "--input", "fore.tip.force.y"]);
    let modes: Value = serde_json::from_str(
        &pliant(&["modes", KING, "--format", "json", "--no-convergence"]).done(),
    )
    .expect("JSON");
    let poles = found["poles"].as_array().expect("a list");
    let modes = modes["modes"].as_array().expect("a list");
    assert_eq!(poles.len(), 2 * modes.len());
    let largest = modes.iter().map(|mode| number(&mode["frequency_hz"])).fold(0.0, f64::max);
    for (pair, mode) in poles.chunks(2).zip(modes) {
        let (pole, mode) = (number(&pair[0]["frequency_hz"]), number(&mode["frequency_hz"]));
        assert!((pole - mode).abs() < 1e-8 * largest, "{pole} {mode}");
    }
    assert_eq!(found["B"].as_array().expect("rows").len(), 18);
    assert_eq!(found["response"].as_array().expect("a list").len(), 5);
}

#[test]
fn csv_is_the_response() {
    let all = ["linearise", KING, "--input", "upper", "--output", "upper,upper.rate"];
    let text = pliant(&[&all[..], &["--format", "csv", "--points", "7"]].concat()).done();
    let mut lines = text.lines();
    let head = lines.next().expect("a head");
    assert!(head.starts_with("frequency_hz,\"|upper / upper.force [(rad)/(N m)]|\""), "{head}");
    assert_eq!(lines.count(), 7);
}

#[test]
fn a_scenario_on_its_way() {
    let found = object(&["scenarios/king-swing.toml", "--at", "0.1 s", "--output", "upper"]);
    assert_eq!(found["at"], "at 0.1 s of the motion");
    assert!(found["u"].as_array().expect("rates").iter().any(|u| number(u) != 0.0));
    assert!(found["ud"].as_array().expect("accelerations").iter().any(|u| number(u) != 0.0));
    for time in ["100 s", "-1 s"] {
        let said = pliant(&["linearise", "scenarios/king-swing.toml", "--at", time]).refused();
        assert!(said.contains("not within the scenario"), "{said}");
    }
    let said = pliant(&["linearise", "scenarios/king-swing.toml", "--as-given"]).refused();
    assert!(said.contains("--as-given is for arms"), "{said}");
}

/// The arm falls from the first instant on: what it is a moment later it is then.
#[test]
fn a_scenario_at_its_start() {
    let at = |time| object(&["scenarios/king-swing.toml", "--at", time, "--output", "upper"]);
    let (start, later) = (at("0"), at("1e-7 s"));
    let entries = |found: &Value| -> Vec<f64> {
        let rows = found["A"].as_array().expect("rows").iter();
        rows.flat_map(|row| row.as_array().expect("a row")).map(number).collect()
    };
    let (start, later) = (entries(&start), entries(&later));
    let largest = start.iter().copied().map(f64::abs).fold(0.0, f64::max);
    for (a, b) in start.iter().zip(&later) {
        // links begin to swing at thousands of radians per second
        assert!((a - b).abs() < 1e-6 * largest, "{a} {b}");
    }
}

/// An arm that is accelerated, although it stands still.
#[test]
fn accelerations_of_a_state_count() {
    let of = |state: &str| object(&[KING, "--state", state, "--as-given"])["A"].clone();
    let given = |state: &str| object(&[KING, "--state", state])["A"].clone();
    let pushed = r#"{"ud": {"upper": 30}}"#;
    assert_eq!(given(pushed), of(pushed));
    assert_ne!(given(pushed), of("{}"));
}

#[test]
fn motors_of_elastic_joints_and_of_slides() {
    let names = |found: &Value, what: &str| -> Vec<String> {
        let all = found[what].as_array().expect("a list").iter();
        all.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
    };
    let elastic = "robots/elastic-two-link.toml";
    let found = object(&[elastic]);
    assert_eq!(names(&found, "inputs"), ["upper.motor.force", "fore.motor.force"]);
    assert_eq!(names(&object(&[elastic, "--input", "fore"]), "inputs"), ["fore.motor.force"]);
    let boom = "robots/telescopic-boom.toml";
    let found = object(&[boom, "--at", "inner.l=2"]);
    assert!(names(&found, "inputs").contains(&"inner.l.force".to_owned()));
    for lock in ["all", "inner", "inner.l"] {
        let states = names(&object(&[boom, "--lock", lock, "--output", "inner.l"]), "states");
        assert!(!states.contains(&"inner.l".to_owned()), "{lock}: {states:?}");
    }
    let found = object(&["scenarios/elastic-reach.toml", "--output", "shoulder,upper"]);
    assert_eq!(names(&found, "outputs"), ["shoulder", "upper"]);
}

/// A chain of zeros: the numbers of zeros are two less than the states wherever a motor moves its own
/// joint, and responses are nothing there.
#[test]
fn motors_move_their_joints_on_all_robots() {
    for arm in ["stanford", "akmehmet-6", "theodore-rrp", "ur5", "puma-560", "king-three-link"] {
        let found = object(&[&format!("robots/{arm}.toml")]);
        let states = found["states"].as_array().expect("a list").len();
        for channel in found["zeros"].as_array().expect("a list") {
            let (from, to) = (&channel["input"], &channel["output"]);
            let own = format!("{}.force", to.as_str().expect("a name"));
            if from.as_str() == Some(&own) {
                let zeros = channel["zeros"].as_array();
                let zeros = zeros.unwrap_or_else(|| panic!("{arm}: {to} is not moved"));
                assert_eq!(zeros.len(), states - 2, "{arm}: {to}");
            }
        }
    }
}

#[test]
fn files_for_other_tools() {
    let folder = scratch("linearise");
    let arm = root().join(KING);
    let arm = arm.to_str().expect("a path");
    for file in ["arm.json", "arm.npz", "arm.py"] {
        let all = ["-q", "linearise", arm, "--export", file, "--points", "3"];
        pliant_in(&folder, &all, "").done();
        let said = pliant_in(&folder, &all, "").refused();
        assert!(said.contains("exists already"), "{said}");
    }
    let script = std::fs::read_to_string(folder.join("arm.py")).expect("a script");
    assert!(script.contains("control.ss(A, B, C, D") && script.contains("\"upper_force\""));
    let archive = std::fs::read(folder.join("arm.npz")).expect("an archive");
    let words = String::from_utf8_lossy(&archive);
    assert!(words.contains("'shape': (22, 22,)") && words.contains("'shape': (5, 2,)"));
    python_reads_them(&folder);
    // more channels than a plot has room for
    let ur5 = root().join("robots/ur5.toml");
    let all = ["linearise", ur5.to_str().expect("a path"), "--plot", "ur5.svg", "--points", "9"];
    let said = pliant_in(&folder, &all, "");
    assert!(said.stderr.contains("the plot has 6 of 54 channels"), "{}", said.stderr);
    let all = ["-q", "linearise", arm, "--plot", "bode.svg", "--output", "upper"];
    pliant_in(&folder, &all, "").done();
    let svg = std::fs::read_to_string(folder.join("bode.svg")).expect("a figure");
    let drawing = roxmltree::Document::parse(&svg).expect("XML");
    let texts: Vec<&str> = drawing.descendants().filter_map(|node| node.text()).collect();
    for wanted in ["phase", "imaginary part"] {
        assert!(texts.iter().any(|text| text.contains(wanted)), "{wanted}: {texts:?}");
    }
}

/// The script with a stand-in for python-control that wants what that wants, and the archive.
fn python_reads_them(folder: &Path) {
    let python = std::env::var("PLIANT_PYTHON").unwrap_or_else(|_| "python3".into());
    let found = Command::new(&python).args(["-c", "import numpy"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        // not by the macros: what they print is hidden when a test passes
        let note = "skipped: python3, or what PLIANT_PYTHON names, has no NumPy";
        writeln!(std::io::stderr(), "files_for_other_tools: {note}").expect("to tell");
        return;
    }
    let stand_in = r#"
def ss(A, B, C, D, states, inputs, outputs):
    assert A.shape == (22, 22) and B.shape == (22, 2) and C.shape == (5, 22) and D.shape == (5, 2)
    for names, count in [(states, 22), (inputs, 2), (outputs, 5)]:
        assert len(set(names)) == len(names) == count and not any("." in n for n in names)
    return A, B, C, D
"#;
    std::fs::write(folder.join("control.py"), stand_in).expect("written");
    let script = r#"
import numpy as np, json, arm
archive, whole = np.load("arm.npz"), json.load(open("arm.json"))
for name, matrix in zip("ABCD", arm.system):
    assert np.array_equal(matrix, archive[name]) and np.array_equal(matrix, whole[name])
for word in ["state", "input", "output"]:
    assert [one["name"] for one in whole[word + "s"]] == list(archive[word + "s"])
    assert [one["unit"] for one in whole[word + "s"]] == list(archive[word + "_units"])
"#;
    let ran = Command::new(python).args(["-c", script]).current_dir(folder).output();
    let ran = ran.expect("Python");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn what_does_not_exist_is_named() {
    let said = pliant(&["linearise", KING, "--input", "upper,upper"]).refused();
    assert!(said.contains("--input: \"upper\" is there twice"), "{said}");
    let said = pliant(&["linearise", KING, "--input", "upper.y1"]).refused();
    assert!(said.contains("bends a link and has no motor"), "{said}");
    let said = pliant(&["linearise", KING, "--from", "1e-300"]).refused();
    assert!(said.contains("between 1e-12 and 1e12 Hz"), "{said}");
    let said = pliant(&["linearise", KING, "--input", "uper"]).refused();
    assert!(said.contains("--input: there is no \"uper\"") && said.contains("\"upper\""), "{said}");
    let said = pliant(&["linearise", KING, "--lock", "all", "--input", "upper"]).refused();
    assert!(said.contains("the motor of \"upper\" is an input, but its joint is locked"), "{said}");
    let said = pliant(&["linearise", KING, "--output", "upper.strain@9:0:0"]).refused();
    assert!(said.contains("a gauge sits 9 m along \"upper\""), "{said}");
    let said = pliant(&["linearise", KING, "--export", "arm.mat"]).refused();
    assert!(said.contains("end the name with .json, .npz or .py"), "{said}");
    let help = pliant(&["linearise", "--help"]).done();
    assert!(help.contains("python-control") && help.contains("A pole at a + bi"), "{help}");
}

/// A wheel with `d T / J = 0.5`, sampled: its loop has a step, references as inputs, and poles inside the
/// unit circle.
#[test]
fn closed_loops_have_steps() {
    let folder = scratch("closed");
    let scenario = "duration = 1\n[arm]\nname = \"wheel\"\ngravity = [0, 0, 0]\n\
        [[arm.link]]\nname = \"wheel\"\njoint = { kind = \"revolute\", axis = \"z\" }\n\
        mass = 1\ncom = [0, 0, 0]\ninertia = [1, 1, 1]\n\
        [[controller]]\nkind = \"pd\"\nname = \"servo\"\nperiod = \"5 ms\"\nfull_state = true\n\
        [[controller.joint]]\nmotor = \"wheel\"\nstiffness = 200\ndamping = 100\ntarget = { kind = \"constant\", value = 0.1 }\n";
    std::fs::write(folder.join("servo.toml"), scenario).expect("written");
    let all = ["linearise", "servo.toml", "--closed", "--input", "wheel", "--output", "wheel"];
    let json = pliant_in(&folder, &[&all[..], &["--format", "json"]].concat(), "").done();
    let found: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(number(&found["dt"]), 0.005);
    let names: Vec<&str> = found["inputs"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["servo.wheel.reference", "wheel.disturbance"]);
    // z² − (2 − dT − kT²/2) z + 1 − dT + kT²/2
    let (trace, determinant) = (2.0 - 0.5 - 0.0025, 0.5 + 0.0025);
    let poles = found["poles"].as_array().expect("a list");
    assert_eq!(poles.len(), 2);
    for pole in poles {
        let z = number(&pole["real"]);
        assert!((z * z - trace * z + determinant).abs() < 1e-9, "{pole}");
        assert_eq!(number(&pole["size"]), z.abs());
    }
    let text = pliant_in(&folder, &all, "").done();
    assert!(text.contains("in steps of 0.005 s") && text.contains("ln(z)/dt"), "{text}");
    for file in ["loop.py", "loop.npz"] {
        pliant_in(&folder, &[&all[..], &["--export", file]].concat(), "").done();
    }
    let script = std::fs::read_to_string(folder.join("loop.py")).expect("written");
    assert!(script.contains("control.ss(A, B, C, D, 0.005, "), "{script}");
    let refused = pliant(&["linearise", KING, "--closed"]).refused();
    assert!(refused.contains("is for scenarios"), "{refused}");
}
