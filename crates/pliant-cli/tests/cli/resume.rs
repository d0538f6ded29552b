//! `pliant run --continue`: runs that are killed end with the files of runs that are not.

use super::run::with_pendulum;
use super::{pliant_in, root, scratch};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The first file that is written when parts are merged.
const MERGED: &str = "result.parquet.";

/// Joints with sensors and controllers whose numbers come late and with noise, by the method that is
/// chosen by itself.
const LATE: &str = r#"
duration = "6 s"
record = { every = "0.2 ms" }
seed = 3

[arm]
name = "two"
gravity = [0, -9.81, 0]

[[arm.link]]
name = "upper"
joint = { kind = "revolute", axis = "z", damping = "0.1 N m s/rad" }
length = "1 m"
section = { kind = "round", radius = "8 mm" }
material = { young = "69 GPa", shear = "26 GPa", density = "2780 kg/m^3" }
bends = { y = 2 }

[[arm.link]]
name = "fore"
joint = { kind = "revolute", axis = "z", damping = "0.1 N m s/rad" }
length = "0.8 m"
payload = { mass = "0.3 kg" }

[[sensor]]
kind = "encoder"
name = "shaft"
coordinate = "upper"
period = "1 ms"
delay = "1 ms"
noise = "0.2 mrad"

[[controller]]
kind = "pd"
name = "hold"
period = "1 ms"
delay = "1 ms"

[[controller.joint]]
motor = "upper"
sensor = "shaft"
stiffness = "60 N m/rad"
damping = "3 N m s/rad"
limit = "20 N m"
target = { kind = "sine", amplitude = "20 deg", frequency = "0.5 Hz" }

[[event]]
name = "straight"
expression = "fore"
action = "report"
"#;

/// Where a run in one go is, and those that are killed.
const WHOLE: &str = "whole";
const KILLED: &str = "killed";

/// A scenario whose runs are killed, and how long one takes.
struct Case {
    folder: PathBuf,
    arguments: Vec<&'static str>,
    whole: Vec<(String, Vec<u8>)>,
    takes: Duration,
    /// From the first byte of the result to the end.
    merging: Duration,
    random: u64,
}

/// When a run is killed.
#[derive(Clone, Copy, PartialEq)]
enum Kill {
    /// After this part of the time it takes.
    At(f64),
    /// After this part of the time that merging takes.
    Merging(f64),
    /// As soon as it has made a checkpoint.
    Checkpoint,
    /// Then, with Ctrl-C.
    Interrupt,
}

