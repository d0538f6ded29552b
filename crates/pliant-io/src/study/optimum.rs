//! What an optimisation found.

use super::error::JournalError;
use super::{Study, StudyGoal, StudyTableReader};
use pliant::study::{TrialOutcome, best_trials};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an optimisation found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyOptimum {
    /// What is made small or large.
    pub goals: Vec<StudyGoal>,
    /// Whether all trials that it may have were used, so that more of them may find better ones.
    pub used_up: bool,
    /// How many trials ended with figures and keep all constraints.
    pub feasible: u64,
    /// The best trial; of two goals the trials that no other one beats, from the best for the first
    /// goal to the best for the second.
    pub best: Vec<OptimalTrial>,
}

/// One of the best trials, in SI units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimalTrial {
    /// Its row.
    pub index: u64,
    /// The parameters, in their order.
    #[serde(skip)]
    pub point: Vec<f64>,
    /// The same by name.
    pub parameters: BTreeMap<String, f64>,
    /// What is made small or large, in the order of the goals.
    pub goals: Vec<f64>,
    /// Each constraint and its slack: by how much the larger side exceeds the smaller one.
    pub constraints: Vec<(String, f64)>,
}

impl StudyOptimum {
    /// Of the rows of an optimisation; none of a sweep.
    pub(super) fn of(
        study: &Study,
        table: &StudyTableReader,
    ) -> Result<Option<Self>, JournalError> {
        let (Some(own), Some(trials)) = (study.optimisation(), study.trials(table)?) else {
            return Ok(None);
        };
        let feasible = trials.iter().filter(|trial| trial.is_feasible()).count() as u64;
        let mut best = Vec::new();
        for index in best_trials(&trials)? {
            let TrialOutcome::Figures { values, constraints } = &trials[index].outcome else {
                continue;
            };
            let signed = own.goals().iter().zip(values);
            let goals = signed.map(|(goal, &value)| if goal.is_maximised { -value } else { value });
            let texts = study.constraints().iter().map(|one| one.text().to_owned());
            let point = trials[index].point.clone();
            let names = study.parameters().iter().map(|one| one.name.clone());
            let trial = OptimalTrial {
                index: index as u64,
                parameters: names.zip(point.iter().copied()).collect(),
                point,
                goals: goals.collect(),
                constraints: texts.zip(constraints.iter().map(|excess| 0.0 - excess)).collect(),
            };
            best.push((values[0], trial));
        }
        best.sort_by(|a, b| a.0.total_cmp(&b.0));
        // of equal ones the first
        best.truncate(if own.goals().len() == 1 { 1 } else { best.len() });
        let used_up = trials.len() as u64 == study.count();
        let best = best.into_iter().map(|(_, trial)| trial).collect();
        Ok(Some(Self { goals: own.goals().to_vec(), used_up, feasible, best }))
    }
}
