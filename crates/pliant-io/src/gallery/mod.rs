//! The gallery: what documents print, beside what is computed here.
//!
//! ```no_run
//! use pliant_io::gallery::{Gallery, GalleryVerdict};
//! use std::ops::ControlFlow;
//!
//! let gallery = Gallery::embedded()?;
//! let entry = gallery.entry("akmehmet-5-3-feedback").ok_or("no such entry")?;
//! let found = entry.run(2, &mut |_| ControlFlow::Continue(()))?.ok_or("interrupted")?;
//! assert!(found.rows.iter().any(|row| row.verdict == GalleryVerdict::Reproduced));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An entry is a folder with its arms, its scenarios and `entry.toml`, which says what a document
//! prints, where, and by what the same is computed: a table has a run of a scenario for each of its
//! rows, and what is taken of the run for each of its columns. No entry holds a computed number.
//! Verdicts follow from the numbers and the tolerance of their column.

mod comparison;
mod embedded;
mod entry;
mod evaluate;
mod examine;
mod file;
mod files;
mod integral;
mod known;
mod measure;
mod model;
mod model_file;
mod page;
mod page_table;
mod page_text;
mod played;
mod quantities;
mod read;
mod run;
mod solution;
mod vibrations;

pub use page::{GalleryPages, INDEX, pages};
pub use run::GalleryStep;

use crate::load::read_source;
use crate::nearest::nearest;
use crate::node::Node;
use crate::problem::{Problem, Report};
use crate::scenario::LONGEST;
use crate::shapes::Words as _;
use crate::source::Source;
use crate::{codes, escape};
use entry::{Check, Plotted, Sheet};
pub(crate) use file::EntryTable;
pub use files::ENTRY;
use files::Files;
use serde::{Serialize, Serializer};
use std::path::Path;

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GalleryDocument {
    /// King's thesis (000).
    King,
    /// Korayem and Shafei (001).
    KorayemShafei,
    /// Akmehmet's thesis (002).
    Akmehmet,
    /// The description of flexible manipulators (003).
    Manipulators,
    /// Theodore and Ghosal (004).
    TheodoreGhosal,
    /// What none of them has.
    Beyond,
}

impl GalleryDocument {
    /// All of them, in the order of the pages.
    pub const ALL: [Self; 6] = [
        Self::King,
        Self::KorayemShafei,
        Self::Akmehmet,
        Self::Manipulators,
        Self::TheodoreGhosal,
        Self::Beyond,
    ];

    /// As files and `gallery.json` have it.
    pub fn word(self) -> &'static str {
        self.in_a_word()
    }
}

impl Serialize for GalleryDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

/// What becomes of a number that a document prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GalleryVerdict {
    /// Ours is within the tolerance; of a claim, that it holds.
    Reproduced,
    /// It is not.
    Differs,
    /// No reading of the document gives it.
    NotReproducible,
    /// The document prints none, or its figure is lost.
    NoPrintedNumber,
    /// No document has it.
    Beyond,
}

impl GalleryVerdict {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Reproduced,
        Self::Differs,
        Self::NotReproducible,
        Self::NoPrintedNumber,
        Self::Beyond,
    ];

    /// As `gallery.json` has it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::NotReproducible => "not reproducible",
            Self::NoPrintedNumber => "no printed number",
            Self::Beyond => "beyond",
        }
    }
}

impl Serialize for GalleryVerdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

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
}

/// An entry, read and checked.
pub struct GalleryEntry {
    /// The name of its folder.
    pub id: String,
    /// The document.
    pub document: GalleryDocument,
    /// Where in the document.
    pub place: String,
    /// What it is, in one line.
    pub title: String,
    /// What it shows, paragraph by paragraph.
    pub about: Vec<String>,
    /// Whether it takes seconds and stands for its document where time is short.
    pub is_quick: bool,
    files: Files,
    source: Source,
    sheets: Vec<Sheet>,
    checks: Vec<Check>,
    plotted: Vec<Plotted>,
}

