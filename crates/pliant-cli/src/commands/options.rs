//! Options that several commands have.

use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant_io::scenario::{self, Overrides, Setup};
use pliant_io::{Loaded, Setting};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables
    Text,
    /// One object
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
        let loaded = pliant_io::load_with(file, &self.settings()?)?;
        output.warn(&loaded.warnings);
        Ok(loaded)
    }

    /// The scenario of a file with these values; shows its warnings.
    pub(crate) fn load_scenario(&self, file: &Path, output: &Output) -> Result<Setup, Failure> {
        let setup = scenario::load(file, &Overrides { settings: self.settings()? })?;
        for report in &setup.warnings {
            output.warn(report);
        }
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
        let mut settings = self.set.settings()?;
        let options = [("duration", &self.duration), ("tolerance", &self.tolerance)];
        let given = options.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
        settings.extend(Overrides::of(given).settings);
        let setup = scenario::examine(file, &Overrides { settings })?;
        for report in &setup.warnings {
            output.warn(report);
        }
        Ok(setup)
    }
}
