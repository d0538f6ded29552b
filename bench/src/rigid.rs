//! Rigid chains: `rnea`, `crba` and `aba` beside Pinocchio's.
//!
//! Both sides first have to return the same numbers. Then batches of about 0.1 ms alternate between
//! them on one core, so that both see the same noise of the machine, and the minimum and the median
//! of their times per call are compared. Where Pinocchio has two variants of an algorithm, the faster counts.

use crate::chains::Chain;
use crate::engine::{Engine, Error};
use crate::machine;
use crate::peer::{Peer, Pinocchio};
use crate::pliant_engine::Pliant;
use crate::report::{Format, Report, Row, Timing};
use clap::Args;
use std::process::ExitCode;

/// Rigid chains of revolute joints, beside Pinocchio.
#[derive(Args)]
pub(crate) struct Options {
    /// Aligned text, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Numbers of joints of the chains.
    #[arg(long, value_delimiter = ',', default_values_t = [6, 7, 12, 30, 100])]
    joints: Vec<usize>,
    /// Batches of each algorithm.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// How long a batch takes (ns).
const BATCH_NS: f64 = 1e5;

/// How far the values of the two sides may differ, relative to the largest entry.
const TOLERANCE: f64 = 1e-9;

/// An algorithm of pliant and its counterparts.
struct Algorithm {
    ours: &'static str,
    theirs: &'static [&'static str],
}

const ALGORITHMS: [Algorithm; 5] = [
    Algorithm { ours: "rnea", theirs: &["rnea"] },
    Algorithm { ours: "crba", theirs: &["crba_local", "crba_world"] },
    Algorithm { ours: "aba", theirs: &["aba_local", "aba_world"] },
    Algorithm { ours: "rnea_derivatives", theirs: &["rnea_derivatives"] },
    Algorithm { ours: "aba_derivatives", theirs: &["aba_derivatives"] },
];

/// The largest share of the peer's time that pliant may take, for the algorithms that have a bar.
fn limit(algorithm: &str, joints: usize) -> Option<f64> {
    match algorithm {
        "rnea" => Some(0.6),
        "aba" => Some(0.5),
        "crba" if joints < 30 => Some(0.8),
        "crba" => Some(1.0),
        _ => None,
    }
}

/// Runs the benchmark. Success means that a comparison was made, not that pliant won it.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let pinocchio = Pinocchio::prepare();
    if !machine::stay_on_one_core() {
        eprintln!("warning: both sides may run on different cores, for want of `taskset`");
    }
    let mut report = Report::new(options.format);
    for (i, &joints) in options.joints.iter().enumerate() {
        let chain = Chain::new(joints);
        let mut peer = match &pinocchio {
            Ok(pinocchio) => Some(pinocchio.start(&chain)?),
            Err(_) => None,
        };
        let mut pliant = Pliant::new(chain)?;
        if i == 0 {
            report.head(peer.as_mut().map(Peer::about).transpose()?);
        }
        for algorithm in &ALGORITHMS {
            if let Some(peer) = &mut peer {
                check(algorithm, joints, &mut pliant, peer)?;
            }
            report.row(measure(algorithm, joints, options.rounds, &mut pliant, peer.as_mut())?);
        }
    }
    Ok(match pinocchio {
        Ok(_) => {
            report.verdict();
            ExitCode::SUCCESS
        }
        Err(error) => {
            report.no_verdict(&error);
            ExitCode::FAILURE
        }
    })
}

/// Checks that all variants return the same numbers.
fn check(
    algorithm: &Algorithm,
    joints: usize,
    pliant: &mut Pliant,
    peer: &mut Peer,
) -> Result<(), Error> {
    let ours = pliant.value(algorithm.ours)?;
    for &call in algorithm.theirs {
        let worst = relative_difference(&ours, &peer.value(call)?);
        if worst > TOLERANCE {
            let (ours, theirs) = (algorithm.ours.to_owned(), call.to_owned());
            return Err(Error::Disagreement { joints, ours, theirs, worst, tolerance: TOLERANCE });
        }
    }
    Ok(())
}

/// The largest difference, relative to the largest entry of `b`.
fn relative_difference(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() || a.iter().chain(b).any(|number| !number.is_finite()) {
        return f64::INFINITY;
    }
    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    worst / b.iter().map(|b| b.abs()).fold(f64::MIN_POSITIVE, f64::max)
}

/// Measures both sides, batch by batch in turn.
fn measure(
    algorithm: &Algorithm,
    joints: usize,
    rounds: u32,
    pliant: &mut Pliant,
    mut peer: Option<&mut Peer>,
) -> Result<Row, Error> {
    let mut ours = Series::new(algorithm.ours, pliant)?;
    let mut theirs = Vec::new();
    if let Some(peer) = &mut peer {
        for call in algorithm.theirs {
            theirs.push(Series::new(call, *peer)?);
        }
    }
    for _ in 0..rounds {
        ours.batch(pliant)?;
        if let Some(peer) = &mut peer {
            for series in &mut theirs {
                series.batch(*peer)?;
            }
        }
    }
    Ok(Row {
        joints,
        limit: limit(algorithm.ours, joints),
        ours: ours.timing(),
        theirs: theirs.into_iter().map(Series::timing).collect(),
    })
}

/// The batches of one call of one engine.
struct Series {
    call: &'static str,
    /// Calls in a batch.
    count: u32,
    /// [ns per call]
    samples: Vec<f64>,
}

impl Series {
    /// Finds the size of the batch.
    fn new(call: &'static str, engine: &mut dyn Engine) -> Result<Self, Error> {
        let mut count = 1;
        loop {
            let ns = engine.run(call, count)?;
            if ns * f64::from(count) >= BATCH_NS / 2.0 {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
                let count = (BATCH_NS / ns).round().max(1.0) as u32;
                return Ok(Self { call, count, samples: Vec::new() });
            }
            count *= 2;
        }
    }

    fn batch(&mut self, engine: &mut dyn Engine) -> Result<(), Error> {
        self.samples.push(engine.run(self.call, self.count)?);
        Ok(())
    }

    fn timing(mut self) -> Timing {
        self.samples.sort_by(f64::total_cmp);
        let (min, median) = (self.samples[0], self.samples[self.samples.len() / 2]);
        Timing { call: self.call, min, median }
    }
}

#[cfg(test)]
mod tests {
    use super::relative_difference;

    #[test]
    fn differences_are_relative_to_the_largest_entry() {
        let difference = relative_difference(&[1.0, -4.0], &[1.5, -5.0]);
        assert!((difference - 0.2).abs() < 1e-15, "{difference}");
        assert!(relative_difference(&[0.0], &[0.0]) <= 0.0);
    }

    #[test]
    fn what_is_no_number_differs() {
        assert!(relative_difference(&[f64::NAN, 1.0], &[1.0, 1.0]).is_infinite());
        assert!(relative_difference(&[1.0], &[1.0, 1.0]).is_infinite());
    }
}
