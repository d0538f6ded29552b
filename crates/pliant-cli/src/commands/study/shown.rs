//! The folder of a study that is looked at.

use super::journal::{By, refused};
use crate::commands::options::not_written;
use crate::commands::report::PAGE;
use crate::output::Failure;
use pliant_io::escape::{self, Shown as _};
use pliant_io::files::{Existing, FileError};
use pliant_io::study::{JournalError, Study};
use pliant_io::{report, results};
use std::path::Path;

/// The study in the folder of its results.
pub(super) const TEXT: &str = "study.toml";

/// Whether a path leads to the folder of a study.
pub(in crate::commands) fn is_folder(path: &Path) -> bool {
    path.join(TEXT).is_file()
}

/// The study in a folder.
pub(in crate::commands) fn in_folder(folder: &Path) -> Result<Study, Failure> {
    Ok(Study::in_folder(folder)?)
}

/// Writes the page of a study into its folder, where it replaces nothing but such a page that nobody has
/// changed.
///
/// Others may do the same meanwhile, each after a single run of its own. Whoever writes last looks
/// again, so that the page that stays leads to all of these runs.
pub(in crate::commands) fn write_page(study: &Study, folder: &Path) -> Result<(), Failure> {
    let path = folder.join(PAGE);
    let led_to =
        || report::single_pages(study, folder).map_err(|error| unread(study, folder, &error));
    let write = || {
        let page = report::of_study(study, folder, true);
        let page = page.map_err(|error| unread(study, folder, &error))?;
        let existing = Existing::forced(report::is_of_study(&path, study));
        report::write(&path, existing, &page).map_err(|error| match error {
            FileError::Exists { .. } => {
                let folder = escape::shell(&folder.to_string_lossy());
                let help = format!("to replace it: pliant report {folder} --force");
                Failure::input(format!("{error}, and was changed or is another page"), help)
            }
            other => not_written(&other),
        })
    };
    settled(led_to, write)
}

/// Writes until what is to be seen has not changed meanwhile.
fn settled<T: PartialEq, E>(
    mut seen: impl FnMut() -> Result<T, E>,
    mut write: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let mut now = seen()?;
    loop {
        let before = now;
        write()?;
        now = seen()?;
        if now == before {
            return Ok(());
        }
    }
}

/// A study that cannot be shown.
pub(in crate::commands) fn unread(study: &Study, folder: &Path, error: &JournalError) -> Failure {
    let by = if study.optimisation().is_some() { By::Optimise } else { By::Sweep };
    match error {
        JournalError::Incomplete { missing, all } => {
            let shown = folder.shown();
            let message = match by {
                By::Sweep => format!(
                    "the study in {shown} has not ended: {missing} of its {all} runs are not done"
                ),
                By::Optimise => {
                    let done = all - missing;
                    format!("the study in {shown} has not ended: {done} trials are done")
                }
            };
            Failure::input(message, by.going_on(folder))
        }
        JournalError::Folder(results::Error::Damaged { .. }) => {
            let command = by.command(folder);
            Failure::input(error.to_string(), format!("remove the file; {command} makes it anew"))
        }
        other => refused(other),
    }
}

#[cfg(test)]
mod tests {
    use super::settled;
    use std::cell::Cell;

    /// Others make runs while the page is written, the last one during the second time.
    #[test]
    fn a_page_is_written_until_it_leads_to_all_runs() {
        let (runs, written) = (Cell::new(1), Cell::new(0));
        let write = || {
            written.set(written.get() + 1);
            runs.set(runs.get().max(1 + written.get()).min(3));
            Ok::<(), &str>(())
        };
        assert_eq!(settled(|| Ok(runs.get()), write), Ok(()));
        assert_eq!((runs.get(), written.get()), (3, 3));
        assert_eq!(settled(|| Ok(0), || Err("full")), Err("full"));
    }
}
