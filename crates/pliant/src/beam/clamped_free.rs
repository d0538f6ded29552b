//! The modes of a uniform beam clamped at one end and free at the other.

/// One bending mode, `φ = cosh βs − cos βs − σ (sinh βs − sin βs)`, with `∫₀ᴸ φ² ds = L` and
/// `|φ(L)| = 2`.
///
/// The textbook form loses more than a digit per mode. Here
/// `cosh x − σ sinh x = ½ ε e^{x−βL} + ½ (1+σ) e^{−x}` with `ε = (1−σ) e^{βL}` of order one, so
/// that nothing large is subtracted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClampedFree {
    length: f64,
    beta: f64,
    sigma: f64,
    epsilon: f64,
}

impl ClampedFree {
    /// The mode with `k` zeros counting the clamp, `k = 1, 2, …`, of a beam of this length.
    pub(crate) fn new(k: usize, length: f64) -> Self {
        let root = frequency_root(k);
        let decay = (-root).exp();
        let (sin, cos) = root.sin_cos();
        let epsilon = (sin - cos - decay) / (0.5 * (1.0 - decay * decay) + decay * sin);
        Self { length, beta: root / length, sigma: 1.0 - epsilon * decay, epsilon }
    }

    /// `φ`, `φ'` and `φ''` at a place.
    pub(crate) fn at(&self, s: f64) -> [f64; 3] {
        let Self { length, beta, sigma, epsilon } = *self;
        let growing = 0.5 * epsilon * (beta * (s - length)).exp();
        let falling = 0.5 * (1.0 + sigma) * (-beta * s).exp();
        let (sin, cos) = (beta * s).sin_cos();
        [
            growing + falling - cos + sigma * sin,
            beta * (growing - falling + sin + sigma * cos),
            beta * beta * (growing + falling + cos - sigma * sin),
        ]
    }
}

/// The `k`-th root of `cos x cosh x = −1`.
pub(crate) fn frequency_root(k: usize) -> f64 {
    let mut x = (k as f64 - 0.5) * std::f64::consts::PI;
    for _ in 0..20 {
        // cos x + 1/cosh x = 0
        let inverse = 1.0 / x.cosh();
        x -= (x.cos() + inverse) / (-x.sin() - inverse * x.tanh());
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam::quadrature::Gauss;

    #[test]
    fn roots_are_the_known_ones() {
        for (k, root) in [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613]
            .into_iter()
            .enumerate()
        {
            assert!((frequency_root(k + 1) - root).abs() < 1e-14 * root);
        }
    }

    #[test]
    fn modes_up_to_twenty_are_orthogonal_and_meet_their_ends() {
        let length = 1.3;
        let rule = Gauss::new(12);
        let modes: Vec<_> = (1..=20).map(|k| ClampedFree::new(k, length)).collect();
        for (i, a) in modes.iter().enumerate() {
            let [value, slope, _] = a.at(0.0);
            let [tip, _, curvature] = a.at(length);
            // scaled by what the terms are made of
            assert!(value.abs() < 1e-14 && slope.abs() < 1e-13 * a.beta, "clamp of {i}");
            assert!((tip.abs() - 2.0).abs() < 1e-12, "tip of {i}: {tip}");
            assert!(curvature.abs() < 1e-12 * a.beta * a.beta, "moment of {i}");
            for (j, b) in modes.iter().enumerate() {
                let mut sum = 0.0;
                for panel in 0..40 {
                    let (from, to) = (f64::from(panel) / 40.0, f64::from(panel + 1) / 40.0);
                    for (s, w) in rule.on(from * length, to * length) {
                        sum += w * a.at(s)[0] * b.at(s)[0];
                    }
                }
                let wanted = if i == j { length } else { 0.0 };
                assert!((sum - wanted).abs() < 1e-10, "{i} {j}: {sum}");
            }
        }
    }
}
