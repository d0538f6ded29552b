//! Entries of galleries, and the first rows of their tables.

use super::{Verdict, draw, refused, small};
use crate::random::hash;
use pliant_io::gallery::{Gallery, GalleryEntry, GalleryResult, json, pages};
use pliant_io::{Report, Source};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// So often it is looked how far an entry is before it is stopped: after each row, and ten times a second.
const LOOKS: usize = 3;

/// A column of each kind, and what asks for the first of them.
const COLUMNS: &str = r#"
[[table.column]]
kind = "course"
id = "last"
name = "last of time"
unit = "s"
factor = "1 + 0 * T"
expression = "t + 0 * T"
take = "most"
at = "1 ms"

[[table.column]]
kind = "figure"
name = "energy"
unit = "J"
figure = "energy_drift"

[[table.column]]
kind = "solution"
id = "root"
name = "root"
unit = "1"
equation = "x^2 - 2 - 0 * last"
from = "0"
to = "2"

[[table.column]]
kind = "formula"
id = "both"
name = "both"
unit = "1"
expression = "root / (1 + last) + T"
tolerance = 0.1

[[table.row]]
id = "one"
values = "0.01"
printed = "0.01 - 1.4142 -"
why = "none"
cell = [{ column = "root", tolerance = 0.5, why = "rounded" }]

[[table.row]]
id = "two"
name = "longer"
values = "0.02"
printed = "0.015 - 1.5 2"
not_reproducible = true
why = "made up"

[[check]]
claim = "longer takes longer"
place = "here"
value = "two.last / one.last"
more_than = 1

[[figure]]
place = "Figure 1"
title = "time"
panel = [
  { y = "time", unit = "s", curve = [{ name = "one", row = "one", y = "t + T", held = true }] },
  { y = "root", unit = "1", log = true, curve = [
    { name = "ours", column = "root", over = "T" },
    { name = "printed", column = "root", over = "T", printed = true },
  ] },
]
"#;

/// What is taken of an arm, of loops and of chains: with a scenario and without.
const OTHERS: [&str; 7] = [
    "kind = \"frequency\"\nnumber = 1\njoints = \"free\"\n",
    "kind = \"frequency\"\nnumber = 2\njoints = \"on springs\"\n",
    "kind = \"tracking\"\nof = \"largest error\"\n",
    "kind = \"spectral-radius\"\nat = \"2 ms\"\n",
    "kind = \"root\"\nof = \"poles\"\npart = \"real\"\nnumber = \"1\"\n",
    "kind = \"root\"\nof = \"zeros\"\noutputs = [\"bob\"]\npart = \"imaginary\"\n",
    "kind = \"operations\"\nof = \"inverse dynamics\"\nby = \"recursive\"\nlinks = \"2x1, 1x{T}\"\n",
];

/// Entries of the short scenarios, which stand beside them, and those of pliant, whose scenarios do not.
pub(super) fn seeds() -> Result<Vec<String>, String> {
    let head = "document = \"Beyond\"\nplace = \"Table 1\"\ntitle = \"short\"\nabout = \"One.\\n\\nTwo.\"\n";
    let mut seeds = Vec::new();
    for number in 0..small::seeds().len() {
        let table = format!("[[table]]\nscenario = \"{number}.toml\"\nvariables = [\"T [s]\"]\n");
        seeds.push(format!("{head}quick = true\n\n{table}set = [\"duration={{T}} s\"]\n{COLUMNS}"));
        let other = OTHERS[number % OTHERS.len()];
        let column =
            format!("[[table.column]]\nid = \"other\"\nname = \"other\"\nunit = \"1\"\n{other}");
        seeds.push(format!(
            "{head}\n{table}\n{column}\n[[table.row]]\nvalues = \"2\"\nprinted = \"12\"\n"
        ));
    }
    let own = Gallery::embedded().map_err(|report| report.to_string())?;
    for entry in &own.entries {
        let files = entry.files().map_err(|report| report.to_string())?;
        seeds.extend(
            files.into_iter().filter(|(name, _)| name == "entry.toml").map(|(_, text)| text),
        );
    }
    Ok(seeds)
}

fn read(text: &str, folder: &Path) -> Result<GalleryEntry, Report> {
    GalleryEntry::parse("entry", Source::new("entry.toml", text), folder)
}

/// Writes the short scenarios, which entries name, to a folder.
pub(super) fn prepare(folder: &Path) -> Result<(), String> {
    for (number, text) in small::seeds().iter().enumerate() {
        let path = folder.join(format!("{number}.toml"));
        fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    Ok(())
}

pub(super) fn run(input: &str, is_thorough: bool, scratch: &Path) -> Verdict {
    let entry = match read(input, scratch) {
        Ok(entry) => entry,
        Err(report) => return refused(&report),
    };
    let number = hash(input.as_bytes()) % 4;
    if is_thorough || number == 0 {
        match entry.examine() {
            Ok(warnings) => warnings.iter().for_each(|report| draw(report, input)),
            Err(report) => drop(refused(&report)),
        }
    }
    if is_thorough || number > 0 {
        first_rows(&entry);
    }
    Verdict::Accepted
}

/// Computes the first rows; of an entry that is over by then, pages and rows.
fn first_rows(entry: &GalleryEntry) {
    let mut looks = 0;
    let found = entry.run(1, &mut |_| {
        looks += 1;
        if looks < LOOKS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match found {
        Ok(Some(result)) => told(&result),
        Ok(None) => {}
        Err(report) => drop(refused(&report)),
    }
}

/// What is told of an entry can be read.
fn told(result: &GalleryResult) {
    let rows: Result<Vec<serde_json::Value>, _> = serde_json::from_str(&json([result]));
    assert_eq!(rows.map(|rows| rows.len()).ok(), Some(result.rows.len()), "rows are no JSON");
    for (name, page) in pages(std::slice::from_ref(result), &[], &|_| "<svg ></svg>".to_owned()) {
        let count = |tag: &str| page.matches(tag).count();
        for tag in ["table", "tr", "td", "section", "article", "figure", "sup", "div"] {
            let [open, close] = [format!("<{tag}>"), format!("</{tag}>")].map(|tag| count(&tag));
            let with = count(&format!("<{tag} "));
            assert_eq!(open + with, close, "{name} has elements {tag} that do not close");
        }
    }
}
