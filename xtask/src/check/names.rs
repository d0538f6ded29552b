//! One name, one meaning.

use super::Finding;
use crate::repo::Text;
use std::collections::BTreeMap;
use std::path::Path;

/// Names of which every algorithm has its own, for the same purpose, and where the algorithms are.
const EACH_ITS_OWN: [&str; 2] = ["Workspace", "Work"];
const ALGORITHMS: [&str; 3] =
    ["crates/pliant/src/dynamics/", "crates/pliant/src/integrate/", "crates/pliant/src/reproduce/"];

/// Modules whose public types have their noun of the field in ARCHITECTURE.md.
const WITH_NOUNS: [&str; 6] = ["simulate", "control", "plan", "analyse", "scenario", "study"];

/// Crates with a public face.
const PUBLIC: [&str; 3] =
    ["crates/pliant/src/", "crates/pliant-io/src/", "crates/pliant-draw/src/"];

/// Public types and traits that have the name of another one.
pub(super) fn check(texts: &[Text]) -> Vec<Finding> {
    let mut first: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    let mut findings = Vec::new();
    let public = |text: &&Text| {
        let is_rust = Path::new(&text.path).extension().is_some_and(|ending| ending == "rs");
        is_rust && PUBLIC.iter().any(|folder| text.path.starts_with(folder))
    };
    for text in texts.iter().filter(public) {
        let is_algorithm = ALGORITHMS.iter().any(|folder| text.path.starts_with(folder));
        for (k, line) in text.content.lines().enumerate() {
            let is_own = |name: &&str| is_algorithm && EACH_ITS_OWN.contains(name);
            let Some(name) = declared(line).filter(|name| !is_own(name)) else {
                continue;
            };
            match first.get(name) {
                None => drop(first.insert(name, (&text.path, k + 1))),
                Some((path, at)) => findings.push(Finding::error(
                    &text.path,
                    k + 1,
                    format!("{name} is also the name of a type in {path}:{at}"),
                    "no two public types have one name",
                )),
            }
        }
    }
    findings
}

/// Public types and traits without a noun in the table of names.
pub(super) fn check_nouns(document: &str, markdown: &str, texts: &[Text]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for module in WITH_NOUNS {
        let path = format!("crates/pliant/src/{module}/mod.rs");
        let Some(text) = texts.iter().find(|text| text.path == path) else { continue };
        for name in exported(&text.content) {
            if !markdown.contains(&format!("`{name}`")) {
                findings.push(Finding::error(
                    document,
                    1,
                    format!("no noun of the field for {name} of {module}"),
                    "the table of names has every public type, with its noun elsewhere or a reason",
                ));
            }
        }
    }
    findings
}

/// The types and traits that a module exports by name: they begin with a capital and are no
/// constants.
fn exported(source: &str) -> Vec<&str> {
    let uses = source.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let words = uses.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let is_type = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.contains(|c: char| c.is_ascii_lowercase())
    };
    words.filter(is_type).collect()
}

/// The name of a public type or trait that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest =
        ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| rest.strip_prefix(word))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::{Text, check, check_nouns};

    fn text(path: &str, content: &str) -> Text {
        Text { path: path.into(), content: content.into() }
    }

    #[test]
    fn a_name_that_is_taken_is_found() {
        let one =
            text("crates/pliant/src/dynamics/a.rs", "pub struct Load<S> {}\npub trait Work {}\n");
        let two =
            text("crates/pliant-io/src/b.rs", "\n    pub enum Load {\npub(crate) struct Own;\n");
        let three =
            text("crates/pliant/src/integrate/c.rs", "pub struct Work;\npub(super) enum Own {}\n");
        let found = check(&[one, two, three]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].path.as_str(), found[0].line), ("crates/pliant-io/src/b.rs", 2));
        assert!(found[0].seen.contains("crates/pliant/src/dynamics/a.rs:1"));
    }

    #[test]
    fn only_algorithms_have_workspaces_of_one_name() {
        let one = text("crates/pliant/src/dynamics/a.rs", "pub struct Workspace;\n");
        let two = text("crates/pliant/src/arm/b.rs", "pub struct Workspace;\n");
        let three = text("crates/pliant/src/plan/c.rs", "pub struct Workspace;\n");
        assert_eq!(check(&[one, two, three]).len(), 1);
    }

    #[test]
    fn a_type_without_a_noun_is_found() {
        let source = "mod a;\n\npub use a::{Plan, find};\npub(crate) use a::Own;\npub use b::{\n    GUARD, Path,\n};\n";
        let module = text("crates/pliant/src/plan/mod.rs", source);
        let found = check_nouns("ARCHITECTURE.md", "| `Plan` | trajectory |", &[module]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].seen.contains("Path of plan"), "{found:?}");
    }

    #[test]
    fn other_crates_may_call_things_as_they_like() {
        let one = text("crates/pliant/src/a.rs", "pub struct Load;\n");
        let two = text("crates/pliant-cli/src/b.rs", "pub struct Load;\n");
        assert!(check(&[one, two]).is_empty());
    }
}
