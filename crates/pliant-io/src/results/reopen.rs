//! The folder of a run that is to go on.

use super::checkpoint::{Checkpoint, Spent};
use super::disk::{self, CHECKPOINT, RESULT, SCENARIO, SUMMARY, WANTED};
use super::error::{Error, Saved};
use super::exports::Exports;
use super::folder::{RunFolder, names};
use super::lock::{FolderLock, one_line};
use super::metadata::Metadata;
use super::reader;
use super::summary::RunSummary;
use super::table::Table;
use super::writer::Writer;
use crate::files::Existing;
use pliant::simulate::{Channel, Status};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Value;

/// What there is of a run that is to go on.
#[derive(Debug)]
#[must_use]
pub enum Reopened {
    /// Nothing that it could go on from: it begins, with what was doubtful before as far as that is
    /// known.
    Begins(RunFolder, Option<Vec<String>>),
    /// A checkpoint and the rows before it.
    GoesOn(BegunRun),
    /// It has ended, and nothing is left to do.
    Ended(Box<EndedRun>),
}

/// A run that goes on from its checkpoint.
#[derive(Debug)]
pub struct BegunRun {
    /// Where its files are.
    pub folder: RunFolder,
    /// From where it goes on.
    pub checkpoint: Checkpoint,
    /// What was doubtful before the run.
    pub doubts: Vec<String>,
    /// What its parts say that they are of.
    run: String,
    channels: Vec<Channel>,
    parts: u64,
    saved: Saved,
}

/// A run that has ended.
#[derive(Debug)]
pub struct EndedRun {
    /// What is written about it.
    pub written: RunSummary,
    /// Where its files are.
    pub folder: PathBuf,
    /// What is still to be made of its results, as far as that was written down.
    pub exports: Option<Exports>,
    /// What keeps other runs out of the folder until this is dropped.
    pub lock: Arc<FolderLock>,
}

impl BegunRun {
    /// Goes on to record rows, of the same channels.
    pub fn start(self, channels: Vec<Channel>, metadata: Metadata) -> Result<Writer, Error> {
        if self.channels[1..] != channels {
            return Err(self.folder.refusal("its rows have other channels"));
        }
        self.folder.go_on(channels, metadata, self.run, (self.parts, self.saved))
    }
}

impl RunFolder {
    /// Opens the folder of a run that was killed or interrupted, for a run of this metadata, with the
    /// text of its scenario. A folder that does not exist or is empty begins a run.
    ///
    /// Rows after the last checkpoint are dropped, and so are files that were still being written. What
    /// a run that was killed at its very end left to do is done. A run of another scenario, arm or
    /// version is refused, and nothing of it is touched.
    pub fn reopen(path: impl AsRef<Path>, metadata: &Metadata) -> Result<Reopened, Error> {
        let path = path.as_ref();
        let is_new = !path.exists() || !names(path)?.iter().any(|name| disk::is_ours(name));
        if is_new {
            return Ok(Reopened::Begins(Self::create(path, Existing::Refuse)?, None));
        }
        let folder = Self::take(path)?;
        if path.join(RESULT).is_file() {
            folder.reopen_result(metadata)
        } else {
            folder.reopen_parts(metadata)
        }
    }

    /// Of a run whose parts were merged.
    fn reopen_result(self, metadata: &Metadata) -> Result<Reopened, Error> {
        let file = self.path().join(RESULT);
        let table = Table::verified(&file)?;
        self.check_same(&table.metadata, metadata)?;
        let Some(text) = &table.summary else {
            return Err(self.refusal("its result does not say how it ended"));
        };
        let written = RunSummary::parse(text, &table.channels)
            .map_err(|error| Error::Damaged { file: file.clone(), why: error.to_string() })?;
        let checkpoint = Checkpoint::read(self.path())?;
        if written.outcome.run.ending.status != Status::Interrupted {
            let spent = checkpoint.map(|(_, checkpoint)| checkpoint.spent);
            let ended = self.ended(written, text, &table.channels, spent)?;
            return Ok(Reopened::Ended(Box::new(ended)));
        }
        let is_own = |(run, checkpoint): (String, Checkpoint)| {
            table.run() == Some(run.as_str()) && checkpoint.rows == table.rows
        };
        if !checkpoint.is_some_and(is_own) {
            return Err(self.refusal("it was interrupted, and its checkpoint is not there"));
        }
        // it is the first part again, once all that would contradict it is gone
        self.remove(|name| ![RESULT, CHECKPOINT, SCENARIO, WANTED].contains(&name))?;
        let part = self.path().join(disk::part_name(0));
        std::fs::rename(file, &part).map_err(|source| {
            let saved = Saved { rows: table.rows, until: None, merged: true };
            Error::Write { file: part, saved, source }
        })?;
        self.reopen_parts(metadata)
    }

