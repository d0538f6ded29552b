//! Many chunks become one table, and one file of series.

use super::chunk::{STUDY, VERSION, checked};
use super::error::JournalError;
use super::folder::read_chunk;
use super::series;
use super::sheet::{Cells, Layout};
use super::{Study, StudyColumn};
use crate::files::{Existing, Trouble};
use crate::results::{as_io, rows_per_group};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The text of the study in its table.
pub(super) const TEXT: &str = "pliant.text";

/// Writes the rows of chunks, in their order, into one table. At most one group of rows and one chunk
/// are in memory.
pub(super) fn merge(
    study: &Study,
    chunks: &[(Range<u64>, PathBuf)],
    table: &Path,
) -> Result<(), JournalError> {
    // the series come last
    written(study, (study.columns(), table), |add| each_chunk(study, chunks, |_, cells| add(cells)))
}

/// Writes the series of chunks into one file: the rows of each run, in the order of the runs.
pub(super) fn merge_series(
    study: &Study,
    chunks: &[(Range<u64>, PathBuf)],
    file: &Path,
) -> Result<(), JournalError> {
    written(study, (study.series_columns(), file), |add| {
        each_chunk(study, chunks, |runs, mut cells| {
            let Some(Cells::Blocks(blocks)) = cells.pop() else { return Ok(()) };
            for (index, block) in runs.zip(blocks) {
                let numbers = series::columns(&block, study.series.len());
                let indices = vec![index; numbers[0].len()];
                let numbers = numbers.into_iter().map(Cells::Numbers);
                add([Cells::Indices(indices)].into_iter().chain(numbers).collect())?;
            }
            Ok(())
        })
    })
}

/// Hands over the cells of one chunk after the other.
fn each_chunk(
    study: &Study,
    chunks: &[(Range<u64>, PathBuf)],
    mut take: impl FnMut(Range<u64>, Vec<Cells>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for (_, chunk) in chunks {
        let found = checked(study, chunk, read_chunk(chunk)?)?;
        take(found.runs, found.cells)?;
    }
    Ok(())
}

/// What stops the writing: the disk, or a chunk.
type Failure = Trouble<JournalError>;

/// Writes a file with some columns. What is filled in comes in pieces of any length, and is written in
/// groups of one length.
fn written(
    study: &Study,
    (columns, file): (Vec<StudyColumn>, &Path),
    fill: impl FnOnce(&mut dyn FnMut(Vec<Cells>) -> Result<(), Failure>) -> Result<(), Failure>,
) -> Result<(), JournalError> {
    let entries = [
        (VERSION, env!("CARGO_PKG_VERSION").to_owned()),
        (STUDY, study.identity()),
        (TEXT, study.text().to_owned()),
    ];
    let disk = |source| JournalError::Write { file: file.to_owned(), source };
    let layout = Layout::new(&columns, &entries).map_err(|error| disk(as_io(error)))?;
    let written = Existing::Replace.write_with(file, |out| {
        layout.fill(out, |write| {
            let mut gathered = Gathered::new(&columns);
            fill(&mut |mut cells| {
                gathered.add(&mut cells);
                while gathered.rows() >= gathered.group {
                    write(&gathered.take(gathered.group))?;
                }
                Ok(())
            })?;
            let rest = gathered.rows();
            if rest > 0 {
                write(&gathered.take(rest))?;
            }
            Ok::<(), Failure>(())
        })
    });
    written.map_err(|trouble| trouble.told(disk))
}

/// Rows on their way from chunks of any length to groups of one length.
struct Gathered {
    cells: Vec<Cells>,
    group: usize,
}

impl Gathered {
    fn new(columns: &[StudyColumn]) -> Self {
        let cells = columns.iter().map(|column| column.role.empty()).collect();
        Self { cells, group: rows_per_group(columns.len()) }
    }

    fn add(&mut self, cells: &mut [Cells]) {
        for (all, cells) in self.cells.iter_mut().zip(cells) {
            all.append(cells);
        }
    }

    fn rows(&self) -> usize {
        self.cells.first().map_or(0, Cells::len)
    }

    fn take(&mut self, rows: usize) -> Vec<Cells> {
        self.cells.iter_mut().map(|cells| cells.take_front(rows)).collect()
    }
}
