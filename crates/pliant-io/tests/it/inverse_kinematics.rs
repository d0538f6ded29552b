//! The numeric solver on the robots of the repository.

use crate::{files, reach};
use pliant::plan::{IkGoal, IkSolver};

/// How many targets for each robot; an unoptimised build takes fewer.
const TARGETS: usize = if cfg!(debug_assertions) { 100 } else { 10_000 };

/// How near the frame must come (m, rad).
const NEAR: f64 = 1e-9;

#[test]
fn reachable_targets_are_reached() {
    let mut chains = 0;
    for path in files::listed("robots", &["toml"]).expect("robots") {
        let arm = pliant_io::load(&path).unwrap_or_else(|report| panic!("{report}")).arm;
        if !reach::is_chain(&arm) {
            continue;
        }
        chains += 1;
        let frame = arm.frames().len() - 1;
        let name = arm.frames()[frame].name().to_owned();
        let mut solver = IkSolver::new(&arm, frame).expect("a chain");
        let mut postures = reach::Postures(9);
        let mut reached = 0;
        for _ in 0..TARGETS {
            let pose = arm.pose(&postures.next(&arm), &name).expect("a pose");
            let goal = if arm.nv() < 6 { IkGoal::Place(pose.position) } else { IkGoal::Pose(pose) };
            let start = postures.next(&arm);
            let Ok(found) = solver.solve(&goal, &start) else {
                continue;
            };
            let there = arm.pose(&found.q, &name).expect("a pose");
            let inside = found.q.iter().zip(arm.limits()).all(|(q, limits)| {
                limits.is_none_or(|limits| *q >= limits.lower && *q <= limits.upper)
            });
            if inside && goal.left(&there).largest() < NEAR {
                reached += 1;
            }
        }
        let share = f64::from(reached) / TARGETS as f64;
        assert!(share >= 0.995, "{}: only {reached} of {TARGETS}", path.display());
    }
    assert!(chains >= 6, "{chains} chains");
}
