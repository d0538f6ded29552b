//! Tables of runs as Parquet: chunks of a study and the table that they become.
//!
//! Like the files of results (`results/table.rs`), with whole numbers and texts beside doubles. The
//! same rows give the same bytes.

use super::error::JournalError as Error;
use crate::results::checksum::{self, Hashed, Verdict};
use crate::results::{self, as_io, count_rows, entries, join, open_plain};
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical};
use parquet::column::page::Page;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The entry that describes the columns.
const COLUMNS: &str = "pliant.columns";

/// A column of the table of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyColumn {
    /// Its name.
    pub name: String,
    /// The unit of its numbers; `1` for those without one, empty for texts.
    pub unit: String,
    /// What it is of.
    pub role: ColumnRole,
}

/// What a column of a study is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ColumnRole {
    /// The number of the draw, from 0.
    Index,
    /// A parameter that is a number.
    Parameter,
    /// A parameter that is a text.
    Choice,
    /// A figure of the run; not a number where there is none.
    Figure,
    /// How the run ended, or why there is none, in words.
    Words,
    /// The time of a row of a series (s).
    Time,
    /// A channel of a series; not a number in runs that do not have it.
    Channel,
    /// The series of a run as bytes: in chunks alone.
    Series,
}

impl ColumnRole {
    fn physical(self) -> Physical {
        match self.empty() {
            Cells::Indices(_) => Physical::INT64,
            Cells::Numbers(_) => Physical::DOUBLE,
            Cells::Texts(_) | Cells::Blocks(_) => Physical::BYTE_ARRAY,
        }
    }

    /// Without rows.
    pub(super) fn empty(self) -> Cells {
        match self {
            Self::Index => Cells::Indices(Vec::new()),
            Self::Parameter | Self::Figure | Self::Time | Self::Channel => {
                Cells::Numbers(Vec::new())
            }
            Self::Choice | Self::Words => Cells::Texts(Vec::new()),
            Self::Series => Cells::Blocks(Vec::new()),
        }
    }
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cells {
    Indices(Vec<u64>),
    Numbers(Vec<f64>),
    Texts(Vec<String>),
    Blocks(Vec<Vec<u8>>),
}

impl Cells {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Indices(all) => all.len(),
            Self::Numbers(all) => all.len(),
            Self::Texts(all) => all.len(),
            Self::Blocks(all) => all.len(),
        }
    }

    /// Takes over what others of the same kind are.
    pub(super) fn append(&mut self, others: &mut Self) {
        match (self, others) {
            (Self::Indices(all), Self::Indices(others)) => all.append(others),
            (Self::Numbers(all), Self::Numbers(others)) => all.append(others),
            (Self::Texts(all), Self::Texts(others)) => all.append(others),
            (Self::Blocks(all), Self::Blocks(others)) => all.append(others),
            _ => {}
        }
    }

    /// Adds some of others of the same kind, by their places.
    pub(super) fn take_from(&mut self, others: &Self, places: impl Iterator<Item = u64>) {
        let places = places.map(|place| place as usize);
        match (self, others) {
            (Self::Indices(all), Self::Indices(others)) => all.extend(places.map(|k| others[k])),
            (Self::Numbers(all), Self::Numbers(others)) => all.extend(places.map(|k| others[k])),
            (Self::Texts(all), Self::Texts(others)) => {
                all.extend(places.map(|k| others[k].clone()));
            }
            _ => {}
        }
    }

    /// Takes the first so many of them.
    pub(super) fn take_front(&mut self, count: usize) -> Self {
        match self {
            Self::Indices(all) => Self::Indices(all.drain(..count).collect()),
            Self::Numbers(all) => Self::Numbers(all.drain(..count).collect()),
            Self::Texts(all) => Self::Texts(all.drain(..count).collect()),
            Self::Blocks(all) => Self::Blocks(all.drain(..count).collect()),
        }
    }
}

/// How files with some columns are laid out.
pub(super) struct Layout {
    schema: TypePtr,
    properties: WriterPropertiesPtr,
}

impl Layout {
    /// For columns, and the entries of the file.
    pub(super) fn new(
        columns: &[StudyColumn],
        entries: &[(&str, String)],
    ) -> Result<Self, ParquetError> {
        let mut fields = Vec::new();
        let described = serde_json::to_string(columns).unwrap_or_default();
        let entries = entries.iter().cloned().chain([(COLUMNS, described)]);
        let entries = entries.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
        let mut properties = WriterProperties::builder()
            .set_created_by(format!("pliant version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(entries))
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::PLAIN)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true);
        for column in columns {
            let physical = column.role.physical();
            let field = Type::primitive_type_builder(&column.name, physical)
                .with_repetition(Repetition::REQUIRED);
            let field = match column.role.empty() {
                Cells::Texts(_) => field.with_converted_type(ConvertedType::UTF8),
                _ => field,
            };
            fields.push(Arc::new(field.build()?));
            let path = ColumnPath::new(vec![column.name.clone()]);
            if physical == Physical::DOUBLE {
                properties = properties.set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
            } else if physical == Physical::INT64 {
                // whoever looks for one run passes over the groups without it
                properties =
                    properties.set_column_statistics_enabled(path, EnabledStatistics::Chunk);
            }
        }
        let schema = Type::group_type_builder("study").with_fields(fields).build()?;
        Ok(Self { schema: Arc::new(schema), properties: Arc::new(properties.build()) })
    }

