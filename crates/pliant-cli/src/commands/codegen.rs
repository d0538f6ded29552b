//! `pliant codegen`: the equations of an arm as sources.

mod given;

use super::options::{Force, Set};
use super::warn_of_variants;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use given::Given;
use pliant::Help as _;
use pliant::codegen::{self, CodeContent, CodeError, CodeSettings, SourceDraft, SourceFunction};
use pliant_io::escape::{Shown as _, shell};
use pliant_io::{results, write_arm_with};
use std::path::{Path, PathBuf};

/// Write C, Rust or CUDA sources of an arm's equations of motion
///
/// The sources contain the arm's own numbers, need no library and allocate nothing. They do what the
/// recursions of pliant do, without the loops, the zeros and what is done twice. Compiled without
/// fused multiply-add they give the numbers of pliant. They are yours, under any terms.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant codegen robots/iiwa-14.toml                        forward dynamics in C, in iiwa_14_c\n  \
    pliant codegen arm.toml --what inverse,mass-matrix,kinematics -o model\n  \
    pliant codegen arm.toml --what jacobian --frame hand --float\n  \
    pliant codegen arm.toml --what forward,step --lang rust   a crate without std\n  \
    pliant codegen arm.toml --what step --lang cuda           a kernel for many arms\n  \
    pliant codegen arm.toml --parameters link.fore.payload.mass,gravity[2]\n  \
    pliant codegen arm.toml --lanes 8                         8 arms at once in vectors of GCC or Clang\n  \
    pliant codegen arm.toml --what all --name boom            all that can be had, as boom_forward and so on\n  \
    pliant codegen scenario.toml --what composite,estimator   the law of its controller, and its filter\n\n\
    What:  forward          accelerations from forces\n         \
           inverse          forces from accelerations\n         \
           mass-matrix      the mass matrix\n         \
           terms            mass matrix, Coriolis, gravity, elastic and damping forces\n         \
           kinematics       the poses of all frames\n         \
           jacobian         the Jacobian of the tip, or of --frame\n         \
           derivatives      the slopes of forward and inverse dynamics\n         \
           computed-torque  a control law, with its gains and references as inputs\n         \
           step             a step of fixed length: Runge-Kutta of order 4, semi-implicit Euler,\n                          \
                            linearly implicit Euler\n         \
           composite        of a scenario: King's composite control, by angles or pseudolinks, with the\n                          \
                            gains of the posture in which the plan begins\n         \
           estimator        of a scenario: the Kalman filter of a controller, with its steady gain\n         \
           all              all of these that can be had; what is left out is told\n\n\
    Composite control and estimators have gains, clocks and sensors that an arm file does not have: they\n\
    are those of a controller of a scenario, and all functions are then of the model of this controller.\n\n\
    C: NAME.h, NAME.c, example.c, CMakeLists.txt; C99, standard headers only. To build the example:\n  \
      cmake -S iiwa_14_c -B build && cmake --build build && build/iiwa_14_example\n\
    or: gcc -std=c99 -O2 -ffp-contract=off iiwa_14.c example.c -lm\n\
    Rust: a crate, no_std, with libm. CUDA: NAME.cuh with functions for device and host and kernels\n\
    over arrays of arms, example.cu, CMakeLists.txt.\n\n\
    The head of the first file lists coordinates with their names and units, and the hash of the arm.\n\
    Equal inputs give equal files. book/codegen.md says what is guaranteed.")]
pub(crate) struct Codegen {
    /// The arm or scenario file, "-" for stdin
    #[arg(value_name = "ARM|SCENARIO")]
    arm: PathBuf,

    #[command(flatten)]
    set: Set,

    /// Functions to write, separated by commas
    #[arg(long, value_name = "WHAT,..", value_delimiter = ',', default_value = "forward",
          value_parser = what)]
    what: Vec<What>,

    /// Controller of a scenario; default: the one that follows the plan
    #[arg(long, value_name = "NAME")]
    controller: Option<String>,

    /// Name that all names begin with, made an identifier; default: the arm's
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Language
    #[arg(long, value_enum, default_value_t = Lang::C)]
    lang: Lang,

    /// Numbers of single precision; sines and exponential maps are computed in double and rounded
    #[arg(long)]
    float: bool,

    /// C only: default number of arms at once, in vectors: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value_t = 1)]
    lanes: usize,

    /// Numbers of the arm that stay inputs, by their paths as for --set, separated by commas; see
    /// `pliant explain parameter`
    #[arg(long, value_name = "PATH,..", value_delimiter = ',')]
    parameters: Vec<String>,

    /// Frame of the Jacobian; default: the tip
    #[arg(long, value_name = "NAME")]
    frame: Option<String>,

    /// Folder to write; default: the name and the language, as `iiwa_14_c`
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lang {
    /// C99
    C,
    /// Rust without the standard library
    Rust,
    /// CUDA
    Cuda,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    Forward,
    Inverse,
    MassMatrix,
    Terms,
    Kinematics,
    Jacobian,
    Derivatives,
    ComputedTorque,
    Step,
    Composite,
    Estimator,
    All,
}

