//! `cargo xtask compare-pinocchio [URDF...]`: real robots, side by side with Pinocchio.
//!
//! Outside the tests, because it needs Python and the network once: the packages `pin` and
//! `example-robot-data` go into a virtual environment below the target folder, or come from the one
//! named by `PLIANT_PEERS_VENV`.

use crate::python::{Environment, python_of};
use crate::{Outcome, bench, repo};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed; the line of Python says which versions.
const PEERS: Environment = Environment {
    name: "peers-venv",
    packages: &["pin", "example-robot-data"],
    perhaps: &[],
    present: "\
from importlib.metadata import version
import numpy, pinocchio
print('Pinocchio', version('pin'), 'and example-robot-data', version('example-robot-data'))",
};

/// Small robots of the tests, one per feature of URDF.
const OURS: &str = "crates/pliant-io/tests/urdf/good";

/// Lets Pinocchio compute, then compares.
pub(crate) fn run(more: &[&str]) -> Outcome {
    let python = environment()?;
    let folder = bench::target_folder().join("pinocchio");
    fs::create_dir_all(&folder)
        .map_err(|why| format!("{} cannot be made: {why}", folder.display()))?;
    let reference = folder.join("reference.jsonl");
    repo::run(
        "the script that asks Pinocchio",
        Command::new(&python)
            .arg(repo::root().join("xtask/python/pinocchio_reference.py"))
            .arg(&reference)
            .arg(repo::root().join(OURS))
            .args(more),
    )?;
    repo::run(
        "the comparison",
        repo::cargo()
            .args(["run", "--locked", "--release", "--quiet", "--package"])
            .args(["pliant-io", "--example", "against_pinocchio", "--"])
            .arg(&reference),
    )
}

/// The Python that has Pinocchio.
fn environment() -> Result<PathBuf, String> {
    if let Some(given) = std::env::var_os("PLIANT_PEERS_VENV") {
        let python = python_of(Path::new(&given));
        return if PEERS.is_met_by(&python) {
            Ok(python)
        } else {
            Err(format!(
                "PLIANT_PEERS_VENV: {} lacks one of {}; install them there, or unset the variable",
                python.display(),
                PEERS.packages.join(", ")
            ))
        };
    }
    let python = PEERS.python();
    if !PEERS.is_met_by(&python) {
        PEERS.install()?;
        if !PEERS.is_met_by(&python) {
            return Err(format!("{} cannot import pinocchio", python.display()));
        }
    }
    Ok(python)
}
