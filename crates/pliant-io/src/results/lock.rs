//! The lock of a folder: one run at a time writes into it.
//!
//! The system holds it for as long as the process lives, so that a file left by one that was killed
//! locks nothing and is taken over.

use super::disk::LOCK;
use super::error::{Error, Saved};
use crate::files;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a lock whose file goes meanwhile is tried again.
const TRIALS: usize = 100;

/// How often it is looked who holds a lock, ten milliseconds apart: it is told after locking.
const LOOKS: usize = 20;

/// A folder that no other run writes into while this is there.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
    /// Why the system does not hold it.
    missing: Option<String>,
}

impl FolderLock {
    /// Locks a folder, or says who has locked it. Nothing else in it is touched.
    pub(crate) fn take(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(LOCK);
        for _ in 0..TRIALS {
            let Some(file) = open(&path)? else { continue };
            if let Some(lock) = Self::claim(file, &path)? {
                return Ok(lock);
            }
        }
        Err(Error::InUse { path: folder.to_owned(), holder: "runs that come and go".to_owned() })
    }

    /// Locks a file that was opened; none if who held it has removed it since.
    fn claim(file: File, path: &Path) -> Result<Option<Self>, Error> {
        let missing = match file.try_lock() {
            Ok(()) => None,
            Err(TryLockError::Error(error)) => Some(error.to_string()),
            Err(TryLockError::WouldBlock) => return Err(in_use(path, file)),
        };
        if !is_at(&file, path) {
            return Ok(None);
        }
        let mut lock = Self { path: path.to_owned(), file, missing };
        match lock.sign() {
            Ok(()) => Ok(Some(lock)),
            Err(source) => Err(write_error(path, source)),
        }
    }

    /// Why nothing keeps other runs out of the folder, where its file system has no locks.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// Writes down who holds it.
    fn sign(&mut self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{}", one_line(&holder()))
    }
}

impl Drop for FolderLock {
    /// The file goes before the lock does. Who has opened it meanwhile finds that it is not there
    /// any more, where the system can tell; elsewhere it stays, empty.
    fn drop(&mut self) {
        if self.missing.is_some() {
            return;
        }
        // a lock that is left behind holds nothing
        let _ = if cfg!(unix) && is_at(&self.file, &self.path) {
            std::fs::remove_file(&self.path)
        } else {
            self.file.set_len(0)
        };
    }
}

/// The file of a lock, new or left by others; none if it went meanwhile.
fn open(path: &Path) -> Result<Option<File>, Error> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let opened = match options.create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            files::plain_file(path)?;
            options.create_new(false).open(path)
        }
        other => other,
    };
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound && folder_is_there(path) => Ok(None),
        Err(source) => Err(write_error(path, source)),
    }
}

fn folder_is_there(path: &Path) -> bool {
    path.parent().is_some_and(Path::is_dir)
}

fn write_error(path: &Path, source: std::io::Error) -> Error {
    Error::Write { file: path.to_owned(), saved: Saved::default(), source }
}

/// Whether this still is the file of that name, and no other that a link leads to.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::symlink_metadata(path)) {
        (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Where files have no numbers, locks are never removed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    matches!(files::plain_file(path), Ok(Some(_)))
}

fn in_use(path: &Path, mut file: File) -> Error {
    let mut text = Vec::new();
    for _ in 0..LOOKS {
        // some systems let nobody read what is locked
        let read = file.rewind().and_then(|()| (&mut file).take(4096).read_to_end(&mut text));
        if read.is_err() || !text.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let text = String::from_utf8_lossy(&text);
    let said = text.lines().next().map_or_else(String::new, one_line);
    let holder = if said.is_empty() { "another process".to_owned() } else { said };
    Error::InUse { path: path.parent().unwrap_or(path).to_owned(), holder }
}

/// Who this process is.
fn holder() -> String {
    let arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let command = arguments.collect::<Vec<_>>().join(" ");
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (process, since) = (std::process::id(), utc(since.as_secs()));
    match host() {
        Some(host) => format!("process {process} on {host} since {since}: {command}"),
        None => format!("process {process} since {since}: {command}"),
    }
}

/// The name of this machine, as far as the system tells without being asked.
fn host() -> Option<String> {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::fs::read_to_string("/etc/hostname").ok());
    let variable = |name| std::env::var(name).ok();
    let told = told.or_else(|| variable("COMPUTERNAME")).or_else(|| variable("HOSTNAME"))?;
    Some(told.trim().to_owned()).filter(|name| !name.is_empty())
}

