//! Why there is no plan.

use crate::Help;
use crate::analyse::AnalysisError;
use crate::dynamics::EvaluationError;

/// Why points make no path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Points and durations do not pair.
    #[error("{points} points and {durations} durations make no path")]
    Points {
        /// How many points.
        points: usize,
        /// How many durations.
        durations: usize,
    },
    /// A point of another length.
    #[error("point {point} has {given} numbers, the first has {needed}")]
    Width {
        /// Which point, from 0.
        point: usize,
        /// How many numbers it has.
        given: usize,
        /// How many it should have.
        needed: usize,
    },
    /// NaN or infinite.
    #[error("a number of the path is {value}")]
    NotFinite {
        /// As given.
        value: f64,
    },
    /// A stretch without time.
    #[error("stretch {stretch} takes {duration} s")]
    NoDuration {
        /// Which stretch, from 0.
        stretch: usize,
        /// As given (s).
        duration: f64,
    },
    /// Speeding up and slowing down take too long.
    #[error(
        "speeding up takes {ramp} s and slowing down as long, but the stretch takes {duration} s"
    )]
    Ramp {
        /// As given (s).
        ramp: f64,
        /// That of the stretch (s).
        duration: f64,
    },
    /// A parabola that is too long.
    #[error("parabolas of {blend} s take {needed} s of a stretch of {duration} s")]
    Blend {
        /// As given (s).
        blend: f64,
        /// That of the stretch (s).
        duration: f64,
        /// What parabolas take of it (s).
        needed: f64,
    },
    /// The durations differ too much.
    #[error("the stretches differ too much in duration for one smooth curve")]
    NoSpline,
}

impl Help for PathError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Points { .. } => {
                "give two points or more, and one duration for each stretch between them"
            }
            Self::Width { .. } => "give as many in each",
            Self::NotFinite { .. } => "give a finite one",
            Self::NoDuration { .. } => "it must take some time",
            Self::Ramp { .. } => "give a time from 0 to half of it",
            Self::Blend { .. } => "give a shorter, positive time",
            Self::NoSpline => "make them more alike",
        };
        Some(help.into())
    }
}

/// Why joints were not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IkError {
    /// A motor behind a spring, which gives way under the loads.
    #[error(
        "the joint of \"{link}\" is elastic, and where it comes to rest under loads is not solved for"
    )]
    Elastic {
        /// The link.
        link: String,
    },
    /// No joints put the frame there.
    #[error("no joints put {frame} at {}", place(wanted))]
    Unreached {
        /// The frame.
        frame: String,
        /// Where it should be (m).
        wanted: [f64; 3],
        /// Where it comes nearest (m).
        nearest: [f64; 3],
        /// How far that is (m).
        position_error: f64,
        /// By how much the attitude is missed (rad); 0 where none was asked for.
        angle_error: f64,
        /// The configuration that comes nearest (rad, m).
        best: Vec<f64>,
    },
    /// Only postures beyond the limits of the joints put the frame there.
    #[error("{source} within the limits of the joints, {count} beyond them do")]
    BeyondLimits {
        /// How many postures.
        count: usize,
        /// What is within the limits.
        source: Box<IkError>,
    },
    /// A joint without a coordinate of its own on the way to the frame.
    #[error("the joint of {link} turns freely")]
    TurnsFreely {
        /// The link.
        link: String,
    },
    /// No joint moves the frame.
    #[error("no joint moves {frame}")]
    NothingMoves {
        /// The frame.
        frame: String,
    },
    /// The numbers given.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The links find no rest.
    #[error("the links find no rest: {0}")]
    NoRest(#[from] AnalysisError),
}

impl Help for IkError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Elastic { .. } => "plan without sag".into(),
            Self::Unreached { nearest, position_error, angle_error, .. } => {
                let away = away(*position_error, *angle_error);
                format!("the nearest place found is {}, {away}", place(nearest))
            }
            Self::BeyondLimits { source, .. } => {
                let own = source.help().map_or_else(String::new, |help| format!("; {help}"));
                format!("widen the limits{own}")
            }
            Self::TurnsFreely { .. } => "the solver takes joints with one coordinate each".into(),
            Self::NothingMoves { .. } => "choose a frame behind a joint that is not held".into(),
            Self::Evaluation(error) => return error.help(),
            Self::NoRest(error) => return error.help(),
        })
    }
}

/// Why a path of the tip gives no path of the joints.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The path itself.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A point of the path is out of reach.
    #[error("at t = {time:.4} s of the path {source}")]
    Unreachable {
        /// When (s).
        time: f64,
        /// What the solver says.
        source: IkError,
    },
    /// The joints would have to move infinitely fast.
    #[error(
        "at t = {time:.4} s the path meets a singular posture, in which {frame} cannot move in every direction: {posture}"
    )]
    Singular {
        /// When (s).
        time: f64,
        /// The frame.
        frame: String,
        /// The joints there, in words.
        posture: String,
    },
    /// A joint would have to leave its limits.
    #[error(
        "at t = {time:.4} s of the path {joint} is at its limit of {limit:.4} and should go on"
    )]
    AtLimit {
        /// When (s).
        time: f64,
        /// The joint.
        joint: String,
        /// The limit (rad, m).
        limit: f64,
    },
    /// A path that bends too fast.
    #[error("between t = {from:.4} s and {to:.4} s the joints turn too sharply to follow the path")]
    TooFast {
        /// The start of the stretch (s).
        from: f64,
        /// Its end (s).
        to: f64,
    },
    /// The solver cannot start.
    #[error(transparent)]
    Solver(IkError),
}

impl Help for PlanError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Path(error) => return error.help(),
            Self::Unreachable { source, .. } => return source.help(),
            Self::Singular { .. } => "lead the path around it, or start in another posture",
            Self::AtLimit { .. } => {
                "lead the path elsewhere, start in another posture, or widen the limits"
            }
            Self::TooFast { .. } => "keep away from singular postures",
            Self::Solver(error) => return error.help(),
        };
        Some(help.into())
    }
}

fn place(p: &[f64; 3]) -> String {
    // not the zero below zero
    let [x, y, z] = p.map(|x| (1e6 * x).round() / 1e6 + 0.0);
    format!("({x}, {y}, {z}) m")
}

fn away(position: f64, angle: f64) -> String {
    let short = |x: f64| if x < 1e-3 { format!("{x:.2e}") } else { format!("{x:.3}") };
    let distance = format!("{} m away", short(position));
    if angle > 0.0 { format!("{distance} and turned by {} rad", short(angle)) } else { distance }
}