    /// Of a run that was killed.
    fn reopen_parts(self, metadata: &Metadata) -> Result<Reopened, Error> {
        let parts = reader::parts(self.path())?;
        let checkpoint = Checkpoint::read(self.path())?;
        let (Some((_, first)), Some((run, checkpoint))) = (parts.first(), checkpoint) else {
            let mut doubts = None;
            if let Some((_, first)) = parts.first() {
                let first = Table::verified(first)?;
                self.check_same(&first.metadata, metadata)?;
                doubts = Some(first.doubts());
            } else {
                self.check_scenario(metadata)?;
            }
            self.remove(|name| ![SCENARIO, WANTED].contains(&name))?;
            return Ok(Reopened::Begins(self, doubts));
        };
        let first = Table::verified(first)?;
        self.check_same(&first.metadata, metadata)?;
        let (doubts, channels) = (first.doubts(), first.channels);
        let (mut kept, mut saved) = (0, Saved::default());
        // what is behind the checkpoint need not be whole
        for (number, file) in &parts {
            if saved.rows >= checkpoint.rows {
                break;
            }
            if *number != kept {
                return Err(self.refusal(&format!("{} is missing", disk::part_name(kept))));
            }
            let table = Table::verified(file)?;
            table.check_identity(Some(&run), kept, CHECKPOINT)?;
            saved.rows += table.rows;
            saved.until = table.last_time()?.or(saved.until);
            kept += 1;
        }
        if saved.rows != checkpoint.rows {
            return Err(self.refusal(&format!(
                "its checkpoint comes after {} rows, and its parts hold {}",
                checkpoint.rows, saved.rows
            )));
        }
        let is_kept = |name: &str| disk::part_number(name).is_some_and(|number| number < kept);
        self.remove(|name| !is_kept(name) && ![CHECKPOINT, SCENARIO, WANTED].contains(&name))?;
        let folder = self;
        let begun = BegunRun { folder, checkpoint, doubts, run, channels, parts: kept, saved };
        Ok(Reopened::GoesOn(begun))
    }

    /// Does what is left to do after all rows are in the result.
    fn ended(
        self,
        mut written: RunSummary,
        inside: &str,
        channels: &[Channel],
        spent: Option<Spent>,
    ) -> Result<EndedRun, Error> {
        let run = &written.outcome.run;
        let saved = Saved { rows: run.rows, until: Some(run.ending.time), merged: true };
        self.remove(|name| disk::part_number(name).is_some() || disk::is_partial(name))?;
        let file = self.path().join(SUMMARY);
        if let Some(text) = reader::summary_text(&file)? {
            reader::check_summary(&file, &text, Some(inside))?;
            let summary = RunSummary::parse(&text, channels);
            written = summary.map_err(|error| Error::Damaged { file, why: error.to_string() })?;
        } else {
            written.outcome.wall_seconds = spent.map(|spent| spent.wall_seconds);
            written.outcome.cpu_seconds = spent.map(|spent| spent.cpu_seconds);
            written.write(&file, saved)?;
        }
        self.remove(|name| name == CHECKPOINT)?;
        let (folder, exports) = (self.path().to_owned(), Exports::remembered(self.path())?);
        Ok(EndedRun { written, folder, exports, lock: self.lock() })
    }

    /// Refuses a run that is another than the one that is to go on.
    fn check_same(&self, stored: &Metadata, given: &Metadata) -> Result<(), Error> {
        let why = if stored.version != given.version {
            let (own, this) = (&stored.version, &given.version);
            format!("it was run by pliant {own}, and this is {this}")
        } else if stored.arm_hash != given.arm_hash {
            "its arm is another one".to_owned()
        } else if stored.scenario != given.scenario {
            difference(&stored.scenario, &given.scenario)
        } else if *stored != (Metadata { doubts: Vec::new(), ..given.clone() }) {
            "its integrator or its settings are others".to_owned()
        } else {
            return Ok(());
        };
        Err(self.refusal(&why))
    }

    /// The same where there is no more than the scenario, or not even that.
    fn check_scenario(&self, given: &Metadata) -> Result<(), Error> {
        let stored = reader::read_if_there(&self.path().join(SCENARIO))?;
        let Some(stored) = stored else { return Ok(()) };
        let scenario = String::from_utf8_lossy(&stored).into_owned();
        self.check_same(&Metadata { scenario, doubts: Vec::new(), ..given.clone() }, given)
    }

    fn refusal(&self, why: &str) -> Error {
        Error::CannotContinue { path: self.path().to_owned(), why: why.to_owned() }
    }
}

/// Where two scenarios differ first, in what they say rather than in how it is written.
fn difference(stored: &str, given: &str) -> String {
    let read = |text: &str| text.parse::<toml::Table>().map(Value::Table);
    let (Ok(stored), Ok(given)) = (read(stored), read(given)) else {
        return "its scenario is another one".to_owned();
    };
    match other_value(&stored, &given) {
        None => "its scenario says the same and is written in another way".to_owned(),
        Some((key, [old, new])) => {
            format!("its scenario is another one: {} was {old} and is {new}", one_line(&key))
        }
    }
}

/// The first key whose values differ, and both.
fn other_value(stored: &Value, given: &Value) -> Option<(String, [String; 2])> {
    let at = |key: &str, found: Option<(String, [String; 2])>| {
        found.map(|(rest, values)| {
            let dot = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
            (format!("{key}{dot}{rest}"), values)
        })
    };
    let both = |key: &str, old: Option<&Value>, new: Option<&Value>| match (old, new) {
        (Some(old), Some(new)) => at(key, other_value(old, new)),
        _ => Some((key.to_owned(), [old, new].map(in_short))),
    };
    match (stored, given) {
        (Value::Table(old), Value::Table(new)) => {
            let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            keys.into_iter().find_map(|key| both(key, old.get(key), new.get(key)))
        }
        (Value::Array(old), Value::Array(new)) => (0..old.len().max(new.len()))
            .find_map(|item| both(&format!("[{item}]"), old.get(item), new.get(item))),
        _ if stored == given => None,
        _ => Some((String::new(), [stored, given].map(|value| in_short(Some(value))))),
    }
}

/// A value in a message.
fn in_short(value: Option<&Value>) -> String {
    value.map_or("not there".to_owned(), |value| {
        format!("`{}`", one_line(&value.to_string()).chars().take(60).collect::<String>())
    })
}