impl Case {
    /// Runs it once in one go.
    fn new(name: &str, scenario: &str, arguments: &[&'static str], seed: u64) -> Self {
        let folder = scratch(&format!("resume-{name}"));
        std::fs::write(folder.join("moves.toml"), scenario).expect("written");
        // a page says where the run is
        for place in [WHOLE, KILLED] {
            std::fs::create_dir(folder.join(place)).expect("a folder");
        }
        let arguments = [&["../moves.toml", "-q"], arguments].concat();
        let none = (Vec::new(), Duration::ZERO, Duration::ZERO);
        let (whole, takes, merging) = none;
        let mut case = Self { folder, arguments, whole, takes, merging, random: seed };
        let (mut child, start) = (case.start(WHOLE, false), Instant::now());
        let place = case.results(WHOLE);
        while !is_merging(&place) && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let merging = Instant::now();
        assert!(child.wait().expect("it ends").success());
        (case.takes, case.merging) = (start.elapsed(), merging.elapsed());
        case.whole = left(&place);
        case
    }

    /// The next of numbers from 0 to 1 that look random.
    fn next(&mut self) -> f64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 40) as f64 / (1_u64 << 24) as f64
    }

    fn results(&self, place: &str) -> PathBuf {
        self.folder.join(place).join("moves-run")
    }

    fn start(&self, place: &str, continues: bool) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        // what is to be made of the results is remembered, unless it was killed before it had begun
        let knows = |name: &str| self.results(place).join(name).exists();
        let is_known = continues && (knows("exports.txt") || knows("summary.json"));
        let is_export = |word: &&&str| ["--csv", "--npz", "--no-report"].contains(*word);
        let again = self.arguments.iter().filter(|word| !(is_known && is_export(word)));
        command.arg("run").args(again).args(continues.then_some("--continue"));
        command.current_dir(self.folder.join(place));
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("pliant runs")
    }

    /// Kills a run, unless it ends before; whether it was killed, and whether while it was merging.
    fn kill(&self, mut child: Child, place: &Path, kill: Kill) -> (bool, bool) {
        let checkpoint = || std::fs::metadata(place.join("checkpoint.bin")).ok()?.modified().ok();
        let (start, known) = (Instant::now(), checkpoint());
        let mut until = match kill {
            Kill::At(part) => Some(start + self.takes.mul_f64(part)),
            _ => None,
        };
        while until.is_none_or(|until| Instant::now() < until) {
            if let Some(status) = child.try_wait().expect("a child") {
                assert!(status.success(), "{}", said(child));
                return (false, false);
            }
            until = until.or_else(|| match kill {
                Kill::Merging(part) => {
                    is_merging(place).then(|| Instant::now() + self.merging.mul_f64(part))
                }
                _ => (checkpoint() != known).then(Instant::now),
            });
            std::thread::sleep(Duration::from_micros(200));
        }
        if kill == Kill::Interrupt {
            let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(signal.expect("a signal").success());
        } else {
            child.kill().expect("it is ours");
        }
        let _ = child.wait();
        let is_there = |name: &str| place.join(name).exists();
        let merges = is_merging(place) || is_there("result.parquet");
        (true, merges && !is_there("summary.json"))
    }

    /// Takes a run up to its end, and compares what it leaves.
    fn finish(&self, what: &str) {
        let mut child = self.start(KILLED, true);
        let ended = child.wait().expect("it ends");
        assert!(ended.success(), "{what}: {}", said(child));
        let found = left(&self.results(KILLED));
        let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
            files.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&found), names(&self.whole), "{what}");
        for ((name, found), (_, whole)) in found.iter().zip(&self.whole) {
            assert!(found == whole, "{what}: {name} is another one");
        }
    }

    /// Kills fifty runs, ten of them while they merge, each time a new one.
    fn kill_fifty(&mut self) {
        let mut counts = [0; 2];
        for trial in 0..150 {
            if counts[0] >= 50 && counts[1] >= 10 {
                return;
            }
            let part = self.next();
            let kill = if counts[0] < 40 { Kill::At(part) } else { Kill::Merging(0.7 * part) };
            let place = self.results(KILLED);
            let _ = std::fs::remove_dir_all(&place);
            let (killed, merging) = self.kill(self.start(KILLED, false), &place, kill);
            counts = [counts[0] + usize::from(killed), counts[1] + usize::from(merging)];
            self.finish(&format!("trial {trial}"));
        }
        panic!("{counts:?} were killed, and while they merged");
    }
}

/// Whether a result is being written there.
fn is_merging(place: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(place) else { return false };
    let is_result = |name: &str| name.starts_with(MERGED) && name.ends_with(".partial");
    entries.flatten().any(|entry| is_result(&entry.file_name().to_string_lossy()))
}

/// The last words of a process.
fn said(child: Child) -> String {
    let output = child.wait_with_output().expect("it has ended");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All files of a run; of the summary what is not about times.
fn left(place: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(place).expect("a folder").flatten();
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let mut bytes = std::fs::read(entry.path()).expect("a file");
            if name == "summary.json" {
                let mut summary: serde_json::Value =
                    serde_json::from_slice(&bytes).expect("a summary");
                let keys = summary.as_object_mut().expect("keys");
                assert!(keys.remove("checksum").is_some());
                // a run that is killed between result and summary, and before its first
                // checkpoint, does not know its times, nor whether it was compiled
                for key in ["wall_seconds", "cpu_seconds", "compiled"] {
                    keys.remove(key);
                }
                bytes = summary.to_string().into_bytes();
            }
            (name, bytes)
        })
        .collect();
    files.sort();
    files
}

