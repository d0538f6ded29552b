//! The modes of an arm, as a page tells and moves them.

use super::chain::Chain;
use super::motion::{self, Instant};
use super::pack::Pack;
use super::{picture, words};
use pliant::Help;
use pliant::analyse::Modes;
use pliant::arm::{Arm, Builder};
use pliant::dynamics::kinematics::Workspace;
use pliant::spatial::Vec3;
use serde::Serialize;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// How far a mode moves the arm at the most, as a part of its size.
const SWING: f64 = 0.08;

/// Instants of one period.
const INSTANTS: usize = 33;

/// What a page of modes tells.
#[derive(Clone, Copy, Debug)]
pub struct ModesReport<'a> {
    /// The arm.
    pub arm: &'a Arm,
    /// What it was built from.
    pub description: &'a Builder,
    /// Its modes; as many as there are lines are shown.
    pub modes: &'a Modes,
    /// What is told about each.
    pub lines: &'a [ModeLine],
    /// Labels and what they say, such as how the joints are held.
    pub facts: &'a [(&'a str, String)],
    /// Why it is not known how good the frequencies are, where it is not.
    pub no_convergence: Option<&'a str>,
}

/// What is told about a mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeLine {
    /// The natural frequency (Hz).
    pub hertz: f64,
    /// The damping ratio.
    pub damping: f64,
    /// Whether the arm would leave the posture in this shape.
    pub unstable: bool,
    /// What moves, with its part of the kinetic energy.
    pub moves: Vec<(String, f64)>,
    /// The relative error of the frequency.
    pub error: Option<f64>,
}

pub(super) fn tell(report: &ModesReport<'_>, pack: &mut Pack) -> Value {
    let tip = report.arm.tip().map(|tip| report.arm.frames()[tip].name());
    let (arm, clips, why_none) = match Chain::new(report.description, tip) {
        Ok(chain) => {
            let modes = report.modes.modes.iter().take(report.lines.len());
            let clips =
                modes.map(|mode| clip(&chain, &report.modes.q, mode.shape.as_slice(), pack));
            let clips: Vec<motion::Motion> = clips.collect();
            (Some(picture::picture(&chain)), clips, None)
        }
        Err(error) => {
            let why = format!("The arm cannot be drawn: {}.", error.with_help());
            (None, Vec::new(), Some(why))
        }
    };
    json!({
        "name": report.arm.name(),
        "arm": arm,
        "clips": clips,
        "noArm": why_none,
        "lines": report.lines,
        "noConvergence": report.no_convergence,
        "words": {
            "arm": words::arm(report.arm, report.description),
            "facts": report.facts,
        },
    })
}

/// One period of a mode about its posture. Its first instant is the posture itself.
fn clip(chain: &Chain, rest: &[f64], shape: &[f64], pack: &mut Pack) -> motion::Motion {
    let arm = chain.lines.arm();
    let mut work = Workspace::new(arm);
    let moved = |by: f64| {
        let mut q = rest.to_vec();
        let du: Vec<f64> = shape.iter().map(|x| by * x).collect();
        arm.displace(&mut q, &du);
        q
    };
    let frames = chain.frames();
    let places = |work: &mut Workspace<f64>, q: &[f64]| -> Vec<Vec3<f64>> {
        let placed = work.place(arm, q);
        frames.iter().map(|&frame| placed.pose(frame).position).collect()
    };
    let start = places(&mut work, rest);
    let spread = |of: &dyn Fn(&Vec3<f64>) -> f64| {
        let least = start.iter().map(of).fold(f64::INFINITY, f64::min);
        start.iter().map(of).fold(f64::NEG_INFINITY, f64::max) - least
    };
    let size = [spread(&|p| p.x), spread(&|p| p.y), spread(&|p| p.z)];
    let size = size.into_iter().fold(0.0, f64::max).max(1e-3);
    // small enough to be a slope
    let trial = 1e-6 / shape.iter().fold(0.0, |most: f64, x| most.max(x.abs())).max(1e-300);
    let off = places(&mut work, &moved(trial));
    let far = off.iter().zip(&start).map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max);
    let amplitude = if far > 0.0 { SWING * size * trial / far } else { 0.0 };
    let times: Vec<f64> = (0..INSTANTS).map(|k| k as f64 / (INSTANTS - 1) as f64).collect();
    let instants: Vec<Instant> = times
        .iter()
        .map(|t| motion::instant(chain, &mut work, &moved(amplitude * (TAU * t).sin())))
        .collect();
    motion::pack(&times, instants, pack)
}
