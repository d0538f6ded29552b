//! What is made of the results of a run when it has ended.
//!
//! `exports.txt` has the names of these files, one in each line, from the beginning of a run until they
//! are made, so that a run that goes on after a kill ends with the same files.

use super::disk::{self, WANTED};
use super::error::{Error, Saved};
use super::reader::read_if_there;
use pliant::name::shown;
use std::io::Write;
use std::path::Path;

/// The files beside `result.parquet` that are made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exports {
    /// `result.csv`.
    pub csv: bool,
    /// `result.npz`.
    pub npz: bool,
    /// `report.html`.
    pub page: bool,
}

impl Exports {
    /// The names that they have in the folder of a run.
    pub const NAMES: [&str; 3] = ["result.csv", "result.npz", "report.html"];

    fn wanted(self) -> [bool; 3] {
        [self.csv, self.npz, self.page]
    }

    /// Writes them down in a folder.
    pub(crate) fn remember(self, folder: &Path) -> Result<(), Error> {
        let names = Self::NAMES.iter().zip(self.wanted()).filter(|(_, wanted)| *wanted);
        let text: String = names.flat_map(|(name, _)| [*name, "\n"]).collect();
        disk::write_own(&folder.join(WANTED), Saved::default(), |out| {
            Ok(out.write_all(text.as_bytes())?)
        })
    }

    /// Those of a run in a folder that are still to be made, if that is known.
    pub fn remembered(folder: &Path) -> Result<Option<Self>, Error> {
        let file = folder.join(WANTED);
        let Some(bytes) = read_if_there(&file)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&bytes);
        if let Some(other) = text.lines().find(|line| !Self::NAMES.contains(line)) {
            let why = format!("{} is none of {}", shown(other), Self::NAMES.join(", "));
            return Err(Error::Damaged { file, why });
        }
        let [csv, npz, page] = Self::NAMES.map(|name| text.lines().any(|line| line == name));
        Ok(Some(Self { csv, npz, page }))
    }

    /// They are made, and the run in the folder has ended.
    pub fn are_made(folder: impl AsRef<Path>) -> Result<(), Error> {
        let file = folder.as_ref().join(WANTED);
        match std::fs::remove_file(&file) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::Write { file, saved: Saved::default(), source })
            }
            _ => Ok(()),
        }
    }
}
