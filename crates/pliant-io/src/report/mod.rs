//! A run, or the modes of an arm, as one page that opens from disk.
//!
//! ```no_run
//! let page = pliant_io::report::of_runs(&["swing-run"])?;
//! pliant_io::report::write("report.html", pliant_io::files::Existing::Refuse, &page)?;
//! # Ok::<(), pliant_io::results::Error>(())
//! ```
//!
//! The page itself is made from the project in `web/` and lies in `assets/report.html`; here it is
//! filled. What is to be told is JSON, and long rows of numbers are sixteen bits each, with a scale
//! of their own: a page is for looking, and all digits are in the results.
//!
//! The arm is not drawn here. The page gets, for every link and every instant, the pose of the link
//! on its parent and how far points along it are displaced and turned by bending, and puts the
//! chain together itself. It can then show bending larger than it is, and what hangs on a link goes
//! along.

mod chain;
mod errors;
mod frequencies;
mod modes;
mod motion;
mod pack;
mod page;
mod picture;
mod run;
mod words;

pub use modes::{ModeLine, ModesReport};

use crate::files::{Existing, FileError};
use crate::results::{Error, Reader};
use std::io::Read as _;
use std::path::Path;

/// The page of one or several runs, by their folders; the first is drawn in full, the others as
/// ghosts.
pub fn of_runs<P: AsRef<Path>>(folders: &[P]) -> Result<String, Error> {
    let mut pack = pack::Pack::default();
    let (mut runs, mut readers) = (Vec::new(), Vec::new());
    for (folder, name) in folders.iter().zip(run::names_of(folders)) {
        let (folder, reader) = (folder.as_ref(), Reader::open(folder)?);
        runs.push(run::read(folder, &reader, &name, folders.len(), &mut pack)?);
        readers.push(reader);
    }
    let identities: Vec<_> = readers.iter().map(Reader::identity).collect();
    Ok(page::fill("run", &serde_json::json!({ "runs": runs }), &pack, &identities))
}

/// Whether a file is a page of these very runs that nobody has changed since, so that it can be made
/// again.
pub fn is_of_runs<P: AsRef<Path>>(path: impl AsRef<Path>, folders: &[P]) -> bool {
    let path = path.as_ref();
    let is_page = std::fs::symlink_metadata(path)
        .is_ok_and(|about| about.is_file() && about.len() <= LARGEST_PAGE);
    let page = if is_page { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
    if page.is_empty() {
        return false;
    }
    let readers: Result<Vec<_>, _> = folders.iter().map(Reader::open).collect();
    let Ok(readers) = readers else { return false };
    page::is_of(&page, &readers.iter().map(Reader::identity).collect::<Vec<_>>())
}

/// Whether what stands in a file begins like a page, or there is nothing in it.
pub fn is_page(path: impl AsRef<Path>) -> std::io::Result<bool> {
    let mut start = Vec::new();
    std::fs::File::open(path)?.take(256).read_to_end(&mut start)?;
    let start = String::from_utf8_lossy(&start).to_ascii_lowercase();
    let start = start.trim_start_matches('\u{feff}').trim_start();
    Ok(start.is_empty() || ["<!doctype html", "<html"].iter().any(|one| start.starts_with(one)))
}

/// A longer file is no page (bytes).
const LARGEST_PAGE: u64 = 256 << 20;

/// The page of the modes of an arm.
pub fn of_modes(report: &ModesReport<'_>) -> String {
    let mut pack = pack::Pack::default();
    let told = modes::tell(report, &mut pack);
    page::fill("modes", &told, &pack, &[None])
}

/// Writes a page, whole or not at all.
pub fn write(path: impl AsRef<Path>, existing: Existing, page: &str) -> Result<(), FileError> {
    existing.write(path, page.as_bytes())
}