    /// The bytes of a file of one group of rows.
    pub(super) fn bytes(&self, columns: &[Cells]) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut sheet = Sheet::begin(self, &mut bytes)?;
        sheet.group(columns)?;
        sheet.end()?;
        drop(sheet);
        checksum::seal_bytes(&mut bytes);
        Ok(bytes)
    }

    /// Fills a file group by group.
    pub(super) fn fill<E: From<std::io::Error>>(
        &self,
        to: &mut BufWriter<File>,
        fill: impl FnOnce(&mut dyn FnMut(&[Cells]) -> std::io::Result<()>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sheet = Sheet::begin(self, Hashed::new(to))?;
        fill(&mut |columns| sheet.group(columns))?;
        sheet.end()?;
        Ok(sheet.file.inner_mut().seal()?)
    }
}

/// A file that is being written.
struct Sheet<W: Write + Send> {
    file: SerializedFileWriter<W>,
}

impl<W: Write + Send> Sheet<W> {
    fn begin(layout: &Layout, to: W) -> std::io::Result<Self> {
        let (schema, properties) = (layout.schema.clone(), layout.properties.clone());
        SerializedFileWriter::new(to, schema, properties).map(|file| Self { file }).map_err(as_io)
    }

    fn group(&mut self, columns: &[Cells]) -> std::io::Result<()> {
        self.write(columns).map_err(as_io)
    }

    fn write(&mut self, columns: &[Cells]) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for cells in columns {
            let Some(mut column) = group.next_column()? else { break };
            match cells {
                Cells::Indices(all) => {
                    let all: Vec<i64> = all.iter().map(|index| index.cast_signed()).collect();
                    column.typed::<Int64Type>().write_batch(&all, None, None)?;
                }
                Cells::Numbers(all) => {
                    column.typed::<DoubleType>().write_batch(all, None, None)?;
                }
                Cells::Texts(all) => {
                    let all: Vec<ByteArray> =
                        all.iter().map(|text| text.as_bytes().to_vec().into()).collect();
                    column.typed::<ByteArrayType>().write_batch(&all, None, None)?;
                }
                Cells::Blocks(all) => {
                    let all: Vec<ByteArray> =
                        all.iter().map(|block| block.clone().into()).collect();
                    column.typed::<ByteArrayType>().write_batch(&all, None, None)?;
                }
            }
            column.close()?;
        }
        group.close().map(drop)
    }

    /// Writes the footer, with a blank for the checksum in it.
    fn end(&mut self) -> std::io::Result<()> {
        let blank = KeyValue::new(checksum::ENTRY.to_owned(), checksum::blank());
        self.file.append_key_value_metadata(blank);
        self.file.finish().map(drop).map_err(as_io)
    }
}

/// A file that was opened, after a look at every byte of it.
pub(super) struct Opened<R: ChunkReader + 'static> {
    /// What messages call it.
    pub(super) name: PathBuf,
    file: SerializedFileReader<R>,
    pub(super) columns: Vec<StudyColumn>,
    entries: BTreeMap<String, String>,
    pub(super) rows: u64,
}

impl Opened<Bytes> {
    /// Of bytes that came from somewhere.
    pub(super) fn of_bytes(name: &Path, bytes: Vec<u8>) -> Result<Self, Error> {
        match checksum::of_bytes(&bytes) {
            Ok(Verdict::Good) => {}
            Ok(Verdict::None | Verdict::Bad) | Err(_) => return Err(altered(name)),
        }
        let length = bytes.len() as u64;
        Self::of(name, Bytes::from(bytes), length)
    }
}

impl Opened<File> {
    /// Of a file.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let read = |source| Error::unread(path, source);
        match checksum::of_table(&mut open_plain(path)?).map_err(read)? {
            Verdict::Good => Self::peek(path),
            Verdict::None | Verdict::Bad => Err(altered(path)),
        }
    }

    /// Of a file of which not every byte is looked at.
    pub(super) fn peek(path: &Path) -> Result<Self, Error> {
        let read = |source| Error::unread(path, source);
        let file = open_plain(path)?;
        let length = file.metadata().map_err(read)?.len();
        Self::of(path, file, length)
    }
}

