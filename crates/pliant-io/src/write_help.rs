//! What helps where a file cannot be written.

use std::io::{Error, ErrorKind};

/// What helps, by what the system said; `elsewhere` says how to write to another place.
///
/// ```
/// use std::io::{Error, ErrorKind};
///
/// let help = pliant_io::write_help(&Error::from(ErrorKind::StorageFull), "name another folder");
/// assert_eq!(help, "make room, or name another folder");
/// ```
pub fn write_help(error: &Error, elsewhere: &str) -> String {
    let remedy = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room",
        ErrorKind::FileTooLarge => "raise the limit for the size of files (ulimit -f)",
        ErrorKind::PermissionDenied => "get the permission to write there",
        ErrorKind::NotFound => "make its folder first",
        ErrorKind::NotADirectory => "take away the file that stands where its folder should be",
        ErrorKind::IsADirectory => "take away the folder that has its name",
        ErrorKind::ReadOnlyFilesystem => {
            return format!("{elsewhere}: the file system there can only be read");
        }
        _ => return elsewhere.to_owned(),
    };
    format!("{remedy}, or {elsewhere}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a disk without room needs room.
    #[test]
    fn each_fault_has_its_own_help() {
        let of = |kind: ErrorKind| write_help(&Error::from(kind), "choose another file with -o");
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded] {
            assert_eq!(of(kind), "make room, or choose another file with -o");
        }
        for (kind, word) in [
            (ErrorKind::FileTooLarge, "limit"),
            (ErrorKind::PermissionDenied, "permission"),
            (ErrorKind::NotFound, "folder first"),
            (ErrorKind::NotADirectory, "where its folder should be"),
            (ErrorKind::IsADirectory, "has its name"),
            (ErrorKind::ReadOnlyFilesystem, "only be read"),
            (ErrorKind::Other, "choose"),
        ] {
            let help = of(kind);
            assert!(help.contains(word) && help.contains("choose another file with -o"), "{help}");
            assert!(!help.contains("room"), "{help}");
        }
    }
}
