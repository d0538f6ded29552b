//! The subcommands, one file each.

mod dynamics;

use crate::output::{Failure, Output};
use clap::{Parser, Subcommand};
use pliant::arm::Arm;
use std::path::Path;

/// Robot arms, from a text file to their dynamics
///
/// An arm is a text file; `pliant dynamics ARM` computes with it.
#[derive(Parser, Debug)]
#[command(name = "pliant", version, arg_required_else_help = true)]
#[command(after_help = "Data goes to stdout, messages to stderr.\n\
    Exit code: 0 done, 1 the input is at fault, 2 pliant is at fault.")]
pub(crate) struct Cli {
    /// No warnings and notes; errors are still shown
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Dynamics(dynamics::Dynamics),
}

/// Reads an arm; its warnings go to the standard error.
fn load(path: &Path, output: &Output) -> Result<Arm, Failure> {
    let loaded = pliant_io::load(path)?;
    output.warn(&loaded.warnings);
    Ok(loaded.arm)
}
