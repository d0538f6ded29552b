//! Options that several commands have.

use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant_io::scenario::{self, Overrides, Setup};
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
pub(crate) struct Instead {
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
        let overrides =
            Overrides { duration: self.duration.clone(), tolerance: self.tolerance.clone() };
        let setup = scenario::examine(file, &overrides)?;
        for report in &setup.warnings {
            output.warn(report);
        }
        Ok(setup)
    }
}
