//! Reads numbers, plain or with units, alone and in lists.

use crate::codes;
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::toml_out;
use crate::units::{self, Kind, Quantity, UnitError};
use std::f64::consts::PI;

impl Reader {
    /// A finite number in SI units, plain or with a unit.
    pub(crate) fn number(&mut self, what: &str, node: &Node, wanted: &Quantity) -> Option<f64> {
        let number = self.number_or_infinite(what, node, wanted)?;
        if number.is_finite() {
            return Some(number);
        }
        self.push(
            Problem::error(&codes::NOT_FINITE, format!("{what} is not a finite number: {number}"))
                .at(node.span.clone())
                .help(format!("give {}, such as {}", wanted.name, written(wanted))),
        );
        None
    }

    /// A number in SI units, plain or with a unit; infinite where the file says so.
    pub(crate) fn number_or_infinite(
        &mut self,
        what: &str,
        node: &Node,
        wanted: &Quantity,
    ) -> Option<f64> {
        let plain = if wanted.si == "1" {
            "a plain number".to_owned()
        } else {
            format!("a plain number in {}", wanted.si)
        };
        let Quantity { name, example, .. } = wanted;
        let text = match &node.value {
            Value::Number(number) => {
                self.doubt(what, node, *number, wanted);
                return Some(*number);
            }
            Value::Text(text) => text,
            _ => {
                let help = format!("write {}, or {plain}", written(wanted));
                self.wrong_type(what, node, name, help);
                return None;
            }
        };
        let (code, message, label, help) = match units::parse(text, wanted) {
            Ok(number) => return Some(number),
            Err(UnitError::NoNumber) => (
                &codes::WRONG_TYPE,
                format!("{what} is the text {}, expected {name}", quoted(text)),
                "does not begin with a number".to_owned(),
                format!("write {}, or {plain}", written(wanted)),
            ),
            Err(UnitError::Comma) => (
                &codes::WRONG_TYPE,
                format!("{what} is {}, with a decimal comma", quoted(text)),
                "a comma".to_owned(),
                format!("write it with a point: {}", quoted(&text.replacen(',', ".", 1))),
            ),
            Err(UnitError::NoUnit(number)) => (
                &codes::UNKNOWN_UNIT,
                format!("{what} is {} without a unit", quoted(text)),
                "in quotes, a number needs its unit".to_owned(),
                format!(
                    "write \"{number} {si}\", or {number} without quotes, which is in {si}",
                    si = wanted.si
                ),
            ),
            Err(UnitError::UnknownUnit(unit, near)) => (
                &codes::UNKNOWN_UNIT,
                format!("{what} has the unknown unit {}", quoted(&unit)),
                "no such unit".to_owned(),
                match near {
                    Some(near) => format!(
                        "did you mean \"{near}\"? {name} is written \"{example}\", or as {plain}"
                    ),
                    None => format!("{name} is written \"{example}\", or as {plain}"),
                },
            ),
            Err(UnitError::WrongKind(dimension)) => (
                &codes::WRONG_UNIT,
                format!(
                    "{what} is {}, which is {}; expected {name}",
                    quoted(text),
                    Kind(dimension)
                ),
                format!("{}, not {name}", Kind(dimension)),
                format!("write {}, or {plain}", written(wanted)),
            ),
        };
        self.push(Problem::error(code, message).at(node.span.clone()).label(label).help(help));
        None
    }

    /// Says when a plain number was most likely meant in another unit.
    fn doubt(&mut self, what: &str, node: &Node, number: f64, wanted: &Quantity) {
        let (meant, why) = if wanted == &units::ANGLE && number.abs() > 4.0 * PI {
            ("deg", "more than two turns")
        } else if wanted == &units::DENSITY && number > 0.0 && number < 10.0 {
            ("g/cm^3", "lighter than any solid")
        } else if wanted == &units::MODULUS && number > 0.0 && number < 1e4 {
            ("GPa", "softer than any solid")
        } else if wanted == &units::PRESSURE && number > 0.0 && number < 1e4 {
            ("MPa", "weaker than any solid")
        } else {
            return;
        };
        if number.is_finite() {
            let (si, number) = (wanted.si, toml_out::number(number));
            self.push(
                Problem::warning(
                    &codes::DOUBTFUL_UNIT,
                    format!("{what} is {number} {si}, {why}; plain numbers are in {si}"),
                )
                .at(node.span.clone())
                .label(why)
                .help(format!(
                    "write \"{number} {meant}\", or \"{number} {si}\" if it is meant so"
                )),
            );
        }
    }

    /// A whole number from one to another.
    pub(crate) fn count(&mut self, what: &str, node: &Node, range: (u32, u32)) -> Option<usize> {
        let (least, most) = range;
        let wanted = "a whole number";
        let Value::Number(number) = node.value else {
            let help = format!("write {what} = {}, without quotes", least.max(2));
            self.wrong_type(what, node, wanted, help);
            return None;
        };
        if number.fract() != 0.0 {
            let help = format!("write {what} = {}", least.max(2));
            self.wrong_type(what, node, wanted, help);
            return None;
        }
        let found = (least..=most).find(|count| f64::from(*count) == number);
        if found.is_none() {
            self.push(
                Problem::error(
                    &codes::COUNT_OUT_OF_RANGE,
                    format!("{what} is {number}, expected a whole number from {least} to {most}"),
                )
                .at(node.span.clone())
                .label(if number > f64::from(most) { "too many" } else { "too few" })
                .help(format!("write {what} = {}, or another number in this range", least.max(2))),
            );
        }
        found.and_then(|count| usize::try_from(count).ok())
    }

