//! What the readers begin with.

use pliant_fuzz::target::{Kind, Target, Verdict};
use pliant_fuzz::worker::scratch;
use serde_json::{Value, json};

/// Every reader accepts most of what it begins with, so that there is something to change.
#[test]
fn every_reader_has_seeds_that_it_accepts() {
    let folder = scratch(2);
    for kind in [Kind::Urdf, Kind::Study, Kind::Gallery, Kind::State, Kind::Results] {
        let target = Target::new(kind, &folder).expect("a reader");
        let seeds = target.seeds().expect("seeds");
        let accepted = seeds.iter().filter(|seed| target.run(seed) == Verdict::Accepted);
        assert!(accepted.count() >= 5, "{}", kind.name());
    }
    std::fs::remove_dir_all(folder).expect("ours");
}

/// Among the folders of results are runs that go on from their checkpoint, with a list of exports, and
/// both files are read.
#[test]
fn checkpoints_and_lists_of_exports_are_made_and_read() {
    let folder = scratch(3);
    let target = Target::new(Kind::Results, &folder).expect("a reader");
    let seeds = target.seeds().expect("seeds");
    let read = |seed: &String| serde_json::from_str::<Value>(seed).expect("JSON");
    let goes_on = |seed: &Value| seed["written"]["state"].is_array();
    let mut tried = 0;
    for seed in seeds.iter().map(read).filter(goes_on) {
        let verdict = |change: &dyn Fn(&mut Value)| {
            let mut changed = seed.clone();
            change(&mut changed);
            target.run(&changed.to_string())
        };
        assert_eq!(verdict(&|_| {}), Verdict::Accepted);
        let unknown = |seed: &mut Value| seed["written"]["exports"] = json!(["thesis.tex"]);
        assert_eq!(verdict(&unknown), Verdict::Refused);
        let short = |seed: &mut Value| seed["written"]["state"] = json!([1.0, 2.0]);
        assert_eq!(verdict(&short), Verdict::Refused);
        let flipped = |seed: &mut Value| {
            seed["edits"] = json!([{ "file": "checkpoint.bin", "at": 500, "flip": 1 }]);
        };
        assert_eq!(verdict(&flipped), Verdict::Refused);
        tried += 1;
    }
    assert_eq!(tried, 2);
    // with a right checksum, whatever the first line says
    let head = |seed: &Value| seed["files"].as_array().is_some_and(|files| files.len() == 4);
    assert_eq!(seeds.iter().map(read).filter(head).count(), 2);
    std::fs::remove_dir_all(folder).expect("ours");
}
