//! Bending modes of uniform beams.
//!
//! The textbook forms lose more than a digit per mode. Here the growing exponential is written
//! from the tip, so that nothing large is subtracted.

use super::basis::TipLoad;
use super::clamped_mass;
use super::quadrature::Gauss;
use std::f64::consts::PI;

/// `φ = g e^{β(s−L)} + f e^{−βs} + c cos βs + d sin βs − k s`, scaled to `∫₀ᴸ φ² ds = L` before
/// the last term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BendingMode {
    length: f64,
    beta: f64,
    growing: f64,
    falling: f64,
    cosine: f64,
    sine: f64,
    tilt: f64,
}

impl BendingMode {
    /// `cosh βs − cos βs − σ (sinh βs − sin βs)`, the mode with `k` zeros counting the clamp,
    /// `k = 1, 2, …`; `|φ(L)| = 2`. King (3-48), sign corrected.
    pub(crate) fn clamped_free(k: usize, length: f64) -> Self {
        let root = clamped_free_root(k);
        let decay = (-root).exp();
        let (sin, cos) = root.sin_cos();
        // ε = (1−σ) e^{βL} is of order one
        let epsilon = (sin - cos - decay) / (0.5 * (1.0 - decay * decay) + decay * sin);
        let sigma = 1.0 - epsilon * decay;
        Self {
            length,
            beta: root / length,
            growing: 0.5 * epsilon,
            falling: 0.5 * (1.0 + sigma),
            cosine: -1.0,
            sine: sigma,
            tilt: 0.0,
        }
    }

    /// `C [cosh − cos + ν (sinh − sin)]` with a load at the tip: Theodore (9). `plane` is 0 for
    /// bending along y, 1 along z.
    pub(crate) fn clamped_mass(
        k: usize,
        length: f64,
        rho_a: f64,
        load: &TipLoad,
        plane: usize,
    ) -> Self {
        let mass = load.mass / (rho_a * length);
        let inertia = load.inertia[2 - plane] / (rho_a * length.powi(3));
        let beta = clamped_mass::bending_root(k, mass, inertia);
        let decay = (-beta).exp();
        let (sin, cos) = beta.sin_cos();
        let cosh = 0.5 * (1.0 + decay * decay);
        let sinh = 0.5 * (1.0 - decay * decay);
        let mb = mass * beta;
        // everything times e^{−β}
        let below = cos * decay + cosh - mb * (sin * decay - sinh);
        let nu = (sin * decay - sinh + mb * (cos * decay - cosh)) / below;
        let epsilon = (sin + cos + decay + mb * (cos - sin - decay)) / below;
        let mut mode = Self {
            length,
            beta: beta / length,
            growing: 0.5 * epsilon,
            falling: 0.5 * (1.0 - nu),
            cosine: -1.0,
            sine: -nu,
            tilt: 0.0,
        };
        mode.scale(k);
        mode
    }

    /// `[sin βs + (sin βL/sinh βL) sinh βs] / |sin βL|`, less its slope at the root; before that
    /// `|φ(L)| = 2`.
    pub(crate) fn pinned_free(k: usize, length: f64) -> Self {
        let root = pinned_free_root(k);
        let beta = root / length;
        let decay = (-root).exp();
        // sin βL / sinh βL = 2 e^{−βL} sin βL / (1 − e^{−2βL})
        let sine = 1.0 / root.sin().abs();
        let growing = sine * root.sin() / (1.0 - decay * decay);
        let falling = -growing * decay;
        let tilt = beta * (growing * decay - falling + sine);
        Self { length, beta, growing, falling, cosine: 0.0, sine, tilt }
    }

    /// Scales a mode with `k` zeros.
    fn scale(&mut self, k: usize) {
        let rule = Gauss::usual();
        let panels = 4 + 2 * k;
        let mut square = 0.0;
        for panel in 0..panels {
            let border = |p: usize| self.length * p as f64 / panels as f64;
            let points = rule.on(border(panel), border(panel + 1));
            square += points.map(|(s, weight)| weight * self.at(s)[0].powi(2)).sum::<f64>();
        }
        let factor = (self.length / square).sqrt();
        for part in [&mut self.growing, &mut self.falling, &mut self.cosine, &mut self.sine] {
            *part *= factor;
        }
    }

    /// `φ`, `φ'` and `φ''` at a place.
    pub(crate) fn at(&self, s: f64) -> [f64; 3] {
        let [value, slope, curvature, _] = self.derivatives(s);
        [value, slope, curvature]
    }

    /// `φ` and its first three derivatives at a place.
    pub(crate) fn derivatives(&self, s: f64) -> [f64; 4] {
        let Self { length, beta, cosine, sine, tilt, .. } = *self;
        let growing = self.growing * (beta * (s - length)).exp();
        let falling = self.falling * (-beta * s).exp();
        let (sin, cos) = (beta * s).sin_cos();
        let wave = cosine * cos + sine * sin;
        let steep = sine * cos - cosine * sin;
        [
            growing + falling + wave - tilt * s,
            beta * (growing - falling + steep) - tilt,
            beta * beta * (growing + falling - wave),
            beta * beta * beta * (growing - falling - steep),
        ]
    }
}

