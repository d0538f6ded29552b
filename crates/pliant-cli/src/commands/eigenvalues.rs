//! `pliant eigenvalues`: what vibrations do while an arm moves.

mod drawing;
mod writing;

use super::options::{Force, Instead};
use super::{plot, warn_of_variants};
use crate::output::{Failure, Output};
use crate::progress_line::ProgressLine;
use clap::{Args, ValueEnum};
use pliant::Help;
use pliant::analyse::{AnalysisError, Joints, OperatingPoint, Vibration, VibrationInstant};
use pliant::simulate::{ChannelGroup, Progress, Rows, Selection, Status};
use pliant_io::escape::Shown as _;
use pliant_io::file_help;
use pliant_io::scenario::Setup;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Vibration eigenvalues along a motion, with the energy and the action of each mode
///
/// Simulates the scenario, linearises the arm at instants of the motion and prints the eigenvalues of
/// the frozen system, the energy E of each mode and its action E/omega.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant eigenvalues scenarios/sliding-beam.toml\n  \
    pliant eigenvalues scenarios/sliding-beam.toml --plot growth.svg --instants 200\n  \
    pliant eigenvalues scenarios/king-swing.toml --joints free --count 3\n  \
    pliant eigenvalues swing.toml --format csv > swing.csv\n\n\
    The real parts do not indicate stability: they describe a system frozen at that instant, and\n\
    the arm keeps changing. While a link extends, the real parts are negative and its amplitude\n\
    grows; while it retracts, they are positive and its amplitude decreases. The energy does the\n\
    opposite of the amplitude. The action E/omega stays constant as long as the arm changes slowly\n\
    compared with the vibration; a vibration grows only where its action grows.\n\n\
    With --joints prescribed the joints follow the motion exactly, whatever the links do, as under\n\
    a decoupling control law. With --joints free all joints move that the arm file does not\n\
    prescribe; they add modes of frequency 0. In both cases the lengths of sliding links follow the\n\
    motion.\n\n\
    Energies are relative to the quasi-static deflection under weight and motion. Modes are\n\
    numbered from the lowest frequency at each instant; \"moves\" is the coordinate with the largest\n\
    share of the kinetic energy. Where two frequencies cross, the modes swap numbers.\n\n\
    JSON and CSV are in SI units: 1/s, rad/s, J, J s.\n\
    Exit code: 0 success, 1 error in the input or failed simulation, 2 internal error.")]
pub(crate) struct Eigenvalues {
    /// The scenario file
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,

    /// How the joints move while the links vibrate
    #[arg(long, value_enum, default_value_t = Held::Prescribed)]
    joints: Held,

    /// Number of instants, from the start to the end
    #[arg(long, value_name = "N", default_value_t = 11,
          value_parser = clap::value_parser!(u32).range(2..=100_000))]
    instants: u32,

    /// Number of modes, from the lowest frequency
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    #[command(flatten)]
    instead: Instead,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also plot them over time, as .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Held {
    /// They follow the motion
    Prescribed,
    /// They move freely
    Free,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One object
    Json,
    /// One line per mode and instant
    Csv,
}

/// The vibrations at instants of a motion.
struct Findings<'a> {
    setup: &'a Setup,
    joints: Joints,
    /// With the slowest modes alone.
    instants: Vec<VibrationInstant>,
}

/// The dots per inch of a PNG.
const DPI: f64 = 300.0;

impl Eigenvalues {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let drawing = match &self.plot {
            Some(path) => Some((path, plot::form(path)?)),
            None => None,
        };
        if let Some(path) = &self.plot {
            self.force.check_drawing(path)?;
        }
        let setup = self.instead.load(&self.scenario, output)?;
        warn_of_variants("the eigenvalues are those", &setup.simulation.scenario.variants, output);
        let arm = &setup.simulation.arm;
        if arm.flexible_links().is_empty() {
            let message = format!("nothing bends in the arm \"{}\"", arm.name());
            return Err(Failure::input(message, "give a link bends = { y = 2, z = 2 }"));
        }
        let found = self.follow(&setup, output)?;
        output.data(&match self.format {
            Format::Text => writing::text(&found),
            Format::Json => writing::json(&found)?,
            Format::Csv => writing::csv(&found),
        })?;
        if let Some((path, form)) = drawing {
            plot::write_drawing(path, form, drawing::figure(&found).svg(), DPI, self.force)?;
            output.note(&format!("wrote {}", path.shown()));
        }
        Ok(())
    }

    /// Runs the scenario and looks at its instants.
    fn follow<'a>(&self, setup: &'a Setup, output: &Output) -> Result<Findings<'a>, Failure> {
        let (arm, joints) = (
            &setup.simulation.arm,
            match self.joints {
                Held::Prescribed => Joints::Prescribed,
                Held::Free => Joints::Free,
            },
        );
        let mut scenario = setup.simulation.diagram.clone();
        let groups =
            [ChannelGroup::Coordinates, ChannelGroup::Velocities, ChannelGroup::Accelerations];
        scenario.selection = Selection::new(groups.map(ChannelGroup::word));
        scenario.interval = setup.simulation.diagram.duration / f64::from(self.instants - 1);
        let mut rows = Rows::new();
        let mut line = ProgressLine::new(output);
        let mut watch = |progress: &Progress| {
            line.show(progress);
            ControlFlow::Continue(())
        };
        let summary = scenario.run(&mut rows, &mut watch);
        output.end_progress();
        let summary = summary.map_err(|error| Failure::of(&error, "change the scenario"))?;
        if let Some(breakdown) = &summary.ending.breakdown {
            return Err(Failure::input(
                format!("the motion fails: {breakdown}"),
                format!(
                    "{}; pliant run keeps what it reaches, or shorten it with --duration",
                    file_help::breakdown(breakdown, None)
                ),
            ));
        }
        if summary.ending.status != Status::Completed {
            let end = crate::figures::figure(summary.ending.time, 0.0);
            output.note(&format!("the simulation ends early, at t = {end} s"));
        }
        let (nq, nv) = (arm.nq(), arm.nv());
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let point = |(time, row): (&f64, &[f64])| {
            let (q, rest) = row.split_at(nq);
            let (u, ud) = rest.split_at(nv);
            (*time, OperatingPoint { q: q.to_vec(), u: u.to_vec(), ud: ud.to_vec() })
        };
        let rows = rows.times.iter().zip(rows.values.chunks_exact(nq + 2 * nv));
        let motion: Vec<_> = rows.map(point).collect();
        let mut instants =
            arm.vibrations_along(&motion, joints).map_err(|error| refused(&error))?;
        for instant in &mut instants {
            instant.vibrations.truncate(count);
        }
        Ok(Findings { setup, joints, instants })
    }
}

/// An instant that has no answer, with a remedy.
fn refused(error: &AnalysisError) -> Failure {
    let help = error.help().map_or_else(String::new, |help| format!("{help}; or "));
    let message = match error {
        AnalysisError::At { time, source } => {
            format!("at t = {} s: {source}", crate::figures::figure(*time, 0.0))
        }
        other => other.to_string(),
    };
    Failure::input(message, help + "shorten it with --duration")
}

impl Findings<'_> {
    /// The coordinate that a vibration moves most.
    fn moves(&self, vibration: &Vibration) -> &str {
        &self.setup.simulation.arm.velocity_names()[vibration.dominant]
    }
}
