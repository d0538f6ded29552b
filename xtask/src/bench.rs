//! `cargo xtask bench [NAME ARGS...]`: benchmarks, compiled for the processor at hand.

use crate::{Outcome, repo, wheel};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Builds the benchmarks in their own target folder, so that they and the tests do not evict each
/// other, and hands the arguments on.
pub(crate) fn run(args: &[&str]) -> Outcome {
    if let ["python"] = args {
        return wheel::bench();
    }
    let flags = native_flags();
    let mut args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
    let first = args.first().cloned().unwrap_or_default();
    let mut python = None;
    if let Some(at) = args.iter().position(|arg| arg == "--baseline") {
        let commit = args.get_mut(at + 1).ok_or("--baseline takes a commit, such as d29fd4e")?;
        let folder = check_out(commit)?;
        if first == "runs" {
            build_command(&folder, &folder.join("target/portable"))?;
        } else {
            build_baseline(&folder)?;
            python =
                wheel::fresh_python().inspect_err(|why| println!("without Python: {why}")).ok();
        }
        *commit = folder.display().to_string();
    }
    let mut cargo = repo::cargo();
    cargo
        .args(["run", "--locked", "--release", "--package", "pliant-bench", "--target-dir"])
        .arg(target_folder().join("native"))
        .arg("--")
        .args(args)
        .env("RUSTFLAGS", &flags);
    if matches!(first.as_str(), "kernels" | "flexible" | "wave-numbers") {
        cargo.env("PLIANT_BENCH_PORTABLE", build_portable()?);
    }
    if let Some(python) = python {
        // beside a recursion on one thread
        cargo.env("PLIANT_BENCH_PYTHON", python).env("RAYON_NUM_THREADS", "1");
    }
    if first == "runs" {
        let program = build_command(repo::root(), &target_folder())?;
        cargo.env("PLIANT_BENCH_COMMAND", program);
    }
    repo::run("the benchmark", &mut cargo)
}

/// Builds the command in a checkout as its users do; returns the program.
fn build_command(checkout: &Path, target: &Path) -> Result<PathBuf, String> {
    let mut cargo = repo::cargo();
    cargo.args(["build", "--locked", "--release", "--package", "pliant-cli", "--target-dir"]);
    cargo.arg(target).current_dir(checkout).env_remove("RUSTFLAGS");
    repo::run("the build of the command", &mut cargo)?;
    Ok(target.join("release/pliant"))
}

/// The flags of the compiler for the processor at hand.
fn native_flags() -> String {
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    format!("{flags} -C target-cpu=native").trim_start().to_owned()
}

/// Checks an earlier commit out below the target folder; returns the folder.
fn check_out(commit: &str) -> Result<PathBuf, String> {
    let name = format!("{commit}^{{commit}}");
    let commit = repo::first_line("git", &["rev-parse", "--verify", &name])
        .ok_or_else(|| format!("git knows no commit {commit}"))?;
    let folder = target_folder().join("baseline").join(&commit);
    if !folder.join("Cargo.toml").is_file() {
        unpack(&commit, &folder)?;
    }
    Ok(folder)
}

/// Builds a program in the checkout of an earlier commit that answers the benchmark.
fn build_baseline(folder: &Path) -> Outcome {
    let example = folder.join("crates/pliant-io/examples/baseline.rs");
    fs::create_dir_all(example.parent().unwrap_or(folder))
        .and_then(|()| fs::copy(repo::root().join("bench/peers/baseline.rs"), &example))
        .map_err(|why| format!("{} cannot be written: {why}", example.display()))?;
    let mut cargo = repo::cargo();
    cargo.args(["build", "--locked", "--release", "--package", "pliant-io"]);
    cargo.args(["--example", "baseline", "--target-dir"]).arg(folder.join("target"));
    cargo.current_dir(folder).env("RUSTFLAGS", native_flags());
    repo::run("the build of the earlier commit", &mut cargo)
}

/// The files of a commit, into a folder.
fn unpack(commit: &str, folder: &Path) -> Outcome {
    let failed = |why: io::Error| format!("{} cannot be written: {why}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    let archive = folder.with_extension("tar");
    let mut git = Command::new("git");
    git.args(["archive", "--output"]).arg(&archive).arg(commit).current_dir(repo::root());
    repo::run("git archive", &mut git)?;
    repo::run("tar", Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(folder))?;
    fs::remove_file(&archive).map_err(failed)
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
