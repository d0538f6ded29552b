//! Studies: their rows are those of single runs, and their tables depend on nothing else.

use pliant_io::files::Existing;
use pliant_io::scenario::{self, Overrides, write_scenario};
use pliant_io::study::{
    Accepted, JournalError, NoStudyRun, Study, StudyChunk, StudyFolder, StudyStep,
    StudyTableReader, sweep,
};
use pliant_io::{Setting, Source, results};
use serde_json::Value;
use sha2::Digest as _;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Two links, one of which bends, on a controller.
pub(crate) const SCENARIO: &str = r#"
duration = "0.2 s"
tolerance = 1e-7
record = { every = "5 ms" }
initial = { upper = "-20 deg" }

[arm]
name = "two"
gravity = [0, -9.81, 0]

[[arm.link]]
name = "upper"
joint = { kind = "revolute", axis = "z", damping = 0.1 }
length = "1 m"
section = { kind = "round", radius = "8 mm" }
material = { young = "69 GPa", shear = "26 GPa", density = "2780 kg/m^3" }
bends = { y = 1 }

[[arm.link]]
name = "fore"
joint = { kind = "revolute", axis = "z", damping = "0.1 N m s/rad" }
length = "0.8 m"
payload = { mass = "0.3 kg", position = [0.4, 0, 0] }

[[controller]]
kind = "pd"
name = "hold"
period = "2 ms"
full_state = true

[[controller.joint]]
motor = "upper"
stiffness = "60 N m/rad"
damping = "3 N m s/rad"
target = { kind = "constant", value = 0 }
"#;

/// Values of every kind: in the arm with and without a unit, several together, in a controller, at the
/// start.
pub(crate) const PARAMETERS: &str = r#"
[[parameter]]
name = "payload"
path = "arm.link.fore.payload.mass"
values = ["300 g", "0.8 kg", 1.7]

[[parameter]]
name = "stiffness"
path = "controller.hold.joint[0].stiffness"
from = "40 N m/rad"
to = 90
count = 2

[[parameter]]
path = "initial.upper"
values = ["-20 deg", "15 deg"]

[[parameter]]
name = "dampings"
paths = ["arm.link.upper.joint.damping", "arm.link.fore.joint.damping"]
values = [0.1, 0.2]
"#;

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("studies").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("two.toml"), SCENARIO).expect("written");
    folder
}

pub(crate) fn study(folder: &Path, head: &str, rest: &str) -> Study {
    let text = format!("scenario = \"two.toml\"\n{head}\n{rest}");
    match Study::parse(&Source::new("study.toml", text), folder, &[]) {
        Ok(study) => study,
        Err(report) => panic!("{report}"),
    }
}

pub(crate) fn go_on(_: &pliant_io::study::SweepProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Runs a study into a folder.
pub(crate) fn run(study: &Study, place: &Path, threads: usize) -> Vec<u8> {
    let mut folder = StudyFolder::create(place, study, Existing::Refuse).expect("a folder");
    let done = sweep(study, &mut folder, threads, &mut go_on).expect("runs");
    assert!(done.is_continue());
    let summary = folder.finish(study).expect("a table");
    assert_eq!(summary.rows, study.count());
    table(place)
}

pub(crate) fn table(place: &Path) -> Vec<u8> {
    std::fs::read(place.join("table.parquet")).expect("a table")
}

pub(crate) fn chunk(study: &Study, runs: Range<u64>) -> StudyChunk {
    let done = study.run_chunk(runs, &mut |_| ControlFlow::Continue(()));
    done.expect("runs").expect("some")
}

/// The figures of `summary.json`, by the names that studies have.
pub(crate) fn figures(summary: &Value) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    for figure in summary["figures"].as_array().expect("figures") {
        let text = |key: &str| figure[key].as_str().expect("a text");
        let value = figure["value"].as_f64().unwrap_or(f64::NAN);
        all.insert(format!("{}.{}", text("subject"), text("name")), value);
    }
    for extremes in summary["extremes"].as_array().expect("extremes") {
        let channel = extremes["channel"].as_str().expect("a channel");
        let name = channel.split(" [").next().expect("a name");
        for (end, word) in [("min", "min"), ("max", "max")] {
            let value = extremes[end]["value"].as_f64().unwrap_or(f64::NAN);
            all.insert(format!("{name}.{word}"), value);
        }
    }
    let drift = summary["energy_drift"]["absolute"].as_f64().expect("a drift");
    all.insert("energy_drift".to_owned(), drift);
    all.insert("steps".to_owned(), summary["steps"].as_f64().expect("steps"));
    all
}