impl<R: ChunkReader + 'static> Opened<R> {
    fn of(name: &Path, file: R, length: u64) -> Result<Self, Error> {
        let damaged = |why: String| Error::damaged(name, why);
        let file = SerializedFileReader::new(file).map_err(|error| damaged(error.to_string()))?;
        let about = file.metadata().file_metadata();
        let entries = entries(about);
        let described = entries.get(COLUMNS).map_or("", String::as_str);
        let columns: Vec<StudyColumn> = serde_json::from_str(described)
            .map_err(|error| damaged(format!("its entry `{COLUMNS}` cannot be read: {error}")))?;
        let there = about.schema_descr().columns();
        let fits = there.len() == columns.len()
            && there.iter().zip(&columns).all(|(there, column)| {
                there.name() == column.name
                    && there.physical_type() == column.role.physical()
                    && there.max_def_level() == 0
                    && there.max_rep_level() == 0
            });
        if !fits {
            return Err(damaged("its columns are not those that it describes".to_owned()));
        }
        let rows = count_rows(file.metadata(), length).map_err(damaged)?;
        Ok(Self { name: name.to_owned(), file, columns, entries, rows })
    }

    /// The value of an entry.
    pub(super) fn entry(&self, key: &str) -> &str {
        self.entries.get(key).map_or("", String::as_str)
    }

    pub(super) fn groups(&self) -> usize {
        self.file.num_row_groups()
    }

    /// Appends a column of one group of rows.
    pub(super) fn read(&self, group: usize, column: usize, out: &mut Cells) -> Result<(), Error> {
        let damaged = |why: String| Error::damaged(&self.name, why);
        let before = out.len();
        self.append(group, column, out).map_err(|error| damaged(error.to_string()))?;
        let rows = self.file.metadata().row_group(group).num_rows();
        if i64::try_from(out.len() - before).ok() != Some(rows) {
            let name = &self.columns[column].name;
            return Err(damaged(format!("the column `{name}` has not {rows} cells")));
        }
        Ok(())
    }

    fn append(&self, group: usize, column: usize, out: &mut Cells) -> Result<(), ParquetError> {
        let mut pages = self.file.get_row_group(group)?.get_column_page_reader(column)?;
        while let Some(page) = pages.get_next_page()? {
            match out {
                Cells::Numbers(all) => join(&page, all)?,
                Cells::Indices(all) => indices(plain(&page)?, all)?,
                Cells::Texts(all) => blocks(plain(&page)?, |block| {
                    let text = String::from_utf8(block.to_vec());
                    all.push(text.map_err(|_| strange("a text is none"))?);
                    Ok(())
                })?,
                Cells::Blocks(all) => blocks(plain(&page)?, |block| {
                    all.push(block.to_vec());
                    Ok(())
                })?,
            }
        }
        Ok(())
    }

    /// A column of numbers; of others nothing.
    pub(super) fn numbers(&self, column: usize) -> Result<Vec<f64>, Error> {
        let mut cells = Cells::Numbers(Vec::new());
        for group in 0..self.groups() {
            self.read(group, column, &mut cells)?;
        }
        match cells {
            Cells::Numbers(all) => Ok(all),
            _ => Ok(Vec::new()),
        }
    }
}

/// Bytes of a file are not those that were written.
fn altered(file: &Path) -> Error {
    Error::Folder(results::Error::altered(file))
}

fn strange(why: &str) -> ParquetError {
    ParquetError::General(why.to_owned())
}

/// The bytes of a page without an encoding, and how many values are in it.
fn plain(page: &Page) -> Result<(&[u8], usize), ParquetError> {
    match page {
        Page::DataPage { buf, num_values, encoding: Encoding::PLAIN, .. } => {
            Ok((buf, *num_values as usize))
        }
        _ => Err(strange("a page is of a kind pliant does not write")),
    }
}

fn indices((bytes, count): (&[u8], usize), out: &mut Vec<u64>) -> Result<(), ParquetError> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    if numbers.len() != count || !rest.is_empty() {
        return Err(strange("a page of whole numbers has another length"));
    }
    out.extend(numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)));
    Ok(())
}

/// Each text or block has its length before it.
fn blocks(
    (mut bytes, count): (&[u8], usize),
    mut take: impl FnMut(&[u8]) -> Result<(), ParquetError>,
) -> Result<(), ParquetError> {
    for _ in 0..count {
        let torn = || strange("a page of texts is torn");
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(torn)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (block, rest) = rest.split_at_checked(length).ok_or_else(torn)?;
        take(block)?;
        bytes = rest;
    }
    if bytes.is_empty() { Ok(()) } else { Err(strange("a page of texts is too long")) }
}
