//! A file as a tree of values that know where they stand. TOML and JSON both become this.

use crate::source::Source;
use std::fmt;
use std::ops::Range;

/// A value and its place in the text, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

/// What a file can say.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    /// May be infinite or not a number where the file says so.
    Number(f64),
    Flag(bool),
    List(Vec<Node>),
    /// In the order of the text.
    Table(Vec<Entry>),
    /// Dates and nulls: allowed by the format, of no use to pliant.
    Foreign(&'static str),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) node: Node,
}

/// Values are quoted in messages up to this many characters.
const QUOTED: usize = 40;

impl fmt::Display for Node {
    /// What the value is, as part of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Text(text) => write!(f, "the text {}", quoted(text)),
            Value::Number(number) => write!(f, "the number {number}"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::List(list) if list.len() == 1 => f.write_str("a list of 1 entry"),
            Value::List(list) => write!(f, "a list of {} entries", list.len()),
            Value::Table(_) => f.write_str("a table"),
            Value::Foreign(what) => f.write_str(what),
        }
    }
}

/// A text in quotes, cut when it is long.
pub(crate) fn quoted(text: &str) -> String {
    if text.chars().count() <= QUOTED {
        format!("{text:?}")
    } else {
        let start: String = text.chars().take(QUOTED).collect();
        format!("{start:?}…")
    }
}

impl Node {
    pub(crate) fn is_list_of_tables(&self) -> bool {
        match &self.value {
            Value::List(list) => list.iter().all(|node| matches!(node.value, Value::Table(_))),
            _ => false,
        }
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }
}

/// What messages call a table without a name that is one of several, by its number.
pub(crate) fn unnamed(noun: &str, node: &Node, item: usize, count: usize) -> Option<String> {
    let name = node.entry("name").map(|entry| &entry.node.value);
    let has_name = matches!(name, Some(Value::Text(name)) if !name.trim().is_empty());
    (count > 1 && !has_name).then(|| format!("{noun} number {}", item + 1))
}

/// A list, or the one value that stands for it.
pub(crate) fn one_or_many(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(list) => list,
        _ => std::slice::from_ref(node),
    }
}

impl Source {
    /// The text of a span, for values that are repeated as they were written.
    pub(crate) fn slice(&self, span: &Range<usize>) -> &str {
        self.text().get(span.clone()).unwrap_or_default()
    }
}
