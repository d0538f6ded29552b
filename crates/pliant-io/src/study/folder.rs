//! The folder of a study: a journal of what is done.

use super::chunk::{check_study, checked};
use super::disk::{self, RUNS, SERIES, SUMMARY, TABLE, TEXT};
use super::error::JournalError;
use super::merge::{merge, merge_series};
use super::sheet::{Opened, StudyColumn};
use super::single::single_run;
use super::summary::StudySummary;
use super::{Study, StudyChunk, StudyTableReader};
use crate::files::{self, Existing};
use crate::results::{FolderLock, LOCK, RunFolder, names, open_plain};
use pliant::study::Trial;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The folder of one study, locked.
#[derive(Debug)]
pub struct StudyFolder {
    path: PathBuf,
    lock: FolderLock,
    foreign: Vec<String>,
    /// The runs that are done, the first of each stretch and the one behind its last.
    done: BTreeMap<u64, u64>,
    /// How long they took (s), where it is known.
    seconds: Option<f64>,
    count: u64,
    is_merged: bool,
    /// The file without which what was done is done again.
    lost: Option<&'static str>,
}

/// What became of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Accepted {
    /// It was written down.
    Stored,
    /// Its runs were done already: it is left aside, since it says the same.
    Known,
}

impl StudyFolder {
    /// Makes the folder, or takes an empty one, and writes the study down in it.
    ///
    /// A folder that holds something is refused unless that is to be replaced. Then what is of a study
    /// in it is removed, single runs of that study below it among them, and all other files stay. A
    /// folder that another process writes into is refused in any case.
    pub fn create(
        path: impl AsRef<Path>,
        study: &Study,
        existing: Existing,
    ) -> Result<Self, JournalError> {
        let path = path.as_ref().to_owned();
        let write = |source| JournalError::Write { file: path.clone(), source };
        if path.is_symlink() && !path.exists() {
            let why = "is a symbolic link to a folder that does not exist".to_owned();
            return Err(JournalError::InTheWay { file: path, why });
        }
        std::fs::create_dir_all(&path).map_err(write)?;
        // where nobody is, nothing is touched before it is sure that it may be
        if !path.join(LOCK).exists() {
            inventory(&path, study, existing)?;
        }
        let lock = FolderLock::take(&path)?;
        let (ours, mut foreign) = inventory(&path, study, existing)?;
        remove_single_runs(&path)?;
        foreign.retain(|name| path.join(name).exists());
        for name in ours {
            remove(&path.join(name))?;
        }
        let (done, count) = (BTreeMap::new(), study.count());
        let (seconds, is_merged, lost) = (Some(0.0), false, None);
        let folder = Self { path, lock, foreign, done, seconds, count, is_merged, lost };
        folder.write_text(TEXT, study.text())?;
        Ok(folder)
    }

    fn write_text(&self, name: &str, text: &str) -> Result<(), JournalError> {
        let file = self.path.join(name);
        Existing::Replace.write_with(&file, |out| {
            let written = out.write_all(text.as_bytes());
            written.map_err(|source| JournalError::Write { file: file.clone(), source })
        })
    }

    /// Takes up a study where it was left, after a look at every byte of what is done. A folder of
    /// another study, or with rows of another version of pliant, is refused.
    pub fn reopen(path: impl AsRef<Path>, study: &Study) -> Result<Self, JournalError> {
        let path = path.as_ref().to_owned();
        let text = path.join(TEXT);
        if !text.is_file() {
            return Err(JournalError::NoStudy { path });
        }
        let lock = FolderLock::take(&path)?;
        let there = std::fs::read(&text).map_err(|source| JournalError::unread(&text, source))?;
        if there != study.text().as_bytes() {
            return Err(JournalError::OtherStudy { file: text });
        }
        let (ours, foreign): (Vec<_>, Vec<_>) =
            names(&path)?.into_iter().partition(|name| disk::is_ours(name));
        let (done, count) = (BTreeMap::new(), study.count());
        let (seconds, is_merged, lost) = (Some(0.0), false, None);
        let mut folder = Self { path, lock, foreign, done, seconds, count, is_merged, lost };
        folder.take_up_end(study)?;
        for name in &ours {
            if disk::is_partial(name) {
                remove(&folder.path.join(name))?;
            } else if let Some(runs) = disk::chunk_runs(name).filter(|_| !folder.is_merged) {
                folder.take_up(study, name, &runs)?;
            }
        }
        folder.look_for_the_lost(study);
        Ok(folder)
    }

