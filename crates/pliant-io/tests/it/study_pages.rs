//! Pages of studies, read back from the page itself, and single runs made again.

use crate::report::{content, exact, index};
use crate::studies::{PARAMETERS, chunk, figures, run, scratch, study};
use pliant_io::files::Existing;
use pliant_io::report;
use pliant_io::scenario::{self, Overrides};
use pliant_io::study::{
    JournalError, NoStudyRun, Study, StudyFolder, StudyTableReader, StudyView, single_run,
};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;

/// A number, a choice, and a constraint.
const CHOICES: &str = r#"
[[parameter]]
name = "payload"
path = "arm.link.fore.payload.mass"
values = [0.3, 0.6, 1.2]

[[parameter]]
name = "integrator"
path = "method"
values = ["dop853", "radau5"]

[[constraint]]
expression = "payload < 1"
"#;

fn page(study: &Study, place: &Path) -> (Value, Vec<u8>) {
    content(&report::of_study(study, place, true).expect("a page"))
}

/// A place in a list.
#[expect(clippy::cast_sign_loss, reason = "it is zero or more")]
fn whole(x: f64) -> usize {
    x as usize
}

/// The rows of a page as its own indices tell them.
fn words<'a>(told: &'a Value, bytes: &[u8], what: &str, count: usize) -> Vec<&'a str> {
    let places = exact(bytes, index(&told[what]["at"]), count);
    let all = told[what]["words"].as_array().expect("words");
    places.iter().map(|&at| all[whole(at)].as_str().expect("a text")).collect()
}

/// Every number of a short table is on the page, bit for bit, with units, and each row with how it
/// ended.
#[test]
fn a_page_has_the_numbers_of_the_table() {
    let folder = scratch("page");
    let study = study(&folder, "set = [\"duration=50 ms\", \"method=dop853\"]", CHOICES);
    let place = folder.join("done");
    let _ = run(&study, &place, 2);
    let (page, bytes) = page(&study, &place);
    assert_eq!(page["kind"], "study");
    let told = &page["told"];
    assert_eq!(
        (&told["name"], &told["rows"], &told["count"]),
        (&json!("done"), &json!(6), &json!(6))
    );
    let reader = StudyTableReader::open(&place).expect("a table");
    let all = |kind: &str| told[kind].as_array().expect("columns").clone();
    for column in all("figures").iter().chain(&all("parameters")[..1]) {
        let name = column["name"].as_str().expect("a name");
        let own = reader.numbers(name).expect("readable").expect("numbers");
        let shown = exact(&bytes, index(&column["at"]), 6);
        let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&own), bits(&shown), "{name}");
    }
    assert_eq!(all("parameters")[0]["unit"], "kg");
    assert_eq!(all("parameters")[1]["words"], json!(["dop853", "radau5"]));
    let ended = words(told, &bytes, "status", 6);
    // 1.2 kg is excluded
    assert_eq!(ended[4..], ["excluded"; 2], "{ended:?}");
    assert_eq!(ended[0], "completed");
    assert_eq!(words(told, &bytes, "reason", 6)[4], "a constraint is broken");
    assert_eq!(words(told, &bytes, "detail", 6)[4], "payload < 1");
    assert_eq!(told["statuses"]["excluded"], 2);
    assert_eq!(told["view"]["over"], "payload");
    assert_eq!(told["view"]["by"], "integrator");
}

/// The page is the study's own until somebody changes it.
#[test]
fn a_page_knows_its_study() {
    let folder = scratch("page-own");
    let first = study(&folder, "set = [\"duration=20 ms\", \"method=dop853\"]", CHOICES);
    let other = study(&folder, "set = [\"duration=30 ms\", \"method=dop853\"]", CHOICES);
    let place = folder.join("done");
    let _ = run(&first, &place, 2);
    let text = report::of_study(&first, &place, true).expect("a page");
    let file = place.join("report.html");
    report::write(&file, Existing::Refuse, &text).expect("written");
    assert!(report::is_of_study(&file, &first) && !report::is_of_study(&file, &other));
    // nothing on the page tells when, where or how fast it was run, but for the folder in its commands
    let again = folder.join("again").join("done");
    let _ = run(&first, &again, 1);
    let [one, two] = [&place, &again].map(|place| {
        let (mut page, bytes) = page(&first, place);
        page["told"]["folder"] = Value::Null;
        (page, bytes)
    });
    assert!(one == two, "{} {}", one.0, two.0);
    std::fs::write(&file, text.replace("completed", "Completed")).expect("written");
    assert!(!report::is_of_study(&file, &first));
    assert!(matches!(report::of_study(&other, &place, true), Err(JournalError::OtherStudy { .. })));
}

