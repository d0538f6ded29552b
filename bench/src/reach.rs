//! How long the joints for a pose take to find.

#[path = "../../crates/pliant-io/tests/it/reach.rs"]
mod chains;
#[path = "../../crates/pliant-io/tests/it/files.rs"]
mod files;

use crate::engine::Error;
use pliant::plan::{IkGoal, IkSolver};
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
    let paths = files::listed("robots", &["toml"])
        .map_err(|source| Error::File { path: "robots".into(), source })?;
    println!("robot            joints  reached  mean [us]  mean steps  mean searches");
    for path in &paths {
        let arm = pliant_io::load(path).map_err(Box::new)?.arm;
        if !chains::is_chain(&arm) {
            continue;
        }
        let frame = arm.frames().len() - 1;
        let name = arm.frames()[frame].name().to_owned();
        let mut solver = IkSolver::new(&arm, frame)?;
        let mut postures = chains::Postures(9);
        let mut tasks = Vec::new();
        for _ in 0..options.targets {
            let pose = arm.pose(&postures.next(&arm), &name)?;
            let goal = if arm.nv() < 6 { IkGoal::Place(pose.position) } else { IkGoal::Pose(pose) };
            tasks.push((goal, postures.next(&arm)));
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
