//! The `pliant` command.
//!
//! Data goes to the standard output, messages to the standard error. The exit code is 0 on success,
//! 1 when the input is at fault, 2 when pliant is.

mod commands;
mod figures;
mod output;
mod progress;
mod progress_line;

use clap::Parser;
use commands::Cli;
use output::{Failure, Output};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // help and version are data that were asked for; all else is a slip of the user
            let code = u8::from(error.use_stderr());
            return match error.print() {
                Ok(()) => ExitCode::from(code),
                Err(_) => ExitCode::from(2),
            };
        }
    };
    // a limit for the size of files is an error of the disk, not a death; where signals cannot be
    // caught it stays one
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let output = Output::new(cli.quiet);
    let run = || cli.command.run(&output);
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            output.fail(&failure);
            ExitCode::from(failure.exit_code())
        }
        Err(_) => {
            output.fail(&Failure::internal("pliant stopped at a fault of its own"));
            ExitCode::from(2)
        }
    }
}
