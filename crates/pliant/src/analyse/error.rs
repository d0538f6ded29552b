//! What can go wrong in an analysis.

use crate::Help;
use crate::dynamics::EvaluationError;

/// Why an analysis has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The numbers given cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A list with one entry per link has another length.
    #[error(
        "{given} joints are said to be locked, free or on springs, this arm has {needed} links"
    )]
    WrongConditionCount {
        /// How many were given.
        given: usize,
        /// How many links there are.
        needed: usize,
    },
    /// A joint is to stand on a spring that it does not have.
    #[error("the joint of \"{link}\" is to be on its spring but has none")]
    NoSpring {
        /// The link.
        link: String,
    },
    /// A steady velocity where none can be kept.
    #[error(
        "the steady velocity of \"{coordinate}\" is {value}, but only prescribed joints keep theirs"
    )]
    NotPrescribed {
        /// The coordinate.
        coordinate: String,
        /// The velocity given.
        value: f64,
    },
    /// Forces do not determine the equilibrium.
    #[error("nothing holds \"{coordinate}\": it moves without a change of force")]
    Unconstrained {
        /// The coordinate that takes the largest part in the free motion.
        coordinate: String,
    },
    /// No equilibrium was reached.
    #[error(
        "no equilibrium found: the iteration stopped at {percent:.3} % of the loads with {force:.3e} left on \"{coordinate}\""
    )]
    NotConverged {
        /// How much of the loads could be put on (%).
        percent: f64,
        /// The force that remains when more is put on (N, N m).
        force: f64,
        /// On which coordinate.
        coordinate: String,
    },
    /// The eigenvalues of a motion were not found.
    #[error(
        "the eigenvalues at this instant cannot be computed: the iteration does not end, or the slopes of the motion are not finite"
    )]
    NoEigenvalues,
    /// A slope beyond the range of numbers.
    #[error("a slope of \"{coordinate}\" is {value}")]
    SlopeOutOfRange {
        /// The state or output.
        coordinate: String,
        /// The slope.
        value: f64,
    },
    /// An instant of a motion has no answer.
    #[error("at t = {time} s: {source}")]
    At {
        /// When (s).
        time: f64,
        /// Why.
        source: Box<AnalysisError>,
    },
    /// No link of this index.
    #[error("there is no link {given}")]
    NoSuchLink {
        /// The index given.
        given: usize,
        /// How many links there are.
        count: usize,
    },
    /// A link that slides has no one length to be sized for.
    #[error("link \"{link}\" slides, and the sizing rule is for links of one length")]
    Slides {
        /// The link.
        link: String,
    },
    /// No such thing of this index.
    #[error("there is no {what} {given}")]
    NoSuch {
        /// What it would be.
        what: &'static str,
        /// The index given.
        given: usize,
        /// How many there are.
        count: usize,
    },
    /// A motor whose joint does not move.
    #[error("the motor of \"{coordinate}\" is an input, but its joint is locked or prescribed")]
    LockedInput {
        /// The coordinate.
        coordinate: String,
    },
    /// A gauge that is not on its beam.
    #[error("a gauge sits {distance} m along \"{link}\", which bends over {length} m")]
    BeyondBeam {
        /// The link.
        link: String,
        /// Where it sits (m).
        distance: f64,
        /// How long the part that bends is (m).
        length: f64,
    },
    /// A link without a beam has no strength or stiffness to judge, and no strain.
    #[error("link \"{link}\" is rigid")]
    Rigid {
        /// The link.
        link: String,
    },
    /// A demand that no link can be held against.
    #[error("the {what} is {value}")]
    NotPositive {
        /// Bandwidth or bending moment.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// Real shapes do not exist.
    #[error(
        "the steady motion couples the shapes at {first:.4} and {second:.4} rad/s by gyroscopic forces, which this analysis leaves out"
    )]
    Gyroscopic {
        /// One frequency (rad/s).
        first: f64,
        /// The other (rad/s).
        second: f64,
    },
}

impl Help for AnalysisError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Evaluation(error) => return error.help(),
            Self::At { source, .. } => return source.help(),
            Self::WrongConditionCount { .. } => "give one entry for each link".into(),
            Self::NoSpring { .. } => "give it a stiffness, or call it free or locked".into(),
            Self::NotPrescribed { .. } => "prescribe this joint or give 0".into(),
            Self::Unconstrained { .. } => {
                "lock its joint, give it a spring, or take away the load at which the arm buckles"
                    .into()
            }
            Self::NotConverged { .. } => {
                "start nearer to the answer, cut strongly bent links into more segments, or lower the loads"
                    .into()
            }
            Self::NoEigenvalues => "choose another instant, or look for forces without bound".into(),
            Self::SlopeOutOfRange { .. } => {
                "look for masses, lengths, stiffnesses or gravity beyond those of any arm".into()
            }
            Self::NoSuchLink { count, .. } => format!("the arm has {count}, counted from 0"),
            Self::Slides { .. } => "size a link that has its largest length throughout".into(),
            Self::NoSuch { count, .. } => format!("there are {count}, counted from 0"),
            Self::LockedInput { .. } => "release the joint, or take another input".into(),
            Self::BeyondBeam { length, .. } => format!("give a distance from 0 m to {length} m"),
            Self::Rigid { .. } => "give it a beam to have it sized or gauged".into(),
            Self::NotPositive { .. } => "it must be a positive number".into(),
            Self::Gyroscopic { .. } => {
                "take one of the two directions out of the links' shapes".into()
            }
        })
    }
}
