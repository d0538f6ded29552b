//! Other programs that are asked for forward dynamics: an earlier commit of pliant, built by `cargo
//! xtask bench NAME --baseline COMMIT`, and the Python package.

use crate::engine::Error;
use crate::peer;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A program that answers over a pipe.
pub(crate) struct Asked {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The earlier commit.
pub(crate) struct Baseline {
    folder: PathBuf,
    pub(crate) by: Asked,
}

impl Baseline {
    /// Starts the program in the folder of the commit.
    pub(crate) fn start(folder: &Path) -> Result<Self, Error> {
        let command = Command::new(folder.join("target/release/examples/baseline"));
        Ok(Self { folder: folder.to_owned(), by: Asked::start(command)? })
    }

    /// Chooses its own file of an arm, or the chain where there is none of this name.
    pub(crate) fn choose(&mut self, name: &str) -> Result<(), Error> {
        let file = self.folder.join(format!("robots/{name}.toml"));
        let request = format!("arm {}", file.display());
        self.by.ask(if file.is_file() { &request } else { "chain" }).map(|_| ())
    }
}

impl Asked {
    /// Starts a program.
    pub(crate) fn start(mut command: Command) -> Result<Self, Error> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let doing = "starting what is compared with";
        let mut child = command.spawn().map_err(|error| peer::failure(doing, &command, &error))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(peer::failure(doing, &command, &"no pipes"));
        };
        Ok(Self { child, requests, answers: BufReader::new(answers) })
    }

    /// The numbers that it answers.
    pub(crate) fn ask(&mut self, request: &str) -> Result<Vec<f64>, Error> {
        let mut answer = String::new();
        let sent = self.requests.write_all(format!("{request}\n").as_bytes());
        let length = sent.and_then(|()| self.answers.read_line(&mut answer)).unwrap_or(0);
        let numbers: Option<Vec<f64>> =
            answer.split_whitespace().map(|word| word.parse().ok()).collect();
        let numbers = numbers.filter(|_| length > 0);
        numbers.ok_or_else(|| Error::Answer { command: request.to_owned(), answer })
    }

    /// Accelerations at a state.
    pub(crate) fn accelerations(&mut self, seed: usize) -> Result<Vec<f64>, Error> {
        self.ask(&format!("state {seed}"))
    }

    /// The time of so many calls at one state.
    pub(crate) fn one(&mut self, calls: u32) -> Result<Duration, Error> {
        self.time(&format!("one {calls}"))
    }

    /// The time of so many states, one by one.
    pub(crate) fn rows(&mut self, states: u32) -> Result<Duration, Error> {
        self.time(&format!("rows {states}"))
    }

    fn time(&mut self, request: &str) -> Result<Duration, Error> {
        let told = self.ask(request)?;
        Ok(Duration::from_secs_f64(1e-9 * told.first().map_or(0.0, |time| time.max(0.0))))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // It has answered everything: how it ends does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
