//! Recording the rows of a run.

use super::checkpoint::{self, Checkpoint, Spent};
use super::disk::{self, CHECKPOINT, RESULT, SCENARIO, SUMMARY};
use super::error::{Error, Saved};
use super::lock::FolderLock;
use super::merge::merge;
use super::metadata::Metadata;
use super::summary::{RunOutcome, RunSummary};
use super::table::{Layout, MOST_VALUES};
use crate::files;
use pliant::simulate::{Channel, Extremes, Status};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a row waits at most. With the time that writing takes this stays within a second.
const LONGEST_WAIT: Duration = Duration::from_millis(750);

/// Records rows into the folder of a run.
///
/// Rows gather in memory and become a part file at least every second, as long as
/// [`row`](Self::row) or [`tick`](Self::tick) is called that often. A writer that is dropped
/// without [`finish`](Self::finish) leaves its rows in parts.
pub struct Writer {
    folder: PathBuf,
    /// Until all files are written.
    _lock: Arc<FolderLock>,
    /// What no other run is called; its parts say it.
    run: String,
    layout: Layout,
    metadata: Metadata,
    /// Rows that are in no part yet, column by column; the time is the first.
    columns: Vec<Vec<f64>>,
    waiting_since: Option<Instant>,
    parts: u64,
    saved: Saved,
    /// Those beside the time.
    channels: Vec<Channel>,
    next_checkpoint: Instant,
}

impl Writer {
    /// Of a run that begins.
    pub(super) fn new(
        folder: PathBuf,
        lock: Arc<FolderLock>,
        channels: Vec<Channel>,
        metadata: Metadata,
    ) -> Result<Self, Error> {
        let run = format!("{:016x}{:016x}", files::random(), files::random());
        let there = (0, Saved::default());
        Self::going_on(folder, lock, (channels, metadata), run, there)
    }

    /// Writes a first part without rows.
    pub(super) fn begin(mut self) -> Result<Self, Error> {
        self.write_part()?;
        Ok(self)
    }

    /// Of a run of which so many parts are there and hold that much.
    pub(super) fn going_on(
        folder: PathBuf,
        lock: Arc<FolderLock>,
        (channels, metadata): (Vec<Channel>, Metadata),
        run: String,
        (parts, saved): (u64, Saved),
    ) -> Result<Self, Error> {
        let columns: Vec<Channel> =
            std::iter::once(Channel::time()).chain(channels.iter().cloned()).collect();
        Ok(Self {
            folder,
            _lock: lock,
            run,
            layout: Layout::new(&columns, &metadata)?,
            metadata,
            columns: vec![Vec::new(); columns.len()],
            waiting_since: None,
            parts,
            saved,
            channels,
            next_checkpoint: Instant::now() + LONGEST_WAIT,
        })
    }

    /// What is safe on the disk.
    pub fn saved(&self) -> Saved {
        self.saved
    }

    /// Records a row: the time (s) and a value for every channel, in their order.
    ///
    /// After an error of the disk the rows that are not saved stay in memory, and the next call
    /// tries again.
    pub fn row(&mut self, time: f64, values: &[f64]) -> Result<(), Error> {
        let expected = self.columns.len() - 1;
        if values.len() != expected {
            return Err(Error::RowLength { time, found: values.len(), expected });
        }
        for (column, &value) in self.columns.iter_mut().zip([&time].into_iter().chain(values)) {
            column.push(value);
        }
        self.waiting_since.get_or_insert_with(Instant::now);
        self.tick()
    }

    /// Closes a part if rows have waited long enough, or are many. Call it now and then while
    /// there are no rows.
    pub fn tick(&mut self) -> Result<(), Error> {
        self.tick_at(Instant::now())
    }

    fn tick_at(&mut self, now: Instant) -> Result<(), Error> {
        let waits = |since: Instant| now.saturating_duration_since(since) >= LONGEST_WAIT;
        let many = self.waiting() * self.columns.len() >= MOST_VALUES;
        if many || self.waiting_since.is_some_and(waits) { self.close_part() } else { Ok(()) }
    }

    /// The same after a step of a run that ends at a time (s): now and then also asks for its state and
    /// for what it has taken, and writes them down, so that the run can be continued from there.
    pub fn tick_with(
        &mut self,
        time: f64,
        run: impl FnOnce() -> (Vec<f64>, Spent),
    ) -> Result<(), Error> {
        let now = Instant::now();
        if now < self.next_checkpoint {
            return self.tick_at(now);
        }
        let (state, spent) = run();
        let asking = now.elapsed();
        self.close_part()?;
        let start = Instant::now();
        self.checkpoint(time, state, spent)?;
        let took = asking + start.elapsed();
        self.next_checkpoint = Instant::now() + checkpoint::pause(took, LONGEST_WAIT);
        Ok(())
    }

    /// Brings every row to the disk, and the state of the run after them, at a time (s).
    pub fn checkpoint(&mut self, time: f64, state: Vec<f64>, spent: Spent) -> Result<(), Error> {
        self.close_part()?;
        let checkpoint = Checkpoint { state, time, rows: self.saved.rows, spent };
        checkpoint.write(&self.folder, &self.run, self.saved)
    }

