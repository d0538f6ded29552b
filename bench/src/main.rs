//! Benchmarks of pliant beside its peers, run as `cargo xtask bench NAME`.
//!
//! Both sides run on the same models and states, turn by turn within one run, and the report is a
//! ratio: nanoseconds differ from machine to machine and from minute to minute, ratios much less.
#![allow(clippy::print_stdout, reason = "the report goes to standard output")]
#![allow(clippy::print_stderr, reason = "progress and errors go to standard error")]

mod auto;
mod baseline;
mod chains;
mod compiled;
mod crossover;
mod engine;
mod flexible;
mod instructions;
mod kernels;
mod load;
mod machine;
mod peer;
mod pliant_engine;
mod reach;
#[path = "../../crates/pliant/tests/it/motion/pushed.rs"]
#[allow(dead_code, reason = "tests ask for more of it")]
mod pushed;
#[path = "../../crates/pliant/tests/it/random.rs"]
#[allow(dead_code, reason = "tests ask for more of it")]
mod random;
mod recurrence;
mod report;
mod rigid;
mod runs;
#[path = "../../crates/pliant/tests/it/switching/seeded.rs"]
mod seeded;
mod sliding;
mod two_link;
mod turn_by_turn;
mod wave_numbers;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Benchmarks of pliant beside its peers.
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Cli {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
}

#[derive(Subcommand)]
enum Benchmark {
    Rigid(rigid::Options),
    Load(load::Options),
    Kernels(kernels::Options),
    Flexible(flexible::Options),
    TwoLink(two_link::Options),
    Reach(reach::Options),
    Crossover(crossover::Options),
    Recurrence(recurrence::Options),
    WaveNumbers(wave_numbers::Options),
    Sliding(sliding::Options),
    Auto(auto::Options),
    Compiled(compiled::Options),
    Runs(runs::Options),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().benchmark {
        Some(Benchmark::Rigid(options)) => rigid::run(&options),
        Some(Benchmark::Load(options)) => load::run(&options),
        Some(Benchmark::Kernels(options)) => kernels::run(&options),
        Some(Benchmark::Flexible(options)) => flexible::run(&options),
        Some(Benchmark::TwoLink(options)) => two_link::run(&options),
        Some(Benchmark::Reach(options)) => reach::run(&options),
        Some(Benchmark::Crossover(options)) => crossover::run(&options),
        Some(Benchmark::Recurrence(options)) => recurrence::run(&options),
        Some(Benchmark::WaveNumbers(options)) => Ok(wave_numbers::run(&options)),
        Some(Benchmark::Sliding(options)) => Ok(sliding::run(&options)),
        Some(Benchmark::Auto(options)) => auto::run(&options),
        Some(Benchmark::Compiled(options)) => compiled::run(&options),
        Some(Benchmark::Runs(options)) => runs::run(&options),
        None => {
            println!("{}", Cli::command().render_help());
            Ok(ExitCode::SUCCESS)
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
