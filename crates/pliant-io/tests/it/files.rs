//! Folders of the repository, read so that a new file is met by itself.

use std::io;
use std::path::{Path, PathBuf};

/// The files of a folder, given from the root of the repository, with one of some extensions, by
/// name.
pub(crate) fn listed(folder: &str, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|place| place.join("robots").is_dir());
    let entries = std::fs::read_dir(root.unwrap_or(package).join(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    });
    paths.sort();
    Ok(paths)
}
