//! Which values the parameters have together.

use super::file::{Scheme, StudyTable};
use super::parameter::StudyParameter;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::Words as _;
use crate::units::short;
use pliant::Help as _;
use pliant::study::{Design, Sampling, StudyError};
use std::ops::Range;

/// The design of the file, or of the first points of its optimisation; what is wrong with it is told.
pub(super) fn design(
    reader: &mut Reader,
    table: &StudyTable,
    parameters: &[StudyParameter],
) -> Option<Design> {
    let here = table.design.span_or(&table.parameter.span_or(&table.span));
    let sampling = match table.optimise.get() {
        Some(optimise) => Sampling::Sobol {
            runs: whole(optimise.evaluations.value)?,
            seed: whole(table.seed.value)?,
        },
        None => sampling(reader, table, &here)?,
    };
    let factors = parameters.iter().map(|parameter| parameter.factor.clone()).collect();
    match Design::new(sampling, factors) {
        Ok(design) => Some(design),
        Err(error) => {
            reader.push(problem(&error, parameters, &here));
            None
        }
    }
}

/// What the file says of a sweep.
fn sampling(reader: &mut Reader, table: &StudyTable, here: &Range<usize>) -> Option<Sampling> {
    let scheme = table.design.value?;
    let (runs, seed) = (whole(table.runs.value), whole(table.seed.value).unwrap_or(0));
    let is_drawn = !matches!(scheme, Scheme::Grid | Scheme::List);
    let word = scheme.in_a_word();
    if is_drawn && !table.runs.is_given() {
        let message = format!("the design {word} has no number of runs");
        let problem = Problem::error(&codes::DESIGN, message).at(here.clone());
        reader.push(problem.label("runs is missing").help("add runs = 1024"));
        return None;
    }
    for (key, field) in [("runs", table.runs.given()), ("seed", table.seed.given())] {
        if let Some(place) = field.filter(|_| !is_drawn) {
            let message = format!("a {word} draws nothing, and {key} is given");
            let help = format!("remove {key}, or write design = \"random\" or \"sobol\"");
            let problem = Problem::error(&codes::DESIGN, message).at(place.key.clone());
            reader.push(problem.help(help));
            return None;
        }
    }
    if table.runs.is_wrong() || table.seed.is_wrong() {
        return None;
    }
    let runs = runs.unwrap_or(0);
    Some(match scheme {
        Scheme::Grid => Sampling::Grid,
        Scheme::List => Sampling::List,
        Scheme::Random => Sampling::Random { runs, seed },
        Scheme::Sobol => Sampling::Sobol { runs, seed },
        Scheme::Sensitivity => Sampling::Saltelli { draws: runs, seed },
    })
}

pub(super) fn whole(number: Option<f64>) -> Option<u64> {
    #[allow(clippy::cast_sign_loss, reason = "it is zero or more")]
    number.map(|number| number as u64)
}

/// What is wrong, in the words of files.
fn problem(error: &StudyError, parameters: &[StudyParameter], design: &Range<usize>) -> Problem {
    let name = |factor: usize| {
        parameters.get(factor).map_or_else(String::new, |own| format!("{:?}", own.name))
    };
    // a number of a parameter, with its unit
    let number = |factor: usize, value: f64| match parameters.get(factor) {
        Some(own) if own.unit != "1" => format!("{} {}", short(value), own.unit),
        _ => short(value),
    };
    let (message, help) = match *error {
        StudyError::Empty { factor } => {
            (format!("parameter {} has no values", name(factor)), "list at least one".to_owned())
        }
        StudyError::Range { factor, from, to } => (
            format!(
                "parameter {}: the range from {} to {} is empty",
                name(factor),
                number(factor, from),
                number(factor, to)
            ),
            "let from be below to".to_owned(),
        ),
        StudyError::Logarithm { factor, from, to } => (
            format!(
                "parameter {}: the range from {} to {} has no logarithms",
                name(factor),
                number(factor, from),
                number(factor, to)
            ),
            "let from be above zero and below to, or write scale = \"linear\"".to_owned(),
        ),
        StudyError::Deviation { factor, deviation } => (
            format!("parameter {}: deviation is {}", name(factor), number(factor, deviation)),
            "give a number above zero".to_owned(),
        ),
        StudyError::Truncation { factor, from, to } => (
            format!(
                "parameter {}: nothing of the normal distribution is between {} and {}",
                name(factor),
                number(factor, from),
                number(factor, to)
            ),
            "let from and to be nearer to the mean".to_owned(),
        ),
        StudyError::NoLevels { factor, .. } => (
            format!(
                "parameter {} has a distribution, and a grid and a list need single values",
                name(factor)
            ),
            "give values, or from, to and count; or write design = \"random\"".to_owned(),
        ),
        StudyError::Lengths { factor, given, first } => (
            format!("parameter {} has {given} values, and {} has {first}", name(factor), name(0)),
            "give each as many values; or write design = \"grid\" for all combinations".to_owned(),
        ),
        _ => (error.to_string(), error.help().unwrap_or_default()),
    };
    let span = error.factor().and_then(|factor| Some(parameters.get(factor)?.span.clone()));
    let code = if span.is_some() { &codes::VALUES } else { &codes::DESIGN };
    Problem::error(code, message).at(span.unwrap_or_else(|| design.clone())).help(help)
}
