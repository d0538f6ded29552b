//! Textbook results for a cantilever beam.
//!
//! Nothing here knows of shapes: deflections are integrals of `M/EI` over the profile, frequencies
//! and buckling loads come from the differential equations, integrated from the clamped end so
//! that the conditions at the tip are met: those of a free end, or of a body that hangs there. It is what a basis of shapes is held against.

use crate::beam::{Beam, Gauss, Section, TipLoad};
use std::f64::consts::PI;

/// Steps of the integration over the whole length.
const STEPS: usize = 600;
/// At least so many on each smooth stretch.
const FEWEST: usize = 60;
/// By how much a root's square root grows from one trial to the next, as part of the first one.
const SCAN: f64 = 0.05;
/// How many trials before a root is given up.
const TRIALS: usize = 4000;

/// A beam alone, clamped at its root and without rigid ends, with a rigid body on its tip.
#[derive(Clone, Debug)]
pub struct Cantilever<'a> {
    beam: &'a Beam,
    load: TipLoad,
}

/// A plane in which a beam bends, at one place.
struct Plane {
    ei: f64,
    /// Shear compliance, 1/N.
    shear: f64,
    rho_i: f64,
    rho_a: f64,
}

impl<'a> Cantilever<'a> {
    /// The flexible part of a beam, undivided, with a free tip.
    pub fn new(beam: &'a Beam) -> Self {
        Self::loaded(beam, TipLoad::default())
    }

    /// The flexible part of a beam, undivided, with this on its tip.
    pub fn loaded(beam: &'a Beam, load: TipLoad) -> Self {
        Self { beam, load }
    }

    /// The tip deflection along y (`plane` 0) or z (`plane` 1) per force at the tip (m/N).
    pub fn tip_flexibility(&self, plane: usize) -> f64 {
        let length = self.beam.length;
        self.integral(|s| {
            let Plane { ei, shear, .. } = self.plane(s, plane);
            (length - s).powi(2) / ei + shear
        })
    }

    /// The tip deflection per uniform acceleration along y or z (m per m/s²): that of its weight
    /// and of its load's.
    pub fn sag(&self, plane: usize) -> f64 {
        let length = self.beam.length;
        self.integral(|s| {
            let (mass, moment) = self.beyond(s);
            let Plane { ei, shear, .. } = self.plane(s, plane);
            (length - s) * moment / ei + mass * shear
        })
    }

    /// The bending moment at the root per uniform acceleration across the beam (N m per m/s²).
    pub fn root_moment(&self) -> f64 {
        self.beyond(0.0).1
    }

    /// The twist of the tip about x per torque there (rad/(N m)).
    pub fn twist(&self) -> f64 {
        self.integral(|s| 1.0 / self.section(s).gj)
    }

    /// The displacement of the tip along x per force there (m/N).
    pub fn stretch(&self) -> f64 {
        self.integral(|s| 1.0 / self.section(s).ea)
    }

    /// The lowest bending frequencies along y or z (rad/s), with rotary inertia, and with shear if
    /// the beam has it. Fewer where they cannot be found.
    pub fn bending_frequencies(&self, plane: usize, count: usize) -> Vec<f64> {
        // at least as fast as a massless beam with all its mass at the tip: Dunkerley
        let (TipLoad { mass, offset, .. }, inertia) = (self.load, self.inertia(plane));
        let slope = self.integral(|s| (self.beam.length - s) / self.plane(s, plane).ei);
        let turn = self.integral(|s| 1.0 / self.plane(s, plane).ei);
        let slowness = self.tip_flexibility(plane) * self.beyond(0.0).0
            + turn * inertia
            + 2.0 * slope * (mass * offset).abs();
        let slowest = 1.0 / slowness.sqrt();
        let steps = self.steps(|s| self.plane(s, plane));
        let free_end = |omega: f64| {
            let square = omega * omega;
            let fields = |at: &Plane, [w, theta, moment, force]: [f64; 4]| {
                [
                    theta + at.shear * force,
                    moment / at.ei,
                    -force - square * at.rho_i * theta,
                    -square * at.rho_a * w,
                ]
            };
            // moment and force at the tip, less what moves the load: ω²(m e w + J θ), ω² m (w + e θ)
            let left = |[w, theta, moment, force]: [f64; 4]| {
                let lifted = square * mass * (w + offset * theta);
                [moment - square * (mass * offset * w + inertia * theta), force - lifted]
            };
            let [a, b] = left(shoot(&steps, [0.0, 0.0, 1.0, 0.0], fields));
            let [c, d] = left(shoot(&steps, [0.0, 0.0, 0.0, 1.0 / self.beam.length], fields));
            a * d - b * c
        };
        roots(slowest, count, free_end)
    }

