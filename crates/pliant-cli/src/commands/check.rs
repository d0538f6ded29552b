//! `pliant check`: is everything right with an arm file?

mod beam;

use crate::figures::figure;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use pliant::arm::{Arm, Builder};
use std::path::PathBuf;

/// Say what is wrong with arm files, or that all is well
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant check two-link.toml\n  \
    pliant check robots/*.toml\n  \
    pliant check arm.toml --beam\n  \
    pliant check arm.toml --beam --format json\n\n\
    --beam takes each bending link by itself, clamped at its root and with nothing at its tip, and\n\
    compares what its shapes give with what textbooks say: how far the tip moves under a force and\n\
    under the link's own weight, how far it twists and stretches, its frequencies, and the load\n\
    under which it buckles. Links whose section varies are integrated along their length. A\n\
    sentence says whether the shapes are enough, and which would be.\n\n\
    The exit code is 1 when a file has errors. Warnings and large differences do not count.")]
pub(crate) struct Check {
    /// The arms' files
    #[arg(required = true, value_name = "ARM")]
    arms: Vec<PathBuf>,

    /// Also hold the shapes of bending links against the textbook cantilever
    #[arg(long)]
    beam: bool,

    /// With --beam: how the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text, requires = "beam")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables
    Text,
    /// One object
    Json,
}

impl Check {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let mut failure = None;
        let mut tried = Vec::new();
        for path in &self.arms {
            match pliant_io::load(path) {
                Ok(loaded) => {
                    output.warn(&loaded.warnings);
                    let warnings = match loaded.warnings.problems().len() {
                        0 => String::new(),
                        1 => ", 1 warning".to_owned(),
                        n => format!(", {n} warnings"),
                    };
                    let summary = summary(&loaded.arm, &loaded.description);
                    if self.format == Format::Text {
                        output.data(&format!("{}: ok, {summary}{warnings}\n", path.display()))?;
                    }
                    if self.beam {
                        let progress = Progress::new(output, "trying the links");
                        let links = beam::try_all(&loaded.arm, &loaded.description, |link| {
                            progress.stage(format!("trying {link}"));
                        });
                        drop(progress);
                        match self.format {
                            Format::Text => output.data(&beam::as_text(&links))?,
                            Format::Json => tried.push(beam::as_json(path, &links)),
                        }
                    }
                }
                Err(report) => {
                    // the last one is told by the caller
                    if let Some(earlier) = failure.replace(Failure::from(report)) {
                        output.fail(&earlier);
                    }
                }
            }
        }
        if self.format == Format::Json && failure.is_none() {
            let text = serde_json::to_string_pretty(&serde_json::json!({ "arms": tried }));
            let text = text.map_err(|error| Failure::internal(error.to_string()))?;
            output.data(&(text + "\n"))?;
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
