//! Reads values out of the tree, and collects what is wrong with them.

use crate::codes;
use crate::nearest::nearest;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::Problem;
use crate::spec::{Form, TableSpec};
use crate::units::{self, Kind, Quantity, UnitError};
use std::ops::Range;

/// More problems than this are not collected.
const MOST_PROBLEMS: usize = 1000;

/// Collects problems while values are read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) problems: Vec<Problem>,
    /// Whose values are being read: `link "upper"`. Goes before messages.
    pub(crate) whose: String,
}

/// A table whose keys have been checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    spec: &'static TableSpec,
    entries: &'a [Entry],
    /// The header of the table, or the table itself where it is written inline.
    span: &'a Range<usize>,
}

impl<'a> Fields<'a> {
    pub(crate) fn entry(&self, key: &str) -> Option<&'a Entry> {
        debug_assert!(self.spec.key(key).is_some(), "{key} is not in the table");
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Where a key's value is, or the table.
    pub(crate) fn span_of(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(self.span, |node| &node.span).clone()
    }

    pub(crate) fn span(&self) -> &'a Range<usize> {
        self.span
    }
}

impl Reader {
    pub(crate) fn push(&mut self, mut problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            if !self.whose.is_empty() {
                problem.message = format!("{}: {}", self.whose, problem.message);
            }
            self.problems.push(problem);
        }
    }

    fn wrong_type(&mut self, what: &str, node: &Node, wanted: &str, help: impl Into<String>) {
        self.push(
            Problem::error(&codes::WRONG_TYPE, format!("{what} is {node}, wanted is {wanted}"))
                .at(node.span.clone())
                .label(format!("not {wanted}"))
                .help(help),
        );
    }

    /// A table with the keys of `spec` and no others.
    pub(crate) fn fields<'a>(
        &mut self,
        what: &str,
        node: &'a Node,
        spec: &'static TableSpec,
    ) -> Option<Fields<'a>> {
        let Value::Table(entries) = &node.value else {
            self.wrong_type(what, node, "a table", spec.example);
            return None;
        };
        let fields = Fields { spec, entries, span: &node.span };
        for entry in entries.iter().filter(|entry| spec.key(&entry.key).is_none()) {
            self.unknown_key(entry, spec);
        }
        let mut complete = true;
        for key in spec.all_keys().filter(|key| key.required) {
            if fields.entry(key.name).is_none() {
                complete = false;
                let message = format!("{what} has no {}", key.name);
                let problem = Problem::error(&codes::MISSING_KEY, message);
                self.push(match key.form {
                    // the whole file is nothing to point at
                    Form::Tables(_) => problem.help(spec.example),
                    _ => problem
                        .at(node.span.clone())
                        .label(format!("{} is missing", key.name))
                        .help(format!("add {} = {}", key.name, example(&key.form))),
                });
            }
        }
        complete.then_some(fields)
    }

    fn unknown_key(&mut self, entry: &Entry, spec: &'static TableSpec) {
        let key = &entry.key;
        if let Some((_, what)) = spec.later.iter().find(|(name, _)| name == key) {
            self.push(
                Problem::error(
                    &codes::NOT_YET,
                    format!("{key} is not in this version of pliant yet: {what} will come later"),
                )
                .at(entry.key_span.clone())
                .label("kept free for a later version")
                .help(
                    "remove it; a rigid link is described by mass, com and inertia, or by a shape",
                ),
            );
            return;
        }
        let known: Vec<&str> = spec.all_keys().map(|key| key.name).collect();
        let help = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("{} may have: {}", spec.name, known.join(", ")),
        };
        self.push(
            Problem::error(
                &codes::UNKNOWN_KEY,
                format!("{} has no key {}", spec.name, quoted(key)),
            )
            .at(entry.key_span.clone())
            .label("unknown key")
            .help(help),
        );
    }

    /// Text that is not empty.
    pub(crate) fn text<'a>(&mut self, what: &str, node: &'a Node) -> Option<&'a str> {
        match &node.value {
            Value::Text(text) if text.trim().is_empty() => {
                self.push(
                    Problem::error(&codes::EMPTY_NAME, format!("{what} is empty"))
                        .at(node.span.clone())
                        .help("give it a few letters"),
                );
                None
            }
            Value::Text(text) => Some(text),
            _ => {
                let help = format!("write it in quotes: {what} = \"…\"");
                self.wrong_type(what, node, "text", help);
                None
            }
        }
    }

    pub(crate) fn flag(&mut self, what: &str, node: &Node) -> Option<bool> {
        if let Value::Flag(flag) = node.value {
            return Some(flag);
        }
        let help = format!("write {what} = true or {what} = false, without quotes");
        self.wrong_type(what, node, "true or false", help);
        None
    }

    /// One of some words, by its position.
    pub(crate) fn word<'w>(
        &mut self,
        what: &str,
        node: &Node,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> Option<&'w str> {
        let all = words.clone().collect::<Vec<_>>().join(", ");
        let Value::Text(text) = &node.value else {
            self.wrong_type(what, node, "a word in quotes", format!("it can be: {all}"));
            return None;
        };
        let found = words.clone().find(|word| word == text);
        if found.is_none() {
            let help = match nearest(text, words) {
                Some(near) => format!("did you mean \"{near}\"? it can be: {all}"),
                None => format!("it can be: {all}"),
            };
            self.push(
                Problem::error(
                    &codes::UNKNOWN_WORD,
                    format!("{what} is {}, which pliant does not know", quoted(text)),
                )
                .at(node.span.clone())
                .label("unknown")
                .help(help),
            );
        }
        found
    }

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
            Value::Number(number) => return Some(*number),
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
                format!("{what} is the text {}, wanted is {name}", quoted(text)),
                "does not begin with a number".to_owned(),
                format!("write {}, or {plain}", written(wanted)),
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
                    "{what} is {}, which is {}; wanted is {name}",
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

    /// A list of a given length.
    pub(crate) fn list<'a, const N: usize>(
        &mut self,
        what: &str,
        node: &'a Node,
        example: &str,
    ) -> Option<&'a [Node; N]> {
        let help = format!("write {what} = {example}");
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
                    format!("{what} has {given} entr{s}, wanted are {N}"),
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
        let example = match N {
            3 if wanted.si == "m" => "[0, 0, \"10 mm\"]",
            3 if wanted.si == "rad" => "[0, 0, \"90 deg\"]",
            3 => "[0, 0, 1]",
            4 => "[1, 0, 0, 0]",
            _ => "[0, 0]",
        };
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
        let rows: &[Node; 3] = self.list(what, node, "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]")?;
        let [x, y, z] =
            rows.each_ref().map(|row| self.numbers(&format!("a row of {what}"), row, wanted));
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

    /// Complains when more than one of some keys is there; gives the one that is.
    pub(crate) fn at_most_one<'a>(
        &mut self,
        fields: &Fields<'a>,
        keys: &[&'static str],
        why: &str,
    ) -> Option<&'static str> {
        let given: Vec<(&'static str, &'a Entry)> =
            keys.iter().filter_map(|&key| Some((key, fields.entry(key)?))).collect();
        if let [(first, _), rest @ ..] = given.as_slice() {
            for (key, entry) in rest {
                self.push(
                    Problem::error(
                        &codes::CONFLICT,
                        format!("both {first} and {key} are given; {why}"),
                    )
                    .at(entry.key_span.clone())
                    .label(format!("{first} is given too"))
                    .help(format!("remove {first} or {key}")),
                );
            }
        }
        given.first().map(|(key, _)| *key)
    }
}

/// An example as it stands in a file.
fn written(quantity: &Quantity) -> String {
    if quantity.si == "1" {
        quantity.example.to_owned()
    } else {
        format!("\"{}\"", quantity.example)
    }
}

/// How a value of a form could look.
fn example(form: &Form) -> String {
    match form {
        Form::Number(quantity) => written(quantity),
        Form::Vector(quantity) if quantity.si == "m" => "[0, 0, \"10 mm\"]".to_owned(),
        Form::Vector(_) => "[0, 0, 1]".to_owned(),
        Form::Word(words) => format!("\"{}\"", words.get(1).or(words.first()).unwrap_or(&"…")),
        Form::Text => "\"…\"".to_owned(),
        _ => "…".to_owned(),
    }
}
