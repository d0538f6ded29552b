//! Many parts become one file.

use super::disk::{self, Trouble};
use super::error::{Error, Saved};
use super::summary::RunSummary;
use super::table::{Layout, Sheet, Table, rows_per_group};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the rows of the parts, in their order, and the summary to `result`. At most one group of rows and one
/// part are in memory.
pub(super) fn merge(
    layout: &Layout,
    columns: usize,
    parts: &[PathBuf],
    result: &Path,
    summary: &RunSummary,
    saved: Saved,
) -> Result<(), Error> {
    disk::write_whole(result, saved, |out| {
        let mut sheet = layout.begin(out)?;
        let mut gathered = Gathered::new(columns);
        for part in parts {
            let part = Table::open(part)?;
            for group in 0..part.groups() {
                gathered.add(&part, group, &mut sheet)?;
            }
        }
        gathered.write_rest(&mut sheet)?;
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

    /// Adds a group of a part, and writes all groups that are now full.
    fn add<W: Write + Send>(
        &mut self,
        part: &Table,
        group: usize,
        sheet: &mut Sheet<W>,
    ) -> Result<(), Trouble> {
        for (index, column) in self.columns.iter_mut().enumerate() {
            part.read(group, index, column)?;
        }
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

    fn write_rest<W: Write + Send>(&self, sheet: &mut Sheet<W>) -> std::io::Result<()> {
        if self.rows() == 0 {
            return Ok(());
        }
        let group: Vec<&[f64]> = self.columns.iter().map(Vec::as_slice).collect();
        sheet.group(&group)
    }
}
