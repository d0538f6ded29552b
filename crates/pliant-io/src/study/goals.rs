//! What an optimisation makes small or large.

use super::constraint::StudyConstraint;
use super::design::whole;
use super::figures::{self, StudyFigure};
use super::file::{OptimiseTable, ParameterTable, StudyTable};
use super::parameter::StudyParameter;
use super::row::RowStatus;
use super::sample::StudySample;
use super::sheet::Cells;
use super::table::StudyTableReader;
use super::{JournalError, Study};
use crate::codes;
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::Listed;
use pliant::Help as _;
use pliant::study::{
    Design, DesignVariable, Factor, Optimisation, Optimiser, Sampling, Trial, TrialOutcome,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A figure or parameter that an optimisation makes small or large.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyGoal {
    /// The column of the table.
    pub name: String,
    /// Its unit; `1` for ratios and counts.
    pub unit: String,
    /// Whether it is made large instead of small.
    pub is_maximised: bool,
}

/// What an optimisation makes small or large, and how long it searches.
#[derive(Clone, Debug)]
pub struct StudyOptimisation {
    goals: Vec<StudyGoal>,
    /// Where the goals stand among parameters and figures.
    places: Vec<usize>,
    problem: Optimisation,
}

impl StudyOptimisation {
    /// With the design of its first points and what belongs to its rows; what is wrong is told.
    pub(super) fn new(
        reader: &mut Reader,
        table: &OptimiseTable,
        goals: Vec<StudyGoal>,
        (design, constraints, parameters, figures): (
            &Design,
            &[StudyConstraint],
            &[StudyParameter],
            &[StudyFigure],
        ),
    ) -> Option<Self> {
        // what is wrong with them was told
        if !(1..=2).contains(&goals.len()) {
            return None;
        }
        let names = parameters.iter().map(|one| &one.name);
        let names: Vec<&String> = names.chain(figures.iter().map(|one| &one.name)).collect();
        let place = |goal: &StudyGoal| names.iter().position(|name| **name == goal.name);
        let places = goals.iter().map(place).collect::<Option<Vec<_>>>()?;
        let variables = design.factors().iter().map(|factor| match *factor {
            Factor::Uniform { from, to } => Some(DesignVariable { from, to, logarithmic: false }),
            Factor::LogUniform { from, to } => Some(DesignVariable { from, to, logarithmic: true }),
            _ => None,
        });
        let count = |number| Some(usize::try_from(whole(number)?).unwrap_or(usize::MAX));
        let Sampling::Sobol { seed, .. } = design.sampling() else { return None };
        let problem = Optimisation {
            figures: goals.len(),
            starts: count(table.starts.value)?,
            points: count(table.points.value)?,
            evaluations: count(table.evaluations.value)?,
            tolerance: table.tolerance.value?,
            seed,
            ..Optimisation::new(variables.collect::<Option<Vec<_>>>()?, constraints.len())
        };
        if let Err(error) = Optimiser::new(problem.clone()) {
            let problem = Problem::error(&codes::OPTIMISE, error.to_string());
            let problem = problem.at(table.tolerance.span_or(&table.span));
            reader.push(error.help().into_iter().fold(problem, Problem::help));
            return None;
        }
        Some(Self { goals, places, problem })
    }

    /// What is made small or large: one figure or parameter, or two.
    pub fn goals(&self) -> &[StudyGoal] {
        &self.goals
    }

    /// What the optimiser is asked; figures to be made large have the other sign there.
    pub fn problem(&self) -> &Optimisation {
        &self.problem
    }
}

/// What a trial is for a picture of an optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialMark {
    /// It keeps all constraints.
    Keeps,
    /// It breaks one.
    Breaks,
    /// Its run failed or lacks a figure, so that nobody knows.
    Failed,
}

