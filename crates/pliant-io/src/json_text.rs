//! From JSON text to a tree of values. But for its colons, JSON is nearly what TOML writes as a
//! value; so it is read by the same reader, which tells where values stand and what is wrong with
//! them. What else TOML allows is read too; the escape `\/`, escapes of surrogate pairs and null,
//! which are JSON and not TOML, are refused.

use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::source::Source;
use crate::toml_faults::Notation;
use crate::toml_text;
use std::ops::Range;

/// How messages about JSON show its rules.
const JSON: Notation = Notation {
    entry: "\"key\": value",
    table: "{\"q\": [0.1, 0.2], \"tau\": [0, 1]}",
    twice: "keep one of the two",
    rules: "a state looks like this: {\"q\": [0.1, 0.2], \"tau\": [0, 1]}",
};

/// Reads a document; on failure, what breaks the rules.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    let text = source.text().trim();
    let start = source.text().len() - source.text().trim_start().len();
    if !text.starts_with(['{', '[']) {
        let message = if text.is_empty() { "the file is empty" } else { "braces are missing" };
        let problem = Problem::error(&codes::SYNTAX, message).at(start..start);
        return Err(vec![problem.help(JSON.rules)]);
    }
    match toml_text::read_value(&Source::new(source.name(), with_equals_signs(text)), &JSON) {
        Ok(mut node) => {
            shift(&mut node, start);
            Ok(node)
        }
        Err(mut problems) => {
            for problem in &mut problems {
                problem.span.iter_mut().for_each(|span| shift_span(span, start));
                problem.second.iter_mut().for_each(|second| shift_span(&mut second.0, start));
            }
            Err(problems)
        }
    }
}

/// The text with an equals sign for each colon that stands in no quotes.
fn with_equals_signs(text: &str) -> String {
    let (mut quote, mut escaped) = (None, false);
    let change = |c: char| {
        match (c, quote) {
            _ if escaped => escaped = false,
            ('\\', Some('"')) => escaped = true,
            ('"' | '\'', None) => quote = Some(c),
            (':', None) => return '=',
            (c, Some(open)) if c == open || c == '\n' => quote = None,
            _ => {}
        }
        c
    };
    text.chars().map(change).collect()
}

fn shift_span(span: &mut Range<usize>, by: usize) {
    *span = span.start + by..span.end + by;
}

/// Moves a value and all in it to where it stands in the text.
fn shift(node: &mut Node, by: usize) {
    shift_span(&mut node.span, by);
    match &mut node.value {
        Value::List(list) => list.iter_mut().for_each(|node| shift(node, by)),
        Value::Table(entries) => {
            for entry in entries {
                shift_span(&mut entry.key_span, by);
                shift(&mut entry.node, by);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree as `serde_json` would have it.
    fn to_json(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Text(text) => text.clone().into(),
            Value::Number(number) => (*number).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::List(list) => list.iter().map(to_json).collect(),
            Value::Table(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), to_json(&entry.node))).collect()
            }
            Value::Foreign(_) => serde_json::Value::Null,
        }
    }

    fn tree(text: &str) -> Option<serde_json::Value> {
        read(&Source::new("a", text)).ok().map(|node| to_json(&node))
    }

    #[test]
    fn agrees_with_serde_json() {
        for text in [
            "{}",
            "[]",
            " { \"q\" : [ 1.5 , -0.25e1, 1E+2 ] } ",
            "\n{\n  \"a\": {\"b: c\": 1.0, \"c\\\"\": true,\n \"d\": false}\n}\n",
            "[\"\\u00e4\\n\\\\ ü: '\"]",
            "",
            "{",
            "[1 2]",
            "[01]",
            "[1.]",
            "[--1]",
            "[.5]",
            "[1e]",
            "[nul]",
            "[NaN]",
            "{\"a\" 1}",
            "[\"\\x\"]",
            "[\"\\u12\"]",
            "[\"\\ud800\"]",
            "[\"new\nline\"]",
            "[\"open",
            "[1] 2",
            "é",
        ] {
            assert_eq!(tree(text), serde_json::from_str(text).ok(), "{text}");
        }
    }

    #[test]
    fn what_people_type_is_read() {
        let meant = tree("{\"q\": {\"a\": \"3 deg\"}}");
        assert!(meant.is_some());
        for typed in ["{'q': {'a': '3 deg',}}", "{q: {a: \"3 deg\"}}", "{ q.a = \"3 deg\" }"] {
            assert_eq!(tree(typed), meant, "{typed}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        for open in ["[", "{\"a\":"] {
            let deep = open.repeat(100_000);
            assert!(read(&Source::new("a", deep)).is_err());
        }
    }

    #[test]
    fn spans_cover_values() {
        let source = Source::new("a", " \n{\"q\": [1, \"2 deg\"]}");
        let node = read(&source).unwrap_or(Node { span: 0..0, value: Value::Foreign("") });
        let Some(entry) = node.entry("q") else { panic!("no entry") };
        let Value::List(list) = &entry.node.value else { panic!("no list") };
        assert_eq!(source.slice(&entry.key_span), "\"q\"");
        assert_eq!(source.slice(&list[1].span), "\"2 deg\"");
    }
}
