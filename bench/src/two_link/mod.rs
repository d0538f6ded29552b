//! Two bars on free pins, three seconds: error against time, beside `MuJoCo` and Exudyn.
//!
//! Each bar is 1 m long, weighs 5 kg and has EI = 1000 N m²; it does not stretch, shear or have
//! rotary inertia. The error of a run is its largest distance from the reference tip over 300
//! instants. The reference is the chain of `MuJoCo` of 16 and 32 segments per link, extrapolated; pliant's
//! own converged paths are held against it first.

mod front;
mod ours;
mod peers;

use crate::engine::Error;
use crate::machine;
use crate::report::Format;
use front::{Point, front, time_at};
use ours::Stepping;
use peers::Peers;
use serde_json::json;
use std::process::ExitCode;

const MASS_PER_LENGTH: f64 = 5.0;
const BENDING_STIFFNESS: f64 = 1000.0;
const GRAVITY: f64 = 9.81;
const DURATION: f64 = 3.0;
const SAMPLES: usize = 300;

/// pliant's converged path shall be this near to the extrapolated one of `MuJoCo` (m).
const NEAR_MUJOCO: f64 = 5e-6;

/// And this near to Exudyn's finest, hanging (m).
const NEAR_EXUDYN: f64 = 1.5e-5;

/// The errors at which times are compared (m).
const TARGETS: [f64; 2] = [1e-4, 2e-5];

/// The largest ratio of times allowed.
const BAR: f64 = 0.2;

/// The race of a two-link flexible arm against `MuJoCo` and Exudyn.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Aligned text, or one JSON object per row.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// How often each model runs; the quickest counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// How the arm is released: the first angle from the horizontal, the second from the first (deg).
pub(crate) struct Case {
    name: &'static str,
    theta1: f64,
    theta2: f64,
}

const CASES: [Case; 2] = [
    Case { name: "hanging", theta1: -90.0, theta2: 5.0 },
    Case { name: "horizontal", theta1: 0.0, theta2: 5.0 },
];

/// Places of the tip (m).
type Path = Vec<[f64; 2]>;

/// What came of one run.
struct Run {
    /// Time of the processor (s).
    seconds: f64,
    tip: Path,
}

/// The largest distance between two paths (m); infinite where one has no numbers.
fn distance(a: &Path, b: &Path) -> f64 {
    let each = a.iter().zip(b).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
    each.fold(0.0, |worst, d| if d.is_nan() { f64::INFINITY } else { d.max(worst) })
}

/// `(4 fine − coarse) / 3`, for errors that fall with the square of the length of a part.
fn extrapolated(coarse: &Path, fine: &Path) -> Path {
    let point = |(c, f): (&[f64; 2], &[f64; 2])| [0, 1].map(|k| (4.0 * f[k] - c[k]) / 3.0);
    coarse.iter().zip(fine).map(point).collect()
}

/// Runs the race.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let mut peers = Peers::start()?;
    let about = peers.about()?;
    if options.format == Format::Text {
        println!("processor: {}", machine::processor());
        println!(
            "pliant {} ({}) against {about} (their published wheels)",
            env!("CARGO_PKG_VERSION"),
            env!("PLIANT_BENCH_FLAGS")
        );
        println!("times are of the steps alone: nothing is recorded on either side");
        println!("pliant compiles each model first, fused, in the time told");
    }
    let mut kept = true;
    for case in &CASES {
        kept &= race(options, case, &mut peers)?;
    }
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One release; whether all bars were kept.
fn race(options: &Options, case: &Case, peers: &mut Peers) -> Result<bool, Error> {
    eprintln!("{}: references, about a minute", case.name);
    let reference = reference(case, peers)?;
    let mut kept = converged(options, case, peers, &reference)?;
    let (ours, theirs) = (ours::models(), peers::models());
    let mut own: Vec<Point> = ours.iter().map(|model| point(own_name(model))).collect();
    let mut their: Vec<Point> = theirs.iter().map(|model| point(their_name(model))).collect();
    // turn by turn, so that both sides have the same noise
    for round in 1..=options.rounds {
        eprintln!("{}: round {round} of {}", case.name, options.rounds);
        for (model, point) in ours.iter().zip(&mut own) {
            point.add(&model.run(case)?, &reference);
        }
        for (model, point) in theirs.iter().zip(&mut their) {
            point.add(&peers.run(case, model)?, &reference);
        }
    }
    for (side, points) in [("pliant", &own), ("others", &their)] {
        print_front(options, case, side, points);
    }
    for target in TARGETS {
        let times = (time_at(&own, target), time_at(&their, target));
        let ratio = times.0.zip(times.1).map(|(own, their)| own / their);
        let bar = ratio.is_some_and(|ratio| ratio <= BAR);
        kept &= bar;
        print_ratio(options, case, target, times, ratio, bar);
    }
    Ok(kept)
}

