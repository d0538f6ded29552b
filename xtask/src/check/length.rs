//! Files that fit in a head.

use super::{Finding, Weight};
use crate::repo::Text;

const COMFORTABLE: usize = 500;
const LARGEST: usize = 600;
const SOURCES: &[&str] = &[".rs", ".py", ".cpp", ".hpp", ".c", ".h", ".js", ".ts", ".sh"];

/// Warns above 500 lines, fails above 600.
pub(super) fn check(text: &Text) -> Option<Finding> {
    if !SOURCES.iter().any(|ending| text.path.ends_with(ending)) {
        return None;
    }
    let lines = text.content.lines().count();
    if lines <= COMFORTABLE {
        return None;
    }
    let weight = if lines <= LARGEST { Weight::Warning } else { Weight::Error };
    Some(Finding {
        weight,
        path: text.path.clone(),
        line: lines,
        seen: format!("{lines} lines"),
        rule: format!("a file has at most {COMFORTABLE} lines, {LARGEST} at the very most"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Text, Weight, check};

    fn weight(path: &str, lines: usize) -> Option<Weight> {
        let text = Text { path: path.into(), content: "x\n".repeat(lines) };
        check(&text).map(|finding| finding.weight)
    }

    #[test]
    fn long_files_are_warned_of_and_longer_ones_fail() {
        assert_eq!(weight("a.rs", 500), None);
        assert_eq!(weight("a.rs", 501), Some(Weight::Warning));
        assert_eq!(weight("a.rs", 600), Some(Weight::Warning));
        assert_eq!(weight("a.rs", 601), Some(Weight::Error));
    }

    #[test]
    fn data_may_be_long() {
        assert_eq!(weight("cases/unified.json", 9000), None);
        assert_eq!(weight("Cargo.lock", 9000), None);
    }
}