    /// Whether somebody removed the table or the series after the chunks became those: what was in
    /// them alone is done again.
    fn look_for_the_lost(&mut self, study: &Study) {
        if self.is_merged || self.done() == study.count() {
            return;
        }
        let [table, series, summary] =
            [TABLE, SERIES, SUMMARY].map(|name| self.path.join(name).is_file());
        // the series come first, then the table, then the summary; then the chunks go
        self.lost = match (table, summary || series && self.done() == 0) {
            (true, _) => Some(SERIES),
            (false, true) => Some(TABLE),
            (false, false) => None,
        };
    }

    /// Takes all for done where that was put together.
    fn take_up_end(&mut self, study: &Study) -> Result<(), JournalError> {
        let (table, series) = (self.path.join(TABLE), self.path.join(SERIES));
        let columns = study.series_columns();
        if !table.is_file() || !columns.is_empty() && !series.is_file() {
            return Ok(());
        }
        let look = |file: &Path, columns: &[StudyColumn]| {
            let opened = Opened::open(file)?;
            check_study(study, file, &opened, columns).map(|()| opened.rows)
        };
        let rows = look(&table, &study.columns())?;
        if study.optimisation().is_some() && rows < self.count {
            self.end_at(rows);
        }
        if rows != self.count {
            let why = format!("it has {rows} rows of {}", self.count);
            return Err(JournalError::damaged(&table, why));
        }
        if !columns.is_empty() {
            let _ = look(&series, &columns)?;
        }
        self.done.insert(0, self.count);
        (self.seconds, self.is_merged) = (None, true);
        Ok(())
    }

