//! Why sources are not written.

use super::{CodeContent, Language};
use crate::Help;
use crate::arm::UnknownName;
use crate::control::{ControlError, ModelError};

/// Why sources are not written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// Nothing is asked for.
    #[error("no function is asked for")]
    Nothing,
    /// The arm does not move.
    #[error("the arm has no coordinates")]
    NoCoordinates,
    /// The arm has too many coordinates for code without loops.
    #[error("the arm has {count} coordinates, more than the {most} of code without loops")]
    Coordinates {
        /// How many it has.
        count: usize,
        /// How many it may have.
        most: usize,
        /// Whether links of it bend.
        bends: bool,
    },
    /// A function is too long.
    #[error("{function} has {count} operations, more than the {most} that compilers take well")]
    Operations {
        /// The function.
        function: String,
        /// How many it has.
        count: usize,
        /// How many it may have.
        most: usize,
        /// What it belongs to.
        content: CodeContent,
        /// Whether links of the arm bend.
        bends: bool,
    },
    /// A number that the type of numbers does not have.
    #[error("{function} needs the number {number:e}, which its type of numbers does not have")]
    Number {
        /// The function.
        function: String,
        /// The number.
        number: f64,
    },
    /// No identifier can be made of a name.
    #[error("\"{name}\" has no letter that an identifier could begin with")]
    Name {
        /// The name.
        name: String,
    },
    /// Vectors have no such number of lanes.
    #[error("there are no vectors of {lanes} lanes")]
    Lanes {
        /// How many were asked for.
        lanes: usize,
    },
    /// The language has no vectors.
    #[error("sources in {language} have no lanes")]
    LanesOf {
        /// The language.
        language: Language,
    },
    /// There is no such frame.
    #[error(transparent)]
    Frame(UnknownName),
    /// The arm has no tip.
    #[error("the arm has no frame at its end")]
    NoFrame,
    /// Two frames would have one function.
    #[error("there is one Jacobian in sources, and two frames are asked for")]
    Frames,
    /// The arm is no model of a controller.
    #[error("no computed torque: {0}")]
    Model(ModelError),
    /// What is asked for has numbers that an arm alone does not have.
    #[error("{what} has gains and a clock, which an arm alone does not have")]
    NoController {
        /// What is asked for.
        what: &'static str,
    },
    /// The controller has no model.
    #[error("the controller has no model of the arm")]
    NoModel,
    /// The model of the controller knows loads.
    #[error("the model of the controller knows loads that act on the arm")]
    Loads,
    /// The law of the controller is another one.
    #[error("the law of the controller is not composite control")]
    OtherLaw,
    /// Nothing measures the bending.
    #[error(
        "the law takes links at rest that nothing measures, and finds their equilibrium at every tick"
    )]
    BendingUnseen,
    /// What bends does so without a force.
    #[error(
        "composite control divides by the stiffness of what is not driven, and a part of that has none"
    )]
    NoStiffness,
    /// There are no gains.
    #[error(transparent)]
    Control(ControlError),
    /// The controller has no estimator.
    #[error("the controller has no estimator")]
    NoEstimator,
    /// The controller has an estimator of a program.
    #[error("the estimator of the controller is one of a program")]
    OwnEstimator,
    /// The filter is linearised at every tick.
    #[error("the extended filter linearises its model anew at every tick, and solves for its gain")]
    Extended,
}

impl Help for CodeError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Nothing => "name at least one function",
            Self::NoCoordinates => "give it a joint that moves",
            Self::Coordinates { bends: true, .. } => {
                "take fewer shapes, or the library, whose recursions have no such limit"
            }
            Self::Coordinates { .. } => "take the library, whose recursions have no such limit",
            Self::Operations { bends: true, .. } => {
                "leave this function out, or take fewer shapes or pieces for the links"
            }
            Self::Operations { .. } => {
                "leave this function out, or take the library, whose recursions have no such limit"
            }
            Self::Name { .. } => "give a name with a letter from a to z",
            Self::Number { .. } => "take double precision, or other units in the arm",
            Self::Lanes { .. } => "take 1, 2, 4, 8 or 16",
            Self::LanesOf { language: Language::Cuda } => {
                "leave lanes out: each thread of a device has an arm of its own"
            }
            Self::LanesOf { .. } => "leave lanes out, or take C",
            Self::Frame(error) => return error.help(),
            Self::NoFrame => "name a frame",
            Self::Frames => "write sources of another name for each frame",
            Self::Model(error) => return error.help(),
            Self::NoController { .. } => "take a controller that has it",
            Self::NoModel => "take a controller that follows a plan",
            Self::Loads => "take one whose model knows of none",
            Self::OtherLaw => {
                "take a controller with composite control, by angles or by pseudolinks; other laws are made \
                 of mass matrix, terms and inverse dynamics"
            }
            Self::BendingUnseen => "give the controller a Kalman filter, or the full state",
            Self::NoStiffness => "give every passive joint a spring, or a motor",
            Self::Control(error) => return error.help(),
            Self::NoEstimator | Self::OwnEstimator | Self::Extended => {
                "give the controller a Kalman filter with the gain of the steady state"
            }
        };
        Some(help.to_owned())
    }
}
