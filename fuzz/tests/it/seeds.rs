//! What the readers begin with.

use pliant_fuzz::target::{Kind, Target, Verdict};
use pliant_fuzz::worker::scratch;

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
