//! `pliant completions`: the command line completes itself.

use super::Cli;
use crate::output::{Failure, Output};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print the completion script of a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant completions bash > ~/.local/share/bash-completion/completions/pliant\n  \
    pliant completions fish > ~/.config/fish/completions/pliant.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "pliant", &mut script);
        output.data(&String::from_utf8_lossy(&script))
    }
}