fn reference(case: &Case, peers: &mut Peers) -> Result<Path, Error> {
    let mut chain = |parts, steps| {
        let model = peers::Model { library: "MuJoCo", parts, integrator: "RK4", steps };
        peers.run(case, &model).map(|run| run.tip)
    };
    Ok(extrapolated(&chain(16, 36_000)?, &chain(32, 144_000)?))
}

/// pliant's own converged paths against those of the others.
fn converged(
    options: &Options,
    case: &Case,
    peers: &mut Peers,
    reference: &Path,
) -> Result<bool, Error> {
    let fine = Stepping::Dop853(1e-7);
    let chain = |count| ours::pieces(count, true, fine).run(case).map(|run| run.tip);
    let own = extrapolated(&chain(16)?, &chain(32)?);
    let elements = ours::segments(8, Stepping::Dop853(1e-5)).run(case)?.tip;
    let cable = |peers: &mut Peers, steps| {
        let integrator = "generalised-alpha";
        let model = peers::Model { library: "Exudyn", parts: 8, integrator, steps };
        peers.run(case, &model).map(|run| run.tip)
    };
    let cable = extrapolated(&cable(peers, 9_600)?, &cable(peers, 19_200)?);
    let hanging = case.name == "hanging";
    let rows = [
        ("rigid pieces, extrapolated, from MuJoCo's", distance(&own, reference), Some(NEAR_MUJOCO)),
        ("8 segments of elements from MuJoCo's", distance(&elements, reference), None),
        (
            "rigid pieces, extrapolated, from Exudyn's",
            distance(&own, &cable),
            hanging.then_some(NEAR_EXUDYN),
        ),
    ];
    if options.format == Format::Text {
        println!("\n{}: how far converged paths of the tip are apart", case.name);
    }
    let mut kept = true;
    for (what, apart, limit) in rows {
        let near = limit.is_none_or(|limit| apart <= limit);
        kept &= near;
        match options.format {
            Format::Text => {
                let bar = limit.map_or(String::new(), |limit| {
                    format!(", at most {limit:.1e} m: {}", if near { "ok" } else { "MISSED" })
                });
                println!("  {what}: {apart:.1e} m{bar}");
            }
            Format::Json => println!(
                "{}",
                json!({"record": "converged", "case": case.name, "what": what, "apart_m": apart,
                       "limit_m": limit})
            ),
        }
    }
    Ok(kept)
}

fn point(name: String) -> Point {
    Point { name, error: f64::INFINITY, seconds: f64::INFINITY }
}

impl Point {
    fn add(&mut self, run: &Run, reference: &Path) {
        self.error = distance(&run.tip, reference);
        self.seconds = self.seconds.min(run.seconds);
    }
}

fn own_name(model: &ours::Model) -> String {
    match model.stepping {
        Stepping::Rk4(steps) => format!("{}; RK4, {steps} steps", model.words),
        Stepping::Dop853(tolerance) => format!("{}; dop853, {tolerance:.0e}", model.words),
    }
}

fn their_name(model: &peers::Model) -> String {
    let peers::Model { library, parts, integrator, steps } = model;
    format!("{library}, {parts} parts per link; {integrator}, {steps} steps")
}

fn print_front(options: &Options, case: &Case, side: &str, points: &[Point]) {
    if options.format == Format::Json {
        for Point { name, error, seconds } in points {
            let row = json!({"record": "run", "case": case.name, "side": side, "model": name,
                             "error_m": error, "cpu_s": seconds});
            println!("{row}");
        }
        return;
    }
    println!("\n{}, the front of {side}\n  error [m]  CPU [ms]  model", case.name);
    for Point { name, error, seconds } in front(points) {
        println!("  {error:>9.1e}  {:>8.2}  {name}", 1e3 * seconds);
    }
}

fn print_ratio(
    options: &Options,
    case: &Case,
    target: f64,
    (own, their): (Option<f64>, Option<f64>),
    ratio: Option<f64>,
    kept: bool,
) {
    if options.format == Format::Json {
        let row = json!({"record": "ratio", "case": case.name, "error_m": target, "pliant_s": own,
                         "others_s": their, "ratio": ratio, "limit": BAR, "kept": kept});
        println!("{row}");
        return;
    }
    let ms = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{:.2}", 1e3 * time));
    println!(
        "{} at {target:.0e} m: pliant {} ms, others {} ms, ratio {}, at most {BAR}: {}",
        case.name,
        ms(own),
        ms(their),
        ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
        if kept { "ok" } else { "MISSED" }
    );
}