    /// The lowest frequency of twist (rad/s).
    pub fn twist_frequency(&self) -> Option<f64> {
        let polar = |section: &Section| section.rho_i_y + section.rho_i_z;
        let carried = self.load.inertia[0];
        let inertia = carried + self.integral(|s| polar(&self.section(s)));
        if inertia <= 0.0 {
            return None;
        }
        let slowest = 1.0 / (self.twist() * inertia).sqrt();
        let steps = self.steps(|s| self.section(s));
        let free_end = |omega: f64| {
            let fields = |at: &Section, [theta, torque]: [f64; 2]| {
                [torque / at.gj, -omega * omega * polar(at) * theta]
            };
            let [theta, torque] = shoot(&steps, [0.0, 1.0], fields);
            torque - omega * omega * carried * theta
        };
        roots(slowest, 1, free_end).first().copied()
    }

    /// The buckling load along y or z (N), a force on the tip along the beam toward its root:
    /// Euler's, or Engesser's if the beam has shear.
    pub fn buckling_load(&self, plane: usize) -> Option<f64> {
        let length = self.beam.length;
        if self.beam.profile.is_uniform() {
            let Plane { ei, shear, .. } = self.plane(0.0, plane);
            let euler = PI * PI * ei / (4.0 * length * length);
            return Some(euler / (1.0 + euler * shear));
        }
        let softest = length / self.integral(|s| 1.0 / self.plane(s, plane).ei);
        let euler = PI * PI * softest / (4.0 * length * length);
        let steps = self.steps(|s| self.plane(s, plane));
        let tip_moment = |root: f64| {
            let load = root * root;
            let fields = |at: &Plane, [theta, moment]: [f64; 2]| {
                [moment / at.ei, -load * theta / (1.0 - load * at.shear)]
            };
            shoot(&steps, [0.0, 1.0], fields)[1]
        };
        roots(0.3 * euler.sqrt(), 1, tip_moment).first().map(|root| root * root)
    }

    fn section(&self, s: f64) -> Section {
        self.beam.profile.section_at(s)
    }

    fn plane(&self, s: f64, plane: usize) -> Plane {
        let Section { ei_z, ei_y, kga_y, kga_z, rho_a, rho_i_z, rho_i_y, .. } = self.section(s);
        let (ei, kga, rho_i) =
            if plane == 0 { (ei_z, kga_y, rho_i_z) } else { (ei_y, kga_z, rho_i_y) };
        let shear = kga.filter(|_| self.beam.shear).map_or(0.0, f64::recip);
        Plane { ei, shear, rho_i, rho_a }
    }