/// Each row has the bits of the run of its scenario with these settings.
#[test]
fn rows_are_those_of_single_runs() {
    let folder = scratch("single");
    let study = study(&folder, "figures = [\"*\"]", PARAMETERS);
    assert_eq!(study.count(), 3 * 2 * 2 * 2);
    let _ = run(&study, &folder.join("all"), 2);
    let reader = StudyTableReader::open(folder.join("all")).expect("a table");
    let columns: BTreeMap<&str, Vec<f64>> = (reader.columns().iter())
        .filter_map(|column| {
            let numbers = reader.numbers(&column.name).expect("readable")?;
            Some((column.name.as_str(), numbers))
        })
        .collect();
    let statuses = reader.texts("status").expect("readable");
    assert_eq!(statuses, Some(vec!["completed".to_owned(); 24]));
    assert_eq!(reader.texts("payload").expect("readable"), None, "these are numbers");
    for row in [0, 5, 13, 23] {
        let mut settings = Vec::new();
        for parameter in study.parameters() {
            let value = columns[parameter.name.as_str()][row];
            let of = |path: &String| Setting::parse(&format!("{path}={value:?}")).expect("good");
            settings.extend(parameter.paths.iter().map(of));
        }
        let setup = scenario::load(folder.join("two.toml"), &Overrides { settings });
        let setup = setup.expect("a good scenario");
        let own = study.scenario_of(row as u64, None).expect("one");
        let own = scenario::parse(&own, Path::new(""), &Overrides::default()).expect("good");
        let [told, expected] =
            [&own, &setup].map(|setup| write_scenario(&setup.simulation.scenario));
        assert_eq!(told.expect("no functions"), expected.expect("no functions"));
        let mut watch = |_: &_| ControlFlow::Continue(());
        let place = folder.join(format!("run-{row}"));
        let _ = scenario::run(&setup, &place, Existing::Refuse, &mut watch).expect("it runs");
        let text = std::fs::read_to_string(place.join("summary.json")).expect("a summary");
        let alone = figures(&serde_json::from_str(&text).expect("JSON"));
        assert!(alone.len() > 40, "{}", alone.len());
        for (name, value) in alone {
            let own = columns.get(name.as_str()).unwrap_or_else(|| panic!("no {name}"))[row];
            assert_eq!(own.to_bits(), value.to_bits(), "{name} of {row}: {own} {value}");
        }
        let hertz = setup.simulation.arm.modes(&setup.simulation.diagram.q).expect("modes");
        assert_eq!(columns["frequency.1"][row].to_bits(), hertz.modes[0].hertz().to_bits());
    }
    // neighbours differ
    let errors = &columns["upper.rms_error"];
    assert!(errors.windows(2).all(|two| two[0] != two[1]), "{errors:?}");
}

/// A scenario that is no file, with the other keys of a study, is the study of that file.
#[test]
fn a_study_can_be_of_a_scenario_without_a_file() {
    let folder = scratch("made");
    let head = format!("figures = [\"*\"]\n{PARAMETERS}");
    let (scenario, head) = (Source::new("two", SCENARIO), Source::new("made", head));
    let made = Study::of_scenario(&scenario, &head).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(made.identity(), study(&folder, "figures = [\"*\"]", PARAMETERS).identity());
    let bad = Source::new("made", PARAMETERS.replace("fore.payload", "four.payload"));
    let report = Study::of_scenario(&scenario, &bad).err().expect("no such link").to_string();
    assert!(report.contains("did you mean arm.link.fore.payload.mass"), "{report}");
    let nominal = study(&folder, "shapes = \"nominal\"", PARAMETERS);
    // a payload makes another arm, in the shapes of the scenario's
    assert!(matches!(nominal.scenario_of(23, None), Err(NoStudyRun::Reshaped { run: 23 })));
}

