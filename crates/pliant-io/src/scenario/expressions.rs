//! What is wrong with an expression, underlined where it stands in the file.

use crate::codes;
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::source::Source;
use pliant::Help;
use pliant::simulate::{ExpressionError, ExpressionFault, Function};
use std::ops::Range;

/// How many names are offered where none is near.
const OFFERED: usize = 8;

/// What is wrong with an expression, given with where it stands.
pub(crate) fn problem(
    source: &Source,
    (text, span): (&str, Range<usize>),
    error: &ExpressionError,
    known: &[&str],
) -> Problem {
    let help = match &error.fault {
        ExpressionFault::UnknownVariable { name } => unknown_variable(name, known),
        ExpressionFault::UnknownFunction { name } => unknown_function(name, known),
        ExpressionFault::Expected { .. } => {
            "write products with *, as in \"10 * sin(2 * pi * t)\", and close parentheses"
                .to_owned()
        }
        fault => fault.help().unwrap_or_else(|| {
            "numbers, + - * / ^, parentheses, pi, e, functions and the names of variables"
                .to_owned()
        }),
    };
    Problem::error(&codes::EXPRESSION, format!("the expression cannot be read: {error}"))
        .at(place(source, text, span, &error.range))
        .label("here")
        .help(help)
}

/// Where a part of a text stands in the file. With escapes in between it is the whole text.
fn place(source: &Source, text: &str, span: Range<usize>, range: &Range<usize>) -> Range<usize> {
    match source.slice(&span).find(text) {
        Some(at) => {
            let start = span.start + at + range.start;
            // at the end something is missing: the closing quote is underlined
            start..(span.start + at + range.end).max(start + 1)
        }
        None => span,
    }
}

fn unknown_variable(name: &str, known: &[&str]) -> String {
    if let Some(near) = nearest(name, known.iter().copied()) {
        return format!("did you mean {near}?");
    }
    if let Some(near) = nearest(name, Function::ALL.iter().map(|function| function.name())) {
        return format!("did you mean {near}(…)?");
    }
    let first = known.iter().take(OFFERED).copied().collect::<Vec<_>>().join(", ");
    let more = if known.len() > OFFERED { ", …" } else { "" };
    format!("it can be: {first}{more}, pi, e")
}

fn unknown_function(name: &str, known: &[&str]) -> String {
    if known.contains(&name) {
        return format!("{name} is a variable; write a product with *: {name} * (…)");
    }
    let names = || Function::ALL.iter().map(|function| function.name());
    match nearest(name, names()) {
        Some(near) => format!("did you mean {near}(…)?"),
        None => format!("it can be: {}", names().collect::<Vec<_>>().join(", ")),
    }
}
