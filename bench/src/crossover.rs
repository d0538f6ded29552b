//! Forward dynamics through the mass matrix (CI) against articulated bodies (AB).

use crate::engine::Error;
use crate::machine;
use crate::turn_by_turn::Times;
use pliant::arm::Arm;
use pliant::dynamics::{aba, composite};
use pliant::reproduce::Algorithm;
use pliant::reproduce::effort::{self, CountedQuantity};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

/// From how many links on articulated bodies are faster than the mass matrix.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Numbers of links.
    #[arg(long, value_delimiter = ',',
          default_values_t = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 64])]
    links: Vec<usize>,
    /// Rounds per row, the median of which is printed.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// Prints the table and where the ratios cross one.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    println!("processor: {}", machine::processor());
    println!("forward dynamics: CI through the mass matrix, AB by articulated bodies\n");
    println!("coordinates  links    CI ns    AB ns  AB/CI time  AB/CI operations");
    for modes in [0, 2, 6] {
        let mut rows = Vec::new();
        for &links in &options.links {
            let arm = effort::chain(&vec![modes; links])?;
            let times = time(&arm, options.rounds);
            let operations = |algorithm| -> Result<f64, Error> {
                let counts = effort::operations(&arm, algorithm, CountedQuantity::ForwardDynamics)?;
                Ok((counts.multiplications + counts.additions) as f64)
            };
            let ratio = operations(Algorithm::Articulated)? / operations(Algorithm::Composite)?;
            println!(
                "{modes:>11}  {links:>5}  {:>7.0}  {:>7.0}  {:>10.2}  {ratio:>16.2}",
                times.first, times.second, times.ratio
            );
            rows.push((links, times.ratio, ratio));
        }
        let first = |which: fn(&(usize, f64, f64)) -> f64| {
            // from there on it stays below one
            let above = rows.iter().rposition(|row| which(row) >= 1.0);
            let row = rows.get(above.map_or(0, |at| at + 1));
            row.map_or("none of these".to_owned(), |row| row.0.to_string())
        };
        println!(
            "{modes} coordinates: AB is faster from {} links on, and takes fewer operations from {}\n",
            first(|row| row.1),
            first(|row| row.2)
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn time(arm: &Arm, rounds: u32) -> Times {
    let wave = |phase: f64| (0..arm.nv()).map(|k| 0.02 * (phase + k as f64).sin()).collect();
    let [q, u, tau]: [Vec<f64>; 3] = [0.1, 0.2, 0.4].map(wave);
    let mut by_mass = (composite::Workspace::new(arm), tau.clone(), vec![0.0; arm.nv()]);
    let mut by_bodies = (aba::Workspace::new(arm), tau, vec![0.0; arm.nv()]);
    Times::of(
        rounds,
        Duration::from_millis(1),
        || {
            let (work, tau, ud) = &mut by_mass;
            composite::composite_into(arm, work, &q, &u, tau, ud);
            black_box(ud);
        },
        || {
            let (work, tau, ud) = &mut by_bodies;
            aba::aba_into(arm, work, &q, &u, tau, ud);
            black_box(ud);
        },
    )
}