impl TrialMark {
    /// Those of a sample of the rows; none of rows that are not there.
    pub fn of_sample(trials: &[Trial], sample: &StudySample) -> Vec<Self> {
        let ended = sample.texts("status").unwrap_or_default();
        let mark = |(&row, status): (&u64, &String)| {
            let trial = usize::try_from(row).ok().and_then(|row| trials.get(row));
            match trial.map(|trial| (&trial.outcome, trial.is_feasible())) {
                Some((_, true)) => Self::Keeps,
                Some((TrialOutcome::Figures { .. }, false)) => Self::Breaks,
                _ if status == RowStatus::Excluded.word() => Self::Breaks,
                _ => Self::Failed,
            }
        };
        sample.rows.iter().zip(ended).map(mark).collect()
    }
}

impl Study {
    /// In words, whether a value is at an end of the range in which an optimisation chooses a
    /// parameter.
    pub fn at_end(&self, parameter: &StudyParameter, value: f64) -> Option<&'static str> {
        let place = self.parameters.iter().position(|one| one.name == parameter.name)?;
        let range = self.optimisation.as_ref()?.problem.variables.get(place)?;
        match value {
            _ if value == range.from => Some("at the lower end of its range"),
            _ if value == range.to => Some("at the upper end of its range"),
            _ => None,
        }
    }

    /// What a row says to the optimiser.
    pub(super) fn outcome(
        &self,
        point: &[f64],
        figures: &[f64],
        status: RowStatus,
    ) -> TrialOutcome {
        let (Some(own), RowStatus::Completed | RowStatus::Stopped) = (&self.optimisation, status)
        else {
            return TrialOutcome::Failed;
        };
        let value = |(goal, &place): (&StudyGoal, &usize)| {
            let value = match place.checked_sub(point.len()) {
                Some(figure) => figures[figure],
                None => point[place],
            };
            if goal.is_maximised { -value } else { value }
        };
        let values: Vec<f64> = own.goals.iter().zip(&own.places).map(value).collect();
        let constraints: Vec<f64> =
            self.constraints.iter().map(|one| one.excess(point, figures)).collect();
        if values.iter().chain(&constraints).all(|number| number.is_finite()) {
            TrialOutcome::Figures { values, constraints }
        } else {
            TrialOutcome::Failed
        }
    }

    /// The rows of an optimisation as trials, in their order: their points, the goals (of those to
    /// be made large the negative) and by how much constraints are broken, in the order of the file.
    /// Which are feasible, they say themselves, and [`best_trials`](pliant::study::best_trials) which
    /// are the best. None of a sweep.
    pub fn trials(&self, table: &StudyTableReader) -> Result<Option<Vec<Trial>>, JournalError> {
        if self.optimisation.is_none() {
            return Ok(None);
        }
        if table.columns() != self.columns() {
            return Err(JournalError::OtherStudy { file: table.name().to_owned() });
        }
        let mut trials = Vec::new();
        table.each_group(&|_| true, |columns| {
            trials.extend(self.trials_in(&columns));
            Ok::<(), JournalError>(())
        })?;
        Ok(Some(trials))
    }

    /// The trials of rows of an optimisation, given by their columns.
    pub(super) fn trials_in(&self, columns: &[Cells]) -> Vec<Trial> {
        let numbers = columns.iter().filter_map(|cells| match cells {
            Cells::Numbers(all) => Some(all),
            _ => None,
        });
        let numbers: Vec<&Vec<f64>> = numbers.collect();
        let words = columns.iter().find_map(|cells| match cells {
            Cells::Texts(all) => Some(all.as_slice()),
            _ => None,
        });
        let trial = |(row, word): (usize, &String)| {
            let mut point: Vec<f64> = numbers.iter().map(|column| column[row]).collect();
            let figures = point.split_off(self.parameters.len());
            // what this version does not know is no good run
            let status = RowStatus::of_word(word).unwrap_or(RowStatus::Fault);
            let outcome = self.outcome(&point, &figures, status);
            Trial { point, outcome }
        };
        words.unwrap_or(&[]).iter().enumerate().map(trial).collect()
    }
}

