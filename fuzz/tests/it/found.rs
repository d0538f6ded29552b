//! Inputs that once showed a fault.

use pliant_fuzz::target::{Kind, Target, Verdict, found};
use pliant_fuzz::watch::MOST_MEMORY;
use pliant_fuzz::worker::{execute, scratch};

/// Each is answered, in little memory; that it ends is seen by waiting for it.
#[test]
fn what_was_found_stays_mended() {
    let folder = scratch(1);
    for kind in Kind::ALL {
        let target = Target::new(kind, &folder).expect("a reader").thorough();
        for (path, input) in found(kind).expect("the folder of found inputs") {
            let done = execute(&target, &input);
            assert!(done.verdict.is_ok(), "{}", path.display());
            assert!(done.memory < MOST_MEMORY, "{}: {} bytes", path.display(), done.memory);
        }
    }
    std::fs::remove_dir_all(folder).expect("ours");
}

/// Every reader accepts most of what it begins with, so that there is something to change.
#[test]
fn every_reader_has_seeds_that_it_accepts() {
    let folder = scratch(2);
    for kind in [Kind::Urdf, Kind::State, Kind::Results] {
        let target = Target::new(kind, &folder).expect("a reader");
        let seeds = target.seeds().expect("seeds");
        let accepted = seeds.iter().filter(|seed| target.run(seed) == Verdict::Accepted);
        assert!(accepted.count() >= 5, "{}", kind.name());
    }
    std::fs::remove_dir_all(folder).expect("ours");
}
