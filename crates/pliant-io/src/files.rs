//! Files that are there as a whole or not at all, and replace others only where that is wanted.
//!
//! A file is written beside its place under a name of its own, brought to the disk and then given its
//! name. Whatever is no plain file is never replaced: writing through a link or into a device harms
//! what nobody named. Folders on the way may be links.

use crate::escape::Shown as _;
use pliant::Help;
use std::ffi::{OsStr, OsString};
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

    /// Writes bytes to a file.
    pub fn write(self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
        let path = path.as_ref();
        self.write_with(path, |out| {
            let written = out.write_all(bytes);
            written.map_err(|source| FileError::Write { file: path.to_owned(), source })
        })
    }

    /// Whether a file could be written as far as what exists is concerned: for those who compute long
    /// before they write.
    pub fn check(self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        match plain_file(path)? {
            Some(_) if self == Self::Refuse => Err(FileError::Exists { file: path.to_owned() }),
            _ => Ok(()),
        }
    }

    /// Whether a folder can be written where it shall be, before anything is computed for it.
    pub fn check_folder(self, folder: &Path) -> Result<(), FileError> {
        if fs::metadata(folder).is_ok_and(|about| !about.is_dir()) {
            return Err(FileError::NotFolder { file: folder.to_owned() });
        }
        let draft = DraftFolder::beside(folder);
        draft.map(drop).map_err(|source| FileError::Write { file: folder.to_owned(), source })
    }

    /// Writes the files of a folder, given by their places in it. They are written to a folder beside
    /// it, which gets its name: all of them are there then, or none. If it exists, they are moved into
    /// it when all of them are written, one after the other.
    pub fn write_folder(self, folder: &Path, files: &[(&str, &[u8])]) -> Result<(), FileError> {
        let fault = |source| FileError::Write { file: folder.to_owned(), source };
        let is_there = match fs::metadata(folder) {
            Ok(about) if about.is_dir() => true,
            Ok(_) => return Err(FileError::NotFolder { file: folder.to_owned() }),
            Err(_) => false,
        };
        for (name, _) in files {
            self.check(folder.join(name))?;
        }
        let draft = DraftFolder::beside(folder).map_err(fault)?;
        for (name, bytes) in files {
            let path = draft.path.join(name);
            let fault = |source| FileError::Write { file: folder.join(name), source };
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(fault)?;
            let mut file = File::create_new(path).map_err(fault)?;
            file.write_all(bytes).and_then(|()| file.sync_all()).map_err(fault)?;
        }
        if !is_there {
            fs::rename(&draft.path, folder).map_err(fault)?;
            return sync_folder(folder).map_err(fault);
        }
        for (name, _) in files {
            let place = folder.join(name);
            let fault = |source| FileError::Write { file: place.clone(), source };
            place.parent().map_or(Ok(()), fs::create_dir_all).map_err(fault)?;
            self.check(&place)?;
            fs::rename(draft.path.join(name), &place).map_err(fault)?;
            sync_folder(&place).map_err(fault)?;
        }
        Ok(())
    }

    /// Writes a file of what `fill` gives. When this fails nothing of it remains.
    pub(crate) fn write_with<E: From<FileError>>(
        self,
        path: &Path,
        fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
    ) -> Result<(), E> {
        let fault = |source| FileError::Write { file: path.to_owned(), source };
        self.check(path)?;
        let (draft, file) = Draft::beside(path).map_err(fault)?;
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        draft.publish(out, path, self)?;
        sync_folder(path).map_err(fault)?;
        Ok(())
    }
}

/// What stops the writing of a file: the disk, or what should go into it.
pub(crate) enum Trouble<E> {
    Disk(io::Error),
    Content(E),
}

/// An error of what goes into files.
pub(crate) trait ContentError: From<FileError> {}

impl<E> Trouble<E> {
    /// The error, once it is said what one of the disk means.
    pub(crate) fn told(self, disk: impl FnOnce(io::Error) -> E) -> E {
        match self {
            Self::Disk(source) => disk(source),
            Self::Content(error) => error,
        }
    }
}