fn gauged() -> String {
    let file = root().join("scenarios/gauged-bar.toml");
    std::fs::read_to_string(file).expect("a scenario").replace("\"2 ms\"", "\"0.2 ms\"")
}

/// A law with an estimator and a noisy gauge is killed again and again, once by Ctrl-C and once while
/// it merges.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_the_files_of_one_go() {
    let case = Case::new("gauged", &gauged(), &["--duration", "20 s", "--csv", "--npz"], 1);
    let place = case.results(KILLED);
    let mut was_killed = Vec::new();
    let kills = [Kill::At(0.1), Kill::Checkpoint, Kill::Interrupt, Kill::Merging(0.1)];
    for (kill, continues) in kills.into_iter().zip([false, true, true, true]) {
        was_killed.push(case.kill(case.start(KILLED, continues), &place, kill).0);
        if !was_killed.ends_with(&[true]) {
            break;
        }
    }
    case.finish("again and again");
    // a fast machine may be done with it sooner
    assert!(was_killed.starts_with(&[true, true]), "{was_killed:?}");
}

#[test]
#[ignore = "long: a hundred random instants, twenty of them while merging, of two scenarios"]
fn runs_killed_at_a_hundred_instants_leave_the_files_of_one_go() {
    let gauged = ["--no-report", "--duration", "8 s"];
    Case::new("gauged-long", &self::gauged(), &gauged, 11).kill_fifty();
    Case::new("late", LATE, &["--no-report"], 12).kill_fifty();
}

/// A run that goes on says from where, and one that has no checkpoint that it started.
#[cfg(unix)]
#[test]
fn a_run_that_goes_on_says_from_where() {
    let case = Case::new("told", &gauged(), &["--duration", "20 s", "--no-report"], 2);
    let place = case.results(KILLED);
    let (killed, _) = case.kill(case.start(KILLED, false), &place, Kill::Checkpoint);
    assert!(killed && place.join("exports.txt").is_file());
    let run = |arguments: &[&str]| {
        let folder = case.folder.join(KILLED);
        pliant_in(&folder, &[&["run", "--continue"], arguments].concat(), "")
    };
    let text = run(&["moves-run"]).done();
    let from = text.split("goes on from t = ").nth(1).and_then(|rest| rest.split(" s\n").next());
    let from: f64 = from.and_then(|from| from.parse().ok()).unwrap_or_else(|| panic!("{text}"));
    assert!(from > 0.0 && from < 20.0, "{text}");
    assert!(!text.contains("report.html") && !place.join("report.html").exists(), "{text}");
    std::fs::remove_dir_all(&place).expect("ours");
    let begun = run(&["../moves.toml", "--duration", "0.1 s"]);
    assert!(begun.stderr.contains("the run started at t = 0 s"), "{}", begun.stderr);
    let text = begun.done();
    assert!(!text.contains("goes on") && text.contains("report.html"), "{text}");
}

