//! Two algorithms and the balance of energy, for arms that nobody would build.

use pliant_fuzz::compare::compare;
use pliant_fuzz::watch::Watch;
use pliant_fuzz::worker::scratch;

#[test]
fn two_algorithms_agree_over_random_arms() {
    let folder = scratch(5);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut watch = Watch::new(&folder, 0, 60.0).expect("a file");
    let found = compare(300, 3, &folder, &mut watch).expect("seeds");
    std::fs::remove_dir_all(folder).expect("ours");
    assert!(found.beyond.is_empty(), "{found}\n{:?}", found.beyond);
    // the bound is one that can be missed
    assert!(found.whole.forward > 1e-3 && found.ill < 10 && found.unseen < 20, "{found}");
}
