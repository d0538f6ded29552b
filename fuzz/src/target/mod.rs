//! The readers of pliant, and what is done with what they accept.

mod arm;
mod gallery;
mod results;
mod scenario;
mod small;
mod state;
mod study;
mod urdf;

use crate::grammar::{self, Grammar};
use crate::random::{Random, hash};
use crate::tree::Notation;
use miette::{GraphicalReportHandler, GraphicalTheme};
use pliant::arm::Arm;
use pliant_io::{Report, arm_schema, entry_schema, scenario_schema, state_schema, study_schema};
use std::fs;
use std::path::{Path, PathBuf};

/// What a reader says to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can be worked with.
    Accepted,
    /// It has errors, each with a message.
    Refused,
}

/// Which reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Arm files: read, evaluated, written and read again.
    Arm,
    /// URDF files: read with some options, links made flexible.
    Urdf,
    /// Scenarios: read, checked, run for a few steps.
    Scenario,
    /// Studies: read, their first runs made and written down.
    Study,
    /// Entries of galleries: read, made ready, their first rows computed, pages made of them.
    Gallery,
    /// States of some arms: read, evaluated, written and read again.
    State,
    /// Folders of results: opened, all columns read.
    Results,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Arm,
        Self::Urdf,
        Self::Scenario,
        Self::Study,
        Self::Gallery,
        Self::State,
        Self::Results,
    ];

    /// The name of its folders.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arm => "arm",
            Self::Urdf => "urdf",
            Self::Scenario => "scenario",
            Self::Study => "study",
            Self::Gallery => "gallery",
            Self::State => "state",
            Self::Results => "results",
        }
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Arm | Self::Scenario | Self::Study | Self::Gallery => "toml",
            Self::Urdf => "urdf",
            Self::State => "state",
            Self::Results => "json",
        }
    }

    /// So many executions shared out, so that each of these readers takes about as long.
    pub fn shares(kinds: &[Self], executions: u64) -> Vec<u64> {
        let weight = |kind: &Self| match kind {
            Self::Arm => 10,
            Self::Urdf | Self::Results => 20,
            Self::Scenario => 3,
            Self::Study | Self::Gallery => 2,
            Self::State => 40,
        };
        let sum: u64 = kinds.iter().map(weight).sum();
        kinds.iter().map(|kind| executions * weight(kind) / sum).collect()
    }

    /// An input in its parts: a line about it, what it says, and how that is written.
    pub fn parts(self, input: &str) -> (&str, &str, Notation) {
        match self {
            Self::Arm | Self::Scenario | Self::Study | Self::Gallery => ("", input, Notation::Toml),
            Self::Urdf => ("", input, Notation::Xml),
            Self::Results => ("", input, Notation::Json),
            Self::State => {
                let end = input.find('\n').map_or(input.len(), |at| at + 1);
                let (head, body) = input.split_at(end);
                let is_toml =
                    Path::new(head.trim_end()).extension().is_some_and(|own| own == "toml");
                (head, body, if is_toml { Notation::Toml } else { Notation::Json })
            }
        }
    }
}

/// A reader, with what it needs.
pub struct Target {
    /// Which one.
    pub kind: Kind,
    /// Whether everything is done with what it accepts, not only a part that depends on the input.
    is_thorough: bool,
    /// What its files may say.
    pub grammar: Grammar,
    /// For states: arms by name.
    arms: Vec<(String, Arm)>,
    /// A folder for what is written.
    scratch: PathBuf,
}

impl Target {
    /// A reader that may write below a folder.
    pub fn new(kind: Kind, scratch: &Path) -> Result<Self, String> {
        let schema = match kind {
            Kind::Arm => arm_schema(),
            Kind::Urdf => grammar::urdf(),
            Kind::Scenario => scenario_schema(),
            Kind::Study => study_schema(),
            Kind::Gallery => entry_schema(),
            Kind::State => state_schema(),
            Kind::Results => results::schema(),
        };
        let arms = if kind == Kind::State { state::arms()? } else { Vec::new() };
        let scratch = scratch.join(kind.name());
        fs::create_dir_all(&scratch).map_err(|why| format!("{}: {why}", scratch.display()))?;
        if kind == Kind::Gallery {
            gallery::prepare(&scratch)?;
        }
        Ok(Self { kind, is_thorough: false, grammar: Grammar::of(&schema), arms, scratch })
    }

    /// The same, which does everything with what it accepts.
    #[must_use]
    pub fn thorough(self) -> Self {
        Self { is_thorough: true, ..self }
    }

