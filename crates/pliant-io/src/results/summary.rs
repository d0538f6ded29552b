//! The summary of a run, which becomes `summary.json`.

use super::extremes::Extreme;
use super::metadata::Metadata;
use super::tracking::Tracking;
use serde::{Deserialize, Serialize};

/// Everything about a run but its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How it ended and what it took.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// What was run.
    #[serde(flatten)]
    pub metadata: Metadata,
    /// How many rows were recorded.
    pub rows: u64,
    /// The least and the greatest of every channel.
    pub extremes: Vec<Extreme>,
    /// The files of the folder.
    pub files: Vec<String>,
}

/// How a run ended and what it took, as those who ran it know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How and when it ended.
    pub ended: Ending,
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
    pub events: Vec<Event>,
    /// What is doubtful.
    pub warnings: Vec<String>,
}

/// How and when a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// How.
    pub how: How,
    /// The simulated time (s).
    #[serde(with = "number")]
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

/// The largest departure of something from its balance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// In its unit.
    #[serde(with = "number")]
    pub absolute: f64,
    /// As a part of the largest: of the kinetic energy, or of the momentum itself.
    #[serde(with = "number")]
    pub relative: f64,
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
pub struct Event {
    /// When (s).
    pub time: f64,
    /// The name of the event.
    pub name: String,
    /// What happened.
    pub what: String,
}

impl Outcome {
    /// A run that ended like this at this time (s), with everything else zero or empty.
    pub fn new(how: How, at: f64) -> Self {
        Self {
            ended: Ending { how, at, why: None },
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

/// Numbers in JSON, which knows no infinities and no NaN: these are written as words.
pub(super) mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Finite(f64),
        Word(String),
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(in super::super) fn serialize<S: Serializer>(
        value: &f64,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let written = if value.is_finite() {
            Written::Finite(*value)
        } else {
            Written::Word(value.to_string())
        };
        written.serialize(out)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<f64, D::Error> {
        match Written::deserialize(from)? {
            Written::Finite(value) => Ok(value),
            Written::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}
