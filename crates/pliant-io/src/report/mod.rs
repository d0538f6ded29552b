//! A run, a study, or the modes of an arm, as one page that opens from disk.
//!
//! ```no_run
//! let page = pliant_io::report::of_runs(&["swing-run"])?;
//! pliant_io::report::write("report.html", pliant_io::files::Existing::Refuse, &page)?;
//! # Ok::<(), pliant_io::results::Error>(())
//! ```
//!
//! The pages themselves are made from the project in `web/` and lie in `assets`; here they are filled:
//! `report.html` of runs and modes, and `study.html`, which needs no arm in 3-D and is small. What is to be told is JSON, and long rows of numbers are sixteen bits each, with a scale
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
mod study;
mod words;

pub use modes::{ModeLine, ModesReport};

use crate::files::{Existing, FileError};
use crate::results::{Error, Reader};
use crate::study::{JournalError, Study, StudySummary, StudyTableReader};
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
    let told = serde_json::json!({ "runs": runs });
    Ok(page::fill(page::RUN, "run", &told, &pack, &identities))
}

/// The page of a study that has ended, by its folder. With links, which a page in that folder may
/// have, it leads to the pages of single runs below it ([`single_run`](crate::study::single_run)).
///
/// Of a long table it has an even choice of rows, and takes as much memory as for a short one.
pub fn of_study(
    study: &Study,
    folder: impl AsRef<Path>,
    links: bool,
) -> Result<String, JournalError> {
    let folder = folder.as_ref();
    let table = StudyTableReader::of_study(study, folder)?;
    let summary = StudySummary::in_folder(study, folder, &table)?;
    let mut pack = pack::Pack::default();
    let told = study::tell(study, (folder, links), (&table, &summary), &mut pack)?;
    Ok(page::fill(page::STUDY, "study", &told, &pack, &[Some(&study.identity())]))
}

/// The single runs of a study that have a page below its folder, to which a page in that leads.
pub fn single_pages(study: &Study, folder: impl AsRef<Path>) -> Result<Vec<u64>, JournalError> {
    let folder = folder.as_ref();
    let tried = if study.optimisation().is_some() {
        let trials = study.trials(&StudyTableReader::of_study(study, folder)?)?;
        trials.into_iter().flatten().map(|trial| trial.point).collect()
    } else {
        Vec::new()
    };
    Ok(study::pages(study, folder, &tried))
}

/// Whether a file is a page of this study that nobody has changed since, so that it can be made again.
pub fn is_of_study(path: impl AsRef<Path>, study: &Study) -> bool {
    page::is_of(&read_page(path.as_ref()), &[Some(&study.identity())])
}

/// Whether a file is a page of these very runs that nobody has changed since, so that it can be made
/// again.
pub fn is_of_runs<P: AsRef<Path>>(path: impl AsRef<Path>, folders: &[P]) -> bool {
    let page = read_page(path.as_ref());
    if page.is_empty() {
        return false;
    }
    let readers: Result<Vec<_>, _> = folders.iter().map(Reader::open).collect();
    let Ok(readers) = readers else { return false };
    page::is_of(&page, &readers.iter().map(Reader::identity).collect::<Vec<_>>())
}

/// The bytes of a file that may be a page; else nothing.
fn read_page(path: &Path) -> Vec<u8> {
    let is_page = std::fs::symlink_metadata(path)
        .is_ok_and(|about| about.is_file() && about.len() <= LARGEST_PAGE);
    if is_page { std::fs::read(path).unwrap_or_default() } else { Vec::new() }
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
    page::fill(page::RUN, "modes", &told, &pack, &[None])
}

/// Writes a page, whole or not at all.
pub fn write(path: impl AsRef<Path>, existing: Existing, page: &str) -> Result<(), FileError> {
    existing.write(path, page.as_bytes())
}
