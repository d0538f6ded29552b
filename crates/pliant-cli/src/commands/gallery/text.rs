//! Entries and their rows as text.

use crate::figures::{figure, pretty, table as columns};
use crate::output::Failure;
use pliant_io::gallery::{
    self, GalleryEntry, GalleryLack, GalleryResult, GalleryRow, GalleryWarning,
};
use serde_json::json;
use std::fmt::Write as _;

/// The entries: name, document, what.
pub(super) fn list(entries: &[&GalleryEntry]) -> String {
    let mut lines = vec![["entry", "document", "place", "what"].map(str::to_owned).to_vec()];
    lines.extend(entries.iter().map(|entry| {
        let GalleryEntry { id, document, place, title, .. } = entry;
        vec![id.clone(), document.word().to_owned(), place.clone(), title.clone()]
    }));
    columns(&lines, 4)
}

/// The same as a list of objects.
pub(super) fn list_json(entries: &[&GalleryEntry]) -> Result<String, Failure> {
    let each = entries.iter().map(|entry| {
        json!({
            "id": entry.id,
            "document": entry.document.word(),
            "place": entry.place,
            "title": entry.title,
            "quick": entry.is_quick,
        })
    });
    pretty(&each.collect())
}

/// The rows of an entry, and below them the reasons.
pub(super) fn table(result: &GalleryResult) -> String {
    let mut text = format!("{}, {}: {}\n", result.document.word(), result.place, result.title);
    let mut reasons: Vec<&str> = Vec::new();
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut place = "";
    for row in &result.rows {
        if row.place != place {
            if !lines.is_empty() {
                text.push_str(&columns(&lines, 2));
            }
            place = &row.place;
            let _ = write!(text, "\n{place}\n");
            let head = ["quantity", "unit", "printed", "ours", "difference", "verdict", "why"];
            lines = vec![head.map(str::to_owned).to_vec()];
        }
        let why = row.why.as_deref().map_or(String::new(), |why| {
            let known = reasons.iter().position(|one| *one == why);
            let at = known.unwrap_or_else(|| {
                reasons.push(why);
                reasons.len() - 1
            });
            format!("[{}]", at + 1)
        });
        lines.push(line(row, why));
    }
    text.push_str(&columns(&lines, 2));
    if !reasons.is_empty() {
        text.push('\n');
    }
    for (k, why) in reasons.iter().enumerate() {
        let _ = writeln!(text, "  [{}] {why}", k + 1);
    }
    if !result.warnings.is_empty() {
        text.push_str("\npliant warns:\n");
    }
    for GalleryWarning { text: words, rows } in &result.warnings {
        let _ = writeln!(text, "  {words} ({})", rows.join("; "));
    }
    let _ = write!(text, "\n{}\n", tally(&result.rows));
    text
}

fn line(row: &GalleryRow, why: String) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| figure(value, 0.0));
    let part = row.relative_difference.map_or("-".to_owned(), percent);
    let [quantity, unit] = [&row.quantity, &row.unit].map(Clone::clone);
    let (printed, ours) = (number(row.printed), number(row.ours));
    vec![quantity, unit, printed, ours, part, row.verdict.word().to_owned(), why]
}

/// A part of one.
fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    if percent.abs() < 10.0 { format!("{percent:+.2} %") } else { format!("{percent:+.0} %") }
}

/// How many rows have each verdict.
fn tally<'a>(rows: impl IntoIterator<Item = &'a GalleryRow>) -> String {
    let rows: Vec<&GalleryRow> = rows.into_iter().collect();
    let each = gallery::tally(rows.iter().copied());
    let each = each.iter().map(|(_, word, count)| gallery::counted(*count, word));
    let printed = rows.iter().filter(|row| row.printed.is_some()).count();
    let all: Vec<String> = each.collect();
    format!("{} rows, {printed} with a printed number: {}", rows.len(), all.join(", "))
}

/// How many rows of each entry are of each kind, how many there are in all, and what is missing.
pub(super) fn summary(results: &[GalleryResult], lacks: &[GalleryLack]) -> String {
    let rows = || results.iter().flat_map(|result| &result.rows);
    let kinds: Vec<&str> = gallery::tally(rows()).into_iter().map(|(_, word, _)| word).collect();
    let head = ["entry", "document", "rows"].into_iter().chain(kinds.iter().copied());
    let mut lines = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    for result in results {
        let counts = gallery::tally(&result.rows);
        let count = |kind: &&str| {
            let found = counts.iter().find(|(_, word, _)| word == kind);
            found.map_or("-".to_owned(), |(.., count)| count.to_string())
        };
        let mut line = vec![result.id.clone(), result.document.word().to_owned()];
        line.push(result.rows.len().to_string());
        line.extend(kinds.iter().map(count));
        lines.push(line);
    }
    let mut text = format!("{}\n{}\n", columns(&lines, 2), tally(rows()));
    let warned = results.iter().filter(|result| !result.warnings.is_empty());
    let warned: Vec<&str> = warned.map(|result| result.id.as_str()).collect();
    if !warned.is_empty() {
        let _ = writeln!(text, "runs warned in: {}", warned.join(", "));
    }
    if !lacks.is_empty() {
        let names: Vec<&str> = lacks.iter().map(|lack| lack.id.as_str()).collect();
        let _ = writeln!(text, "not computed: {}", names.join(", "));
    }
    text
}
