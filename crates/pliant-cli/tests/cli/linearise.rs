//! `pliant linearise`.

use super::{pliant, pliant_in, root, scratch};
use serde_json::Value;

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
    for (pair, mode) in poles.chunks(2).zip(modes["modes"].as_array().expect("a list")) {
        let (pole, mode) = (number(&pair[0]["frequency_hz"]), number(&mode["frequency_hz"]));
        assert!((pole / mode - 1.0).abs() < 1e-6, "{pole} {mode}");
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
    let said = pliant(&["linearise", "scenarios/king-swing.toml", "--at", "100 s"]).refused();
    assert!(said.contains("not within the scenario"), "{said}");
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
    let all = ["-q", "linearise", arm, "--plot", "bode.svg", "--output", "upper"];
    pliant_in(&folder, &all, "").done();
    let svg = std::fs::read_to_string(folder.join("bode.svg")).expect("a figure");
    let drawing = roxmltree::Document::parse(&svg).expect("XML");
    let texts: Vec<&str> = drawing.descendants().filter_map(|node| node.text()).collect();
    for wanted in ["phase", "imaginary part"] {
        assert!(texts.iter().any(|text| text.contains(wanted)), "{wanted}: {texts:?}");
    }
}

#[test]
fn what_does_not_exist_is_named() {
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
