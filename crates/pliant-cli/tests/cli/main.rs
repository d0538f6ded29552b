//! The command as a user runs it: output, exit code, help.

mod beam;
mod bench;
mod bounded;
mod check;
mod codegen;
mod convert;
mod dynamics;
mod eigenvalues;
mod explain;
mod first_hour;
#[path = "../../../pliant-io/tests/it/files.rs"]
mod files;
mod gallery;
mod info;
mod limits;
mod linearise;
mod messages;
mod modes;
mod names;
mod new;
mod optimise;
mod overwrite;
mod pieces;
mod plot;
mod reach;
mod report;
mod resume;
mod run;
mod set;
mod sliding;
mod study;
mod study_shown;
mod sweep;
mod trust;
mod two_runs;
mod variants;
mod wheel;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a run gave.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Run {
    /// It went well: the data.
    fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The input was at fault: the message. No data was written.
    fn refused(self) -> String {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

/// Runs pliant in the root of the repository.
fn pliant(arguments: &[&str]) -> Run {
    pliant_in(&root(), arguments, "")
}

/// Runs pliant in some folder with some input.
fn pliant_in(folder: &std::path::Path, arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pliant runs");
    if let Some(mut stdin) = child.stdin.take() {
        // a command that does not read its input may be gone already
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    }
    child.wait_with_output().expect("pliant ends").into()
}

/// A folder of its own for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}
