//! Why a run cannot start or ends early.

use crate::Help;
use std::error::Error;

/// Why a run ended early. What was computed before stays valid: the stepper stands at its last
/// accepted step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure<E: Error + 'static> {
    /// The description of the run.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The system refused to be evaluated.
    #[error("the rates could not be evaluated at t = {time:e}")]
    System {
        /// When it was evaluated.
        time: f64,
        /// What it said.
        source: E,
    },
    /// A rate at an accepted state is NaN or infinite, so no step can start there.
    #[error("the rate of component {component} is not a finite number at t = {time:e}")]
    RateNotFinite {
        /// Of the accepted state.
        time: f64,
        /// Of the first such rate.
        component: usize,
    },
    /// The new state is NaN or infinite, however short the step.
    #[error(
        "component {component} leaves the finite numbers in a step of {step:e} from t = {time:e}"
    )]
    NotFinite {
        /// Of the last accepted step.
        time: f64,
        /// The last length tried.
        step: f64,
        /// Of the first such number.
        component: usize,
    },
    /// The error stays too large, however short the step.
    #[error(
        "a step of {step:e} from t = {time:e} is still too inaccurate, in component {component} above all"
    )]
    StepTooSmall {
        /// Of the last accepted step.
        time: f64,
        /// The last length tried.
        step: f64,
        /// With the largest error.
        component: usize,
    },
    /// An implicit method could not solve its equations, however short the step.
    #[error(
        "the iteration for a step of {step:e} from t = {time:e} does not converge: a residual of {residual:e} is left, most of it in component {component}"
    )]
    NotConverged {
        /// Of the last accepted step.
        time: f64,
        /// The last length tried.
        step: f64,
        /// What is left of the equations, in their units.
        residual: f64,
        /// Where most of it is left.
        component: usize,
    },
    /// The time does not change.
    #[error("a step of {step:e} is lost in the rounding of t = {time:e}")]
    NoProgress {
        /// Of the last accepted step.
        time: f64,
        /// The length asked for.
        step: f64,
    },
    /// The end was not reached within the allowed number of steps.
    #[error("{steps} steps reached only t = {time:e} of {end:e}, the last being {step:e} long")]
    TooManySteps {
        /// Of the last accepted step.
        time: f64,
        /// The time to be reached.
        end: f64,
        /// The last length.
        step: f64,
        /// How many were tried.
        steps: usize,
    },
    /// A time that is none, or that lies behind the one before.
    #[error("t = {time:e} cannot follow t = {previous:e}")]
    TimeOutOfOrder {
        /// The time given.
        time: f64,
        /// The time before.
        previous: f64,
    },
}

impl<E: Help + 'static> Help for Failure<E> {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Setup(error) => return error.help(),
            Self::System { source, .. } => return source.help(),
            Self::RateNotFinite { .. } => {
                "look there for a division by zero, the root of a negative number, or a motion that diverges"
            }
            Self::NotFinite { .. } => {
                "the motion diverges or its rates are undefined there: check them, or take shorter steps"
            }
            Self::StepTooSmall { .. } => {
                "if something jumps there, land on it and restart; else loosen the tolerance"
            }
            Self::NotConverged { .. } => {
                "take shorter steps, or look there for a force that jumps or grows steeply"
            }
            Self::NoProgress { .. } => "take longer steps",
            Self::TooManySteps { .. } => {
                "loosen the tolerance, allow more steps, or take a method for stiff problems"
            }
            Self::TimeOutOfOrder { .. } => "give numbers in the order of the motion",
        };
        Some(help.into())
    }
}

/// Why a run cannot start.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The state or the time at the start is NaN or infinite.
    #[error("{what} at the start is not a finite number: {value}")]
    NotFinite {
        /// Time, or which component.
        what: String,
        /// The value given.
        value: f64,
    },
    /// There is no time to start at.
    #[error("no times were given")]
    NoTimes,
    /// A step or a tolerance that is not positive.
    #[error("{what} is {value}")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// Orders that the Adams methods do not have.
    #[error("the orders are {least} to {most}")]
    Orders {
        /// The lowest given.
        least: usize,
        /// The highest given.
        most: usize,
    },
    /// A spectral radius that is none.
    #[error("the spectral radius is {value}")]
    SpectralRadius {
        /// The value given.
        value: f64,
    },
    /// A method of second order for a motion that only gives accelerations.
    #[error(
        "generalised-alpha needs the residual of the equations of motion, and this motion only gives accelerations"
    )]
    NoResidual,
    /// Tolerances for another state.
    #[error("there are {given} absolute tolerances for {needed} components")]
    ToleranceCount {
        /// How many were given.
        given: usize,
        /// How many components the state has.
        needed: usize,
    },
}

impl Help for SetupError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NotFinite { .. } => "give a finite number".into(),
            Self::NoTimes => "give at least one: the first is that of the initial state".into(),
            Self::NotPositive { .. } => "it must be a positive number".into(),
            Self::Orders { .. } => "give orders from 1 to 12, the lowest first".into(),
            Self::SpectralRadius { .. } => "it lies between 0 and 1".into(),
            Self::NoResidual => "take a Runge-Kutta method".into(),
            Self::ToleranceCount { needed, .. } => format!("give one or {needed}"),
        })
    }
}

impl SetupError {
    /// Refuses what is not above zero.
    pub(super) fn unless_positive(what: &'static str, value: f64) -> Result<(), Self> {
        if value > 0.0 { Ok(()) } else { Err(Self::NotPositive { what, value }) }
    }
}
