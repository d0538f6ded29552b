//! Reading the results of a run.

use super::checksum::{self, Verdict};
use super::disk::{self, RESULT, SCENARIO, SUMMARY};
use super::error::{Error, Saved};
use super::metadata::Metadata;
use super::summary::{self, RunSummary};
use super::table::Table;
use crate::nearest::nearest;
use pliant::simulate::Channel;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The results of a run, whether it has ended or not.
#[derive(Clone, Debug)]
pub struct Reader {
    files: Vec<PathBuf>,
    identity: Option<String>,
    channels: Vec<Channel>,
    metadata: Metadata,
    rows: u64,
    complete: bool,
    summary: Option<RunSummary>,
    warnings: Vec<String>,
}

impl Reader {
    /// Opens the folder of a run: `result.parquet`, or else the parts. Files that were still being
    /// written do not count. Every byte is compared with the checksums, which results of earlier
    /// versions do not have.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let parts = parts(folder)?;
        let merged = folder.join(RESULT);
        let complete = merged.is_file();
        let mut warnings = Vec::new();
        let files = if complete {
            vec![(0, merged)]
        } else {
            warnings.extend(missing(&parts));
            parts
        };
        let mut files = files.into_iter();
        let Some((number, first)) = files.next() else {
            return Err(Error::NoResults { path: folder.to_owned() });
        };
        let than = first.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let table = Table::verified(&first)?;
        let run = table.run().map(ToOwned::to_owned);
        table.check_identity(run.as_deref(), number, &than)?;
        let identity =
            run.clone().or_else(|| table.entry(checksum::ENTRY).map(checksum::digits_of));
        let Table { channels, metadata, rows, summary: inside, .. } = table;
        let beside = folder.join(SUMMARY);
        let summary = match summary_text(&beside)? {
            Some(text) => {
                check_summary(&beside, &text, inside.as_deref())?;
                Some((&beside, text))
            }
            None => inside.filter(|_| complete).map(|text| (&first, text)),
        };
        let parse = |(file, text): (&PathBuf, String)| {
            RunSummary::parse(&text, &channels)
                .map_err(|error| Error::Damaged { file: file.clone(), why: error.to_string() })
        };
        let summary = summary.map(parse).transpose()?;
        warnings.extend(changed_scenario(folder, &metadata.scenario)?);
        let mut reader = Self {
            files: vec![first],
            identity,
            channels,
            metadata,
            rows,
            complete,
            summary,
            warnings,
        };
        for (number, file) in files {
            let table = Table::verified(&file)?;
            table.check_identity(run.as_deref(), number, &than)?;
            if table.channels != reader.channels || table.metadata != reader.metadata {
                return Err(Error::OtherRun { file, than });
            }
            reader.rows = reader.rows.saturating_add(table.rows);
            reader.files.push(file);
        }
        Ok(reader)
    }

    /// What no other results have: the number of the run while it lasts, then the checksum of its result.
    /// Results of earlier versions have neither.
    pub(crate) fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }

    /// The columns in their order; the time is the first.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// What was run.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// That they are safe, whatever becomes of what is made of them.
    pub(super) fn saved(&self) -> Saved {
        let until = self.summary.as_ref().map(|summary| summary.outcome.run.ending.time);
        Saved { rows: self.rows, until, merged: self.complete }
    }

    /// True when the run was finished and its parts merged; false while it lasts, and when it was
    /// killed. How a finished run ended is in the summary.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// The summary, which a run leaves at its end: that of `summary.json`, or else that of the Parquet
    /// file, which lacks the times the run took.
    pub fn summary(&self) -> Option<&RunSummary> {
        self.summary.as_ref()
    }

    /// What is doubtful about the files, perhaps nothing.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The times of the rows (s).
    pub fn time(&self) -> Result<Vec<f64>, Error> {
        self.column_at(0)
    }

    /// The values of the channel of this name, with or without its unit.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, Error> {
        let found = self.channels.iter().position(|one| one.name == name || one.column() == name);
        let Some(index) = found else {
            let near = nearest(name, self.channels.iter().map(|one| one.name.as_str()));
            let near = near.map(ToOwned::to_owned);
            return Err(Error::UnknownChannel { name: name.to_owned(), near });
        };
        self.column_at(index)
    }

    /// The values of all channels, the time first.
    pub fn columns(&self) -> Result<Vec<Vec<f64>>, Error> {
        let mut columns = vec![Vec::new(); self.channels.len()];
        self.each_group(|group| {
            for (all, mut piece) in columns.iter_mut().zip(group) {
                all.append(&mut piece);
            }
            Ok::<(), Error>(())
        })?;
        Ok(columns)
    }

    pub(super) fn column_at(&self, index: usize) -> Result<Vec<f64>, Error> {
        let mut values = Vec::new();
        for file in &self.files {
            let table = Table::open(file)?;
            for group in 0..table.groups() {
                table.read(group, index, &mut values)?;
            }
        }
        Ok(values)
    }

    /// Hands over the rows group by group, each as its columns.
    pub(super) fn each_group<E: From<Error>>(
        &self,
        mut take: impl FnMut(Vec<Vec<f64>>) -> Result<(), E>,
    ) -> Result<(), E> {
        for file in &self.files {
            let table = Table::open(file)?;
            for group in 0..table.groups() {
                let mut columns = vec![Vec::new(); self.channels.len()];
                for (index, column) in columns.iter_mut().enumerate() {
                    table.read(group, index, column)?;
                }
                take(columns)?;
            }
        }
        Ok(())
    }
}

