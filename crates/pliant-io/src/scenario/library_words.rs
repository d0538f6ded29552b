//! What is told of a run in the words of the library.

use pliant::Help;
use pliant::scenario::{RunWarning, SimulationOutcome};

/// What is told of a run to those who have no file: summaries speak of its keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryWords {
    /// Why its motion could not be carried on.
    pub why: Option<String>,
    /// What is doubtful about it.
    pub warnings: Vec<String>,
    /// The last of these, which the run itself found.
    pub found: Vec<RunWarning>,
}

impl LibraryWords {
    pub(super) fn new(outcome: &SimulationOutcome, doubts: &[String]) -> Self {
        let breakdown = outcome.summary.ending.breakdown.as_ref();
        let why = breakdown.map(|own| match &outcome.unstable {
            Some(cause) => format!("{own}; {}", cause.as_cause()),
            None => own.with_help(),
        });
        let found = outcome.warnings.iter().map(|own| match own.help() {
            Some(help) => format!("{own}; {help}"),
            None => own.to_string(),
        });
        let warnings = doubts.iter().cloned().chain(found).collect();
        Self { why, warnings, found: outcome.warnings.clone() }
    }
}
