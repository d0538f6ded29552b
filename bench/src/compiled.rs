//! Forward dynamics as machine code beside its recursion.

use crate::engine::Error;
use crate::machine;
use crate::turn_by_turn::Times;
use pliant::arm::Arm;
use pliant::compile::{Functions, Quantity, Trace};
use pliant::dynamics::aba;
use pliant::pliant_jit::{
    Arena, Batch, Columns, ColumnsMut, Instructions, MachineCode, Options as Emitting, Room,
};
use pliant::reproduce::effort;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Forward dynamics as machine code: one state, and batches of them, beside the recursion.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Rounds per comparison, the median of whose ratios is printed.
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// States in a batch.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    states: u32,
}

const ARMS: [&str; 6] =
    ["akmehmet-6", "puma-560", "iiwa-14", "two-arm-satellite", "king-two-link", "theodore-rrp"];

const PER_ROUND: Duration = Duration::from_millis(5);

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    machine::stay_on_one_core();
    println!("processor: {}", machine::processor());
    println!("forward dynamics; ratios to the articulated-body recursion of this build\n");
    let robots = concat!(env!("CARGO_MANIFEST_DIR"), "/../robots");
    for name in ARMS {
        let loaded = pliant_io::load(format!("{robots}/{name}.toml"));
        rows(name, &loaded.map_err(Box::new)?.arm, options)?;
    }
    let chain = effort::chain(6, 6, 3)?;
    rows("6 links, 3 shapes each", &chain, options)?;
    Ok(ExitCode::SUCCESS)
}

/// A state off the neutral one: `q`, `u` and `tau`, one after the other.
fn state(arm: &Arm, seed: usize) -> Vec<f64> {
    let wave = |k: usize| (1.0 + (k + 3 * seed) as f64).sin();
    let mut q = arm.neutral();
    let way: Vec<f64> = (0..arm.nv()).map(|k| 0.1 * wave(k)).collect();
    arm.displace(&mut q, &way);
    q.extend((0..2 * arm.nv()).map(|k| wave(k + 7)));
    q
}

fn rows(name: &str, arm: &Arm, options: &Options) -> Result<(), Error> {
    let (nq, n) = (arm.nq(), arm.nv());
    let start = Instant::now();
    let trace = Trace::new(arm, Quantity::ForwardDynamics, Functions::Expanded);
    let traced = start.elapsed();
    let (before, after) =
        (trace.recorded(), Trace::new(arm, Quantity::ForwardDynamics, Functions::Called).counts());
    println!(
        "{name}: {} multiplications and {} additions become {} and {}; traced in {:.2} ms",
        before.multiplications,
        before.additions,
        after.multiplications,
        after.additions,
        1e3 * traced.as_secs_f64()
    );
    let inputs = state(arm, 0);
    let (q, rest) = inputs.split_at(nq);
    let (u, tau) = rest.split_at(n);
    let mut work = aba::Workspace::new(arm);
    let (mut forces, mut ud, mut outputs) = (tau.to_vec(), vec![0.0; n], vec![0.0; n]);
    let mut recursion = || {
        aba::aba_into(arm, &mut work, black_box(q), u, &mut forces, &mut ud);
        black_box(&ud);
    };
    for instructions in Instructions::ALL.into_iter().filter(|set| set.are_there()) {
        for fuse in [false, true] {
            let emitting = Emitting { fuse, ..Emitting::new(instructions) };
            let start = Instant::now();
            let code = MachineCode::compile(trace.tape(), emitting)?;
            let emitted = start.elapsed();
            let mut arena = Arena::default();
            let times = Times::of(options.rounds, PER_ROUND, &mut recursion, || {
                let holds = code.run(black_box(&inputs), &mut outputs, &mut arena);
                black_box((holds, &outputs));
            });
            let rounding = if fuse { "fused" } else { "unfused" };
            println!(
                "  {instructions:?}, one state, {rounding:7}: {:.3}  ({:.0} ns, recursion {:.0} ns; {} bytes in {:.2} ms)",
                times.ratio,
                times.least[1],
                times.least[0],
                code.code().len(),
                1e3 * emitted.as_secs_f64()
            );
        }
    }
    batches(arm, &trace, options)
}

/// Many states in row-major arrays, beside the recursion one by one.
fn batches(arm: &Arm, trace: &Trace, options: &Options) -> Result<(), Error> {
    let (nq, n, states) = (arm.nq(), arm.nv(), options.states as usize);
    let (mut q, mut u, mut tau) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..states {
        let one = state(arm, seed % 1000);
        q.extend_from_slice(&one[..nq]);
        u.extend_from_slice(&one[nq..nq + n]);
        tau.extend_from_slice(&one[nq + n..]);
    }
    let mut ud = vec![0.0; states * n];
    let mut work = aba::Workspace::new(arm);
    let (mut forces, mut all) = (vec![0.0; n], vec![0.0; states * n]);
    let mut recursion = || {
        for (row, ud) in all.chunks_exact_mut(n).enumerate() {
            forces.copy_from_slice(&tau[row * n..(row + 1) * n]);
            let (q, u) = (&q[row * nq..(row + 1) * nq], &u[row * n..(row + 1) * n]);
            aba::aba_into(arm, &mut work, q, u, &mut forces, ud);
        }
        black_box(&all);
    };
    let sets = Instructions::ALL.into_iter().filter(|set| set.are_there());
    let mut by: Vec<(String, Batch)> = Vec::new();
    for set in sets {
        let emitting = Emitting { width: set.widest(), ..Emitting::new(set) };
        let batch = Batch::compiled(trace.tape(), emitting)?;
        by.push((format!("{set:?}"), batch));
    }
    let safe = Batch::interpreted(trace.tape())?;
    by.push(("interpreter".to_owned(), safe));
    for (name, batch) in by {
        let mut room = Room::default();
        let times = Times::of(options.rounds.min(9), PER_ROUND, &mut recursion, || {
            let columns = [Columns::new(&q, nq), Columns::new(&u, n), Columns::new(&tau, n)];
            let failed = batch.run(states, &columns, &mut [ColumnsMut::new(&mut ud, n)], &mut room);
            black_box((failed, &ud));
        });
        println!(
            "  {name}, {states} states: {:.3}  ({:.0} ns a state, recursion {:.0} ns)",
            times.ratio,
            times.least[1] / states as f64,
            times.least[0] / states as f64
        );
    }
    println!();
    Ok(())
}
