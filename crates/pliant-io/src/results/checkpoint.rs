//! From where a run goes on that was killed or interrupted.
//!
//! `checkpoint.bin` is a line that says which run it is of, how far that is, how many rows had been
//! recorded and what it had taken, the state of the run after a step as little-endian doubles, and the SHA-256 of
//! all that. It is replaced as a whole by the next one, and every row up to it is in a part before it
//! is written: rows and state cannot disagree, and what parts hold beyond it is computed again.

use super::disk::{self, CHECKPOINT};
use super::error::{Error, Saved};
use super::reader::read_if_there;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The time between two checkpoints is at least so many times what one takes: together they take at
/// most half a per cent of a run.
const RARELY: u32 = 200;

/// The bytes of a checksum.
const CHECKSUM: usize = 32;

/// What a run has taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Time that passed (s).
    pub wall_seconds: f64,
    /// Time the processor worked (s).
    pub cpu_seconds: f64,
}

/// A run after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// All that it remembers: [`Simulation::resume`](pliant::scenario::Simulation::resume) goes on from
    /// there.
    pub state: Vec<f64>,
    /// How far it is (s).
    pub time: f64,
    /// How many rows it has recorded.
    pub rows: u64,
    /// What it has taken.
    pub spent: Spent,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    run: String,
    time: f64,
    rows: u64,
    #[serde(flatten)]
    spent: Spent,
}

/// How long to wait after a checkpoint that took so long.
pub(super) fn pause(took: Duration, least: Duration) -> Duration {
    took.saturating_mul(RARELY).max(least)
}

impl Checkpoint {
    /// Replaces the one before.
    pub(super) fn write(&self, folder: &Path, run: &str, saved: Saved) -> Result<(), Error> {
        disk::write_own(&folder.join(CHECKPOINT), saved, |out| {
            let (run, time, rows, spent) = (run.to_owned(), self.time, self.rows, self.spent);
            let head = Head { run, time, rows, spent };
            let mut bytes = serde_json::to_vec(&head).map_err(std::io::Error::from)?;
            bytes.push(b'\n');
            bytes.extend(self.state.iter().flat_map(|number| number.to_le_bytes()));
            let checksum = Sha256::digest(&bytes);
            out.write_all(&bytes)?;
            Ok(out.write_all(&checksum)?)
        })
    }

    /// The one in a folder with the run that it is of, if there is one.
    pub(super) fn read(folder: &Path) -> Result<Option<(String, Self)>, Error> {
        let file = folder.join(CHECKPOINT);
        let Some(bytes) = read_if_there(&file)? else { return Ok(None) };
        let (bytes, checksum) = bytes.split_at(bytes.len().saturating_sub(CHECKSUM));
        if Sha256::digest(bytes).as_slice() != checksum {
            return Err(Error::altered(&file));
        }
        let line = bytes.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
        let head: Head = serde_json::from_slice(line)
            .map_err(|error| Error::Damaged { file, why: error.to_string() })?;
        let (numbers, _) = bytes[line.len()..].as_chunks();
        let state = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
        let Head { run, time, rows, spent } = head;
        Ok(Some((run, Self { state, time, rows, spent })))
    }
}
