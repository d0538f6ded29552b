//! `cargo xtask wheel`: the Python package as a wheel; and its tests in a fresh environment.

use crate::python::{Environment, python_of};
use crate::{Outcome, bench, repo};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds wheels, and what the tests of the package need besides it.
const PACKAGES: Environment = Environment {
    name: "package-venv",
    packages: &[
        "maturin>=1.16,<2",
        "numpy",
        "pytest",
        "mypy",
        "pin",
        // what results and arms go on to
        "scipy",
        "control",
        "matplotlib",
        "pandas",
        "polars",
        "pyarrow",
        // clusters on which studies run, with the numbers of their processes
        "distributed",
        "psutil",
    ],
    // its wheels are for the newest Pythons later than others
    perhaps: &["ray"],
    present: "import maturin, numpy, pytest, mypy, pinocchio, scipy, control, pandas, polars, pyarrow, \
              distributed, psutil",
};

/// A linker for the symbols of an old C library, so that wheels install on old systems too.
const ZIG: Environment = Environment {
    name: "zig-venv",
    packages: &["ziglang"],
    perhaps: &[],
    present: "import ziglang",
};

/// Whom a wheel is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// This machine and newer ones.
    Here,
    /// All machines of its kind; on Linux this takes another linker, else it is the same.
    All,
}

/// The package.
const PACKAGE: &str = "crates/pliant-py";

/// For the setup: whether a Python has what is needed.
pub(crate) fn packages() -> Result<String, String> {
    let python = PACKAGES.python();
    if PACKAGES.is_met_by(&python) {
        Ok(python.display().to_string())
    } else {
        Err("no Python with maturin, pytest, mypy, Pinocchio and Dask".to_owned())
    }
}

/// For the setup: makes one.
pub(crate) fn install_packages() {
    if let Err(why) = PACKAGES.install() {
        println!("{:<12} {why}", "wheel");
    }
}

/// Builds the wheel and says where it is.
pub(crate) fn run() -> Outcome {
    println!("{}", built_for_all()?.display());
    Ok(())
}

/// Builds the wheel that is for all, and installs what that takes.
fn built_for_all() -> Result<PathBuf, String> {
    if packages().is_err() {
        PACKAGES.install()?;
    }
    if HAS_ZIG && !ZIG.is_met_by(&ZIG.python()) {
        ZIG.install()?;
    }
    build(For::All)
}

/// Whether Zig links for this kind of machine.
const HAS_ZIG: bool = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));

/// Builds the wheel and runs the tests of the package.
pub(crate) fn run_tests() -> Outcome {
    test_wheel(&built_for_all()?)
}

/// Times the package.
pub(crate) fn bench() -> Outcome {
    repo::run(
        "the benchmark",
        Command::new(fresh_python()?)
            .arg(repo::root().join("bench/python.py"))
            .env_remove("PYTHONPATH"),
    )
}

/// A Python with the package, built as for others: not for this processor.
pub(crate) fn fresh_python() -> Result<PathBuf, String> {
    packages()?;
    fresh(&build(For::Here)?)
}

/// Builds the wheel from what the workspace has built already: same profile, same features.
fn build(whom: For) -> Result<PathBuf, String> {
    let out = bench::target_folder().join("wheels");
    // one of another day would hide that none was built
    let _ = fs::remove_dir_all(&out);
    let mut maturin = Command::new(PACKAGES.python());
    maturin
        .args(["-m", "maturin", "build", "--release", "--locked", "--out"])
        .arg(&out)
        .current_dir(repo::root().join(PACKAGE));
    if whom == For::All && HAS_ZIG {
        // for the last link alone: what it links is that of the workspace
        maturin.arg("--").arg(format!("-Clinker={}", zig_linker()?.display()));
    }
    repo::run("maturin", &mut maturin)?;
    let files = fs::read_dir(&out).map_err(|why| format!("no wheel: {why}"))?;
    let mut wheels = files.filter_map(|file| Some(file.ok()?.path()));
    wheels
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| "maturin made no wheel".to_owned())
}

/// Installs the wheel into a fresh environment and runs the tests of the package there, without a
/// Rust toolchain in reach; tells if it cannot.
pub(crate) fn test() -> Result<Option<String>, String> {
    if let Err(why) = packages() {
        return Ok(Some(format!("skipped the Python package: {why}")));
    }
    test_wheel(&build(For::Here)?)?;
    Ok(None)
}

fn test_wheel(wheel: &Path) -> Outcome {
    let python = fresh(wheel)?;
    let package = repo::root().join(PACKAGE);
    let python = || {
        // no Rust toolchain in reach
        let mut command = Command::new(&python);
        command.current_dir(&package).env("PATH", "/usr/bin:/bin").env_remove("PYTHONPATH");
        command
    };
    repo::run("pytest", python().args(["-m", "pytest", "-q", "--durations=5"]))?;
    repo::run("mypy", python().args(["-m", "mypy", "-p", "pliant"]))?;
    repo::run("mypy over the tests", python().args(["-m", "mypy", "tests"]))?;
    let mut stubs = python();
    stubs.args(["-m", "mypy.stubtest", "pliant._pliant", "--ignore-missing-stub"]);
    repo::run("stubtest", stubs.args(["--mypy-config-file", "pyproject.toml"]))
}

/// A program that rustc calls as its linker.
fn zig_linker() -> Result<PathBuf, String> {
    let path = bench::target_folder().join("zigcc");
    let script = repo::root().join("xtask/python/zig_linker.py");
    let [python, script] = [ZIG.python(), script].map(|path| path.display().to_string());
    let text = format!("#!/bin/sh\nexec {python:?} {script:?} \"$@\"\n");
    fs::write(&path, text)
        .and_then(|()| repo::executable(&path))
        .map_err(|why| format!("{} cannot be written: {why}", path.display()))?;
    Ok(path)
}

/// A new environment with the wheel, which sees the packages of the other one.
fn fresh(wheel: &Path) -> Result<PathBuf, String> {
    let folder = bench::target_folder().join("fresh-venv");
    let _ = fs::remove_dir_all(&folder);
    let packages = PACKAGES.python();
    repo::run(
        "python3 -m venv",
        Command::new(&packages).args(["-m", "venv", "--without-pip"]).arg(&folder),
    )?;
    let python = python_of(&folder);
    let site = |python: &Path| -> Result<PathBuf, String> {
        let ask = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
        let told = repo::first_line(&python.to_string_lossy(), &ask);
        told.map(PathBuf::from).ok_or_else(|| format!("{} does not answer", python.display()))
    };
    let others = site(&packages)?;
    let list = site(&python)?.join("packages.pth");
    // `addsitedir` also reads the `.pth` files there, which some packages need
    let line = format!("import site; site.addsitedir({:?})\n", others.to_string_lossy());
    fs::write(&list, line).map_err(|why| format!("{} cannot be written: {why}", list.display()))?;
    repo::run(
        "pip install",
        Command::new(&packages)
            .args(["-m", "pip", "--python"])
            .arg(&python)
            .args(["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"])
            .arg(wheel),
    )?;
    Ok(python)
}