    /// Brings every row that waits to the disk now.
    pub fn close_part(&mut self) -> Result<(), Error> {
        if self.waiting() == 0 { Ok(()) } else { self.write_part() }
    }

    /// Merges the parts into `result.parquet`, which also holds the summary without the times it took,
    /// removes the parts and writes `summary.json`. The checkpoint of an interrupted run stays.
    ///
    /// When this fails the parts, or the merged file, stay and can be read.
    pub fn finish(mut self, mut outcome: RunOutcome) -> Result<RunSummary, Error> {
        self.close_part()?;
        outcome.run.rows = self.saved.rows;
        let channels = std::mem::take(&mut self.channels);
        outcome.run.extremes = channels.into_iter().map(Extremes::new).collect();
        let checkpoint = self.folder.join(CHECKPOINT);
        let goes_on = outcome.run.ending.status == Status::Interrupted && checkpoint.is_file();
        let files = [SCENARIO, RESULT, SUMMARY].into_iter().chain(goes_on.then_some(CHECKPOINT));
        let mut summary = RunSummary {
            outcome,
            // the scenario stands beside it
            metadata: Metadata { scenario: String::new(), ..self.metadata.clone() },
            files: files.map(str::to_owned).collect(),
        };
        let parts: Vec<PathBuf> = (0..self.parts).map(|number| self.part(number)).collect();
        let result = self.folder.join(RESULT);
        let (run, columns) = (&self.run, self.columns.len());
        merge(&self.layout, run, columns, &parts, &result, &mut summary, self.saved)?;
        summary.metadata.doubts.clear();
        self.saved.merged = true;
        let saved = self.saved;
        let remove = |file: PathBuf| {
            let removed = std::fs::remove_file(&file);
            removed.map_err(|source| Error::Write { file, saved, source })
        };
        parts.into_iter().try_for_each(remove)?;
        summary.write(&self.folder.join(SUMMARY), saved)?;
        if !goes_on && checkpoint.is_file() {
            remove(checkpoint)?;
        }
        Ok(summary)
    }

    /// How many rows are in no part yet.
    fn waiting(&self) -> usize {
        self.columns[0].len()
    }

    fn part(&self, number: u64) -> PathBuf {
        self.folder.join(disk::part_name(number))
    }

    fn write_part(&mut self) -> Result<(), Error> {
        disk::write_own(&self.part(self.parts), self.saved, |out| {
            let mut sheet = self.layout.begin(out)?;
            sheet.add_identity(&self.run, self.parts, &self.metadata.doubts);
            if self.waiting() > 0 {
                let group: Vec<&[f64]> = self.columns.iter().map(Vec::as_slice).collect();
                sheet.group(&group)?;
            }
            Ok(sheet.end()?)
        })?;
        self.parts += 1;
        self.saved.rows += self.waiting() as u64;
        self.saved.until = self.columns[0].last().copied().or(self.saved.until);
        self.waiting_since = None;
        self.columns.iter_mut().for_each(Vec::clear);
        Ok(())
    }
}

impl Drop for Writer {
    /// Rows of a run that ended without `finish` are worth having.
    fn drop(&mut self) {
        // there is nobody left to hear of an error
        let _ = self.close_part();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Metadata, RunFolder};
    use super::*;
    use crate::files::Existing;
    use pliant::simulate::{Channel, ChannelRole};

    fn start(name: &str) -> Writer {
        let folder =
            std::env::temp_dir().join(format!("pliant-writer-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let channels = vec![Channel::new("a", "m", ChannelRole::Other)];
        let folder = RunFolder::create(&folder, Existing::Replace).expect("a folder");
        folder.start("", channels, Metadata::new("", "by hand")).expect("a writer")
    }

    /// As if the rows that wait had come so much earlier.
    fn age(writer: &mut Writer, by: Duration) {
        let since = writer.waiting_since.as_mut().expect("a row waits");
        *since = since.checked_sub(by).expect("the clock is older than that");
    }

    #[test]
    fn a_part_is_closed_when_its_first_row_has_waited_long_enough() {
        let mut writer = start("late");
        let folder = writer.folder.clone();
        let parts = || std::fs::read_dir(&folder).expect("it is there").count() - 2;
        for k in 0..3 {
            writer.row(f64::from(k), &[1.0]).expect("room");
            writer.tick().expect("room");
        }
        // rows gather: only the part without rows is there
        assert_eq!((writer.saved().rows, parts()), (0, 1));
        age(&mut writer, LONGEST_WAIT / 2);
        writer.tick().expect("room");
        assert_eq!(writer.saved().rows, 0);
        // the wait is that of the first row, whatever comes after it
        age(&mut writer, LONGEST_WAIT / 2);
        writer.row(3.0, &[1.0]).expect("room");
        assert_eq!((writer.saved().rows, parts()), (4, 2));
        // and the next row waits anew
        writer.row(4.0, &[1.0]).expect("room");
        assert_eq!(writer.saved().rows, 4);
        age(&mut writer, LONGEST_WAIT);
        writer.tick().expect("room");
        assert_eq!((writer.saved().rows, parts()), (5, 3));
        // nothing waits, nothing is written
        writer.tick().expect("room");
        assert_eq!(parts(), 3);
        drop(writer);
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
