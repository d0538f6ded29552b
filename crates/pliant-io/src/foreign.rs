//! Files that are none of pliant's. Their lines are not shown: they may be anyone's.

use crate::arm_file::{ArmTable, LinkTable};
use crate::codes;
use crate::nearest::nearest;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::scenario::ScenarioTable;
use crate::source::Source;
use crate::spec::TableSpec;
use crate::state::StateTable;
use crate::study::StudyTable;
use crate::table::Table as _;
use std::collections::HashSet;

/// What arms and scenarios look like.
const EXPECTED: &str = "an arm file has [[link]] tables (pliant new two-link writes one), a URDF begins with <robot>, a scenario has arm and duration (pliant new swing writes one)";

/// The tables whose keys tell a file of ours.
const OURS: [&TableSpec; 4] =
    [ArmTable::SPEC, LinkTable::SPEC, ScenarioTable::SPEC, StudyTable::SPEC];

/// Whether none of the keys of a document is known, or near to one that is.
pub(crate) fn has_foreign_keys(root: &Node) -> bool {
    let Value::Table(entries) = &root.value else { return false };
    let known: HashSet<&str> = words().collect();
    let is_ours = entries.iter().any(|entry| known.contains(entry.key.as_str()))
        || entries.iter().take(COMPARED).any(|entry| nearest(&entry.key, words()).is_some());
    !entries.is_empty() && !is_ours
}

/// So many keys are compared with those that are known.
const COMPARED: usize = 20;

/// Whether no line of a text begins with a known key.
pub(crate) fn has_foreign_lines(text: &str) -> bool {
    let known: HashSet<&str> = words().collect();
    let begins_known = |line: &str| {
        let line = line.trim_start().trim_start_matches('[').trim_start();
        let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
        let (word, rest) = line.split_at(end.unwrap_or(line.len()));
        // a colon parts keys and values in YAML, and fields in other files
        let is_key = rest.trim_start().starts_with(['=', ']', '.']) || rest.starts_with(": ");
        let is_key = is_key || rest.trim_end() == ":";
        is_key && (known.contains(word) || known.contains(word.to_ascii_lowercase().as_str()))
    };
    !text.lines().any(begins_known)
}

fn words() -> impl Iterator<Item = &'static str> {
    OURS.into_iter().flat_map(|spec| {
        let keys = spec.all_keys().map(|key| key.name);
        let aliases = spec.all_aliases().map(|alias| alias.word);
        let others = spec.all_elsewhere().chain(spec.later).map(|(word, _)| *word);
        keys.chain(aliases).chain(others)
    })
}

/// That a file is none of ours, and what it looks like.
pub(crate) fn problem(source: &Source) -> Problem {
    let name = source.name();
    let message = match looks_like(source.text()) {
        Some(what) => format!("{name} is neither an arm nor a scenario: it looks like {what}"),
        None => format!("{name} is neither an arm nor a scenario"),
    };
    Problem::error(&codes::FOREIGN, message).help(EXPECTED)
}

fn keys() -> impl Iterator<Item = &'static str> {
    StateTable::SPEC.all_keys().map(|key| key.name)
}

/// That a file is no state, where it plainly is something else.
pub(crate) fn no_state(source: &Source, is_toml: bool) -> Option<Problem> {
    let text = source.text().trim_start();
    let begins_key = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', '[', '"', '\'']);
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '_');
        let word = &line[..end.unwrap_or(line.len())];
        !word.is_empty() && nearest(word, keys()).is_some()
    };
    let says = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let is_state = if is_toml {
        let mut lines = text.lines().filter(says).peekable();
        lines.peek().is_none() || lines.any(begins_key)
    } else {
        text.starts_with(['{', '['])
    };
    let message = format!("{} is no state", source.name());
    let problem = || Problem::error(&codes::FOREIGN, message).help(StateTable::SPEC.example);
    (!is_state).then(problem)
}

/// Whether a text is a page of HTML.
pub(crate) fn is_page(text: &str) -> bool {
    let start = start(text);
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// The first characters of a text, in lower case.
fn start(text: &str) -> String {
    text.trim_start().chars().take(20).collect::<String>().to_ascii_lowercase()
}

/// What a text plainly is.
fn looks_like(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    let start = start(text);
    let begins = |words: &[&str]| words.iter().any(|word| start.starts_with(word));
    if is_page(text) {
        Some("an HTML page")
    } else if begins(&["<"]) {
        Some("XML")
    } else if begins(&["%pdf"]) {
        Some("a PDF document")
    } else if begins(&["#!"]) {
        Some("a script")
    } else if begins(&["-----begin"]) {
        Some("a key or a certificate")
    } else if begins(&["{", "["]) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        Some("JSON")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_ours_are_known_by_their_lines() {
        for text in ["[[link]]\nname = upper\n", "mass: 1", "  Name = \"a\"", "duration = 5 s"] {
            assert!(!has_foreign_lines(text), "{text}");
        }
        for text in ["root:$6$hash:19000::", "PASSWORD=hunter2\n", "{\"a\": 1}", "", "<html>"] {
            assert!(has_foreign_lines(text), "{text}");
        }
    }

    #[test]
    fn states_are_known_by_their_keys() {
        let is_state = |text: &str| no_state(&Source::new("rest.toml", text), true).is_none();
        for text in ["", "# at rest\n", "q = {}", "\"q\" = { fore = 1 }", "'u' = [1]", "[q]\na = 1"]
        {
            assert!(is_state(text), "{text}");
        }
        for text in ["root:$6$hash:19000::", "PASSWORD=hunter2\n", "<html>"] {
            assert!(!is_state(text), "{text}");
        }
    }

    #[test]
    fn what_a_text_is_is_told() {
        let told = |text| problem(&Source::new("file", text)).message;
        assert!(told("<!DOCTYPE html><p>secret").ends_with("looks like an HTML page"));
        assert!(told("{\"a\": 1}").ends_with("looks like JSON"));
        assert!(told("{\"a\": 1").ends_with("nor a scenario"));
        assert!(told("-----BEGIN OPENSSH PRIVATE KEY-----").ends_with("a key or a certificate"));
        assert!(!told("root:$6$hash").contains("hash"));
    }
}