    /// As many numbers of one kind as there are.
    pub(crate) fn any_numbers(
        &mut self,
        what: &str,
        node: &Node,
        wanted: &Quantity,
    ) -> Option<Vec<f64>> {
        let Value::List(list) = &node.value else {
            let help = format!("write a list such as [{0}, {0}]", written(wanted));
            self.wrong_type(what, node, "a list", help);
            return None;
        };
        let read: Vec<Option<f64>> =
            list.iter().map(|node| self.number(what, node, wanted)).collect();
        read.into_iter().collect()
    }

    /// A list of a given length.
    pub(crate) fn list<'a, const N: usize>(
        &mut self,
        what: &str,
        node: &'a Node,
        example: &str,
    ) -> Option<&'a [Node; N]> {
        let help = format!("write a list such as {example}");
        let Value::List(list) = &node.value else {
            self.wrong_type(what, node, &format!("a list of {N}"), help);
            return None;
        };
        let exact = <&[Node; N]>::try_from(list.as_slice()).ok();
        if exact.is_none() {
            let (given, s) = (list.len(), if list.len() == 1 { "y" } else { "ies" });
            self.push(
                Problem::error(
                    &codes::WRONG_COUNT,
                    format!("{what} has {given} entr{s}, expected {N}"),
                )
                .at(node.span.clone())
                .label(format!("{given} instead of {N}"))
                .help(help),
            );
        }
        exact
    }

    /// Some finite numbers of one kind.
    pub(crate) fn numbers<const N: usize>(
        &mut self,
        what: &str,
        node: &Node,
        wanted: &Quantity,
    ) -> Option<[f64; N]> {
        let example = if N == 4 { "[1, 0, 0, 0]".to_owned() } else { three(wanted) };
        self.numbers_like(what, node, wanted, &example)
    }

    /// Some finite numbers of one kind, and how they could look.
    fn numbers_like<const N: usize>(
        &mut self,
        what: &str,
        node: &Node,
        wanted: &Quantity,
        example: &str,
    ) -> Option<[f64; N]> {
        let list: &[Node; N] = self.list(what, node, example)?;
        let read = list.each_ref().map(|node| self.number(what, node, wanted));
        let mut numbers = [0.0; N];
        for (number, read) in numbers.iter_mut().zip(read) {
            *number = read?;
        }
        Some(numbers)
    }

    /// Rows of plain numbers.
    pub(crate) fn matrix(
        &mut self,
        what: &str,
        node: &Node,
        wanted: &Quantity,
    ) -> Option<[[f64; 3]; 3]> {
        let (row, example) = if wanted == &units::INERTIA {
            ("[0.02, 0, 0]", "[[0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.01]]")
        } else {
            ("[1, 0, 0]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]")
        };
        let rows: &[Node; 3] = self.list(what, node, example)?;
        let what = format!("a row of {what}");
        let [x, y, z] = rows.each_ref().map(|node| self.numbers_like(&what, node, wanted, row));
        Some([x?, y?, z?])
    }

    /// A direction: `"x"`, `"-z"` or three numbers, not all zero.
    pub(crate) fn axis(&mut self, what: &str, node: &Node) -> Option<[f64; 3]> {
        if let Value::Text(text) = &node.value {
            let (sign, letter) = match text.strip_prefix('-') {
                Some(rest) => (-1.0, rest),
                None => (1.0, text.strip_prefix('+').unwrap_or(text)),
            };
            let index =
                ["x", "y", "z"].iter().position(|axis| axis.eq_ignore_ascii_case(letter.trim()));
            if let Some(index) = index {
                let mut axis = [0.0; 3];
                axis[index] = sign;
                return Some(axis);
            }
            self.push(
                Problem::error(
                    &codes::UNKNOWN_WORD,
                    format!("{what} is {}, which is no axis", quoted(text)),
                )
                .at(node.span.clone())
                .label("no such axis")
                .help("write \"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\", or three numbers such as [0, 1, 1]"),
            );
            return None;
        }
        self.numbers(what, node, &units::NUMBER)
    }
}

/// An example as it stands in a file.
pub(crate) fn written(quantity: &Quantity) -> String {
    if quantity.si == "1" {
        quantity.example.to_owned()
    } else {
        format!("\"{}\"", quantity.example)
    }
}

/// How three numbers of a kind could look.
pub(crate) fn three(quantity: &Quantity) -> String {
    if quantity == &units::INERTIA {
        "[0.02, 0.02, 0.01]".to_owned()
    } else if quantity == &units::ACCELERATION {
        "[0, 0, \"-9.81 m/s^2\"]".to_owned()
    } else if quantity == &units::NUMBER {
        "[0, 0, 1]".to_owned()
    } else {
        format!("[0, 0, {}]", written(quantity))
    }
}
