//! Folders of results: what is written is what is read, and the same bytes each time.

use pliant::Help;
use pliant::integrate::Statistics;
use pliant::simulate::{
    Breakdown, Channel, ChannelRole, Drift, Ending, EventAction, EventRecord, Excess, Extreme,
    Limit, MomentumDrift, Reason, Status, Summary,
};
use pliant_io::files::Existing;
use pliant_io::results::{
    Error, Metadata, Reader, RunFolder, RunOutcome, RunSummary, Writer, hash,
};
use std::path::{Path, PathBuf};

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("results").join(name)
}

/// A folder of this name that does not exist.
fn fresh(name: &str) -> PathBuf {
    let folder = place(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

fn metadata() -> Metadata {
    let mut metadata = Metadata::new("name = \"arm\"\n", "dop853");
    metadata.relative_tolerance = Some(1e-10);
    metadata.absolute_tolerance = Some(0.1 + 0.2);
    metadata.seed = Some(u64::MAX);
    metadata.more.insert("basis".to_owned(), "clamped, 3 [modes]".to_owned());
    metadata
}

fn channels(count: usize) -> Vec<Channel> {
    (0..count)
        .map(|index| Channel::new(format!("link{index}.y1"), "m", ChannelRole::Position))
        .collect()
}

fn start(folder: &Path, channels: Vec<Channel>) -> Writer {
    let run = RunFolder::create(folder, Existing::Refuse).unwrap();
    run.start("duration = \"5 s\"\n", channels, metadata()).unwrap()
}

/// Numbers that differ from row to row and from column to column, without a generator's state.
fn value(row: usize, column: usize) -> f64 {
    (row as f64 * 0.01 + column as f64).sin() * 1e-3
}

fn record(writer: &mut Writer, count: usize, rows: std::ops::Range<usize>) {
    for row in rows {
        let values: Vec<f64> = (0..count).map(|column| value(row, column)).collect();
        writer.row(row as f64 * 1e-3, &values).unwrap();
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn done() -> RunOutcome {
    RunOutcome::new(Summary::new(Status::Completed, 5.0))
}

#[test]
fn every_bit_comes_back() {
    let folder = fresh("bits");
    let odd = [
        0.0,
        -0.0,
        f64::NAN,
        -f64::NAN,
        f64::from_bits(0x7ff0_dead_beef_0001), // a signalling NaN with a payload
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        0.1,
    ];
    let mut writer = start(&folder, channels(2));
    for (row, &value) in odd.iter().enumerate() {
        writer.row(value, &[value, row as f64]).unwrap();
        if row == 4 {
            writer.close_part().unwrap();
        }
    }
    writer.close_part().unwrap();
    let before = Reader::open(&folder).unwrap();
    assert!(!before.complete());
    assert_eq!(bits(&before.column("link0.y1").unwrap()), bits(&odd));
    writer.finish(done()).unwrap();

    let reader = Reader::open(&folder).unwrap();
    assert!(reader.complete() && reader.warnings().is_empty());
    assert_eq!(reader.rows(), odd.len() as u64);
    let expected = Metadata { scenario: reader.metadata().scenario.clone(), ..metadata() };
    assert_eq!(reader.metadata(), &expected);
    assert!(expected.scenario.starts_with("duration"));
    assert_eq!(reader.channels()[0], Channel::time());
    assert_eq!(reader.channels()[1..], channels(2));
    assert_eq!(bits(&reader.time().unwrap()), bits(&odd));
    assert_eq!(bits(&reader.column("link0.y1").unwrap()), bits(&odd));
    assert_eq!(bits(&reader.column("link0.y1 [m]").unwrap()), bits(&odd));
    assert_eq!(reader.columns().unwrap()[2][10], 10.0);
    assert_eq!(names_in(&folder), ["result.parquet", "scenario.toml", "summary.json"]);
    let scenario = std::fs::read_to_string(folder.join("scenario.toml")).unwrap();
    assert_eq!(scenario, "duration = \"5 s\"\n");
}

#[test]
fn the_bytes_do_not_depend_on_where_parts_were_cut() {
    let rows = 150_000; // more than two groups of rows
    let mut all = Vec::new();
    for (name, cuts) in [
        ("once", vec![]),
        ("thrice", vec![1, 65_536, 131_073]),
        ("often", { (0..rows).step_by(9_973).collect() }),
    ] {
        let folder = fresh(&format!("cut-{name}"));
        let mut writer = start(&folder, channels(2));
        let mut from = 0;
        for cut in cuts.into_iter().chain([rows]) {
            record(&mut writer, 2, from..cut);
            writer.close_part().unwrap();
            from = cut;
        }
        let mut outcome = done();
        outcome.wall_seconds = Some(all.len() as f64);
        writer.finish(outcome).unwrap();
        all.push(std::fs::read(folder.join("result.parquet")).unwrap());
    }
    assert!(all[0] == all[1] && all[0] == all[2]);
    let values = Reader::open(place("cut-often")).unwrap().column("link1.y1").unwrap();
    assert!(values.iter().enumerate().all(|(row, found)| *found == value(row, 1)));
    assert_eq!(values.len(), rows);
}

#[test]
fn none_one_and_many() {
    for (name, count, rows) in
        [("no-rows", 3, 0), ("one-row", 1, 1), ("no-channels", 0, 4), ("wide", 300, 9_000)]
    {
        let folder = fresh(name);
        let mut writer = start(&folder, channels(count));
        record(&mut writer, count, 0..rows);
        let summary = writer.finish(done()).unwrap();
        assert_eq!(
            (summary.outcome.run.rows, summary.outcome.run.extremes.len()),
            (rows as u64, count)
        );
        let reader = Reader::open(&folder).unwrap();
        assert_eq!((reader.rows(), reader.channels().len()), (rows as u64, count + 1), "{name}");
        let columns = reader.columns().unwrap();
        for (index, column) in columns[1..].iter().enumerate() {
            assert!(column.iter().enumerate().all(|(row, found)| *found == value(row, index)));
        }
        assert_eq!(columns[0].len(), rows);
    }
}

#[test]
fn the_summary_says_what_happened() {
    let folder = fresh("summary");
    let mut writer = start(
        &folder,
        vec![Channel::new("tip.x", "m", ChannelRole::FramePosition), {
            Channel::new("load", "", ChannelRole::Other)
        }],
    );
    for (time, x) in [(0.0, 1.0), (0.1, -2.0), (0.2, f64::NAN), (0.3, -2.0), (0.4, f64::INFINITY)] {
        writer.row(time, &[x, f64::NAN]).unwrap();
    }
    let mut outcome = RunOutcome::new(Summary::new(Status::Failed, 0.4));
    outcome.run.ending.why = Some("the tip left the world".to_owned());
    outcome.run.statistics.steps = 12;
    outcome.run.energy_drift = Some(Drift { absolute: 1e-9, relative: Some(f64::NEG_INFINITY) });
    let linear = Drift { absolute: 0.0, relative: Some(0.0) };
    let angular = Drift { absolute: 2e-17, relative: None };
    outcome.run.momentum_drift = Some(MomentumDrift { linear, angular });
    outcome.run.events = vec![EventRecord {
        time: 0.1,
        name: "limit".to_owned(),
        what: "hit".to_owned(),
        value: f64::INFINITY,
        limit: Some(Limit::Upper),
        action: EventAction::Stop,
    }];
    let breakdown = Breakdown {
        time: 0.4,
        coordinate: Some("bar.y1".to_owned()),
        energy: f64::INFINITY,
        step: 1e-9,
        reason: Reason::StepTooSmall,
        excess: Some(Excess::Fast { link: "bar".to_owned(), speed: 2e5 }),
        is_controlled: true,
    };
    outcome.run.ending.breakdown = Some(breakdown);
    outcome.run.ending.block = Some("law".to_owned());
    outcome.warnings = vec!["steps are small".to_owned()];
    outcome.wall_seconds = Some(0.5);
    outcome.compiled = Some(true);
    let summary = writer.finish(outcome).unwrap();
    let [tip, load] = summary.outcome.run.extremes.as_slice() else { panic!("two channels") };
    assert_eq!((tip.channel.column().as_str(), load.channel.name.as_str()), ("tip.x [m]", "load"));
    assert_eq!(tip.least, Some(Extreme { value: -2.0, time: 0.1 }));
    assert_eq!(tip.most, Some(Extreme { value: f64::INFINITY, time: 0.4 }));
    assert_eq!((load.least, load.most), (None, None));

    let text = std::fs::read_to_string(folder.join("summary.json")).unwrap();
    let again: RunSummary = serde_json::from_str(&text).unwrap();
    assert_eq!(again.outcome.run.extremes[0].channel, Channel::from_column("tip.x [m]"));
    // the library reads it too, and leaves out what it does not know
    let run: Summary = serde_json::from_str(&text).unwrap();
    assert_eq!(run, again.outcome.run);
    // roles of channels are in the table
    assert_eq!(Reader::open(&folder).unwrap().summary(), Some(&summary));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["ended"]["how"], "failed");
    assert_eq!(value["arm_hash"], hash("name = \"arm\"\n"));
    assert_eq!(value["seed"], u64::MAX);
    assert_eq!(value["energy_drift"]["relative"], "-inf");
    assert!(value["momentum_drift"]["angular"]["relative"].is_null());
    // two spaces, the ending first: people read this file
    assert!(text.starts_with("{\n  \"ended\": {\n    \"how\": \"failed\""), "{text}");

    // the table alone tells all of it but the time it took
    std::fs::remove_file(folder.join("summary.json")).unwrap();
    let mut untimed = summary.clone();
    untimed.outcome.wall_seconds = None;
    untimed.outcome.compiled = None;
    assert_eq!(Reader::open(&folder).unwrap().summary(), Some(&untimed));
}

/// As versions before wrote it: events and endings were words alone.
#[test]
fn a_summary_of_an_earlier_version_is_read() {
    let text = r#"{
  "ended": { "how": "failed", "at": 0.4, "why": "the motion diverges" },
  "steps": 327, "rejected": 43, "evaluations": 5380,
  "cpu_seconds": 0.02, "wall_seconds": 0.03,
  "energy_drift": { "absolute": 1e-9, "relative": "inf" },
  "momentum_drift": { "linear": { "absolute": 0.0, "relative": 0.0 }, "angular": { "absolute": 2e-17, "relative": 0.5 } },
  "events": [{ "time": 0.16, "name": "low", "what": "\"low\" happens, where the run stops" }],
  "warnings": ["steps are small"],
  "version": "0.1.0", "arm_hash": "ab", "method": "dop853", "method_reason": null,
  "relative_tolerance": 1e-9, "absolute_tolerance": null, "step": null, "spectral_radius": null,
  "seed": null, "more": { "arm": "bar" }, "rows": 41,
  "extremes": [
    { "channel": "link0.y1 [m]", "min": { "value": -2.0, "at": 0.1 }, "max": { "value": "inf", "at": 0.4 } },
    { "channel": "gone", "min": null, "max": null }
  ],
  "files": ["scenario.toml", "result.parquet", "summary.json"]
}"#;
    let folder = fresh("earlier-summary");
    start(&folder, channels(1)).finish(done()).unwrap();
    std::fs::write(folder.join("summary.json"), text).unwrap();
    let reader = Reader::open(&folder).unwrap();
    let RunSummary { outcome, metadata, .. } = reader.summary().unwrap();
    let run = &outcome.run;
    let why = Some("the motion diverges".to_owned());
    let ending = Ending { why, ..Ending::new(Status::Failed, 0.4) };
    assert_eq!((&run.ending, run.rows), (&ending, 41));
    assert_eq!(
        run.statistics,
        Statistics { steps: 327, rejected: 43, evaluations: 5380, implicit_steps: 0 }
    );
    assert_eq!(run.energy_drift.unwrap().relative, Some(f64::INFINITY));
    assert_eq!(run.momentum_drift.unwrap().angular.relative, Some(0.5));
    let [event] = run.events.as_slice() else { panic!("{:?}", run.events) };
    assert_eq!((event.time, event.name.as_str()), (0.16, "low"));
    assert_eq!(event.what, "\"low\" happens, where the run stops");
    assert!(event.value.is_nan() && event.limit.is_none());
    let [known, gone] = run.extremes.as_slice() else { panic!("{:?}", run.extremes) };
    assert_eq!(known.channel, channels(1)[0]);
    assert_eq!(known.most, Some(Extreme { value: f64::INFINITY, time: 0.4 }));
    assert_eq!((gone.channel.name.as_str(), gone.least), ("gone", None));
    assert_eq!((outcome.wall_seconds, outcome.tracking.as_ref()), (Some(0.03), None));
    assert_eq!((metadata.method.as_str(), metadata.more["arm"].as_str()), ("dop853", "bar"));
}

#[test]
fn hashes_are_those_of_sha256sum() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hash(""), empty);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = fresh("twice");
    start(&folder, channels(1)).finish(done()).unwrap();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    for partial in ["part-00001.parquet.partial", "result.csv.0123456789abcdef.partial"] {
        std::fs::write(folder.join(partial), "half").unwrap();
    }
    std::fs::create_dir(folder.join("plots")).unwrap();
    let before = names_in(&folder);
    let error = RunFolder::create(&folder, Existing::Refuse).unwrap_err();
    let message = error.with_help();
    assert!(matches!(error, Error::NotEmpty { .. }));
    for name in ["result.parquet", "other files (notes.txt, plots)", "twice", "force"] {
        assert!(message.contains(name), "{message}");
    }
    assert_eq!(names_in(&folder), before);

    let run = RunFolder::create(&folder, Existing::Replace).unwrap();
    assert_eq!(run.foreign(), ["notes.txt", "plots"]);
    assert_eq!(names_in(&folder), ["notes.txt", "plots", "run.lock"]);
    run.start("", channels(1), metadata()).unwrap().finish(done()).unwrap();
    assert_eq!(std::fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
}

#[test]
fn what_only_looks_like_a_result_stays() {
    let folder = fresh("alike");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("scenario.toml"), "the only copy").unwrap();
    let error = RunFolder::create(&folder, Existing::Replace).unwrap_err();
    assert!(matches!(error, Error::InTheWay { .. }), "{error}");
    std::fs::create_dir(folder.join("result.parquet")).unwrap();
    let error = RunFolder::create(&folder, Existing::Replace).unwrap_err();
    assert!(error.to_string().contains("result.parquet is in the way"), "{error}");
    assert_eq!(names_in(&folder), ["result.parquet", "scenario.toml"]);
    // nor does company that knows nothing of it make it a result
    std::fs::remove_dir(folder.join("result.parquet")).unwrap();
    for name in ["summary.json", "exports.txt", "result.csv", "result.parquet"] {
        std::fs::write(folder.join(name), "mine too").unwrap();
        let error = RunFolder::create(&folder, Existing::Replace).unwrap_err();
        assert!(matches!(error, Error::InTheWay { .. }), "{name}: {error}");
    }
    for name in ["summary.json", "exports.txt", "result.csv", "result.parquet"] {
        assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), "mine too");
        std::fs::remove_file(folder.join(name)).unwrap();
    }

    let file = folder.join("scenario.toml");
    assert!(matches!(RunFolder::create(&file, Existing::Replace), Err(Error::Write { .. })));
    assert_eq!(std::fs::read_to_string(file).unwrap(), "the only copy");
}

