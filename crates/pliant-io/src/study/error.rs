//! What can go wrong with the folder of a study.

use crate::escape::Shown as _;
use crate::files::{ContentError, FileError};
use crate::results;
use pliant::Help;
use pliant::name::shown;
use pliant::study::StudyError;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why the rows of a study could not be written or read. What was written before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The folder holds something already.
    #[error("the folder {} is not empty: it holds {}", path.shown(), listed(names))]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// What is in it.
        names: Vec<String>,
        /// Whether a study could go on in it.
        goes_on: bool,
    },
    /// A file that is none of a study stands where one would go.
    #[error("{} is in the way: it {why}", file.shown())]
    InTheWay {
        /// The file.
        file: PathBuf,
        /// Why it is not replaced.
        why: String,
    },
    /// What can go wrong with the folder of a run too: another process writes into it, it cannot be
    /// locked, or a file in it cannot be read or is damaged.
    #[error(transparent)]
    Folder(results::Error),
    /// The folder of no study.
    #[error("{} holds no study: there is no study.toml in it", path.shown())]
    NoStudy {
        /// The folder.
        path: PathBuf,
    },
    /// Rows of another study.
    #[error("{} is of another study", file.shown())]
    OtherStudy {
        /// The file.
        file: PathBuf,
    },
    /// Rows of another version of pliant, whose numbers may be others.
    #[error("{} is of version {} of pliant, and this is {}", file.shown(), shown(version), env!("CARGO_PKG_VERSION"))]
    OtherVersion {
        /// The file.
        file: PathBuf,
        /// That version.
        version: String,
    },
    /// Rows of which some are known and some are not.
    #[error("the runs {} to {} are partly done already", runs.start, runs.end.saturating_sub(1))]
    Overlaps {
        /// Which runs.
        runs: Range<u64>,
    },
    /// Not all runs are done.
    #[error("{missing} of {all} runs are not done")]
    Incomplete {
        /// How many are missing.
        missing: u64,
        /// How many there are.
        all: u64,
    },
    /// Runs of an optimisation, which follow from each other.
    #[error("the study is an optimisation, whose runs follow from each other")]
    Optimises,
    /// An optimisation of a study that names nothing to be small or large.
    #[error("the study is a sweep: it does not say what is to be small or large")]
    Sweeps,
    /// A run of an optimisation that is not the one that its search asks for.
    #[error("run {run} in {} is at another point than the search asks for", path.shown())]
    OtherPoint {
        /// The folder.
        path: PathBuf,
        /// Which run.
        run: u64,
    },
    /// A search that cannot be made.
    #[error(transparent)]
    Search(#[from] StudyError),
    /// The disk took no more.
    #[error("{} cannot be written: {source}", file.shown())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Rows that cannot be put together.
    #[error("the rows of the runs {} to {} cannot be put together: {source}", runs.start, runs.end.saturating_sub(1))]
    Chunk {
        /// Which runs.
        runs: Range<u64>,
        /// What happened.
        source: std::io::Error,
    },
}

impl JournalError {
    /// A file or folder that cannot be read.
    pub(super) fn unread(file: &Path, source: std::io::Error) -> Self {
        Self::Folder(results::Error::Read { file: file.to_owned(), source })
    }

    /// A file that pliant did not write, or that was damaged since.
    pub(super) fn damaged(file: &Path, why: impl Into<String>) -> Self {
        Self::Folder(results::Error::Damaged { file: file.to_owned(), why: why.into() })
    }
}

impl ContentError for JournalError {}

impl From<FileError> for JournalError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Exists { file } => Self::InTheWay { file, why: "exists already".to_owned() },
            FileError::NotPlain { file, what } => {
                Self::InTheWay { file, why: format!("is {what}") }
            }
            FileError::NotFolder { file } => {
                Self::InTheWay { file, why: "is no folder".to_owned() }
            }
            FileError::Write { file, source } => Self::Write { file, source },
        }
    }
}

impl From<results::Error> for JournalError {
    fn from(error: results::Error) -> Self {
        match error {
            results::Error::Write { file, source, .. } => Self::Write { file, source },
            results::Error::InTheWay { file, why } => Self::InTheWay { file, why },
            other => Self::Folder(other),
        }
    }
}

impl Help for JournalError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::NotEmpty { goes_on: true, .. } => {
                "go on with the study in it, name another folder, or force the study to replace it"
            }
            Self::NotEmpty { .. } => {
                "name another folder, or force the study to replace what is of a study in it (other files stay)"
            }
            Self::InTheWay { .. } => "move it or name another folder",
            Self::Folder(results::Error::InUse { .. }) => {
                "wait until that study has ended, or name another folder"
            }
            Self::Folder(results::Error::Damaged { .. }) => {
                "remove the file: what was in it is done again"
            }
            Self::Folder(error) => return error.help(),
            Self::NoStudy { .. } => "name the folder of a study that was begun",
            Self::OtherStudy { .. } => {
                "give the study that was begun there, or name another folder"
            }
            Self::OtherVersion { .. } => {
                "go on with that version, or run the study anew: into another folder, or by force into this one"
            }
            Self::Overlaps { .. } => "ask the folder which runs are missing",
            Self::Incomplete { .. } => "do the runs that are missing first",
            Self::Optimises => "run it as an optimisation: pliant optimise",
            Self::Sweeps => {
                "add a line [optimise] and below it minimise = \"bar.tip.settling_time\", or run it as a sweep"
            }
            Self::OtherPoint { .. } => {
                "it comes from another build or machine: begin anew, into another folder or by force into this one"
            }
            Self::Search(error) => return error.help(),
            Self::Write { source, .. } => {
                return Some(crate::write_help(source, "make room; then the study goes on"));
            }
            Self::Chunk { .. } => return None,
        };
        Some(help.to_owned())
    }
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
