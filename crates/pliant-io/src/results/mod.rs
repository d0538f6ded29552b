//! What a run leaves behind: a folder that opens elsewhere, and opens even when the run was killed.
//!
//! ```no_run
//! use pliant::simulate::{Channel, ChannelRole, Status, Summary};
//! use pliant_io::files::Existing;
//! use pliant_io::results::{Metadata, RunOutcome, Reader, RunFolder};
//!
//! let channels = vec![Channel::new("upper.y1", "m", ChannelRole::Position)];
//! let metadata = Metadata::new("the text of the arm file", "dop853");
//! let mut writer = RunFolder::create("swing", Existing::Refuse)?.start("duration = 1", channels, metadata)?;
//! writer.row(0.0, &[0.25])?;
//! writer.finish(RunOutcome::new(Summary::new(Status::Completed, 0.0)))?;
//!
//! let deflection = Reader::open("swing")?.column("upper.y1")?;
//! # Ok::<(), pliant_io::results::Error>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `scenario.toml` | the scenario as it was run |
//! | `part-00000.parquet`, … | the rows so far, while the run lasts; each is complete and readable |
//! | `checkpoint.bin` | from where the run goes on if it is killed, while it lasts and after it was interrupted |
//! | `result.parquet` | all rows, the scenario and the outcome, once the run has ended; the parts are then removed |
//! | `summary.json` | how the run ended, what it cost, drifts, extremes, events |
//! | `report.html` | all of it to look at, where it is wanted: see [`report`](crate::report) |
//! | `exports.txt` | which of `result.csv`, `result.npz` and `report.html` are to be made, until they are |
//! | `run.lock` | who writes into the folder, while the run lasts: no other run may |
//!
//! The first column is the time in seconds; all are named as [`Channel::column`](pliant::simulate::Channel::column) says. The bytes of
//! `result.parquet` depend on rows, channels, metadata and outcome alone: wall and processor times are
//! in `summary.json` only. A page and plots need no other file.
//!
//! Parts say which run they are of, so that those of two runs are never taken for one. Parts, result
//! and summary hold a checksum over all of their bytes, by which a [`Reader`] finds every damage.

mod earlier;
pub(crate) mod checksum;
mod metadata;
mod error;
mod disk;
mod exports;
mod lock;
mod summary;
mod table;
mod folder;
mod merge;
mod writer;
mod reader;
mod checkpoint;
mod reopen;
mod export;

pub use checkpoint::{Checkpoint, Spent};
pub(crate) use disk::{LOCK, open as open_plain};
pub use error::{Error, Saved};
pub use export::npz;
pub use exports::Exports;
pub use folder::RunFolder;
pub(crate) use folder::names;
pub use lock::FolderLock;
pub use metadata::{Metadata, hash};
pub use reader::Reader;
pub use reopen::{BegunRun, EndedRun, Reopened};
pub use summary::{RunOutcome, RunSummary};
pub(crate) use table::{
    MOST_VALUES, as_io, count_rows, entries, join, joined, rows_per_group, split,
};
pub use writer::Writer;
