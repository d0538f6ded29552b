//! URDF in: robots as the Robot Operating System describes them.
//!
//! ```no_run
//! use pliant_io::urdf;
//!
//! let loaded = urdf::load("panda.urdf", &urdf::Options::default())?;
//! println!("{}", loaded.warnings);
//! let mass = loaded.arm.mass_matrix(&loaded.arm.neutral());
//! # Ok::<(), pliant_io::Report>(())
//! ```
//!
//! | in the file | in the arm |
//! |---|---|
//! | `link` | a link, and a frame of its name, also when it is merged into another |
//! | `inertial` | mass, centre and tensor, turned into the link frame; massless without it |
//! | `joint` | a joint whose coordinates have its name |
//! | `revolute`, `continuous` | revolute; the latter without a range |
//! | `prismatic`, `fixed` | the same |
//! | `planar` | planar: `axis` is the normal; x and y of the plane are the joint frame's x and y for the normal z, y and z for x, z and x for y |
//! | `floating` | free |
//! | `spherical`, `ball` (not in the standard) | spherical |
//! | `limit lower upper` | the range of a revolute or prismatic joint |
//! | `limit effort velocity` | the limits of its actuator; zero is none |
//! | `dynamics damping` | viscous damping of a revolute or prismatic joint |
//! | `dynamics friction` | dry friction of its actuator, turning round over 0.01 rad/s or m/s |
//! | the root link | fixed to the ground, where its mass has no effect; or free, see [`Base`] |
//!
//! What the dynamics does not need is passed over: pictures in silence, the rest with one warning.
//! Files named by `mesh` are never opened. Names that break the [rule for names](pliant::name) are
//! replaced by the nearest that keep it, each with a warning. Joints that `mimic` others become independent. What
//! is physically implausible (tensors that no matter has, joints that move nothing) is a warning,
//! and the numbers are kept.

mod assemble;
pub mod codes;
mod document;
mod elements;
mod findings;
mod rename;
mod robot;
mod tree;

use crate::arm_file::ill_conditioned;
use crate::{Loaded, Problem, Report, Setting, Source, foreign};
use elements::Elements;
use pliant::Help;
use pliant::arm::{Arm, Builder, Warning};
use pliant::name::nearest_title;
use pliant::reproduce::Variants;
use std::path::Path;

/// How a URDF becomes an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What becomes of joints that do not move.
    pub fixed: FixedJoints,
    /// How the root link is held.
    pub base: Base,
}

/// What becomes of joints that do not move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixedJoints {
    /// Every link stays a link.
    #[default]
    Keep,
    /// A link on a fixed joint becomes part of the link it hangs on; its frame stays.
    Merge,
}

/// How the root link is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// On the ground. Its mass then has no effect on the motion.
    #[default]
    Fixed,
    /// It moves freely, by six coordinates of its name.
    Floating,
}

/// Largest file that is read (bytes).
pub(crate) const LONGEST: u64 = 16 << 20;

/// Loads an arm from a URDF file.
pub fn load(path: impl AsRef<Path>, options: &Options) -> Result<Loaded, Report> {
    read(&crate::read_source(path, LONGEST)?, options)
}

/// The same with settings, which have the keys of the arm file that it becomes.
pub fn load_with(
    path: impl AsRef<Path>,
    options: &Options,
    settings: &[Setting],
) -> Result<Loaded, Report> {
    crate::load::read_urdf(&crate::read_source(path, LONGEST)?, *options, settings)
}

/// Reads an arm from the text of a URDF.
pub fn read(source: &Source, options: &Options) -> Result<Loaded, Report> {
    let mut elements = Elements::default();
    let described = describe(source, *options, &mut elements);
    let failed = elements.findings.has_errors();
    let warnings = Report::new(source.clone(), elements.findings.into_problems());
    match described {
        Some((arm, description)) if !failed => {
            let variants = Variants::default();
            Ok(Loaded { arm, description, variants, warnings })
        }
        _ => Err(warnings),
    }
}

