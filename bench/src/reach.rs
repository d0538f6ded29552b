//! How long the joints for a pose take to find.

use crate::engine::Error;
use pliant::arm::{Arm, Joint};
use pliant::plan::{Goal, Solver};
use std::f64::consts::PI;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Inverse kinematics of the rigid chains in `robots/`: mean time for targets within reach, places
/// for arms under six joints and poses for the others, from postures anywhere.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many targets for each robot
    #[arg(long, default_value_t = 10_000)]
    targets: u32,
}

/// Prints the table.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robots");
    let listed = std::fs::read_dir(&folder)
        .map_err(|source| Error::File { path: folder.clone(), source })?;
    let mut paths: Vec<_> = listed.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    paths.sort();
    println!("robot            joints  reached  mean [us]  mean steps  mean searches");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "toml")) {
        let arm = pliant_io::load(path).map_err(Box::new)?.arm;
        if !is_chain(&arm) {
            continue;
        }
        let frame = arm.frames().len() - 1;
        let name = arm.frames()[frame].name().to_owned();
        let mut solver = Solver::new(&arm, frame)?;
        let mut seed = 9;
        let mut tasks = Vec::new();
        for _ in 0..options.targets {
            let pose = arm.pose(&configuration(&arm, &mut seed), &name)?;
            let goal = if arm.nv() < 6 { Goal::Place(pose.position) } else { Goal::Pose(pose) };
            tasks.push((goal, configuration(&arm, &mut seed)));
        }
        let (mut reached, mut steps, mut searches) = (0_u32, 0, 0);
        let start = Instant::now();
        for (goal, near) in &tasks {
            if let Ok(found) = solver.solve(goal, near) {
                reached += 1;
                steps += found.steps;
                searches += found.searches;
            }
        }
        let mean = 1e6 * start.elapsed().as_secs_f64() / f64::from(options.targets);
        let of_reached = |count: usize| count as f64 / f64::from(reached.max(1));
        println!(
            "{:<16} {:>6}  {reached:>7}  {mean:>9.1}  {:>10.1}  {:>13.2}",
            arm.name(),
            arm.nv(),
            of_reached(steps),
            of_reached(searches)
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Rigid, on a fixed base, one chain, up to seven joints.
fn is_chain(arm: &Arm) -> bool {
    let rigid = |link| arm.deforming_of(link).is_empty() && arm.joints()[link] != Joint::Free;
    (0..arm.body_count()).all(rigid)
        && (1..arm.body_count()).all(|link| arm.parent_of(link) == Some(link - 1))
        && arm.nv() <= 7
}

/// A configuration within limits, or within a turn and a metre.
fn configuration(arm: &Arm, seed: &mut u64) -> Vec<f64> {
    let mut part = || {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let limits = arm.limits().iter();
    limits
        .map(|limits| {
            let [lower, upper] = limits.map_or([-PI, PI], |limits| [limits.lower, limits.upper]);
            lower + (upper - lower) * part()
        })
        .collect()
}
