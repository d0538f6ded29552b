//! One name, one meaning.

use super::Finding;
use crate::repo::Text;
use std::collections::BTreeMap;
use std::path::Path;

/// Names of which every algorithm has its own, for the same purpose.
const EACH_ITS_OWN: [&str; 2] = ["Workspace", "Work"];

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
        for (k, line) in text.content.lines().enumerate() {
            let Some(name) = declared(line).filter(|name| !EACH_ITS_OWN.contains(name)) else {
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
    use super::{Text, check};

    fn text(path: &str, content: &str) -> Text {
        Text { path: path.into(), content: content.into() }
    }

    #[test]
    fn a_name_that_is_taken_is_found() {
        let one = text("crates/pliant/src/a.rs", "pub struct Load<S> {}\npub trait Work {}\n");
        let two =
            text("crates/pliant-io/src/b.rs", "\n    pub enum Load {\npub(crate) struct Own;\n");
        let three = text("crates/pliant/src/c.rs", "pub struct Work;\npub(super) enum Own {}\n");
        let found = check(&[one, two, three]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].path.as_str(), found[0].line), ("crates/pliant-io/src/b.rs", 2));
        assert!(found[0].seen.contains("crates/pliant/src/a.rs:1"));
    }

    #[test]
    fn other_crates_may_call_things_as_they_like() {
        let one = text("crates/pliant/src/a.rs", "pub struct Load;\n");
        let two = text("crates/pliant-cli/src/b.rs", "pub struct Load;\n");
        assert!(check(&[one, two]).is_empty());
    }
}
