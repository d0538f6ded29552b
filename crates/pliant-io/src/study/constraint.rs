//! What values of parameters must obey together.

use super::file::ConstraintTable;
use super::parameter::StudyParameter;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::expression_problem;
use crate::source::Source;
use pliant::simulate::Expression;
use std::ops::Range;

/// Two expressions that are compared.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// As it was written.
    pub(super) text: String,
    sides: [Expression; 2],
    comparison: Comparison,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Constraint {
    /// Whether it holds for the values of the parameters; what is not a number obeys nothing.
    pub(super) fn holds(&self, point: &[f64]) -> bool {
        let [left, right] = self.sides.each_ref().map(|side| side.evaluate::<f64>(point));
        match self.comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

/// A constraint of the file; what is wrong with it is told.
pub(super) fn constraint(
    reader: &mut Reader,
    source: &Source,
    table: &ConstraintTable,
    parameters: &[StudyParameter],
) -> Option<Constraint> {
    let (text, span) = (table.expression.get()?, table.expression.span()?);
    let Some((at, length, comparison)) = comparison(text) else {
        let message = format!("the constraint {text:?} has not one of <, <=, > and >= in it");
        let problem = Problem::error(&codes::CONSTRAINT, message).at(span);
        reader.push(problem.help("compare two expressions: \"outer - 2 * wall > 1e-3\""));
        return None;
    };
    let numbers = || parameters.iter().filter(|one| one.is_number());
    let known: Vec<&str> = numbers().map(|one| one.name.as_str()).collect();
    let index = |name: &str| parameters.iter().position(|one| one.is_number() && one.name == name);
    let parts: [Range<usize>; 2] = [0..at, at + length..text.len()];
    let mut side = |part: Range<usize>| match Expression::parse(&text[part.clone()], index) {
        Ok(expression) => Some(expression),
        Err(mut error) => {
            error.range = part.start + error.range.start..part.start + error.range.end;
            let problem = expression_problem(source, (text, span.clone()), &error, &known);
            reader.push(Problem { code: &codes::CONSTRAINT, ..problem });
            None
        }
    };
    let [left, right] = parts.map(&mut side);
    Some(Constraint { text: text.clone(), sides: [left?, right?], comparison })
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
