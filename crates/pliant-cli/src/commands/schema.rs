//! `pliant schema`: the JSON schemas of files.

use crate::figures::pretty;
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};

/// Print the JSON schema of arm, scenario or study files, entries or states, for completion and
/// checks in editors
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant schema > arm.schema.json\n  \
    pliant schema scenario > scenario.schema.json\n  \
    pliant schema | less\n\n\
    Editors with taplo or Even Better TOML use it if the first line of the arm file is\n  \
    #:schema ./arm.schema.json")]
pub(crate) struct Schema {
    /// The kind of file
    #[arg(value_enum, default_value_t = Files::Arm)]
    files: Files,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Files {
    /// Arm files
    Arm,
    /// Scenario files
    Scenario,
    /// Study files
    Study,
    /// Entries of the gallery
    Entry,
    /// States
    State,
}

impl Schema {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let schema = match self.files {
            Files::Arm => pliant_io::arm_schema(),
            Files::Scenario => pliant_io::scenario_schema(),
            Files::Study => pliant_io::study_schema(),
            Files::Entry => pliant_io::entry_schema(),
            Files::State => pliant_io::state_schema(),
        };
        output.data(&pretty(&schema)?)
    }
}