#[test]
fn runs_that_cannot_be_continued_say_why() {
    let folder = with_pendulum("resume-refused");
    let run = |arguments: &[&str]| pliant_in(&folder, &[&["run"], arguments].concat(), "");
    // where nothing is yet, a run begins
    let text = run(&["swing.toml", "--continue", "--csv"]).done();
    assert!(text.contains("swing: done; 0.1 s simulated"), "{text}");
    let bytes = |name: &str| std::fs::read(folder.join("swing-run").join(name)).expect("a file");
    let (result, csv) = (bytes("result.parquet"), bytes("result.csv"));
    assert!(!folder.join("swing-run/exports.txt").exists());
    // and where it has ended, what is asked for is made of its results, and nothing else
    for arguments in [["swing.toml", "--continue", "--csv"], ["--continue", "swing-run", "--csv"]] {
        std::fs::remove_file(folder.join("swing-run/result.csv")).expect("there");
        let text = run(&arguments).done();
        assert!(text.contains("ended at t = 0.1 s, nothing is left to continue"), "{text}");
        assert!(result == bytes("result.parquet") && csv == bytes("result.csv"));
    }
    for (name, arguments) in
        [("result.csv", &["--csv", "--no-report"][..]), ("report.html", &["--csv"])]
    {
        std::fs::write(folder.join("swing-run").join(name), "my thesis").expect("written");
        let ended = run(&[&["--continue", "swing-run"], arguments].concat());
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains(&format!("{name} exists already")), "{}", ended.stderr);
        assert_eq!(bytes(name), b"my thesis");
        std::fs::remove_file(folder.join("swing-run").join(name)).expect("there");
    }
    let text = run(&["--continue", "swing-run"]).done();
    assert!(!folder.join("swing-run/report.html").exists(), "{text}");
    let message = run(&["swing-run"]).refused();
    assert!(
        message.contains("is the folder of a run") && message.contains("--continue"),
        "{message}"
    );
    let text = run(&["--continue", "swing-run", "--format", "json"]).done();
    assert!(text.contains("\"folder\": \"swing-run\"") && text.contains("\"steps\""), "{text}");
    // another scenario
    let message = run(&["swing.toml", "--duration", "1 s", "--continue"]).refused();
    assert!(message.contains("its scenario is another one: duration was `"), "{message}");
    assert!(message.contains("--force"), "{message}");
    let message = run(&["swing-run", "--continue", "-o", "elsewhere"]).refused();
    assert!(message.contains("cannot be continued in elsewhere"), "{message}");
    let both = run(&["swing.toml", "--continue", "--force"]);
    assert!(both.code == Some(1) && both.stderr.contains("cannot be used with"), "{}", both.stderr);
    assert!(result == bytes("result.parquet"));
    // a failed run
    let torque = "[[input]]\nkind = \"expression\"\nmotor = \"bob\"\nexpression = \"exp(900*t)\"\n";
    let text = std::fs::read_to_string(folder.join("swing.toml")).expect("a scenario") + torque;
    std::fs::write(folder.join("fails.toml"), text).expect("written");
    assert_eq!(run(&["fails.toml", "-q", "--duration", "1 s"]).code, Some(1));
    let message = run(&["--continue", "fails-run"]).refused();
    assert!(message.contains("the run in fails-run failed at t = "), "{message}");
    assert!(message.contains("change the scenario and run it anew"), "{message}");
}

/// Without its checkpoint a run does not go on: what is left is to run it anew.
#[cfg(unix)]
#[test]
fn a_damaged_checkpoint_says_what_to_do() {
    let case = Case::new("damaged", &gauged(), &["--duration", "20 s", "--no-report"], 4);
    let place = case.results(KILLED);
    let (killed, _) = case.kill(case.start(KILLED, false), &place, Kill::Checkpoint);
    assert!(killed);
    let mut checkpoint = std::fs::read(place.join("checkpoint.bin")).expect("there");
    checkpoint[30] ^= 4;
    std::fs::write(place.join("checkpoint.bin"), checkpoint).expect("written");
    let folder = case.folder.join(KILLED);
    let message = pliant_in(&folder, &["run", "--continue", "moves-run"], "").refused();
    for part in ["checkpoint.bin is damaged", "with -o into another folder, or with --force"] {
        assert!(message.contains(part), "{message}");
    }
    let words = ["run", "../moves.toml", "-o", "moves-run", "--force", "--duration", "0.1 s", "-q"];
    pliant_in(&folder, &words, "").done();
}
