//! From a path to an arm.

use crate::codes;
use crate::nearest::nearest;
use crate::problem::{Problem, Report};
use crate::source::Source;
use crate::urdf;
use pliant::arm::{Arm, Builder};
use pliant::reproduce::Variants;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// An arm from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The arm, checked.
    pub arm: Arm,
    /// What it was built from.
    pub description: Builder,
    /// Which of its links ask for equations of a document.
    pub variants: Variants,
    /// What is doubtful about it, perhaps nothing.
    pub warnings: Report,
}

/// A longer arm file is refused: thousands of links fit in, and reading stays within memory.
const LONGEST: u64 = 1 << 20;

/// Reads an arm from a file: an arm file, or a URDF with the default [`urdf::Options`].
pub fn load(path: impl AsRef<Path>) -> Result<Loaded, Report> {
    load_with_text(path.as_ref()).map(|(loaded, _)| loaded)
}

/// Reads an arm from a file, and its text.
pub(crate) fn load_with_text(path: &Path) -> Result<(Loaded, String), Report> {
    let ending = path.extension();
    let is_urdf = ending.is_some_and(|ending| ending == "urdf" || ending == "xacro");
    let source = read_source(path, if is_urdf { urdf::LONGEST } else { LONGEST })?;
    let loaded =
        if is_urdf { urdf::read(&source, &urdf::Options::default())? } else { parse_arm(&source)? };
    Ok((loaded, source.text().to_owned()))
}

/// Reads an arm from the text of an arm file or a URDF; the latter begins with `<`.
pub fn parse_arm(source: &Source) -> Result<Loaded, Report> {
    if source.text().trim_start().starts_with('<') {
        return urdf::read(source, &urdf::Options::default());
    }
    crate::arm_file::read(source)
}

/// The text of a file of at most `longest` bytes. The path `-` is the standard input.
pub fn read_source(path: impl AsRef<Path>, longest: u64) -> Result<Source, Report> {
    let path = path.as_ref();
    let name = if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let refuse = |problem| Report::new(Source::new(name.as_str(), ""), vec![problem]);
    let bytes =
        read_bytes(path, longest).map_err(|error| refuse(unreadable(path, &name, &error)))?;
    if bytes.len() as u64 > longest {
        let size = std::fs::metadata(path).map_or(bytes.len() as u64, |about| about.len());
        let problem = Problem::error(
            &codes::TOO_LARGE,
            format!("{name} has {size} bytes, more than {longest}"),
        );
        return Err(refuse(problem.help("is this the right file?")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name.as_str(), text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let line = bytes[..at].split(|byte| *byte == b'\n').count();
            let problem = Problem::error(
                &codes::NOT_TEXT,
                format!(
                    "{name} is not text in UTF-8: the byte 0x{:02x} in line {line} does not belong there",
                    bytes.get(at).copied().unwrap_or_default()
                ),
            );
            Err(refuse(problem.help("save the file as UTF-8; or is this the right file?")))
        }
    }
}

/// At most one byte more than allowed is ever read.
fn read_bytes(path: &Path, longest: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(longest + 1).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn unreadable(path: &Path, name: &str, error: &std::io::Error) -> Problem {
    let (why, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file", neighbour(path)),
        ErrorKind::PermissionDenied => ("it may not be read", None),
        ErrorKind::IsADirectory => ("it is a folder", None),
        _ => ("it cannot be read", None),
    };
    let problem = Problem::error(&codes::UNREADABLE, format!("{name}: {why}"));
    problem.help(help.unwrap_or_else(|| "check the path".to_owned()))
}

/// A file of nearly the same name in the same folder.
fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let listed = if folder == Path::new("") { Path::new(".") } else { folder };
    let mut names: Vec<String> = std::fs::read_dir(listed)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let near = nearest(wanted, names.iter().map(String::as_str))?;
    Some(format!("did you mean {}?", folder.join(near).display()))
}
