//! From TOML text to a tree of values.

use crate::codes;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::Problem;
use crate::source::Source;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// In a longer text only one error of syntax is looked for.
const LONG: usize = 1 << 16;

/// Reads a document; on failure, what breaks the rules of TOML.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    match DeTable::parse(source.text()) {
        Ok(document) => {
            Ok(Node { span: 0..source.text().len(), value: table(document.into_inner()) })
        }
        // of a long text that is torn, the first tear is enough
        Err(first) if source.text().len() > LONG => Err(syntax_problems(source, vec![first])),
        Err(_) => {
            let (_, errors) = DeTable::parse_recoverable(source.text());
            Err(syntax_problems(source, errors))
        }
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
fn is_structural(source: &Source, error: &Error) -> bool {
    let words = ["unclosed", "unexpected", "missing", "key with no value", "invalid unquoted"];
    let message = error.message();
    words.iter().any(|start| message.starts_with(start)) || is_second_header(source, error)
}

/// `[link]` where `[[link]]` is meant.
fn is_second_header(source: &Source, error: &Error) -> bool {
    let start = error.span().map_or(0, |span| span.start);
    error.message() == "duplicate key" && source.text()[..start].ends_with('[')
}

/// The errors up to the first that tears the structure, one per line.
fn syntax_problems(source: &Source, errors: Vec<Error>) -> Vec<Problem> {
    let start = |error: &Error| error.span().map_or(0, |span| span.start);
    let torn = errors
        .iter()
        .filter(|error| is_structural(source, error))
        .map(start)
        .min()
        .unwrap_or(usize::MAX);
    let mut errors: Vec<Error> = errors.into_iter().filter(|e| start(e) <= torn).collect();
    errors.sort_by_key(|error| (start(error), !is_structural(source, error)));
    errors.dedup_by(|next, kept| {
        let between = start(kept)..start(next);
        !source.slice(&between).contains('\n')
    });
    errors.iter().map(|error| syntax_problem(source, error)).collect()
}

/// The error of the parser in words that help someone who does not know TOML.
fn syntax_problem(source: &Source, error: &Error) -> Problem {
    let span = error.span().unwrap_or(0..0);
    if let Some(open) = open_list(source, error.message(), &span) {
        return Problem::error(&codes::SYNTAX, "a list has no end")
            .at(open)
            .label("begins here")
            .help("close it with ]");
    }
    let raw = error.message();
    let (summary, expected) = raw.split_once(", expected ").unwrap_or((raw, ""));
    let text = source.slice(&span);
    let (message, help) = if is_second_header(source, error) {
        (
            format!("there is a second table [{text}]"),
            Some(format!("each link begins with double brackets: [[{text}]]")),
        )
    } else {
        in_words(summary, text, after(source, &span))
    };
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

/// Where the list begins that has no end, when that is why the parser stumbled further on: over a
/// new table, a new key, or the end of the file.
fn open_list(source: &Source, message: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let text = source.text().get(..span.start)?;
    let line_start = text.rfind('\n').map_or(0, |newline| newline + 1);
    let line = after(source, &(line_start..line_start)).trim_start();
    let key = line.split('=').next().filter(|key| key.len() < line.len());
    let is_new = line.is_empty()
        || line.starts_with("[[")
        || key.is_some_and(|key| key.trim().chars().all(|c| c.is_alphanumeric() || c == '_'));
    if !message.contains("array") || message.contains("array table") || !is_new {
        return None;
    }
    // the last line before that begins with a key
    let before = text[..line_start].split_inclusive('\n');
    let mut start = 0;
    let mut opened = None;
    for line in before {
        if let Some((_, value)) = line.split_once('=') {
            let value_start = start + line.len() - value.len();
            let open = value.find('[').map(|at| value_start + at);
            opened = open.map(|at| at..at + 1);
        }
        start += line.len();
    }
    opened
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
        "missing comma between array elements" => (
            "a comma is missing between two entries of a list".into(),
            help("separate them: [0, 0, 1]"),
        ),
        "unclosed array" => ("a list has no end".into(), help("close it with ]")),
        "unclosed table" | "unclosed array table" => (
            "the header of a table has no end".into(),
            help("a link begins with the line [[link]]"),
        ),
        "key with no value" => (
            "there is a key but no equals sign".into(),
            help(
                "a line is key = value, such as mass = 2; a comment begins with #; a link begins with [[link]]",
            ),
        ),
        "invalid unquoted key" => (
            format!("a line cannot begin with {}", quoted(text)),
            help(
                "a line is key = value, a comment begins with #, a link begins with [[link]]; is this an arm file?",
            ),
        ),
        _ if summary.contains("recurs") => (
            "lists or tables are nested too deeply".into(),
            help("an arm file needs no more than four levels"),
        ),
        _ => (summary.to_owned(), None),
    }
}
