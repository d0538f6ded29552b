//! Whole runs of the command: with machine code, without, and of an earlier commit.

use crate::engine::Error;
use crate::{machine, peer};
use serde_json::Value;
use std::fmt::Write as _;
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

/// The part of the largest coordinate of a tip by which the motion of an earlier commit may be another:
/// errors of integration are far below it.
const APART: f64 = 1e-4;

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
    rows: u64,
    /// The least and the greatest of each coordinate of a tip, by channel.
    ranges: Vec<(String, [f64; 2])>,
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
    for (name, scenario) in chosen(scenarios(&here.join("scenarios"))?, &options.only)? {
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
        let (line, is_missed) = tell(&name, &ran, beside.and_then(|(_, bar)| *bar));
        missed |= is_missed;
        let is_alone = options.baseline.is_some() && beside.is_none();
        println!("{line}{}", if is_alone { "; not among those of the earlier commit" } else { "" });
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

/// The scenarios that are asked for, with their names; all where none is.
fn chosen(files: Vec<PathBuf>, only: &[String]) -> Result<Vec<(String, PathBuf)>, Error> {
    let named =
        |path: PathBuf| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path);
    let mut all: Vec<_> = files.into_iter().map(named).collect();
    if let Some(name) = only.iter().find(|name| all.iter().all(|(own, _)| own != *name)) {
        let known: Vec<_> = all.into_iter().map(|(name, _)| name).collect();
        return Err(Error::UnknownScenario { name: name.clone(), known: known.join(", ") });
    }
    all.retain(|(name, _)| only.is_empty() || only.contains(name));
    Ok(all)
}

/// The scenario of an earlier commit, or ours with its arm where it had none of that name.
fn earlier(folder: &Path, ours: &Path) -> Result<Way, Error> {
    let name = ours.file_name().unwrap_or_default();
    let mut scenario = folder.join("scenarios").join(name);
    if !scenario.is_file() {
        // under another name and each time anew, so that it is never taken for one of that commit
        scenario.set_file_name(format!("this-{}", name.display()));
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
    // no run takes the place of one of another scenario
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .map_err(|source| Error::File { path: folder.clone(), source })?;
    }
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
    let told = Ran::told(&summary, read("result.parquet")?);
    told.ok_or_else(|| peer::failure(doing, &command, &"its summary has no times or no rows"))
}

impl Ran {
    /// A run by its summary; none where that does not say what counts.
    fn told(summary: &Value, result: Vec<u8>) -> Option<Self> {
        let seconds = summary["cpu_seconds"].as_f64()?;
        let rows = summary["rows"].as_u64()?;
        // an earlier commit has no such key
        let compiled = summary["compiled"].as_bool().unwrap_or(false);
        let range = |one: &Value| {
            let channel = one["channel"].as_str().filter(|name| name.contains(".position."))?;
            let end = |which: &str| one[which]["value"].as_f64();
            Some((channel.to_owned(), [end("min")?, end("max")?]))
        };
        let ranges = summary["extremes"].as_array()?.iter().filter_map(range).collect();
        Some(Self { seconds, compiled, rows, ranges, result })
    }

    /// How far the tips go elsewhere than those of another run, as a part of the largest of their
    /// coordinates; none where the two have other rows, or no tip in common.
    fn apart(&self, other: &Self) -> Option<f64> {
        let common = self.ranges.iter().filter_map(|(channel, own)| {
            let (_, theirs) = other.ranges.iter().find(|(name, _)| name == channel)?;
            Some((own, theirs))
        });
        let ends = common.flat_map(|(own, theirs)| own.iter().zip(theirs));
        let (far, size) = ends.fold((0.0_f64, 0.0_f64), |(far, size), (a, b)| {
            (far.max((a - b).abs()), size.max(a.abs()))
        });
        (self.rows == other.rows && size > 0.0).then(|| far / size)
    }
}

