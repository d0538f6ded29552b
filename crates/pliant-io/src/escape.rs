//! How names and other texts of files are written for other programs: one function for each.
//!
//! TOML has `toml_out::quoted`, pages `report/page.rs`, drawings `text.rs` of `pliant-draw`, and
//! terminals [`pliant::name::shown`], with [`Shown`] for paths.

use pliant::name::{is_printable, shown};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

/// A literal of Python: a string that has this text as its value, whatever it is.
///
/// ```
/// let text = pliant_io::escape::python("x\"; import os\u{202e}");
/// assert_eq!(text, r#""x\"; import os\u202e""#);
/// ```
pub fn python(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let code = u32::from(c);
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            ' '..='~' => write!(out, "{c}"),
            c if c.is_alphanumeric() && is_printable(c) => write!(out, "{c}"),
            _ if code < 0x100 => write!(out, "\\x{code:02x}"),
            _ if code < 0x1_0000 => write!(out, "\\u{code:04x}"),
            _ => write!(out, "\\U{code:08x}"),
        };
    }
    out.push('"');
    out
}

/// A word of a shell's command, as people paste it: in quotes where it is more than letters, digits
/// and what paths have.
///
/// ```
/// assert_eq!(pliant_io::escape::shell("runs/first-run"), "runs/first-run");
/// assert_eq!(pliant_io::escape::shell("it's; rm x"), r"'it'\''s; rm x'");
/// assert_eq!(pliant_io::escape::shell("a\nb"), r"$'a\nb'");
/// ```
pub fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+%@".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // what begins like an option is a path all the same
    let path = if word.starts_with('-') { "./" } else { "" };
    if word.chars().all(is_printable) {
        return format!("'{path}{}'", word.replace('\'', r"'\''"));
    }
    let letter = |c: char| match c {
        '\'' | '\\' => format!("\\{c}"),
        '\n' => r"\n".to_owned(),
        c if is_printable(c) => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    };
    format!("$'{path}{}'", word.chars().map(letter).collect::<String>())
}

/// A path as messages show it: on one line, with what a terminal must not get as escapes.
pub trait Shown {
    /// The text of it.
    fn shown(&self) -> String;
}

impl Shown for Path {
    fn shown(&self) -> String {
        shown(&self.to_string_lossy()).into_owned()
    }
}

/// JSON in which characters that are not printable are escapes, so that terminals show them; its
/// value stays the same.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // other control characters of ASCII are escapes already where they belong to a text
        if is_printable(c) || c.is_ascii() && c != '\u{7f}' {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// What spreadsheets take for the beginning of a formula.
fn begins_formula(text: &str) -> bool {
    let formula = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
    text.starts_with(formula)
}

/// A text for a cell of CSV that is neither quoted nor parted there yet: what begins like a formula
/// gets an apostrophe, which spreadsheets take for the sign of a text.
pub fn csv_text(text: &str) -> String {
    if begins_formula(text) || text.starts_with('\'') {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// The text that [`csv_text`] was made of.
pub fn from_csv_text(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if begins_formula(text) || text.starts_with('\'') => text,
        _ => cell,
    }
}

/// A text as a cell of CSV, in quotes where it asks for them.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { csv_quoted(text) } else { csv_text(text) }
}

/// The same, always in quotes.
pub fn csv_quoted(text: &str) -> String {
    format!("\"{}\"", csv_text(text).replace('"', "\"\""))
}

/// The names of the entries of an archive, from names and units: each its own, and none leads out
/// of the folder into which the archive is unpacked.
pub fn npz_entries<'a>(columns: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut taken = HashSet::new();
    let entry = |(name, unit): (&str, &str)| {
        let (name, unit) = (inside(name), within_unit(unit));
        let with_unit = |name: &str| match unit.as_str() {
            "" => name.to_owned(),
            unit => format!("{name} [{unit}]"),
        };
        let numbered = (2..).map(|number| with_unit(&format!("{name}_{number}")));
        let mut all = std::iter::once(with_unit(&name)).chain(numbered);
        all.find(|entry| taken.insert(entry.clone())).unwrap_or_default()
    };
    columns.map(entry).collect()
}

/// A name that is one part of a path.
fn inside(name: &str) -> String {
    let sign = |(place, c): (usize, char)| match c {
        '/' | '\\' => '_',
        // of a drive
        ':' if place == 1 => '_',
        c if is_printable(c) => c,
        _ => '_',
    };
    let name: String = name.chars().enumerate().map(sign).collect();
    if matches!(name.as_str(), "" | "." | "..") { "_".to_owned() } else { name }
}

/// A unit behind a name: `rad/s` stays as it is.
fn within_unit(unit: &str) -> String {
    let leads_out = unit.split('/').any(|part| part.is_empty() || part.starts_with('.'));
    let sign = |c| match c {
        '/' if leads_out => '_',
        '\\' => '_',
        c if is_printable(c) => c,
        _ => '_',
    };
    unit.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_texts_and_come_back() {
        for text in ["=1+1", "+x", "-x", "@SUM(1)", "\tx", "\rx", "＝1", "'x", "''=x", "'=x"] {
            let cell = csv_text(text);
            assert_eq!(cell, format!("'{text}"));
            assert_eq!(from_csv_text(&cell), text);
        }
        for text in ["upper", "a=b", "", "x'"] {
            assert_eq!(csv_text(text), text);
            assert_eq!(from_csv_text(text), text);
        }
        assert_eq!(from_csv_text("'quoted'"), "'quoted'");
        assert_eq!(csv_field("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
        assert_eq!(csv_field("plain"), "plain");
    }

    #[test]
    fn entries_stay_inside_and_differ() {
        let columns = [
            ("upper", "rad/s"),
            ("../../x", "m"),
            ("..\\..\\x", "m"),
            (".._.._x", "m"),
            ("C:\\x", ""),
            ("..", ""),
            ("/etc/passwd", "m/../../../s"),
            ("a\0\u{202e}", "m//s"),
        ];
        let entries = npz_entries(columns.into_iter());
        let expected = [
            "upper [rad/s]",
            ".._.._x [m]",
            ".._.._x_2 [m]",
            ".._.._x_3 [m]",
            "C__x",
            "_",
            "_etc_passwd [m_.._.._.._s]",
            "a__ [m__s]",
        ];
        assert_eq!(entries, expected);
    }

    #[test]
    fn json_keeps_its_value() {
        let value =
            serde_json::json!({ "a\u{202e}\u{7f}": ["\u{9b}31m", "\u{e0041}\n\u{1b}", "é😀"] });
        let text = json(&value.to_string());
        assert!(text.chars().all(is_printable), "{text:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).ok(), Some(value));
    }
}
