//! `cargo xtask fuzz`: files that nobody would write, for every reader.

use crate::bench::target_folder;
use crate::{Outcome, repo};
use std::path::PathBuf;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Has every branch counted, and wrapped numbers end in a panic.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Coverflow-checks=on";

/// How many inputs the test command makes: half a minute on 2 idle cores.
const EXECUTIONS: &str = "75000";

/// A machine that takes longer than this (s) makes fewer.
const SECONDS: &str = "120";

/// How much processor time (s) one of them may take: more than in a campaign, for slow machines.
const LONGEST: &str = "20";

/// Hands the options on: `--minutes N`, `--target T` as often as wished, or `--compare N`.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let (mut minutes, mut targets) = (None, Vec::new());
    let mut rest = args;
    loop {
        rest = match rest {
            [] => break,
            ["--compare", arms] if args.len() == 2 => return compare(arms),
            ["--minutes", number, rest @ ..] => {
                minutes = number.parse::<f64>().ok().filter(|minutes| *minutes > 0.0);
                rest
            }
            ["--target", target, rest @ ..] => {
                targets.extend(["--target", target]);
                rest
            }
            [other, ..] => return Err(format!("fuzz: `{other}` is not understood")),
        }
    }
    let Some(minutes) = minutes else {
        return Err("fuzz: give the time, such as `cargo xtask fuzz --minutes 10`".to_owned());
    };
    // every campaign has other numbers; what it finds is kept
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let mut campaign = Command::new(build()?);
    campaign
        .arg("run")
        .arg(target_folder().join("fuzz/campaign"))
        .args(["--keep-corpus", "--seconds", &(60.0 * minutes).to_string()])
        .args(["--seed", &seed.to_string()])
        .args(targets);
    repo::run("the campaign", &mut campaign)
}

/// Builds with counters into a folder of its own; returns the program.
fn build() -> Result<PathBuf, String> {
    let about = Command::new("rustc").arg("-vV").output();
    let about = about.map_err(|why| format!("rustc could not be started: {why}"))?;
    let about = String::from_utf8_lossy(&about.stdout).into_owned();
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not tell for which machine it builds")?;
    let target = target_folder().join("fuzz");
    let mut cargo = repo::cargo();
    // with a target named, programs that run while building have no counters
    cargo
        .args(["build", "--locked", "--release", "--package", "pliant-fuzz", "--target", host])
        .args(["pliant", "pliant-io"].map(small_pieces))
        // looks at every counter after every execution
        .arg("--config=profile.release.package.pliant-fuzz.opt-level=3")
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", FLAGS);
    repo::run("the build with counters", &mut cargo)?;
    Ok(target.join(host).join("release/pliant-fuzz"))
}

/// A crate that is compiled in small pieces: here the time of the build counts.
fn small_pieces(package: &str) -> String {
    format!("--config=profile.release.package.{package}.codegen-units=64")
}

/// Compares two algorithms over random arms.
fn compare(arms: &str) -> Outcome {
    let folder = target_folder().join("fuzz/compare");
    let mut cargo = repo::cargo();
    cargo
        .args(["run", "--locked", "--release", "--package", "pliant-fuzz", "--", "compare"])
        .arg(folder)
        .args(["--arms", arms]);
    repo::run("the comparison", &mut cargo)
}

/// The part of a campaign that the test command runs: the same inputs every time, by the program that
/// the tests have built.
pub(crate) fn briefly() -> Outcome {
    let mut campaign = Command::new(target_folder().join("release/pliant-fuzz"));
    campaign
        .arg("run")
        .arg(target_folder().join("fuzz/brief"))
        .args(["--executions", EXECUTIONS, "--seconds", SECONDS])
        .args(["--longest", LONGEST, "--seed", "1"]);
    repo::run("the campaign", &mut campaign)
}