/// Laws that remember something, or that solve for their gains while they run.
const LAWS: [&str; 9] = [
    "pd",
    "pid",
    "gravity-pd",
    "decoupling",
    "energy-torque",
    "energy-feedback",
    "minimum-energy",
    "horizon",
    "extended",
];

fn what(text: &str) -> Result<What, String> {
    if LAWS.contains(&text) {
        return Err(
            "this law is not generated: it has a state or gains of its own, which pliant computes; \
             computed-torque is, composite and estimator are for scenarios that have them, and \
             mass-matrix, terms and inverse are what other laws are made of"
                .to_owned(),
        );
    }
    if text == "pseudolink" {
        return Err("composite is also for pseudolinks, of a scenario whose controller leads them"
            .to_owned());
    }
    What::from_str(text, false).map_err(|_| {
        let names = What::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|own| own.get_name().to_owned()).collect();
        format!("no such function; there are {}", names.join(", "))
    })
}

/// What is left out, with the reason.
type LeftOut = Vec<(CodeContent, String)>;

impl Codegen {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let has = |what: What| self.what.contains(&what);
        if self.frame.is_some() && !has(What::Jacobian) && !has(What::All) {
            let message = "--frame is the frame of a Jacobian, and none is asked for";
            return Err(Failure::input(message, "add jacobian to --what, or leave --frame out"));
        }
        let given = self.read(output)?;
        let settings = self.settings();
        let progress = Progress::new(output, "tracing the equations, and writing them");
        let (draft, left_out) = self.draft(&given, &settings)?;
        let has_composite = draft.contents().contains(&CodeContent::Composite);
        let (description, variants) = given.description();
        let hash = results::hash(&write_arm_with(&description, &variants));
        let sources = draft.sources(Some(&hash)).map_err(|error| refused(&error))?;
        drop(progress);
        warn_of_variants("these are the equations", &variants, output);
        let word = self.lang.to_possible_value();
        let word = word.map_or_else(String::new, |word| word.get_name().to_owned());
        let usual = || PathBuf::from(format!("{}_{word}", sources.prefix));
        let folder = self.output.clone().unwrap_or_else(usual);
        if folder == Path::new("-") {
            let message = "sources are several files, which the standard output cannot hold";
            return Err(Failure::input(message, "name a folder with -o"));
        }
        let files: Vec<(&str, &[u8])> =
            sources.files.iter().map(|file| (file.path.as_str(), file.text.as_bytes())).collect();
        self.force.write_folder(&folder, &files)?;
        output.data(&listed(&sources.functions))?;
        output.note(&given.whose());
        for (content, reason) in left_out {
            output.note(&format!("left out: {}: {reason}", word_of(&content)));
        }
        if has_composite {
            output.note(
                "the gains of composite control are those of where the plan begins; a scenario with a \
                 gains_period beyond its end shows what such gains do",
            );
        }
        let place = shell(&folder.to_string_lossy());
        let next = match self.lang {
            Lang::C | Lang::Cuda => format!("cmake -S {place} -B build && cmake --build build"),
            Lang::Rust => format!("cd {place} && cargo run --release --example print"),
        };
        output.note(&format!("wrote {}\nnext: {next}", folder.shown()));
        Ok(())
    }

    /// The sources, and what is left out of them with its reason. What was asked for by its name must be
    /// possible, and so must the Jacobian of a frame that was.
    fn draft<'a>(
        &self,
        given: &'a Given,
        settings: &CodeSettings,
    ) -> Result<(SourceDraft<'a>, LeftOut), Failure> {
        let asked = self.what.iter().filter_map(|what| self.content(*what));
        let asked: Vec<CodeContent> = asked.collect();
        let has_all = self.what.contains(&What::All);
        let is_law =
            |own: &CodeContent| matches!(own, CodeContent::Composite | CodeContent::Estimator);
        let (begun, laws) = if has_all && !asked.iter().any(is_law) {
            given.begin(settings)
        } else {
            (None, Vec::new())
        };
        let draft = begun.map_or_else(|| SourceDraft::new(given.subject(), settings), Ok);
        let mut draft = draft.map_err(|error| refused(&error))?;
        let all = What::value_variants().iter().filter_map(|what| self.content(*what));
        let all: Vec<CodeContent> = if has_all { all.collect() } else { asked.clone() };
        let mut left_out = Vec::new();
        for content in all.iter().filter(|own| !laws.iter().any(|(law, _)| law == *own)) {
            let Err(error) = draft.add(content) else { continue };
            let is_of_frame =
                self.frame.is_some() && matches!(content, CodeContent::Jacobian { .. });
            if !has_all || is_of_frame || asked.contains(content) {
                return Err(refused(&error));
            }
            left_out.push((content.clone(), error));
        }
        if let (true, Some((_, error))) = (draft.contents().is_empty(), left_out.first()) {
            return Err(refused(error));
        }
        let rest = left_out.into_iter().map(|(content, error)| (content, error.to_string()));
        Ok((draft, rest.chain(laws).collect()))
    }

    fn settings(&self) -> CodeSettings {
        let language = match self.lang {
            Lang::C => codegen::Language::C,
            Lang::Rust => codegen::Language::Rust,
            Lang::Cuda => codegen::Language::Cuda,
        };
        let name = self.name.clone();
        CodeSettings { language, single: self.float, lanes: self.lanes, name }
    }

    /// What sources have for a word; nothing for all of them.
    fn content(&self, what: What) -> Option<CodeContent> {
        Some(match what {
            What::Forward => CodeContent::Forward,
            What::Inverse => CodeContent::Inverse,
            What::MassMatrix => CodeContent::MassMatrix,
            What::Terms => CodeContent::Terms,
            What::Kinematics => CodeContent::Kinematics,
            What::Jacobian => CodeContent::Jacobian { frame: self.frame.clone() },
            What::Derivatives => CodeContent::Derivatives,
            What::ComputedTorque => CodeContent::ComputedTorque,
            What::Step => CodeContent::Step,
            What::Composite => CodeContent::Composite,
            What::Estimator => CodeContent::Estimator,
            What::All => return None,
        })
    }
}

