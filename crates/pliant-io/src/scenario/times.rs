//! Times and whole numbers of scenarios.

use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units::{self, short};

/// Larger whole numbers are not exact in a file.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// A time, zero where it is not given.
pub(super) fn time(reader: &mut Reader, key: &str, fields: &Fields<'_>) -> Option<f64> {
    match fields.get(key) {
        Some(node) => reader.number(key, node, &units::TIME),
        None => Some(0.0),
    }
}

/// A time, zero or positive; zero where it is not given.
pub(super) fn later_time(reader: &mut Reader, key: &str, fields: &Fields<'_>) -> Option<f64> {
    let time = time(reader, key, fields)?;
    if time < 0.0 {
        reader.push(
            Problem::error(&codes::NO_TIME, format!("{key} is {} s, before now", short(time)))
                .at(fields.span_of(key))
                .label("below zero")
                .help("give zero or a positive time"),
        );
        return None;
    }
    Some(time)
}

/// A time that lasts.
pub(super) fn positive_time(reader: &mut Reader, what: &str, node: &Node) -> Option<f64> {
    let time = reader.number(what, node, &units::TIME)?;
    if time > 0.0 {
        return Some(time);
    }
    reader.push(
        Problem::error(&codes::NO_TIME, format!("{what} is {} s, which is no time", short(time)))
            .at(node.span.clone())
            .label(if time < 0.0 { "below zero" } else { "zero" })
            .help(format!("give a positive time, such as {what} = \"5 s\"")),
    );
    None
}

/// A whole number, at least `least`.
pub(super) fn whole(reader: &mut Reader, what: &str, node: &Node, least: u32) -> Option<f64> {
    match node.value {
        Value::Number(number)
            if number.fract() == 0.0 && (f64::from(least)..=LARGEST).contains(&number) =>
        {
            Some(number)
        }
        Value::Number(number) => {
            reader.push(
                Problem::error(
                    &codes::COUNT_OUT_OF_RANGE,
                    format!("{what} is {number}, wanted is a whole number from {least} on"),
                )
                .at(node.span.clone())
                .label("not such a number")
                .help(format!("write {what} = {}", least.max(1))),
            );
            None
        }
        _ => {
            let help = format!("write {what} = {}, without quotes", least.max(1));
            reader.wrong_type(what, node, "a whole number", help);
            None
        }
    }
}