    /// Takes a chunk of the folder for done.
    fn take_up(
        &mut self,
        study: &Study,
        name: &str,
        runs: &Range<u64>,
    ) -> Result<(), JournalError> {
        let file = self.path.join(name);
        let found = checked(study, &file, read_chunk(&file)?)?;
        if found.runs != *runs {
            let why = format!("it has the runs {} to {}", found.runs.start, found.runs.end - 1);
            return Err(JournalError::damaged(&file, why));
        }
        if self.overlap(runs) != Overlap::None {
            return Err(JournalError::Overlaps { runs: runs.clone() });
        }
        self.mark(runs.clone(), found.seconds);
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files in it that are of no study.
    pub fn foreign(&self) -> &[String] {
        &self.foreign
    }

    /// Why nothing keeps others out of it, where its file system has no locks.
    pub fn unlocked(&self) -> Option<&str> {
        self.lock.missing()
    }

    /// The file that was removed after the study had ended, so that its runs are done again.
    pub fn lost(&self) -> Option<&str> {
        self.lost
    }

    /// How many runs are done.
    pub fn done(&self) -> u64 {
        self.done.iter().map(|(start, end)| end - start).sum()
    }

    /// The runs that are not done, in stretches.
    pub fn missing(&self) -> Vec<Range<u64>> {
        let mut missing = Vec::new();
        let mut next = 0;
        for (&start, &end) in &self.done {
            if next < start {
                missing.push(next..start);
            }
            next = end;
        }
        if next < self.count {
            missing.push(next..self.count);
        }
        missing
    }

    /// Writes down what was done somewhere. What is of another study, or of another version, is
    /// refused; what is known already is left aside.
    pub fn accept(&mut self, study: &Study, chunk: &StudyChunk) -> Result<Accepted, JournalError> {
        let file = self.path.join(disk::chunk_name(&chunk.runs));
        let found = checked(study, &file, chunk.bytes.clone())?;
        if found.runs != chunk.runs {
            let why = format!("it has the runs {} to {}", found.runs.start, found.runs.end - 1);
            return Err(JournalError::damaged(&file, why));
        }
        match self.overlap(&found.runs) {
            Overlap::Whole => return Ok(Accepted::Known),
            Overlap::Part => return Err(JournalError::Overlaps { runs: found.runs }),
            Overlap::None => {}
        }
        Existing::Replace.write_with(&file, |out| {
            let written = out.write_all(&chunk.bytes);
            written.map_err(|source| JournalError::Write { file: file.clone(), source })
        })?;
        self.mark(found.runs, found.seconds);
        Ok(Accepted::Stored)
    }

    fn overlap(&self, runs: &Range<u64>) -> Overlap {
        let before = self.done.range(..=runs.start).next_back().map(|(_, &end)| end);
        let reaches = before.unwrap_or(0);
        if reaches >= runs.end {
            return Overlap::Whole;
        }
        let after = self.done.range(runs.start..).next().is_some_and(|(&next, _)| next < runs.end);
        if reaches > runs.start || after { Overlap::Part } else { Overlap::None }
    }

    /// These runs are done.
    fn mark(&mut self, runs: Range<u64>, seconds: f64) {
        let Range { mut start, mut end } = runs;
        if let Some((&before, _)) = self.done.iter().rev().find(|(_, until)| **until == start) {
            start = before;
        }
        if let Some(behind) = self.done.remove(&end) {
            end = behind;
        }
        self.done.insert(start, end);
        self.seconds = self.seconds.map(|all| all + seconds);
    }

    /// Whether all rows are in one table already.
    pub(super) fn is_merged(&self) -> bool {
        self.is_merged
    }

    /// No run comes after the first ones, of an optimisation.
    pub(super) fn end_at(&mut self, count: u64) {
        self.count = count;
    }

    /// The rows of an optimisation that are done, by their runs: the point and what it says.
    pub(super) fn kept(&self, study: &Study) -> Result<BTreeMap<u64, Trial>, JournalError> {
        let mut kept = BTreeMap::new();
        for (_, file) in self.chunks()? {
            let found = checked(study, &file, read_chunk(&file)?)?;
            kept.extend(found.runs.clone().zip(study.trials_in(&found.cells)));
        }
        Ok(kept)
    }

    /// Puts the rows together, once all runs are done: `table.parquet`, `series.parquet` where series
    /// are kept, and `summary.json`. The chunks are then removed. When this fails they, or the table,
    /// stay, and it can be done again.
    pub fn finish(&mut self, study: &Study) -> Result<StudySummary, JournalError> {
        let done = self.done();
        if done != self.count {
            return Err(JournalError::Incomplete { missing: self.count - done, all: self.count });
        }
        let table = self.path.join(TABLE);
        if !self.is_merged {
            let chunks = self.chunks()?;
            // the table comes last: with it all is there
            if !study.series.is_empty() {
                merge_series(study, &chunks, &self.path.join(SERIES))?;
            }
            merge(study, &chunks, &table)?;
            self.is_merged = true;
        }
        let known = self.path.join(SUMMARY);
        let seconds = self.seconds.or_else(|| StudySummary::seconds_in(&known));
        let summary = StudySummary::of(study, &StudyTableReader::open(&table)?, seconds)?;
        summary.write(&known)?;
        for (_, chunk) in self.chunks()? {
            remove(&chunk)?;
        }
        Ok(summary)
    }

    /// The chunks in the folder, in the order of their runs.
    fn chunks(&self) -> Result<Vec<(Range<u64>, PathBuf)>, JournalError> {
        let of = |name: String| Some((disk::chunk_runs(&name)?, self.path.join(name)));
        let mut chunks: Vec<_> = names(&self.path)?.into_iter().filter_map(of).collect();
        chunks.sort_by_key(|(runs, _)| runs.start);
        Ok(chunks)
    }
}

/// How many runs are done in a folder that a study may be writing into, by the names of the chunks.
pub(super) fn done_in(path: &Path) -> Result<u64, JournalError> {
    let chunks = names(path)?.into_iter().filter_map(|name| disk::chunk_runs(&name));
    Ok(chunks.map(|runs| runs.end - runs.start).sum())
}

/// What the study of the rows in a folder is called: nothing where there are no rows.
pub(super) fn identity_in(path: &Path) -> Option<String> {
    let is_rows = |name: &String| name == TABLE || disk::chunk_runs(name).is_some();
    let name = names(path).ok()?.into_iter().rfind(is_rows)?;
    let opened = Opened::peek(&path.join(name)).ok()?;
    Some(opened.entry(super::chunk::STUDY).to_owned())
}

/// Removes the single runs below the folder of a study that are runs of that study, before its table
/// goes, which tells what an optimisation has tried.
fn remove_single_runs(path: &Path) -> Result<(), JournalError> {
    let runs = path.join(RUNS);
    let former = runs.is_dir().then(|| Study::in_folder(path).ok()).flatten();
    let Some(former) = former else { return Ok(()) };
    let table = StudyTableReader::of_study(&former, path).ok();
    let tried = former.tried(table.as_ref()).unwrap_or_default();
    for run in former.single_runs(path, &tried) {
        RunFolder::clear(&single_run(path, run))?;
    }
    // others may be in it
    let _ = std::fs::remove_dir(runs);
    Ok(())
}

/// How much of some runs is done.
#[derive(PartialEq, Eq)]
enum Overlap {
    None,
    Part,
    Whole,
}

/// The bytes of a chunk.
pub(super) fn read_chunk(file: &Path) -> Result<Vec<u8>, JournalError> {
    let read = |source| JournalError::unread(file, source);
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut open_plain(file)?, &mut bytes).map_err(read)?;
    Ok(bytes)
}

