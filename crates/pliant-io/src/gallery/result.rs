//! What entries give: their rows, as they are counted and as `gallery.json` has them.

use super::{GalleryDocument, GalleryVerdict};
use crate::escape;
use serde::Serialize;

/// A number of a document, and ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GalleryRow {
    /// The name of its entry.
    pub id: String,
    /// The document.
    pub document: GalleryDocument,
    /// Where in the document.
    pub place: String,
    /// What it is, unique at its place of the entry.
    pub quantity: String,
    /// Its unit; `1` for ratios and counts.
    pub unit: String,
    /// What the document prints.
    pub printed: Option<f64>,
    /// How many decimals it prints; none of a number that is made of printed ones.
    #[serde(skip)]
    pub decimals: Option<usize>,
    /// What is computed; none where the motion breaks down.
    pub ours: Option<f64>,
    /// Ours less printed, as part of the size of printed; none where that is zero.
    pub relative_difference: Option<f64>,
    /// What becomes of it.
    pub verdict: GalleryVerdict,
    /// Why it is not the printed one, where it is not; of a claim what is to be made of it.
    pub why: Option<String>,
}

/// A table of a document, as it is laid out there.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryTable {
    /// Where in the document.
    pub place: String,
    /// What it is computed from, in the folder of the entry.
    pub scenario: Option<String>,
    /// What changes from row to row, with units.
    pub variables: Vec<String>,
    /// The quantities, with units.
    pub columns: Vec<(String, String)>,
    /// Each row: its name, if it has one of its own, the values of its variables, and for each column
    /// which of all rows of the entry it is.
    pub lines: Vec<GalleryLine>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryLine {
    /// By which checks and figures call it, unique in its entry.
    pub id: Option<String>,
    /// Its name, if it has one beside its variables.
    pub name: Option<String>,
    /// The values of the variables.
    pub values: Vec<String>,
    /// For each column the number of its [`GalleryRow`].
    pub cells: Vec<usize>,
}

/// A row that is a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GalleryClaim {
    /// Its number among all rows of the entry.
    pub row: usize,
    /// Where it holds: `< 0.001`.
    pub bound: String,
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryFigure {
    /// Where in the document.
    pub place: String,
    /// What it shows.
    pub title: String,
    /// Along the x axis.
    pub x: GalleryAxis,
    /// Plots above one another.
    pub panels: Vec<GalleryPanel>,
    /// What it is computed from.
    pub source: String,
}

/// An axis of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GalleryAxis {
    /// What it is.
    pub label: String,
    /// In which unit.
    pub unit: String,
    /// Whether it is logarithmic.
    pub is_log: bool,
}

/// A plot of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryPanel {
    /// Along the y axis.
    pub y: GalleryAxis,
    /// What it shows.
    pub curves: Vec<GalleryCurve>,
}

/// A curve of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryCurve {
    /// What it is called; may be empty.
    pub name: String,
    /// Along the x axis.
    pub x: Vec<f64>,
    /// Along the y axis.
    pub y: Vec<f64>,
    /// Whether each value holds until the next.
    pub is_held: bool,
    /// Whether it shows what is printed.
    pub is_printed: bool,
}

/// What an entry gave.
#[derive(Clone, Debug, PartialEq)]
pub struct GalleryResult {
    /// The name of the entry.
    pub id: String,
    /// The document.
    pub document: GalleryDocument,
    /// Where in the document.
    pub place: String,
    /// What it is, in one line.
    pub title: String,
    /// What it shows, paragraph by paragraph.
    pub about: Vec<String>,
    /// Its numbers: those of the tables, then the claims.
    pub rows: Vec<GalleryRow>,
    /// The tables.
    pub tables: Vec<GalleryTable>,
    /// Which of the rows are claims.
    pub claims: Vec<GalleryClaim>,
    /// The figures.
    pub figures: Vec<GalleryFigure>,
    /// What its runs warned of.
    pub warnings: Vec<GalleryWarning>,
    /// Its own file, its scenarios and their arms: names and texts.
    pub files: Vec<(String, String)>,
}

/// What some runs of an entry warned of: each kind of warning once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GalleryWarning {
    /// What, in the words of the first run that did.
    pub text: String,
    /// Where it was told: for each table, which of its rows.
    pub rows: Vec<String>,
}

