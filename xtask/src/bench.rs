//! `cargo xtask bench [NAME ARGS...]`: benchmarks, compiled for the processor at hand.

use crate::{Outcome, repo, wheel};
use std::path::PathBuf;

/// Builds the benchmarks in their own target folder, so that they and the tests do not evict each
/// other, and hands the arguments on.
pub(crate) fn run(args: &[&str]) -> Outcome {
    if let ["python"] = args {
        return wheel::bench();
    }
    let mut flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    flags.push_str(" -C target-cpu=native");
    let mut cargo = repo::cargo();
    cargo
        .args(["run", "--locked", "--release", "--package", "pliant-bench", "--target-dir"])
        .arg(target_folder().join("native"))
        .arg("--")
        .args(args)
        .env("RUSTFLAGS", flags.trim_start());
    if matches!(args.first(), Some(&("kernels" | "flexible" | "wave-numbers"))) {
        cargo.env("PLIANT_BENCH_PORTABLE", build_portable()?);
    }
    repo::run("the benchmark", &mut cargo)
}

/// A build whose instructions valgrind knows, for counting them; returns the program.
fn build_portable() -> Result<PathBuf, String> {
    let target = target_folder().join("portable");
    let mut cargo = repo::cargo();
    cargo
        .args(["build", "--locked", "--release", "--package", "pliant-bench", "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", "-C target-cpu=x86-64-v2");
    repo::run("the portable build", &mut cargo)?;
    Ok(target.join("release/pliant-bench"))
}

/// The workspace's target folder, wherever it was put: this program was built two levels below it.
pub(crate) fn target_folder() -> PathBuf {
    std::env::current_exe()
        .ok()
        .and_then(|exe| exe.ancestors().nth(2).map(PathBuf::from))
        .unwrap_or_else(|| repo::root().join("target"))
}
