//! How long the whole test command may take, as CONTRIBUTING.md says.

use crate::repo;
use std::fs;

/// The line above the table.
const MARK: &str = "<!-- budget -->";

/// The seconds that are allowed today.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Budget(u32);

impl Budget {
    /// A total beside what is allowed. Machines differ, so nothing fails by it.
    pub(crate) fn judge(&self, total: f64) -> String {
        let allowed = self.0;
        let word = if total <= f64::from(allowed) { "within" } else { "over" };
        format!(
            "{total:.0} s are {word} the budget of {allowed} s (CONTRIBUTING.md, on 2 quiet cores)"
        )
    }
}

/// What CONTRIBUTING.md allows.
pub(crate) fn read() -> Result<Budget, String> {
    let text = fs::read_to_string(repo::root().join("CONTRIBUTING.md"));
    parse(&text.map_err(|why| format!("CONTRIBUTING.md cannot be read: {why}"))?)
}

/// The sum of the seconds in the rows of the marked table whose work is there.
fn parse(markdown: &str) -> Result<Budget, String> {
    let rows = markdown.lines().map(str::trim).skip_while(|line| *line != MARK).skip(1);
    let rows = rows.skip_while(|line| line.is_empty()).take_while(|line| line.starts_with('|'));
    let mut total = None;
    for row in rows.skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let seconds =
            cells.get(1).and_then(|cell| cell.trim_start_matches('+').parse::<u32>().ok());
        match (seconds, cells.get(2)) {
            (Some(seconds), Some(&"yes")) => total = Some(total.unwrap_or(0) + seconds),
            (Some(_), Some(&"no")) => {}
            _ => {
                return Err(format!(
                    "CONTRIBUTING.md: `{row}` is no row of the budget: work, seconds, yes or no"
                ));
            }
        }
    }
    total.map(Budget).ok_or_else(|| format!("CONTRIBUTING.md has no budget below {MARK}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_there_add_up() {
        let table = "a\n<!-- budget -->\n\n| work | seconds | there |\n|---|---|---|\n\
                     | base | 600 | yes |\n| records | +10 | yes |\n| later | +45 | no |\n\n| x | y |\n";
        let budget = parse(table).unwrap();
        assert_eq!(budget, Budget(610));
        assert!(budget.judge(610.0).contains("within") && budget.judge(611.0).contains("over"));
        assert!(parse("| base | 600 | yes |").is_err());
        assert!(parse(&table.replace("+45 | no", "some | no")).is_err());
    }

    #[test]
    fn the_present_budget_can_be_read() {
        assert!(read().unwrap().0 >= 600);
    }
}
