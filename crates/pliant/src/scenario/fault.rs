//! What is wrong with, or doubtful about, a scenario.

use super::fault_kind::ScenarioFaultKind;
use super::place::FaultPlace;
use crate::Help;
use std::fmt;

/// Everything that is wrong with a scenario, at once.
#[derive(Clone, Debug)]
pub struct ScenarioError {
    /// What is wrong, and what is doubtful besides, in the order in which it was found.
    pub faults: Vec<ScenarioFault>,
}

/// One thing that is wrong with a scenario, or doubtful about it.
#[derive(Clone, Debug)]
pub struct ScenarioFault {
    /// Where.
    pub place: FaultPlace,
    /// A second place that has to do with it.
    pub related: Option<FaultPlace>,
    /// Whether it can be run all the same.
    pub is_warning: bool,
    /// What.
    pub kind: ScenarioFaultKind,
}

impl fmt::Display for ScenarioFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place.owner {
            Some(owner) => write!(f, "{owner}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl std::error::Error for ScenarioFault {}

impl Help for ScenarioFault {
    fn help(&self) -> Option<String> {
        self.kind.help()
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            let line = if i == 0 { "" } else { "\n" };
            let word = if fault.is_warning { "warning: " } else { "" };
            let colon = if fault.place.steps.is_empty() { "" } else { ": " };
            write!(f, "{line}{}{colon}{word}{}", fault.place, fault.with_help())?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

impl Help for ScenarioError {}
