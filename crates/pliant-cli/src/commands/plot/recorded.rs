//! What runs have recorded, in a window of time.

use crate::commands::run::disk;
use crate::figures::figure;
use crate::output::{Failure, Output};
use pliant_io::escape::Shown as _;
use pliant_io::results::Reader;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A run, and which of its rows are drawn.
pub(super) struct Recorded {
    pub(super) folder: PathBuf,
    /// What it is called beside other runs.
    pub(super) name: String,
    pub(super) reader: Reader,
    /// All times (s).
    pub(super) times: Vec<f64>,
    /// The rows in the window.
    pub(super) rows: Range<usize>,
}

impl Recorded {
    /// Opens the folder of a run; rows between two times are drawn.
    pub(super) fn open(folder: &Path, [from, to]: [f64; 2]) -> Result<Self, Failure> {
        if !folder.is_dir() {
            return Err(no_run(folder));
        }
        let reader = Reader::open(folder).map_err(|error| disk(&error))?;
        let times = reader.time().map_err(|error| disk(&error))?;
        // rows are in the order of time; the ends may be typed with fewer digits
        let some = 1e-9 * times.last().map_or(0.0, |last| last.abs());
        let start = times.partition_point(|t| *t < from - some);
        let end = times.partition_point(|t| *t <= to + some);
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| folder.shown());
        let recorded = Self { folder: folder.to_owned(), name, reader, times, rows: start..end };
        if recorded.rows.is_empty() {
            return Err(match recorded.span() {
                None => Failure::input(
                    format!("{} has no rows yet", folder.shown()),
                    "wait for its first second, or run it again",
                ),
                Some(span) => Failure::input(
                    format!("{} has no rows in this window of time", folder.shown()),
                    format!("it was recorded {span}; change --from and --to"),
                ),
            });
        }
        Ok(recorded)
    }

    /// Says what is doubtful about the files.
    pub(super) fn warn(&self, output: &Output) {
        let folder = self.folder.shown();
        for warning in self.reader.warnings() {
            output.note(&format!("{folder}: {warning}"));
        }
        if let (false, Some(span)) = (self.reader.complete(), self.span()) {
            output.note(&format!("{folder} is not finished; the plot shows its rows {span}"));
        }
    }

    /// From when to when it was recorded, in words.
    pub(super) fn span(&self) -> Option<String> {
        let (first, last) = (self.times.first()?, self.times.last()?);
        Some(format!("from {} s to {} s", figure(*first, 0.0), figure(*last, 0.0)))
    }

    /// The times in the window (s).
    pub(super) fn window(&self) -> &[f64] {
        &self.times[self.rows.clone()]
    }

    /// The values of a channel in the window, if it was recorded.
    pub(super) fn column(&self, channel: &str) -> Result<Option<Vec<f64>>, Failure> {
        if !self.reader.channels().iter().any(|one| one.name == channel) {
            return Ok(None);
        }
        let mut column = self.reader.column(channel).map_err(|error| disk(&error))?;
        column.truncate(self.rows.end);
        column.drain(..self.rows.start.min(column.len()));
        Ok(Some(column))
    }
}

fn no_run(folder: &Path) -> Failure {
    let message = format!("{} is not the folder of a run", folder.shown());
    if folder.is_file() {
        return Failure::input(message, "give the folder that pliant run leaves, not a file in it");
    }
    Failure::input(message, "pliant run SCENARIO leaves such a folder")
}

/// Runs of the same name are told apart by their paths.
pub(super) fn name_apart(runs: &mut [Recorded]) {
    let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
    for run in runs {
        if names.iter().filter(|name| **name == run.name).count() > 1 {
            run.name = run.folder.shown();
        }
    }
}
