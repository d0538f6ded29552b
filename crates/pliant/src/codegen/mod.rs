//! Sources of an arm: C, Rust and CUDA from traced quantities.
//!
//! A quantity is [traced](crate::compile::Trace) to a straight-line program, and the program is
//! printed: each operation is a statement, in the order of the recursion. Sine, cosine and Stumpff
//! functions are printed from the library's own arithmetic, so that a source that is compiled without
//! fusing products and sums gives the library's numbers.
//!
//! ```
//! use pliant::arm::{Builder, Joint, Link};
//! use pliant::codegen::{CodeContent, CodeSettings, Language, sources};
//!
//! let bob = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]);
//! let arm = Builder::new("my pendulum").gravity([0.0, -9.81, 0.0]).link(bob).build()?;
//! let settings = CodeSettings::new(Language::C);
//! let sources = sources(&arm, &[CodeContent::Forward], &settings, None)?;
//! assert_eq!(sources.files[0].path, "my_pendulum.h");
//! assert!(sources.files[0].text.contains("void my_pendulum_forward("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod about;
mod algorithm;
mod assemble;
mod body;
mod c;
mod c_files;
mod c_lines;
mod c_prelude;
mod checks;
mod composite;
mod cuda_files;
mod elimination;
mod error;
mod estimator;
mod formula;
mod names;
mod parts;
mod program;
mod routine;
mod rust;
mod rust_files;
#[cfg(test)]
mod tests;

pub use assemble::SourceDraft;
pub use error::CodeError;

use crate::arm::Arm;
use crate::compile::Parameters;
use crate::control::Controller;
use std::fmt::{self, Display, Formatter};

/// A language that sources are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99 that needs nothing but its standard headers.
    C,
    /// Rust without the standard library, with the crate `libm`.
    Rust,
    /// CUDA: a header of functions for device and host, and kernels over many arms.
    Cuda,
}

impl Display for Language {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::C => "C",
            Self::Rust => "Rust",
            Self::Cuda => "CUDA",
        })
    }
}

/// How sources are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSettings {
    /// In which language.
    pub language: Language,
    /// In single precision instead of double; special functions are computed in double and rounded.
    pub single: bool,
    /// How many arms at once, in lanes of vectors: 1, 2, 4, 8 or 16. Only C has them.
    pub lanes: usize,
    /// What all names begin with, made an identifier; the arm's name if there is none.
    pub name: Option<String>,
}

impl CodeSettings {
    /// Double precision, one arm at a time.
    pub fn new(language: Language) -> Self {
        Self { language, single: false, lanes: 1, name: None }
    }
}

/// What sources contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeContent {
    /// Forward dynamics.
    Forward,
    /// Inverse dynamics.
    Inverse,
    /// The mass matrix.
    MassMatrix,
    /// The equation of motion term by term.
    Terms,
    /// The poses of all frames.
    Kinematics,
    /// The Jacobian of a frame, of the tip if none is named.
    Jacobian {
        /// The name of the frame.
        frame: Option<String>,
    },
    /// The slopes of forward and of inverse dynamics.
    Derivatives,
    /// The law of computed torque, with its gains as inputs.
    ComputedTorque,
    /// Composite control, with the gains of where the plan of a controller begins.
    Composite,
    /// The Kalman filter of a controller, with the gain of its steady state.
    Estimator,
    /// Whole steps of fixed length: Runge-Kutta of order 4, semi-implicit and linearly implicit Euler.
    Step,
}

/// A controller that sources are written of.
#[derive(Clone, Copy, Debug)]
pub struct CodeController<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is.
    pub controller: &'a Controller,
    /// The time between its ticks (s); none where it acts at every instant.
    pub period: Option<f64>,
    /// The hash of the text of its scenario, from which gains and clocks come, for the head.
    pub scenario: Option<&'a str>,
    /// The unit and the sensor of each number that an estimator measures, in words; nothing where
    /// they are not known.
    pub sensors: &'a [String],
}

/// A file of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it belongs, below the folder of the sources, with `/` between its parts.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// The sources of an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// What all names begin with: the arm's name as an identifier.
    pub prefix: String,
    /// The files.
    pub files: Vec<SourceFile>,
    /// The functions that others may call, in order.
    pub functions: Vec<SourceFunction>,
}

/// A function of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFunction {
    /// Its name, without that of the arm.
    pub name: String,
    /// Its parameters: name, length (none of a single number), whether it is read and written.
    pub parameters: Vec<(String, Option<usize>, [bool; 2])>,
    /// How many operations it has; where there are loops, those of the straight-line functions that they
    /// call.
    pub operations: usize,
    /// Whether it has loops.
    pub has_loops: bool,
}

/// What sources are of.
#[derive(Clone, Copy, Debug)]
pub enum CodeSubject<'a> {
    /// An arm.
    Arm(&'a Arm),
    /// An arm with parameters, which are one more array of the functions. The head lists them with
    /// their nominal values and units.
    Parameters(&'a Parameters),
    /// A controller, whose model is the arm of all functions.
    Controller(CodeController<'a>),
}

/// The sources of an arm. Nothing is written; the hash of the arm's text is for the head.
pub fn sources(
    arm: &Arm,
    contents: &[CodeContent],
    settings: &CodeSettings,
    hash: Option<&str>,
) -> Result<Sources, CodeError> {
    sources_of(CodeSubject::Arm(arm), contents, settings, hash)
}

/// The same of anything that sources are of.
pub fn sources_of(
    subject: CodeSubject<'_>,
    contents: &[CodeContent],
    settings: &CodeSettings,
    hash: Option<&str>,
) -> Result<Sources, CodeError> {
    if contents.is_empty() {
        return Err(CodeError::Nothing);
    }
    let mut draft = SourceDraft::new(subject, settings)?;
    for content in contents {
        draft.add(content)?;
    }
    draft.sources(hash)
}

fn written(program: &program::Program) -> Sources {
    let files = match program.settings.language {
        Language::C => c_files::files(program),
        Language::Rust => rust_files::files(program),
        Language::Cuda => cuda_files::files(program),
    };
    let functions = program.public().map(|own| program.described(own)).collect();
    Sources { prefix: program.prefix.clone(), files, functions }
}
