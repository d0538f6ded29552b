//! From TOML text to a tree of values.

use crate::codes;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::Problem;
use crate::source::Source;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// Reads a document; on failure, what breaks the rules of TOML.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    if let Ok(document) = DeTable::parse(source.text()) {
        Ok(Node {
            span: 0..source.text().len(),
            value: table(document.into_inner()),
        })
    } else {
        let (_, errors) = DeTable::parse_recoverable(source.text());
        Err(syntax_problems(source, errors))
    }
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

/// An error after which the rest of the text cannot be trusted.
fn is_structural(error: &Error) -> bool {
    ["unclosed", "unexpected", "missing", "key with no value"]
        .iter()
        .any(|start| error.message().starts_with(start))
}

/// The errors up to the first that tears the structure, one per line.
fn syntax_problems(source: &Source, errors: Vec<Error>) -> Vec<Problem> {
    let start = |error: &Error| error.span().map_or(0, |span| span.start);
    let torn = errors
        .iter()
        .filter(|error| is_structural(error))
        .map(start)
        .min()
        .unwrap_or(usize::MAX);
    let mut errors: Vec<Error> = errors.into_iter().filter(|e| start(e) <= torn).collect();
    errors.sort_by_key(|error| (start(error), !is_structural(error)));
    errors.dedup_by(|next, kept| {
        let between = start(kept)..start(next);
        !source.slice(&between).contains('\n')
    });
    errors
        .iter()
        .map(|error| syntax_problem(source, error))
        .collect()
}

/// The error of the parser in words that help someone who does not know TOML.
fn syntax_problem(source: &Source, error: &Error) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let raw = error.message();
    let (summary, expected) = raw.split_once(", expected ").unwrap_or((raw, ""));
    let (message, help) = in_words(summary, source.slice(&span), after(source, &span));
    let problem = Problem::error(&codes::SYNTAX, message).at(span);
    let problem = match expected {
        "" => problem,
        _ if help.is_some() => problem,
        expected => problem.label(format!("expected {expected}")),
    };
    match help {
        Some(help) => problem.help(help),
        None => problem.help("the rules of TOML in five minutes: https://toml.io/en/v1.0.0"),
    }
}

/// The rest of the line after the beginning of a span.
fn after<'a>(source: &'a Source, span: &Range<usize>) -> &'a str {
    let rest = source.text().get(span.start..).unwrap_or_default();
    rest.split('\n').next().unwrap_or_default()
}

fn in_words(summary: &str, text: &str, rest: &str) -> (String, Option<String>) {
    let help = |words: &str| Some(words.to_owned());
    match summary {
        "string values must be quoted" | "invalid boolean" if text.is_empty() => (
            "there is no value after the equals sign".into(),
            help("write the value on the same line, such as name = \"two-link\" or mass = 2"),
        ),
        "string values must be quoted" | "invalid boolean" => (
            format!("{} is neither a number nor text in quotes", quoted(text)),
            Some(format!(
                "text, and numbers with units, stand in quotes: \"{}\"",
                text.trim_matches(['"', '\''])
            )),
        ),
        "unexpected key or value" if rest.starts_with(',') => (
            "a comma follows the value".into(),
            help("decimal fractions are written with a point, 1.5, and each key has its own line"),
        ),
        "duplicate key" => (
            format!("the key {} is given twice in the same table", quoted(text)),
            help("keep one of the two; a further link begins with its own line [[link]]"),
        ),
        "unclosed array" => (
            "a list that begins here or above has no end".into(),
            help("close it with ]"),
        ),
        "unclosed table" => (
            "the header of a table has no end".into(),
            help("a link begins with the line [[link]]"),
        ),
        "key with no value" => (
            "there is a key but no equals sign".into(),
            help(
                "a line is key = value, such as mass = 2; a comment begins with #; a link begins with [[link]]",
            ),
        ),
        "recursion limit" => (
            "lists or tables are nested too deeply".into(),
            help("an arm file needs no more than four levels"),
        ),
        _ => (summary.to_owned(), None),
    }
}
