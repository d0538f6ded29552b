//! From a path to an arm.

use crate::codes;
use crate::nearest::nearest;
use crate::node::{Node, Value};
use crate::problem::{Problem, Report};
use crate::setting::Setting;
use crate::source::Source;
use crate::write::write_arm;
use crate::{scenario, toml_out, urdf};
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

/// Reads an arm from a file: an arm file, a URDF with the default [`urdf::Options`], or a scenario,
/// of which it is the arm under the scenario's gravity.
pub fn load(path: impl AsRef<Path>) -> Result<Loaded, Report> {
    load_with(path, &[])
}

/// The same with settings. A URDF has the keys of the arm file that it becomes.
pub fn load_with(path: impl AsRef<Path>, settings: &[Setting]) -> Result<Loaded, Report> {
    let path = path.as_ref();
    let is_long = || std::fs::metadata(path).is_ok_and(|about| about.len() > LONGEST);
    let longest = if is_urdf(path) {
        urdf::LONGEST
    } else if is_long() && scenario::is_scenario(path) {
        scenario::LONGEST
    } else {
        LONGEST
    };
    let source = read_source(path, longest)?;
    let folder = if path == Path::new("-") { None } else { path.parent() };
    read(&source, folder.unwrap_or(Path::new("")), settings)
}

/// Reads an arm from the text of an arm file or a URDF; the latter begins with `<`.
pub fn parse_arm(source: &Source) -> Result<Loaded, Report> {
    read(source, Path::new(""), &[])
}

fn read(source: &Source, folder: &Path, settings: &[Setting]) -> Result<Loaded, Report> {
    if is_markup(source) {
        return read_urdf(source, urdf::Options::default(), settings);
    }
    let root = tree(source)?;
    if scenario::is_scenario_tree(&root) {
        return scenario::arm_of(source, root, folder, settings);
    }
    read_arm(source, root, settings).map(|(loaded, _)| loaded)
}

/// Reads an arm from its own file, and the text of that with the settings; a URDF has none.
pub(crate) fn load_with_text(
    path: &Path,
    settings: &[Setting],
) -> Result<(Loaded, Option<String>), Report> {
    let source = read_source(path, if is_urdf(path) { urdf::LONGEST } else { LONGEST })?;
    if is_markup(&source) {
        return Ok((read_urdf(&source, urdf::Options::default(), settings)?, None));
    }
    let (loaded, text) = read_arm(&source, tree(&source)?, settings)?;
    Ok((loaded, Some(text)))
}

fn is_urdf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "urdf" || ending == "xacro")
}

fn is_markup(source: &Source) -> bool {
    source.text().trim_start().starts_with('<')
}

/// What a file of TOML says.
fn tree(source: &Source) -> Result<Node, Report> {
    crate::toml_text::read(source).map_err(|problems| Report::new(source.clone(), problems))
}

fn read_arm(
    source: &Source,
    mut root: Node,
    settings: &[Setting],
) -> Result<(Loaded, String), Report> {
    if settings.is_empty() {
        return Ok((crate::arm_file::read(source, &root)?, source.text().to_owned()));
    }
    let source = Setting::apply(settings, source, &mut root)?;
    let loaded = crate::arm_file::read(&source, &root)?;
    Ok((loaded, toml_out::tree(&root)))
}

/// Reads a URDF; settings are for the arm file that it becomes.
pub(crate) fn read_urdf(
    source: &Source,
    options: urdf::Options,
    settings: &[Setting],
) -> Result<Loaded, Report> {
    let loaded = urdf::read(source, &options)?;
    if settings.is_empty() {
        return Ok(loaded);
    }
    let text = write_arm(&loaded.description);
    let converted = Source::new(format!("{} as an arm file", source.name()), text);
    let mut root = tree(&converted)?;
    // a sum that only says what the links say
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| entry.key != "total_mass");
    }
    let own = loaded.warnings;
    let (mut loaded, _) = read_arm(&converted, root, settings)?;
    loaded.warnings = own.and(loaded.warnings);
    let mass = loaded.arm.total_mass();
    if mass > 0.0 {
        loaded.description = loaded.description.total_mass(mass);
    }
    Ok(loaded)
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
        let message = format!("{name} has {size} bytes, more than {longest}");
        let problem = Problem::error(&codes::TOO_LARGE, message);
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
