//! What is wrong and what would be right are told apart: by `Display` and by `help`.

use super::Finding;
use crate::repo::Text;
use std::path::Path;

/// The library, whose messages hold no remedy.
const LIBRARY: &str = "crates/pliant/src/";

/// What stands between a message and its remedy where both are in one line.
const BETWEEN: &str = "; ";

/// What takes a text apart.
const SPLITS: [&str; 3] = ["split", "find(", "position("];

/// Errors of the library without help, messages of it that hold a remedy, and code that takes one
/// out of a message.
pub(super) fn check(text: &Text) -> Vec<Finding> {
    let is_rust = Path::new(&text.path).extension().is_some_and(|ending| ending == "rs");
    if !is_rust || !text.path.starts_with("crates/") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let quoted = format!("\"{BETWEEN}\"");
    let (mut in_attribute, mut in_text) = (false, false);
    let mut is_error = false;
    for (k, line) in text.content.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        is_error |= code.starts_with("#[derive(") && code.contains("Error");
        if let Some(name) = declared(code)
            && std::mem::take(&mut is_error)
            && text.path.starts_with(LIBRARY)
            && !text.content.contains(&format!(" Help for {name}"))
        {
            findings.push(Finding::error(
                &text.path,
                k + 1,
                format!("the error {name} has no help"),
                "every error of the library implements `Help`",
            ));
        }
        if SPLITS.iter().any(|word| code.contains(word)) && code.contains(&quoted) {
            findings.push(Finding::error(
                &text.path,
                k + 1,
                format!("a text is taken apart at {quoted}"),
                "what would be right is what `help` of the error says",
            ));
        }
        in_attribute |= code.starts_with("#[error(");
        if in_attribute && text.path.starts_with(LIBRARY) && inside(code, &mut in_text) {
            findings.push(Finding::error(
                &text.path,
                k + 1,
                format!("a message holds {quoted}"),
                "a message says what is wrong, and `help` what would be right",
            ));
        }
        in_attribute &= !code.ends_with(")]");
    }
    findings
}

/// The name of a type that a line declares.
fn declared(code: &str) -> Option<&str> {
    let code = code.strip_prefix("pub ").unwrap_or(code);
    let rest = code.strip_prefix("enum ").or_else(|| code.strip_prefix("struct "))?;
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Whether a literal on this line holds what stands before a remedy; literals may go on.
fn inside(line: &str, in_text: &mut bool) -> bool {
    let mut characters = line.char_indices();
    let mut found = false;
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '"' => *in_text = !*in_text,
            _ => found |= *in_text && line[at..].starts_with(BETWEEN),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{LIBRARY, Text, check};

    fn lines(path: &str, content: &str) -> Vec<usize> {
        let text = Text { path: path.into(), content: content.into() };
        check(&text).iter().map(|found| found.line).collect()
    }

    #[test]
    fn a_remedy_in_a_message_is_found() {
        let path = format!("{LIBRARY}arm.rs");
        assert_eq!(lines(&path, "#[error(\"too long; cut it\")]\nA,"), [1]);
        assert_eq!(lines(&path, "#[error(\n    \"\\\"{x}\\\"; cut\"\n)]\nA,"), [2]);
        assert_eq!(lines(&path, "#[error(\"too long\")]\nlet a = \"; \";"), [0; 0]);
        assert_eq!(lines("crates/pliant-io/src/a.rs", "#[error(\"too long; cut it\")]"), [0; 0]);
    }

    #[test]
    fn an_error_without_help_is_found() {
        let path = format!("{LIBRARY}arm.rs");
        let code = "#[derive(Debug, thiserror::Error)]\n#[error(\"no\")]\npub struct No<E>(E);";
        assert_eq!(lines(&path, code), [3]);
        assert_eq!(lines(&path, &format!("{code}\nimpl<E: Help> Help for No<E> {{}}")), [0; 0]);
        assert_eq!(lines("crates/pliant-io/src/a.rs", code), [0; 0]);
    }

    #[test]
    fn a_message_that_is_taken_apart_is_found() {
        let path = "crates/pliant-io/src/a.rs";
        for call in ["rsplit_once", "split", "splitn", "find"] {
            assert_eq!(lines(path, &format!("let a = b.{call}(\"; \");")), [1], "{call}");
        }
        assert_eq!(lines(path, "let a = b.join(\"; \");\n// b.split(\"; \")"), [0; 0]);
    }
}
