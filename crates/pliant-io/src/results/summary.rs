//! The summary of a run, which becomes `summary.json`.

use super::metadata::Metadata;
use pliant::integrate::Statistics;
use pliant::scenario::Tracking;
use pliant::simulate::{Drift, Ending, EventRecord, Extremes, MomentumDrift, Summary};
use serde::{Deserialize, Serialize, Serializer};

/// Everything about a run but its rows.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RunSummary {
    /// What became of it and what it took.
    #[serde(flatten)]
    pub outcome: RunOutcome,
    /// What was run.
    #[serde(flatten)]
    pub metadata: Metadata,
    /// The files of the folder.
    pub files: Vec<String>,
}

/// What became of a run and what it took, as those who ran it know.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RunOutcome {
    /// What became of it; rows and extremes are those of the file, whatever is said here.
    #[serde(flatten)]
    pub run: Summary,
    /// Time the processor worked (s).
    pub cpu_seconds: f64,
    /// Time that passed (s).
    pub wall_seconds: f64,
    /// How well controllers followed their plan; of what was recorded.
    #[serde(default)]
    pub tracking: Option<Tracking>,
    /// What is doubtful.
    pub warnings: Vec<String>,
}

impl RunOutcome {
    /// Of a run that took no time, followed no plan and leaves no doubts.
    pub fn new(run: Summary) -> Self {
        Self { run, cpu_seconds: 0.0, wall_seconds: 0.0, tracking: None, warnings: Vec::new() }
    }
}

/// The file, in an order for people: how it ended and what it took first, the many extremes last.
#[derive(Serialize)]
struct Layout<'a> {
    ended: &'a Ending,
    #[serde(flatten)]
    statistics: &'a Statistics,
    cpu_seconds: f64,
    wall_seconds: f64,
    energy_drift: &'a Option<Drift>,
    momentum_drift: &'a Option<MomentumDrift>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tracking: &'a Option<Tracking>,
    events: &'a [EventRecord],
    warnings: &'a [String],
    #[serde(flatten)]
    metadata: &'a Metadata,
    rows: u64,
    extremes: &'a [Extremes],
    files: &'a [String],
}

impl Serialize for RunSummary {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let Self { outcome, metadata, files } = self;
        let RunOutcome { run, cpu_seconds, wall_seconds, tracking, warnings } = outcome;
        // the rows hold the states
        let Summary {
            ending,
            statistics,
            energy_drift,
            momentum_drift,
            events,
            rows,
            extremes,
            q: _,
            u: _,
            state: _,
        } = run;
        let layout = Layout {
            ended: ending,
            statistics,
            cpu_seconds: *cpu_seconds,
            wall_seconds: *wall_seconds,
            energy_drift,
            momentum_drift,
            tracking,
            events,
            warnings,
            metadata,
            rows: *rows,
            extremes,
            files,
        };
        layout.serialize(out)
    }
}
