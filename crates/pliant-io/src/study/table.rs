//! The table of a study that has ended.

use super::Study;
use super::chunk::check_study;
use super::disk::{TABLE, TEXT};
use super::error::JournalError;
use super::folder::done_in;
use super::sheet::{Cells, ColumnRole, Opened, StudyColumn};
use std::fs::File;
use std::path::Path;

/// The table of a study that has ended, read column by column.
pub struct StudyTableReader {
    opened: Opened<File>,
}

impl StudyTableReader {
    /// Opens `table.parquet`, or the folder that it is in, after a look at every byte.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let file = if path.is_dir() { path.join(TABLE) } else { path.to_owned() };
        Opened::open(&file).map(|opened| Self { opened })
    }

    /// Opens the table of a study in its folder; one that has not ended, one of another study and one of
    /// another version of pliant is refused.
    pub fn of_study(study: &Study, folder: impl AsRef<Path>) -> Result<Self, JournalError> {
        let (folder, file) = (folder.as_ref(), folder.as_ref().join(TABLE));
        if !file.exists() && folder.join(TEXT).is_file() {
            let (all, done) = (study.count(), done_in(folder)?);
            return Err(JournalError::Incomplete { missing: all.saturating_sub(done), all });
        }
        let opened = Opened::open(&file)?;
        check_study(study, &file, &opened, &study.columns())?;
        Ok(Self { opened })
    }

    /// What messages call it.
    pub(super) fn name(&self) -> &Path {
        &self.opened.name
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.opened.rows
    }

    /// Its columns.
    pub fn columns(&self) -> &[StudyColumn] {
        &self.opened.columns
    }

    /// The text of the study, with its scenario and arm inside.
    pub fn study(&self) -> &str {
        self.opened.entry(super::merge::TEXT)
    }

    /// The numbers of a column by name; none for texts, and where there is no such column.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, JournalError> {
        let is_wanted = |column: &StudyColumn| {
            let is_number = matches!(column.role, ColumnRole::Parameter | ColumnRole::Figure);
            is_number && column.name == name
        };
        let found = self.columns().iter().position(is_wanted);
        found.map(|column| self.opened.numbers(column)).transpose()
    }

    /// The texts of a column by name; none for numbers, and where there is no such column.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, JournalError> {
        let is_wanted = |column: &StudyColumn| {
            matches!(column.role, ColumnRole::Choice | ColumnRole::Words) && column.name == name
        };
        if !self.columns().iter().any(is_wanted) {
            return Ok(None);
        }
        let mut all = Vec::new();
        self.each_group(&is_wanted, |columns| {
            for cells in columns {
                if let Cells::Texts(mut texts) = cells {
                    all.append(&mut texts);
                }
            }
            Ok::<(), JournalError>(())
        })?;
        Ok(Some(all))
    }

    /// Hands over the rows group by group, each as its columns.
    pub(super) fn each_group<E: From<JournalError>>(
        &self,
        wanted: &dyn Fn(&StudyColumn) -> bool,
        mut take: impl FnMut(Vec<Cells>) -> Result<(), E>,
    ) -> Result<(), E> {
        for group in 0..self.opened.groups() {
            let mut columns = Vec::new();
            for (index, column) in self.columns().iter().enumerate().filter(|(_, one)| wanted(one))
            {
                let mut cells = column.role.empty();
                self.opened.read(group, index, &mut cells)?;
                columns.push(cells);
            }
            take(columns)?;
        }
        Ok(())
    }
}