/// Whether a file is an entry, by its keys.
pub fn is_entry(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    // what comes through a pipe can be read only once
    let source = (path != Path::new("-")).then(|| read_source(path, LONGEST).ok()).flatten();
    let root = source.and_then(|source| crate::toml_text::read(&source).ok());
    root.is_some_and(|root| is_entry_tree(&root))
}

pub(crate) fn is_entry_tree(root: &Node) -> bool {
    let has = |key: &str| root.entry(key).is_some();
    has("document") && !["link", "arm", "duration", "scenario"].into_iter().any(has)
}

impl GalleryEntry {
    /// An entry from its file, called after its folder.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Report> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&folder_name(folder), read_source(path, LONGEST)?, folder)
    }

    /// An entry from its text; its scenarios are looked for in the folder.
    pub fn parse(id: &str, source: Source, folder: &Path) -> Result<Self, Report> {
        read::parse(id, source, Files::Folder(folder.to_owned()))
    }

    /// The files of the entry, by name.
    pub fn files(&self) -> Result<Vec<(String, String)>, Report> {
        self.files.all()
    }

    /// How much there is in it, in words.
    pub fn extent(&self) -> String {
        let cells =
            || self.sheets.iter().flat_map(|sheet| &sheet.lines).flat_map(|line| &line.cells);
        let printed = cells().filter(|cell| cell.printed.is_some()).count();
        let many = |count: usize, what: &str| {
            let s = if count == 1 { "" } else { "s" };
            format!("{count} {what}{s}")
        };
        let parts = [
            many(self.sheets.len(), "table"),
            many(self.count(), "row"),
            format!("{} ({printed} printed)", many(cells().count(), "number")),
            many(self.checks.len(), "claim"),
            many(self.plotted.len(), "figure"),
        ];
        parts.join(", ")
    }

    /// How many runs and other computations it takes.
    pub fn count(&self) -> usize {
        self.sheets.iter().map(|sheet| sheet.lines.len()).sum()
    }
}

/// Entries by name.
pub struct Gallery {
    /// Document by document, each in the order of names.
    pub entries: Vec<GalleryEntry>,
}

impl Gallery {
    /// The entries of pliant.
    pub fn embedded() -> Result<Self, Report> {
        let entries = embedded::ENTRIES.iter();
        Self::of(entries.map(|(id, files)| read::read(id, Files::Embedded(files))))
    }

    /// The entries of a folder: each of its folders with an `entry.toml`, or the folder itself.
    pub fn in_folder(folder: &Path) -> Result<Self, Report> {
        let found = files::folders(folder)?;
        let read = |folder: std::path::PathBuf| {
            let name = folder_name(&folder);
            read::read(&name, Files::Folder(folder))
        };
        Self::of(found.into_iter().map(read))
    }

    fn of(entries: impl Iterator<Item = Result<GalleryEntry, Report>>) -> Result<Self, Report> {
        let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by(|a, b| (a.document, &a.id).cmp(&(b.document, &b.id)));
        Ok(Self { entries })
    }

    /// The entry of a name.
    pub fn entry(&self, id: &str) -> Option<&GalleryEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The entry that a person most likely meant.
    pub fn nearest(&self, id: &str) -> Option<&str> {
        nearest(id, self.entries.iter().map(|entry| entry.id.as_str()))
    }
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

/// All rows as `gallery.json` has them: a list of objects, one a line.
pub fn json<'a>(results: impl IntoIterator<Item = &'a GalleryResult>) -> String {
    let rows = results.into_iter().flat_map(|result| &result.rows);
    // a row has texts and finite numbers alone
    let lines: Vec<String> =
        rows.map(|row| serde_json::to_string(row).unwrap_or_default()).collect();
    escape::json(&format!("[\n{}\n]", lines.join(",\n"))) + "\n"
}

/// What an entry in a folder is called.
fn folder_name(folder: &Path) -> String {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = here.canonicalize().unwrap_or_else(|_| here.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "entry".to_owned())
}

/// A problem of a file that is not there.
fn unreadable(name: &str, message: String, help: String) -> Report {
    let problem = Problem::error(&codes::UNREADABLE, message).help(help);
    Report::new(Source::new(name, ""), vec![problem])
}
