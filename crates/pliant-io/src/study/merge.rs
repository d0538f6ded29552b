//! Many chunks become one table.

use super::chunk::{STUDY, VERSION, checked};
use super::error::JournalError;
use super::folder::read_chunk;
use super::sheet::{Cells, Layout};
use super::{Study, StudyColumn};
use crate::files::{Existing, FileError};
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
    let columns = study.columns();
    let entries = [
        (VERSION, env!("CARGO_PKG_VERSION").to_owned()),
        (STUDY, study.identity()),
        (TEXT, study.text().to_owned()),
    ];
    let disk = |source| JournalError::Write { file: table.to_owned(), source };
    let layout = Layout::new(&columns, &entries).map_err(|error| disk(as_io(error)))?;
    let written = Existing::Replace.write_with(table, |out| {
        layout.fill(out, |write| {
            let mut gathered = Gathered::new(&columns);
            for (_, chunk) in chunks {
                let found = checked(study, chunk, read_chunk(chunk)?)?;
                for (all, mut cells) in gathered.cells.iter_mut().zip(found.cells) {
                    all.append(&mut cells);
                }
                while gathered.rows() >= gathered.group {
                    write(&gathered.take(gathered.group))?;
                }
            }
            let rest = gathered.rows();
            if rest > 0 {
                write(&gathered.take(rest))?;
            }
            Ok::<(), Trouble>(())
        })
    });
    written.map_err(|trouble| match trouble {
        Trouble::Disk(source) => disk(source),
        Trouble::Content(error) => error,
    })
}

/// What stops the writing of the table: the disk, or a chunk.
enum Trouble {
    Disk(std::io::Error),
    Content(JournalError),
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Self {
        Self::Content(error)
    }
}

impl From<FileError> for Trouble {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Write { source, .. } => Self::Disk(source),
            other => Self::Content(other.into()),
        }
    }
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

    fn rows(&self) -> usize {
        self.cells.first().map_or(0, Cells::len)
    }

    fn take(&mut self, rows: usize) -> Vec<Cells> {
        self.cells.iter_mut().map(|cells| cells.take_front(rows)).collect()
    }
}