impl<E> From<io::Error> for Trouble<E> {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl<E: ContentError> From<E> for Trouble<E> {
    fn from(error: E) -> Self {
        Self::Content(error)
    }
}

impl<E: ContentError> From<FileError> for Trouble<E> {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Write { source, .. } => Self::Disk(source),
            other => Self::Content(other.into()),
        }
    }
}

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It exists, and is not to be replaced.
    #[error("{} exists already", file.shown())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// What exists there is never replaced.
    #[error("{} is {what}, not a plain file", file.shown())]
    NotPlain {
        /// Where it is.
        file: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// Something else is where a folder is to be.
    #[error("{} is no folder", file.shown())]
    NotFolder {
        /// Where it is.
        file: PathBuf,
    },
    /// The system refuses.
    #[error("{} cannot be written: {source}", file.shown())]
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
            Self::NotFolder { .. } => "name a folder, or a new one",
            Self::Write { source, .. } => {
                return Some(crate::write_help(source, "choose another place for it"));
            }
        };
        Some(help.to_owned())
    }
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

/// The longest name of a file (bytes); systems that count otherwise allow at least as much.
const LONGEST: usize = 255;

/// The name of a draft: that of its file, so that it is known what was being written, as far as there
/// is room, and a number.
fn draft_name(name: &OsStr, number: u64) -> OsString {
    let ending = format!(".{number:016x}{PARTIAL}");
    if name.len() + ending.len() <= LONGEST {
        let mut own = name.to_owned();
        own.push(ending);
        return own;
    }
    let name = name.to_string_lossy();
    let room = LONGEST - ending.len();
    let ends = name.char_indices().map(|(start, letter)| start + letter.len_utf8());
    let kept = ends.take_while(|end| *end <= room).last().unwrap_or(0);
    format!("{}{ending}", &name[..kept]).into()
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
            let own = path.with_file_name(draft_name(name, random()));
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
                Err(_) => existing.check(path)?,
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

/// A folder that is being filled, which goes in any case.
struct DraftFolder {
    path: PathBuf,
}

impl DraftFolder {
    /// A new folder beside another.
    fn beside(folder: &Path) -> io::Result<Self> {
        // `.` and `..` have no name of their own
        let whole =
            if folder.file_name().is_none() { folder.canonicalize()? } else { folder.into() };
        let (folder, name) = (&whole, whole.file_name().ok_or(ErrorKind::InvalidInput)?);
        loop {
            let path = folder.with_file_name(draft_name(name, random()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for DraftFolder {
    fn drop(&mut self) {
        // the first error is the one to report
        let _ = fs::remove_dir_all(&self.path);
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
    use super::{Existing, LONGEST, draft_name, without_partial};

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

    /// A folder is there as a whole or as it was before.
    #[test]
    fn folders_are_written_whole_or_not_at_all() {
        let place = std::env::temp_dir().join(format!("pliant-folder-{}", std::process::id()));
        std::fs::create_dir_all(&place).expect("a folder");
        let folder = place.join("code");
        let files: [(&str, &[u8]); 2] = [("a.c", b"one"), ("src/b.c", b"two")];
        Existing::Refuse.write_folder(&folder, &files).expect("written");
        assert_eq!(std::fs::read(folder.join("src/b.c")).expect("there"), b"two");
        let more: [(&str, &[u8]); 2] = [("c.c", b"three"), ("a.c", b"four")];
        let refused = Existing::Refuse.write_folder(&folder, &more).expect_err("a.c exists");
        assert!(refused.to_string().ends_with("a.c exists already"), "{refused}");
        assert!(!folder.join("c.c").exists());
        Existing::Replace.write_folder(&folder, &more).expect("written");
        assert_eq!(std::fs::read(folder.join("a.c")).expect("there"), b"four");
        assert_eq!(std::fs::read(folder.join("src/b.c")).expect("there"), b"two");
        let odd = Existing::Replace.write_folder(&folder.join("a.c"), &more).expect_err("a file");
        assert!(odd.to_string().ends_with("a.c is no folder"), "{odd}");
        let nowhere = place.join("missing").join("code");
        Existing::Refuse.write_folder(&nowhere, &files).expect_err("no such place");
        assert_eq!(std::fs::read_dir(&place).expect("there").count(), 1);
        std::fs::remove_dir_all(&place).expect("ours");
    }

    /// Files of the longest names are written too, and nothing is left beside them.
    #[test]
    fn the_longest_names_are_written() {
        let folder = std::env::temp_dir().join(format!("pliant-long-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for name in ["é".repeat(127), "x".repeat(LONGEST), "x".repeat(LONGEST - 24), "x".into()] {
            let draft = draft_name(name.as_ref(), 7);
            assert!(draft.len() <= LONGEST, "{draft:?}");
            assert!(draft.to_string_lossy().ends_with(".0000000000000007.partial"), "{draft:?}");
            let file = folder.join(&name);
            Existing::Refuse.write(&file, name.as_bytes()).expect("written");
            assert_eq!(std::fs::read(&file).expect("there"), name.as_bytes());
        }
        assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 4);
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