    /// Where the profile is smooth.
    fn stretches(&self) -> Vec<(f64, f64)> {
        let length = self.beam.length;
        let mut borders: Vec<f64> = std::iter::once(0.0)
            .chain(self.beam.profile.breaks(length))
            .chain(std::iter::once(length))
            .collect();
        borders.dedup();
        borders.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    fn integral(&self, f: impl Fn(f64) -> f64) -> f64 {
        let rule = Gauss::new(12);
        let parts = self.stretches().into_iter().flat_map(|(from, to)| {
            let step = (to - from) / 4.0;
            (0..4).map(move |k| (from + f64::from(k) * step, from + f64::from(k + 1) * step))
        });
        parts
            .map(|(from, to)| rule.on(from, to).map(|(s, weight)| weight * f(s)).sum::<f64>())
            .sum()
    }

    /// The inertia of the load (kg m²) about the tip and the axis that sections turn about when they
    /// bend in a plane.
    fn inertia(&self, plane: usize) -> f64 {
        self.load.inertia[if plane == 0 { 2 } else { 1 }]
    }

    /// The mass beyond a place (kg) and its moment about it (kg m).
    fn beyond(&self, s: f64) -> (f64, f64) {
        let rule = Gauss::new(8);
        let TipLoad { mass, offset, .. } = self.load;
        let (mut mass, mut moment) = (mass, mass * (self.beam.length + offset - s));
        for (from, to) in self.stretches().into_iter().filter(|(_, to)| *to > s) {
            for (x, weight) in rule.on(from.max(s), to) {
                let rho_a = self.section(x).rho_a;
                mass += weight * rho_a;
                moment += weight * rho_a * (x - s);
            }
        }
        (mass, moment)
    }

    /// Steps from the root to the tip, each with its length (m) and what is at its beginning,
    /// middle and end.
    fn steps<T>(&self, at: impl Fn(f64) -> T) -> Vec<(f64, [T; 3])> {
        let mut steps = Vec::new();
        let stretches = self.stretches();
        let count = (STEPS / stretches.len()).max(FEWEST);
        for (from, to) in stretches {
            let h = (to - from) / count as f64;
            // where the profile jumps, a stretch begins with what is beyond
            let place = |x: f64| (from + x * h).clamp(from + 1e-9 * (to - from), to);
            for k in 0..count {
                let k = k as f64;
                steps.push((h, [k, k + 0.5, k + 1.0].map(|x| at(place(x)))));
            }
        }
        steps
    }
}

/// Integrates over steps by Runge and Kutta's rule of order 4.
fn shoot<T, const N: usize>(
    steps: &[(f64, [T; 3])],
    start: [f64; N],
    rate: impl Fn(&T, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let along = |y: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    steps.iter().fold(start, |y, (h, [begin, middle, end])| {
        let a = rate(begin, y);
        let b = rate(middle, along(y, a, 0.5 * h));
        let c = rate(middle, along(y, b, 0.5 * h));
        let d = rate(end, along(y, c, *h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]))
    })
}

/// The first roots of a function, counted from a bit below where the first one is expected. Their
/// square roots are about equally spaced.
fn roots(expected: f64, count: usize, f: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut found = Vec::new();
    if !(expected.is_finite() && expected > 0.0) {
        return found;
    }
    let (mut low, step) = (0.3 * expected.sqrt(), SCAN * expected.sqrt());
    let mut at_low = f(low * low);
    for _ in 0..TRIALS {
        let high = low + step;
        let at_high = f(high * high);
        if !at_high.is_finite() {
            break;
        }
        if (at_low < 0.0) != (at_high < 0.0) {
            found.push(bisect(low * low, high * high, at_low, &f));
            if found.len() == count {
                break;
            }
        }
        (low, at_low) = (high, at_high);
    }
    found
}

/// Halves the interval, by the secant's root where that lies well inside.
fn bisect(mut low: f64, mut high: f64, mut at_low: f64, f: &impl Fn(f64) -> f64) -> f64 {
    let mut at_high = f(high);
    for k in 0..80 {
        let secant = low - at_low * (high - low) / (at_high - at_low);
        let middle = 0.5 * (low + high);
        let trial = if k % 2 == 0 && secant > low && secant < high { secant } else { middle };
        let at = f(trial);
        if at == 0.0 || high - low <= 1e-14 * high {
            return trial;
        }
        if (at < 0.0) == (at_low < 0.0) {
            (low, at_low) = (trial, at);
        } else {
            (high, at_high) = (trial, at);
        }
    }
    0.5 * (low + high)
}
