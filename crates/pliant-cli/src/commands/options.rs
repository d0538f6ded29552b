//! Options that several commands have.

use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use pliant_io::escape::Shown as _;
use pliant_io::files::{Existing, FileError};
use pliant_io::report;
use pliant_io::scenario::{self, Overrides, Setup};
use pliant_io::{Loaded, Setting};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// What takes time when an arm is read.
pub(crate) const READING: &str = "reading the arm, and integrating over the shapes of its links";

/// What takes time when a scenario is looked at.
pub(crate) const LOOKING: &str =
    "looking at the scenario, its arm and the loops of its controllers";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables
    Text,
    /// JSON
    Json,
}

// clap would take a doc comment here for the help of the whole command
#[derive(Args, Debug)]
pub(crate) struct Set {
    /// Change a value of the file for this command: link.upper.length=1.4 of an arm, "duration=3 s" or
    /// arm.link.upper.length=1.4 of a scenario; may be
    /// repeated, see `pliant explain setting`
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
}

impl Set {
    /// Whether nothing is changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    pub(crate) fn settings(&self) -> Result<Vec<Setting>, Failure> {
        self.set.iter().map(|text| Setting::parse(text).map_err(Failure::from)).collect()
    }

    /// The arm of a file with these values; shows its warnings.
    pub(crate) fn load(&self, file: &Path, output: &Output) -> Result<Loaded, Failure> {
        let settings = self.settings()?;
        let progress = Progress::new(output, READING);
        let loaded = pliant_io::load_with(file, &settings)?;
        drop(progress);
        output.warn(&loaded.warnings);
        Ok(loaded)
    }

    /// The scenario of a file with these values; shows its warnings.
    pub(crate) fn load_scenario(&self, file: &Path, output: &Output) -> Result<Setup, Failure> {
        let settings = self.settings()?;
        let progress = Progress::new(output, READING);
        let setup = scenario::load(file, &Overrides { settings })?;
        drop(progress);
        output.warn_of(file, &setup.warnings);
        Ok(setup)
    }
}

// nor here
#[derive(Args, Debug)]
pub(crate) struct Instead {
    #[command(flatten)]
    set: Set,

    /// Duration, instead of the scenario's: "10 s"
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    duration: Option<String>,

    /// Tolerance, instead of the scenario's: 1e-8
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    tolerance: Option<String>,
}

impl Instead {
    /// The scenario of a file with these overrides, its loops looked at; shows its warnings.
    pub(crate) fn load(&self, file: &Path, output: &Output) -> Result<Setup, Failure> {
        self.load_fused(file, false, output, |overrides| Ok(scenario::examine(file, overrides)?))
    }

    /// A scenario of a file, perhaps from elsewhere in it, with these overrides and perhaps with its
    /// equations fused.
    pub(crate) fn load_fused(
        &self,
        file: &Path,
        fuse: bool,
        output: &Output,
        load: impl FnOnce(&Overrides) -> Result<Setup, Failure>,
    ) -> Result<Setup, Failure> {
        let mut settings = self.set.settings()?;
        let options = [("duration", &self.duration), ("tolerance", &self.tolerance)];
        let given = options.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
        settings.extend(Overrides::of(given).settings);
        settings.extend(Overrides::of(fuse.then_some(("fuse", "true"))).settings);
        let progress = Progress::new(output, LOOKING);
        let setup = load(&Overrides { settings })?;
        drop(progress);
        output.warn_of(file, &setup.warnings);
        Ok(setup)
    }
}

// nor here
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Force {
    /// Replace a file that exists: a page by a page, a drawing by a drawing, never a link or a folder
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Refuses what a file to be written would replace, before anything is computed for it.
    pub(crate) fn check(self, path: &Path) -> Result<(), Failure> {
        if path == Path::new("-") {
            let message = "this output needs a file: the standard output has the answer already";
            return Err(Failure::input(message, "give the file a name"));
        }
        self.existing().check(path).map_err(|error| not_written(&error))
    }

    /// The same for a page, which replaces nothing but a page.
    pub(crate) fn check_page(self, path: &Path) -> Result<(), Failure> {
        self.check(path)?;
        same_kind(path, "page", || report::is_page(path))
    }

    /// The same for a drawing, which replaces nothing but a drawing.
    pub(crate) fn check_drawing(self, path: &Path) -> Result<(), Failure> {
        self.check(path)?;
        same_kind(path, "drawing", || is_drawing(path))
    }

    /// Writes a file, whole or not at all, and replaces one only by --force.
    pub(crate) fn write(self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.existing().write(path, bytes).map_err(|error| not_written(&error))
    }

    /// Looks whether a folder can be written, before anything is computed for it.
    pub(crate) fn check_folder(self, folder: &Path) -> Result<(), Failure> {
        if folder == Path::new("-") {
            let message = "this output needs a folder: the standard output has the answer already";
            return Err(Failure::input(message, "give the folder a name"));
        }
        self.existing().check_folder(folder).map_err(|error| not_written(&error))
    }

    /// Writes the files of a folder, all or none, and replaces some only by --force.
    pub(crate) fn write_folder(
        self,
        folder: &Path,
        files: &[(&str, &[u8])],
    ) -> Result<(), Failure> {
        self.existing().write_folder(folder, files).map_err(|error| not_written(&error))
    }

    /// Whether it is insisted on.
    pub(crate) fn is_given(self) -> bool {
        self.force
    }

    /// What becomes of a file that exists.
    pub(crate) fn existing(self) -> Existing {
        Existing::forced(self.force)
    }
}

/// Refuses to replace a file that is of another kind than what is written.
fn same_kind(
    path: &Path,
    kind: &str,
    is_same: impl FnOnce() -> io::Result<bool>,
) -> Result<(), Failure> {
    if !path.exists() || is_same().unwrap_or(false) {
        return Ok(());
    }
    Err(Failure::input(
        format!("{} is no {kind}, and a {kind} does not replace it", path.shown()),
        "choose another name, or remove the file first",
    ))
}

/// Whether what stands in a file begins like an SVG or a PNG, or there is nothing in it.
fn is_drawing(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut start)?;
    if start.starts_with(b"\x89PNG\r\n") {
        return Ok(true);
    }
    let start = String::from_utf8_lossy(&start);
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let is_xml = start.starts_with("<?xml") && start.contains("<svg");
    Ok(start.is_empty() || start.starts_with("<svg") || is_xml)
}

/// A file that is not written.
pub(crate) fn not_written(error: &FileError) -> Failure {
    match error {
        FileError::Exists { .. } => {
            let help = "choose another name, or replace it with --force";
            Failure::input(error.to_string(), help)
        }
        FileError::NotPlain { .. } => {
            let help =
                "name a plain file, or - for the standard output where a command offers that";
            Failure::input(error.to_string(), help)
        }
        other => Failure::of(other, "choose another place for it"),
    }
}
