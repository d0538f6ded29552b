//! What a benchmark asks of a program under test, pliant or a peer.

use pliant::arm::BuildError;
use std::path::PathBuf;

/// A program under test, loaded with one chain. The names of its calls are its own.
pub(crate) trait Engine {
    /// Times a batch of `count` calls over the stored states [ns per call].
    fn run(&mut self, call: &str, count: u32) -> Result<f64, Error>;

    /// The result at the first stored state, matrices row by row.
    fn value(&mut self, call: &str) -> Result<Vec<f64>, Error>;
}

/// Why a benchmark or a peer stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("this needs {0}\nhelp: apt-get install -y {0}")]
    MissingPackages(String),
    #[error("{folder} has no headers of Pinocchio\nhelp: pip install {package}")]
    MissingHeaders { package: &'static str, folder: PathBuf },
    #[error("{doing} failed ({why}): {command}")]
    Command { doing: &'static str, command: String, why: String },
    #[error("the chain is not a valid arm: {0}")]
    Arm(#[from] BuildError),
    #[error("the recursion is not compiled: {0}")]
    Code(#[from] pliant::pliant_jit::Refused),
    #[error("the motion is not compiled: {0}")]
    Motion(#[from] pliant::compile::CompileError),
    #[error("the file is refused: {0}")]
    ArmFile(#[from] Box<pliant_io::Report>),
    #[error("no joints to find: {0}")]
    Solver(#[from] pliant::plan::IkError),
    #[error(transparent)]
    Evaluation(#[from] pliant::dynamics::EvaluationError),
    #[error(transparent)]
    Unsupported(#[from] pliant::reproduce::Unsupported),
    #[error("no threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("there is no call `{0}`")]
    UnknownCall(String),
    #[error("there is no scenario `{name}`\nhelp: there are {known}")]
    UnknownScenario { name: String, known: String },
    #[error("the peer's answer to `{command}` was `{answer}`")]
    Answer { command: String, answer: String },
    #[error(
        "{ours} and the peer's {theirs} differ at {joints} joints: \
         {worst:.1e} of the largest entry, {tolerance:.0e} is allowed"
    )]
    Disagreement { joints: usize, ours: String, theirs: String, worst: f64, tolerance: f64 },
}
