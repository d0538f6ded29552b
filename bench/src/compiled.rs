//! Forward dynamics as machine code beside its recursion.

use crate::baseline::{Asked, Baseline};
use crate::engine::Error;
use crate::machine;
use crate::turn_by_turn::{Times, time};
use pliant::arm::Arm;
use pliant::compile::{Functions, Quantity, Trace};
use pliant::dynamics::aba;
use pliant::pliant_jit::{
    Arena, Batch, Columns, ColumnsMut, Instructions, MachineCode, Options as Emitting, Room,
};
use pliant::reproduce::effort;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Forward dynamics as machine code: one state, and batches of them, beside the recursion.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Rounds per comparison, the median of whose ratios is printed.
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// States in a batch.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    states: u32,
    /// Compare with the recursion of an earlier commit, which is built first: d29fd4e.
    #[arg(long, value_name = "COMMIT")]
    baseline: Option<PathBuf>,
}

/// What is compared with.
struct Others {
    baseline: Option<Baseline>,
    /// The Python package.
    python: Option<Asked>,
}

/// The largest ratios to the recursion of d29fd4e: one state with AVX2, unfused and fused; rows with
/// AVX2, AVX-512 and the interpreter; and the time of emission (ms).
struct Bars {
    arm: &'static str,
    one: [f64; 2],
    rows: Option<[f64; 3]>,
    emission: Option<f64>,
}

const BARS: [Bars; 6] = [
    Bars {
        arm: "akmehmet-6",
        one: [0.52, 0.46],
        rows: Some([0.13, 0.10, 0.25]),
        emission: Some(1.0),
    },
    Bars { arm: "iiwa-14", one: [0.65, 0.58], rows: None, emission: None },
    Bars { arm: "two-arm-satellite", one: [0.32, 0.27], rows: None, emission: None },
    Bars {
        arm: "king-two-link",
        one: [0.22, 0.18],
        rows: Some([0.05, 0.036, 0.11]),
        emission: Some(3.0),
    },
    Bars { arm: "theodore-rrp", one: [0.18, 0.15], rows: None, emission: None },
    Bars { arm: CHAIN, one: [0.55, 0.42], rows: None, emission: Some(8.0) },
];

const CHAIN: &str = "6 links, 3 shapes each";

/// So many states are different ones.
const STATES: usize = 1000;

/// The head of the table in book/compiled.md, whose rows are printed at the end.
const TABLE: &str = "\
| forward dynamics | one state, AVX2 | the same, fused | 100,000 states, AVX2 | AVX-512 | interpreter | \
from Python |
|---|---|---|---|---|---|---|";

/// A ratio as a cell of that table, with its bar; a dash where it was not measured.
fn cell(measured: Option<f64>, bar: Option<f64>) -> String {
    let Some(ratio) = measured else { return "–".to_owned() };
    match bar {
        Some(bar) if ratio > bar => format!("{ratio:.3} ({bar}), missed"),
        Some(bar) => format!("{ratio:.3} ({bar})"),
        None => format!("{ratio:.3}"),
    }
}

/// A bar in words, where there is one.
fn judged(value: f64, bar: Option<f64>) -> String {
    let word = |bar| if value <= bar { "ok" } else { "MISSED" };
    bar.map_or(String::new(), |bar| format!(", at most {bar}: {}", word(bar)))
}

const ARMS: [&str; 6] =
    ["akmehmet-6", "puma-560", "iiwa-14", "two-arm-satellite", "king-two-link", "theodore-rrp"];

const PER_ROUND: Duration = Duration::from_millis(5);

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    machine::stay_on_one_core();
    println!("processor: {}", machine::processor());
    let python = env::var_os("PLIANT_BENCH_PYTHON").map(|python| {
        let mut command = Command::new(python);
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/peers/arrays.py"));
        command.env_remove("PYTHONPATH");
        Asked::start(command)
    });
    let mut others = Others {
        baseline: options.baseline.as_deref().map(Baseline::start).transpose()?,
        python: python.transpose()?,
    };
    let whose = if others.baseline.is_some() { "the earlier commit" } else { "this build" };
    println!("forward dynamics; ratios to the articulated-body recursion of {whose}\n");
    let robots = concat!(env!("CARGO_MANIFEST_DIR"), "/../robots");
    let mut table = vec![TABLE.to_owned()];
    for name in ARMS {
        let loaded = pliant_io::load(format!("{robots}/{name}.toml"));
        table.push(rows(name, &loaded.map_err(Box::new)?.arm, options, &mut others)?);
    }
    table.push(rows(CHAIN, &effort::chain(&[3; 6])?, options, &mut others)?);
    println!("{}", table.join("\n"));
    Ok(ExitCode::SUCCESS)
}

