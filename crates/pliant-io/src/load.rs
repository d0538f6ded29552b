//! From a path to an arm.

use crate::codes;
use crate::escape::Shown as _;
use crate::nearest::nearest;
use crate::node::{Node, Value};
use crate::problem::{Problem, Report};
use crate::setting::Setting;
use crate::source::Source;
use crate::write::write_arm;
use crate::{foreign, scenario, toml_out, urdf};
use pliant::arm::{Arm, Builder};
use pliant::reproduce::Variants;
use std::fs::FileType;
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

/// The tree of an arm file with settings, or of the one that a URDF becomes; of a scenario none.
pub(crate) fn arm_tree(
    path: &Path,
    settings: &[Setting],
) -> Result<Option<(Source, Node)>, Report> {
    let mut source = read_source(path, if is_urdf(path) { urdf::LONGEST } else { LONGEST })?;
    let mut root = if is_markup(&source) {
        let loaded = urdf::read(&source, &urdf::Options::default())?;
        let root;
        (source, root) = converted(&source, &loaded)?;
        root
    } else {
        tree(&source)?
    };
    if scenario::is_scenario_tree(&root) {
        return Ok(None);
    }
    let source = Setting::apply(settings, &source, &mut root)?;
    Ok(Some((source, root)))
}

/// The arm file that a URDF becomes.
fn converted(source: &Source, loaded: &Loaded) -> Result<(Source, Node), Report> {
    let text = write_arm(&loaded.description);
    let converted = Source::new(format!("{} as an arm file", source.name()), text);
    let mut root = tree(&converted)?;
    // a sum that only says what the links say
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| entry.key != "total_mass");
    }
    Ok((converted, root))
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

/// Reads an arm from its own file, and the text of that with the settings, which [`parse_arm`] reads
/// alike to the last bit; a URDF has none.
pub fn load_with_text(
    path: &Path,
    settings: &[Setting],
) -> Result<(Loaded, Option<String>), Report> {
    let source = read_named(path, if is_urdf(path) { urdf::LONGEST } else { LONGEST })?;
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

/// What a file of TOML says that is an arm or a scenario; of another no line is shown.
pub(crate) fn tree(source: &Source) -> Result<Node, Report> {
    let root = crate::toml_text::read(source);
    let is_foreign = match &root {
        Ok(root) => foreign::has_foreign_keys(root),
        Err(_) => foreign::has_foreign_lines(source.text()),
    };
    if is_foreign {
        return Err(Report::new(source.clone(), vec![foreign::problem(source)]));
    }
    root.map_err(|problems| Report::new(source.clone(), problems))
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
    let (converted, root) = converted(source, &loaded)?;
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
    if path == Path::new("-") {
        return read_from(&mut std::io::stdin().lock(), path, "standard input", longest);
    }
    // those of the process itself, which shells make of pipes, are named on purpose
    let is_open =
        ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|own| path.starts_with(own));
    if is_open { open(path, longest) } else { read_plain(path, longest, OF_COMMAND) }
}

/// The same of a path that a file names: whatever is no plain file is refused, since nobody has to wait
/// for what a file of somebody else names, and `-` is a name like others.
pub(crate) fn read_named(path: impl AsRef<Path>, longest: u64) -> Result<Source, Report> {
    read_plain(path.as_ref(), longest, OF_FILE)
}

/// What to give instead of a device.
const OF_COMMAND: &str = "give a plain file, or pipe its contents in and write - as the file";
const OF_FILE: &str = "name a plain file";

fn read_plain(path: &Path, longest: u64, help: &str) -> Result<Source, Report> {
    if let Some(kind) = special(path) {
        let name = path.shown();
        let message = format!("{name} is {kind}, not a plain file");
        let problem = Problem::error(&codes::UNREADABLE, message).help(help);
        return Err(Report::new(Source::new(name, ""), vec![problem]));
    }
    open(path, longest)
}

fn open(path: &Path, longest: u64) -> Result<Source, Report> {
    let name = path.shown();
    match std::fs::File::open(path) {
        Ok(mut file) => read_from(&mut file, path, &name, longest),
        Err(error) => {
            let problem = unreadable(path, &name, &error);
            Err(Report::new(Source::new(name, ""), vec![problem]))
        }
    }
}

/// The text of what is open, by the name under which it is known.
fn read_from(from: &mut dyn Read, path: &Path, name: &str, longest: u64) -> Result<Source, Report> {
    let refuse = |problem| Report::new(Source::new(name, ""), vec![problem]);
    let bytes =
        read_bytes(from, longest).map_err(|error| refuse(unreadable(path, name, &error)))?;
    if bytes.len() as u64 > longest {
        // of what is no plain file, and of what still grows, the size is not known
        let size = std::fs::metadata(path).map_or(0, |about| about.len());
        let message = if size > longest {
            format!("{name} has {size} bytes, more than {longest}")
        } else {
            format!("{name} has more than {longest} bytes")
        };
        let problem = Problem::error(&codes::TOO_LARGE, message);
        return Err(refuse(problem.help("is this the right file?")));
    }
    if bytes.contains(&0) {
        let message = format!("{name} is not text: it has bytes that are zero");
        let problem = Problem::error(&codes::NOT_TEXT, message);
        return Err(refuse(problem.help("is this the right file? pliant reads text in UTF-8")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
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

/// What something is that is no plain file.
fn special(path: &Path) -> Option<&'static str> {
    kind_of_special(std::fs::metadata(path).ok()?.file_type())
}

fn kind_of_special(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_fifo() {
            return Some("a pipe (FIFO)");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    kind.is_dir().then_some("a folder")
}

/// At most one byte more than allowed is ever read.
fn read_bytes(from: &mut dyn Read, longest: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(longest + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(path: &Path, name: &str, error: &std::io::Error) -> Problem {
    let (why, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file", neighbour(path)),
        ErrorKind::PermissionDenied => ("it may not be read", None),
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
    Some(format!("did you mean {}?", folder.join(near).shown()))
}
