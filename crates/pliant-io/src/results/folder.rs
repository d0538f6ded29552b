//! The folder of a run.

use super::disk::{self, SCENARIO};
use super::error::{Error, Saved};
use super::metadata::Metadata;
use super::writer::Writer;
use pliant::simulate::Channel;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder for the results of one run, empty but for files that pliant does not know.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    foreign: Vec<String>,
}

impl RunFolder {
    /// Makes the folder, or takes an empty one.
    ///
    /// A folder that holds something is refused unless `force` is given. Then the results of an
    /// earlier run are removed, and all other files stay as they are.
    pub fn create(path: impl AsRef<Path>, force: bool) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let write = |source| Error::Write { file: path.clone(), saved: Saved::default(), source };
        std::fs::create_dir_all(&path).map_err(write)?;
        let (results, foreign) = inventory(&path)?;
        let empty = results.is_empty() && foreign.is_empty();
        if !empty && !force {
            return Err(Error::NotEmpty { path, results, foreign });
        }
        check_removable(&path, &results)?;
        for name in &results {
            let file = path.join(name);
            std::fs::remove_file(&file).map_err(|source| Error::Write {
                file,
                saved: Saved::default(),
                source,
            })?;
        }
        Ok(Self { path, foreign })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
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
        let file = self.path.join(SCENARIO);
        disk::write_whole(&file, Saved::default(), |out| Ok(out.write_all(scenario.as_bytes())?))?;
        scenario.clone_into(&mut metadata.scenario);
        Writer::new(self.path, channels, metadata)
    }
}

/// The names in a folder, sorted: those of results and all others.
fn inventory(path: &Path) -> Result<(Vec<String>, Vec<String>), Error> {
    let read = |source| Error::Read { file: path.to_owned(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path).map_err(read)? {
        names.push(entry.map_err(read)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names.into_iter().partition(|name| disk::is_ours(name)))
}

/// Refuses to remove what only looks like a result, before anything is removed.
fn check_removable(path: &Path, results: &[String]) -> Result<(), Error> {
    let in_the_way = |name: &str, why| Err(Error::InTheWay { file: path.join(name), why });
    if let [only] = results
        && only == SCENARIO
    {
        return in_the_way(only, "it stands alone and may be the only copy of a scenario");
    }
    for name in results {
        if path.join(name).is_dir() {
            return in_the_way(name, "it is a folder");
        }
    }
    Ok(())
}
