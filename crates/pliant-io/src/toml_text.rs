//! From TOML text to a tree of values.

use crate::node::{Entry, Node, Value};
use crate::problem::Problem;
use crate::source::Source;
use crate::toml_faults;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// In a longer text only one error of syntax is looked for.
const LONG: usize = 1 << 16;

/// Reads a document; on failure, what breaks the rules of TOML.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    match DeTable::parse(source.text()) {
        Ok(document) => {
            Ok(Node { span: 0..source.text().len(), value: table(document.into_inner()) })
        }
        // of a long text that is torn, the first tear is enough
        Err(first) if source.text().len() > LONG => Err(toml_faults::problems(source, &[first])),
        Err(_) => {
            let (_, errors) = DeTable::parse_recoverable(source.text());
            Err(toml_faults::problems(source, &errors))
        }
    }
}

/// Reads a single value that stands at an offset of some text; none where it is no TOML.
pub(crate) fn value(text: &str, offset: usize) -> Option<Node> {
    let key = "value = ";
    let line = format!("{key}{text}");
    let document = DeTable::parse(&line).ok()?;
    let Value::Table(mut entries) = table(document.into_inner()) else { return None };
    let only = entries.pop().filter(|_| entries.is_empty())?;
    Some(moved(only.node, |at| at + offset - key.len()))
}

/// The same elsewhere in a text.
fn moved(node: Node, to: impl Fn(usize) -> usize + Copy) -> Node {
    let span = to(node.span.start)..to(node.span.end);
    let value = match node.value {
        Value::List(list) => Value::List(list.into_iter().map(|node| moved(node, to)).collect()),
        Value::Table(entries) => {
            let entry = |Entry { key, key_span, node }| Entry {
                key,
                key_span: to(key_span.start)..to(key_span.end),
                node: moved(node, to),
            };
            Value::Table(entries.into_iter().map(entry).collect())
        }
        plain => plain,
    };
    Node { span, value }
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
