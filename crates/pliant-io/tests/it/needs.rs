//! What a run is estimated to need, beside what it leaves.

use pliant_io::files::Existing;
use pliant_io::scenario::{Overrides, load, run};
use std::ops::ControlFlow;
use std::path::Path;

/// While parts are merged a run holds its rows twice: that is more than the least that is foreseen, and
/// less than the most, for rows of constants and for those of a motion.
#[test]
fn the_disk_that_is_foreseen_is_enough() {
    let swing = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/king-swing.toml");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("needs");
    let _ = std::fs::remove_dir_all(&folder);
    let mut ends = Vec::new();
    for channels in ["[\"*\"]", "[\"upper\", \"fore\"]"] {
        let record = format!("record = {{ every = \"20 us\", channels = {channels} }}");
        let settings = [("duration", "0.1 s"), ("record", record.split_once(" = ").unwrap().1)];
        let setup = load(&swing, &Overrides::of(settings)).expect("a scenario");
        let needs = setup.needs().expect("a size");
        let place = folder.join(format!("of-{}", needs.channels));
        let finished = run(&setup, &place, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
        let written = finished.expect("a run").written;
        assert_eq!(needs.rows, written.outcome.run.rows as f64);
        assert_eq!(needs.channels, written.outcome.run.extremes.len() + 1);
        let result = std::fs::metadata(place.join("result.parquet")).expect("results").len();
        let twice = 2.0 * result as f64;
        assert!(needs.disk[0] < twice && twice < 1.1 * needs.disk[1], "{twice}: {needs:?}");
        ends.push(twice / needs.disk[1]);
    }
    // the estimate is not merely large
    assert!(ends.iter().any(|part| *part > 0.3), "{ends:?}");
}
