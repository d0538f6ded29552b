//! From TOML text to a tree of values.

use crate::node::{Entry, Node, Value};
use crate::problem::Problem;
use crate::source::Source;
use crate::toml_faults::{self, Notation, TOML};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// In a longer text only one error of syntax is looked for.
const LONG: usize = 1 << 16;

/// Reads a document; on failure, what breaks the rules of TOML.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    let text = source.text();
    match DeTable::parse(text) {
        Ok(document) => Ok(Node { span: 0..text.len(), value: table(document.into_inner()) }),
        Err(first) => Err(refuse(source, first, &TOML, |text| DeTable::parse_recoverable(text).1)),
    }
}

/// Reads a value that stands alone, written in a notation like that of TOML.
pub(crate) fn read_value(source: &Source, notation: &Notation) -> Result<Node, Vec<Problem>> {
    match DeValue::parse(source.text()) {
        Ok(value) => Ok(node(value)),
        Err(first) => {
            Err(refuse(source, first, notation, |text| DeValue::parse_recoverable(text).1))
        }
    }
}

/// What breaks the rules, in words; of a long text that is torn, the first tear is enough.
fn refuse(
    source: &Source,
    first: Error,
    notation: &Notation,
    all: impl Fn(&str) -> Vec<Error>,
) -> Vec<Problem> {
    let text = source.text();
    let errors = if text.len() > LONG { vec![first] } else { all(text) };
    toml_faults::problems(source, &errors, notation)
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => Value::Number(integer(number.as_str(), number.radix())),
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Datetime(_) => Value::Foreign("a date"),
        DeValue::Array(list) => Value::List(list.into_iter().map(node).collect()),
        DeValue::Table(entries) => table(entries),
    };
    Node { span, value }
}

fn table(entries: DeTable<'_>) -> Value {
    let mut entries: Vec<Entry> = entries
        .into_iter()
        .map(|(key, value)| Entry {
            key_span: key.span(),
            key: key.into_inner().into_owned(),
            node: node(value),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    Value::Table(entries)
}

fn integer(digits: &str, radix: u32) -> f64 {
    if radix == 10 {
        digits.parse().unwrap_or(f64::NAN)
    } else {
        i128::from_str_radix(digits, radix).map_or(f64::NAN, |integer| integer as f64)
    }
}
