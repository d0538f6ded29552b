//! `pliant modes`: how an arm vibrates, hangs and bears its load.

mod csv;
pub(super) mod findings;
mod json;
mod page;
pub(super) mod posture;
mod stress;
mod text;

use super::{state, warn_of_variants};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use findings::Findings;
use pliant::reproduce::Variants;
use std::f64::consts::TAU;
use std::path::PathBuf;

/// Natural frequencies of an arm in a posture, and how far its links hang down
///
/// The links settle under gravity, payload and loads; the frequencies are those of small
/// vibrations about that place. Joints are locked, as if their brakes were on, unless --free or
/// --spring says otherwise.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant modes robots/king-two-link.toml\n  \
    pliant modes arm.toml --at fore=45deg,upper=\"-0.3 rad\"\n  \
    pliant modes arm.toml --free all --no-gravity\n  \
    pliant modes arm.toml --stress --bandwidth 5\n  \
    pliant modes arm.toml --format json --count 4\n  \
    pliant modes arm.toml --report modes.html         shapes in motion, in a browser\n\n\
    How good are the numbers? A link vibrates in as many shapes as its file gives it. The column\n\
    \"one more\" is by how much a frequency moves when every bending link gets one shape more\n\
    each way, or one element more, or both where its shapes are modes of\n\
    elements. Add shapes (bends = { y = 3, … }) until the frequencies that\n\
    matter to you stand still; the highest ones always move.\n\n\
    \"moves\" is where the kinetic energy of a mode is: \"fore y 80 %\" is the bending of the\n\
    link fore along its y axis. Parts that move against each other may add up from more than\n\
    100 % and less than 0 %.\n\n\
    --stress adds what the links feel at rest, and the sizing rule of King's thesis, (1-1) to\n\
    (1-3): the stress stays below the strength, and the frequency of a link whose joint is\n\
    clamped is three times the bandwidth of the controller.\n\n\
    Locked joints keep their posture. A free joint has no spring and keeps the posture too, held\n\
    by a constant motor force; one on its spring settles like the links. Free joints without\n\
    weight have the frequency 0, and a posture that would topple has none: it says unstable.\n\n\
    JSON is in SI units and radians: rad/s and Hz, m, N, N m, Pa. CSV has a line per mode.")]
pub(crate) struct Modes {
    /// The arm's file
    arm: PathBuf,

    /// Where the joints stand; the others are neutral
    #[arg(long, value_name = "JOINT=VALUE,..", conflicts_with = "state")]
    at: Option<String>,

    /// The posture as a state: a file, "-" for the standard input, or JSON itself. Its loads act,
    /// and prescribed joints turn steadily with their u
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// Joints that move freely, or "all"
    #[arg(long, value_name = "JOINT,..", value_delimiter = ',')]
    free: Vec<String>,

    /// Joints that move against their spring, or "all" that have one
    #[arg(long, value_name = "JOINT,..", value_delimiter = ',')]
    spring: Vec<String>,

    /// How many modes, from the slowest
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Without weight
    #[arg(long)]
    no_gravity: bool,

    /// Leave out the column of convergence, which takes most of the time
    #[arg(long)]
    no_convergence: bool,

    /// Moments, stresses and margins along the links, and King's sizing rule
    #[arg(long)]
    stress: bool,

    /// With --stress: the bandwidth of the controller that the links are sized for
    #[arg(long, value_name = "HZ", requires = "stress", value_parser = positive,
          allow_negative_numbers = true)]
    bandwidth: Option<f64>,

    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write a page too, in which the shapes move
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables
    Text,
    /// One object
    Json,
    /// One mode per line
    Csv,
}

/// A frequency, in Hz.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let plain = text.trim().trim_end_matches("Hz").trim_end();
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("give a positive number of Hz, such as 5".to_owned()),
    }
}

impl Modes {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let mut loaded = pliant_io::load(&self.arm)?;
        output.warn(&loaded.warnings);
        warn_of_variants("the modes are those", &loaded.variants, output);
        if self.no_gravity {
            loaded.description = loaded.description.gravity([0.0; 3]);
            loaded.arm = loaded.arm.with_gravity(pliant::spatial::Vec3::ZERO);
        }
        let arm = &loaded.arm;
        let state = match &self.at {
            Some(at) => posture::read(at, arm, output)?,
            None => state::read(self.state.as_deref(), arm, output)?,
        };
        let conditions = posture::conditions(arm, &state, &self.free, &self.spring, output)?;
        let progress = Progress::new(output, "looking for rest and modes");
        let mut found = Findings::new(arm, &loaded.description, &state.q, &conditions)?;
        if !self.no_convergence {
            progress.stage("again with one shape more");
            found.refine(&loaded.description, &state.q);
        }
        if self.stress {
            found.stress(self.bandwidth.map(|hertz| TAU * hertz), |link| {
                progress.stage(format!("sizing {link}"));
            })?;
        }
        drop(progress);
        let (q, u) = (&found.modes.q, &found.velocities());
        let bent = (arm, &Variants::default());
        state::warn_of_range(&self.arm, bent, q, u, &conditions.loads, output);
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if let Some(path) = &self.report {
            super::report::write(path, &page::write(&found, count))?;
            output.note(&format!("the shapes move in {}", path.display()));
        }
        output.data(&match self.format {
            Format::Text => text::write(&found, count),
            Format::Json => json::write(&found, count)?,
            Format::Csv => csv::write(&found, count),
        })
    }
}
