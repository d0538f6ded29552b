//! What can go wrong with a folder of results.

use super::disk::CHECKPOINT;
use crate::escape::Shown as _;
use crate::files::{ContentError, FileError};
use pliant::Help;
use pliant::name::shown;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why results could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder for a run holds something already.
    #[error(
        "the folder {} is not empty: {}",
        path.shown(),
        inventory(results, foreign)
    )]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// Files of an earlier run.
        results: Vec<String>,
        /// Other files.
        foreign: Vec<String>,
    },
    /// A file that is no result stands where a result would go.
    #[error("{} is in the way: it {why}", file.shown())]
    InTheWay {
        /// The file.
        file: PathBuf,
        /// Why it is not replaced.
        why: String,
    },
    /// A file that is not to be replaced.
    #[error("{} exists already", file.shown())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// Another run writes into the folder.
    #[error("the folder {} is in use by {holder}", path.shown())]
    InUse {
        /// The folder.
        path: PathBuf,
        /// Who writes into it.
        holder: String,
    },
    /// Parts of two runs are in one folder.
    #[error("{} belongs to another run than {than}", file.shown())]
    OtherRun {
        /// The part.
        file: PathBuf,
        /// What it was compared with.
        than: String,
    },
    /// A run that does not go on.
    #[error("the run in {} cannot be continued: {why}", path.shown())]
    CannotContinue {
        /// Its folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The disk took no more.
    #[error("{} cannot be written: {source}, and {saved}", file.shown())]
    Write {
        /// The file.
        file: PathBuf,
        /// What is safe.
        saved: Saved,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file or folder that cannot be read.
    #[error("{} cannot be read: {source}", file.shown())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that pliant did not write, or that was damaged since.
    #[error("{} is damaged or not of pliant: {why}", file.shown())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A folder without results.
    #[error("{} holds neither result.parquet nor part files", path.shown())]
    NoResults {
        /// The folder.
        path: PathBuf,
    },
    /// A channel that cannot be one.
    #[error("the channel `{column}` {why}")]
    BadChannel {
        /// The name of its column.
        column: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A row that does not fit the channels.
    #[error("the row at t = {time:e} has {found} values for {expected} channels beside the time")]
    RowLength {
        /// The time of the row.
        time: f64,
        /// How many values it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// No channel has this name.
    #[error("there is no channel `{name}`")]
    UnknownChannel {
        /// The name asked for.
        name: String,
        /// The nearest there is.
        near: Option<String>,
    },
}

impl ContentError for Error {}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Exists { file } => Self::Exists { file },
            FileError::NotPlain { file, what } => {
                Self::InTheWay { file, why: format!("is {what}") }
            }
            FileError::NotFolder { file } => {
                Self::InTheWay { file, why: "is no folder".to_owned() }
            }
            FileError::Write { file, source } => {
                Self::Write { file, saved: Saved::default(), source }
            }
        }
    }
}

impl Help for Error {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::NotEmpty { .. } => {
                "name another folder, or force the run to replace the results in it (other files stay)"
            }
            Self::InTheWay { .. } => "move it or name another folder",
            Self::Exists { .. } => "choose another name, or let it be replaced",
            Self::InUse { .. } => "wait until that run has ended, or name another folder",
            Self::OtherRun { .. } => "move the parts of one of the runs to another folder",
            Self::CannotContinue { .. } => {
                "give what was run, or run it anew: into another folder, or by force into this one"
            }
            Self::Write { source, .. } => {
                return Some(crate::write_help(source, "name another folder"));
            }
            Self::Read { .. } => "check the path",
            Self::Damaged { .. } if self.is_of_checkpoint() => {
                "restore the file from a copy, or run the scenario anew: into another folder, or by force into this one"
            }
            Self::Damaged { .. } => "restore the file from a copy, or run the scenario again",
            Self::NoResults { .. } => "is this the folder of a run?",
            Self::BadChannel { .. } => "give every channel a name of its own",
            Self::RowLength { .. } => "give one value for each channel",
            Self::UnknownChannel { near: Some(near), .. } => {
                return Some(format!("did you mean `{near}`?"));
            }
            Self::UnknownChannel { near: None, .. } => "the reader's channels are the list of them",
        };
        Some(help.to_owned())
    }
}

/// What of a run is safe on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saved {
    /// How many rows.
    pub rows: u64,
    /// The time of the last of them (s).
    pub until: Option<f64>,
    /// True when they are in `result.parquet`, false when in part files.
    pub merged: bool,
}

impl fmt::Display for Saved {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Some(until) = self.until else {
            return out.write_str("no rows were saved before");
        };
        let place = if self.merged { "result.parquet" } else { "the part files" };
        let rows = self.rows;
        let (noun, verb) = if rows == 1 { ("row", "is") } else { ("rows", "are") };
        write!(out, "{rows} {noun} up to t = {until} s {verb} safe in {place}")
    }
}

impl Error {
    /// Whether a checkpoint is damaged, without which a run does not go on.
    pub fn is_of_checkpoint(&self) -> bool {
        matches!(self, Self::Damaged { file, .. } if file.ends_with(CHECKPOINT))
    }

    /// Bytes of a file are not those that were written.
    pub(crate) fn altered(file: &Path) -> Self {
        let why = "its bytes do not fit its checksum".to_owned();
        Self::Damaged { file: file.to_owned(), why }
    }
}

fn inventory(results: &[String], foreign: &[String]) -> String {
    let mut found = Vec::new();
    if !results.is_empty() {
        found.push(format!("results of an earlier run ({})", listed(results)));
    }
    if !foreign.is_empty() {
        found.push(format!("other files ({})", listed(foreign)));
    }
    found.join(" and ")
}

/// The first few names, and how many more there are.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let first = names.iter().take(SHOWN).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