/// The parts in a folder in their order.
pub(super) fn parts(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let read = |source| Error::Read { file: folder.to_owned(), source };
    let mut parts = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let name = entry.map_err(read)?.file_name();
        if let Some(number) = name.to_str().and_then(disk::part_number) {
            parts.push((number, folder.join(name)));
        }
    }
    parts.sort();
    Ok(parts)
}

/// A warning for every gap between the parts.
fn missing(parts: &[(u64, PathBuf)]) -> Vec<String> {
    let mut expected = 0;
    let mut warnings = Vec::new();
    for (number, _) in parts {
        if *number != expected {
            let (first, last) = (disk::part_name(expected), disk::part_name(number - 1));
            let which = if first == last { first } else { format!("{first} to {last}") };
            warnings.push(format!("the rows of {which} are missing"));
        }
        expected = number + 1;
    }
    warnings
}

/// The text of the summary, if there is one, all of it as it was written.
pub(super) fn summary_text(file: &Path) -> Result<Option<String>, Error> {
    let Some(bytes) = read_if_there(file)? else { return Ok(None) };
    match checksum::of_text(&bytes) {
        Ok(Verdict::Good | Verdict::None) => {}
        Ok(Verdict::Bad) | Err(_) => return Err(Error::altered(file)),
    }
    String::from_utf8(bytes).map(Some).map_err(|_| Error::altered(file))
}

/// Refuses a summary that tells of another run than the one inside of the result, if there is one.
/// Summaries of earlier versions, which have no checksum, are taken as they are.
pub(super) fn check_summary(file: &Path, text: &str, inside: Option<&str>) -> Result<(), Error> {
    let is_sealed = checksum::of_text(text.as_bytes()).is_ok_and(|found| found == Verdict::Good);
    match inside {
        Some(inside) if is_sealed && !summary::tell_of_one_run(inside, text) => {
            Err(Error::OtherRun { file: file.to_owned(), than: RESULT.to_owned() })
        }
        _ => Ok(()),
    }
}

/// A warning if the scenario beside the results is not the one that they hold.
fn changed_scenario(folder: &Path, run: &str) -> Result<Option<String>, Error> {
    let beside = read_if_there(&folder.join(SCENARIO))?;
    let changed = !run.is_empty() && beside.is_some_and(|text| text != run.as_bytes());
    Ok(changed.then(|| {
        format!("{SCENARIO} was changed after the run; the results hold the scenario that was run")
    }))
}

/// The bytes of a file of limited size, if there is one.
pub(super) fn read_if_there(file: &Path) -> Result<Option<Vec<u8>>, Error> {
    let read = |source| Error::Read { file: file.to_owned(), source };
    let opened = match disk::open(file) {
        Err(Error::Read { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let length = opened.metadata().map_err(read)?.len();
    if length > disk::LARGEST {
        let why = format!("it has {length} bytes, and at most {} are read", disk::LARGEST);
        return Err(Error::Damaged { file: file.to_owned(), why });
    }
    let mut bytes = Vec::new();
    opened.take(disk::LARGEST).read_to_end(&mut bytes).map_err(read)?;
    Ok(Some(bytes))
}
