//! One run of a study, by its row.

use crate::commands::report::PAGE;
use crate::commands::study::{is_folder, unread, write_page};
use crate::output::Failure;
use pliant_io::report;
use pliant_io::scenario::{Overrides, Setup};
use pliant_io::study::{NoStudyRun, Study, StudyTableReader, single_run};
use std::path::{Path, PathBuf};

/// A run of a study.
pub(super) struct StudyRow {
    study: Study,
    /// Where it is told what an optimisation has tried.
    folder: Option<PathBuf>,
    row: u64,
}

/// The file of the study, and the folder of the run where no other is named.
pub(super) fn places(given: &Path, row: u64, name: &str) -> (PathBuf, PathBuf) {
    if is_folder(given) {
        (given.join("study.toml"), single_run(given, row))
    } else {
        (given.to_owned(), PathBuf::from(format!("{name}-run-{row}")))
    }
}

/// Reads the study from its file, of which the folder may have been given.
pub(super) fn open(file: &Path, given: &Path, row: u64) -> Result<StudyRow, Failure> {
    let study = Study::load(file, &[])?;
    let tried = study.optimisation().is_some() && is_folder(given);
    Ok(StudyRow { study, folder: tried.then(|| given.to_owned()), row })
}

impl StudyRow {
    /// The scenario of the run.
    pub(super) fn setup(&self, overrides: &Overrides) -> Result<Setup, Failure> {
        let table = self.folder.as_ref().map(|folder| {
            let table = StudyTableReader::of_study(&self.study, folder);
            table.map_err(|error| unread(&self.study, folder, &error))
        });
        let setup = self.study.setup(self.row, table.transpose()?.as_ref(), overrides);
        setup.map_err(|error| match error {
            NoStudyRun::Refused(report) => Failure::from(*report),
            other => Failure::of(&other, "choose another row"),
        })
    }

    /// Lets the page of the study lead to the run, if the folder of the study is given and nobody has
    /// changed its page.
    pub(super) fn link(&self, folder: &Path) -> Result<(), Failure> {
        if is_folder(folder) && report::is_of_study(folder.join(PAGE), &self.study) {
            write_page(&self.study, folder)?;
        }
        Ok(())
    }
}
