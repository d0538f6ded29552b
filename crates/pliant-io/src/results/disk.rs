//! The names of the files of a run, and how they are written.

use super::error::{Error, Saved};
use super::exports::Exports;
use crate::files::{self, Existing};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

pub(super) const SCENARIO: &str = "scenario.toml";
pub(super) const RESULT: &str = "result.parquet";
pub(super) const SUMMARY: &str = "summary.json";

/// From where a run goes on.
pub(super) const CHECKPOINT: &str = "checkpoint.bin";

/// What is to be made of the results, until that is done.
pub(super) const WANTED: &str = "exports.txt";

/// Held by the run that writes the folder.
pub(crate) const LOCK: &str = "run.lock";

/// The name of a part.
pub(super) fn part_name(number: u64) -> String {
    format!("part-{number:05}.parquet")
}

/// The number of the part that has this name.
pub(super) fn part_number(name: &str) -> Option<u64> {
    let number = name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok()?;
    (part_name(number) == name).then_some(number)
}

/// True for the names that a run gives to its files, finished or not; its lock is none of them.
pub(super) fn is_ours(name: &str) -> bool {
    let name = files::without_partial(name);
    [SCENARIO, RESULT, SUMMARY, CHECKPOINT, WANTED].contains(&name)
        || Exports::NAMES.contains(&name)
        || part_number(name).is_some()
}

/// True for a file of a run that was still being written.
pub(super) fn is_partial(name: &str) -> bool {
    is_ours(name) && files::without_partial(name) != name
}

/// What stops the writing of a file: the disk, or what should go into it.
pub(super) type Trouble = files::Trouble<Error>;

/// Writes a file whole or not at all. The error says what was saved before.
pub(super) fn write_whole(
    path: &Path,
    existing: Existing,
    saved: Saved,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), Trouble>,
) -> Result<(), Error> {
    let disk = |source| Error::Write { file: path.to_owned(), saved, source };
    existing.write_with(path, fill).map_err(|trouble| trouble.told(disk))
}

/// Writes a file of a run, whose folder is locked: one of that name is of a trial that failed.
pub(super) fn write_own(
    path: &Path,
    saved: Saved,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), Trouble>,
) -> Result<(), Error> {
    write_whole(path, Existing::Replace, saved, fill)
}

/// Summaries, scenarios, checkpoints and footers of results have at most so many bytes.
pub(super) const LARGEST: u64 = 256 << 20;

/// Opens a plain file; a pipe in its place would be waited for.
pub(crate) fn open(file: &Path) -> Result<File, Error> {
    let read = |source| Error::Read { file: file.to_owned(), source };
    if !std::fs::metadata(file).map_err(read)?.is_file() {
        let why = "it is not a plain file".to_owned();
        return Err(Error::Damaged { file: file.to_owned(), why });
    }
    File::open(file).map_err(read)
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
        assert!(is_ours("part-00003.parquet.00000000deadbeef.partial"));
        assert!(!is_ours("notes.txt.00000000deadbeef.partial"));
    }
}
