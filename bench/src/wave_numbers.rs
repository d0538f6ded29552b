//! What following the wave numbers of a beam that slides costs.

use crate::instructions::{self, InstructionCounter};
use pliant::beam::{WaveNumberTable, WaveNumbers};
use std::hint::black_box;
use std::process::ExitCode;

/// Instructions of following the wave numbers of a beam with a load at its tip over a step of its
/// length: by root finding, by the differential form, from a table
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many wave numbers.
    #[arg(long, default_value_t = 2)]
    count: usize,
    /// Only run one way so often, for counting instructions: way, wave numbers, calls.
    #[arg(long, value_delimiter = ',', hide = true)]
    only: Vec<usize>,
}

/// The beam of Theodore and Ghosal's arm, from 0.3 m to 1 m in as many steps as a run of a second
/// takes about.
const BEAM: WaveNumbers = WaveNumbers { rho_a: 0.331, mass: 0.0828, inertia: 0.0 };
const STROKE: [f64; 2] = [0.3, 1.0];
const STEPS: u32 = 200;

const WAYS: [&str; 4] = [
    "table",
    "differential form, one Runge-Kutta step",
    "roots by Newton from the previous step",
    "roots by scanning without an initial guess",
];

fn lengths() -> impl Iterator<Item = [f64; 2]> {
    let step = (STROKE[1] - STROKE[0]) / f64::from(STEPS);
    (0..STEPS).map(move |k| [0.0, 1.0].map(|more| STROKE[0] + step * (f64::from(k) + more)))
}

/// A way, with what it prepares.
struct Follower {
    way: usize,
    start: Vec<f64>,
    table: WaveNumberTable,
}

impl Follower {
    fn new(way: usize, count: usize) -> Self {
        Self { way, start: BEAM.roots(count, STROKE[0]), table: BEAM.table(count, STROKE) }
    }

    /// Follows the wave numbers over the stroke.
    fn follow(&self, mut look: impl FnMut(f64, &[f64])) {
        let mut betas = self.start.clone();
        for [before, now] in lengths() {
            match self.way {
                0 => self.table.at_into(now, &mut betas),
                1 => BEAM.advance(&mut betas, [before, now], 1),
                2 => BEAM.roots_near(&mut betas, now),
                _ => betas = BEAM.roots(betas.len(), now),
            }
            look(now, &betas);
        }
    }
}

/// Runs the comparison.
pub(crate) fn run(options: &Options) -> ExitCode {
    if let [way, count, calls] = options.only[..] {
        let follower = Follower::new(way, count);
        for _ in 0..calls {
            follower.follow(|_, betas| {
                black_box(betas);
            });
        }
        return ExitCode::SUCCESS;
    }
    let (count, counter) = (options.count, InstructionCounter::find());
    println!("{count} wave numbers of a beam with a load, from 0.3 m to 1 m in {STEPS} steps");
    if counter.is_none() {
        println!("{}", instructions::NEEDS);
    }
    println!();
    println!("{:<40} {:>17}  {:>8}  {:>13}", "way", "instructions/step", "ratio", "largest error");
    let mut least = None;
    for (way, name) in WAYS.iter().enumerate() {
        let mut error = 0.0_f64;
        Follower::new(way, count).follow(|length, betas| {
            for (got, want) in betas.iter().zip(BEAM.roots(count, length)) {
                error = error.max((got / want - 1.0).abs());
            }
        });
        let more = if way == 3 { 2 } else { 20 };
        let counted = counter.as_ref().and_then(|counter| {
            counter.per_call("wave-numbers", more, |calls| format!("{way},{count},{calls}"))
        });
        let each = counted.map(|all| all as f64 / f64::from(STEPS));
        let ratio = each.map(|each| each / *least.get_or_insert(each));
        let show = |number: Option<f64>, digits: usize| {
            number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
        };
        println!("{name:<40} {:>17}  {:>8}  {error:>13.1e}", show(each, 0), show(ratio, 2));
    }
    ExitCode::SUCCESS
}
