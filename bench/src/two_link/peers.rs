//! `MuJoCo` and Exudyn, asked over a pipe.
//!
//! They come from the Python package index, into a virtual environment below the target folder or
//! from the one that `PLIANT_PEERS_VENV` names.

use super::{Case, Path, Run, SAMPLES};
use crate::engine::Error;
use crate::{machine, peer};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What is installed; about 150 MB.
const PACKAGES: [&str; 2] = ["mujoco==4.0.0", "exudyn==1.13.6"];

/// The program that answers.
const SOURCE: &str = include_str!("../../peers/two_link.py");

/// A model of a peer and how it is stepped.
#[derive(Clone, Copy)]
pub(super) struct Model {
    pub(super) library: &'static str,
    /// Segments or elements per link.
    pub(super) parts: usize,
    pub(super) integrator: &'static str,
    pub(super) steps: usize,
}

/// The models that race. Steps that are too long for a chain diverge and drop out.
pub(super) fn models() -> Vec<Model> {
    let sweeps: [(&str, usize, &str, &[usize]); 14] = [
        ("MuJoCo", 2, "RK4", &[300, 600]),
        ("MuJoCo", 3, "RK4", &[600, 900, 1200]),
        ("MuJoCo", 5, "RK4", &[2100, 2400]),
        ("MuJoCo", 6, "RK4", &[3000, 3600]),
        ("MuJoCo", 7, "RK4", &[4500, 5400]),
        ("MuJoCo", 4, "RK4", &[1200, 1500, 1800, 2400, 4800]),
        ("MuJoCo", 8, "RK4", &[5400, 6600, 9000, 12000]),
        ("MuJoCo", 16, "RK4", &[24000, 36000]),
        ("MuJoCo", 4, "Euler", &[1200, 2400, 4800, 9600]),
        ("MuJoCo", 8, "Euler", &[6600, 9000, 12000, 24000, 48000]),
        ("MuJoCo", 16, "Euler", &[48000]),
        ("Exudyn", 2, "generalised-alpha", &[300, 600, 1200]),
        ("Exudyn", 4, "generalised-alpha", &[300, 600, 1200, 2400, 4800, 9600]),
        ("Exudyn", 8, "generalised-alpha", &[4800, 9600]),
    ];
    let all = sweeps.into_iter().flat_map(|(library, parts, integrator, steps)| {
        steps.iter().map(move |&steps| Model { library, parts, integrator, steps })
    });
    all.collect()
}

/// The running peers.
pub(super) struct Peers {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peers {
    /// Installs what is missing and starts.
    pub(super) fn start() -> Result<Self, Error> {
        let python = peer::python_with(&PACKAGES, "import mujoco, exudyn")?;
        let mut command = Command::new(python);
        // MuJoCo writes its log where it runs
        command.current_dir(machine::target_folder());
        command.args(["-c", SOURCE]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let doing = "starting the peers";
        let mut child = command.spawn().map_err(|error| peer::failure(doing, &command, &error))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(peer::failure(doing, &command, &"no pipes"));
        };
        Ok(Self { child, requests, answers: BufReader::new(answers) })
    }

    fn ask(&mut self, request: &Value) -> Result<Value, Error> {
        let mut answer = String::new();
        let sent = self.requests.write_all(format!("{request}\n").as_bytes());
        let length = sent.and_then(|()| self.answers.read_line(&mut answer)).unwrap_or(0);
        let parsed = serde_json::from_str(&answer).ok().filter(|_| length > 0);
        parsed.ok_or_else(|| Error::Answer { command: request.to_string(), answer })
    }

    /// Their versions.
    pub(super) fn about(&mut self) -> Result<String, Error> {
        let answer = self.ask(&json!({"about": true}))?;
        Ok(answer["about"].as_str().unwrap_or_default().to_owned())
    }

    /// One run.
    pub(super) fn run(&mut self, case: &Case, model: &Model) -> Result<Run, Error> {
        let request = json!({
            "library": model.library,
            "parts": model.parts,
            "integrator": model.integrator,
            "steps": model.steps,
            "theta1": case.theta1,
            "theta2": case.theta2,
        });
        let answer = self.ask(&request)?;
        let wrong = || Error::Answer { command: request.to_string(), answer: answer.to_string() };
        let seconds = answer["cpu"].as_f64().ok_or_else(wrong)?;
        let rows = answer["tip"].as_array().ok_or_else(wrong)?;
        // what is not a number arrives as null
        let place = |row: &Value| [0, 1].map(|k| row[k].as_f64().unwrap_or(f64::NAN));
        let tip: Path = rows.iter().map(place).collect();
        if tip.len() == SAMPLES { Ok(Run { seconds, tip }) } else { Err(wrong()) }
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // It has answered everything: how it ends does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
