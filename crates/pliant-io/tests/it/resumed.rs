//! Runs that are taken up again leave the files of runs in one go.

use crate::files::listed;
use pliant::Help;
use pliant::simulate::{Channel, ChannelRole, Progress, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::results::{
    BegunRun, Error, Metadata, Reader, Reopened, RunFolder, RunOutcome, Spent, Writer,
};
use pliant_io::scenario::{Overrides, Resumed, RunFailure, load, resume, run};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A folder of this name that does not exist.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("resumed").join(name);
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// The bytes of the files of a run; of the summary all that is not about the times it took.
fn left(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let bytes = |name: String| {
        let bytes = std::fs::read(folder.join(&name)).unwrap();
        if name != "summary.json" {
            return (name, bytes);
        }
        let mut summary: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        for key in ["wall_seconds", "cpu_seconds", "checksum"] {
            assert!(summary.as_object_mut().unwrap().remove(key).is_some(), "{key}");
        }
        (name, summary.to_string().into_bytes())
    };
    names(folder).into_iter().map(bytes).collect()
}

/// Every scenario of the repository, interrupted twice and taken up from its own folder.
#[test]
fn scenarios_that_are_taken_up_leave_the_files_of_one_go() {
    let mut files = listed("scenarios", &["toml"]).unwrap();
    files.extend(listed("crates/pliant-io/tests/good-scenarios", &["toml"]).unwrap());
    // what is doubtful about a URDF is not told by the arm that the folder holds
    let urdf = listed("crates/pliant-io/tests/urdf/good", &["urdf"]).unwrap();
    let urdf = urdf.iter().find(|file| file.ends_with("mimic.urdf")).expect("a URDF with doubts");
    let of_urdf = fresh("of_urdf.toml");
    std::fs::create_dir_all(of_urdf.parent().unwrap()).unwrap();
    std::fs::write(&of_urdf, format!("arm = {urdf:?}\nduration = 1\nlimits = \"ignore\"\n"))
        .unwrap();
    files.push(of_urdf);
    assert!(files.len() >= 16, "{}", files.len());
    let mut compared = 0;
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let short = Overrides::of([("duration", "0.1 s")]);
        let setup = load(&file, &short).unwrap_or_else(|why| panic!("{name}: {why}"));
        let (whole, pieces) = (fresh(&format!("{name}/whole")), fresh(&format!("{name}/pieces")));
        let finished =
            run(&setup, &whole, Existing::Refuse, &mut |_| ControlFlow::Continue(())).unwrap();
        let steps = finished.summary().statistics.steps;
        if steps < 4 {
            continue;
        }
        compared += 1;
        let stop_at = |stop: usize| {
            move |now: &Progress| {
                if now.steps == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        };
        let stopped = run(&setup, &pieces, Existing::Refuse, &mut stop_at(steps / 3)).unwrap();
        assert_eq!(stopped.summary().ending.status, Status::Interrupted, "{name}");
        drop(stopped);
        assert!(pieces.join("checkpoint.bin").exists());
        assert!(Reader::open(&pieces).unwrap().complete());
        for stop in [2 * steps / 3, usize::MAX] {
            let own = load(pieces.join("scenario.toml"), &Overrides::default()).unwrap();
            let again = resume(&own, &pieces, None, &mut stop_at(stop)).unwrap();
            assert!(matches!(again, Resumed::Finished(_)), "{name}");
        }
        drop(finished);
        assert!(left(&whole) == left(&pieces), "{name}");
        // now there is nothing left to do
        let Resumed::HadEnded(ended) =
            resume(&setup, &pieces, None, &mut |_| ControlFlow::Break(())).unwrap()
        else {
            panic!("{name} had ended");
        };
        drop(ended);
        assert!(left(&whole) == left(&pieces), "{name}");
    }
    assert!(compared >= 12, "{compared}");
}

#[test]
fn a_failed_run_is_not_taken_up() {
    let text = "duration = \"1 s\"\nmethod = \"rk4\"\nstep = \"50 ms\"\n[arm]\n[[arm.link]]\n\
                name = \"bob\"\njoint = { kind = \"revolute\", axis = \"y\" }\n\
                body = { mass = \"2 kg\", com = [1, 0, 0] }\n\
                [[input]]\nkind = \"expression\"\nmotor = \"bob\"\nexpression = \"exp(900*t)\"\n";
    let file = fresh("failing.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    let (setup, folder) = (load(&file, &Overrides::default()).unwrap(), fresh("failing"));
    let finished =
        run(&setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(finished.summary().ending.status, Status::Failed);
    drop(finished);
    let before = left(&folder);
    let Resumed::HadEnded(ended) =
        resume(&setup, &folder, None, &mut |_| ControlFlow::Continue(())).unwrap()
    else {
        panic!("it had ended");
    };
    assert_eq!(ended.written.outcome.run.ending.status, Status::Failed);
    drop(ended);
    assert!(before == left(&folder));
    // another scenario
    let other = load(&file, &Overrides::of([("step", "40 ms")])).unwrap();
    let refused = resume(&other, &folder, None, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(refused, RunFailure::Results(Error::CannotContinue { .. })), "{refused}");
    assert!(before == left(&folder));
}

const SCENARIO: &str = "duration = \"5 s\"\nmethod = \"rk4\"\n";

fn metadata() -> Metadata {
    let doubts = vec!["bent".to_owned()];
    Metadata { scenario: SCENARIO.to_owned(), doubts, ..Metadata::new("arm", "rk4") }
}

fn channels() -> Vec<Channel> {
    vec![Channel::new("row", "", ChannelRole::Other)]
}

fn record(writer: &mut Writer, rows: std::ops::Range<u32>) {
    for row in rows {
        writer.row(f64::from(row) * 0.01, &[f64::from(row)]).unwrap();
    }
}

fn spent() -> Spent {
    Spent { wall_seconds: 7.5, cpu_seconds: 3.25 }
}

/// A run of parts of ten rows: a checkpoint after the second, and so many parts after it.
fn begun(folder: &Path, parts: u32) -> Writer {
    let folder = RunFolder::create(folder, Existing::Refuse).unwrap();
    let mut writer = folder.start(SCENARIO, channels(), metadata()).unwrap();
    for part in 0..2 + parts {
        record(&mut writer, 10 * part..10 * (part + 1));
        writer.close_part().unwrap();
        if part == 1 {
            writer.checkpoint(0.5, vec![1.5, -0.0, f64::NAN], spent()).unwrap();
        }
    }
    writer
}

fn goes_on(folder: &Path) -> BegunRun {
    match RunFolder::reopen(folder, &metadata()).unwrap() {
        Reopened::GoesOn(run) => run,
        other => panic!("{other:?}"),
    }
}

fn ended(status: Status) -> RunOutcome {
    RunOutcome::new(Summary::new(status, 5.0))
}

#[test]
fn a_killed_run_goes_on_behind_its_checkpoint() {
    let folder = fresh("killed");
    drop(begun(&folder, 3));
    // what was being written when it was killed, and a part behind the checkpoint that broke
    std::fs::write(folder.join("part-00006.parquet.0123456789abcdef.partial"), "PAR").unwrap();
    std::fs::write(folder.join("part-00004.parquet"), "broken").unwrap();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    let run = goes_on(&folder);
    assert_eq!((run.checkpoint.rows, run.checkpoint.spent), (20, spent()));
    assert_eq!(run.doubts, ["bent"]);
    let bits: Vec<u64> = run.checkpoint.state.iter().map(|x| x.to_bits()).collect();
    assert_eq!(bits, [1.5, -0.0, f64::NAN].map(f64::to_bits));
    let kept = ["checkpoint.bin", "notes.txt", "part-00000.parquet", "part-00001.parquet"];
    let kept = [&kept[..], &["part-00002.parquet", "run.lock", "scenario.toml"]].concat();
    assert_eq!(names(&folder), kept);
    // nobody else takes it up meanwhile
    let other = RunFolder::reopen(&folder, &metadata()).unwrap_err();
    assert!(matches!(other, Error::InUse { .. }), "{other}");
    let mut writer = run.start(channels(), metadata()).unwrap();
    assert_eq!((writer.saved().rows, writer.saved().until), (20, Some(0.19)));
    record(&mut writer, 20..40);
    writer.finish(ended(Status::Completed)).unwrap();
    let left = ["notes.txt", "result.parquet", "scenario.toml", "summary.json"];
    assert_eq!(names(&folder), left);
    // as in one go
    let whole = fresh("killed-whole");
    let mut writer = begun(&whole, 0);
    record(&mut writer, 20..40);
    writer.finish(ended(Status::Completed)).unwrap();
    let bytes = |folder: &Path| std::fs::read(folder.join("result.parquet")).unwrap();
    assert!(bytes(&folder) == bytes(&whole));
}

#[test]
fn a_run_without_a_checkpoint_begins_anew() {
    let folder = fresh("no-checkpoint");
    let begins = |folder: &Path| match RunFolder::reopen(folder, &metadata()).unwrap() {
        Reopened::Begins(folder, doubts) => {
            assert!(doubts.is_none_or(|doubts| doubts == ["bent"]));
            folder
        }
        other => panic!("{other:?}"),
    };
    // nothing at all
    let mut writer = begins(&folder).start(SCENARIO, channels(), metadata()).unwrap();
    record(&mut writer, 0..10);
    drop(writer);
    // rows, but no checkpoint
    let mut writer = begins(&folder).start(SCENARIO, channels(), metadata()).unwrap();
    record(&mut writer, 0..5);
    drop(writer);
    assert_eq!(Reader::open(&folder).unwrap().rows(), 5);
    // the scenario alone, and not even that
    for name in ["part-00000.parquet", "part-00001.parquet"] {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    drop(begins(&folder));
    let partial = "scenario.toml.0123456789abcdef.partial";
    std::fs::rename(folder.join("scenario.toml"), folder.join(partial)).unwrap();
    drop(begins(&folder));
    assert!(names(&folder).is_empty());
    // another scenario is not replaced
    std::fs::write(folder.join("scenario.toml"), "duration = \"9 s\"\n").unwrap();
    let refused = RunFolder::reopen(&folder, &metadata()).unwrap_err().to_string();
    assert!(refused.contains("duration was `\"9 s\"` and is"), "{refused}");
    // what is no folder of a run
    let other = fresh("no-run");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("notes.txt"), "mine").unwrap();
    let refused = RunFolder::reopen(&other, &metadata()).unwrap_err();
    assert!(matches!(refused, Error::NotEmpty { .. }), "{refused}");
}

/// Killed after all rows were in the result: the rest is done.
#[test]
fn what_is_left_at_the_end_is_done() {
    let folder = fresh("at-the-end");
    let whole = fresh("at-the-end-whole");
    let result = |folder: &Path| std::fs::read(folder.join("result.parquet")).unwrap();
    drop(begun(&folder, 1).finish(ended(Status::Completed)).unwrap());
    let merged = result(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
    // parts are being removed, and there is no summary yet
    drop(begun(&folder, 1));
    std::fs::write(folder.join("result.parquet"), &merged).unwrap();
    std::fs::remove_file(folder.join("part-00001.parquet")).unwrap();
    let Reopened::Ended(run) = RunFolder::reopen(&folder, &metadata()).unwrap() else {
        panic!("it had ended");
    };
    assert_eq!(run.written.outcome.run.rows, 30);
    assert_eq!(run.written.outcome.wall_seconds, Some(spent().wall_seconds));
    drop(run);
    begun(&whole, 1)
        .finish(RunOutcome {
            wall_seconds: Some(1.0),
            cpu_seconds: Some(1.0),
            ..ended(Status::Completed)
        })
        .unwrap();
    assert!(left(&folder) == left(&whole));
}

/// Killed at any file system operation of taking up an interrupted run, it can be taken up again.
#[test]
fn an_interrupted_result_is_the_first_part_again() {
    let folder = fresh("interrupted");
    let mut writer = begun(&folder, 1);
    writer.checkpoint(2.5, vec![2.5], spent()).unwrap();
    let summary = writer.finish(ended(Status::Interrupted)).unwrap();
    assert!(summary.files.contains(&"checkpoint.bin".to_owned()));
    std::fs::write(folder.join("result.csv"), "short").unwrap();
    let rows = |folder: &Path| Reader::open(folder).unwrap().column("row").unwrap();
    let known = rows(&folder);
    assert_eq!(known.len(), 30);
    // the summary is gone, and a part was not removed when it was interrupted
    std::fs::remove_file(folder.join("summary.json")).unwrap();
    std::fs::write(folder.join("part-00002.parquet"), "left").unwrap();
    for _ in 0..2 {
        // the second time it was killed before it did anything
        let run = goes_on(&folder);
        assert_eq!((run.checkpoint.rows, run.checkpoint.state.as_slice()), (30, &[2.5][..]));
        assert_eq!(run.doubts, ["bent"]);
        drop(run);
        let there = ["checkpoint.bin", "part-00000.parquet", "scenario.toml"];
        assert_eq!(names(&folder), there);
        assert_eq!(rows(&folder), known);
    }
    let mut writer = goes_on(&folder).start(channels(), metadata()).unwrap();
    record(&mut writer, 30..40);
    writer.finish(ended(Status::Completed)).unwrap();
    let whole = fresh("interrupted-whole");
    let mut writer = begun(&whole, 2);
    writer.checkpoint(0.0, Vec::new(), spent()).unwrap();
    writer.finish(ended(Status::Completed)).unwrap();
    let bytes = |folder: &Path| std::fs::read(folder.join("result.parquet")).unwrap();
    assert!(bytes(&folder) == bytes(&whole));
}

#[test]
fn what_cannot_go_on_is_refused_and_not_touched() {
    let folder = fresh("refused");
    drop(begun(&folder, 1));
    let before = std::fs::read(folder.join("part-00002.parquet")).unwrap();
    let refused = |metadata: &Metadata| {
        let there = names(&folder);
        let error = RunFolder::reopen(&folder, metadata).unwrap_err();
        assert_eq!(names(&folder), there);
        error.with_help()
    };
    let other = |change: &dyn Fn(&mut Metadata)| {
        let mut other = metadata();
        change(&mut other);
        refused(&other)
    };
    let told = other(&|own| own.version = "9.9.9".to_owned());
    assert!(told.contains("and this is 9.9.9") && told.contains("run it anew"), "{told}");
    let told = other(&|own| own.arm_hash = "other".to_owned());
    assert!(told.contains("its arm is another one"), "{told}");
    let told = other(&|own| own.scenario = SCENARIO.replace("rk4", "dop853"));
    assert!(told.contains("method was `\"rk4\"` and is `\"dop853\"`"), "{told}");
    let told = other(&|own| own.step = Some(0.5));
    assert!(told.contains("settings are others"), "{told}");
    // damage
    let damage = |name: &str, bytes: &[u8]| {
        let own = std::fs::read(folder.join(name)).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
        let told = refused(&metadata());
        std::fs::write(folder.join(name), own).unwrap();
        told
    };
    let mut flipped = before.clone();
    flipped[20] ^= 4;
    let told = damage("part-00002.parquet", &flipped);
    assert!(told.contains("part-00002.parquet") && told.contains("checksum"), "{told}");
    let mut checkpoint = std::fs::read(folder.join("checkpoint.bin")).unwrap();
    checkpoint[20] ^= 4;
    let told = damage("checkpoint.bin", &checkpoint);
    assert!(told.contains("checkpoint.bin") && told.contains("checksum"), "{told}");
    let told = damage("checkpoint.bin", &checkpoint[..50]);
    assert!(told.contains("checkpoint.bin") && told.contains("checksum"), "{told}");
    // parts and checkpoint of two runs
    let another = fresh("refused-another");
    drop(begun(&another, 1));
    let told = damage("checkpoint.bin", &std::fs::read(another.join("checkpoint.bin")).unwrap());
    assert!(told.contains("belongs to another run than checkpoint.bin"), "{told}");
    // rows are missing
    std::fs::remove_file(folder.join("part-00001.parquet")).unwrap();
    let told = refused(&metadata());
    assert!(told.contains("part-00001.parquet is missing"), "{told}");
    for name in ["part-00002.parquet", "part-00003.parquet"] {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    let told = refused(&metadata());
    assert!(told.contains("comes after 20 rows, and its parts hold 0"), "{told}");
    // an interrupted run without its checkpoint
    let interrupted = fresh("refused-interrupted");
    begun(&interrupted, 1).finish(ended(Status::Interrupted)).unwrap();
    let error = RunFolder::reopen(&interrupted, &metadata()).unwrap_err();
    assert!(error.to_string().contains("its checkpoint is not there"), "{error}");
    assert!(Reader::open(&interrupted).unwrap().complete());
    // other channels
    let folder = fresh("refused-channels");
    drop(begun(&folder, 1));
    let Err(error) = goes_on(&folder).start(Vec::new(), metadata()) else { panic!("no channels") };
    assert!(error.to_string().contains("other channels"), "{error}");
}