/// The table has the same bytes on one thread and on several, from chunks of any length in any order,
/// of a study that was stopped and of the text that it keeps.
#[test]
fn tables_depend_on_the_study_alone() {
    let folder = scratch("alone");
    let random = "design = \"random\"\nruns = 12\nseed = 3\nset = [\"duration=50 ms\"]";
    let parameters = PARAMETERS.replace("count = 2\n", "");
    let study = study(&folder, random, &parameters);
    let whole = run(&study, &folder.join("whole"), 1);
    assert_eq!(whole, run(&study, &folder.join("threads"), 3));
    // elsewhere, from the text in the folder, in another order
    let kept = std::fs::read_to_string(folder.join("whole/study.toml")).expect("a text");
    assert_eq!(kept, study.text());
    let elsewhere = Study::parse(&Source::new("kept.toml", kept), Path::new("/nowhere"), &[]);
    let elsewhere = elsewhere.unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(elsewhere.text(), study.text());
    let place = folder.join("pieces");
    let mut journal = StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder");
    for runs in [7..8, 0..3, 10..12, 3..7] {
        let done = chunk(&elsewhere, runs.clone());
        assert_eq!(journal.accept(&study, &done).expect("good"), Accepted::Stored);
        assert_eq!(journal.accept(&study, &done).expect("good"), Accepted::Known);
    }
    assert_eq!(journal.missing().first(), Some(&(8..10)));
    assert!(matches!(journal.finish(&study), Err(JournalError::Incomplete { missing: 2, .. })));
    let partly = journal.accept(&study, &chunk(&elsewhere, 6..9));
    assert!(matches!(partly, Err(JournalError::Overlaps { .. })), "{partly:?}");
    drop(journal);
    let mut journal = StudyFolder::reopen(&place, &elsewhere).expect("the same");
    assert_eq!((journal.done(), journal.missing().first()), (10, Some(&(8..10))));
    let _ = journal.accept(&elsewhere, &chunk(&study, 8..10)).expect("good");
    let _ = journal.finish(&study).expect("a table");
    assert_eq!(table(&place), whole);
    drop(journal);
    // stopped within a run, and taken up
    let place = folder.join("stopped");
    let mut journal = StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder");
    let mut steps = 0;
    let stopped = study.run_chunk(0..12, &mut |step| {
        steps += u32::from(step == StudyStep::Within);
        if steps == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let stopped = stopped.expect("runs").expect("some");
    assert!(stopped.runs.end > 0 && stopped.runs.end < 12, "{:?}", stopped.runs);
    let _ = journal.accept(&study, &stopped).expect("good");
    assert!(sweep(&study, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let _ = journal.finish(&study).expect("a table");
    assert_eq!(table(&place), whole);
    // what remains to be done after the table is done again
    std::fs::remove_file(place.join("summary.json")).expect("there");
    drop(journal);
    let mut journal = StudyFolder::reopen(&place, &study).expect("the same");
    assert_eq!(journal.done(), 12);
    let summary = journal.finish(&study).expect("a summary");
    assert_eq!((summary.rows, summary.run_seconds), (12, None));
    assert_eq!(table(&place), whole);
}

/// Whoever computes may have it on another thread.
#[test]
fn studies_and_chunks_are_sent() {
    fn is_sent<T: Send + Sync + 'static>() {}
    is_sent::<Study>();
    is_sent::<StudyChunk>();
}

/// What is of another study, or is damaged, is not taken.
#[test]
fn rows_of_others_are_refused() {
    let folder = scratch("others");
    let small = "set = [\"duration=10 ms\"]";
    let one = study(&folder, small, PARAMETERS);
    let other = study(&folder, "set = [\"duration=11 ms\"]", PARAMETERS);
    assert_ne!(one.identity(), other.identity());
    let place = folder.join("one");
    let mut journal = StudyFolder::create(&place, &one, Existing::Refuse).expect("a folder");
    let refused = journal.accept(&one, &chunk(&other, 0..2));
    assert!(matches!(refused, Err(JournalError::OtherStudy { .. })), "{refused:?}");
    let mut done = chunk(&one, 0..2);
    let renamed = StudyChunk { runs: 1..3, ..done.clone() };
    let refused = journal.accept(&one, &renamed);
    assert!(
        matches!(refused, Err(JournalError::Folder(results::Error::Damaged { .. }))),
        "{refused:?}"
    );
    let middle = done.bytes.len() / 2;
    done.bytes[middle] ^= 1;
    let refused = journal.accept(&one, &done);
    assert!(
        matches!(refused, Err(JournalError::Folder(results::Error::Damaged { .. }))),
        "{refused:?}"
    );
    let _ = journal.accept(&one, &chunk(&one, 0..2)).expect("good");
    // nobody else writes there meanwhile
    let held = StudyFolder::reopen(&place, &one).map(drop);
    assert!(matches!(held, Err(JournalError::Folder(results::Error::InUse { .. }))), "{held:?}");
    drop(journal);
    let refused = StudyFolder::reopen(&place, &other).map(drop);
    assert!(matches!(refused, Err(JournalError::OtherStudy { .. })), "{refused:?}");
    let refused = StudyFolder::create(&place, &other, Existing::Refuse).map(drop);
    assert!(matches!(refused, Err(JournalError::NotEmpty { goes_on: true, .. })), "{refused:?}");
    // an empty study of the same text is another one
    let dry = study(&folder, small, PARAMETERS).dry();
    let refused = StudyFolder::reopen(&place, &dry).map(drop);
    assert!(matches!(refused, Err(JournalError::OtherStudy { .. })), "{refused:?}");
    // by force it is replaced, and what is no study's stays
    std::fs::write(place.join("notes.txt"), "mine").expect("written");
    let journal = StudyFolder::create(&place, &other, Existing::Replace).expect("by force");
    assert_eq!(journal.foreign(), ["notes.txt"]);
    assert_eq!((journal.done(), place.join("notes.txt").is_file()), (0, true));
    drop(journal);
    // a study without rows may be the only copy of a study
    let place = folder.join("mine");
    std::fs::create_dir(&place).expect("a folder");
    std::fs::write(place.join("study.toml"), "# mine").expect("written");
    let refused = StudyFolder::create(&place, &one, Existing::Replace).map(drop);
    assert!(matches!(refused, Err(JournalError::InTheWay { .. })), "{refused:?}");
}

/// A chunk of another version says numbers that may be others.
#[test]
fn rows_of_other_versions_are_refused() {
    let folder = scratch("version");
    let study = study(&folder, "set = [\"duration=10 ms\"]", PARAMETERS);
    let mut done = chunk(&study, 0..1);
    let own = format!("pliant.version\x18\x05{}", env!("CARGO_PKG_VERSION"));
    let at = done.bytes.windows(own.len()).position(|some| some == own.as_bytes());
    let at = at.expect("the version") + own.len() - 1;
    done.bytes[at] = b'9';
    reseal(&mut done.bytes);
    let place = folder.join("one");
    let mut journal = StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder");
    let refused = journal.accept(&study, &done);
    assert!(matches!(refused, Err(JournalError::OtherVersion { .. })), "{refused:?}");
}

/// Puts the right checksum into bytes that were changed.
fn reseal(bytes: &mut [u8]) {
    let word = b"pliant-sha256:";
    let at = bytes.windows(word.len()).rposition(|some| some == word).expect("a checksum");
    let digits = at + word.len()..at + word.len() + 64;
    bytes[digits.clone()].fill(b'0');
    let sum = sha2::Sha256::digest(&*bytes);
    for (place, byte) in bytes[digits].chunks_exact_mut(2).zip(sum) {
        place.copy_from_slice(format!("{byte:02x}").as_bytes());
    }
}

/// A run that fails, one that there is none of, and one that breaks a constraint are rows with their
/// reasons; texts are parameters too.
#[test]
fn failed_runs_are_rows() {
    let folder = scratch("failed");
    let rest = r#"
[[parameter]]
name = "payload"
path = "arm.link.fore.payload.mass"
values = [0.3, -1, 4]

[[parameter]]
name = "method"
path = "method"
values = ["rk4", "dop853"]

[[parameter]]
name = "stiff"
path = "controller.hold.joint[0].damping"
values = [3, 3000]

[[constraint]]
expression = "payload * 2 < 8 - 1e-9"
"#;
    let scenario = SCENARIO.replace("tolerance = 1e-7", "method = \"dop853\"");
    std::fs::write(folder.join("two.toml"), &scenario).expect("written");
    let text = format!("scenario = \"two.toml\"\n{rest}");
    let bad = Study::parse(&Source::new("study.toml", text), &folder, &[]);
    let bad = bad.err().expect("rk4 has a step").to_string();
    assert!(bad.contains("parameter \"method\" as \"rk4\"") && bad.contains("step"), "{bad}");
    let rest = rest.replace("\"rk4\"", "\"radau5\"");
    let study = study(&folder, "", &rest);
    let place = folder.join("all");
    let _ = run(&study, &place, 2);
    let reader = StudyTableReader::open(&place).expect("a table");
    let file = reader.write_csv(&place, Existing::Refuse).expect("written");
    let csv = std::fs::read_to_string(file).expect("a text");
    let mut lines = csv.lines();
    let head = lines.next().expect("a head");
    assert!(head.starts_with("index,payload [kg],method,stiff [N m s/rad],"), "{head}");
    assert!(head.ends_with(",energy_drift [J],status,reason,detail"), "{head}");
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 12);
    assert!(rows[0].starts_with("0,0.3,radau5,3.0,"), "{}", rows[0]);
    assert!(rows[0].ends_with(",completed,,"), "{}", rows[0]);
    assert!(rows[1].contains(",failed,the motion "), "{}", rows[1]);
    for row in &rows[4..8] {
        assert!(row.contains(",refused,") && row.contains("mass"), "{row}");
    }
    for row in &rows[8..] {
        assert!(row.contains(",excluded,a constraint is broken,payload * 2 < 8 - 1e-9"), "{row}");
    }
    let summary = std::fs::read_to_string(place.join("summary.json")).expect("a summary");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["statuses"]["refused"], 4);
    assert_eq!(summary["statuses"]["excluded"], 4);
    assert_eq!(summary["reasons"][0][2], 4);
}

/// An empty study of many runs is planned, written and put together.
#[test]
fn empty_runs_cost_no_run() {
    let folder = scratch("dry");
    let random = "design = \"sobol\"\nruns = 20000\nseed = 1";
    let parameters = PARAMETERS.replace("count = 2\n", "");
    let study = study(&folder, random, &parameters).dry();
    assert!(study.is_dry() && study.identity().starts_with("dry-"));
    let place = folder.join("all");
    let _ = run(&study, &place, 2);
    let reader = StudyTableReader::open(&place).expect("a table");
    assert_eq!((reader.rows(), reader.study()), (20_000, study.text()));
    let stiffness = reader.numbers("stiffness").expect("readable").expect("numbers");
    let mean = stiffness.iter().sum::<f64>() / 20_000.0;
    assert!((mean - 65.0).abs() < 0.02, "quasi-random draws are even: {mean}");
    assert!(reader.numbers("upper.rms_error").expect("readable").expect("numbers")[7].is_nan());
    assert_eq!(reader.numbers("status").expect("readable"), None);
}

/// Sobol indices of a figure that depends on one of two parameters.
#[test]
fn sensitivities_are_told() {
    let folder = scratch("sensitive");
    let head = "design = \"sensitivity\"\nruns = 32\nset = [\"duration=1 ms\"]\n\
                figures = [\"frequency.1\", \"end\"]";
    let rest = r#"
[[parameter]]
name = "young"
path = "arm.link.upper.material.young"
from = "60 GPa"
to = "80 GPa"

[[parameter]]
name = "friction"
path = "arm.link.upper.joint.damping"
from = 0.1
to = 0.2
"#;
    let study = study(&folder, head, rest);
    assert_eq!(study.count(), 32 * 4);
    let place = folder.join("all");
    let mut journal = StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder");
    assert!(sweep(&study, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let summary = journal.finish(&study).expect("a table");
    // the end of the run is the same in all of them: it has no indices
    let names: Vec<[&str; 2]> = (summary.sensitivities.iter())
        .map(|one| [one.figure.as_str(), one.parameter.as_str()])
        .collect();
    assert_eq!(names, [["frequency.1", "young"], ["frequency.1", "friction"]]);
    let total = |k: usize| summary.sensitivities[k].total[0];
    assert!((total(0) - 1.0).abs() < 0.1 && total(1).abs() < 1e-12, "{:?}", summary.sensitivities);
}