/// The word of --what for a content.
fn word_of(content: &CodeContent) -> &'static str {
    match content {
        CodeContent::Forward => "forward",
        CodeContent::Inverse => "inverse",
        CodeContent::MassMatrix => "mass-matrix",
        CodeContent::Terms => "terms",
        CodeContent::Kinematics => "kinematics",
        CodeContent::Jacobian { .. } => "jacobian",
        CodeContent::Derivatives => "derivatives",
        CodeContent::ComputedTorque => "computed-torque",
        CodeContent::Composite => "composite",
        CodeContent::Estimator => "estimator",
        CodeContent::Step => "step",
    }
}

/// What was written: each function with its arrays.
fn listed(functions: &[SourceFunction]) -> String {
    let line = |function: &SourceFunction| {
        let parameter = |(name, length, _): &(String, Option<usize>, [bool; 2])| match length {
            Some(length) => format!("{name}[{length}]"),
            None => name.clone(),
        };
        let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        let loops = if function.has_loops { "loops around " } else { "" };
        let size = format!("{loops}{} operations", function.operations);
        format!("{}({}): {size}\n", function.name, parameters.join(", "))
    };
    functions.iter().map(line).collect()
}

/// What sources cannot hold, in the words of options.
fn refused(error: &CodeError) -> Failure {
    let help = match error {
        CodeError::Number { .. } => "leave --float out".to_owned(),
        CodeError::Lanes { .. } => "give --lanes 1, 2, 4, 8 or 16".to_owned(),
        CodeError::LanesOf { .. } => "leave --lanes out, or take --lang c".to_owned(),
        CodeError::Operations { content, bends, .. } => {
            let fewer = if *bends { ", or take fewer shapes for the links" } else { "" };
            format!("leave {} out of --what{fewer}", word_of(content))
        }
        CodeError::Name { .. } => "give --name a letter from a to z, or leave it out".to_owned(),
        CodeError::NoFrame | CodeError::Frame(_) => {
            "give --frame a frame of the arm; `pliant info` lists them".to_owned()
        }
        CodeError::Model(_) => "leave computed-torque out of --what".to_owned(),
        CodeError::NoController { .. } => {
            "give a scenario with a controller that has them".to_owned()
        }
        other => other.help().unwrap_or_default(),
    };
    Failure::input(error.to_string(), help)
}
