//! One Parquet file: how it is laid out, written and read.
//!
//! Every column is a required double, its bytes sorted by their place in the number before they are
//! packed, which makes files of smooth motions a fifth smaller. There are no dictionaries, no page indices and no times of
//! writing, and nothing is chosen from the data, so the same rows give the same bytes.

use super::checksum::{self, Hashed, Verdict};
use super::disk;
use super::earlier;
use super::error::Error;
use super::metadata::Metadata;
use parquet::basic::{Compression, Encoding, Repetition, Type as Physical};
use parquet::column::page::Page;
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use pliant::simulate::Channel;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The entry that describes the channels.
const CHANNELS: &str = "pliant.channels";

/// The entry of the summary, once the run has ended.
const SUMMARY: &str = "pliant.summary";

/// The entry of the run that a part is of: a number that no other run has.
const RUN: &str = "pliant.run";

/// The entry of what was doubtful before that run.
const DOUBTS: &str = "pliant.doubts";

/// The entry of the number of a part.
const PART: &str = "pliant.part";

/// How many numbers are held in memory at most, 32 MB of them.
pub(crate) const MOST_VALUES: usize = 1 << 22;

/// How many rows a group of `result.parquet` has: 65536, or fewer where the columns are many.
pub(crate) fn rows_per_group(columns: usize) -> usize {
    let rows = (MOST_VALUES / columns.max(1)).clamp(1024, 65_536);
    1 << rows.ilog2()
}

/// How the files of a run are laid out.
pub(super) struct Layout {
    schema: TypePtr,
    properties: WriterPropertiesPtr,
}

impl Layout {
    /// For these channels, the time among them.
    pub(super) fn new(channels: &[Channel], metadata: &Metadata) -> Result<Self, Error> {
        let fault = |channel: &Channel, why| Error::BadChannel { column: channel.column(), why };
        let mut fields = Vec::new();
        let (mut names, mut columns) = (BTreeSet::new(), BTreeSet::new());
        for channel in channels {
            if channel.name.is_empty() {
                return Err(fault(channel, "has no name"));
            }
            if !names.insert(&channel.name) || !columns.insert(channel.column()) {
                return Err(fault(channel, "is there twice"));
            }
            let field = Type::primitive_type_builder(&channel.column(), Physical::DOUBLE)
                .with_repetition(Repetition::REQUIRED)
                .build();
            fields.push(Arc::new(field.map_err(|_| fault(channel, "cannot be a column"))?));
        }
        let schema = Type::group_type_builder("result").with_fields(fields).build();
        let schema = schema.map_err(|_| fault(&channels[0], "cannot be a column"))?;
        let described = serde_json::to_string(channels).unwrap_or_default();
        let mut entries = metadata.entries();
        entries.push((CHANNELS.to_owned(), described));
        let entries = entries.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_created_by(format!("pliant version {}", metadata.version))
            .set_key_value_metadata(Some(entries))
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::BYTE_STREAM_SPLIT)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        Ok(Self { schema: Arc::new(schema), properties: Arc::new(properties) })
    }

    /// Begins a file.
    pub(super) fn begin<'a>(&self, to: &'a mut BufWriter<File>) -> std::io::Result<Sheet<'a>> {
        let (to, schema) = (Hashed::new(to), self.schema.clone());
        let file = SerializedFileWriter::new(to, schema, self.properties.clone());
        file.map(|file| Sheet { file }).map_err(as_io)
    }
}

/// A file that is being written.
pub(super) struct Sheet<'a> {
    file: SerializedFileWriter<Hashed<&'a mut BufWriter<File>>>,
}

impl Sheet<'_> {
    /// Appends one group of rows.
    pub(super) fn group(&mut self, columns: &[&[f64]]) -> std::io::Result<()> {
        let mut group = self.file.next_row_group().map_err(as_io)?;
        for values in columns {
            let Some(mut column) = group.next_column().map_err(as_io)? else { break };
            column.typed::<DoubleType>().write_batch(values, None, None).map_err(as_io)?;
            column.close().map_err(as_io)?;
        }
        group.close().map(drop).map_err(as_io)
    }

    /// Adds the text of the summary to the entries.
    pub(super) fn add_summary(&mut self, text: String) {
        self.add(SUMMARY, text);
    }

    /// Adds which part of which run it is, and what was doubtful before that.
    pub(super) fn add_identity(&mut self, run: &str, part: u64, doubts: &[String]) {
        self.add(RUN, run.to_owned());
        self.add(PART, part.to_string());
        self.add(DOUBTS, serde_json::json!(doubts).to_string());
    }

    fn add(&mut self, key: &str, value: String) {
        self.file.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
    }

    /// Writes the footer and the checksum in it.
    pub(super) fn end(mut self) -> std::io::Result<()> {
        self.add(checksum::ENTRY, checksum::blank());
        self.file.finish().map_err(as_io)?;
        self.file.inner_mut().seal()
    }
}

