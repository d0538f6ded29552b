//! What values of parameters must obey together, and figures in an optimisation.

use super::figures::StudyFigure;
use super::file::ConstraintTable;
use super::parameter::StudyParameter;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::expression_problem;
use crate::source::Source;
use pliant::simulate::{Expression, ExpressionFault};
use std::ops::Range;

/// Two expressions that are compared, of parameters and, in an optimisation, of figures.
#[derive(Clone, Debug)]
pub struct StudyConstraint {
    text: String,
    sides: [Expression; 2],
    comparison: Comparison,
    columns: Vec<String>,
    /// The figures in it, and their places among those of a row, in the order of the variables
    /// behind the parameters.
    figures: Vec<String>,
    places: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl StudyConstraint {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The columns of the table that it depends on: parameters and figures by name.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether it is known before a run.
    pub fn is_of_parameters(&self) -> bool {
        self.figures.is_empty()
    }

    /// The names of the figures in it.
    pub(super) fn figures(&self) -> &[String] {
        &self.figures
    }

    /// Finds its figures among those that are kept.
    pub(super) fn locate(&mut self, kept: &[StudyFigure]) {
        let place = |name: &String| kept.iter().position(|one| one.name == *name);
        self.places = self.figures.iter().filter_map(place).collect();
    }

    /// Whether it holds for the values of the parameters; what is not a number obeys nothing.
    pub(super) fn holds(&self, point: &[f64]) -> bool {
        let [left, right] = self.sides(point);
        match self.comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }

    /// By how much it is broken, in SI units: the side that is to be small less the other one. Zero
    /// or less where it holds, not a number where a figure is none.
    pub(super) fn excess(&self, point: &[f64], figures: &[f64]) -> f64 {
        let known = self.places.iter().map(|&place| figures[place]);
        let all: Vec<f64> = point.iter().copied().chain(known).collect();
        let [left, right] = self.sides(&all);
        match self.comparison {
            Comparison::Less | Comparison::LessOrEqual => left - right,
            Comparison::Greater | Comparison::GreaterOrEqual => right - left,
        }
    }

    fn sides(&self, variables: &[f64]) -> [f64; 2] {
        self.sides.each_ref().map(|side| side.evaluate::<f64>(variables))
    }
}

/// A constraint of the file, of these figures besides parameters; what is wrong with it is told.
pub(super) fn constraint(
    reader: &mut Reader,
    source: &Source,
    table: &ConstraintTable,
    parameters: &[StudyParameter],
    (known, optimises): (&[StudyFigure], bool),
) -> Option<StudyConstraint> {
    let (text, span) = (table.expression.get()?, table.expression.span()?);
    let Some((at, length, comparison)) = comparison(text) else {
        let message = format!("the constraint {text:?} has not one of <, <=, > and >= in it");
        let problem = Problem::error(&codes::CONSTRAINT, message).at(span);
        reader.push(problem.help("compare two expressions: \"outer - 2 * wall > 1e-3\""));
        return None;
    };
    let numbers = || parameters.iter().filter(|one| one.is_number());
    let usable = if optimises { known } else { &[] };
    let names: Vec<&str> = (numbers().map(|one| one.name.as_str()))
        .chain(usable.iter().map(|one| one.name.as_str()))
        .collect();
    let mut figures: Vec<String> = Vec::new();
    let mut index = |name: &str| {
        let own = parameters.iter().position(|one| one.is_number() && one.name == name);
        own.or_else(|| {
            let place = figures.iter().position(|one| one == name).or_else(|| {
                let is_known = usable.iter().any(|one| one.name == name);
                is_known.then(|| {
                    figures.push(name.to_owned());
                    figures.len() - 1
                })
            })?;
            Some(parameters.len() + place)
        })
    };
    let parts: [Range<usize>; 2] = [0..at, at + length..text.len()];
    let mut side = |part: Range<usize>| match Expression::parse(&text[part.clone()], &mut index) {
        Ok(expression) => Some(expression),
        Err(mut error) => {
            error.range = part.start + error.range.start..part.start + error.range.end;
            let mut problem = expression_problem(source, (text, span.clone()), &error, &names);
            if let ExpressionFault::UnknownVariable { name } = &error.fault
                && !optimises
                && known.iter().any(|one| one.name == *name)
            {
                problem.message = format!("{name} is a figure of runs, and the study is a sweep");
                let help = "compare parameters; figures can be limited in an optimisation, which has \
                            a table [optimise]";
                problem.help = Some(help.to_owned());
            }
            reader.push(Problem { code: &codes::CONSTRAINT, ..problem });
            None
        }
    };
    let [left, right] = parts.map(&mut side);
    let sides = [left?, right?];
    let name = |variable: usize| match variable.checked_sub(parameters.len()) {
        Some(figure) => figures[figure].clone(),
        None => parameters[variable].name.clone(),
    };
    let mut columns: Vec<String> = Vec::new();
    for variable in sides.iter().flat_map(Expression::variables) {
        let name = name(variable);
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let (text, places) = (text.clone(), Vec::new());
    Some(StudyConstraint { text, sides, comparison, columns, figures, places })
}

/// Where the only comparison of a text stands, how long it is, and which one it is; names in braces
/// may hold anything.
fn comparison(text: &str) -> Option<(usize, usize, Comparison)> {
    let mut found = None;
    let mut is_name = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => is_name = true,
            '}' => is_name = false,
            '<' | '>' if !is_name => {
                if found.is_some() {
                    return None;
                }
                let or_equal = text[at + 1..].starts_with('=');
                let comparison = match (letter, or_equal) {
                    ('<', false) => Comparison::Less,
                    ('<', true) => Comparison::LessOrEqual,
                    (_, false) => Comparison::Greater,
                    (_, true) => Comparison::GreaterOrEqual,
                };
                found = Some((at, 1 + usize::from(or_equal), comparison));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Comparison, comparison};

    #[test]
    fn the_comparison_is_found_outside_of_names() {
        assert_eq!(comparison("a < b"), Some((2, 1, Comparison::Less)));
        assert_eq!(comparison("{a<b} >= 2"), Some((6, 2, Comparison::GreaterOrEqual)));
        for text in ["a", "a < b < c", "{a < b}", "a = b"] {
            assert_eq!(comparison(text), None, "{text}");
        }
    }
}
