//! What a picture of a study shows where nothing is said.

use super::{Study, StudyOptimisation, StudyParameter, StudySample};
use serde::Serialize;
use std::collections::BTreeSet;

/// More different values than this are no levels of a grid.
const MOST_LEVELS: usize = 256;

/// Curves of more levels than this are not told apart by their colours.
const MOST_CURVES: usize = 7;

/// What is looked at first: how long a tip, or anything else, takes to settle.
const FIRST: [&str; 2] = ["tip.settling_time", ".settling_time"];

/// What a picture of a study shows: a figure over a column, perhaps for the values of another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyView {
    /// The figure.
    pub figure: String,
    /// A parameter, another figure, or `index`.
    pub over: String,
    /// A second parameter: of few values curves, else a map.
    pub by: Option<String>,
}

impl StudyView {
    /// What says most about a study; none where no run of the sample has a figure.
    ///
    /// It is the settling time of the tip or else a figure that has a better end, over the first
    /// parameter that is a number and changes, and for the values of one that has few of them.
    ///
    /// Of an optimisation it is the path of its trials, or the front of the two that it makes small.
    pub fn usual(study: &Study, sample: &StudySample) -> Option<Self> {
        if let Some([first, rest @ ..]) = study.optimisation().map(StudyOptimisation::goals) {
            let (figure, over) = match rest {
                [second, ..] => (second.name.clone(), first.name.clone()),
                [] => (first.name.clone(), "index".to_owned()),
            };
            return Some(Self { figure, over, by: None });
        }
        let known =
            |name: &str| sample.numbers(name).is_some_and(|all| all.iter().any(|x| x.is_finite()));
        let figures = study.figures().iter().filter(|one| known(&one.name));
        let figures: Vec<_> = figures.collect();
        let settles =
            FIRST.iter().find_map(|ending| figures.iter().find(|one| one.name.ends_with(ending)));
        let judged = || figures.iter().find(|one| one.lower_is_better.is_some());
        let figure = settles.or_else(judged).or_else(|| figures.first())?.name.clone();
        let parameters = study.parameters().iter();
        let count = |one: &StudyParameter| match sample.numbers(&one.name) {
            _ if !one.has_levels() => None,
            Some(all) => StudyLevels::of(all).map(|levels| levels.0.len()),
            None => {
                let texts = sample.texts(&one.name).unwrap_or_default();
                Some(texts.iter().collect::<BTreeSet<_>>().len())
            }
        };
        let varying: Vec<_> = parameters.filter(|one| count(one) != Some(1)).collect();
        let over = varying.iter().find(|one| one.is_number()).or_else(|| varying.first());
        let Some(over) = over else {
            return Some(Self { figure, over: "index".to_owned(), by: None });
        };
        let others: Vec<_> = varying.iter().filter(|one| one.name != over.name).collect();
        let is_few = |one: &StudyParameter| count(one).is_some_and(|count| count <= MOST_CURVES);
        let few = others.iter().find(|one| is_few(one));
        let by = match (few, others.as_slice()) {
            (Some(few), _) if count(over).is_some() => Some(few.name.clone()),
            (_, [only]) => Some(only.name.clone()),
            _ => None,
        };
        Some(Self { figure, over: over.name.clone(), by })
    }
}

/// The different values of a column, ascending, where they are few.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyLevels(pub Vec<f64>);

impl StudyLevels {
    /// Those of numbers; none where there are more than a grid has.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut levels: Vec<f64> = Vec::new();
        for &value in values.iter().filter(|value| value.is_finite()) {
            if let Err(place) = levels.binary_search_by(|level| level.total_cmp(&value)) {
                if levels.len() == MOST_LEVELS {
                    return None;
                }
                levels.insert(place, value);
            }
        }
        Some(Self(levels))
    }

    /// Whether they are so few that each may be a curve.
    pub fn make_curves(&self) -> bool {
        self.0.len() <= MOST_CURVES
    }
}
