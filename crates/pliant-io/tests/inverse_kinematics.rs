//! The numeric solver on the robots of the repository.

use pliant::arm::{Arm, Joint};
use pliant::plan::{Goal, Solver};
use std::path::{Path, PathBuf};

/// How many targets for each robot; an unoptimised build takes fewer.
const TARGETS: usize = if cfg!(debug_assertions) { 100 } else { 10_000 };

/// How near the frame must come (m, rad).
const NEAR: f64 = 1e-9;

fn robots() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    let listed = std::fs::read_dir(folder).expect("the folder of robots");
    let mut paths: Vec<PathBuf> = listed
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths
}

/// Rigid, on a fixed base, one chain, up to seven joints.
fn is_chain(arm: &Arm) -> bool {
    let links = 0..arm.body_count();
    links.clone().all(|link| arm.deforming_of(link).is_empty() && arm.joints()[link] != Joint::Free)
        && links.clone().filter(|&link| arm.parent_of(link).is_none()).count() == 1
        && links.skip(1).all(|link| arm.parent_of(link) == Some(link - 1))
        && arm.nv() <= 7
}

/// Numbers from 0 to 1 from a fixed seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A configuration within limits, or within a turn and a metre.
    fn configuration(&mut self, arm: &Arm) -> Vec<f64> {
        let limits = arm.limits().iter();
        limits
            .map(|limits| {
                let [lower, upper] = limits
                    .map_or([-std::f64::consts::PI, std::f64::consts::PI], |l| [l.lower, l.upper]);
                lower + (upper - lower) * self.next()
            })
            .collect()
    }
}

#[test]
fn reachable_targets_are_reached() {
    let mut chains = 0;
    for path in robots() {
        let arm = pliant_io::load(&path).unwrap_or_else(|report| panic!("{report}")).arm;
        if !is_chain(&arm) {
            continue;
        }
        chains += 1;
        let frame = arm.frames().len() - 1;
        let name = arm.frames()[frame].name().to_owned();
        let mut solver = Solver::new(&arm, frame).expect("a chain");
        let mut random = Random(9);
        let mut reached = 0;
        for _ in 0..TARGETS {
            let pose = arm.pose(&random.configuration(&arm), &name).expect("a pose");
            let goal = if arm.nv() < 6 { Goal::Place(pose.position) } else { Goal::Pose(pose) };
            let start = random.configuration(&arm);
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
