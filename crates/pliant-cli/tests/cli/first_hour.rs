//! Two arms from nothing to a good controlled motion, by the commands of README and book.

use super::{pliant_in, root, scratch};
use serde_json::Value;
use std::path::Path;

/// Copies files of `tests/first-hour`.
fn copy(folder: &Path, names: &[&str]) {
    for name in names {
        let from = root().join("crates/pliant-cli/tests/first-hour").join(name);
        std::fs::copy(from, folder.join(name)).expect("a file of the tests");
    }
}

/// A command that goes well and warns of nothing.
#[track_caller]
fn clean(folder: &Path, arguments: &[&str]) -> String {
    let run = pliant_in(folder, arguments, "");
    assert!(!run.stderr.contains("warning"), "{arguments:?}: {}", run.stderr);
    run.done()
}

fn summary(folder: &Path, run: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(run).join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("JSON")
}

/// The motion ended with its plan: the largest of the last errors (rad), and of the tip how far it
/// is from where it would be without bending, and how much it still moves (m).
fn ending(summary: &Value) -> (f64, f64, f64) {
    let tracking = &summary["tracking"];
    let number = |value: &Value| value.as_f64().expect("a number").abs();
    let joints = tracking["joints"].as_array().expect("joints");
    let settled = |joint: &Value| joint["settled_after"].as_f64().is_some();
    assert!(joints.iter().all(settled), "{tracking}");
    let last = joints.iter().map(|joint| number(&joint["last"])).fold(0.0, f64::max);
    let tip = &tracking["tip"];
    (last, number(&tip["last"]), number(&tip["residual_amplitude"]))
}

#[test]
fn a_carbon_fibre_arm() {
    let folder = scratch("first-hour-carbon-fibre");
    copy(&folder, &["carbon-fibre.toml", "carbon-fibre-move.toml"]);
    let go = |arguments: &[&str]| clean(&folder, arguments);
    assert!(go(&["check", "carbon-fibre.toml"]).contains("ok, 3 links"));
    assert!(go(&["info", "carbon-fibre.toml"]).contains("carbon-fibre"));
    // converged: 2.688 Hz and 39.95 mm
    let modes = go(&["modes", "carbon-fibre.toml"]);
    assert!(modes.contains(" 2.687") && modes.contains(" 39.9"), "{modes}");
    assert!(go(&["check", "carbon-fibre-move.toml"]).contains("shaper ZVD"));
    let told = go(&["run", "carbon-fibre-move.toml"]);
    assert!(told.contains("tip fore.tip: still from t = "), "{told}");
    assert!(told.contains("largest along each link") && told.contains("energy used"), "{told}");
    let summary = summary(&folder, "carbon-fibre-move-run");
    assert_eq!(summary["tracking"]["tip"]["frame"], "fore.tip");
    let figures = summary["figures"].as_array().expect("figures");
    let figure = |subject: &str, name: &str| {
        let is_it = |one: &&Value| one["subject"] == subject && one["name"] == name;
        figures.iter().find(is_it).expect("a figure")["value"].as_f64().expect("a number")
    };
    let end = summary["tracking"]["plan_end"].as_f64().expect("a plan");
    // the shaped plan has nearly arrived before its end
    assert!((end - 0.8..end + 0.2).contains(&figure("fore.tip", "still_from")), "{figures:?}");
    assert!(told.contains("contain the sag"), "{told}");
    assert!((90.0..130.0).contains(&figure("upper", "peak_moment")), "{figures:?}");
    let (joints, sag, vibration) = ending(&summary);
    assert!(
        joints < 1e-5 && (0.02..0.04).contains(&sag) && vibration < 1e-3,
        "{joints} {sag} {vibration}"
    );
    go(&["plot", "carbon-fibre-move-run", "--channels", "tip", "-o", "tip.svg"]);
    assert!(folder.join("carbon-fibre-move-run/report.html").exists());
}

#[test]
fn a_ur5_with_a_bent_forearm() {
    let folder = scratch("first-hour-ur5");
    copy(&folder, &["ur5-move.toml"]);
    let robot = root().join("crates/pliant-io/tests/urdf/good/ur5.urdf");
    std::fs::copy(robot, folder.join("ur5.urdf")).expect("a file of the tests");
    let go = |arguments: &[&str]| clean(&folder, arguments);
    go(&["check", "ur5.urdf"]);
    let shapes = "y = 2, z = 2, twist = 1, shapes = 'eigenmodes', elements = 8, shear = true, damping = 0.01";
    let beam = ["--section", "tube 40x2 mm", "--material", "cfrp-tube", "--shapes", shapes];
    let convert = ["convert", "ur5.urdf", "-o", "ur5-bent.toml", "--bend", "forearm_link"];
    go(&[&convert[..], &beam].concat());
    // a URDF knows no rotors
    let path = folder.join("ur5-bent.toml");
    let text = std::fs::read_to_string(&path).expect("written");
    let motor =
        "actuator = { torque = \"150 N m\", rotor_inertia = \"1e-4 kg m^2\", gear = 101 }, limits";
    let text = text.replace("limits", motor);
    assert_eq!(text.matches("gear").count(), 6);
    std::fs::write(&path, text).expect("written");
    assert!(go(&["check", "ur5-bent.toml"]).contains("17.0489 kg"));
    assert!(go(&["modes", "ur5-bent.toml"]).contains("forearm_link twist"));
    go(&["check", "ur5-move.toml"]);
    go(&["run", "ur5-move.toml"]);
    let summary = summary(&folder, "ur5-move-run");
    assert_eq!(summary["tracking"]["tip"]["frame"], "tool0");
    let (joints, sag, vibration) = ending(&summary);
    assert!(joints < 1e-5 && sag < 5e-4 && vibration < 1e-4, "{joints} {sag} {vibration}");
    // another frame is watched where the motion says so
    let motion = std::fs::read_to_string(folder.join("ur5-move.toml")).expect("a scenario");
    std::fs::write(folder.join("other.toml"), format!("tip = \"forearm_link.tip\"\n{motion}"))
        .expect("written");
    let told = go(&["run", "other.toml", "--duration", "1.5 s"]);
    assert!(told.contains("still from -") && told.contains("residual amplitude -"), "{told}");
    let text = std::fs::read_to_string(folder.join("other-run/summary.json")).expect("a summary");
    assert!(text.contains("\"forearm_link.tip\""), "{text}");
}

/// The commands of the README, one after the other, as a new user types them.
#[test]
fn the_walk_of_the_readme() {
    let folder = scratch("walk");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let blocks = readme.split("<!-- walk -->").skip(1);
    let lines = blocks.flat_map(|block| {
        let code = block.split("```").nth(1).unwrap_or("");
        code.lines().filter_map(|line| line.strip_prefix("pliant "))
    });
    let mut count = 0;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        clean(&folder, &words);
        count += 1;
    }
    assert!(count >= 12, "{count} commands");
    for file in ["compared.html", "tracking.svg", "damped-run/result.parquet"] {
        assert!(folder.join(file).exists(), "{file}");
    }
    let kind = std::fs::read_to_string(folder.join("damped-run/scenario.toml")).expect("it");
    assert!(kind.contains("\"composite\""), "{kind}");
}