/// The system's error where there is one.
pub(crate) fn as_io(error: ParquetError) -> std::io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(own) => *own,
            Err(other) => std::io::Error::other(other),
        },
        other => std::io::Error::other(other),
    }
}

/// A file that was opened.
pub(super) struct Table {
    path: PathBuf,
    file: SerializedFileReader<File>,
    /// The time first.
    pub(super) channels: Vec<Channel>,
    pub(super) metadata: Metadata,
    pub(super) rows: u64,
    /// The text of the summary, of a run that has ended.
    pub(super) summary: Option<String>,
    /// The run and the number of a part.
    identity: Option<(String, u64)>,
}

impl Table {
    /// Opens a file after a look at every byte of it.
    pub(super) fn verified(path: &Path) -> Result<Self, Error> {
        let read = |source| Error::Read { file: path.to_owned(), source };
        let mut file = disk::open(path)?;
        match checksum::of_table(&mut file).map_err(read)? {
            Verdict::Bad => Err(Error::altered(path)),
            Verdict::Good | Verdict::None => Self::of(path, file),
        }
    }

    /// Opens a file that has been verified before.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        Self::of(path, disk::open(path)?)
    }

    fn of(path: &Path, bytes: File) -> Result<Self, Error> {
        let damaged = |why: String| Error::Damaged { file: path.to_owned(), why };
        let read = |source| Error::Read { file: path.to_owned(), source };
        let length = bytes.metadata().map_err(read)?.len();
        let file = SerializedFileReader::new(bytes).map_err(|error| damaged(error.to_string()))?;
        let about = file.metadata().file_metadata();
        let entries = entries(about);
        let metadata = Metadata::from_entries(&entries).map_err(damaged)?;
        let described = entries.get(CHANNELS).map_or("", String::as_str);
        let channels = earlier::channels(described)
            .map_err(|error| damaged(format!("its entry `{CHANNELS}` cannot be read: {error}")))?;

        let columns = about.schema_descr().columns();
        let fits = columns.len() == channels.len()
            && columns.iter().zip(&channels).all(|(column, channel)| {
                column.name() == channel.column()
                    && column.physical_type() == Physical::DOUBLE
                    && column.max_def_level() == 0
                    && column.max_rep_level() == 0
            });
        if !fits || channels.is_empty() {
            return Err(damaged("its columns are not those of its channels".to_owned()));
        }
        let rows = count_rows(file.metadata(), length).map_err(damaged)?;
        let summary = entries.get(SUMMARY).cloned();
        let part = entries.get(PART).and_then(|number| number.parse().ok());
        let identity = entries.get(RUN).cloned().zip(part);
        Ok(Self { path: path.to_owned(), channels, metadata, rows, summary, identity, file })
    }

    /// The run that a part is of; none for results and for parts of earlier versions.
    pub(super) fn run(&self) -> Option<&str> {
        self.identity.as_ref().map(|(run, _)| run.as_str())
    }

    /// What was doubtful before the run that a part is of.
    pub(super) fn doubts(&self) -> Vec<String> {
        let text = self.entry(DOUBTS).unwrap_or_default();
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Refuses a part that is of another run, or another one of the same run.
    pub(super) fn check_identity(
        &self,
        run: Option<&str>,
        number: u64,
        than: &str,
    ) -> Result<(), Error> {
        let file = || self.path.clone();
        match &self.identity {
            other if other.as_ref().map(|(run, _)| run.as_str()) != run => {
                Err(Error::OtherRun { file: file(), than: than.to_owned() })
            }
            Some((_, own)) if *own != number => {
                let why = format!("it is part {own} of its run under the name of part {number}");
                Err(Error::Damaged { file: file(), why })
            }
            _ => Ok(()),
        }
    }

    /// The value of an entry.
    pub(super) fn entry(&self, key: &str) -> Option<&str> {
        let entries = self.file.metadata().file_metadata().key_value_metadata();
        entries.into_iter().flatten().find(|entry| entry.key == key)?.value.as_deref()
    }

    /// The first number of the last row.
    pub(super) fn last_time(&self) -> Result<Option<f64>, Error> {
        let mut times = Vec::new();
        if let Some(last) = self.groups().checked_sub(1) {
            self.read(last, 0, &mut times)?;
        }
        Ok(times.pop())
    }

    pub(super) fn groups(&self) -> usize {
        self.file.num_row_groups()
    }

    /// Appends a column of one group of rows.
    pub(super) fn read(
        &self,
        group: usize,
        column: usize,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let damaged = |why: String| Error::Damaged { file: self.path.clone(), why };
        let before = out.len();
        let rows = self.file.metadata().row_group(group).num_rows();
        self.append(group, column, out).map_err(|error| damaged(error.to_string()))?;
        let found = out.len() - before;
        if i64::try_from(found).ok() != Some(rows) {
            let name = self.channels[column].column();
            return Err(damaged(format!(
                "`{name}` has {found} values where there are {rows} rows"
            )));
        }
        Ok(())
    }

    fn append(&self, group: usize, column: usize, out: &mut Vec<f64>) -> Result<(), ParquetError> {
        let mut pages = self.file.get_row_group(group)?.get_column_page_reader(column)?;
        while let Some(page) = pages.get_next_page()? {
            join(&page, out)?;
        }
        Ok(())
    }
}

