//! Files that are there as a whole or not at all, and the names they have.

use super::error::{Error, Saved};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub(super) const SCENARIO: &str = "scenario.toml";
pub(super) const RESULT: &str = "result.parquet";
pub(super) const SUMMARY: &str = "summary.json";

/// Further names that exports of a run may have.
const EXPORTS: [&str; 3] = ["result.csv", "result.npz", "report.html"];

/// The ending of a file that is still being written; readers do not look at it.
const PARTIAL: &str = ".partial";

/// The name of a part.
pub(super) fn part_name(number: u64) -> String {
    format!("part-{number:05}.parquet")
}

/// The number of the part that has this name.
pub(super) fn part_number(name: &str) -> Option<u64> {
    let number = name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok()?;
    (part_name(number) == name).then_some(number)
}

/// True for the names that a run gives to its files.
pub(super) fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(PARTIAL).unwrap_or(name);
    [SCENARIO, RESULT, SUMMARY].contains(&name)
        || EXPORTS.contains(&name)
        || part_number(name).is_some()
}

/// What stops the writing of a file: the disk, or what should go into it.
pub(super) enum Trouble {
    Disk(std::io::Error),
    Content(Error),
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Content(error)
    }
}

/// Writes a file under a temporary name, waits until the disk has it and gives it its own name.
/// When this fails nothing of it remains, and the error says what was saved before.
pub(super) fn write_whole(
    path: &Path,
    saved: Saved,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), Trouble>,
) -> Result<(), Error> {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL);
    let partial = PathBuf::from(name);
    fill_and_rename(&partial, path, fill).map_err(|trouble| {
        // the first error is the one to report
        let _ = std::fs::remove_file(&partial);
        match trouble {
            Trouble::Disk(source) => Error::Write { file: path.to_owned(), saved, source },
            Trouble::Content(error) => error,
        }
    })
}

/// Writes bytes that are made already.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_whole(path, Saved::default(), |out| Ok(out.write_all(bytes)?))
}

fn fill_and_rename(
    partial: &Path,
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut file = BufWriter::new(File::create(partial)?);
    fill(&mut file)?;
    file.flush()?;
    file.get_ref().sync_all()?;
    drop(file); // some systems do not rename open files
    std::fs::rename(partial, path)?;
    Ok(sync_folder(path)?)
}

/// Brings the new name of a file to the disk, where the system lets folders be opened.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_ours, part_name, part_number};

    #[test]
    fn parts_are_known_by_their_numbers() {
        for number in [0, 7, 99_999, 100_000] {
            assert_eq!(part_number(&part_name(number)), Some(number));
        }
        for name in ["part-1.parquet", "part-+0001.parquet", "part-00001.csv", "part-.parquet"] {
            assert_eq!(part_number(name), None, "{name}");
            assert!(!is_ours(name), "{name}");
        }
        assert!(is_ours("part-00003.parquet.partial") && is_ours("summary.json"));
    }
}