/// The largest difference from the earlier commit that is rounding, beside the largest entry.
const ROUNDING: f64 = 1e-9;

/// Lets the Python package load an arm, and gives it the states; there are no files of chains.
fn show(name: &str, arm: &Arm, python: &mut Asked) -> Result<bool, Error> {
    let file = format!("{}/../robots/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    if !fs::exists(&file).unwrap_or(false) {
        return Ok(false);
    }
    python.ask(&format!("arm {file}"))?;
    let path = machine::target_folder().join("bench-states");
    let states = (0..STATES).flat_map(|seed| state(arm, seed)).flat_map(f64::to_ne_bytes);
    let written = fs::write(&path, states.collect::<Vec<u8>>());
    written.map_err(|source| Error::File { path: path.clone(), source })?;
    python.ask(&format!("states {}", path.display()))?;
    Ok(true)
}

/// Whether another program has the same arm: the same accelerations at a few states.
fn agree(name: &str, arm: &Arm, whose: &str, other: &mut Asked) -> Result<(), Error> {
    let (nq, n) = (arm.nq(), arm.nv());
    let mut work = aba::Workspace::new(arm);
    for seed in 0..5 {
        let one = state(arm, seed);
        let (mut forces, mut ud) = (one[nq + n..].to_vec(), vec![0.0; n]);
        aba::aba_into(arm, &mut work, &one[..nq], &one[nq..nq + n], &mut forces, &mut ud);
        let theirs = other.accelerations(seed)?;
        let largest = ud.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
        let apart = ud.iter().zip(&theirs).map(|(a, b)| (a - b).abs() / largest);
        let worst = apart.fold(0.0, |w: f64, d| if d.is_nan() { f64::INFINITY } else { w.max(d) });
        if theirs.len() != n || worst > ROUNDING {
            let (ours, theirs) = (format!("{name} of this build"), whose.to_owned());
            return Err(Error::Disagreement {
                joints: n,
                ours,
                theirs,
                worst,
                tolerance: ROUNDING,
            });
        }
    }
    Ok(())
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

fn rows(
    name: &str,
    arm: &Arm,
    options: &Options,
    Others { baseline, python }: &mut Others,
) -> Result<String, Error> {
    let (nq, n) = (arm.nq(), arm.nv());
    let bars = BARS.iter().find(|bars| bars.arm == name).filter(|_| baseline.is_some());
    if let Some(baseline) = baseline {
        baseline.choose(name)?;
        agree(name, arm, "earlier commit", &mut baseline.by)?;
    }
    let mut python = python.as_mut();
    if let Some(other) = &mut python {
        if show(name, arm, other)? {
            agree(name, arm, "Python package", other)?;
        } else {
            python = None;
        }
    }
    let mut baseline = baseline.as_mut().map(|baseline| &mut baseline.by);
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
    let mut own = || {
        aba::aba_into(arm, &mut work, black_box(q), u, &mut forces, &mut ud);
        black_box(&ud);
    };
    let mut failure = None;
    let mut single = [None; 2];
    let mut recursion = |calls| match &mut baseline {
        Some(baseline) => timed(baseline.one(calls), &mut failure),
        None => time(calls, &mut own),
    };
    for instructions in Instructions::ALL.into_iter().filter(|set| set.are_there()) {
        for fuse in [false, true] {
            let emitting = Emitting { fuse, ..Emitting::new(instructions) };
            let start = Instant::now();
            let code = MachineCode::compile(trace.tape(), emitting)?;
            let emitted = start.elapsed();
            let mut arena = Arena::default();
            let mut run = || {
                let holds = code.run(black_box(&inputs), &mut outputs, &mut arena);
                black_box((holds, &outputs));
            };
            let times =
                Times::timed(options.rounds, PER_ROUND, &mut recursion, |n| time(n, &mut run));
            let rounding = if fuse { "fused" } else { "unfused" };
            let emitted = 1e3 * emitted.as_secs_f64();
            let is_avx2 = instructions == Instructions::Avx2;
            let avx2 = bars.filter(|_| is_avx2);
            if is_avx2 {
                single[usize::from(fuse)] = Some(times.ratio);
            }
            let bar = judged(times.ratio, avx2.map(|bars| bars.one[usize::from(fuse)]));
            let late = judged(emitted, avx2.and_then(|bars| bars.emission));
            println!(
                "  {instructions:?}, one state, {rounding:7}: {:.3}{bar}  ({:.0} ns, recursion {:.0} ns; {} bytes in {emitted:.2} ms{late})",
                times.ratio,
                times.least[1],
                times.least[0],
                code.code().len(),
            );
        }
    }
    failure.map_or(Ok(()), Err)?;
    let many = batches(arm, &trace, options, [baseline, python], bars)?;
    let single = [0, 1].map(|k| cell(single[k], bars.map(|bars| bars.one[k])));
    let code = if name == CHAIN { name.to_owned() } else { format!("`{name}`") };
    Ok(format!("| {code} | {} | {} |", single.join(" | "), many.join(" | ")))
}

/// A time, or nothing where it could not be had, and why.
fn timed(time: Result<Duration, Error>, failure: &mut Option<Error>) -> Duration {
    time.unwrap_or_else(|why| {
        *failure = Some(why);
        Duration::ZERO
    })
}

/// How many states are computed, by name.
const WAYS: [&str; 3] = ["Avx2", "Avx512", "interpreter"];

/// Many states in row-major arrays, beside the recursion one by one; the ratios as cells, those of
/// [`WAYS`] and that from Python.
fn batches(
    arm: &Arm,
    trace: &Trace,
    options: &Options,
    [mut baseline, python]: [Option<&mut Asked>; 2],
    bars: Option<&Bars>,
) -> Result<[String; 4], Error> {
    let (nq, n, states) = (arm.nq(), arm.nv(), options.states as usize);
    let (mut q, mut u, mut tau) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..states {
        let one = state(arm, seed % STATES);
        q.extend_from_slice(&one[..nq]);
        u.extend_from_slice(&one[nq..nq + n]);
        tau.extend_from_slice(&one[nq + n..]);
    }
    let mut ud = vec![0.0; states * n];
    let mut work = aba::Workspace::new(arm);
    let (mut forces, mut all) = (vec![0.0; n], vec![0.0; states * n]);
    let mut own = || {
        for (row, ud) in all.chunks_exact_mut(n).enumerate() {
            forces.copy_from_slice(&tau[row * n..(row + 1) * n]);
            let (q, u) = (&q[row * nq..(row + 1) * nq], &u[row * n..(row + 1) * n]);
            aba::aba_into(arm, &mut work, q, u, &mut forces, ud);
        }
        black_box(&all);
    };
    let mut failure = None;
    let mut recursion = |_: u32| match &mut baseline {
        Some(baseline) => timed(baseline.rows(options.states), &mut failure),
        None => time(1, &mut own),
    };
    let sets = Instructions::ALL.into_iter().filter(|set| set.are_there());
    let mut by: Vec<(String, Batch)> = Vec::new();
    for set in sets {
        let emitting = Emitting { width: set.widest(), ..Emitting::new(set) };
        let batch = Batch::compiled(trace.tape(), emitting)?;
        by.push((format!("{set:?}"), batch));
    }
    // what Python takes
    let widest = by.last().map(|(name, _)| name.clone());
    let safe = Batch::interpreted(trace.tape())?;
    by.push(("interpreter".to_owned(), safe));
    // one call each in a round
    let rounds = options.rounds.min(9);
    let mut cells = [(); 4].map(|()| cell(None, None));
    let mut told = |at: usize, name: &str, by: &str, times: &Times| {
        let place = WAYS.iter().position(|known| *known == by);
        let bar = place.and_then(|k| Some(bars?.rows?[k]));
        cells[at] = cell(Some(times.ratio), bar);
        println!(
            "  {name}, {states} states: {:.3}{}  ({:.0} ns a state, recursion {:.0} ns)",
            times.ratio,
            judged(times.ratio, bar),
            times.least[1] / states as f64,
            times.least[0] / states as f64
        );
    };
    for (name, batch) in by {
        let mut room = Room::default();
        let mut run = || {
            let columns = [Columns::new(&q, nq), Columns::new(&u, n), Columns::new(&tau, n)];
            let failed = batch.run(states, &columns, &mut [ColumnsMut::new(&mut ud, n)], &mut room);
            black_box((failed, &ud));
        };
        let times = Times::timed(rounds, Duration::ZERO, &mut recursion, |_| time(1, &mut run));
        told(WAYS.iter().position(|way| *way == name).unwrap_or(0), &name, &name, &times);
    }
    if let Some(python) = python {
        let by = widest.unwrap_or("interpreter".to_owned());
        let mut unanswered = None;
        let mut rows = |_: u32| timed(python.rows(options.states), &mut unanswered);
        let times = Times::timed(rounds, Duration::ZERO, &mut recursion, &mut rows);
        told(WAYS.len(), &format!("{by} from Python"), &by, &times);
        unanswered.map_or(Ok(()), Err)?;
    }
    println!();
    failure.map_or(Ok(cells), Err)
}
