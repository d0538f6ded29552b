//! What breaks the rules of TOML, in words that help someone who does not know them.
//!
//! The crate that reads TOML tells a message and a place, no kind of error, and it goes on after the
//! first: `mass: 1` is "invalid unquoted key, expected letters, numbers, `-`, `_`" and then "key with
//! no value, expected `=`". So its messages are told apart by their texts here. Should a later version
//! of it choose others, its own are shown, and `tests/bad` says so.

use crate::brackets;
use crate::codes;
use crate::node::quoted;
use crate::problem::Problem;
use crate::source::Source;
use std::ops::Range;
use toml::de::Error;

/// The errors up to the first that tears the structure, one per line.
pub(crate) fn problems(source: &Source, errors: &[Error]) -> Vec<Problem> {
    let text = source.text();
    let mut faults: Vec<Fault> = errors.iter().map(|error| Fault::new(source, error)).collect();
    let torn = faults.iter().filter(|fault| fault.tears).map(|fault| fault.span.start).min();
    let open = torn.and_then(|torn| brackets::unclosed(text).filter(|&open| open < torn));
    let end = open.or(torn).unwrap_or(usize::MAX);
    faults.retain(|fault| fault.span.start <= end);
    faults.sort_by_key(|fault| (fault.span.start, fault.tears));
    let same_line = |a: usize, b: usize| !source.slice(&(a..b)).contains('\n');
    faults.dedup_by(|next, kept| same_line(kept.span.start, next.span.start));
    let mut problems: Vec<Problem> = faults.iter().map(|fault| fault.problem(source)).collect();
    if let Some(open) = open
        && !faults.last().is_some_and(|fault| same_line(fault.span.start, open))
    {
        problems.push(no_end(text, open));
    }
    problems
}

/// A list or a table that begins at `open` and is not closed.
pub(crate) fn no_end(text: &str, open: usize) -> Problem {
    let (message, help) = if text[open..].starts_with('{') {
        ("a table has no end", "close it with }")
    } else {
        ("a list has no end", "close it with ]")
    };
    Problem::error(&codes::SYNTAX, message).at(open..open + 1).label("begins here").help(help)
}

/// An error of the parser.
struct Fault<'a> {
    /// What it says, without what it expected.
    summary: &'a str,
    span: Range<usize>,
    /// The rest of the text cannot be trusted.
    tears: bool,
}

/// Words about one value, after which the parser finds its way again.
const OF_A_VALUE: &[&str] = &[
    "string values must be quoted",
    "invalid boolean",
    "invalid mantissa",
    "invalid fraction",
    "invalid exponent",
    "invalid float",
    "invalid integer",
    "unexpected leading zero",
    "missing opening quote",
];

/// How errors begin that tear the structure.
const TEARING: &[&str] =
    &["unclosed", "unexpected", "missing", "extra", "key with no value", "invalid unquoted"];

impl<'a> Fault<'a> {
    fn new(source: &Source, error: &'a Error) -> Self {
        let span = error.span().unwrap_or(0..0);
        let span = source.boundary(span.start)..source.boundary(span.end);
        let message = error.message();
        let summary = message.split_once(", expected ").map_or(message, |(summary, _)| summary);
        let mut fault = Self { summary, span, tears: false };
        fault.tears = !OF_A_VALUE.contains(&summary)
            && (TEARING.iter().any(|start| summary.starts_with(start))
                || summary.starts_with("invalid inline")
                || fault.is_second_header(source));
        fault
    }

    /// `[link]` where `[[link]]` is meant.
    fn is_second_header(&self, source: &Source) -> bool {
        self.summary == "duplicate key" && source.text()[..self.span.start].ends_with('[')
    }

