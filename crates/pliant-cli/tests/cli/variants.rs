//! Links that ask for equations of a document: they are honoured, or it is said that they are not.

use super::{pliant_in, scratch};
use serde_json::Value;
use std::path::Path;

/// King's arm as he has it: sections that turn to first order, beams that do not shorten.
fn king(folder: &Path, rotation: &str, stiffening: bool) {
    let arm = std::fs::read_to_string(super::root().join("robots/king-two-link.toml"));
    let words = format!("stiffening = {stiffening}, rotation = \"{rotation}\" }}");
    let arm = arm.expect("King's arm").replace("twist = 1 }", &format!("twist = 1, {words}"));
    let arm = arm.replace("y = 2, z = 2 }", &format!("y = 2, z = 2, {words}"));
    std::fs::write(folder.join("arm.toml"), arm).expect("written");
}

const STATE: &str = r#"{"q": {"upper": -1, "upper.y1": 0.05, "upper.z1": 0.04, "fore.z1": 0.03},
    "u": {"upper": 1, "fore": 2}}"#;

fn numbers(answer: &Value, key: &str) -> Vec<f64> {
    match &answer[key] {
        Value::Array(list) => {
            list.iter().map(|x| x.as_f64().or_else(|| x[0].as_f64()).expect("a number")).collect()
        }
        other => panic!("{key}: {other}"),
    }
}

#[test]
fn dynamics_turn_to_first_order() {
    let folder = scratch("first-order");
    let by = |arguments: &[&str]| {
        let all = ["dynamics", "arm.toml", "--format", "json", "--state", STATE];
        pliant_in(&folder, &[&all[..], arguments].concat(), "")
    };
    let answer = |arguments: &[&str]| {
        let run = by(arguments);
        let told = run.stderr.clone();
        (serde_json::from_str::<Value>(&run.done()).expect("JSON"), told)
    };
    king(&folder, "exact", false);
    let (exact, told) = answer(&[]);
    assert!(!told.contains("first-order"), "{told}");
    king(&folder, "first-order", false);
    let (own, told) = answer(&[]);
    for wanted in ["first-order-rotation", "turn-of-first-order", "frames are of exact rotation"] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    for key in ["mass_matrix", "coriolis", "gravity", "bias", "acceleration"] {
        assert_ne!(numbers(&own, key), numbers(&exact, key), "{key}");
    }
    assert_eq!(own["elastic"], exact["elastic"]);
    assert_eq!(answer(&["--method", "recurrence"]).0, own);
    let text = by(&["--method", "gibbs-appell"]).refused();
    assert!(text.contains("--method recurrence"), "{text}");
    king(&folder, "first-order", true);
    let text = by(&[]).refused();
    assert!(text.contains("\"upper\" has foreshortening"), "{text}");
    assert!(text.contains("add stiffening = false"), "{text}");
    // it can still be looked at
    for command in ["check", "info"] {
        assert!(pliant_in(&folder, &[command, "arm.toml"], "").done().contains("2 links"));
    }
}

#[test]
fn runs_turn_to_first_order() {
    let folder = scratch("first-order-run");
    let scenario = |method: &str| {
        let text = format!(
            "arm = \"arm.toml\"\nduration = \"50 ms\"\n{method}[initial]\n\"upper.y1\" = \"50 mm\"\n\
             \"upper.z1\" = \"40 mm\"\n[rates]\nupper = \"1 rad/s\"\n"
        );
        std::fs::write(folder.join("swing.toml"), text).expect("written");
    };
    let run = || {
        let arguments = ["run", "swing.toml", "--no-report", "--csv", "--force"];
        let run = pliant_in(&folder, &arguments, "");
        let told = run.stderr.clone();
        run.done();
        let rows = std::fs::read_to_string(folder.join("swing-run/result.csv")).expect("rows");
        (rows, told)
    };
    scenario("");
    king(&folder, "exact", false);
    let (exact, told) = run();
    assert!(!told.contains("other-equations"), "{told}");
    king(&folder, "first-order", false);
    let (own, told) = run();
    assert!(told.contains("first-order-rotation") && told.contains("other-equations"), "{told}");
    assert_ne!(own, exact);
    // the folder holds what is needed to do it again
    std::fs::copy(folder.join("swing-run/scenario.toml"), folder.join("swing.toml"))
        .expect("copied");
    assert_eq!(run().0, own);
    scenario("method = \"generalised-alpha\"\nstep = \"1 ms\"\n");
    let text = pliant_in(&folder, &["check", "swing.toml"], "");
    assert_eq!(text.code, Some(1));
    assert!(text.stderr.contains("does not know the equations"), "{}", text.stderr);
    scenario("");
    king(&folder, "first-order", true);
    let text = pliant_in(&folder, &["run", "swing.toml"], "").refused();
    assert!(text.contains("has foreshortening") && text.contains("stiffening = false"), "{text}");
}

#[test]
fn what_does_not_know_them_says_so() {
    let folder = scratch("first-order-elsewhere");
    king(&folder, "first-order", false);
    for arguments in [&["modes", "arm.toml"][..], &["linearise", "arm.toml"]] {
        let run = pliant_in(&folder, arguments, "");
        let wanted = "of rotation = \"exact\", whatever link \"upper\" asks for";
        assert!(run.stderr.contains(wanted), "{arguments:?}: {}", run.stderr);
        run.done();
    }
}
