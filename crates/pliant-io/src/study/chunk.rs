//! Some runs after one another, done anywhere.

use super::Study;
use super::error::JournalError;
use super::row::{Row, RowStatus};
use super::series::{self, CHUNK_NUMBERS, SERIES};
use super::sheet::{Cells, ColumnRole, Layout, Opened, StudyColumn};
use parquet::file::reader::ChunkReader;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::time::Instant;

/// The version of pliant that made it.
pub(super) const VERSION: &str = "pliant.version";
/// Whose rows they are.
pub(super) const STUDY: &str = "pliant.study";
/// The index of the first row.
const FIRST: &str = "pliant.first";
/// How long the runs took (s), which is in chunks alone.
const SECONDS: &str = "pliant.seconds";

/// The rows of some runs, as the bytes of a Parquet file that knows its study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyChunk {
    /// Which runs.
    pub runs: Range<u64>,
    /// What a [`StudyFolder`](super::StudyFolder) accepts.
    pub bytes: Vec<u8>,
}

/// Where the runs of a chunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyStep {
    /// A run has made a step. If it is to stop here, that run is not among the rows.
    Within,
    /// So many runs are done.
    Done(u64),
}

impl Study {
    /// Does some runs, one after the other. The monitor is called after every step and every run, and
    /// may stop them: the chunk then has the runs that were done. None where there are none. Where
    /// series are kept, a chunk ends by itself before they are too many for memory.
    ///
    /// # Panics
    /// Where the study does not have these runs.
    pub fn run_chunk(
        &self,
        runs: Range<u64>,
        watch: &mut dyn FnMut(StudyStep) -> ControlFlow<()>,
    ) -> Result<Option<StudyChunk>, JournalError> {
        if self.optimisation.is_some() {
            return Err(JournalError::Optimises);
        }
        let begun = Instant::now();
        let mut rows = Rows::new(self, runs.start);
        for index in runs {
            let Some(row) = self.row(index, &mut || watch(StudyStep::Within)) else { break };
            rows.add(self, row);
            if watch(StudyStep::Done(rows.count)).is_break() || rows.is_full() {
                break;
            }
        }
        rows.chunk(self, begun.elapsed().as_secs_f64())
    }
}

/// Rows on their way into a chunk.
pub(super) struct Rows {
    columns: Vec<StudyColumn>,
    cells: Vec<Cells>,
    first: u64,
    count: u64,
    /// The bytes of all series.
    bytes: usize,
}

impl Rows {
    pub(super) fn new(study: &Study, first: u64) -> Self {
        let columns = columns(study);
        let cells = columns.iter().map(|column| column.role.empty()).collect();
        Self { columns, cells, first, count: 0, bytes: 0 }
    }

    /// Whether they should become a chunk before there are more.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= 8 * CHUNK_NUMBERS
    }

    /// The row of the next run.
    pub(super) fn add(&mut self, study: &Study, row: Row) {
        let index = self.first + self.count;
        let Row { drawn, figures, status, reason, detail, series } = row;
        let word = RowStatus::word(status).to_owned();
        let parameters = study.parameters.iter().zip(&drawn);
        let mut texts = parameters
            .filter_map(|(own, &drawn)| Some(own.choice(drawn)?.to_owned()))
            .chain([word, reason, detail]);
        let is_number = |(own, _): &(&super::StudyParameter, &f64)| own.is_number();
        let numbers = study.parameters.iter().zip(&drawn).filter(is_number).map(|(_, x)| *x);
        let mut numbers = numbers.chain(figures);
        self.bytes += series.len();
        let mut series = Some(series);
        for cells in &mut self.cells {
            match cells {
                Cells::Indices(all) => all.push(index),
                Cells::Numbers(all) => all.extend(numbers.next()),
                Cells::Texts(all) => all.extend(texts.next()),
                Cells::Blocks(all) => all.extend(series.take()),
            }
        }
        self.count += 1;
    }

    /// As a chunk whose runs took so long (s); none without rows.
    pub(super) fn chunk(
        &self,
        study: &Study,
        seconds: f64,
    ) -> Result<Option<StudyChunk>, JournalError> {
        if self.count == 0 {
            return Ok(None);
        }
        let runs = self.first..self.first + self.count;
        let bytes = self.bytes(study, seconds);
        let bytes = bytes.map_err(|source| JournalError::Chunk { runs: runs.clone(), source })?;
        Ok(Some(StudyChunk { runs, bytes }))
    }

    fn bytes(&self, study: &Study, seconds: f64) -> std::io::Result<Vec<u8>> {
        let entries = [
            (VERSION, env!("CARGO_PKG_VERSION").to_owned()),
            (STUDY, study.identity()),
            (FIRST, self.first.to_string()),
            (SECONDS, format!("{seconds:e}")),
        ];
        let layout = Layout::new(&self.columns, &entries).map_err(crate::results::as_io)?;
        layout.bytes(&self.cells)
    }
}