    fn problem(&self, source: &Source) -> Problem {
        let line = line_around(source.text(), self.span.start);
        let quote = brackets::open_quote(source.slice(&line)).map(|at| line.start + at);
        let is_text = self.summary.ends_with("string");
        let (span, words) = if let Some(quote) = quote.filter(|_| is_text) {
            let mark = &source.text()[quote..=quote];
            let words = ("a text has no end".to_owned(), format!("close it with a second {mark}"));
            (quote..line.end, words)
        } else if OF_A_VALUE.contains(&self.summary) || is_text {
            let span = value_around(source.text(), self.span.start);
            let words = value_in_words(source.text(), &span);
            (span, words)
        } else {
            (self.span.clone(), self.in_words(source, source.slice(&line)))
        };
        let problem = Problem::error(&codes::SYNTAX, words.0).at(span).help(words.1);
        if self.summary.starts_with("missing comma") {
            return problem.label("before this");
        }
        problem
    }

    /// What is wrong, and how it is mended.
    fn in_words(&self, source: &Source, line: &str) -> (String, String) {
        let text = source.slice(&self.span);
        let key = text.trim_matches(['"', '\'']);
        let rest = source.text()[self.span.start..].split('\n').next().unwrap_or_default();
        let (message, help) = match self.summary {
            "duplicate key" if self.is_second_header(source) => {
                return (
                    format!("there is a second table [{text}]"),
                    format!("each link begins with double brackets: [[{text}]]"),
                );
            }
            "duplicate key" => {
                return (
                    format!("the key {} is given twice in the same table", quoted(key)),
                    "keep one of the two; a further link begins with its own line [[link]]".into(),
                );
            }
            "invalid unquoted key" if text == ":" => {
                return (
                    "there is a colon where the equals sign belongs".into(),
                    format!("write {}", line.trim().replacen(':', " =", 1)),
                );
            }
            "invalid unquoted key" => {
                return (
                    format!("a line cannot begin with {}", quoted(text)),
                    "a line is key = value, a comment begins with #, a link begins with [[link]]; is this an arm file?".into(),
                );
            }
            "unexpected key or value" => after_value(rest, line),
            "missing comma between array elements" => (
                "a comma is missing between two entries of a list",
                "separate the entries by commas: [0, 0, 1]",
            ),
            "missing comma between key-value pairs" => (
                "a comma is missing between two entries of a table",
                "separate the entries by commas: { kind = \"revolute\", axis = \"z\" }",
            ),
            "extra comma in array" | "extra comma in inline table" => {
                ("there is a comma too many", "remove it")
            }
            "unexpected `=` in array" => (
                "there is a key in a list",
                "a list holds values, [0, 0, 1]; a table stands in braces, { kind = \"revolute\" }",
            ),
            "unclosed table" | "unclosed array table" => {
                ("the header of a table has no end", "a link begins with the line [[link]]")
            }
            "key with no value" => (
                "there is a key but no equals sign",
                "a line is key = value, such as mass = 2; a comment begins with #; a link begins with [[link]]",
            ),
            other if other.contains("inline table") || other.contains("key-value pairs") => (
                "this is no entry of a table",
                "an entry is key = value: { kind = \"revolute\", axis = \"z\" }",
            ),
            other if other.contains("recurs") => (
                "lists or tables are nested too deeply",
                "an arm file needs no more than four levels",
            ),
            other if other.contains("escape") || other.contains("unicode") => (
                "a backslash in double quotes begins an escape, and there is none like this",
                "write \\\\ for a backslash, or put the text in single quotes",
            ),
            other => (other, "the rules of TOML in five minutes: https://toml.io/en/v1.0.0"),
        };
        (message.to_owned(), help.to_owned())
    }
}

/// What stands after the end of a value.
fn after_value(rest: &str, line: &str) -> (&'static str, &'static str) {
    let commas = line.split('#').next().unwrap_or(line).matches(',').count();
    match rest.chars().next() {
        Some(',') if commas > 1 || line.contains(']') => {
            ("a comma follows the value", "a list stands in brackets: [0, 0, 1]")
        }
        Some(',') => (
            "a comma follows the value",
            "decimal fractions are written with a point, 1.5, and each key has its own line",
        ),
        Some(']' | '}') => ("a bracket is closed that was never opened", "remove it"),
        _ => (
            "something follows the value",
            "each key has its own line, a comment begins with #, and text stands in one pair of quotes",
        ),
    }
}

/// The line of a place, without its end.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    start..start + text[start..end].trim_end().len()
}

