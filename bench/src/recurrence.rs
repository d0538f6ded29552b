//! Inverse dynamics by linear recurrences: in turn on one thread, and shared by several.

use crate::engine::Error;
use crate::machine;
use crate::turn_by_turn::Times;
use pliant::reproduce::effort;
use pliant::reproduce::recurrence::{Evaluation, Workspace, inverse_dynamics_into};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

/// Where threads overtake one on long chains.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Numbers of links.
    #[arg(long, value_delimiter = ',',
          default_values_t = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096])]
    links: Vec<usize>,
    /// Coordinates of bending of each link.
    #[arg(long, value_delimiter = ',', default_values_t = [0, 2])]
    coordinates: Vec<usize>,
    /// Threads that share a chain.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Rounds per row, the least of which is printed: while something else has the second core,
    /// two threads are one.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// Prints the table and where the speed-up crosses one.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    println!("processor: {}", machine::processor());
    println!("inverse dynamics by linear recurrences, one thread in turn and {threads} threads\n");
    println!("coordinates  links   one, us  {threads} threads, us  speed-up  levels of doubling");
    for &modes in &options.coordinates {
        let mut rows = Vec::new();
        for &links in &options.links {
            let arm = effort::chain(&vec![modes; links])?;
            let wave =
                |phase: f64| (0..arm.nv()).map(|k| 0.02 * (phase + k as f64).sin()).collect();
            let [q, u, ud]: [Vec<f64>; 3] = [0.1, 0.2, 0.4].map(wave);
            let mut alone = (Workspace::new(&arm, Evaluation::InTurn)?, vec![0.0; arm.nv()]);
            let mut shared = (Workspace::new(&arm, Evaluation::Threads)?, vec![0.0; arm.nv()]);
            let times = Times::of(
                options.rounds,
                Duration::ZERO,
                || {
                    inverse_dynamics_into(&arm, &mut alone.0, &q, &u, &ud, &mut alone.1);
                    black_box(&alone.1);
                },
                || {
                    pool.install(|| {
                        inverse_dynamics_into(&arm, &mut shared.0, &q, &u, &ud, &mut shared.1);
                    });
                    black_box(&shared.1);
                },
            );
            let [one, many] = times.least.map(|ns| ns * 1e-3);
            let (speed_up, levels) = (one / many, shared.0.levels());
            println!(
                "{modes:>11}  {links:>5}  {one:>8.1}  {many:>13.1}  {speed_up:>8.2}  {levels:>18}"
            );
            rows.push((links, speed_up));
        }
        let below = rows.iter().rposition(|row| row.1 <= 1.0);
        let (last, best) = rows[rows.len() - 1];
        match rows.get(below.map_or(0, |at| at + 1)) {
            Some((links, there)) => println!(
                "{modes} coordinates: {threads} threads overtake one at {links} links ({there:.2}); at {last} links they are {best:.2} times as fast\n"
            ),
            None => println!("{modes} coordinates: {threads} threads do not overtake one\n"),
        }
    }
    Ok(ExitCode::SUCCESS)
}
