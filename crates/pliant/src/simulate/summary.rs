//! The outcome of a run.

use super::bounds::Excess;
use super::channels::Channel;
use super::events::EventRecord;
use super::scenario_error::ScenarioError;
use crate::integrate::{Failure, SetupError, Statistics};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::error::Error;

/// The outcome of a run.
#[derive(Debug)]
#[must_use]
pub struct Summary {
    /// How it ended.
    pub ending: Ending,
    /// When (s).
    pub time: f64,
    /// The coordinates then (rad, m).
    pub q: Vec<f64>,
    /// The velocities then (rad/s, m/s).
    pub u: Vec<f64>,
    /// What it has cost.
    pub statistics: Statistics,
    /// How many rows were recorded.
    pub rows: u64,
    /// What the balance of energy has lost or won (J), relative to the largest kinetic energy; none
    /// where the energies are not those of the equations of motion.
    pub energy_drift: Option<Drift>,
    /// The same of linear and angular momentum (kg m/s, kg m²/s), relative to the largest, where
    /// nothing touches the arm.
    pub momentum_drift: Option<[Drift; 2]>,
    /// The least and the most of each recorded channel.
    pub extremes: Vec<Extremes>,
    /// What has happened.
    pub events: Vec<EventRecord>,
}

/// How a run ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum Ending {
    /// It reached its end.
    Finished,
    /// The watch stopped it.
    Interrupted,
    /// The last of the events stopped it.
    Event,
    /// A sampled block gave up.
    Block {
        /// Its name.
        block: String,
        /// What it said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The motion could not be carried on.
    Broken(Breakdown),
}

/// The largest violation of a balance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// In its unit.
    #[serde(with = "super::number")]
    pub absolute: f64,
    /// As part of what it is compared with.
    #[serde(with = "super::number")]
    pub relative: f64,
}

impl Drift {
    pub(super) fn new(absolute: f64, size: f64) -> Self {
        Self { absolute, relative: if absolute == 0.0 { 0.0 } else { absolute / size } }
    }
}

/// The minimum and the maximum of a channel over the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremes {
    /// The channel.
    pub channel: Channel,
    /// The least.
    pub least: Extreme,
    /// The most.
    pub most: Extreme,
}

/// A value and the first time it occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The value, NaN where there was none.
    pub value: f64,
    /// When (s).
    pub time: f64,
}

impl Extremes {
    pub(super) fn new(channel: Channel) -> Self {
        let none = Extreme { value: f64::NAN, time: 0.0 };
        Self { channel, least: none, most: none }
    }

    pub(super) fn see(&mut self, time: f64, value: f64) {
        if value < self.least.value || self.least.value.is_nan() {
            self.least = Extreme { value, time };
        }
        if value > self.most.value || self.most.value.is_nan() {
            self.most = Extreme { value, time };
        }
    }
}

/// Why the integration could not continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{reason} at t = {time} s{}{}; step {step:e} s, energy {energy:e} J; {}", self.where_(), self.how_far(), self.reason.advice())]
pub struct Breakdown {
    /// The last instant that was reached (s).
    pub time: f64,
    /// Where it shows first or most, as a channel.
    pub coordinate: Option<String>,
    /// The total energy at that instant (J).
    pub energy: f64,
    /// The last length of a step (s).
    pub step: f64,
    /// What happened.
    pub reason: Reason,
    /// How far it went, where it diverges.
    pub excess: Option<Excess>,
}

impl Breakdown {
    fn where_(&self) -> String {
        self.coordinate.as_ref().map_or_else(String::new, |name| format!(" in \"{name}\""))
    }

    fn how_far(&self) -> String {
        self.excess.as_ref().map_or_else(String::new, |excess| format!(": {excess}"))
    }
}

/// The reason why an integration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Links bend or move beyond all sense, as [`Excess`] says.
    #[error("the motion diverges")]
    Diverges,
    /// NaN or infinite.
    #[error("the motion leaves the finite numbers")]
    NotFinite,
    /// No step is short enough.
    #[error("no step is short enough for the tolerance")]
    StepTooSmall,
    /// An implicit method could not solve its equations.
    #[error("the equations of a step were not solved")]
    NotConverged,
    /// Too many steps.
    #[error("the motion takes too many steps")]
    TooManySteps,
    /// A link that slides left its stroke.
    #[error("a link that slides leaves its stroke")]
    OutOfStroke,
}

impl Reason {
    /// What to try.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Diverges => {
                "where a controller drives it, lower its gains or shorten its period, or give it an estimator: one that sees only joints may feed the bending; else look for forces without bound, or take a shorter step"
            }
            Self::NotFinite => {
                "look for an unstable controller or too long a sampling period, for forces without bound, or take a smaller step or tolerance"
            }
            Self::StepTooSmall => {
                "look for something that jumps with the state or inside an expression, or loosen the tolerance"
            }
            Self::NotConverged => {
                "take a shorter step, or look for a force that jumps or grows steeply with the state"
            }
            Self::OutOfStroke => {
                "hold it by a motor or a prescribed motion, or let the run stop at the limits of joints: limits = \"stop\" in a scenario"
            }
            Self::TooManySteps => {
                "take a method for stiff problems, loosen the tolerance, allow more steps, or look for an unstable controller"
            }
        }
    }

    /// The reason behind a failure, with the length of the step and the component, if it names them.
    pub(super) fn of(failure: &Failure<Infallible>) -> (Self, Option<f64>, Option<usize>) {
        match *failure {
            Failure::NotFinite { step, component, .. } => {
                (Self::NotFinite, Some(step), Some(component))
            }
            Failure::RateNotFinite { component, .. } => (Self::NotFinite, None, Some(component)),
            Failure::StepTooSmall { step, component, .. } => {
                (Self::StepTooSmall, Some(step), Some(component))
            }
            Failure::NotConverged { step, component, .. } => {
                (Self::NotConverged, Some(step), Some(component))
            }
            Failure::NoProgress { step, .. } => (Self::StepTooSmall, Some(step), None),
            Failure::TooManySteps { step, .. } => (Self::TooManySteps, Some(step), None),
            _ => (Self::NotFinite, None, None),
        }
    }
}

/// Why there is no summary.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError<E: Error + 'static> {
    /// The scenario cannot be run.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The method cannot be started.
    #[error(transparent)]
    Method(#[from] SetupError),
    /// The recorder refused. What it has taken before stays with it.
    #[error("the row at t = {time} s could not be recorded")]
    Recorder {
        /// When (s).
        time: f64,
        /// What it said.
        source: E,
    },
}
