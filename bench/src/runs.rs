//! Whole runs of the command: with machine code, without, and of an earlier commit.

use crate::engine::Error;
use crate::{machine, peer};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Runs of all ready scenarios by the command, portable builds: the time of the processor that each
/// takes from its first to its last row, compiling included.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Rounds, of which the least time of each counts; runs of less than a tenth of a second get ten
    /// times as many.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Compare with the command of an earlier commit too, which is built first: d29fd4e.
    #[arg(long, value_name = "COMMIT")]
    baseline: Option<PathBuf>,
    /// Only these scenarios, by the names of their files.
    #[arg(value_name = "SCENARIO")]
    only: Vec<String>,
}

/// What is beside the command of an earlier commit, and the largest ratio to it, if there is a bar.
const BESIDE: [(&str, Option<f64>); 4] = [
    ("king-swing", Some(1.0 / 3.0)),
    ("theodore-rrp", Some(1.0 / 3.0)),
    ("boom-lift", None),
    ("six-slender", None),
];

/// A ratio of two least times that is noise.
const NOISE: f64 = 1.03;

/// A run shorter than this (s) takes more rounds to be timed.
const SHORT: f64 = 0.1;

/// A way to run a scenario.
struct Way {
    program: PathBuf,
    /// Whether recursions are compiled; the earlier commit does not ask.
    compile: Option<&'static str>,
    scenario: PathBuf,
}

/// The least time of a way (s), and the results of its last run.
struct Ran {
    seconds: f64,
    compiled: bool,
    result: Vec<u8>,
}

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    machine::stay_on_one_core();
    println!("processor: {}", machine::processor());
    println!("time of the processor (s), and ratios to a run without machine code\n");
    let here = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let program = PathBuf::from(env::var_os("PLIANT_BENCH_COMMAND").unwrap_or_default());
    let (mut missed, mut table) = (false, vec![TABLE.to_owned()]);
    for scenario in scenarios(&here.join("scenarios"))? {
        let name = scenario.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !options.only.is_empty() && !options.only.contains(&name) {
            continue;
        }
        let way = |compile| {
            let (program, scenario) = (program.clone(), scenario.clone());
            Way { program, compile: Some(compile), scenario }
        };
        let mut ways = vec![way("never"), way("auto"), way("always")];
        let beside = BESIDE.iter().find(|(beside, _)| *beside == name);
        if let (Some(folder), Some(_)) = (&options.baseline, beside) {
            ways.push(earlier(folder, &scenario)?);
        }
        let ran = least(&ways, options.rounds)?;
        missed |= tell(&name, &ran, beside.and_then(|(_, bar)| *bar));
        if let [never, auto, _, earlier @ ..] = ran.as_slice() {
            let earlier = earlier.first().map_or("–".to_owned(), |own| seconds(own.seconds));
            let [never, auto] = [never, auto].map(|own| seconds(own.seconds));
            table.push(format!("| `{name}` | {earlier} | {never} | {auto} |"));
        }
    }
    println!("\n{}", table.join("\n"));
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The head of the table of runs in book/compiled.md.
const TABLE: &str = "\
| scenario | earlier commit | without compiling | as by default |
|---|---|---|---|";

fn seconds(time: f64) -> String {
    format!("{time:.3} s")
}

/// The scenario of an earlier commit, or ours with its arm where it had none of that name.
fn earlier(folder: &Path, ours: &Path) -> Result<Way, Error> {
    let scenario = folder.join("scenarios").join(ours.file_name().unwrap_or_default());
    if !scenario.is_file() {
        let copied = fs::copy(ours, &scenario);
        copied.map_err(|source| Error::File { path: scenario.clone(), source })?;
    }
    let program = folder.join("target/portable/release/pliant");
    Ok(Way { program, compile: None, scenario })
}

/// The files of a folder, by name.
fn scenarios(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let files: Result<Vec<_>, _> = fs::read_dir(folder).map_err(failed)?.collect();
    let mut files: Vec<_> = files.map_err(failed)?.iter().map(fs::DirEntry::path).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    Ok(files)
}

/// Runs all ways turn by turn, each round from another one on.
fn least(ways: &[Way], rounds: u32) -> Result<Vec<Ran>, Error> {
    let mut ran: Vec<Ran> = ways.iter().map(once).collect::<Result<_, _>>()?;
    let is_short = ran.iter().all(|ran| ran.seconds < SHORT);
    for round in 1..if is_short { 10 * rounds } else { rounds } {
        for k in 0..ways.len() {
            let which = (k + round as usize) % ways.len();
            let again = once(&ways[which])?;
            let seconds = ran[which].seconds.min(again.seconds);
            ran[which] = Ran { seconds, ..again };
        }
    }
    Ok(ran)
}

/// One run, as the command of the README makes it, but for the page.
fn once(way: &Way) -> Result<Ran, Error> {
    let folder = machine::target_folder().join("bench-runs");
    let mut command = Command::new(&way.program);
    command.arg("run").arg(&way.scenario).arg("--output").arg(&folder);
    command.args(["--force", "--no-report", "--quiet"]);
    if let Some(compile) = way.compile {
        command.args(["--compile", compile]);
    }
    let doing = "running a scenario";
    let output = command.output().map_err(|why| peer::failure(doing, &command, &why))?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(peer::failure(doing, &command, &told));
    }
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|source| Error::File { path, source })
    };
    let summary: Value = serde_json::from_slice(&read("summary.json")?).unwrap_or_default();
    let seconds = summary["cpu_seconds"].as_f64().unwrap_or(f64::NAN);
    let compiled = summary["compiled"].as_bool().unwrap_or(false);
    Ok(Ran { seconds, compiled, result: read("result.parquet")? })
}

/// Prints a scenario; whether it missed what is asked of it.
fn tell(name: &str, ran: &[Ran], bar: Option<f64>) -> bool {
    let [never, auto, always, earlier @ ..] = ran else { return true };
    let (by_auto, by_always) = (auto.seconds / never.seconds, always.seconds / never.seconds);
    let compiles = if auto.compiled { "compiles" } else { "does not compile" };
    let slower = if by_auto <= NOISE { "ok" } else { "MISSED" };
    print!(
        "{name}: never {:.4}, auto {:.4} ({by_auto:.3}, {compiles}: {slower}), \
         always {:.4} ({by_always:.3})",
        never.seconds, auto.seconds, always.seconds
    );
    let mut missed = by_auto > NOISE;
    if let [earlier, ..] = earlier {
        let ratio = auto.seconds / earlier.seconds;
        print!("; earlier commit {:.4}: {ratio:.3}", earlier.seconds);
        if let Some(bar) = bar {
            let word = if ratio <= bar { "ok" } else { "MISSED" };
            print!(", at most {bar:.3}: {word}");
            missed |= ratio > bar;
        }
    }
    let is_same = never.result == auto.result && never.result == always.result;
    println!("{}", if is_same { "" } else { "; OTHER BYTES" });
    missed || !is_same
}
