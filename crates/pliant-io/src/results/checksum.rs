//! Checksums: every byte of a file is as it was written.
//!
//! A file says the SHA-256 of itself with these 64 digits as zeros: in the last entry of a Parquet
//! file, in the last key of a summary, in the head of a page, where no name comes after them or none
//! before. The digits stand behind a word of their own beside the name of the entry, so that no single
//! fault makes a file look like one of an earlier version, which had none.

use super::disk::LARGEST;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Seek, SeekFrom, Write};

/// The entry of a Parquet file.
pub(crate) const ENTRY: &str = "pliant.checksum";

/// The key of a summary.
const KEY: &str = "\"checksum\"";

/// What stands before the digits.
const WORD: &str = "pliant-sha256:";

const BLANK: [u8; 64] = [b'0'; 64];

/// What the bytes that end a Parquet file are: the length of the footer and this.
const MAGIC: &[u8; 4] = b"PAR1";

/// A checksum before it is known.
pub(crate) fn blank() -> String {
    WORD.to_owned() + &"0".repeat(BLANK.len())
}

/// Whether a file has a checksum, and the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All bytes are as they were written.
    Good,
    /// Some are not.
    Bad,
    /// It is of an earlier version, or no file of this kind at all.
    None,
}

/// Passes bytes on and hashes them.
pub(crate) struct Hashed<W> {
    to: W,
    hash: Sha256,
}

impl<W: Write> Hashed<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, hash: Sha256::new() }
    }

    fn digits(&mut self) -> String {
        hexadecimal(&self.hash.finalize_reset())
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Hashed<&mut BufWriter<File>> {
    /// Puts the checksum into the blank one of a Parquet file that has been written through this.
    pub(crate) fn seal(&mut self) -> io::Result<()> {
        let digits = self.digits();
        self.to.flush()?;
        let file = self.to.get_mut();
        let found = match footer(file)? {
            Some((start, footer)) => last(&footer, ENTRY).1.map(|at| start + at as u64),
            None => None,
        };
        let at = found.ok_or_else(|| io::Error::other("there is no place for the checksum"))?;
        file.seek(SeekFrom::Start(at))?;
        file.write_all(digits.as_bytes())
    }
}

/// Puts the checksum into the blank one of a Parquet file in memory.
pub(crate) fn seal_bytes(bytes: &mut [u8]) {
    let digits = hexadecimal(&Sha256::digest(&*bytes));
    if let Some(at) = last(bytes, ENTRY).1 {
        bytes[at..at + digits.len()].copy_from_slice(digits.as_bytes());
    }
}

/// Puts the checksum into the blank one of a summary.
pub(crate) fn seal_text(text: &str) -> String {
    seal_at(text, last(text.as_bytes(), KEY).1)
}

/// Puts the checksum into the blank one of a page.
pub(crate) fn seal_page(page: &str) -> String {
    seal_at(page, first(page.as_bytes()))
}

fn seal_at(text: &str, place: Option<usize>) -> String {
    let digits = hexadecimal(&Sha256::digest(text.as_bytes()));
    match place {
        Some(at) => format!("{}{digits}{}", &text[..at], &text[at + digits.len()..]),
        None => text.to_owned(),
    }
}

/// The digits of a checksum that has been put in.
pub(super) fn digits_of(checksum: &str) -> String {
    checksum.strip_prefix(WORD).unwrap_or_default().to_owned()
}

/// Whether all bytes of a page are as they were written.
pub(crate) fn is_sealed(page: &[u8]) -> bool {
    let verdict = judge(&mut Cursor::new(page), true, first(page).map(|at| at as u64));
    // nothing but a disk fails to be read, and this is none
    verdict.is_ok_and(|verdict| verdict == Verdict::Good)
}

/// Looks at every byte of a Parquet file, and leaves it at its start.
pub(crate) fn of_table(file: &mut File) -> io::Result<Verdict> {
    let Some((start, footer)) = footer(file)? else { return Ok(Verdict::None) };
    let (named, at) = last(&footer, ENTRY);
    let verdict = judge(file, named, at.map(|at| start + at as u64))?;
    file.rewind()?;
    Ok(verdict)
}

/// Looks at every byte of a Parquet file in memory.
pub(crate) fn of_bytes(bytes: &[u8]) -> io::Result<Verdict> {
    let (named, at) = last(bytes, ENTRY);
    judge(&mut Cursor::new(bytes), named, at.map(|at| at as u64))
}

/// Looks at every byte of a summary.
pub(crate) fn of_text(text: &[u8]) -> io::Result<Verdict> {
    let (named, at) = last(text, KEY);
    judge(&mut Cursor::new(text), named, at.map(|at| at as u64))
}

fn judge<F: Read + Seek>(file: &mut F, named: bool, at: Option<u64>) -> io::Result<Verdict> {
    let Some(at) = at else {
        return Ok(if named { Verdict::Bad } else { Verdict::None });
    };
    file.rewind()?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut hashed = Hashed::new(io::sink());
    let mut said = BLANK;
    io::copy(&mut (&mut file).take(at), &mut hashed)?;
    file.read_exact(&mut said)?;
    hashed.write_all(&BLANK)?;
    io::copy(&mut file, &mut hashed)?;
    Ok(if hashed.digits().as_bytes() == said { Verdict::Good } else { Verdict::Bad })
}

/// Whether bytes speak of a checksum, and where its digits are: behind all names.
fn last(bytes: &[u8], name: &str) -> (bool, Option<usize>) {
    let last = |word: &str| bytes.windows(word.len()).rposition(|some| some == word.as_bytes());
    let word = last(WORD);
    (word.is_some() || last(name).is_some(), digits_after(bytes, word))
}

/// Where the digits of a checksum are that stands before all names.
fn first(bytes: &[u8]) -> Option<usize> {
    digits_after(bytes, bytes.windows(WORD.len()).position(|some| some == WORD.as_bytes()))
}

fn digits_after(bytes: &[u8], word: Option<usize>) -> Option<usize> {
    word.map(|word| word + WORD.len()).filter(|at| at + BLANK.len() <= bytes.len())
}

/// Where the footer of a Parquet file is, and its bytes; none if it is no such file.
fn footer(file: &mut File) -> io::Result<Option<(u64, Vec<u8>)>> {
    let length = file.seek(SeekFrom::End(0))?;
    let Some(end) = length.checked_sub(8) else { return Ok(None) };
    let mut last = [0; 8];
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut last)?;
    let [a, b, c, d, magic @ ..] = last;
    let size = u64::from(u32::from_le_bytes([a, b, c, d]));
    let is_footer = magic == *MAGIC && size <= LARGEST;
    let Some(start) = end.checked_sub(size).filter(|_| is_footer) else { return Ok(None) };
    let mut footer = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(size).read_to_end(&mut footer)?;
    Ok(Some((start, footer)))
}

/// Bytes as hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in bytes {
        // writing to a string does not fail
        let _ = std::fmt::Write::write_fmt(&mut digits, format_args!("{byte:02x}"));
    }
    digits
}