/// At most 300 characters, all of which can be seen.
pub(super) fn one_line(text: &str) -> String {
    let shown = text.chars().flat_map(|letter| {
        let plain = matches!(letter, '"' | '\'' | '\\');
        let escaped = (!plain).then(|| letter.escape_debug());
        plain.then_some(letter).into_iter().chain(escaped.into_iter().flatten())
    });
    shown.take(300).collect()
}

/// Seconds since 1970 as date and time.
fn utc(seconds: u64) -> String {
    // years begin with March, so that leap days come last; an era is 400 years
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (400 * era + year + month / 10, (month + 2) % 12 + 1);
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{year}-{month:02}-{date:02} {hours:02}:{minutes:02}:{:02} UTC", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("pliant-lock-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a folder");
        folder
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_709_210_096, "2024-02-29 12:34:56 UTC"),
            (1_767_225_599, "2025-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn what_a_lock_says_harms_no_terminal() {
        assert_eq!(one_line("run \"a b\" \u{1b}[2J\u{202e}x"), "run \"a b\" \\u{1b}[2J\\u{202e}x");
        assert_eq!(one_line(&"x".repeat(9999)).len(), 300);
    }

    #[test]
    fn one_holds_it_and_is_named() {
        let folder = fresh("one");
        let first = FolderLock::take(&folder).expect("free");
        let error = FolderLock::take(&folder).expect_err("held").to_string();
        let process = format!("process {}", std::process::id());
        assert!(error.contains(&process) && error.contains(" since 20"), "{error}");
        drop(first);
        assert!(!cfg!(unix) || !folder.join(LOCK).exists());
        // what a dead process left is taken over
        std::fs::write(folder.join(LOCK), "process 1 on moon: gone").expect("written");
        drop(FolderLock::take(&folder).expect("stale"));
        std::fs::remove_dir_all(&folder).expect("ours");
    }

    /// Who opens the file before it is removed and locks it afterwards has nothing.
    #[cfg(unix)]
    #[test]
    fn a_file_that_was_removed_is_no_lock() {
        let folder = fresh("removed");
        let path = folder.join(LOCK);
        let first = FolderLock::take(&folder).expect("free");
        let late = || open(&path).expect("there").expect("still");
        let (second, third) = (late(), late());
        drop(first);
        assert!(FolderLock::claim(second, &path).expect("no fault").is_none());
        // nor when another has made a new one
        let fourth = FolderLock::take(&folder).expect("free");
        assert!(FolderLock::claim(third, &path).expect("no fault").is_none());
        assert!(path.exists());
        drop(fourth);
        assert!(!path.exists());
        std::fs::remove_dir_all(&folder).expect("ours");
    }

    /// Many threads come and go: never two at once, though each removes the file.
    #[test]
    fn no_two_hold_it() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let folder = fresh("many");
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        let Ok(lock) = FolderLock::take(&folder) else { continue };
                        assert_eq!(inside.fetch_add(1, SeqCst), 0);
                        taken.fetch_add(1, SeqCst);
                        inside.fetch_sub(1, SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 8);
        std::fs::remove_dir_all(&folder).expect("ours");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_lock() {
        let folder = fresh("link");
        std::fs::write(folder.join("thesis.tex"), "years").expect("written");
        std::os::unix::fs::symlink("thesis.tex", folder.join(LOCK)).expect("a link");
        let error = FolderLock::take(&folder).expect_err("a link").to_string();
        assert!(error.contains("run.lock is in the way: it is a symbolic link"), "{error}");
        let thesis = std::fs::read_to_string(folder.join("thesis.tex")).expect("there");
        assert_eq!(thesis, "years");
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
