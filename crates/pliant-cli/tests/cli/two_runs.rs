//! Two runs into one folder: one of them is refused while the other lasts, and no row is of both.

use super::scratch;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A pendulum whose link has a name and a length.
fn pendulum(name: &str, duration: &str) -> String {
    format!(
        "duration = \"{duration}\"\nrecord = {{ every = \"1 s\" }}\ninitial = {{ {name} = \"-10 deg\" }}\n\
         [arm]\ngravity = [0, -9.81, 0]\n[[arm.link]]\nname = \"{name}\"\n\
         joint = {{ kind = \"revolute\", axis = \"z\" }}\nlength = \"1 m\"\npayload = {{ mass = 1 }}\n"
    )
}

/// Starts to run a scenario into a folder, by force.
fn start(folder: &Path, scenario: &str, into: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["run", scenario, "--force", "--no-report", "-o", into])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pliant runs")
}

/// The exit code and the message of a run.
fn ended(run: Child) -> (Option<i32>, String) {
    let output = run.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Runs two scenarios into one folder, the second later by each of these delays (s). How often one
/// was refused.
fn collide(folder: &Path, scenarios: [&str; 2], delays: impl Iterator<Item = f64>) -> usize {
    let result = |folder: &Path| std::fs::read(folder.join("result.parquet")).expect("a result");
    let alone = scenarios.map(|scenario| {
        let (code, message) = ended(start(folder, scenario, "alone"));
        assert_eq!(code, Some(0), "{message}");
        result(&folder.join("alone"))
    });
    assert!(alone[0] != alone[1]);
    let mut refusals = 0;
    for delay in delays {
        let first = start(folder, scenarios[0], "both");
        std::thread::sleep(Duration::from_secs_f64(delay));
        let second = start(folder, scenarios[1], "both");
        let processes = [first.id(), second.id()];
        let [(first, said), (second, says)] = [first, second].map(ended);
        let found = result(&folder.join("both"));
        // the message of the one that was refused, who held the folder, whose results are there
        let (message, holder, whole) = match (first, second) {
            (Some(0), Some(1)) => (says, processes[0], found == alone[0]),
            // at the same instant either may be the first
            (Some(1), Some(0)) => (said, processes[1], found == alone[1]),
            // one after the other
            (Some(0), Some(0)) => (String::new(), 0, alone.contains(&found)),
            other => panic!("after {delay} s: {other:?}: {said} {says}"),
        };
        assert!(whole, "after {delay} s: rows of both, or not all");
        if !message.is_empty() {
            let told = format!("both is in use by process {holder} ");
            assert!(message.contains(&told) && message.contains("-o"), "{message}");
            refusals += 1;
        }
        let left = std::fs::read_dir(folder.join("both")).expect("a folder").count();
        assert_eq!(left, 3, "after {delay} s");
    }
    refusals
}

#[test]
fn no_row_is_of_two_runs() {
    let folder = scratch("two-runs");
    for name in ["first", "second"] {
        let text = pendulum(name, if name == "first" { "4000 s" } else { "2000 s" });
        std::fs::write(folder.join(format!("{name}.toml")), text).expect("written");
    }
    let delays = [0.0, 0.01, 0.03, 0.07, 0.15, 0.3];
    let refusals = collide(&folder, ["first.toml", "second.toml"], delays.into_iter());
    assert!(refusals > 0, "never at the same time");
}

#[test]
#[ignore = "long: 20 delays up to 2 s, with the arms of two scenarios that bend"]
fn no_row_is_of_two_arms_that_bend() {
    let folder = scratch("two-runs-long");
    for (scenario, duration) in [("king-swing", "60 s"), ("six-slender", "20 s")] {
        let file = super::root().join(format!("scenarios/{scenario}.toml"));
        let text = std::fs::read_to_string(file).expect("a scenario");
        let line = text.lines().find(|line| line.starts_with("duration")).expect("a duration");
        let text = text.replace(line, &format!("duration = \"{duration}\""));
        let robots = super::root().join("robots");
        let text = text.replace("../robots", &robots.to_string_lossy());
        std::fs::write(folder.join(format!("{scenario}.toml")), text).expect("written");
    }
    let delays = (0..20).map(|k| f64::from(k) * 2.0 / 19.0);
    let refusals = collide(&folder, ["king-swing.toml", "six-slender.toml"], delays);
    assert!(refusals > 3, "only {refusals} at the same time");
}

/// A run that is killed leaves its lock, which holds nobody up.
#[cfg(unix)]
#[test]
fn the_lock_of_a_killed_run_is_stale() {
    let folder = scratch("stale-lock");
    for (name, duration) in [("endless", "1e7 s"), ("short", "10 s")] {
        let text = pendulum("bob", duration);
        std::fs::write(folder.join(format!("{name}.toml")), text).expect("written");
    }
    let mut run = start(&folder, "endless.toml", "out");
    while !folder.join("out/part-00000.parquet").exists() {
        assert!(run.try_wait().expect("a process").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    // readers need no lock
    let reader = pliant_io::results::Reader::open(folder.join("out")).expect("parts");
    assert!(!reader.complete());
    // nor does it help to leave --force out
    let refused = super::pliant_in(&folder, &["run", "short.toml", "-o", "out"], "").refused();
    let holder = format!("in use by process {} ", run.id());
    assert!(refused.contains(&holder) && refused.contains("run endless.toml"), "{refused}");
    run.kill().expect("killed");
    run.wait().expect("gone");
    let lock = std::fs::read_to_string(folder.join("out/run.lock")).expect("it is left");
    assert!(lock.starts_with(&format!("process {} ", run.id())), "{lock}");
    let (code, message) = ended(start(&folder, "short.toml", "out"));
    assert_eq!(code, Some(0), "{message}");
    assert!(!folder.join("out/run.lock").exists());
}
