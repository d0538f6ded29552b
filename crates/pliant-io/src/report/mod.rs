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

use crate::files::{self, Existing, FileError};
use crate::results::Error;
use std::path::Path;

/// The page of one or several runs, by their folders; the first is drawn in full, the others as
/// ghosts.
pub fn of_runs<P: AsRef<Path>>(folders: &[P]) -> Result<String, Error> {
    let mut pack = pack::Pack::default();
    let mut runs = Vec::new();
    for (folder, name) in folders.iter().zip(run::names_of(folders)) {
        runs.push(run::read(folder.as_ref(), &name, folders.len(), &mut pack)?);
    }
    Ok(page::fill("run", &serde_json::json!({ "runs": runs }), &pack))
}

/// The page of the modes of an arm.
pub fn of_modes(report: &ModesReport<'_>) -> String {
    let mut pack = pack::Pack::default();
    let told = modes::tell(report, &mut pack);
    page::fill("modes", &told, &pack)
}

/// Writes a page, whole or not at all.
pub fn write(path: impl AsRef<Path>, existing: Existing, page: &str) -> Result<(), FileError> {
    files::write(path, existing, page.as_bytes())
}
