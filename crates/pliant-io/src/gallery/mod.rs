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
mod page_entry;
mod page_table;
mod page_text;
mod played;
mod quantities;
mod read;
mod result;
mod run;
mod solution;
mod vibrations;
mod warned;

pub use page::{GalleryPages, INDEX, pages, stale};
pub use result::{
    GalleryAxis, GalleryClaim, GalleryCurve, GalleryFigure, GalleryLack, GalleryLine, GalleryPanel,
    GalleryResult, GalleryRow, GalleryTable, GalleryWarning, counted, json, tally,
};
pub use run::GalleryStep;

use crate::codes;
use crate::load::read_source;
use crate::nearest::nearest;
use crate::node::Node;
use crate::problem::{Problem, Report};
use crate::scenario::LONGEST;
use crate::shapes::Words as _;
use crate::source::Source;
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

    /// Short names of all of them, one each, in the order of the pages.
    pub const NAMES: [&str; 6] =
        ["king", "korayem", "akmehmet", "manipulators", "theodore", "beyond"];

    /// Whether it is called so: by its word, its page, or its short name, in letters of any case.
    fn is_called(self, name: &str) -> bool {
        let short = Self::ALL.into_iter().zip(Self::NAMES).find(|(own, _)| *own == self);
        let names = [Some(self.word()), Some(self.slug()), short.map(|(_, name)| name)];
        names.into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
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
    /// It is not, and no reading of the document gives it.
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

    /// That it is not computed, and why.
    pub fn lack(&self, why: &str) -> GalleryLack {
        let (id, document) = (self.id.clone(), self.document);
        let (place, title) = (self.place.clone(), self.title.clone());
        let document = Some(document);
        GalleryLack { id, document, place, title, why: why.to_owned() }
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
    /// Entries of a folder that cannot be read, and what is wrong with each.
    pub unread: Vec<(GalleryLack, Report)>,
}

impl Gallery {
    /// The entries of pliant.
    pub fn embedded() -> Result<Self, Report> {
        let entries = embedded::ENTRIES.iter();
        let read = entries.map(|(id, files)| read::read(id, Files::Embedded(files)));
        Ok(Self::of(read.collect::<Result<_, _>>()?, Vec::new()))
    }

    /// The entries of a folder: each of its folders with an `entry.toml`, or the folder itself. Those that
    /// cannot be read do not hide the others; where none can be, that is an error.
    pub fn in_folder(folder: &Path) -> Result<Self, Report> {
        let (mut entries, mut unread) = (Vec::new(), Vec::new());
        for folder in files::folders(folder)? {
            let id = folder_name(&folder);
            match read::read(&id, Files::Folder(folder.clone())) {
                Ok(entry) => entries.push(entry),
                Err(fault) => unread.push((unread_lack(id, &folder, &fault), fault)),
            }
        }
        if entries.is_empty()
            && let Some(faults) = unread.iter().map(|(_, fault)| fault.clone()).reduce(Report::and)
        {
            return Err(faults);
        }
        Ok(Self::of(entries, unread))
    }

    fn of(mut entries: Vec<GalleryEntry>, unread: Vec<(GalleryLack, Report)>) -> Self {
        entries.sort_by(|a, b| (a.document, &a.id).cmp(&(b.document, &b.id)));
        Self { entries, unread }
    }

    /// The entry of a name.
    pub fn entry(&self, id: &str) -> Option<&GalleryEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The entries that a name stands for: the entry of that name, or else all of the document that is
    /// called so, or else all whose names begin so; none where it is no name.
    pub fn named(&self, name: &str) -> Vec<&GalleryEntry> {
        if let Some(entry) = self.entry(name) {
            return vec![entry];
        }
        let lower = name.to_lowercase();
        let of = |is_meant: &dyn Fn(&GalleryEntry) -> bool| -> Vec<&GalleryEntry> {
            self.entries.iter().filter(|entry| is_meant(entry)).collect()
        };
        let of_document = of(&|entry| entry.document.is_called(name));
        if of_document.is_empty() && !name.is_empty() {
            return of(&|entry| entry.id.to_lowercase().starts_with(&lower));
        }
        of_document
    }

    /// The entries that cannot be read and that a name would stand for.
    pub fn unread_named(&self, name: &str) -> Vec<&(GalleryLack, Report)> {
        let of = |is_meant: &dyn Fn(&GalleryLack) -> bool| -> Vec<&(GalleryLack, Report)> {
            self.unread.iter().filter(|(lack, _)| is_meant(lack)).collect()
        };
        if self.entry(name).is_some() {
            return Vec::new();
        }
        let own = of(&|lack| lack.id == name);
        if !own.is_empty() {
            return own;
        }
        let lower = name.to_lowercase();
        of(&|lack| {
            lack.document.is_some_and(|document| document.is_called(name))
                || lack.id.to_lowercase().starts_with(&lower)
        })
    }

    /// The name of an entry or of a document that a person most likely meant.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let entries = self.entries.iter().map(|entry| entry.id.as_str());
        nearest(name, entries.chain(GalleryDocument::NAMES))
    }
}

/// What is known of an entry that cannot be read: its document and its title, if its file tells them.
fn unread_lack(id: String, folder: &Path, fault: &Report) -> GalleryLack {
    let source = read_source(folder.join(ENTRY), LONGEST).ok();
    let root = source.and_then(|source| crate::toml_text::read(&source).ok());
    let text = |key: &str| match root.as_ref()?.entry(key).map(|entry| &entry.node.value) {
        Some(crate::node::Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let word = text("document");
    let document =
        GalleryDocument::ALL.into_iter().find(|document| word.as_deref() == Some(document.word()));
    let title = text("title").unwrap_or_else(|| id.clone());
    let place = text("place").unwrap_or_default();
    GalleryLack { id, document, place, title, why: fault.to_string() }
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
