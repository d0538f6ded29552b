//! Where the results of a file go.

use super::run::is_one_file;
use crate::output::Failure;
use pliant_io::escape::{self, Shown as _};
use std::path::{Path, PathBuf};

/// What a command makes of a file, in words.
pub(super) struct Results {
    /// What is done: `run`. Folders end with it, unless they are named.
    pub(super) what: &'static str,
    /// The file that its folder keeps.
    pub(super) kept: &'static str,
    /// What such a file is called.
    pub(super) file: &'static str,
    /// The command.
    pub(super) command: &'static str,
}

/// What was given to a command.
pub(super) struct Given<'a> {
    /// The file, or the folder of what is to be continued.
    pub(super) place: &'a Path,
    /// The folder for the results.
    pub(super) output: Option<&'a Path>,
    pub(super) goes_on: bool,
    /// What the file is called.
    pub(super) name: &'a str,
}

impl Results {
    /// The file and the folder of the results. Of what is to be continued by its folder the file is
    /// the one in it, which may not be there.
    pub(super) fn places(&self, given: &Given<'_>) -> Result<(PathBuf, PathBuf), Failure> {
        let Self { what, kept, file, .. } = self;
        let Given { place, output, goes_on, name } = *given;
        if !goes_on && place.join(kept).is_file() {
            return Err(Failure::input(
                format!("{} is the folder of a {what}, not a {file}", place.shown()),
                self.going_on(place),
            ));
        }
        if !goes_on || !place.is_dir() {
            let folder = output.map_or_else(|| PathBuf::from(format!("{name}-{what}")), Into::into);
            if !goes_on && is_one_file(place, &folder.join(kept)) {
                return Err(Failure::input(
                    format!("{} would be replaced by its own results", place.shown()),
                    "choose another folder with -o",
                ));
            }
            return Ok((place.to_owned(), folder));
        }
        if let Some(output) = output {
            let (place, output) = (place.shown(), output.shown());
            return Err(Failure::input(
                format!("the {what} in {place} cannot be continued in {output}"),
                format!("leave out -o, or give the {file} instead of the folder"),
            ));
        }
        Ok((place.join(kept), place.to_owned()))
    }

    /// What to do to go on with what is in a folder.
    pub(super) fn going_on(&self, folder: &Path) -> String {
        let folder = escape::shell(&folder.to_string_lossy());
        format!("to go on: {} --continue {folder}", self.command)
    }
}