/// An entry that was not computed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GalleryLack {
    /// The name of the entry.
    pub id: String,
    /// The document, if the entry tells it.
    pub document: Option<GalleryDocument>,
    /// Where in the document.
    pub place: String,
    /// What it is, in one line.
    pub title: String,
    /// Why there are no numbers of it.
    pub why: String,
}

/// How many rows there are of each kind: of each verdict those that are printed somewhere or nowhere, and
/// apart the claims about numbers of which nothing is printed.
pub fn tally<'a>(
    rows: impl IntoIterator<Item = &'a GalleryRow>,
) -> Vec<(GalleryVerdict, &'static str, usize)> {
    let claims = [
        (GalleryVerdict::Reproduced, "claims that hold"),
        (GalleryVerdict::Differs, "claims that do not hold"),
    ];
    let words = GalleryVerdict::ALL.map(|verdict| (verdict, verdict.word()));
    let mut counts: Vec<_> =
        words.into_iter().chain(claims).map(|(verdict, word)| (verdict, word, 0)).collect();
    for row in rows {
        let claim = claims.iter().find(|(verdict, _)| *verdict == row.verdict);
        let word = match claim {
            Some((_, word)) if row.printed.is_none() => *word,
            _ => row.verdict.word(),
        };
        for (_, own, count) in &mut counts {
            *count += usize::from(*own == word);
        }
    }
    counts.retain(|(_, _, count)| *count > 0);
    counts
}

/// A number of rows of a kind that [`tally`] counts, in words: `1 claim that holds`.
pub fn counted(count: usize, kind: &str) -> String {
    match (count, kind) {
        (1, "claims that hold") => "1 claim that holds".to_owned(),
        (1, "claims that do not hold") => "1 claim that does not hold".to_owned(),
        _ => format!("{count} {kind}"),
    }
}

/// All rows as `gallery.json` has them: a list of objects, one a line.
pub fn json<'a>(results: impl IntoIterator<Item = &'a GalleryResult>) -> String {
    let rows = results.into_iter().flat_map(|result| &result.rows);
    // a row has texts and finite numbers alone
    let lines: Vec<String> =
        rows.map(|row| serde_json::to_string(row).unwrap_or_default()).collect();
    escape::json(&format!("[\n{}\n]", lines.join(",\n"))) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(verdict: GalleryVerdict, printed: Option<f64>) -> GalleryRow {
        GalleryRow {
            id: String::new(),
            document: GalleryDocument::King,
            place: String::new(),
            quantity: String::new(),
            unit: String::new(),
            printed,
            decimals: None,
            ours: None,
            relative_difference: None,
            verdict,
            why: None,
        }
    }

    /// Claims about numbers of which nothing is printed are no reproduced numbers; whatever there is
    /// none of is not told.
    #[test]
    fn rows_are_counted_by_verdict_and_claims_apart() {
        use GalleryVerdict::{Beyond, Differs, NoPrintedNumber, NotReproducible, Reproduced};
        let of = |rows: &[(GalleryVerdict, Option<f64>, usize)]| -> Vec<(&str, usize)> {
            let rows: Vec<GalleryRow> = rows
                .iter()
                .flat_map(|&(verdict, printed, count)| vec![row(verdict, printed); count])
                .collect();
            tally(&rows).into_iter().map(|(_, word, count)| (word, count)).collect()
        };
        assert_eq!(of(&[]), []);
        let all = [
            (Differs, None, 1),
            (Beyond, None, 7),
            (Reproduced, None, 2),
            (NotReproducible, Some(1.0), 5),
            (Reproduced, Some(1.0), 3),
            (NoPrintedNumber, None, 6),
            (Differs, Some(1.0), 4),
        ];
        let told = [
            ("reproduced", 3),
            ("differs", 4),
            ("not reproducible", 5),
            ("no printed number", 6),
            ("beyond", 7),
            ("claims that hold", 2),
            ("claims that do not hold", 1),
        ];
        assert_eq!(of(&all), told);
        assert_eq!(of(&all[2..3]), [("claims that hold", 2)]);
        let words = [counted(1, "claims that hold"), counted(2, "claims that hold")];
        assert_eq!(words, ["1 claim that holds", "2 claims that hold"]);
        assert_eq!(counted(1, "claims that do not hold"), "1 claim that does not hold");
        assert_eq!(counted(1, "differs"), "1 differs");
        // the colour of a claim is that of its verdict
        let found = tally(&[row(Differs, None)]);
        assert_eq!(found, [(Differs, "claims that do not hold", 1)]);
    }
}