#[test]
fn a_study_that_has_not_ended_says_how_far_it_is() {
    let folder = scratch("page-begun");
    let study = study(&folder, "set = [\"duration=20 ms\", \"method=dop853\"]", CHOICES);
    let place = folder.join("begun");
    let mut journal = StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder");
    let stored = journal.accept(&study, &chunk(&study, 1..3)).expect("stored");
    assert_eq!(stored, pliant_io::study::Accepted::Stored);
    let found = report::of_study(&study, &place, true);
    assert!(matches!(found, Err(JournalError::Incomplete { missing: 4, all: 6 })), "{found:?}");
}

/// A run made again alone has the figures of its row, bit for bit, and the page leads to it.
#[test]
fn a_single_run_is_that_of_its_row() {
    let folder = scratch("page-single");
    let study = study(&folder, "figures = [\"*\"]\nset = [\"duration=100 ms\"]", PARAMETERS);
    let place = folder.join("done");
    let _ = run(&study, &place, 2);
    let reader = StudyTableReader::open(&place).expect("a table");
    let make = |row: u64, into: &Path| {
        let setup =
            study.setup(row, None, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut watch = |_: &_| ControlFlow::Continue(());
        drop(scenario::run(&setup, into, Existing::Refuse, &mut watch).expect("it runs"));
    };
    let own = single_run(&place, 13);
    make(13, &own);
    let text = std::fs::read_to_string(own.join("summary.json")).expect("a summary");
    let alone = figures(&serde_json::from_str(&text).expect("JSON"));
    assert!(alone.len() > 40, "{}", alone.len());
    for (name, value) in alone {
        let row =
            reader.numbers(&name).expect("readable").unwrap_or_else(|| panic!("no {name}"))[13];
        assert_eq!(row.to_bits(), value.to_bits(), "{name}: {row} {value}");
    }
    let pages = || page(&study, &place).0["told"]["pages"].clone();
    assert_eq!(pages(), json!([]), "a run without a page");
    std::fs::write(own.join("report.html"), "<html>").expect("written");
    assert_eq!(pages(), json!([13]));
    // the run of another row, or of another study
    let other = single_run(&place, 14);
    make(15, &other);
    std::fs::write(other.join("report.html"), "<html>").expect("written");
    std::fs::create_dir_all(single_run(&place, 99)).expect("a folder");
    std::fs::create_dir_all(place.join("runs/013")).expect("a folder");
    assert_eq!(pages(), json!([13]));
    let elsewhere = content(&report::of_study(&study, &place, false).expect("a page")).0;
    assert_eq!(elsewhere["told"]["pages"], json!([]));
}

#[test]
fn runs_that_are_none_say_why() {
    let folder = scratch("page-none");
    let study = study(&folder, "set = [\"duration=20 ms\", \"method=dop853\"]", CHOICES);
    let refused = |row: u64| study.setup(row, None, &Overrides::default()).err().expect("no run");
    assert!(matches!(refused(6), NoStudyRun::None { run: 6, count: 6 }));
    let excluded = refused(4);
    assert!(matches!(&excluded, NoStudyRun::Excluded { run: 4, .. }));
    assert!(excluded.to_string().contains("payload < 1"), "{excluded}");
}

/// A long table is not a long page: an even choice of its rows, and the ends of every figure.
#[test]
fn a_long_table_makes_a_page_of_bounded_size() {
    let folder = scratch("page-long");
    let head = "design = \"random\"\nruns = 60000\nset = [\"duration=20 ms\"]";
    let range = "[[parameter]]\nname = \"payload\"\npath = \"arm.link.fore.payload.mass\"\nfrom = 0.1\nto = 1\n";
    let study = study(&folder, head, range).dry();
    let place = folder.join("dry");
    let _ = run(&study, &place, 2);
    let (page, bytes) = page(&study, &place);
    let told = &page["told"];
    assert_eq!((&told["rows"], &told["count"]), (&json!(60_000), &json!(20_000)));
    let rows = exact(&bytes, index(&told["index"]), 20_000);
    assert!(rows.iter().zip(0_u32..).all(|(row, k)| (row / 3.0).floor() == f64::from(k)));
    let shown = exact(&bytes, index(&told["parameters"][0]["at"]), 20_000);
    let table = StudyTableReader::open(&place).expect("a table").numbers("payload");
    let table = table.expect("readable").expect("numbers");
    assert!(rows.iter().zip(&shown).all(|(row, x)| table[whole(*row)].to_bits() == x.to_bits()));
    assert_eq!(told["view"], Value::Null, "no run has a figure");
    let sample =
        StudyTableReader::open(&place).expect("a table").sample(10, &[5, 5]).expect("rows");
    assert_eq!(StudyView::usual(&study, &sample), None);
    assert!(sample.rows.len() <= 11 && sample.rows.contains(&5), "{:?}", sample.rows);
}