    /// Inputs to begin with: the files of the repository, good and bad ones.
    pub fn seeds(&self) -> Result<Vec<String>, String> {
        let mut seeds = match self.kind {
            Kind::Arm => arm::seeds(),
            Kind::Urdf => urdf::seeds(),
            Kind::Scenario => scenario::seeds(),
            Kind::Study => study::seeds(),
            Kind::Gallery => gallery::seeds(),
            Kind::State => Ok(state::seeds()),
            Kind::Results => results::seeds(&self.scratch),
        }?;
        for (_, text) in found(self.kind)? {
            seeds.push(text);
        }
        Ok(seeds)
    }

    /// Hands an input to the reader, and works with what it accepts.
    ///
    /// # Panics
    /// Where the reader does, or where something is wrong with its answer.
    pub fn run(&self, input: &str) -> Verdict {
        match self.kind {
            Kind::Arm => arm::run(input, self.is_thorough),
            Kind::Urdf => urdf::run(input, self.is_thorough),
            Kind::Scenario => scenario::run(input, self.is_thorough, &self.scratch),
            Kind::Study => study::run(input, self.is_thorough, &self.scratch),
            Kind::Gallery => gallery::run(input, self.is_thorough, &self.scratch),
            Kind::State => state::run(input, &self.arms),
            Kind::Results => results::run(input, &self.scratch),
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder of the repository with an ending, by name.
fn texts(folder: &str, ending: &str) -> Result<Vec<(PathBuf, String)>, String> {
    let folder = root().join(folder);
    let told = |why: std::io::Error| format!("{}: {why}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.extension().is_some_and(|own| own == ending) {
            paths.push(path);
        }
    }
    paths.sort();
    // some bad files are not text
    Ok(paths
        .into_iter()
        .filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text)))
        .collect())
}

/// Inputs that once showed a fault, by their paths.
pub fn found(kind: Kind) -> Result<Vec<(PathBuf, String)>, String> {
    let folder = format!("fuzz/found/{}", kind.name());
    if root().join(&folder).is_dir() { texts(&folder, kind.ending()) } else { Ok(Vec::new()) }
}

/// A refusal says something, and not too much; it can be drawn.
fn refused(report: &Report) -> Verdict {
    let text = report.to_string();
    assert!(!text.is_empty(), "a file is refused without a word");
    assert!(text.len() < 200_000, "a message of {} bytes", text.len());
    draw(report, &text);
    Verdict::Refused
}

/// Draws some of the reports as a terminal shows them.
fn draw(report: &Report, text: &str) {
    if !hash(text.as_bytes()).is_multiple_of(16) {
        return;
    }
    let renderer = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    for located in report.each().take(3) {
        let mut drawn = String::new();
        assert!(renderer.render_report(&mut drawn, located).is_ok(), "it cannot be drawn: {text}");
    }
}

/// A state of an arm.
pub struct Moving {
    /// Configuration (rad, m).
    pub q: Vec<f64>,
    /// Velocities (rad/s, m/s).
    pub u: Vec<f64>,
    /// Forces of motors (N m, N).
    pub tau: Vec<f64>,
    /// Accelerations of prescribed coordinates (rad/s², m/s²).
    pub ud: Vec<f64>,
}

/// A random state: joints anywhere, deformations small, beams that slide within their strokes.
pub fn state_of(arm: &Arm, random: &mut Random) -> Moving {
    let sizes: Vec<f64> = arm
        .velocity_coordinates()
        .iter()
        .map(|one| if one.role.deforms() { 0.02 } else { 2.0 })
        .collect();
    let mut numbers =
        || -> Vec<f64> { sizes.iter().map(|size| random.between(-size, *size)).collect() };
    let (du, u, tau, ud) = (numbers(), numbers(), numbers(), numbers());
    let mut q = arm.neutral();
    arm.displace(&mut q, &du);
    for link in 0..arm.body_count() {
        let stroke = arm.sliding_of(link).and_then(|beam| beam.slide).map(|slide| slide.stroke);
        if let (Some((at, _)), Some([smallest, largest])) = (arm.length_of(link), stroke) {
            q[at] = random.between(smallest, largest);
        }
    }
    Moving { q, u, tau, ud }
}

/// Some evaluations; what they say is compared elsewhere.
fn evaluate(arm: &Arm, random: &mut Random) {
    let Moving { q, u, tau, ud } = state_of(arm, random);
    let _ = arm.hybrid_dynamics(&q, &u, &tau, &ud);
    let _ = arm.bias(&q, &u);
    let _ = arm.energies(&q, &u);
    if let Some(frame) = arm.frames().last() {
        let _ = arm.pose(&q, frame.name());
    }
}
