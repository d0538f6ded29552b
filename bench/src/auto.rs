//! The automatic integrator beside the others, at the same error of the tip.

use crate::engine::Error;
use crate::seeded::{self, king_elements, seeded};
use cpu_time::ThreadTime;
use pliant::integrate::Statistics;
use pliant::simulate::{
    Diagram, IntegrationMethod as By, Progress, ProgressMonitor, Rows, Selection,
};
use pliant_io::scenario::{Overrides, load};
use std::fs::read_dir;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

/// The automatic integrator on the ready scenarios, on King's arm in finite elements and on seeded
/// arms: its processor time in parts of that of the best method at the same error of the tip, the
/// largest distance from a run with a tight tolerance
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only motions whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// The tolerance where a scenario has none.
    #[arg(long, default_value_t = By::TOLERANCE)]
    tolerance: f64,
    /// The largest ratio that passes.
    #[arg(long, default_value_t = 2.0)]
    allowed: f64,
}

/// A motion to be simulated.
struct Motion {
    name: String,
    diagram: Diagram,
    tolerance: f64,
}

/// A run: its processor time (s), and the positions of the tip (m).
struct Timed {
    seconds: f64,
    tip: Vec<f64>,
    statistics: Statistics,
}

/// Others are given up when they have taken so many times as long.
const PATIENCE: f64 = 3.0;

/// Runs shorter than this (s) are repeated.
const SHORT: f64 = 1.0;

/// Prints the table; fails where a ratio is larger than allowed.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let mut kept = true;
    println!(
        "{:<44} {:>9} {:>8} {:>8} {:>9}  {:<17} {:>5}",
        "motion", "auto [ms]", "steps", "implicit", "error [m]", "best", "ratio"
    );
    for motion in motions(options)? {
        let Motion { name, tolerance, .. } = &motion;
        let tight = By::Auto { tolerance: (1e-4 * tolerance).max(1e-13) };
        let tight = motion.timed(tight, f64::INFINITY);
        let auto = motion.timed(By::Auto { tolerance: *tolerance }, f64::INFINITY);
        let (Some(tight), Some(auto)) = (tight, auto) else { continue };
        let error = apart(&tight.tip, &auto.tip);
        let mut best = (auto.seconds, "auto");
        for kind in Kind::ALL {
            let seconds = motion.at_error(kind, error, (&tight, &auto));
            if let Some(seconds) = seconds.filter(|seconds| *seconds < best.0) {
                best = (seconds, kind.method(1.0).name());
            }
        }
        let ratio = auto.seconds / best.0;
        kept &= ratio <= options.allowed;
        println!(
            "{name:<44} {:>9.2} {:>8} {:>8} {error:>9.1e}  {:<17} {ratio:>5.2}",
            1e3 * auto.seconds,
            auto.statistics.steps,
            auto.statistics.implicit_steps,
            best.1,
        );
    }
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The ready scenarios, King's arm in finite elements, and the seeded arms.
fn motions(options: &Options) -> Result<Vec<Motion>, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("scenarios");
    let files = read_dir(&path).and_then(|entries| {
        entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()
    });
    let mut files = files.map_err(|source| Error::File { path, source })?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut motions = Vec::new();
    let mut add = |name: String, diagram: Diagram, tolerance: f64| {
        if name.contains(&options.only) {
            motions.push(Motion { name, diagram, tolerance });
        }
    };
    for file in files {
        let setup = load(&file, &Overrides::default()).map_err(Box::new)?;
        let mut diagram = setup.simulation.diagram.clone();
        let Some(tip) = setup.simulation.tip else { continue };
        let tip = setup.simulation.arm.frames()[tip].name();
        diagram.selection = Selection::new(["x", "y", "z"].map(|c| format!("{tip}.position.{c}")));
        let tolerance = match diagram.method {
            By::Auto { tolerance } | By::Dop853 { tolerance } | By::Radau5 { tolerance } => {
                tolerance
            }
            _ => options.tolerance,
        };
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        add(name, diagram, tolerance);
    }
    for one in (0..seeded::COUNT).map(seeded).chain([king_elements()]) {
        add(one.name, one.diagram, options.tolerance);
    }
    Ok(motions)
}

