//! The table of a study as CSV.

use super::StudyTableReader;
use super::disk::CSV;
use super::error::JournalError;
use super::sheet::{Cells, StudyColumn};
use crate::files::Existing;
use std::path::{Path, PathBuf};

impl StudyTableReader {
    /// Writes `table.csv` into a folder: a line for each run, numbers with every digit, nothing where
    /// there is none. The head has the units in brackets.
    pub fn write_csv(&self, folder: &Path, existing: Existing) -> Result<PathBuf, JournalError> {
        let file = folder.join(CSV);
        existing.write_with(&file, |out| {
            let disk = |source| JournalError::Write { file: file.clone(), source };
            let as_disk = |error: csv::Error| disk(error.into());
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(self.columns().iter().map(head)).map_err(as_disk)?;
            self.each_group(&|_| true, |columns| {
                let rows = columns.first().map_or(0, Cells::len);
                for row in 0..rows {
                    csv.write_record(columns.iter().map(|cells| cell(cells, row)))
                        .map_err(as_disk)?;
                }
                Ok::<(), JournalError>(())
            })?;
            csv.flush().map_err(disk)
        })?;
        Ok(file)
    }
}

fn head(column: &StudyColumn) -> String {
    let StudyColumn { name, unit, .. } = column;
    let head = match unit.as_str() {
        "" | "1" => name.clone(),
        unit => format!("{name} [{unit}]"),
    };
    crate::escape::csv_text(&head)
}

fn cell(cells: &Cells, row: usize) -> String {
    match cells {
        Cells::Indices(all) => all[row].to_string(),
        Cells::Numbers(all) if all[row].is_nan() => String::new(),
        Cells::Numbers(all) => format!("{:?}", all[row]),
        Cells::Texts(all) => crate::escape::csv_text(&all[row]),
        // in chunks alone
        Cells::Blocks(_) => String::new(),
    }
}
