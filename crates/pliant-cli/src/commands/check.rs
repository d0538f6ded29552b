//! `pliant check`: is everything right with an arm file?

use crate::figures::figure;
use crate::output::{Failure, Output};
use clap::Args;
use pliant::arm::{Arm, Builder};
use std::path::PathBuf;

/// Say what is wrong with arm files, or that all is well
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant check two-link.toml\n  \
    pliant check robots/*.toml\n\n\
    The exit code is 1 when a file has errors. Warnings do not count.")]
pub(crate) struct Check {
    /// The arms' files
    #[arg(required = true, value_name = "ARM")]
    arms: Vec<PathBuf>,
}

impl Check {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let mut failure = None;
        for path in &self.arms {
            match pliant_io::load(path) {
                Ok(loaded) => {
                    output.warn(&loaded.warnings);
                    let warnings = match loaded.warnings.problems().len() {
                        0 => String::new(),
                        1 => ", 1 warning".to_owned(),
                        n => format!(", {n} warnings"),
                    };
                    output.data(&format!(
                        "{}: ok, {}{warnings}\n",
                        path.display(),
                        summary(&loaded.arm, &loaded.description)
                    ))?;
                }
                Err(report) => {
                    // the last one is told by the caller
                    if let Some(earlier) = failure.replace(Failure::from(report)) {
                        output.fail(&earlier);
                    }
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

/// What an arm is, in a few words.
pub(crate) fn summary(arm: &Arm, description: &Builder) -> String {
    let links = match description.parts().links.len() {
        1 => "1 link".to_owned(),
        n => format!("{n} links"),
    };
    format!("{links}, {}, {} kg", degrees_of_freedom(arm), figure(total_mass(arm), 0.0))
}

/// How many degrees of freedom an arm has, in words.
pub(crate) fn degrees_of_freedom(arm: &Arm) -> String {
    match arm.nv() {
        1 => "1 degree of freedom".to_owned(),
        n => format!("{n} degrees of freedom"),
    }
}

/// The mass of all links, in kg.
pub(crate) fn total_mass(arm: &Arm) -> f64 {
    (0..arm.body_count()).map(|link| arm.inertia_of(link).mass).sum()
}
