//! The files of an entry: in a folder, or in the program.

use super::unreadable;
use crate::escape::Shown as _;
use crate::load::{read_named, tree};
use crate::nearest::nearest;
use crate::node::{Node, Value};
use crate::problem::Report;
use crate::scenario::{self, LONGEST, Overrides, Setup};
use crate::setting::{self, Setting};
use crate::source::Source;
use crate::{toml_out, units};
use std::path::{Path, PathBuf};

/// What an entry says about itself.
pub const ENTRY: &str = "entry.toml";

/// The files of an entry.
pub(super) enum Files {
    /// Inside the program, by name.
    Embedded(&'static [(&'static str, &'static str)]),
    /// In a folder.
    Folder(PathBuf),
}

impl Files {
    /// A file, under the name by which messages call it.
    pub(super) fn source(&self, id: &str, name: &str) -> Result<Source, Report> {
        match self {
            Self::Folder(folder) => read_named(folder.join(name), LONGEST),
            Self::Embedded(files) => {
                let path = format!("gallery/{id}/{name}");
                if let Some((_, text)) = files.iter().find(|(own, _)| *own == name) {
                    return Ok(Source::new(path, *text));
                }
                let near = nearest(name, files.iter().map(|(own, _)| *own));
                let help = near.map(|near| format!("did you mean {near}?"));
                let help = help.unwrap_or_else(|| "check the name".to_owned());
                Err(unreadable(&path, format!("{path}: there is no such file"), help))
            }
        }
    }

    /// A scenario with some values of its own.
    pub(super) fn setup(
        &self,
        id: &str,
        name: &str,
        overrides: &Overrides,
    ) -> Result<Setup, Report> {
        if let Self::Folder(folder) = self {
            return scenario::load(folder.join(name), overrides);
        }
        let (source, root) = self.whole(id, name)?;
        let whole = Source::new(source.name(), toml_out::tree(&root));
        scenario::parse(&whole, Path::new(""), overrides)
    }

    /// A scenario with its arm inside.
    fn whole(&self, id: &str, name: &str) -> Result<(Source, Node), Report> {
        let source = self.source(id, name)?;
        let mut root = tree(&source)?;
        if let Value::Table(entries) = &mut root.value
            && let Some(arm) = entries.iter_mut().find(|entry| entry.key == "arm")
            && let Value::Text(path) = &arm.node.value
        {
            arm.node = tree(&self.source(id, path)?)?;
        }
        Ok((source, root))
    }

    /// The numbers in the file of the arm of a scenario with some values of its own, by their paths and
    /// in SI units.
    pub(super) fn arm_numbers(
        &self,
        id: &str,
        name: &str,
        settings: &[Setting],
    ) -> Result<Vec<(String, f64)>, Report> {
        let (source, mut root) = self.whole(id, name)?;
        Setting::apply(settings, &source, &mut root)?;
        let paths = setting::paths(&root).into_iter().filter(|path| path.starts_with("arm."));
        let number = |path: String| {
            let found = setting::Path::parse(&path).ok()?;
            let number = match &found.find(&mut root)?.value {
                Value::Number(number) => *number,
                Value::Text(text) => units::any(text)?,
                _ => return None,
            };
            Some((path, number))
        };
        Ok(paths.filter_map(number).collect())
    }

    /// All of them, by name.
    pub(super) fn all(&self) -> Result<Vec<(String, String)>, Report> {
        match self {
            Self::Embedded(files) => Ok(files
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect()),
            Self::Folder(folder) => {
                let mut all = Vec::new();
                for path in listed(folder)?.into_iter().filter(|path| path.is_file()) {
                    let text = read_named(&path, LONGEST)?.text().to_owned();
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    all.push((name, text));
                }
                Ok(all)
            }
        }
    }
}

/// Files of a folder that pages show: what scenarios and arms are written in.
const SHOWN: [&str; 4] = ["toml", "json", "urdf", "csv"];

/// Longer ones are not shown.
const LONGEST_SHOWN: usize = 100_000;

impl Files {
    /// Those that pages show: the text of the entry, and what else can be read and is not long.
    pub(super) fn told(&self, entry: &str) -> Vec<(String, String)> {
        let mut told = vec![(ENTRY.to_owned(), entry.to_owned())];
        let others: Vec<(String, String)> = match self {
            Self::Embedded(_) => self.all().unwrap_or_default(),
            Self::Folder(folder) => {
                let read = |path: PathBuf| {
                    let name = path.file_name()?.to_str()?.to_owned();
                    let is_shown = SHOWN.iter().any(|own| name.ends_with(&format!(".{own}")));
                    let text = read_named(path, LONGEST).ok().filter(|_| is_shown)?;
                    Some((name, text.text().to_owned()))
                };
                listed(folder).unwrap_or_default().into_iter().filter_map(read).collect()
            }
        };
        told.extend(others.into_iter().filter(|(name, _)| name != ENTRY));
        told.retain(|(_, text)| text.len() <= LONGEST_SHOWN);
        told
    }
}

/// The folders of entries: those in a folder, or the folder itself.
pub(super) fn folders(folder: &Path) -> Result<Vec<PathBuf>, Report> {
    if folder.join(ENTRY).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found = listed(folder)?;
    found.retain(|path| path.join(ENTRY).is_file());
    if found.is_empty() {
        let name = folder.shown();
        let message = format!("{name} has no entry of a gallery: no folder with {ENTRY}");
        let help = "pliant gallery NAME --copy FOLDER writes the files of one".to_owned();
        return Err(unreadable(&name, message, help));
    }
    Ok(found)
}

/// What is in a folder, in the order of names.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, Report> {
    let all = std::fs::read_dir(folder).and_then(|found| {
        found.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
    });
    let mut all = all.map_err(|error| {
        let name = folder.shown();
        unreadable(&name, format!("{name} cannot be read: {error}"), "name a folder".to_owned())
    })?;
    all.sort();
    Ok(all)
}
