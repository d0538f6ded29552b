//! Three ways of following the wave numbers of a beam with a load at its tip, as its length changes.

use super::clamped_mass::{bending_root, polished_root, root_rate};
use super::law::{Law, Sampled, Samples};

/// A uniform beam of changing length with a load at its tip, as far as its wave numbers go: the
/// roots `β` of the frequency equation, Theodore (9).
///
/// They are found by root finding ([`WaveNumbers::roots`] from nothing,
/// [`WaveNumbers::roots_near`] from those of a length nearby), by the differential form
/// ([`WaveNumbers::rate`], [`WaveNumbers::advance`]), or from a table ([`WaveNumbers::table`]).
/// Motions are driven by tables, of all integrals and not of the wave numbers alone.
///
/// ```
/// use pliant::beam::WaveNumbers;
/// let beam = WaveNumbers { rho_a: 0.331, mass: 0.0828, inertia: 0.0 };
/// let found = beam.roots(2, 0.8);
/// let mut integrated = beam.roots(2, 0.3);
/// beam.advance(&mut integrated, [0.3, 0.8], 400);
/// let tabulated = beam.table(2, [0.3, 1.0]).at(0.8);
/// for k in 0..2 {
///     assert!((integrated[k] - found[k]).abs() < 1e-9);
///     assert!((tabulated[k] - found[k]).abs() < 1e-13);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaveNumbers {
    /// Mass per length (kg/m).
    pub rho_a: f64,
    /// Mass at the tip (kg).
    pub mass: f64,
    /// Moment of inertia at the tip about the axis of bending (kg m²).
    pub inertia: f64,
}

/// Wave numbers as Chebyshev series in the inverse of the length.
#[derive(Clone, Debug)]
pub struct WaveNumberTable {
    law: Law<f64>,
    count: usize,
    rest: f64,
}

impl WaveNumbers {
    /// `M_L/(ρA l)` and `J_L/(ρA l³)`.
    fn ratios(&self, length: f64) -> [f64; 2] {
        [self.mass / (self.rho_a * length), self.inertia / (self.rho_a * length.powi(3))]
    }

    /// The first `count` wave numbers at a length (m), by scanning for changes of sign.
    pub fn roots(&self, count: usize, length: f64) -> Vec<f64> {
        let [mass, inertia] = self.ratios(length);
        (1..=count).map(|k| bending_root(k, mass, inertia)).collect()
    }

    /// The wave numbers at a length (m) from those at a length nearby, by Newton's iteration.
    /// Lengths must be so near that none comes close to its neighbour.
    pub fn roots_near(&self, betas: &mut [f64], length: f64) {
        let ratios = self.ratios(length);
        for beta in betas {
            *beta = polished_root(*beta, ratios);
        }
    }

    /// The derivative of a wave number by the length (1/m): Theodore (11) to (13), which have it
    /// times the speed.
    pub fn rate(&self, beta: f64, length: f64) -> f64 {
        root_rate(beta, length, self.ratios(length))
    }

    /// Takes wave numbers along from one length to another (m) by the differential form, in equal
    /// steps of the classical Runge-Kutta method.
    pub fn advance(&self, betas: &mut [f64], [from, to]: [f64; 2], steps: u32) {
        let step = (to - from) / f64::from(steps);
        for beta in betas {
            for k in 0..steps {
                let length = from + step * f64::from(k);
                let first = self.rate(*beta, length);
                let second = self.rate(*beta + 0.5 * step * first, length + 0.5 * step);
                let third = self.rate(*beta + 0.5 * step * second, length + 0.5 * step);
                let last = self.rate(*beta + step * third, length + step);
                *beta += step / 6.0 * (first + 2.0 * (second + third) + last);
            }
        }
    }

    /// A table of the first `count` wave numbers over a stroke (m).
    pub fn table(&self, count: usize, stroke: [f64; 2]) -> WaveNumberTable {
        let samples = Samples::over(stroke, WaveNumberTable::SAMPLES);
        let mut sampled = Sampled::default();
        for (sample, &length) in samples.lengths.iter().enumerate() {
            for (k, beta) in self.roots(count, length).into_iter().enumerate() {
                sampled.add([sample, samples.count()], k, (0, beta));
            }
        }
        let (law, rest) = sampled.law(&samples, None);
        WaveNumberTable { law, count, rest }
    }
}

impl WaveNumberTable {
    const SAMPLES: usize = 48;

    /// The wave numbers at a length in the stroke (m).
    pub fn at(&self, length: f64) -> Vec<f64> {
        let mut betas = vec![0.0; self.count];
        self.at_into(length, &mut betas);
        betas
    }

    /// The same into a slice of as many numbers.
    pub fn at_into(&self, length: f64, betas: &mut [f64]) {
        self.law.fill(length, betas);
    }

    /// What the series leave out, as a part of what they hold.
    pub fn rest(&self) -> f64 {
        self.rest
    }
}