fn describe(source: &Source, options: Options, elements: &mut Elements) -> Option<(Arm, Builder)> {
    let document = match document::parse(source) {
        Ok(document) => document,
        Err(problem) => {
            // no line is shown of a file that is plainly something else
            elements.findings.push(match source.text() {
                text if text.contains("<robot") => problem,
                text if foreign::is_page(text) => foreign::problem(source),
                _ => Problem { span: None, label: None, ..problem },
            });
            return None;
        }
    };
    let mut robot = robot::read(&document, elements)?;
    rename::rename(&mut robot, &mut elements.findings);
    let tree = tree::find(&robot, source, &mut elements.findings)?;
    let name = robot.name.as_ref().map(|name| name.text.clone());
    let name = name.unwrap_or_else(|| nearest_title(&stem(source.name())));

    // with every link kept, warnings are told link by link
    let kept = Options { fixed: FixedJoints::Keep, ..options };
    let (description, from) = assemble::describe(&robot, &tree, &name, kept);
    let mut built = build(description.lenient(), &from, &robot, elements)?;
    let warnings = built.0.warnings().to_vec();
    for warning in &warnings {
        elements.findings.push(warned(warning, &robot));
    }
    // an arm without such warnings is described strictly
    let negative = |warning: &Warning| matches!(warning, Warning::NegativeInertia { .. });
    let lenient = warnings.iter().any(negative);
    if options.fixed == FixedJoints::Merge || !lenient {
        let (mut description, from) = assemble::describe(&robot, &tree, &name, options);
        if lenient {
            description = description.lenient();
        }
        built = build(description, &from, &robot, elements)?;
    }
    // so that no mass gets lost when the arm file is changed
    let (arm, description) = built;
    if let Some(problem) = ill_conditioned(&arm) {
        elements.findings.push(problem);
    }
    let mass = arm.total_mass();
    let description = if mass > 0.0 { description.total_mass(mass) } else { description };
    Some((arm, description))
}

/// Builds the arm. The reader has checked what the builder checks; if something slipped through,
/// the builder's word is passed on with the place of the link.
fn build(
    description: Builder,
    from: &[usize],
    robot: &robot::Robot,
    elements: &mut Elements,
) -> Option<(Arm, Builder)> {
    match description.clone().build() {
        Ok(arm) => Some((arm, description)),
        Err(error) => {
            for fault in error.faults {
                let mut problem = Problem::error(&crate::codes::REFUSED, fault.to_string());
                problem.help = fault.help();
                if let Some(&link) = from.get(fault.link) {
                    problem = problem.at(robot.links[link].name.span.clone());
                }
                elements.findings.push(problem);
            }
            None
        }
    }
}

/// What the builder warns of, with its place in the file.
fn warned(warning: &Warning, robot: &robot::Robot) -> Problem {
    let tensor = "check signs, axes and units of <inertia>; the numbers are used as they are";
    let (code, name, help) = match warning {
        Warning::TriangleInequality { link, .. } => {
            (&crate::codes::TRIANGLE_INEQUALITY, Some(link), Some(tensor))
        }
        Warning::NegativeInertia { link, .. } => {
            (&crate::codes::NEGATIVE_INERTIA, Some(link), Some(tensor))
        }
        Warning::MovesNothing { link } => (
            &crate::codes::MOVES_NOTHING,
            Some(link),
            Some("give the link an <inertial>, or make the joint fixed"),
        ),
        // warnings of later versions of the builder
        _ => (&crate::codes::DOUBTFUL, None, None),
    };
    let help = help.map(str::to_owned).or_else(|| warning.help());
    let problem = Problem { help, ..Problem::warning(code, warning.to_string()) };
    match name.and_then(|name| robot.links.iter().find(|link| link.name.text == *name)) {
        Some(link) => problem.at(link.inertial.clone()),
        None => problem,
    }
}

/// `panda` of `robots/panda.urdf`.
fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem();
    stem.map_or_else(|| "robot".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