/// The other methods, each with its one setting.
#[derive(Clone, Copy)]
enum Kind {
    Dop853,
    Dopri5,
    Adams,
    Radau5,
    Rk4,
    GeneralisedAlpha,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Dop853, Self::Dopri5, Self::Adams, Self::Radau5, Self::Rk4, Self::GeneralisedAlpha];

    fn method(self, setting: f64) -> By {
        match self {
            Self::Dop853 => By::Dop853 { tolerance: setting },
            Self::Dopri5 => By::Dopri5 { tolerance: setting },
            Self::Adams => By::Adams { tolerance: setting },
            Self::Radau5 => By::Radau5 { tolerance: setting },
            Self::Rk4 => By::Rk4 { step: setting },
            Self::GeneralisedAlpha => {
                By::GeneralisedAlpha { step: setting, spectral_radius: By::SPECTRAL_RADIUS }
            }
        }
    }

    /// The first setting to try, and the factor of the next smaller one.
    fn start(self, motion: &Motion) -> (f64, f64) {
        match self {
            Self::Dop853 | Self::Dopri5 | Self::Adams | Self::Radau5 => (motion.tolerance, 0.1),
            Self::Rk4 | Self::GeneralisedAlpha => (motion.diagram.duration / 1000.0, 0.5),
        }
    }
}

impl Motion {
    /// A run by a method; none where it took too long or came to no end.
    fn timed(&self, method: By, longest: f64) -> Option<Timed> {
        let mut best: Option<Timed> = None;
        for _ in 0..3 {
            let mut diagram = self.diagram.clone();
            diagram.method = method;
            let (mut rows, start) = (Rows::new(), ThreadTime::now());
            let Ok(summary) = diagram.run(&mut rows, &mut Stopwatch { start, longest }) else {
                return None;
            };
            let seconds = start.elapsed().as_secs_f64();
            if summary.ending.time < self.diagram.duration {
                return None;
            }
            if best.as_ref().is_none_or(|best| seconds < best.seconds) {
                best = Some(Timed { seconds, tip: rows.values, statistics: summary.statistics });
            }
            if seconds > SHORT {
                break;
            }
        }
        best
    }

    /// The processor time (s) of a method at an error, between two settings that enclose it; none
    /// where it takes too long.
    fn at_error(&self, kind: Kind, error: f64, (tight, auto): (&Timed, &Timed)) -> Option<f64> {
        let longest = PATIENCE * auto.seconds;
        let (mut setting, factor) = kind.start(self);
        let mut last: Option<[f64; 2]> = None;
        for _ in 0..14 {
            let run = self.timed(kind.method(setting), longest);
            let found = run.map(|run| [apart(&tight.tip, &run.tip).max(1e-16), run.seconds]);
            let is_good = found.is_some_and(|[found, _]| found <= error);
            if let (Some(a), Some(b)) = (last, found)
                && (a[0] <= error) != (b[0] <= error)
            {
                // straight in logarithms
                let share = (error / a[0]).ln() / (b[0] / a[0]).ln();
                return Some(a[1] * (b[1] / a[1]).powf(share));
            }
            match (last, found) {
                // too slow, and more accurate is slower
                (_, None) if last.is_none_or(|[found, _]| found > error) => return None,
                // too rough to come to an end
                (Some([_, seconds]), None) => return Some(seconds),
                _ => last = found,
            }
            setting *= if is_good { factor.recip() } else { factor };
            if setting > 0.05 {
                break;
            }
        }
        last.filter(|[found, _]| *found <= error).map(|[_, seconds]| seconds)
    }
}

/// The largest distance between two lists of positions (m).
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let distance = |(a, b): (&[f64], &[f64])| {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    a.chunks(3).zip(b.chunks(3)).map(distance).fold(0.0, f64::max)
}

/// Ends a run that takes too long.
struct Stopwatch {
    start: ThreadTime,
    longest: f64,
}

impl ProgressMonitor for Stopwatch {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        if self.start.elapsed().as_secs_f64() > self.longest {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
