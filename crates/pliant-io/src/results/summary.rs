//! The summary of a run, which becomes `summary.json`.

use super::extremes::ChannelRange;
use super::metadata::Metadata;
use super::tracking::Tracking;
use pliant::simulate::Drift;
use serde::{Deserialize, Serialize};

/// Everything about a run but its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// How it ended and what it took.
    #[serde(flatten)]
    pub outcome: RunOutcome,
    /// What was run.
    #[serde(flatten)]
    pub metadata: Metadata,
    /// How many rows were recorded.
    pub rows: u64,
    /// The least and the greatest of every channel.
    pub extremes: Vec<ChannelRange>,
    /// The files of the folder.
    pub files: Vec<String>,
}

/// How a run ended and what it took, as those who ran it know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// How and when it ended.
    pub ended: RunEnd,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Time the processor worked (s).
    pub cpu_seconds: f64,
    /// Time that passed (s).
    pub wall_seconds: f64,
    /// How far the energy drifted, where it should not (J); none where energies are not those of the
    /// equations of motion.
    pub energy_drift: Option<Drift>,
    /// How far the momentum drifted, where it should not.
    pub momentum_drift: Option<MomentumDrift>,
    /// How well controllers followed their plan; of what was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracking: Option<Tracking>,
    /// What happened on the way.
    pub events: Vec<RunEvent>,
    /// What is doubtful.
    pub warnings: Vec<String>,
}

/// How and when a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    /// How.
    pub how: How,
    /// The simulated time (s).
    #[serde(with = "pliant::simulate::number")]
    pub at: f64,
    /// Why, where there is more to say.
    pub why: Option<String>,
}

/// The ways a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum How {
    /// It reached its end.
    Completed,
    /// An event ended it.
    Stopped,
    /// Somebody ended it.
    Interrupted,
    /// It could not go on.
    Failed,
}

/// The largest departures of the momenta from their balance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MomentumDrift {
    /// Of the linear momentum (N s).
    pub linear: Drift,
    /// Of the angular momentum (N m s).
    pub angular: Drift,
}

/// Something that happened at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEvent {
    /// When (s).
    pub time: f64,
    /// The name of the event.
    pub name: String,
    /// What happened.
    pub what: String,
}

impl RunOutcome {
    /// A run that ended like this at this time (s), with everything else zero or empty.
    pub fn new(how: How, at: f64) -> Self {
        Self {
            ended: RunEnd { how, at, why: None },
            steps: 0,
            rejected: 0,
            evaluations: 0,
            cpu_seconds: 0.0,
            wall_seconds: 0.0,
            energy_drift: None,
            momentum_drift: None,
            tracking: None,
            events: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
