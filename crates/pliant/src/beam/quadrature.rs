//! Gauss-Legendre integration over pieces of a beam.

use std::f64::consts::PI;
use std::sync::OnceLock;

/// Points and weights on `[0, 1]`.
#[derive(Clone, Debug)]
pub(crate) struct Gauss {
    points: Vec<(f64, f64)>,
}

impl Gauss {
    /// The rule with 12 points, which beams are integrated with: made once.
    pub(crate) fn usual() -> &'static Self {
        static RULE: OnceLock<Gauss> = OnceLock::new();
        RULE.get_or_init(|| Self::new(12))
    }

    /// The rule with `n` points, exact for polynomials of degree `2n − 1`.
    pub(crate) fn new(n: usize) -> Self {
        let points = (0..n)
            .map(|i| {
                // Newton's method on the Legendre polynomial from Tricomi's estimate
                let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
                let mut slope = 1.0;
                for _ in 0..10 {
                    let (mut p, mut before) = (x, 1.0);
                    for k in 2..=n {
                        let k = k as f64;
                        (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
                    }
                    slope = n as f64 * (x * p - before) / (x * x - 1.0);
                    x -= p / slope;
                }
                (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
            })
            .collect();
        Self { points }
    }

    /// Positions and weights on `[from, to]`.
    pub(crate) fn on(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.points.iter().map(move |(x, w)| (from + (to - from) * x, (to - from) * w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_polynomials_and_exponentials() {
        for n in 2..=12 {
            let rule = Gauss::new(n);
            let degree = i32::try_from(2 * n - 1).expect("small");
            let sum: f64 = rule.on(0.5, 2.0).map(|(x, w)| w * x.powi(degree)).sum();
            let exact =
                (2.0_f64.powi(degree + 1) - 0.5_f64.powi(degree + 1)) / f64::from(degree + 1);
            assert!((sum / exact - 1.0).abs() < 1e-14, "{n}");
        }
        let sum: f64 = Gauss::new(12).on(0.0, 1.0).map(|(x, w)| w * x.exp()).sum();
        assert!((sum - (1.0_f64.exp() - 1.0)).abs() < 1e-15);
    }
}
