//! What a working day leaves behind: paths of one machine, unfinished code.

use super::{Finding, rust_source::RustSource};
use crate::repo::Text;

/// Top folders of somebody's machine.
const FOLDERS: &[&str] = &["work", "tmp", "root"];

/// Macros that say the code is not done.
const UNFINISHED: &[&str] = &["todo", "unimplemented", "dbg"];

/// Absolute paths into folders that exist on one machine only.
pub(super) fn machine_paths(text: &Text) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.content.lines().enumerate() {
        for folder in FOLDERS {
            let path = format!("/{folder}/");
            let absolute = |at: usize| !line[..at].ends_with(continues_a_path);
            if line.match_indices(&path).any(|(at, _)| absolute(at)) {
                findings.push(Finding::error(
                    &text.path,
                    index + 1,
                    format!("`{path}` is a path of one machine"),
                    "paths start at the root of the repository or at a folder the user names",
                ));
            }
        }
    }
    findings
}

/// True when a slash after this character belongs to a longer path or address.
fn continues_a_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '}' | ')')
}

/// Calls of macros that mark unfinished code.
pub(super) fn macros(source: &RustSource) -> Vec<Finding> {
    let tokens = source.tokens();
    let called = tokens
        .windows(3)
        .filter(|call| UNFINISHED.contains(&call[0].1) && call[1].1 == "!" && call[2].1 == "(");
    called
        .map(|call| {
            Finding::error(
                &source.path,
                call[0].0,
                format!("`{}!(` is unfinished code", call[0].1),
                "what is merged is done",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{FOLDERS, RustSource, Text, UNFINISHED, machine_paths, macros};

    fn paths_in(content: &str) -> Vec<usize> {
        let text = Text { path: "a.md".into(), content: content.into() };
        machine_paths(&text).iter().map(|found| found.line).collect()
    }

    #[test]
    fn machine_paths_are_found() {
        for folder in FOLDERS {
            assert_eq!(paths_in(&format!("one\nsee /{folder}/x")), [2]);
            assert_eq!(paths_in(&format!("\"/{folder}/x\"")), [1]);
        }
    }

    #[test]
    fn paths_inside_others_are_not() {
        for folder in FOLDERS {
            assert_eq!(paths_in(&format!("crates/{folder}/x")), [0; 0]);
            assert_eq!(paths_in(&format!("https://example.org/{folder}/x")), [0; 0]);
            assert_eq!(paths_in(&format!("${{HOME}}/{folder}/x")), [0; 0]);
        }
    }

    fn macros_in(code: &str) -> Vec<usize> {
        let found = macros(&RustSource::new("a.rs", code));
        found.iter().map(|found| found.line).collect()
    }

    #[test]
    fn unfinished_code_is_found() {
        for name in UNFINISHED {
            assert_eq!(macros_in(&format!("fn f() {{\n    {name}!(x)\n}}")), [2]);
        }
    }

    #[test]
    fn talk_about_it_is_not() {
        for name in UNFINISHED {
            assert_eq!(macros_in(&format!("// {name}!()\nf(\"{name}!()\")")), [0; 0]);
            assert_eq!(macros_in(&format!("fn {name}() {{}}")), [0; 0]);
        }
    }
}
