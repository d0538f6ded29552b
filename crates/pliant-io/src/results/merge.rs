//! Many parts become one file.

use super::disk::{self, Trouble};
use super::error::{Error, Saved};
use super::summary::RunSummary;
use super::table::{Layout, Sheet, Table, rows_per_group};
use pliant::simulate::{Extremes, Status};
use std::path::{Path, PathBuf};

/// Writes the rows of the parts of a run, in their order, and the summary to `result`. At most one
/// group of rows and one part are in memory. The extremes of the summary become those of the rows.
pub(super) fn merge(
    layout: &Layout,
    run: &str,
    columns: usize,
    parts: &[PathBuf],
    result: &Path,
    summary: &mut RunSummary,
    saved: Saved,
) -> Result<(), Error> {
    disk::write_own(result, saved, |out| {
        let mut sheet = layout.begin(out)?;
        let mut gathered = Gathered::new(columns);
        for (part, number) in parts.iter().zip(0..) {
            let part = Table::verified(part)?;
            part.check_identity(Some(run), number, "the one that ends here")?;
            for group in 0..part.groups() {
                gathered.add(&part, group, &mut summary.outcome.run.extremes)?;
                gathered.write_full(&mut sheet)?;
            }
        }
        gathered.write_rest(&mut sheet)?;
        if summary.outcome.run.ending.status == Status::Interrupted {
            // when the run goes on it is its first part
            sheet.add_identity(run, 0, &summary.metadata.doubts);
        }
        let summary = serde_json::to_string(&summary.repeatable()).map_err(std::io::Error::from)?;
        sheet.add_summary(summary);
        Ok(sheet.end()?)
    })
}

/// Rows on their way from parts of any length to groups of one length.
struct Gathered {
    columns: Vec<Vec<f64>>,
    group: usize,
}

impl Gathered {
    fn new(columns: usize) -> Self {
        Self { columns: vec![Vec::new(); columns], group: rows_per_group(columns) }
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Adds a group of a part; the extremes are those of the columns after the time.
    fn add(
        &mut self,
        part: &Table,
        group: usize,
        extremes: &mut [Extremes],
    ) -> Result<(), Trouble> {
        let known = self.rows();
        for (index, column) in self.columns.iter_mut().enumerate() {
            part.read(group, index, column)?;
        }
        let Some((times, columns)) = self.columns.split_first() else { return Ok(()) };
        for (extremes, values) in extremes.iter_mut().zip(columns) {
            for (&time, &value) in times.iter().zip(values).skip(known) {
                extremes.include(time, value);
            }
        }
        Ok(())
    }

    /// Writes all groups that are full.
    fn write_full(&mut self, sheet: &mut Sheet) -> std::io::Result<()> {
        let full = self.rows() - self.rows() % self.group;
        for start in (0..full).step_by(self.group) {
            let range = start..start + self.group;
            let group: Vec<&[f64]> = self.columns.iter().map(|one| &one[range.clone()]).collect();
            sheet.group(&group)?;
        }
        for column in &mut self.columns {
            column.drain(..full);
        }
        Ok(())
    }

    fn write_rest(&self, sheet: &mut Sheet) -> std::io::Result<()> {
        if self.rows() == 0 {
            return Ok(());
        }
        let group: Vec<&[f64]> = self.columns.iter().map(Vec::as_slice).collect();
        sheet.group(&group)
    }
}
