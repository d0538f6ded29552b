//! The poles of a run's start as figures.

use pliant::analyse::continuous_pole;
use pliant::nalgebra::Complex;
use pliant::scenario::{LoopError, Simulation};
use std::f64::consts::TAU;

/// What a figure of poles is found by.
pub(super) const POLES: [&str; 2] = ["pole.", "poles."];

/// Poles nearer to zero than this part of the largest are at zero: two that are there together are
/// apart by the square root of rounding.
const ZERO: f64 = 2e-8;

/// A figure of poles: its name, its label, its unit, its value, and whether lower is better.
pub(super) type PoleFigure = (String, String, &'static str, f64, Option<bool>);

/// The poles of the loop that controllers close where the plan begins, at rest; without controllers
/// those of the motion at its start. One of each pair, slowest first; none where there are none.
///
/// Poles of loops that act at ticks are told as in continuous time, and those that vanish within a
/// tick are left out.
pub(super) fn poles(simulation: &Simulation) -> Vec<PoleFigure> {
    let mut rates: Vec<Complex<f64>> = rates(simulation).unwrap_or_default();
    rates.retain(|rate| rate.norm().is_finite() && rate.im >= 0.0);
    rates.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    let largest = rates.last().map_or(0.0, |rate| rate.norm());
    let is_zero = |rate: &&Complex<f64>| rate.norm() <= ZERO * largest;
    let damping = |rate: &Complex<f64>| -rate.re / rate.norm();
    let mut all = Vec::new();
    for (number, rate) in (1..).zip(&rates) {
        let ratio = if is_zero(&rate) { f64::NAN } else { damping(rate) };
        for (end, words, unit, value) in [
            ("frequency", "frequency", "Hz", rate.norm() / TAU),
            ("damping_ratio", "damping ratio", "1", ratio),
        ] {
            let label = format!("{words} of pole {number} at the start");
            all.push((format!("pole.{number}.{end}"), label, unit, value, None));
        }
    }
    let moving = || rates.iter().filter(|rate| !is_zero(rate));
    let least = moving().map(damping).fold(f64::NAN, f64::min);
    let growth = rates.iter().map(|rate| if is_zero(&rate) { 0.0 } else { rate.re });
    let growth = growth.fold(f64::NAN, f64::max);
    for (name, label, unit, value, lower) in [
        ("least_damping_ratio", "least damping ratio of all poles at the start", "1", least, false),
        ("fastest_growth", "fastest growth of all poles at the start", "1/s", growth, true),
    ] {
        all.push((format!("poles.{name}"), label.to_owned(), unit, value, Some(lower)));
    }
    all
}

/// The poles in continuous time (1/s).
fn rates(simulation: &Simulation) -> Option<Vec<Complex<f64>>> {
    let (system, period) = match simulation.closed_loop(0.0, &[], &[]) {
        Ok(closed) => (closed.system, closed.period),
        Err(LoopError::NoLoop) => {
            let point = simulation.operating_point(0.0).ok()?;
            let conditions = simulation.conditions_at(0.0);
            (simulation.arm.linearise(&point, &conditions, &[], &[]).ok()?, None)
        }
        Err(_) => return None,
    };
    Some(system.poles().into_iter().map(|pole| continuous_pole(pole, period)).collect())
}