/// Puts the numbers of a page together again: first come the lowest bytes of all of them, then the
/// next ones. The decoder of the library does the same, but panics where a page is damaged.
pub(crate) fn join(page: &Page, out: &mut Vec<f64>) -> Result<(), ParquetError> {
    let Page::DataPage { buf, num_values, encoding: Encoding::BYTE_STREAM_SPLIT, .. } = page else {
        return Err(ParquetError::General("a page is of a kind pliant does not write".to_owned()));
    };
    let count = *num_values as usize;
    if count.checked_mul(8) != Some(buf.len()) {
        let why = format!("a page of {count} numbers has {} bytes", buf.len());
        return Err(ParquetError::General(why));
    }
    out.extend(joined(buf));
    Ok(())
}

/// Numbers of which first come the lowest bytes of all of them, then the next ones.
pub(crate) fn joined(bytes: &[u8]) -> impl Iterator<Item = f64> {
    let count = bytes.len() / 8;
    let number = move |k| f64::from_le_bytes(std::array::from_fn(|place| bytes[place * count + k]));
    (0..count).map(number)
}

/// The bytes from which numbers are [joined].
pub(crate) fn split(numbers: &[f64]) -> Vec<u8> {
    let place = |place: usize| numbers.iter().map(move |number| number.to_le_bytes()[place]);
    (0..8).flat_map(place).collect()
}

/// The entries of a file by their keys.
pub(crate) fn entries(about: &FileMetaData) -> BTreeMap<String, String> {
    let all = about.key_value_metadata().into_iter().flatten();
    all.filter_map(|entry| Some((entry.key.clone(), entry.value.clone()?))).collect()
}

/// How many rows a file of this length has, after a look at where its columns are said to be: the
/// library trusts these numbers.
pub(crate) fn count_rows(about: &ParquetMetaData, length: u64) -> Result<u64, String> {
    let mut rows = 0_u64;
    for group in about.row_groups() {
        let count = u64::try_from(group.num_rows()).ok();
        let sum = count.and_then(|count| rows.checked_add(count));
        rows = sum.ok_or("its number of rows is not possible")?;
        for column in group.columns() {
            let start = u64::try_from(column.data_page_offset()).ok();
            let size = u64::try_from(column.compressed_size()).ok();
            let end = start.zip(size).and_then(|(start, size)| start.checked_add(size));
            let inside = end.is_some_and(|end| end <= length);
            if !inside
                || column.dictionary_page_offset().is_some()
                || column.num_values() != group.num_rows()
            {
                return Err(format!(
                    "its column {} is not where it should be",
                    column.column_path()
                ));
            }
        }
    }
    Ok(rows)
}
