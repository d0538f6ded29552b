//! Studies in the shapes of their own arm: which of their runs can be made alone.

use crate::report::{content, exact, index};
use crate::studies::{PARAMETERS, run, scratch, study};
use pliant_io::files::Existing;
use pliant_io::report;
use pliant_io::scenario::{self, Overrides};
use pliant_io::study::{NoStudyRun, StudyFolder, StudyTableReader, optimise};
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::Path;

const NOMINAL: &str = "shapes = \"nominal\"\nfigures = [\"*\"]\nset = [\"duration=40 ms\"]";

/// A run can be made alone, bit for bit, unless its arm has other shapes of its own: with the payload of
/// the file whatever the joints are damped by, and not with another payload. The page tells the command
/// of the first ones alone.
#[test]
fn runs_whose_shapes_stay_can_be_made_alone() {
    let folder = scratch("nominal");
    let own = study(&folder, NOMINAL, PARAMETERS);
    let place = folder.join("all");
    let _ = run(&own, &place, 2);
    let reader = StudyTableReader::open(&place).expect("a table");
    let masses = reader.numbers("payload").expect("readable").expect("numbers");
    for row in 0..24 {
        let made = own.setup(row as u64, None, &Overrides::default());
        if masses[row] != 0.3 {
            assert!(matches!(made, Err(NoStudyRun::Reshaped { .. })), "run {row}");
            continue;
        }
        let setup = made.unwrap_or_else(|error| panic!("run {row}: {error}"));
        let into = folder.join(format!("run-{row}"));
        let mut watch = |_: &_| ControlFlow::Continue(());
        drop(scenario::run(&setup, &into, Existing::Refuse, &mut watch).expect("it runs"));
        let text = std::fs::read_to_string(into.join("summary.json")).expect("a summary");
        let alone = crate::studies::figures(&serde_json::from_str(&text).expect("JSON"));
        for (name, value) in alone {
            let column = reader.numbers(&name).expect("readable").expect("a column");
            assert_eq!(column[row].to_bits(), value.to_bits(), "{name} of {row}");
        }
    }
    let (page, bytes) = content(&report::of_study(&own, &place, true).expect("a page"));
    let alone = exact(&bytes, index(&page["told"]["alone"]), 24);
    let expected: Vec<f64> = masses.iter().map(|mass| f64::from(*mass == 0.3)).collect();
    assert_eq!(alone, expected);
    let rebuilt = study(&folder, &NOMINAL.replace("nominal", "rebuilt"), PARAMETERS);
    let place = folder.join("rebuilt");
    let _ = run(&rebuilt, &place, 2);
    let (page, _) = content(&report::of_study(&rebuilt, &place, true).expect("a page"));
    assert_eq!(page["told"]["alone"], Value::Null);
}

/// An optimisation in the shapes of its own arm is stopped and taken up as any other, and knows which of
/// its trials can be made alone.
#[test]
fn an_optimisation_keeps_shapes() {
    let folder = scratch("nominal-search");
    let rest = r#"
[optimise]
minimise = "upper.rms_error"
starts = 1
evaluations = 30

[[parameter]]
name = "payload"
path = "arm.link.fore.payload.mass"
from = 0.1
to = 0.9

[[parameter]]
name = "damping"
path = "controller.hold.joint[0].damping"
from = 1
to = 9
"#;
    let own = study(&folder, NOMINAL, rest);
    let place = folder.join("whole");
    let mut journal = StudyFolder::create(&place, &own, Existing::Refuse).expect("a folder");
    let mut go_on = |_: &_| ControlFlow::Continue(());
    assert!(optimise(&own, &mut journal, 1, &mut go_on).expect("trials").is_continue());
    let summary = journal.finish(&own).expect("a table");
    assert!(summary.statuses["completed"] > 20, "{:?}", summary.statuses);
    let stopped = folder.join("stopped");
    let mut journal = StudyFolder::create(&stopped, &own, Existing::Refuse).expect("a folder");
    let mut stop = |progress: &pliant_io::study::OptimiseProgress| {
        if progress.done >= 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert!(optimise(&own, &mut journal, 2, &mut stop).expect("trials").is_break());
    drop(journal);
    let mut journal = StudyFolder::reopen(&stopped, &own).expect("the same");
    assert!(optimise(&own, &mut journal, 2, &mut go_on).expect("trials").is_continue());
    let _ = journal.finish(&own).expect("a table");
    let bytes = |place: &Path| std::fs::read(place.join("table.parquet")).expect("a table");
    assert!(bytes(&place) == bytes(&stopped));
    let best = &summary.optimum.expect("an optimum").best[0];
    assert!(!own.stands_alone(&best.point), "another payload, other shapes: {best:?}");
    assert!(own.stands_alone(&[0.3, 7.0]), "the payload of the file");
    let reader = StudyTableReader::of_study(&own, &place).expect("a table");
    let made = own.setup(best.index, Some(&reader), &Overrides::default());
    assert!(matches!(made, Err(NoStudyRun::Reshaped { .. })));
    // the same figure in shapes that are found anew is another number
    let rebuilt = study(&folder, &NOMINAL.replace("nominal", "rebuilt"), rest);
    let setup = rebuilt.scenario_at(0, &best.point).expect("a scenario");
    let setup = scenario::parse(&setup, Path::new(""), &Overrides::default()).expect("good");
    let into = folder.join("again");
    let mut watch = |_: &_| ControlFlow::Continue(());
    drop(scenario::run(&setup, &into, Existing::Refuse, &mut watch).expect("it runs"));
    let text = std::fs::read_to_string(into.join("summary.json")).expect("a summary");
    let again = crate::studies::figures(&serde_json::from_str(&text).expect("JSON"));
    let off = again["upper.rms_error"] / best.goals[0] - 1.0;
    // few shapes miss little
    assert!(off != 0.0 && off.abs() < 1e-2, "{off}");
}
