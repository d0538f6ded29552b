//! Files that are written whole, replace nothing unasked and nothing but plain files.

use pliant_io::files::{Existing, FileError};
use std::path::{Path, PathBuf};

/// An empty folder of this name.
fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_exists_is_replaced_only_where_that_is_wanted() {
    let folder = empty("exists");
    let file = folder.join("thesis.tex");
    Existing::Refuse.write(&file, b"years").unwrap();
    let error = Existing::Refuse.write(&file, b"a page").unwrap_err();
    assert!(matches!(error, FileError::Exists { .. }), "{error}");
    assert!(Existing::Refuse.check(&file).is_err() && Existing::Replace.check(&file).is_ok());
    assert_eq!(read(&file), "years");
    Existing::Replace.write(&file, b"a page").unwrap();
    assert_eq!(
        (read(&file).as_str(), names_in(&folder)),
        ("a page", vec!["thesis.tex".to_owned()])
    );
}

/// Of many that write one new file at once, one does.
#[test]
fn one_of_many_is_first() {
    let folder = empty("race");
    for round in 0..50 {
        let file = folder.join(format!("{round}.txt"));
        let written = |writer: u32| {
            Existing::Refuse.write(&file, writer.to_string().as_bytes()).ok().map(|()| writer)
        };
        let winners: Vec<u32> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|writer| scope.spawn(move || written(writer))).collect();
            all.into_iter().filter_map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(winners.len(), 1, "round {round}");
        assert_eq!(read(&file), winners[0].to_string());
    }
    assert_eq!(names_in(&folder).len(), 50);
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = empty("plain");
    let at = |name: &str| folder.join(name);
    std::fs::write(at("thesis.tex"), "years").unwrap();
    symlink("thesis.tex", at("link")).unwrap();
    symlink("nothing", at("dangling")).unwrap();
    std::fs::create_dir(at("folder")).unwrap();
    symlink("folder", at("linked-folder")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    let before = names_in(&folder);
    for (name, what) in [
        ("link", "a symbolic link"),
        ("dangling", "a symbolic link"),
        ("folder", "a folder"),
        ("linked-folder", "a symbolic link"),
        ("pipe", "a device, a pipe or a socket"),
        ("socket", "a device, a pipe or a socket"),
    ] {
        for existing in [Existing::Refuse, Existing::Replace] {
            let error = existing.write(at(name), b"a page").unwrap_err().to_string();
            assert!(error.ends_with(&format!("{name} is {what}, not a plain file")), "{error}");
        }
    }
    assert_eq!((read(&at("thesis.tex")), names_in(&folder)), ("years".to_owned(), before));
    // a folder on the way may be a link
    Existing::Refuse.write(at("linked-folder/page.html"), b"a page").unwrap();
    assert_eq!(read(&at("folder/page.html")), "a page");
    // nobody else may read what was private
    std::fs::set_permissions(at("thesis.tex"), PermissionsExt::from_mode(0o600)).unwrap();
    Existing::Replace.write(at("thesis.tex"), b"a page").unwrap();
    let mode = std::fs::metadata(at("thesis.tex")).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, read(&at("thesis.tex")).as_str()), (0o600, "a page"));
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = empty("nowhere");
    for name in ["no/such/page.html", ".."] {
        let error = Existing::Replace.write(folder.join(name), b"").unwrap_err();
        assert!(!matches!(error, FileError::Exists { .. }), "{error}");
    }
    assert!(names_in(&folder).is_empty());
}
