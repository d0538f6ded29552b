//! `pliant modes`: natural frequencies, static deflection and stresses of an arm.

mod csv;
pub(super) mod findings;
mod json;
mod page;
pub(super) mod posture;
mod range;
mod stress;
mod text;

use super::options::{Force, Set};
use super::sweep::{self, RangeWarning, Sweep};
use super::{state, warn_of_variants};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use findings::Findings;
use pliant::reproduce::Variants;
use pliant_io::escape::Shown as _;
use pliant_io::{Loaded, State};
use std::f64::consts::TAU;
use std::path::PathBuf;
use stress::LinkStress;

/// Natural frequencies, mode shapes and static deflection of an arm in a configuration
///
/// The frequencies are those of small vibrations about the static equilibrium under gravity, payload
/// and loads. Joints are locked, as by brakes, unless --free or --spring names them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant modes robots/king-two-link.toml\n  \
    pliant modes arm.toml --at fore=45deg,upper=\"-0.3 rad\"\n  \
    pliant modes arm.toml --at fore=0..135deg --plot modes.svg     over a range of postures\n  \
    pliant modes arm.toml --at upper=0..90deg:20,fore=90deg..0:20 --format csv\n  \
    pliant modes arm.toml --free all --no-gravity\n  \
    pliant modes arm.toml --stress --bandwidth 5\n  \
    pliant modes arm.toml --format json --count 4\n  \
    pliant modes arm.toml --report modes.html         animated shapes, in a browser\n\n\
    Convergence: the column \"error\" is how far a frequency is above (+) or below (-) that of the\n\
    same arm with finite elements in every flexible link, at least 12 each (8 in arms of more than\n\
    three such links); its own error is below 0.2 %. Add shapes (bends = { y = 3, … }), or choose\n\
    those of the load that a link carries, until the frequencies of interest are good enough; the\n\
    highest ones never are.\n\n\
    \"moves\" is the distribution of the kinetic energy of a mode: \"fore y 80 %\" is the bending\n\
    of link fore along its y axis. Shares of parts that move against each other may exceed 100 %\n\
    or be negative.\n\n\
    --stress adds the internal forces and stresses at rest, by equilibrium: a section carries the\n\
    weight of everything beyond it and the loads there, whatever the shapes. It also adds the\n\
    sizing rule of King's thesis, (1-1) to (1-3): the stress stays below the strength, and the\n\
    natural frequency of a link with its joint clamped is three times the bandwidth of the\n\
    controller.\n\n\
    Ranges: fore=0..135deg is 0 to 135 degrees in 10 steps, fore=0..135deg:20 in 20 steps. Several\n\
    ranges move together, step by step. The answer is a table with one line per posture: the\n\
    frequencies, the static deflection of the tip of each flexible link, and with --stress moments,\n\
    stresses and margins; \"-\" is an unstable mode. The plot is over the first joint that moves.\n\n\
    Locked joints keep their position. Free joints ignore their spring and keep their position\n\
    too, held by a constant motor force; joints on their spring move to the equilibrium. Without\n\
    gravity free joints have the frequency 0. Modes about an unstable equilibrium are marked\n\
    unstable.\n\n\
    JSON is in SI units and radians: rad/s and Hz, m, N, N m, Pa. CSV has one line per mode.")]
pub(crate) struct Modes {
    /// The arm file, or a scenario with an arm
    arm: PathBuf,

    #[command(flatten)]
    set: Set,

    /// Positions of joints, or ranges: fore=0..135deg, fore=0..135deg:20; the others are neutral
    #[arg(long, value_name = "JOINT=VALUE,..", conflicts_with = "state")]
    at: Option<String>,

    /// The configuration as a state: a file, "-" for stdin, or inline JSON. Its loads act, and
    /// prescribed joints move at the constant velocity u
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// Joints that move freely, or "all"
    #[arg(long, value_name = "JOINT,..", value_delimiter = ',')]
    free: Vec<String>,

    /// Joints that move against their spring, or "all" that have one
    #[arg(long, value_name = "JOINT,..", value_delimiter = ',')]
    spring: Vec<String>,

    /// Number of modes, from the lowest frequency
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Without gravity
    #[arg(long)]
    no_gravity: bool,

