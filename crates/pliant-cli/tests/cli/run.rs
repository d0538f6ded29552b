//! `pliant run`.

use super::{pliant, pliant_in, root, scratch};
use pliant::simulate::Status;
use pliant_io::results::Reader;
use std::path::Path;

const PENDULUM: &str = r#"
duration = "100 ms"
record = { every = "5 ms" }
initial = { bob = "-10 deg" }

[arm]
gravity = [0, -9.81, 0]

[[arm.link]]
name = "bob"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
payload = { mass = 1 }
"#;

pub(super) fn with_pendulum(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("swing.toml"), PENDULUM).expect("written");
    folder
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path.join("result.parquet")).expect("a result")
}

#[test]
fn a_run_leaves_a_folder() {
    let folder = with_pendulum("run");
    let text = pliant_in(&folder, &["run", "swing.toml", "--csv", "--npz"], "").done();
    for part in [
        "swing: done; 0.1 s simulated",
        "auto (dop853, radau5), tolerance 1e-9: ",
        "energy drift",
        "bob.tip.position.y",
        "in swing-run: scenario.toml, result.parquet, summary.json, result.csv, result.npz",
        "21 rows",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let run = folder.join("swing-run");
    let reader = Reader::open(&run).expect("results");
    assert!(reader.complete());
    assert_eq!(reader.rows(), 21);
    assert_eq!(reader.column("bob").expect("a channel")[0], -10.0_f64.to_radians());
    assert!(run.join("result.csv").is_file() && run.join("result.npz").is_file());
    // the same bytes again, from the scenario in the folder too
    pliant_in(&folder, &["run", "swing.toml", "-o", "again"], "").done();
    pliant_in(&folder, &["run", "swing-run/scenario.toml", "-o", "third", "-q"], "").done();
    assert!(bytes(&run) == bytes(&folder.join("again")), "the bytes differ");
    assert!(bytes(&run) == bytes(&folder.join("third")), "the bytes differ");
}

#[test]
fn results_are_not_replaced_by_accident() {
    let folder = with_pendulum("run-force");
    pliant_in(&folder, &["run", "swing.toml"], "").done();
    let first = bytes(&folder.join("swing-run"));
    std::fs::write(folder.join("swing-run/notes.txt"), "mine").expect("written");
    let refused = pliant_in(&folder, &["run", "swing.toml", "--duration", "50 ms"], "").refused();
    assert!(refused.contains("swing-run is not empty") && refused.contains("--force"), "{refused}");
    assert!(bytes(&folder.join("swing-run")) == first, "something was written");
    let forced =
        ["run", "swing.toml", "--duration", "50 ms", "--tolerance", "1e-6", "--force", "-q"];
    let told = pliant_in(&folder, &forced, "");
    assert_eq!(told.stderr, "");
    assert!(told.done().contains("11 rows of "));
    let reader = Reader::open(folder.join("swing-run")).expect("results");
    assert_eq!(reader.rows(), 11);
    assert_eq!(reader.metadata().relative_tolerance, Some(1e-6));
    assert!(folder.join("swing-run/notes.txt").is_file());
}

#[test]
fn bad_scenarios_are_refused() {
    let folder = with_pendulum("run-bad");
    let run = |arguments: &[&str], text: &str| {
        std::fs::write(folder.join("bad.toml"), text).expect("written");
        pliant_in(&folder, &[&["run", "bad.toml"], arguments].concat(), "").refused()
    };
    let message = run(&[], &PENDULUM.replace("bob = \"-10", "bop = \"-10"));
    assert!(message.contains("did you mean \"bob\"?"), "{message}");
    let message = run(&["--duration", "-1 s"], PENDULUM);
    assert!(message.contains("duration is -1 s"), "{message}");
    let message = run(&["--tolerance", "fine"], PENDULUM);
    assert!(message.contains("tolerance"), "{message}");
    let message = run(&[], "arm = \"nowhere.toml\"\nduration = 1\n");
    assert!(message.contains("nowhere.toml: there is no such file"), "{message}");
    assert!(!folder.join("bad-run").exists());
    assert!(pliant_in(&folder, &["run", "nothing.toml"], "").refused().contains("no such file"));
}

#[test]
fn a_motion_that_fails_says_why() {
    let folder = with_pendulum("run-fails");
    let fails = |torque: &str, parts: [&str; 2]| {
        let input = format!(
            "\"3 s\"\ninput = {{ motor = \"bob\", kind = \"expression\", expression = \"{torque}\" }}"
        );
        let text = PENDULUM.replace("\"100 ms\"", &input);
        std::fs::write(folder.join("fails.toml"), text).expect("written");
        let run = pliant_in(&folder, &["run", "fails.toml", "--force"], "");
        assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
        let common =
            ["at t = ", " in \"bob", "the last step was", "the energy", "rows up to there"];
        for part in common.iter().chain(&parts) {
            assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        }
        // there is none
        assert!(!run.stderr.contains("controller"), "{}", run.stderr);
        let reader = Reader::open(folder.join("fails-run")).expect("results");
        assert!(reader.complete() && reader.rows() > 100);
        assert_eq!(reader.summary().expect("a summary").outcome.run.ending.status, Status::Failed);
    };
    // a pole, and a force that becomes infinite
    fails(
        "1 / (1 - t)",
        [
            "no step is short enough for the tolerance at t = 1 s",
            "help: look for something that jumps",
        ],
    );
    fails("exp(exp(5 * t)) - exp(1)", ["the motion diverges", "look for forces without bound"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_closes_everything() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = with_pendulum("run-interrupted");
    let child = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["run", "swing.toml", "--duration", "1e7 s"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pliant runs");
    let start = Instant::now();
    let second_part = folder.join("swing-run/part-00001.parquet");
    while !second_part.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no part was closed");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("a signal").success());
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("interrupted at t = ") && message.contains("everything is closed"));
    assert!(message.contains("to go on: pliant run --continue swing-run"), "{message}");
    let reader = Reader::open(folder.join("swing-run")).expect("results");
    assert!(reader.complete() && reader.rows() > 10);
    let outcome = &reader.summary().expect("a summary").outcome;
    assert_eq!(outcome.run.ending.status, Status::Interrupted);
    assert!(!second_part.exists());
}

#[test]
fn the_template_runs() {
    let folder = scratch("run-template");
    let written = pliant_in(&folder, &["new", "swing"], "");
    assert!(written.stderr.contains("pliant run swing.toml"), "{}", written.stderr);
    pliant_in(&folder, &["new", "flexible"], "").done();
    let text = pliant_in(&folder, &["run", "swing.toml", "--duration", "20 ms"], "").done();
    assert!(text.contains("upper.y1") && text.contains("fore.tip.position.x"), "{text}");
    let reader = Reader::open(folder.join("swing-run")).expect("results");
    assert!(reader.column("gauge").is_ok() && reader.column("shaft").is_ok());
    // the controller that its comments offer can be switched on
    let text = std::fs::read_to_string(folder.join("swing.toml")).expect("written");
    let (before, rest) = text.split_once("# [[controller]]").expect("a controller");
    let (controller, after) = rest.split_once("\n\n").expect("an end");
    let controller = controller.replace("\n# ", "\n").replace("\n#\n", "\n");
    let text = format!("{before}[[controller]]{controller}\n\n{after}");
    std::fs::write(folder.join("servo.toml"), text).expect("written");
    pliant_in(&folder, &["run", "servo.toml", "--duration", "20 ms"], "").done();
    let reader = Reader::open(folder.join("servo-run")).expect("results");
    let forces = reader.column("upper.force").expect("a channel");
    assert!(forces.iter().any(|force| *force != 0.0), "it does nothing");
}

#[test]
fn the_choice_of_a_method_is_reported() {
    let folder = with_pendulum("run-method");
    let text = pliant_in(&folder, &["run", "swing.toml"], "").done();
    assert!(text.contains("foreseen: the arm has neither springs"), "{text}");
    let summary = std::fs::read_to_string(folder.join("swing-run/summary.json")).expect("there");
    assert!(summary.contains("\"method_reason\": \"the arm has neither springs"), "{summary}");
    let text = format!("method = \"generalised-alpha\"\nstep = \"1 ms\"\n{PENDULUM}");
    std::fs::write(folder.join("alpha.toml"), text).expect("written");
    let text = pliant_in(&folder, &["run", "alpha.toml"], "").done();
    let wanted = "generalised-alpha, step 0.001 s, spectral radius 0.8: 100 steps";
    assert!(text.contains(wanted) && !text.contains("chosen"), "{text}");
}

#[test]
fn scenarios_can_be_checked() {
    let checked = pliant(&["check", "scenarios/king-swing.toml"]).done();
    assert!(checked.contains("ok, 5 s of an arm of 2 links"), "{checked}");
    let folder = with_pendulum("run-check");
    std::fs::write(folder.join("bad.toml"), PENDULUM.replace("record", "recrd")).expect("written");
    let refused = pliant_in(&folder, &["check", "bad.toml"], "").refused();
    assert!(refused.contains("did you mean record?"), "{refused}");
}

/// One object: all of summary.json, and where it is; also of a run that is not told of.
#[test]
fn runs_are_printed_as_an_object() {
    let folder = with_pendulum("run-json");
    let all = ["run", "swing.toml", "--format", "json", "--csv", "--no-report", "-q"];
    let done = pliant_in(&folder, &all, "");
    assert_eq!(done.stderr, "");
    let printed: serde_json::Value = serde_json::from_str(&done.done()).expect("one object");
    let file = std::fs::read_to_string(folder.join("swing-run/summary.json")).expect("a summary");
    let mut file: serde_json::Value = serde_json::from_str(&file).expect("an object");
    assert_eq!(printed["folder"], "swing-run");
    assert_eq!(printed["rows"], 21);
    file["folder"] = "swing-run".into();
    // which is of the bytes of the file
    file.as_object_mut().expect("an object").remove("checksum").expect("one");
    file["files"].as_array_mut().expect("files").push("result.csv".into());
    assert_eq!(printed, file);
}

#[test]
fn the_schema_of_scenarios_is_printed() {
    let schema = pliant(&["schema", "scenario"]).done();
    assert!(schema.contains("pliant scenario") && schema.contains("static equilibrium"));
    assert!(pliant(&["schema"]).done().contains("pliant arm"));
}

/// What is printed of errors says what it is, and nothing is printed of rows that there are not.
#[test]
fn figures_of_tracking_say_what_they_are() {
    let folder = with_pendulum("run-tracks");
    let servo = "\n[[controller]]\nkind = \"pd\"\nname = \"servo\"\nperiod = \"1 ms\"\nfull_state = true\n\
        joint = { motor = \"bob\", stiffness = 1, damping = 1, target = { kind = \"constant\", value = \"1 rad\" } }\n";
    let text = PENDULUM.replace("\n[arm]", &format!("{servo}\n[arm]"));
    std::fs::write(folder.join("tracks.toml"), text).expect("written");
    let text = pliant_in(&folder, &["run", "tracks.toml", "--no-report"], "").done();
    for part in ["not settled", "2 % of its travel", "100 e^2/s^2 + (de/dt)^2", " rad^2/s"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let arm = root().join("robots/theodore-rrp.toml");
    let text = format!(
        "arm = \"{}\"\nduration = 1\nstart = \"static equilibrium\"\n\
         [plan]\nkind = \"joints\"\npoints = [[0, 0, 0.6], [0.3, 0.3, 0.8]]\ndurations = [1]\n\
         [[controller]]\nkind = \"composite\"\nname = \"law\"\nfull_state = true\nperiod = \"1 ms\"\nstiffness = 25\ndamping = 10\n",
        arm.display()
    );
    std::fs::write(folder.join("gives-up.toml"), text).expect("written");
    let run = pliant_in(&folder, &["run", "gives-up.toml", "--no-report"], "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("0 rows of"), "{}", run.stdout);
    for claim in ["NaN", "settled", "extremes", "slides at"] {
        assert!(!run.stdout.contains(claim), "{claim}: {}", run.stdout);
    }
}

/// A step of a tenth of the period loses a part of the energy that counts.
#[test]
fn a_drift_of_energy_is_told_and_strict_runs_fail() {
    let folder = with_pendulum("run-strict");
    let coarse = format!("method = \"rk4\"\nstep = \"0.2 s\"{PENDULUM}");
    std::fs::write(folder.join("coarse.toml"), coarse.replace("100 ms", "20 s")).expect("written");
    let text = pliant_in(&folder, &["run", "coarse.toml", "-o", "lenient"], "").done();
    let told = "warning: the energy drifts by ";
    assert!(text.contains(told) && text.contains("give a shorter step"), "{text}");
    let summary = Reader::open(folder.join("lenient")).expect("results");
    let warnings = &summary.summary().expect("a summary").outcome.warnings;
    assert!(
        warnings.iter().any(|warning| warning.starts_with("the energy drifts")),
        "{warnings:?}"
    );
    let strict = ["run", "coarse.toml", "-o", "strict", "--strict"];
    let run = pliant_in(&folder, &strict, "");
    assert_eq!((run.code, run.stdout.is_empty()), (Some(1), false));
    let refused = run.stderr;
    assert!(refused.contains("--strict allows none: the energy drifts by "), "{refused}");
    assert!(refused.contains("kept in strict"), "{refused}");
    assert!(Reader::open(folder.join("strict")).expect("results").complete());
    assert!(bytes(&folder.join("lenient")) == bytes(&folder.join("strict")), "the bytes differ");
    // the tolerance keeps it
    pliant_in(&folder, &["run", "swing.toml", "-o", "good", "--strict", "-q"], "").done();
}

/// What does not move has no relative figures.
#[test]
fn figures_of_an_arm_at_rest_are_dashes() {
    let folder = scratch("run-at-rest");
    let text = "duration = \"0.1 s\"\n[arm]\ngravity = [0, 0, 0]\n[[arm.link]]\nname = \"hull\"\n\
                joint = { kind = \"free\" }\nmass = 2\ninertia = [0.1, 0.2, 0.25]\n";
    std::fs::write(folder.join("rest.toml"), text).expect("written");
    let told = pliant_in(&folder, &["run", "rest.toml"], "").done();
    assert!(told.contains(" J, - of the largest kinetic energy"), "{told}");
    assert!(told.contains("kg m^2/s, - and - of the largest"), "{told}");
    let json = std::fs::read_to_string(folder.join("rest-run/summary.json")).expect("a summary");
    assert_eq!(json.matches("\"relative\": null").count(), 3, "{json}");
    let page = std::fs::read_to_string(folder.join("rest-run/report.html")).expect("a page");
    assert!(page.contains("J, - of the largest kinetic energy"), "the page");
}
