//! What results of `pliant run` can be trusted for: balances, and what stays when a run is killed or
//! the disk is full.

use super::{pliant_in, root, scratch};
use pliant::simulate::Status;
use pliant_io::results::{Reader, RunSummary};
use std::path::Path;

/// The summary of a run in this folder.
fn summary(folder: &Path) -> RunSummary {
    let text = std::fs::read_to_string(folder.join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("as it was written")
}

/// King's arm swinging for so long: the drift of its energy, relative.
fn swing(name: &str, duration: &str) -> f64 {
    let folder = scratch(name);
    let scenario = root().join("scenarios/king-swing.toml");
    let scenario = scenario.to_str().expect("a path");
    let arguments = ["run", scenario, "--duration", duration, "--tolerance", "1e-10", "-o", "out"];
    pliant_in(&folder, &arguments, "").done();
    let summary = summary(&folder.join("out"));
    assert_eq!(summary.outcome.run.ending.status, Status::Completed);
    assert_eq!(summary.metadata.method, "auto");
    assert_eq!(summary.outcome.run.statistics.implicit_steps, 0);
    assert_eq!(summary.metadata.relative_tolerance, Some(1e-10));
    summary.outcome.run.energy_drift.expect("a balance").relative.expect("it moves")
}

#[test]
fn king_swings_for_two_seconds() {
    let drift = swing("trust-king-short", "2 s");
    // no more than the tolerance
    assert!(drift < 1e-10, "{drift:e}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn king_swings_for_a_minute() {
    let drift = swing("trust-king", "60 s");
    assert!(drift < 1e-8, "{drift:e}");
}

/// A hub that floats and tumbles, with two links that bend.
const FLOATING: &str = r#"
duration = "5 s"
tolerance = 1e-11
rates = { hub = [0.3, -0.2, 0.1, "20 deg/s", "-15 deg/s", "30 deg/s"], upper = "60 deg/s" }
initial = { upper = "20 deg", "upper.y1" = "10 mm", "fore.z1" = "-5 mm" }
record = { every = "10 ms", channels = ["coordinates", "momenta", "energies"] }
input = { motor = "fore", kind = "sine", amplitude = "0.5 N m", frequency = "1 Hz" }

[arm]
gravity = [0, 0, 0]

[[arm.link]]
name = "hub"
joint = "free"
shape = { kind = "box", size = ["0.5 m", "0.4 m", "0.3 m"], mass = "20 kg" }

[[arm.link]]
name = "upper"
placement = ["0.25 m", 0, 0]
joint = { kind = "revolute", axis = "z" }
length = "1 m"
material = "aluminium"
section = { kind = "round", diameter = "14 mm" }
bends = { y = 2, z = 1 }

[[arm.link]]
name = "fore"
joint = { kind = "revolute", axis = "y" }
length = "0.8 m"
material = "aluminium"
section = { kind = "round", diameter = "12 mm" }
bends = { y = 1, z = 1 }
payload = { mass = "0.5 kg" }
"#;

#[test]
fn a_floating_arm_keeps_its_momenta() {
    let folder = scratch("trust-floating");
    std::fs::write(folder.join("floating.toml"), FLOATING).expect("written");
    pliant_in(&folder, &["run", "floating.toml"], "").done();
    let run = folder.join("floating-run");
    let outcome = summary(&run).outcome;
    let drift = outcome.run.momentum_drift.expect("nothing touches it");
    assert!(
        drift.linear.relative.expect("it moves") < 1e-9
            && drift.angular.relative.expect("it moves") < 1e-9,
        "{drift:?}"
    );
    // it does move, and the motor works
    let reader = Reader::open(&run).expect("results");
    let column = |name: &str| reader.column(name).expect("a channel");
    assert!(column("upper").iter().any(|angle| angle.abs() > 1.0));
    assert!(column("work.motors").iter().any(|work| work.abs() > 0.05));
    assert!(outcome.run.energy_drift.expect("a balance").relative.expect("it moves") < 1e-8);
    // quaternions are unit to roundoff in every row
    let parts = ["w", "x", "y", "z"].map(|part| column(&format!("hub.quat_{part}")));
    for row in 0..parts[0].len() {
        let length = parts.iter().map(|part| part[row] * part[row]).sum::<f64>();
        assert!((length - 1.0).abs() < 4.0 * f64::EPSILON, "row {row}: {length}");
    }
}

/// A pendulum that swings for as long as one likes, with a row EVERY so often.
#[cfg(unix)]
const ENDLESS: &str = r#"
duration = "1e7 s"
record = { every = "EVERY" }

[arm]
gravity = [0, -9.81, 0]

[[arm.link]]
name = "bob"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
payload = { mass = 1 }
"#;

#[cfg(unix)]
mod broken {
    use super::super::scratch;
    use super::{ENDLESS, Reader};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant, SystemTime};

    /// Rows by the thousand: their number closes parts.
    const MANY: &str = "5 ms";

    /// Rows so few that only the time they have waited closes parts: a part is full after 280000 of
    /// them, which takes tens of seconds.
    const FEW: &str = "1 s";

    /// Starts an endless run, perhaps behind a line of shell that ends in `exec "$@"`.
    fn start(folder: &Path, every: &str, shell: Option<&str>) -> Child {
        let pliant = env!("CARGO_BIN_EXE_pliant");
        let mut command = match shell {
            Some(line) => {
                let mut command = Command::new("sh");
                command.args(["-c", line, "sh", pliant]);
                command
            }
            None => Command::new(pliant),
        };
        let text = ENDLESS.replace("EVERY", every);
        std::fs::write(folder.join("endless.toml"), text).expect("written");
        command
            .args(["run", "endless.toml", "-o", "out", "--force"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("pliant runs")
    }

    fn wait_for(file: &Path) {
        let start = Instant::now();
        while !file.exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "{} does not come", file.display());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The whole parts of a run and when each was written.
    fn parts(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
        let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one"));
        let parts = paths
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "parquet"));
        let mut parts: Vec<_> = parts
            .map(|path| {
                let written = std::fs::metadata(&path).and_then(|about| about.modified());
                (path, written.expect("a time"))
            })
            .collect();
        parts.sort();
        parts
    }

    /// A part holds every row that was there when it was written, and rows come every few
    /// milliseconds. So the age of the last part is that of the last row.
    #[test]
    fn killed_at_any_instant_the_folder_opens() {
        let folder = scratch("trust-killed");
        let out = folder.join("out");
        let (mut state, mut oldest, mut with_rows) = (5_u64, Duration::ZERO, 0);
        for round in 0..20 {
            let _ = std::fs::remove_dir_all(&out);
            let mut run = start(&folder, FEW, None);
            wait_for(&out.join("part-00000.parquet"));
            // Knuth's linear congruence; up to 2.5 s
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let wait = 2.5 * (state >> 11) as f64 / (1_u64 << 53) as f64;
            std::thread::sleep(Duration::from_secs_f64(wait));
            let killed = SystemTime::now();
            run.kill().expect("killed");
            run.wait().expect("gone");

            let reader = Reader::open(&out).expect("it opens");
            assert!(!reader.complete() && reader.warnings().is_empty());
            let times = reader.time().expect("times");
            assert!(times.iter().enumerate().all(|(row, t)| *t == row as f64));
            let parts = parts(&out);
            let (last, written) = parts.last().expect("one at least");
            let age = killed.duration_since(*written).unwrap_or_default();
            oldest = oldest.max(age);
            assert!(
                age < Duration::from_secs(2),
                "round {round}: {} is {age:?} old",
                last.display()
            );
            // each part but the first, empty one brings rows
            assert!(times.len() >= parts.len() - 1, "{} rows", times.len());
            assert!(times.len() < 280_000, "{} rows close parts by their number", times.len());
            with_rows += usize::from(!times.is_empty());
        }
        assert!(with_rows > 5, "only {with_rows} runs lived long enough");
        assert!(oldest > Duration::from_millis(200), "{oldest:?} says nothing");
    }

    /// The run ends by itself: its exit code and its message.
    fn ended(run: Child) -> (Option<i32>, String) {
        let output = run.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    #[test]
    fn a_limit_for_files_ends_the_run() {
        // 64 blocks of 512 or 1024 bytes: the empty part fits, one with the rows of a second does not
        let folder = scratch("trust-limit");
        let (code, message) = ended(start(&folder, MANY, Some("ulimit -f 64; exec \"$@\"")));
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains("part-00001.parquet cannot be written"), "{message}");
        assert!(message.contains("raise the limit for the size of files"), "{message}");
        let reader = Reader::open(folder.join("out")).expect("it opens");
        assert!(!reader.complete());
    }

    #[test]
    fn a_lost_disk_ends_the_run() {
        let folder = scratch("trust-full");
        let out = folder.join("out");
        let run = start(&folder, MANY, None);
        // the first rows are known to be safe once the checkpoint behind them is there; a part that
        // has just got its name may still be on its way to the disk
        wait_for(&out.join("checkpoint.bin"));
        // a disk that is not there takes no more either
        let away = folder.join("away");
        std::fs::rename(&out, &away).expect("moved");
        let (code, message) = ended(run);
        assert_eq!(code, Some(1), "{message}");
        // a part, or the checkpoint behind it
        let files = [".parquet cannot be written", "checkpoint.bin cannot be written"];
        assert!(files.iter().any(|file| message.contains(file)), "{message}");
        assert!(message.contains("are safe in the part files"), "{message}");
        let reader = Reader::open(&away).expect("it opens");
        assert!(!reader.complete() && reader.warnings().is_empty());
        assert!(reader.rows() > 1000 && !parts(&away).is_empty(), "{} rows", reader.rows());
    }

    #[test]
    fn a_full_standard_output_is_an_error() {
        let folder = scratch("trust-full-stdout");
        let line = "\"$@\" --duration 0.1 > /dev/full";
        let (code, message) = ended(start(&folder, MANY, Some(line)));
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains("the standard output cannot be written: No space"), "{message}");
        // the results are there all the same
        assert!(Reader::open(folder.join("out")).expect("it opens").complete());
    }
}