/// A scenario is replaced with the results that were made of it, whole or in parts, and not once it
/// has been changed.
#[test]
fn a_scenario_is_replaced_with_its_results_only() {
    for is_whole in [true, false] {
        let folder = fresh("known");
        let run = RunFolder::create(&folder, Existing::Refuse).unwrap();
        let writer = run.start("duration = 1\n", channels(1), metadata()).unwrap();
        if is_whole {
            writer.finish(done()).unwrap();
        } else {
            drop(writer);
        }
        let before = names_in(&folder);
        std::fs::write(folder.join("scenario.toml"), "duration = 2\n").unwrap();
        let error = RunFolder::create(&folder, Existing::Replace).unwrap_err().with_help();
        for word in ["scenario.toml is in the way", "not the scenario of the results", "move it"] {
            assert!(error.contains(word), "{error}");
        }
        assert_eq!(names_in(&folder), before);
        std::fs::write(folder.join("scenario.toml"), "duration = 1\n").unwrap();
        let run = RunFolder::create(&folder, Existing::Replace).unwrap();
        assert_eq!(names_in(&folder), ["run.lock"]);
        drop(run);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_no_folder_is_told_as_such() {
    let folder = fresh("dangling");
    let _ = std::fs::remove_file(&folder);
    std::os::unix::fs::symlink("nowhere", &folder).unwrap();
    let error = RunFolder::create(&folder, Existing::Refuse).unwrap_err().with_help();
    assert!(error.contains("is a symbolic link to a folder that does not exist"), "{error}");
    std::fs::remove_file(&folder).unwrap();
}

#[test]
fn a_kill_while_merging_leaves_one_form_or_the_other() {
    let folder = fresh("merging");
    let mut writer = start(&folder, channels(2));
    for part in 0..4 {
        record(&mut writer, 2, part * 100..(part + 1) * 100);
        writer.close_part().unwrap();
    }
    let parts: Vec<(String, Vec<u8>)> = names_in(&folder)
        .into_iter()
        .filter(|name| name.starts_with("part-"))
        .map(|name| (name.clone(), std::fs::read(folder.join(&name)).unwrap()))
        .collect();
    assert_eq!(parts.len(), 5);
    std::fs::write(folder.join("result.parquet.partial"), "PAR1 and then nothing").unwrap();
    let reader = Reader::open(&folder).unwrap();
    assert_eq!((reader.rows(), reader.complete(), reader.summary()), (400, false, None));
    let expected = reader.columns().unwrap();

    let summary = writer.finish(done()).unwrap();
    std::fs::remove_file(folder.join("summary.json")).unwrap();
    for (name, bytes) in &parts[2..] {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let reader = Reader::open(&folder).unwrap();
    assert_eq!((reader.rows(), reader.complete()), (400, true));
    let told = &reader.summary().expect("the one of the table").outcome.run;
    assert_eq!((&told.ending, told.rows), (&summary.outcome.run.ending, 400));
    assert_eq!(reader.columns().unwrap(), expected);

    // parts that somebody lost are missed
    std::fs::remove_file(folder.join("result.parquet")).unwrap();
    std::fs::remove_file(folder.join("part-00003.parquet")).unwrap();
    let reader = Reader::open(&folder).unwrap();
    assert_eq!(reader.rows(), 200);
    assert_eq!(reader.warnings().len(), 2, "{:?}", reader.warnings());
}

#[test]
fn a_writer_that_is_dropped_leaves_its_rows() {
    let folder = fresh("dropped");
    let mut writer = start(&folder, channels(1));
    record(&mut writer, 1, 0..10);
    drop(writer);
    let reader = Reader::open(&folder).unwrap();
    assert_eq!((reader.rows(), reader.complete()), (10, false));
}

#[test]
fn rows_do_not_wait_for_more_than_a_second() {
    let folder = fresh("waiting");
    let mut writer = start(&folder, channels(1));
    record(&mut writer, 1, 0..1);
    let since = std::time::Instant::now();
    while writer.saved().rows == 0 {
        assert!(since.elapsed().as_secs_f64() < 2.0); // half of it for a busy machine
        std::thread::sleep(std::time::Duration::from_millis(10));
        writer.tick().unwrap();
    }
    assert_eq!(Reader::open(&folder).unwrap().rows(), 1);
}

#[test]
fn wrong_calls_say_what_is_wrong() {
    let folder = fresh("wrong");
    let refused = |names: &[(&str, &str)]| {
        let channels =
            names.iter().map(|(name, unit)| Channel::new(*name, *unit, ChannelRole::Other));
        let run = RunFolder::create(&folder, Existing::Replace).unwrap();
        let error = run.start("", channels.collect(), metadata()).err().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        error.to_string()
    };
    assert!(refused(&[("a", "m"), ("a", "s")]).contains("`a [s]` is there twice"));
    assert!(refused(&[("t", "min")]).contains("`t [min]` is there twice"));
    assert!(refused(&[("a", "m"), ("a [m]", "")]).contains("`a [m]` is there twice"));
    assert!(refused(&[("", "m")]).contains("has no name"));

    let mut writer = start(&folder, channels(3));
    let error = writer.row(0.5, &[1.0]).unwrap_err().to_string();
    assert!(error.contains("t = 5e-1 has 1 values for 3 channels"), "{error}");
    record(&mut writer, 3, 0..2);
    writer.finish(done()).unwrap();
    let reader = Reader::open(&folder).unwrap();
    let error = reader.column("link2.y2").unwrap_err().with_help();
    assert!(error.contains("did you mean `link2.y1`?"), "{error}");

    assert!(matches!(Reader::open(folder.join("nowhere")), Err(Error::Read { .. })));
    let empty = fresh("empty");
    std::fs::create_dir_all(&empty).unwrap();
    assert!(matches!(Reader::open(&empty), Err(Error::NoResults { .. })));
}
