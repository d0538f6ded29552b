//! The subcommands, one file each.

mod bench;
mod check;
mod codegen;
mod completions;
mod convert;
mod dynamics;
mod eigenvalues;
mod explain;
mod gallery;
mod info;
mod linearise;
mod modes;
mod new;
mod options;
mod places;
mod plot;
mod reach;
mod report;
mod run;
mod schema;
mod state;
mod study;
mod sweep;

use crate::output::{Failure, Output};
use clap::{Parser, Subcommand};
use pliant::reproduce::Variants;

/// Model, simulate and control robot arms with flexible links
///
/// An arm is a text file. `pliant new` writes a template, `pliant check` checks a file, `pliant info`
/// shows the contents of an arm, `pliant reach` solves its kinematics, `pliant dynamics` evaluates its
/// equations of motion, `pliant modes` computes its natural frequencies, `pliant linearise` its
/// state-space model, `pliant codegen` writes its
/// equations as sources, `pliant run` simulates it, `pliant sweep` many times with other values,
/// `pliant optimise` finds the best ones, `pliant report` shows the results, and `pliant plot`
/// draws them for papers. `pliant gallery` computes published results again.
#[derive(Parser, Debug)]
#[command(name = "pliant", version, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  \
    pliant new two-link                                   writes two-link.toml\n  \
    pliant check two-link.toml\n  \
    pliant info two-link.toml\n  \
    pliant dynamics two-link.toml --state '{\"q\": {\"fore\": \"45 deg\"}}'\n  \
    pliant modes two-link.toml --free all\n  \
    pliant run scenarios/king-swing.toml                  writes the folder king-swing-run\n  \
    pliant sweep study.toml                               writes the folder study-study\n  \
    pliant optimise optimisation.toml                     writes the folder optimisation-study\n  \
    pliant plot king-swing-run                            writes king-swing-run.svg\n  \
    pliant report king-swing-run                          writes an HTML page\n\n\
    Data goes to stdout, messages to stderr.\n\
    Exit code: 0 success, 1 error in the input or failed simulation, 2 internal error.")]
pub(crate) struct Cli {
    /// Hide notes and all warnings except those without which results would mislead; errors are
    /// still shown
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    New(new::New),
    Check(check::Check),
    Info(info::Info),
    Run(run::Run),
    Sweep(study::Sweep),
    Optimise(study::Optimise),
    Plot(plot::Plot),
    Report(report::Report),
    Dynamics(dynamics::Dynamics),
    Reach(reach::Reach),
    Modes(modes::Modes),
    Eigenvalues(eigenvalues::Eigenvalues),
    Linearise(linearise::Linearise),
    Codegen(codegen::Codegen),
    Bench(bench::Bench),
    Gallery(gallery::Gallery),
    Convert(convert::Convert),
    Explain(explain::Explain),
    Schema(schema::Schema),
    Completions(completions::Completions),
}

impl Command {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        match self {
            Self::New(new) => new.run(output),
            Self::Check(check) => check.run(output),
            Self::Info(info) => info.run(output),
            Self::Run(run) => run.run(output),
            Self::Sweep(sweep) => sweep.run(output),
            Self::Optimise(optimise) => optimise.run(output),
            Self::Plot(plot) => plot.run(output),
            Self::Report(report) => report.run(output),
            Self::Dynamics(dynamics) => dynamics.run(output),
            Self::Reach(reach) => reach.run(output),
            Self::Modes(modes) => modes.run(output),
            Self::Eigenvalues(eigenvalues) => eigenvalues.run(output),
            Self::Linearise(linearise) => linearise.run(output),
            Self::Codegen(codegen) => codegen.run(output),
            Self::Bench(bench) => bench.run(output),
            Self::Gallery(gallery) => gallery.run(output),
            Self::Convert(convert) => convert.run(output),
            Self::Explain(explain) => explain.run(output),
            Self::Schema(schema) => schema.run(output),
            Self::Completions(completions) => completions.run(output),
        }
    }
}

/// Warns that a result does not use the published equations that links ask for.
fn warn_of_variants(what: &str, variants: &Variants, output: &Output) {
    for (links, other) in [
        (&variants.first_order, "rotation = \"exact\""),
        (&variants.small_angle, "rotation = \"exact\""),
        (&variants.theodore24, "velocity = \"material\""),
    ] {
        if let Some(link) = links.first() {
            output.caution(&format!("{what} of {other}, whatever link \"{link}\" asks for"));
        }
    }
}
