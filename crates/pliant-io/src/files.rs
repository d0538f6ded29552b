//! Files that are there as a whole or not at all, and replace others only where that is wanted.
//!
//! A file is written beside its place under a name of its own, brought to the disk and then given its
//! name. Whatever is no plain file is never replaced: writing through a link or into a device harms
//! what nobody named. Folders on the way may be links.

use pliant::Help;
use std::fs::{self, File, FileType, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The ending of a file that is still being written; readers do not look at it.
const PARTIAL: &str = ".partial";

/// What becomes of a file that exists where another is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is written.
    Refuse,
    /// It is replaced, if it is a plain file.
    Replace,
}

impl Existing {
    /// Replaced if somebody insists.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }
}

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It exists, and is not to be replaced.
    #[error("{} exists already", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// What exists there is never replaced.
    #[error("{} is {what}, not a plain file", file.display())]
    NotPlain {
        /// Where it is.
        file: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The system refuses.
    #[error("{} cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Help for FileError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Exists { .. } => "choose another name, or let it be replaced",
            Self::NotPlain { .. } => "name a plain file, or a new one",
            Self::Write { source, .. } => {
                return Some(crate::write_help(source, "choose another place for it"));
            }
        };
        Some(help.to_owned())
    }
}

/// Writes bytes to a file.
pub fn write(path: impl AsRef<Path>, existing: Existing, bytes: &[u8]) -> Result<(), FileError> {
    let path = path.as_ref();
    write_with(path, existing, |out| {
        out.write_all(bytes).map_err(|source| FileError::Write { file: path.to_owned(), source })
    })
}

/// Whether a file could be written as far as what exists is concerned: for those who compute long
/// before they write.
pub fn check(path: impl AsRef<Path>, existing: Existing) -> Result<(), FileError> {
    let path = path.as_ref();
    match plain_file(path)? {
        Some(_) if existing == Existing::Refuse => Err(FileError::Exists { file: path.to_owned() }),
        _ => Ok(()),
    }
}

/// Writes a file of what `fill` gives. When this fails nothing of it remains.
pub(crate) fn write_with<E: From<FileError>>(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let fault = |source| FileError::Write { file: path.to_owned(), source };
    check(path, existing)?;
    let (draft, file) = Draft::beside(path).map_err(fault)?;
    let mut out = BufWriter::new(file);
    fill(&mut out)?;
    draft.publish(out, path, existing)?;
    sync_folder(path).map_err(fault)?;
    Ok(())
}

/// What the system says of a plain file, if there is one.
pub(crate) fn plain_file(path: &Path) -> Result<Option<fs::Metadata>, FileError> {
    let file = path.to_owned();
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => Ok(Some(about)),
        Ok(about) => Err(FileError::NotPlain { file, what: kind(about.file_type()) }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError::Write { file, source }),
    }
}

fn kind(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "a symbolic link"
    } else if kind.is_dir() {
        "a folder"
    } else {
        "a device, a pipe or a socket"
    }
}

/// The name of a file without the ending of one that was still being written.
pub(crate) fn without_partial(name: &str) -> &str {
    let Some(begun) = name.strip_suffix(PARTIAL) else { return name };
    let is_digits =
        |digits: &str| digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    // earlier versions gave no number
    begun
        .rsplit_once('.')
        .map_or(begun, |(own, digits)| if is_digits(digits) { own } else { begun })
}

/// Bits that no other process has.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The name of a file that is being written, which goes in any case.
struct Draft {
    path: PathBuf,
}

impl Draft {
    /// A new file beside another.
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
        loop {
            let mut own = name.to_owned();
            own.push(format!(".{:016x}{PARTIAL}", random()));
            let own = path.with_file_name(own);
            // to be read as well: checksums are put in afterwards
            match OpenOptions::new().read(true).write(true).create_new(true).open(&own) {
                Ok(file) => return Ok((Self { path: own }, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Brings what was written to the disk and gives it its name.
    fn publish(
        self,
        mut out: BufWriter<File>,
        path: &Path,
        existing: Existing,
    ) -> Result<(), FileError> {
        let fault = |source| FileError::Write { file: path.to_owned(), source };
        out.flush().map_err(fault)?;
        // who may read the file that is replaced may read this one, and nobody else
        let replaced = plain_file(path)?;
        if let Some(about) = &replaced {
            out.get_ref().set_permissions(about.permissions()).map_err(fault)?;
        }
        out.get_ref().sync_all().map_err(fault)?;
        drop(out); // some systems do not rename open files
        if existing == Existing::Refuse {
            // a second name cannot replace what came there meanwhile
            match fs::hard_link(&self.path, path) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    return Err(FileError::Exists { file: path.to_owned() });
                }
                // where there are no second names
                Err(_) => check(path, existing)?,
            }
        }
        fs::rename(&self.path, path).map_err(fault)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // the first error is the one to report
        let _ = fs::remove_file(&self.path);
    }
}

/// Brings the new name of a file to the disk, where the system lets folders be opened.
fn sync_folder(path: &Path) -> io::Result<()> {
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
    use super::without_partial;

    #[test]
    fn what_was_being_written_is_known_by_its_name() {
        for (name, own) in [
            ("result.parquet", "result.parquet"),
            ("result.parquet.partial", "result.parquet"),
            ("result.parquet.0123456789abcdef.partial", "result.parquet"),
            ("result.parquet.123.partial", "result.parquet.123"),
            ("0123456789abcdef.partial", "0123456789abcdef"),
        ] {
            assert_eq!(without_partial(name), own);
        }
    }
}
