//! Links that ask for equations of a document: they are honoured, or it is said that they are not.

use super::{pliant_in, scratch};
use serde_json::Value;
use std::path::Path;

/// King's arm as he has it: sections that turn to first order, beams that do not shorten.
fn king(folder: &Path, rotation: &str, foreshortening: bool) {
    let arm = std::fs::read_to_string(super::root().join("robots/king-two-link.toml"));
    let words = format!("foreshortening = {foreshortening}, rotation = \"{rotation}\" }}");
    let arm = arm.expect("King's arm");
    let arm = arm.replace("\"clamped-free\" }", &format!("\"clamped-free\", {words}"));
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
    for wanted in ["first-order-rotation", "turn-of-first-order", "frames use the exact rotation"] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    for key in ["mass_matrix", "coriolis", "gravity", "bias", "acceleration"] {
        assert_ne!(numbers(&own, key), numbers(&exact, key), "{key}");
    }
    assert_eq!(own["elastic"], exact["elastic"]);
    assert_eq!(answer(&["--method", "recurrence"]).0, own);
    for method in ["recursive", "composite", "articulated", "gibbs-appell"] {
        let text = by(&["--method", method]).refused();
        assert!(text.contains("does not know rotation = \"first-order\""), "{text}");
        assert!(text.contains("--method recurrence"), "{text}");
    }
    // what the arm cannot have is told by whatever reads it
    king(&folder, "first-order", true);
    for command in ["check", "info", "modes", "dynamics"] {
        let text = pliant_in(&folder, &[command, "arm.toml"], "");
        assert_eq!(text.code, Some(1), "{command}");
        for wanted in
            ["first-order-rotation", "shortens \"fore\"", "foreshortening = false } in \"upper\""]
        {
            assert!(text.stderr.contains(wanted), "{command}: {wanted}\n{}", text.stderr);
        }
    }
}

/// Only the variant's own equations have the velocity of Theodore (24).
#[test]
fn dynamics_have_the_papers_velocity_without_a_method() {
    let folder = scratch("theodore-24");
    let arm = "[[link]]\nname = \"boom\"\njoint = { kind = \"revolute\", axis = \"z\" }\n\
         length = \"1.2 m\"\nsection = { kind = \"given\", EIz = \"100 N m^2\", rhoA = \"0.3 kg/m\" }\n\
         bends = { y = 2, foreshortening = false, slides = { from = \"30 cm\", to = \"1 m\", velocity = \"theodore-24\" } }\n";
    std::fs::write(folder.join("arm.toml"), arm).expect("written");
    pliant_in(&folder, &["dynamics", "arm.toml"], "").done();
    for method in ["recursive", "composite", "articulated"] {
        let text = pliant_in(&folder, &["dynamics", "arm.toml", "--method", method], "").refused();
        assert!(text.contains("does not know velocity = \"theodore-24\""), "{text}");
        assert!(text.contains("leave --method out"), "{text}");
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
        let shown = run.done();
        let has_drift = !told.contains("other-equations");
        assert_eq!(shown.contains("energy drift"), has_drift, "{shown}");
        assert_eq!(shown.contains("no energy balance"), !has_drift, "{shown}");
        let rows = std::fs::read_to_string(folder.join("swing-run/result.csv")).expect("rows");
        (rows, told)
    };
    let summary = || {
        let text = std::fs::read_to_string(folder.join("swing-run/summary.json")).expect("written");
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    scenario("");
    king(&folder, "exact", false);
    let (exact, told) = run();
    assert!(!told.contains("other-equations"), "{told}");
    assert!(summary()["energy_drift"].is_object());
    king(&folder, "first-order", false);
    let (own, told) = run();
    assert!(told.contains("first-order-rotation") && told.contains("other-equations"), "{told}");
    assert_ne!(own, exact);
    // energies of another rotation have no balance, and the summary says why
    assert!(summary()["energy_drift"].is_null());
    assert!(summary()["warnings"].to_string().contains("energies have no balance"));
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
    assert!(
        text.contains("shortens \"upper\"") && text.contains("foreshortening = false"),
        "{text}"
    );
}

#[test]
fn what_does_not_know_them_says_so() {
    let folder = scratch("first-order-elsewhere");
    king(&folder, "first-order", false);
    std::fs::write(folder.join("swing.toml"), "arm = \"arm.toml\"\nduration = \"10 ms\"\n")
        .expect("written");
    for arguments in [
        &["modes", "arm.toml"][..],
        &["linearise", "arm.toml"],
        &["-q", "modes", "arm.toml", "--format", "json"],
        &["-q", "linearise", "arm.toml", "--format", "json"],
        &["-q", "eigenvalues", "swing.toml", "--format", "json"],
    ] {
        let run = pliant_in(&folder, arguments, "");
        let wanted = "of rotation = \"exact\", whatever link \"upper\" asks for";
        assert!(run.stderr.contains(wanted), "{arguments:?}: {}", run.stderr);
        run.done();
    }
}
