//! Runs that do not end well: killed at any instant, and disks that take no more.
//!
//! The test binary starts itself as the run that is killed or limited.

use pliant::simulate::{Channel, ChannelRole, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::results::{Error, Metadata, Reader, RunFolder, RunOutcome, Saved, Writer};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Tells a child which folder to write.
const FOLDER: &str = "PLIANT_TEST_RUN_FOLDER";

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("results_broken").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

fn start(folder: &Path) -> Result<Writer, Error> {
    let channels = vec![
        Channel::new("wall", "s", ChannelRole::Other),
        Channel::new("number", "", ChannelRole::Other),
    ];
    RunFolder::create(folder, Existing::Refuse)?.start("", channels, Metadata::new("", "rk4"))
}

fn wall() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}

/// What a child runs.
const CHILD: &str = "results_broken::child_writes_until_it_cannot";

/// Rows for as long as it may last, or until the disk is full. Only the parent gives a folder.
#[test]
#[ignore = "started by the other tests as a process of its own"]
#[allow(clippy::print_stdout, reason = "the parent listens")]
fn child_writes_until_it_cannot() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut writer = start(Path::new(&folder)).unwrap();
    println!("\nstarted");
    let mut number = 0_u64;
    loop {
        for _ in 0..5 {
            writer
                .row(number as f64 / 1e3, &[wall(), number as f64])
                .unwrap_or_else(|error| give_up(&error));
            number += 1;
        }
        if number == 10 {
            // a part that is small enough for any limit
            writer.close_part().unwrap_or_else(|error| give_up(&error));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[allow(clippy::print_stdout, reason = "the parent listens")]
fn give_up(error: &Error) -> ! {
    println!("\nerror: {error}");
    std::process::exit(0);
}

/// The child, perhaps behind a line of shell that ends in `exec "$@"`.
fn child(folder: &Path, shell: Option<&str>) -> Child {
    let own = std::env::current_exe().unwrap();
    let mut command = match shell {
        Some(line) => {
            let mut command = Command::new("sh");
            command.args(["-c", line, "sh"]).arg(own);
            command
        }
        None => Command::new(own),
    };
    command
        .args(["--ignored", "--exact", "--nocapture", CHILD])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_for_start(child: &mut Child) {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "started"), "the child does not start");
}

/// Numbers between 0 and 1 from a seed (Knuth's linear congruence).
fn random(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

#[test]
fn killed_at_any_instant_the_folder_opens() {
    let begin = Instant::now();
    let mut runs: Vec<(f64, PathBuf, Child)> = random(5)
        .take(20)
        .enumerate()
        .map(|(index, at)| {
            let folder = fresh(&format!("killed-{index}"));
            let run = child(&folder, None);
            (at * 3.0, folder, run)
        })
        .collect();
    for (_, _, run) in &mut runs {
        wait_for_start(run);
    }
    let started = begin.elapsed().as_secs_f64();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut longest = 0.0_f64;
    let mut rows = 0;
    for (at, folder, mut run) in runs {
        let wait = at + started - begin.elapsed().as_secs_f64();
        std::thread::sleep(Duration::from_secs_f64(wait.max(0.0)));
        let killed = wall();
        run.kill().unwrap();
        run.wait().unwrap();

        let reader = Reader::open(&folder).unwrap();
        assert!(!reader.complete() && reader.warnings().is_empty());
        let written = reader.column("wall").unwrap();
        let numbers = reader.column("number").unwrap();
        assert!(numbers.iter().enumerate().all(|(row, number)| *number == row as f64));
        assert_eq!(numbers.len() as u64, reader.rows());
        rows += reader.rows();
        // a run that had no second yet may have saved nothing
        if let Some(last) = written.last() {
            longest = longest.max(killed - last);
        } else {
            assert!(at < 2.0, "nothing saved after {at} s");
        }
    }
    assert!(longest < 2.0, "the last row was {longest} s old");
    assert!(rows > 1000, "only {rows} rows in all");
}

/// What the child says at its end.
fn last_words(mut child: Child) -> String {
    let mut words = String::new();
    child.stdout.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(child.wait().unwrap().success());
    words.lines().find(|line| line.starts_with("error:")).unwrap_or_default().to_owned()
}

#[test]
fn a_limit_for_files_ends_the_run_with_an_error() {
    // 8 blocks of 512 or 1024 bytes: a part of ten rows fits, one of a thousand does not
    let line = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let folder = fresh("limited");
    let words = last_words(child(&folder, Some(line)));
    assert!(words.contains("part-00002.parquet cannot be written"), "{words}");
    assert!(words.contains("10 rows up to t = 0.009 s are safe in the part files"), "{words}");
    let reader = Reader::open(&folder).unwrap();
    assert!(!reader.complete());
    assert_eq!((reader.rows(), reader.channels().len()), (10, 3));
}

#[test]
fn a_full_disk_is_an_error_and_the_parts_stay() {
    let folder = fresh("full");
    let mut writer = start(&folder).unwrap();
    for row in 0..100 {
        writer.row(f64::from(row), &[0.0, f64::from(row)]).unwrap();
    }
    writer.close_part().unwrap();
    // a disk that is not there takes nothing either
    let away = fresh("full-away");
    std::fs::rename(&folder, &away).unwrap();
    writer.row(100.0, &[0.0, 100.0]).unwrap();
    let error = writer.close_part().unwrap_err();
    std::fs::rename(&away, &folder).unwrap();
    let saved = Saved { rows: 100, until: Some(99.0), merged: false };
    let Error::Write { file, saved: said, .. } = &error else { panic!("{error}") };
    assert_eq!((file, *said), (&folder.join("part-00002.parquet"), saved));
    let message = error.to_string();
    assert!(message.contains("100 rows up to t = 99 s are safe in the part files"), "{message}");
    assert_eq!(Reader::open(&folder).unwrap().rows(), 100);

    // the row is not lost when there is room again
    writer.row(101.0, &[0.0, 101.0]).unwrap();
    writer.close_part().unwrap();
    assert_eq!(Reader::open(&folder).unwrap().rows(), 102);

    std::fs::create_dir(folder.join("result.parquet")).unwrap();
    let error = writer.finish(RunOutcome::new(Summary::new(Status::Completed, 101.0))).unwrap_err();
    assert!(error.to_string().contains("result.parquet is in the way: it is a folder"), "{error}");
    let reader = Reader::open(&folder).unwrap();
    assert_eq!((reader.rows(), reader.complete()), (102, false));
    assert_eq!(reader.column("number").unwrap()[101], 101.0);
}

#[test]
fn a_full_disk_at_the_very_end_loses_only_the_times_it_took() {
    let folder = fresh("full-summary");
    let mut writer = start(&folder).unwrap();
    writer.row(0.5, &[0.0, 0.0]).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.join("summary.json")).unwrap();
    let error = writer
        .finish(RunOutcome::new(Summary::new(Status::Completed, 0.5)))
        .unwrap_err()
        .to_string();
    assert!(error.contains("summary.json is in the way: it is a symbolic link"), "{error}");
    std::fs::remove_file(folder.join("summary.json")).unwrap();
    let reader = Reader::open(&folder).unwrap();
    assert_eq!((reader.rows(), reader.complete()), (1, true));
    assert_eq!(reader.summary().map(|summary| summary.outcome.run.rows), Some(1));
}
