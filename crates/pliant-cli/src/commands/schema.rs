//! `pliant schema`: the JSON schema of arm files.

use crate::output::{Failure, Output};
use clap::Args;

/// Print the JSON schema of arm files, by which editors complete and check them
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant schema > arm.schema.json\n  \
    pliant schema | less\n\n\
    Editors that know taplo or Even Better TOML use it after a first line\n  \
    #:schema ./arm.schema.json\n\
    in the arm file.")]
pub(crate) struct Schema {}

impl Schema {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let Self {} = self;
        let text = serde_json::to_string_pretty(&pliant_io::arm_schema())
            .map_err(|error| Failure::internal(error.to_string()))?;
        output.data(&format!("{text}\n"))
    }
}
