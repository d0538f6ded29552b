//! The series of a study that has ended.

use super::disk::SERIES;
use super::error::JournalError;
use super::sheet::{Cells, ColumnRole, Opened, StudyColumn};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// The series of a study that has ended: the rows of each run, in the order of the runs.
pub struct StudySeriesReader {
    opened: Opened<File>,
}

impl StudySeriesReader {
    /// Opens `series.parquet`, or the folder that it is in, after a look at every byte.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let file = if path.is_dir() { path.join(SERIES) } else { path.to_owned() };
        let opened = Opened::open(&file)?;
        let roles = opened.columns.iter().map(|column| column.role).take(2);
        if !roles.eq([ColumnRole::Index, ColumnRole::Time]) {
            return Err(JournalError::damaged(&file, "it has no series of runs"));
        }
        Ok(Self { opened })
    }

    /// How many rows all runs have together.
    pub fn rows(&self) -> u64 {
        self.opened.rows
    }

    /// Its columns: the index of the run, the time (s), and the channels.
    pub fn columns(&self) -> &[StudyColumn] {
        &self.opened.columns
    }

    /// The text of the study, with its scenario and arm inside.
    pub fn study(&self) -> &str {
        self.opened.entry(super::merge::TEXT)
    }

    /// The times (s) of a run and the numbers of each channel, in the order of the columns but for the
    /// index; none of a run without rows.
    pub fn of_run(&self, index: u64) -> Result<Option<Vec<Vec<f64>>>, JournalError> {
        let mut all = vec![Vec::new(); self.opened.columns.len() - 1];
        for group in self.first_group(index)?..self.opened.groups() {
            let indices = self.indices(group)?;
            let place = |than: u64| indices.partition_point(|&one| one < than);
            let rows = place(index)..place(index.saturating_add(1));
            for (column, all) in (1..).zip(&mut all).filter(|_| !rows.is_empty()) {
                all.extend_from_slice(&self.numbers(group, column)?[rows.clone()]);
            }
            if rows.end < indices.len() {
                break;
            }
        }
        Ok(Some(all).filter(|all| !all[0].is_empty()))
    }

    /// The first group that may have rows of a run: they ascend.
    fn first_group(&self, index: u64) -> Result<usize, JournalError> {
        let Range { mut start, mut end } = 0..self.opened.groups();
        while start < end {
            let middle = start + (end - start) / 2;
            if self.indices(middle)?.last().is_some_and(|&last| last < index) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        Ok(start)
    }

    fn indices(&self, group: usize) -> Result<Vec<u64>, JournalError> {
        let mut cells = Cells::Indices(Vec::new());
        self.opened.read(group, 0, &mut cells)?;
        match cells {
            Cells::Indices(all) => Ok(all),
            _ => Ok(Vec::new()),
        }
    }

    fn numbers(&self, group: usize, column: usize) -> Result<Vec<f64>, JournalError> {
        let mut cells = Cells::Numbers(Vec::new());
        self.opened.read(group, column, &mut cells)?;
        match cells {
            Cells::Numbers(all) => Ok(all),
            _ => Ok(Vec::new()),
        }
    }
}