/// The columns of a chunk: those of the table, and the series of each run where they are kept.
fn columns(study: &Study) -> Vec<StudyColumn> {
    let mut all = study.columns();
    if !study.series.is_empty() {
        let (name, unit) = (SERIES.to_owned(), String::new());
        all.push(StudyColumn { name, unit, role: ColumnRole::Series });
    }
    all
}

/// A chunk that was looked at: it is of this study, and its rows follow each other.
pub(super) struct Checked {
    pub(super) runs: Range<u64>,
    pub(super) seconds: f64,
    pub(super) cells: Vec<Cells>,
}

/// Looks at the bytes of a chunk; `name` is what messages call it.
pub(super) fn checked(study: &Study, name: &Path, bytes: Vec<u8>) -> Result<Checked, JournalError> {
    let opened = Opened::of_bytes(name, bytes)?;
    check_study(study, name, &opened, &columns(study))?;
    let damaged = |why: String| JournalError::damaged(name, why);
    let first = opened.entry(FIRST).parse::<u64>();
    let first = first.map_err(|_| damaged("it does not say which run is its first".to_owned()))?;
    let last = first.checked_add(opened.rows).filter(|last| *last <= study.count());
    let Some(last) = last.filter(|_| opened.rows > 0) else {
        let (rows, count) = (opened.rows, study.count());
        return Err(damaged(format!("it has {rows} rows from {first} on of {count}")));
    };
    let mut cells: Vec<Cells> = opened.columns.iter().map(|one| one.role.empty()).collect();
    for group in 0..opened.groups() {
        for (column, cells) in cells.iter_mut().enumerate() {
            opened.read(group, column, cells)?;
        }
    }
    let follow = |all: &Vec<u64>| all.iter().copied().eq(first..last);
    if !matches!(cells.first(), Some(Cells::Indices(all)) if follow(all)) {
        return Err(damaged("its rows do not follow each other".to_owned()));
    }
    let is_torn = |block: &Vec<u8>| !series::fits(block, study.series.len());
    if matches!(cells.last(), Some(Cells::Blocks(all)) if all.iter().any(is_torn)) {
        return Err(damaged("its series are of other channels".to_owned()));
    }
    let seconds = opened.entry(SECONDS).parse().unwrap_or(0.0);
    Ok(Checked { runs: first..last, seconds, cells })
}

/// Refuses what is of another study, or of another version of pliant.
pub(super) fn check_study<R: ChunkReader + 'static>(
    study: &Study,
    name: &Path,
    opened: &Opened<R>,
    columns: &[StudyColumn],
) -> Result<(), JournalError> {
    let (version, own) = (opened.entry(VERSION), env!("CARGO_PKG_VERSION"));
    if version != own {
        let (file, version) = (name.to_owned(), version.to_owned());
        return Err(JournalError::OtherVersion { file, version });
    }
    if opened.entry(STUDY) != study.identity() {
        return Err(JournalError::OtherStudy { file: name.to_owned() });
    }
    if opened.columns != columns {
        return Err(JournalError::damaged(name, "its columns are not those of the study"));
    }
    Ok(())
}
