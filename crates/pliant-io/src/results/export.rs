//! Results for other tools: CSV and npz.

use super::disk::{self, Trouble};
use super::error::Error;
use super::reader::Reader;
use crate::escape::{csv_text, npz_entries};
use crate::files::Existing;
use pliant::nalgebra::DMatrix;
use std::io::{Cursor, Seek, Write};
use std::path::Path;
use zip::write::{FileOptions, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// From here on an entry of a zip archive needs the large form.
const LARGE: u64 = 0xffff_0000;

impl Reader {
    /// Writes all rows as comma-separated values below one line with the names of the columns.
    /// Every number is as short as it can be while its bits stay the same. A name that begins like a
    /// formula has an apostrophe before it.
    pub fn write_csv(&self, path: impl AsRef<Path>, existing: Existing) -> Result<(), Error> {
        disk::write_whole(path.as_ref(), existing, self.saved(), |out| {
            let mut table = csv::Writer::from_writer(out);
            let disk = |error: csv::Error| Trouble::Disk(cause(error));
            let heads = self.channels().iter().map(|channel| csv_text(&channel.column()));
            table.write_record(heads).map_err(disk)?;
            self.each_group(|columns| {
                let rows = columns[0].len();
                for row in 0..rows {
                    let values: Vec<f64> = columns.iter().map(|column| column[row]).collect();
                    table.serialize(values).map_err(disk)?;
                }
                Ok::<(), Trouble>(())
            })?;
            Ok(table.flush()?)
        })
    }

    /// Writes all rows as an archive of `NumPy` arrays, one for every column and under its
    /// name, in which nothing leads out of the archive.
    pub fn write_npz(&self, path: impl AsRef<Path>, existing: Existing) -> Result<(), Error> {
        disk::write_whole(path.as_ref(), existing, self.saved(), |out| {
            let mut archive = ZipWriter::new(out);
            let channels = self.channels().iter();
            let entries = npz_entries(channels.map(|one| (one.name.as_str(), one.unit.as_str())));
            for (index, entry) in entries.iter().enumerate() {
                let values = self.column_at(index)?;
                write_array(&mut archive, entry, &[values.len()], &values)?;
            }
            archive.finish().map_err(std::io::Error::from)?;
            Ok(())
        })
    }
}

/// What the system said.
fn cause(error: csv::Error) -> std::io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}

/// Matrices and lists of words as the bytes of an archive of `NumPy` arrays.
pub fn npz(
    matrices: &[(&str, &DMatrix<f64>)],
    words: &[(&str, Vec<String>)],
) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, matrix) in matrices {
        // by rows
        let values = matrix.transpose();
        write_array(&mut archive, name, &[matrix.nrows(), matrix.ncols()], values.as_slice())?;
    }
    for (name, words) in words {
        let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1);
        start_array(&mut archive, name, &format!("<U{longest}"), &[words.len()], 0)?;
        // four bytes for each letter, as long as the longest
        for word in words {
            let letters = word.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest);
            for letter in letters {
                archive.write_all(&letter.to_le_bytes())?;
            }
        }
    }
    Ok(archive.finish()?.into_inner())
}

/// One array of doubles.
fn write_array<W: Write + Seek>(
    archive: &mut ZipWriter<W>,
    name: &str,
    shape: &[usize],
    values: &[f64],
) -> std::io::Result<()> {
    start_array(archive, name, "<f8", shape, values.len() as u64 * 8)?;
    for value in values {
        archive.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// Begins an array of a type and of about so many bytes, not compressed and without a date.
fn start_array<W: Write + Seek>(
    archive: &mut ZipWriter<W>,
    name: &str,
    kind: &str,
    shape: &[usize],
    size: u64,
) -> std::io::Result<()> {
    let options: SimpleFileOptions = FileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(size >= LARGE);
    archive.start_file(format!("{name}.npy"), options)?;
    archive.write_all(&header(kind, shape))
}

/// The header of an array, format 1.0: magic bytes, version, length, a dictionary, and
/// blanks up to a multiple of 64 bytes.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(|length| format!("{length},")).collect();
    let lengths = lengths.join(" ");
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({lengths}), }}");
    // ten bytes stand before the text and a line feed after it
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}