/// The `k`-th root of `cos x cosh x = −1`.
pub(crate) fn clamped_free_root(k: usize) -> f64 {
    let mut x = (k as f64 - 0.5) * PI;
    for _ in 0..20 {
        // cos x + 1/cosh x = 0
        let inverse = 1.0 / x.cosh();
        x -= (x.cos() + inverse) / (-x.sin() - inverse * x.tanh());
    }
    x
}

/// The `k`-th positive root of `tan x = tanh x`.
fn pinned_free_root(k: usize) -> f64 {
    let mut x = (k as f64 + 0.25) * PI;
    for _ in 0..20 {
        // sin x − cos x tanh x = 0
        let tanh = x.tanh();
        let slope = x.cos() + x.sin() * tanh - x.cos() * (1.0 - tanh * tanh);
        x -= (x.sin() - x.cos() * tanh) / slope;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: f64 = 1.3;

    /// The integral over the length, by a rule that is exact to rounding.
    fn integral(f: impl Fn(f64) -> f64) -> f64 {
        let rule = Gauss::new(12);
        let panel = |p: i32| {
            let (from, to) = (f64::from(p) / 40.0, f64::from(p + 1) / 40.0);
            rule.on(from * LENGTH, to * LENGTH).map(|(s, w)| w * f(s)).sum::<f64>()
        };
        (0..40).map(panel).sum()
    }

    fn product(a: &BendingMode, b: &BendingMode, f: impl Fn(&BendingMode, f64) -> f64) -> f64 {
        integral(|s| f(a, s) * f(b, s))
    }

    #[test]
    fn roots_are_the_known_ones() {
        for (k, root) in [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613]
            .into_iter()
            .enumerate()
        {
            assert!((clamped_free_root(k + 1) - root).abs() < 1e-14 * root);
        }
        for (k, root) in [3.926_602_312_047_919, 7.068_582_745_628_732].into_iter().enumerate() {
            assert!((pinned_free_root(k + 1) - root).abs() < 1e-14 * root);
        }
    }

    #[test]
    fn modes_up_to_twenty_are_orthogonal_and_meet_their_ends() {
        let modes: Vec<_> = (1..=20).map(|k| BendingMode::clamped_free(k, LENGTH)).collect();
        for (i, a) in modes.iter().enumerate() {
            let [value, slope, _] = a.at(0.0);
            let [tip, _, curvature] = a.at(LENGTH);
            // scaled by what the terms are made of
            assert!(value.abs() < 1e-14 && slope.abs() < 1e-13 * a.beta, "clamp of {i}");
            assert!((tip.abs() - 2.0).abs() < 1e-12, "tip of {i}: {tip}");
            assert!(curvature.abs() < 1e-12 * a.beta * a.beta, "moment of {i}");
            for (j, b) in modes.iter().enumerate() {
                let sum = product(a, b, |mode, s| mode.at(s)[0]);
                let wanted = if i == j { LENGTH } else { 0.0 };
                assert!((sum - wanted).abs() < 1e-10, "{i} {j}: {sum}");
            }
        }
    }

    #[test]
    fn pinned_modes_are_orthogonal_with_their_tilt_and_hinge_at_the_root() {
        let modes: Vec<_> = (1..=12).map(|k| BendingMode::pinned_free(k, LENGTH)).collect();
        let upright = |mode: &BendingMode, s: f64| mode.at(s)[0] + mode.tilt * s;
        for (i, a) in modes.iter().enumerate() {
            let [value, slope, moment] = a.at(0.0);
            let bound = 1e-13 * a.beta;
            assert!(value.abs() < 1e-14 && slope.abs() < bound && moment.abs() < bound * a.beta);
            assert!(a.at(LENGTH)[2].abs() < 1e-12 * a.beta * a.beta, "moment at the tip of {i}");
            // the free rotation takes no part in them
            let turn = integral(|s| s * upright(a, s));
            assert!(turn.abs() < 1e-12, "{i}: {turn}");
            for (j, b) in modes.iter().enumerate() {
                let sum = product(a, b, upright);
                let wanted = if i == j { LENGTH } else { 0.0 };
                assert!((sum - wanted).abs() < 1e-10, "{i} {j}: {sum}");
            }
        }
    }

    #[test]
    fn loaded_modes_are_orthogonal_with_their_load() {
        let rho_a = 0.8;
        let load = TipLoad { mass: 0.7, offset: 0.0, inertia: [0.0, 0.02, 0.05] };
        for plane in 0..2 {
            let mode = |k| BendingMode::clamped_mass(k, LENGTH, rho_a, &load, plane);
            let modes: Vec<_> = (1..=12).map(mode).collect();
            for (i, a) in modes.iter().enumerate() {
                for (j, b) in modes.iter().enumerate().take(i) {
                    let ([va, sa, _], [vb, sb, _]) = (a.at(LENGTH), b.at(LENGTH));
                    let beam = rho_a * product(a, b, |mode, s| mode.at(s)[0]);
                    let sum = beam + load.mass * va * vb + load.inertia[2 - plane] * sa * sb;
                    // of the largest term: the slopes of high modes
                    let size = rho_a * LENGTH + (load.inertia[2 - plane] * sa * sb).abs();
                    assert!(sum.abs() < 1e-11 * size, "{i} {j}: {sum} of {size}");
                }
            }
        }
    }
}