    /// Leave out the convergence column, which takes most of the time
    #[arg(long)]
    no_convergence: bool,

    /// Also show moments, stresses and margins of the links, and King's sizing rule
    #[arg(long)]
    stress: bool,

    /// With --stress: the controller bandwidth that the links are sized for
    #[arg(long, value_name = "HZ", requires = "stress", value_parser = positive,
          allow_negative_numbers = true)]
    bandwidth: Option<f64>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also write an HTML page with animated mode shapes
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// With a range in --at: also plot over the posture, as .svg or .png
    #[arg(long, value_name = "FILE", requires = "at")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
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
        if let Some(path) = &self.report {
            self.force.check_page(path)?;
        }
        let mut loaded = self.set.load(&self.arm, output)?;
        warn_of_variants("the modes are those", &loaded.variants, output);
        if self.no_gravity {
            loaded.description = loaded.description.gravity([0.0; 3]);
            loaded.arm = loaded.arm.with_gravity(pliant::spatial::Vec3::ZERO);
        }
        let arm = &loaded.arm;
        let mut postures = match &self.at {
            Some(at) => posture::read_range(at, arm, output)?,
            None => vec![state::read(self.state.as_deref(), arm, output)?],
        };
        if postures.len() > 1 {
            return self.sweep(&loaded, &postures, output);
        }
        sweep::refuse_plot(self.plot.as_deref())?;
        let Some(state) = postures.pop() else { return Ok(()) };
        let conditions = posture::conditions(arm, &state, &self.free, &self.spring, output)?;
        let progress = Progress::new(output, "computing equilibrium and modes");
        let mut found = Findings::new(arm, &loaded.description, &state.q, &conditions)?;
        if !self.no_convergence {
            progress.stage("repeating with many elements");
            found.refine(&state.q);
        }
        if self.stress {
            found.stress(self.bandwidth.map(|hertz| TAU * hertz), |link| {
                progress.stage(format!("sizing {link}"));
            })?;
        }
        drop(progress);
        let (q, u) = (&found.modes.q, &conditions.velocities);
        let bent = (arm, &Variants::default());
        state::warn_of_range(&self.arm, bent, q, u, &conditions.loads, output);
        for weak in found.stress.iter().flatten().filter_map(LinkStress::weakness) {
            output.caution(&weak);
        }
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if let Some(path) = &self.report {
            self.force.write(path, page::write(&found, count).as_bytes())?;
            output.note(&format!("wrote {}", path.shown()));
        }
        output.data(&match self.format {
            Format::Text => text::write(&found, count),
            Format::Json => json::write(&found, count)?,
            Format::Csv => csv::write(&found, count),
        })
    }

    /// The same in each of several postures, as one table.
    fn sweep(&self, loaded: &Loaded, postures: &[State], output: &Output) -> Result<(), Failure> {
        if self.report.is_some() {
            let message = "--report shows one posture, and --at has a range";
            return Err(Failure::input(message, "plot the range with --plot modes.svg"));
        }
        let form = sweep::form_of(self.plot.as_deref(), self.force)?;
        let arm = &loaded.arm;
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let progress = Progress::new(output, "computing equilibria and modes");
        let mut table = Sweep::new(arm, postures);
        let mut warning = RangeWarning::new();
        for (k, state) in postures.iter().enumerate() {
            let place = table.place(k);
            progress.stage(&place);
            let conditions = posture::conditions(arm, state, &self.free, &self.spring, output)?;
            let found = Findings::new(arm, &loaded.description, &state.q, &conditions);
            let mut found = found.map_err(|failure| failure.at(&place))?;
            if self.stress {
                let bandwidth = self.bandwidth.map(|hertz| TAU * hertz);
                found.stress(bandwidth, |_| ()).map_err(|failure| failure.at(&place))?;
            }
            let rest = State { q: found.modes.q.clone(), ..state.clone() };
            let bent = (arm, &Variants::default());
            warning.look(&self.arm, bent, (&rest, &place), output);
            table.add(range::numbers(&found, count));
        }
        drop(progress);
        table.draw(form, self.force, output)?;
        output.data(&match self.format {
            Format::Text => table.text(),
            Format::Json => table.json()?,
            Format::Csv => table.csv(),
        })
    }
}
