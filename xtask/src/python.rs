//! Python environments of our own, inside the target folder.

use crate::{Outcome, bench, repo};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An environment with packages.
pub(crate) struct Environment {
    /// The name of its folder.
    pub(crate) name: &'static str,
    /// What pip installs.
    pub(crate) packages: &'static [&'static str],
    /// What it installs where there is something for this Python; tests skip without.
    pub(crate) perhaps: &'static [&'static str],
    /// A line of Python that fails where something is missing.
    pub(crate) present: &'static str,
}

/// What tests compare with.
const TESTS: Environment = Environment {
    name: "tests-venv",
    packages: &["scipy", "pyarrow"],
    perhaps: &[],
    present: "import scipy.linalg, pyarrow.parquet",
};

/// The variable that names the Python of tests.
const VARIABLE: &str = "PLIANT_PYTHON";

impl Environment {
    /// Its Python.
    pub(crate) fn python(&self) -> PathBuf {
        python_of(&bench::target_folder().join(self.name))
    }

    /// Whether a Python has what it should have.
    pub(crate) fn is_met_by(&self, python: &Path) -> bool {
        Command::new(python)
            .args(["-c", self.present])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// Makes it and installs its packages.
    pub(crate) fn install(&self) -> Outcome {
        let folder = bench::target_folder().join(self.name);
        println!("installing {} into {}", self.packages.join(", "), folder.display());
        repo::run(
            "python3 -m venv (it needs Python 3.10 or later)",
            Command::new("python3").args(["-m", "venv"]).arg(&folder),
        )?;
        self.pip(self.packages)?;
        for package in self.perhaps {
            if self.pip(&[package]).is_err() {
                println!("there is no {package} for this Python: tests that need it are skipped");
            }
        }
        Ok(())
    }

    fn pip(&self, packages: &[&str]) -> Outcome {
        repo::run(
            "pip install",
            Command::new(self.python())
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .args(packages),
        )
    }
}

/// The Python of an environment.
pub(crate) fn python_of(environment: &Path) -> PathBuf {
    if cfg!(windows) {
        environment.join("Scripts/python.exe")
    } else {
        environment.join("bin/python")
    }
}

/// The Python that tests compare with: what the variable names, our own, or that of the system.
pub(crate) fn of_tests() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(given)).filter(|python| TESTS.is_met_by(python));
    }
    [TESTS.python(), "python3".into()].into_iter().find(|python| TESTS.is_met_by(python))
}

/// For the setup: whether there is one.
pub(crate) fn packages() -> Result<String, String> {
    let python = of_tests().ok_or("no Python with SciPy and pyarrow")?;
    Ok(python.display().to_string())
}

/// For the setup: makes one.
pub(crate) fn install_packages() {
    if std::env::var_os(VARIABLE).is_none()
        && let Err(why) = TESTS.install()
    {
        println!("{:<12} {why}", "Python");
    }
}

/// Lets the tests that a command runs know their Python.
pub(crate) fn tell(command: &mut Command) -> &mut Command {
    match of_tests() {
        Some(python) => command.env(VARIABLE, python),
        None => command,
    }
}