/// The plain value around a place.
fn value_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind(['=', '[', '{', ',', '\n']).map_or(0, |before| before + 1);
    let length = text[at..].find([',', ']', '}', '#', '=', '\n']);
    let value = &text[start..length.map_or(text.len(), |length| at + length)];
    let start = start + value.len() - value.trim_start().len();
    if value.trim().is_empty() { at..at } else { start..start + value.trim().len() }
}

/// Quotes of word processors.
pub(crate) const TYPOGRAPHIC: [char; 7] = ['“', '”', '„', '‟', '‘', '’', '′'];

/// What is wrong with a plain value, and how it is mended.
fn value_in_words(text: &str, span: &Range<usize>) -> (String, String) {
    let value = &text[span.clone()];
    let words: Vec<&str> = value.split_whitespace().collect();
    let all_numbers = words.iter().all(|word| word.parse::<f64>().is_ok());
    let small = value.to_ascii_lowercase();
    let plain = value.trim_matches(|c| c == '"' || c == '\'' || TYPOGRAPHIC.contains(&c));
    if value.is_empty() {
        (
            "there is no value after the equals sign".into(),
            "write the value on the same line, such as name = \"two-link\" or mass = 2".into(),
        )
    } else if value.contains(TYPOGRAPHIC) {
        (
            format!("the quotes of {value} are not straight"),
            format!(
                "write \"{plain}\"; word processors bend quotes, editors for plain text do not"
            ),
        )
    } else if text[span.end..].trim_start_matches([' ', '\t']).starts_with('=') {
        match brackets::innermost(&text[..span.start]) {
            Some(_) => (
                format!("a comma is missing within {}", quoted(value)),
                "separate the entries by commas: { kind = \"revolute\", axis = \"z\" }".into(),
            ),
            None => ("there are two keys in one line".into(), "give each key its own line".into()),
        }
    } else if value.ends_with(['"', '\'']) {
        (
            format!("the text {value} ends with a quote but begins without"),
            format!("write \"{plain}\""),
        )
    } else if small == "null" {
        ("null is no value".into(), "give a number, or leave the key out".into())
    } else if small == "nan" {
        (format!("the number {value} is not finite"), "give a finite number".into())
    } else if ["true", "false", "inf", "-inf"].contains(&small.as_str()) {
        (format!("the word {value} has capital letters"), format!("write {small}"))
    } else if all_numbers && words.len() > 1 {
        let list = words.join(", ");
        match brackets::innermost(&text[..span.start]) {
            Some('[') => {
                ("a comma is missing between two entries of a list".into(), format!("write {list}"))
            }
            _ => ("several numbers stand in brackets".into(), format!("write [{list}]")),
        }
    } else if all_numbers {
        let fault = if value.contains('.') {
            "lacks a digit before or after its point"
        } else {
            "begins with a superfluous zero"
        };
        (format!("the number {value} {fault}"), format!("write {}", completed(value)))
    } else {
        (
            format!("{} is neither a number nor text in quotes", quoted(value)),
            format!("text, and numbers with units, stand in quotes: \"{plain}\""),
        )
    }
}

/// A number with digits on both sides of the point and without leading zeros: `.6` is `0.6`.
pub(crate) fn completed(number: &str) -> String {
    let unsigned = number.trim_start_matches(['+', '-']);
    let sign = if number.starts_with('-') { "-" } else { "" };
    let digits = unsigned.trim_start_matches('0');
    let zero = if digits.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    let whole = format!("{sign}{zero}{digits}").replace(".e", ".0e").replace(".E", ".0e");
    if whole.ends_with('.') { whole + "0" } else { whole }
}

#[cfg(test)]
mod tests {
    use super::completed;

    #[test]
    fn numbers_are_completed() {
        for (given, wanted) in [
            (".6", "0.6"),
            ("-.5", "-0.5"),
            ("6.", "6.0"),
            ("+6.e3", "6.0e3"),
            ("007", "7"),
            ("00.5", "0.5"),
            ("00", "0"),
        ] {
            assert_eq!(completed(given), wanted);
        }
    }
}
