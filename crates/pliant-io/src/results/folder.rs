//! The folder of a run.

use super::disk::{self, LOCK, RESULT, SCENARIO};
use super::error::{Error, Saved};
use super::lock::FolderLock;
use super::metadata::Metadata;
use super::reader;
use super::table::Table;
use super::writer::Writer;
use crate::files::{self, Existing};
use pliant::simulate::Channel;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder for the results of one run, empty but for files that pliant does not know, and locked.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    lock: Arc<FolderLock>,
    foreign: Vec<String>,
}

impl RunFolder {
    /// Makes the folder, or takes an empty one.
    ///
    /// A folder that holds something is refused unless that is to be replaced. Then the results of an
    /// earlier run are removed, and all other files stay as they are. A folder that another run
    /// writes into is refused in any case, and so is one with a `scenario.toml` that is not the one
    /// of the results beside it.
    pub fn create(path: impl AsRef<Path>, existing: Existing) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let write = |source| Error::Write { file: path.clone(), saved: Saved::default(), source };
        if path.is_symlink() && !path.exists() {
            let why = "is a symbolic link to a folder that does not exist".to_owned();
            return Err(Error::InTheWay { file: path, why });
        }
        std::fs::create_dir_all(&path).map_err(write)?;
        // where no run is, nothing is touched before it is sure that it may be
        if !path.join(LOCK).exists() {
            inventory(&path, existing)?;
        }
        let lock = Arc::new(FolderLock::take(&path)?);
        let (results, foreign) = inventory(&path, existing)?;
        let folder = Self { path, lock, foreign };
        folder.remove(|name| results.iter().any(|one| one == name))?;
        Ok(folder)
    }

    /// Removes the results of a run, and the folder where it then is empty. Where they stand beside a
    /// scenario that is not theirs, all of it stays.
    pub(crate) fn clear(path: &Path) -> Result<(), Error> {
        let lock = Arc::new(FolderLock::take(path)?);
        let Ok((results, foreign)) = inventory(path, Existing::Replace) else { return Ok(()) };
        let folder = Self { path: path.to_owned(), lock, foreign };
        folder.remove(|name| results.iter().any(|one| one == name))?;
        drop(folder);
        // what is foreign keeps it
        let _ = std::fs::remove_dir(path);
        Ok(())
    }

    /// Takes a folder as it is.
    pub(super) fn take(path: &Path) -> Result<Self, Error> {
        let lock = Arc::new(FolderLock::take(path)?);
        let foreign = names(path)?.into_iter().filter(|name| !disk::is_ours(name)).collect();
        Ok(Self { path: path.to_owned(), lock, foreign })
    }

    /// Removes the files of a run that have such names.
    pub(super) fn remove(&self, goes: impl Fn(&str) -> bool) -> Result<(), Error> {
        for name in names(&self.path)?.iter().filter(|name| disk::is_ours(name) && goes(name)) {
            let file = self.path.join(name);
            files::plain_file(&file)?;
            std::fs::remove_file(&file).map_err(|source| Error::Write {
                file,
                saved: Saved::default(),
                source,
            })?;
        }
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What keeps other runs out of it; it holds for as long as somebody has it, and a [`Writer`]
    /// has it until its end.
    pub fn lock(&self) -> Arc<FolderLock> {
        Arc::clone(&self.lock)
    }

    /// The files in it that pliant did not write.
    pub fn foreign(&self) -> &[String] {
        &self.foreign
    }

    /// Writes down the scenario as it is run, and begins to record.
    ///
    /// The channels are those beside the time. A first part without rows is written at once, so
    /// that the folder can be opened from now on.
    pub fn start(
        self,
        scenario: &str,
        channels: Vec<Channel>,
        mut metadata: Metadata,
    ) -> Result<Writer, Error> {
        scenario.clone_into(&mut metadata.scenario);
        let file = self.path.join(SCENARIO);
        // nothing is written for channels that no file can have
        let writer = Writer::new(self.path, self.lock, channels, metadata)?;
        disk::write_own(&file, Saved::default(), |out| Ok(out.write_all(scenario.as_bytes())?))?;
        writer.begin()
    }

    /// Goes on to record into the parts of a run, of which so many are there and hold that much.
    pub(super) fn go_on(
        self,
        channels: Vec<Channel>,
        metadata: Metadata,
        run: String,
        there: (u64, Saved),
    ) -> Result<Writer, Error> {
        Writer::going_on(self.path, self.lock, (channels, metadata), run, there)
    }
}

/// The names in a folder but for that of its lock, sorted.
pub(crate) fn names(path: &Path) -> Result<Vec<String>, Error> {
    let read = |source| Error::Read { file: path.to_owned(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path).map_err(read)? {
        names.push(entry.map_err(read)?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != LOCK);
    names.sort();
    Ok(names)
}

/// Those of results, which may be removed, and all others.
fn inventory(path: &Path, existing: Existing) -> Result<(Vec<String>, Vec<String>), Error> {
    let names = names(path)?;
    let empty = names.is_empty();
    let (results, foreign): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|name| disk::is_ours(name));
    if !empty && existing == Existing::Refuse {
        return Err(Error::NotEmpty { path: path.to_owned(), results, foreign });
    }
    check_removable(path, &results)?;
    Ok((results, foreign))
}

/// Refuses to remove what only looks like a result, before anything is removed.
fn check_removable(path: &Path, results: &[String]) -> Result<(), Error> {
    for name in results {
        files::plain_file(&path.join(name))?;
    }
    if results.iter().any(|name| name == SCENARIO) && !is_known(path, results)? {
        let why = if results.iter().any(|name| holds_rows(name)) {
            "is not the scenario of the results beside it"
        } else {
            "stands alone and may be the only copy of a scenario"
        };
        return Err(Error::InTheWay { file: path.join(SCENARIO), why: why.to_owned() });
    }
    Ok(())
}

/// Whether a file holds rows, and with them the scenario that was run.
fn holds_rows(name: &str) -> bool {
    name == RESULT || disk::part_number(name).is_some()
}

/// Whether results in a folder hold the scenario that stands beside them.
fn is_known(path: &Path, results: &[String]) -> Result<bool, Error> {
    let scenario = reader::read_if_there(&path.join(SCENARIO))?.unwrap_or_default();
    let mut tables = results.iter().filter(|name| holds_rows(name)).map(|name| path.join(name));
    // what is damaged knows nothing
    let holds = |table: Table| table.metadata.scenario.as_bytes() == scenario;
    Ok(tables.any(|file| Table::open(&file).is_ok_and(holds)))
}