/// Whether the keys of a study go together with an optimisation, if it is one.
pub(super) fn fits(reader: &mut Reader, table: &StudyTable) -> bool {
    if !table.optimise.is_given() {
        return true;
    }
    let mut is_good = true;
    let mut refuse = |message: String, span, help: &str| {
        reader.push(Problem::error(&codes::OPTIMISE, message).at(span).help(help));
        is_good = false;
    };
    for place in [table.design.given(), table.runs.given()].into_iter().flatten() {
        let message =
            format!("{} is given, and an optimisation chooses its runs itself", place.name);
        let help = "remove it; below [optimise], evaluations = 500 limits the trials. Without [optimise] the \
                    study is a sweep";
        refuse(message, place.key.clone(), help);
    }
    for parameter in table.parameter.get().map_or(&[][..], Vec::as_slice) {
        let ParameterTable { values, count, mean, deviation, .. } = parameter;
        let keys = [values.given(), count.given(), mean.given(), deviation.given()];
        for place in keys.into_iter().flatten() {
            let whose = match parameter.name.get() {
                Some(name) => format!("parameter {}", quoted(name)),
                None => "a parameter".to_owned(),
            };
            let message = format!(
                "{whose} has {}, and an optimisation searches between two numbers",
                place.name
            );
            let help = "give from and to alone; of texts and lists, optimise with one of them at a time: \
                        set = [\"plan.shaper.kind=zvd\"]";
            refuse(message, place.key.clone(), help);
        }
    }
    is_good
}

/// What is made small or large; what is wrong with it is told.
pub(super) fn goals(
    reader: &mut Reader,
    table: &OptimiseTable,
    parameters: &[StudyParameter],
    known: &[StudyFigure],
) -> Vec<StudyGoal> {
    let mut goals: Vec<StudyGoal> = Vec::new();
    let wrong = |message: String, span: &Range<usize>, help: &str| {
        Problem::error(&codes::OPTIMISE, message).at(span.clone()).help(help)
    };
    let listed = |names: Option<&Vec<Listed>>| names.cloned().unwrap_or_default();
    let small = listed(table.minimise.get()).into_iter().map(|one| (one, false));
    let large = listed(table.maximise.get()).into_iter().map(|one| (one, true));
    let all: Vec<(Listed, bool)> = small.chain(large).collect();
    let is_wrong = table.minimise.is_wrong() || table.maximise.is_wrong();
    if !is_wrong && !(1..=2).contains(&all.len()) {
        let message = match all.len() {
            0 => "nothing is to be small or large".to_owned(),
            more => format!("{more} figures are to be small or large, and a front has two"),
        };
        let help = "write minimise = \"bar.tip.settling_time\", or name two figures for their Pareto \
                    front; a [[constraint]] limits a figure";
        reader.push(wrong(message, &table.span, help));
    }
    if let Some(place) = table.points.given().filter(|_| all.len() == 1) {
        let message = "points is of the front of two figures, and one is named".to_owned();
        reader.push(wrong(message, &place.key, "remove points, or name a second figure"));
    }
    for (Listed { name, span }, is_maximised) in all {
        let parameter = parameters.iter().find(|one| one.name == name).map(|one| &one.unit);
        let figure = known.iter().find(|one| one.name == name).map(|one| &one.unit);
        if goals.iter().any(|goal| goal.name == name) {
            let message = format!("{} is named twice", quoted(&name));
            reader.push(wrong(message, &span, "name it once"));
        } else if let Some(unit) = parameter.or(figure) {
            goals.push(StudyGoal { name, unit: unit.clone(), is_maximised });
        } else if !known.is_empty() {
            let message = format!("no run has the figure {}", quoted(&name));
            let problem = Problem::error(&codes::UNKNOWN_FIGURE, message).at(span);
            reader.push(problem.label("unknown").help(figures::instead(known, &name)));
        }
    }
    goals
}