fn remove(file: &Path) -> Result<(), JournalError> {
    files::plain_file(file)?;
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(JournalError::Write { file: file.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

/// The files of a study in a folder, which may be removed, and all others.
fn inventory(
    path: &Path,
    study: &Study,
    existing: Existing,
) -> Result<(Vec<String>, Vec<String>), JournalError> {
    let all = names(path)?;
    if !all.is_empty() && existing == Existing::Refuse {
        let goes_on = all.iter().any(|name| name == TEXT);
        return Err(JournalError::NotEmpty { path: path.to_owned(), names: all, goes_on });
    }
    let (ours, foreign): (Vec<_>, Vec<_>) = all.into_iter().partition(|name| disk::is_ours(name));
    for name in &ours {
        files::plain_file(&path.join(name))?;
    }
    if ours.iter().any(|name| name == TEXT) && !is_known(path, study, &ours)? {
        let why = "may be the only copy of a study".to_owned();
        return Err(JournalError::InTheWay { file: path.join(TEXT), why });
    }
    Ok((ours, foreign))
}

/// Whether the study in a folder is one that was run there, or the one that is to be run: not the file
/// of a user.
fn is_known(path: &Path, study: &Study, ours: &[String]) -> Result<bool, JournalError> {
    let file = path.join(TEXT);
    let text = std::fs::read(&file).map_err(|source| JournalError::unread(&file, source))?;
    let known = || {
        let mut tables =
            ours.iter().filter(|name| *name == TABLE || disk::chunk_runs(name).is_some());
        let hash = String::from_utf8(text.clone()).map(|text| crate::results::hash(&text));
        tables.any(|name| {
            let opened = Opened::open(&path.join(name));
            // what is damaged knows nothing
            opened.is_ok_and(|opened| {
                hash.as_ref().is_ok_and(|hash| opened.entry(super::chunk::STUDY).ends_with(hash))
            })
        })
    };
    Ok(text == study.text().as_bytes() || known())
}
