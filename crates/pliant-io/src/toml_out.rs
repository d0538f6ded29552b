//! From a tree of values to TOML text, every number to the last digit.

use crate::node::{Entry, Node, Value};
use crate::table::Entries;
use pliant::name::is_printable;
use std::fmt::Write as _;

/// A document: lists of tables get a `[[header]]` each, in their place after the plain keys, and so
/// do tables that hold such lists; all else stands on one line per key.
pub(crate) fn document(entries: &Entries) -> String {
    let mut text = String::new();
    section(&mut text, "", entries.iter().map(|(key, value)| (key.as_str(), value)));
    text
}

/// The document that a tree is.
pub(crate) fn tree(root: &Node) -> String {
    let mut text = String::new();
    if let Value::Table(entries) = &root.value {
        section(&mut text, "", pairs(entries));
    }
    text
}

/// Keys of the document, or of the table whose path goes before those of its lists.
fn section<'a>(text: &mut String, path: &str, entries: impl Iterator<Item = (&'a str, &'a Value)>) {
    let (large, plain): (Vec<_>, Vec<_>) =
        entries.partition(|(_, value)| is_list_of_tables(value) || holds_lists(value));
    for (key, value) in plain {
        line(text, key, value);
    }
    for (key, value) in large {
        let key = format!("{path}{}", bare_or_quoted(key));
        match value {
            Value::Table(entries) => {
                let _ = write!(text, "\n[{key}]\n");
                section(text, &format!("{key}."), pairs(entries));
            }
            Value::List(list) => {
                for node in list {
                    let _ = write!(text, "\n[[{key}]]\n");
                    let Value::Table(entries) = &node.value else { continue };
                    for (key, value) in pairs(entries) {
                        line(text, key, value);
                    }
                }
            }
            _ => {}
        }
    }
}

fn pairs(entries: &[Entry]) -> impl Iterator<Item = (&str, &Value)> {
    entries.iter().map(|entry| (entry.key.as_str(), &entry.node.value))
}

/// Whether it is a table with lists of tables, or with tables that have such.
fn holds_lists(value: &Value) -> bool {
    matches!(value, Value::Table(entries)
        if pairs(entries).any(|(_, value)| is_list_of_tables(value) || holds_lists(value)))
}

fn line(text: &mut String, key: &str, value: &Value) {
    let value = match value {
        // one table a line
        Value::List(list) if is_list_of_tables(value) => {
            let rows: Vec<String> = list.iter().map(|node| inline(&node.value)).collect();
            format!("[\n  {},\n]", rows.join(",\n  "))
        }
        value => inline(value),
    };
    let _ = writeln!(text, "{} = {value}", bare_or_quoted(key));
}

fn is_list_of_tables(value: &Value) -> bool {
    matches!(value, Value::List(list)
        if !list.is_empty() && list.iter().all(|node| matches!(node.value, Value::Table(_))))
}

/// A value on one line.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Number(x) => number(*x),
        Value::Flag(flag) => flag.to_string(),
        Value::List(list) => {
            let values: Vec<String> = list.iter().map(|node: &Node| inline(&node.value)).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Table(entries) => {
            let entry = |entry: &Entry| {
                format!("{} = {}", bare_or_quoted(&entry.key), inline(&entry.node.value))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        // no table holds a date or a null
        Value::Foreign(_) => "\"\"".to_owned(),
    }
}

/// A key of TOML: bare where it may be.
pub fn bare_or_quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { quoted(key) }
}

/// The shortest text that gives the number back.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if x.is_nan() {
        "nan".to_owned()
    } else if x.is_infinite() || (1e-4..1e15).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Text in quotes, as TOML wants it.
pub fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        c if is_printable(c) => c.to_string(),
        c if u32::from(c) < 0x1_0000 => format!("\\u{:04X}", u32::from(c)),
        c => format!("\\U{:08X}", u32::from(c)),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}
