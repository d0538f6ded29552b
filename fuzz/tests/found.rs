//! Inputs that once showed a fault. A program of its own: the memory that is measured is that of the
//! whole process.

use pliant_fuzz::memory;
use pliant_fuzz::target::{Kind, Target, found};
use pliant_fuzz::watch::MOST_MEMORY;
use pliant_fuzz::worker::{execute, scratch};

/// Each is answered, in little memory; that it ends is seen by waiting for it.
#[test]
fn what_was_found_stays_mended() {
    // what takes too much is seen
    let before = memory::begin();
    drop(std::hint::black_box(vec![1_u8; MOST_MEMORY]));
    assert!(memory::peak() - before >= MOST_MEMORY);
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
