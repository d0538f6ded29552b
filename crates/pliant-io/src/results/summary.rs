//! The summary of a run, which becomes `summary.json` and an entry of the Parquet file.

use super::checksum;
use super::disk;
use super::error::{Error, Saved};
use super::metadata::Metadata;
use pliant::integrate::Statistics;
use pliant::scenario::{LinkPeaks, RunFigure, Tracking};
use pliant::simulate::{Channel, Drift, Ending, EventRecord, Extremes, MomentumDrift, Summary};
use serde::{Deserialize, Serialize, Serializer};
use std::io::Write;
use std::path::Path;

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

/// Whether two summaries tell of one run, but for the times it took and how it was computed.
pub(super) fn tell_of_one_run(one: &str, other: &str) -> bool {
    let told = |text: &str| -> Option<serde_json::Value> {
        let mut value: serde_json::Value = serde_json::from_str(text).ok()?;
        let keys = value.as_object_mut()?;
        for key in ["cpu_seconds", "wall_seconds", "compiled", "checksum"] {
            keys.remove(key);
        }
        Some(value)
    };
    told(one) == told(other)
}

/// What became of a run and what it took, as those who ran it know.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RunOutcome {
    /// What became of it; rows and extremes are those of the file, whatever is said here.
    #[serde(flatten)]
    pub run: Summary,
    /// Time the processor worked (s); none where it was read from the Parquet file alone.
    pub cpu_seconds: Option<f64>,
    /// Time that passed (s); none where it was read from the Parquet file alone.
    pub wall_seconds: Option<f64>,
    /// Whether machine code computed what the integrator asked for; none where it was read from the
    /// Parquet file alone, which is the same with and without.
    pub compiled: Option<bool>,
    /// How well controllers followed their plan.
    #[serde(default)]
    pub tracking: Option<Tracking>,
    /// The largest deflections, internal forces and stresses of the links that bend.
    #[serde(default)]
    pub links: Vec<LinkPeaks>,
    /// What is doubtful.
    pub warnings: Vec<String>,
}

impl RunOutcome {
    /// Of a run that nobody timed, that followed no plan and leaves no doubts.
    pub fn new(run: Summary) -> Self {
        Self {
            run,
            cpu_seconds: None,
            wall_seconds: None,
            compiled: None,
            tracking: None,
            links: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The figures by which runs are compared.
    pub fn figures(&self) -> Vec<RunFigure> {
        RunFigure::of(self.tracking.as_ref(), &self.links)
    }
}

impl RunSummary {
    /// All of it that the same run gives again: without the times it took, and how it was computed.
    pub(super) fn repeatable(&self) -> Self {
        let untimed = RunOutcome { cpu_seconds: None, wall_seconds: None, ..self.outcome.clone() };
        let outcome = RunOutcome { compiled: None, ..untimed };
        Self { outcome, ..self.clone() }
    }

    /// The text of `summary.json`.
    fn text(&self) -> Result<String, serde_json::Error> {
        let blank = Sealed { summary: self, checksum: checksum::blank() };
        Ok(checksum::seal_text(&(serde_json::to_string_pretty(&blank)? + "\n")))
    }

    /// Writes `summary.json`.
    pub(super) fn write(&self, file: &Path, saved: Saved) -> Result<(), Error> {
        disk::write_own(file, saved, |out| {
            let text = self.text().map_err(std::io::Error::from)?;
            Ok(out.write_all(text.as_bytes())?)
        })
    }

    /// Reads it from its JSON; the channels of its extremes are those of the table.
    pub fn parse(text: &str, channels: &[Channel]) -> Result<Self, serde_json::Error> {
        let mut summary: Self = serde_json::from_str(text)?;
        for Extremes { channel, .. } in &mut summary.outcome.run.extremes {
            let same = |one: &&Channel| one.name == channel.name && one.unit == channel.unit;
            if let Some(known) = channels.iter().find(same) {
                *channel = known.clone();
            }
        }
        Ok(summary)
    }
}

/// The file with its checksum.
#[derive(Serialize)]
struct Sealed<'a> {
    #[serde(flatten)]
    summary: &'a RunSummary,
    checksum: String,
}

/// The file, in an order for people: how it ended and what it took first, the many extremes last.
#[derive(Serialize)]
struct Layout<'a> {
    ended: &'a Ending,
    #[serde(flatten)]
    statistics: &'a Statistics,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<bool>,
    energy_drift: &'a Option<Drift>,
    momentum_drift: &'a Option<MomentumDrift>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    figures: Vec<RunFigure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tracking: &'a Option<Tracking>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    links: &'a [LinkPeaks],
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
        let RunOutcome { run, cpu_seconds, wall_seconds, compiled, tracking, links, warnings } =
            outcome;
        // the rows hold the states
        let Summary {
            ending,
            statistics,
            energy_drift,
            momentum_drift,
            energy_rounding: _,
            is_compiled: _,
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
            compiled: *compiled,
            energy_drift,
            momentum_drift,
            figures: outcome.figures(),
            tracking,
            links,
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
