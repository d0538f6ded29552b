//! Why a scenario cannot be run.

use super::clock::ClockError;
use super::expression::ExpressionError;
use super::selection::UnknownChannel;
use super::signal::SignalError;
use super::summary::Reason;
use crate::Help;
use crate::arm::NoMotor;
use crate::compile::CompileError;
use crate::dynamics::EvaluationError;
use crate::name::NameError;
use crate::scalar::short;

/// What it is in a prescribed motion that jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpCause {
    /// A table begins or ends during the run: outside of its times it stands still.
    TableEnd,
    /// Steps or corners of a table that is not cubic.
    TableCorner,
    /// Any other signal.
    Signal,
}

impl JumpCause {
    fn help(self) -> Option<String> {
        match self {
            Self::TableEnd => Some(
                "let the table cover the whole run, since outside of its times it stands still; or let the motion rest where it begins and ends".into(),
            ),
            Self::TableCorner => Some(
                "take cubic interpolation for the table, over the whole run; held values have steps, and straight lines corners".into(),
            ),
            Self::Signal => Reason::Jumps.help(),
        }
    }
}

/// Why a scenario cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// The initial state.
    #[error("the initial state: {0}")]
    State(#[from] EvaluationError),
    /// The machine code that it asks for.
    #[error("the equations of motion are not compiled: {0}")]
    Compile(#[from] CompileError),
    /// A coordinate starts outside its limits.
    #[error("{coordinate} starts at {value}, outside its limits {lower} to {upper}")]
    OutsideLimits {
        /// The coordinate.
        coordinate: String,
        /// Where it starts (rad, m).
        value: f64,
        /// The lower limit (rad, m).
        lower: f64,
        /// The upper limit (rad, m).
        upper: f64,
    },
    /// A time that is not positive.
    #[error("the {what} is {value} s")]
    NotPositive {
        /// Duration or interval.
        what: &'static str,
        /// As given (s).
        value: f64,
    },
    /// A number below zero, or none.
    #[error("{of}: the {what} is {value}")]
    Negative {
        /// Which part of the scenario.
        of: String,
        /// Which number.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// An index beyond the end.
    #[error("{of}: there is no {what} {index}")]
    NoSuch {
        /// Which part of the scenario.
        of: String,
        /// What the index counts.
        what: &'static str,
        /// As given.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Two things of one name.
    #[error("two channels are called \"{name}\"")]
    SameName {
        /// The name.
        name: String,
    },
    /// A name that breaks the rule for names.
    #[error("{what} {item}, counted from 0: its name {source}")]
    BadName {
        /// Sensor or block.
        what: &'static str,
        /// Which of them, from 0.
        item: usize,
        /// What is wrong.
        source: NameError,
    },
    /// A strain of a link that does not bend.
    #[error("{of}: link \"{link}\" does not bend, so that it has no strain")]
    NotBending {
        /// Which part of the scenario.
        of: String,
        /// The link.
        link: String,
    },
    /// A strain of a link that slides.
    #[error("{of}: link \"{link}\" slides, and a gauge on it would pass into the hub")]
    GaugeSlides {
        /// Which part of the scenario.
        of: String,
        /// The link.
        link: String,
    },
    /// A place off the beam.
    #[error("{of}: {distance} m is not on the bending part of link \"{link}\", {length} m long")]
    BeyondBeam {
        /// Which part of the scenario.
        of: String,
        /// The link.
        link: String,
        /// As given (m).
        distance: f64,
        /// The length of the part that bends (m).
        length: f64,
    },
    /// A signal without sense.
    #[error("{of}: {source}")]
    Signal {
        /// Which part of the scenario.
        of: String,
        /// What is wrong.
        source: SignalError,
    },
    /// A clock that cannot tick.
    #[error("{of}: {source}")]
    Clock {
        /// Which part of the scenario.
        of: String,
        /// What is wrong.
        source: ClockError,
    },
    /// A motor where the motion is given.
    #[error("{coordinate} is prescribed, so that its motor's force follows")]
    MotorOfPrescribed {
        /// The coordinate.
        coordinate: String,
    },
    /// A motor where there can be none.
    #[error("{coordinate} {source}")]
    NoMotor {
        /// The coordinate.
        coordinate: String,
        /// Why.
        source: NoMotor,
    },
    /// A motion for a joint that is free.
    #[error("{coordinate} is not prescribed")]
    NotPrescribed {
        /// The coordinate.
        coordinate: String,
    },
    /// Two motions for one coordinate.
    #[error("the motion of {coordinate} is given twice")]
    PrescribedTwice {
        /// The coordinate.
        coordinate: String,
    },
    /// A position for a coordinate that has none.
    #[error("{coordinate} turns freely and has no position of its own")]
    NoPosition {
        /// The coordinate.
        coordinate: String,
    },
    /// A motion that would need an infinite force.
    #[error(
        "the motion of {coordinate} would need an infinite force at t = {} s, where its {what} jumps by {} {unit}",
        short(*time),
        short(*by)
    )]
    Jump {
        /// The coordinate.
        coordinate: String,
        /// When (s).
        time: f64,
        /// Position or rate.
        what: &'static str,
        /// By how much.
        by: f64,
        /// Its unit.
        unit: &'static str,
        /// What jumps there.
        cause: JumpCause,
    },
    /// A motion that has no value, or grows without bound.
    #[error(
        "no joint can follow the motion of {coordinate} at t = {} s, where its {what} is {} {unit}",
        short(*time),
        short(*value)
    )]
    Unbounded {
        /// The coordinate.
        coordinate: String,
        /// When (s).
        time: f64,
        /// Position, rate or acceleration.
        what: &'static str,
        /// How large it is there, if it is a number.
        value: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// Something to record that is not there.
    #[error(transparent)]
    Selection(#[from] UnknownChannel),
    /// The expression of an event.
    #[error("event \"{event}\": {source}")]
    Event {
        /// The event.
        event: String,
        /// What is wrong.
        source: ExpressionError,
    },
}

impl Help for DiagramError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::State(error) => return error.help(),
            Self::Compile(error) => return error.help(),
            Self::OutsideLimits { .. } => "start within the limits, or widen them".into(),
            Self::NotPositive { .. } => "it must be a positive time".into(),
            Self::Negative { .. } => "it must be zero or positive".into(),
            Self::NoSuch { count, .. } => format!("there are {count}, counted from 0"),
            Self::SameName { .. } => {
                "give every link, sensor and controller a name of its own, and none that of a channel".into()
            },
            Self::BadName { source, .. } => return source.help(),
            Self::NotBending { .. } => "choose a link that bends".into(),
            Self::GaugeSlides { .. } => "choose a link of constant length".into(),
            Self::BeyondBeam { length, .. } => format!("give a distance from 0 m to {length} m"),
            Self::Signal { source, .. } => return source.help(),
            Self::Clock { source, .. } => return source.help(),
            Self::MotorOfPrescribed { .. } => "take the motor away".into(),
            Self::NoMotor { source, .. } => return source.help(),
            Self::NotPrescribed { .. } => "make its joint a prescribed one".into(),
            Self::PrescribedTwice { .. } => "give it once".into(),
            Self::NoPosition { .. } => "give its rate".into(),
            Self::Jump { cause, .. } => cause.help()?,
            Self::Unbounded { .. } => {
                "keep roots, logarithms and quotients away from zero during the run".into()
            }
            Self::Selection(error) => return error.help(),
            Self::Event { source, .. } => return source.help(),
        })
    }
}