/// A scenario in words; whether it missed what is asked of it.
fn tell(name: &str, ran: &[Ran], bar: Option<f64>) -> (String, bool) {
    let [never, auto, always, earlier @ ..] = ran else { return (String::new(), true) };
    let (by_auto, by_always) = (auto.seconds / never.seconds, always.seconds / never.seconds);
    let compiles = if auto.compiled { "compiles" } else { "does not compile" };
    let mut missed = false;
    // what is no number misses
    let mut word = |is_met: bool| {
        missed |= !is_met;
        if is_met { "ok" } else { "MISSED" }
    };
    let mut line = format!(
        "{name}: never {:.4}, auto {:.4} ({by_auto:.3}, {compiles}: {}), always {:.4} ({by_always:.3})",
        never.seconds,
        auto.seconds,
        word(by_auto <= NOISE),
        always.seconds
    );
    if let [earlier, ..] = earlier {
        let ratio = auto.seconds / earlier.seconds;
        let _ = write!(line, "; earlier commit {:.4}: {ratio:.3}", earlier.seconds);
        if let Some(bar) = bar {
            let _ = write!(line, ", at most {bar:.3}: {}", word(ratio <= bar));
        }
        let _ = match auto.apart(earlier) {
            Some(apart) => write!(line, ", tips within {apart:.0e}: {}", word(apart <= APART)),
            None => write!(line, ", OTHER ROWS: {}", word(false)),
        };
    }
    if never.result != auto.result || never.result != always.result {
        let _ = write!(line, "; OTHER BYTES: {}", word(false));
    }
    (line, missed)
}

#[cfg(test)]
mod tests {
    use super::{Ran, chosen, tell};
    use serde_json::json;
    use std::path::PathBuf;

    /// A run of so many seconds whose tip goes so far.
    fn ran(seconds: f64, most: f64, rows: u64) -> Ran {
        let channel = |name: &str| json!({ "channel": name, "min": { "value": -0.5 }, "max": { "value": most } });
        let extremes = [channel("arm.tip.position.x [m]"), channel("arm.y1 [m]")];
        let summary = json!({ "cpu_seconds": 1.0, "rows": rows, "extremes": extremes });
        Ran { seconds, ..Ran::told(&summary, vec![1]).unwrap() }
    }

    #[test]
    fn what_is_not_measured_is_no_success() {
        assert!(Ran::told(&json!({ "rows": 3, "extremes": [] }), vec![]).is_none());
        let all = |auto: f64, earlier: Ran| {
            let ran = [ran(1.0, 2.0, 3), ran(auto, 2.0, 3), ran(0.5, 2.0, 3), earlier];
            tell("arm", &ran, Some(0.5))
        };
        let same = all(0.5, ran(1.0, 2.0 + 1e-7, 3));
        assert!(!same.1 && same.0.ends_with("at most 0.500: ok, tips within 5e-8: ok"), "{same:?}");
        for (auto, earlier) in [
            (f64::NAN, ran(1.0, 2.0, 3)),
            (0.5, ran(f64::NAN, 2.0, 3)),
            (0.6, ran(1.0, 2.0, 3)),
            (0.5, ran(1.0, 2.001, 3)),
            (0.5, ran(1.0, 2.0, 4)),
            (0.5, Ran { ranges: vec![], ..ran(1.0, 2.0, 3) }),
        ] {
            let told = all(auto, earlier);
            assert!(told.1 && told.0.contains("MISSED"), "{told:?}");
        }
        let other = Ran { result: vec![2], ..ran(0.5, 2.0, 3) };
        assert!(tell("arm", &[ran(1.0, 2.0, 3), other, ran(0.5, 2.0, 3)], None).1);
    }

    #[test]
    fn names_of_no_scenario_are_refused() {
        let files = || ["a/swing.toml", "a/turn.toml"].map(PathBuf::from).to_vec();
        assert_eq!(chosen(files(), &[]).unwrap().len(), 2);
        assert_eq!(chosen(files(), &["turn".into()]).unwrap()[0].0, "turn");
        let told = chosen(files(), &["turn".into(), "swin".into()]).unwrap_err().to_string();
        assert_eq!(told, "there is no scenario `swin`\nhelp: there are swing, turn");
    }
}
