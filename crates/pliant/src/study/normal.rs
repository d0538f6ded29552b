//! The normal distribution and its inverse.

use libm::{erfc, log};
use std::f64::consts::FRAC_1_SQRT_2;

/// A normal distribution of which only a range is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct TruncatedNormal {
    mean: f64,
    deviation: f64,
    from: f64,
    to: f64,
    /// What is below the range and above it, as parts of the whole.
    below: f64,
    above: f64,
}

impl TruncatedNormal {
    pub(super) fn new(mean: f64, deviation: f64, from: f64, to: f64) -> Self {
        let below = tail((from - mean) / deviation);
        let above = tail((mean - to) / deviation);
        Self { mean, deviation, from, to, below, above }
    }

    /// The part of the whole distribution that is in the range.
    pub(super) fn mass(&self) -> f64 {
        // each difference of tails in the tail where it cancels least
        if self.to < self.mean {
            tail((self.to - self.mean) / self.deviation) - self.below
        } else if self.from > self.mean {
            tail((self.mean - self.from) / self.deviation) - self.above
        } else {
            1.0 - self.below - self.above
        }
    }

    pub(super) fn quantile(&self, u: f64) -> f64 {
        let mass = self.mass();
        let (lower, upper) = (self.below + u * mass, self.above + (1.0 - u) * mass);
        let z = if lower <= upper { inverse_tail(lower) } else { -inverse_tail(upper) };
        (self.mean + self.deviation * z).clamp(self.from, self.to)
    }
}

/// What is below `z` of the normal distribution of mean 0 and deviation 1: `Φ(z) = erfc(−z/√2) / 2`.
fn tail(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

/// `z` of `Φ(z) = p` for `0 < p ≤ 1/2`, by the rational functions of Wichura (1988), PPND16.
fn inverse_tail(p: f64) -> f64 {
    let q = p - 0.5;
    if q >= -0.425 {
        let r = 0.180_625 - q * q;
        return q * ratio(&CENTRE, r);
    }
    let r = (-log(p)).sqrt();
    if r <= 5.0 { -ratio(&MIDDLE, r - 1.6) } else { -ratio(&FAR, r - 5.0) }
}

/// Two polynomials, ascending, one over the other.
fn ratio([above, below]: &[[f64; 8]; 2], r: f64) -> f64 {
    let polynomial = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * r + c);
    polynomial(above) / polynomial(below)
}

/// For `|p − 1/2| ≤ 0.425`.
const CENTRE: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];

/// For smaller `p` down to `e⁻²⁵`.
const MIDDLE: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        0.000_774_545_014_278_341_4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        0.000_547_593_808_499_534_5,
        1.050_750_071_644_416_9e-9,
    ],
];

/// For all others.
const FAR: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        0.000_786_869_131_145_613_3,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_7e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::{TruncatedNormal, inverse_tail, tail};

    /// `Φ(z)` for `z < 0` without error functions: the series of Taylor about zero,
    /// `1/2 + φ(z) (z + z³/3 + z⁵/15 + …)`, and far out the continued fraction of Laplace,
    /// `φ(z) / (|z| + 1/(|z| + 2/(|z| + …)))`.
    fn below(z: f64) -> f64 {
        let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        if z > -2.0 {
            let terms = (1..200).scan(z, |term, k| {
                let this = *term;
                *term *= z * z / f64::from(2 * k + 1);
                Some(this)
            });
            return 0.5 + density * terms.sum::<f64>();
        }
        density / (1..500).rev().fold(-z, |sum, k| -z + f64::from(k) / sum)
    }

    #[test]
    fn tails_agree_with_series() {
        for k in 0..=370 {
            let z = -0.1 * f64::from(k);
            // the series cancels to a few units of 1/2, the exponential has z² as condition
            let tolerance = 2e-15 * (1.0 + z * z) + if z > -2.0 { 2e-15 } else { 0.0 };
            assert!((tail(z) / below(z) - 1.0).abs() < tolerance, "{z}");
        }
    }

    /// Bisection of the series, which knows nothing of rational functions.
    #[test]
    fn inverse_agrees_with_bisection() {
        let mut k = 0.5_f64;
        for _ in 0..300 {
            let (mut low, mut high) = (-40.0, 0.0);
            while high - low > 1e-15 * f64::max(1e-3, -low) {
                let middle = 0.5 * (low + high);
                if middle == low || middle == high {
                    break;
                }
                if below(middle) < k { low = middle } else { high = middle }
            }
            // at the centre the series ends with rounding errors of 1/2
            let error = (inverse_tail(k) - low).abs();
            assert!(error < 1e-13 * low.abs() + 1e-15, "{k}: {} and {low}", inverse_tail(k));
            k *= 0.1_f64.powf(1.02);
        }
    }

    #[test]
    fn ranges_far_out_keep_their_digits() {
        // above 30 deviations the distribution falls as exp(−30 x): its median is there at ln 2 / 30
        let far = TruncatedNormal::new(0.0, 1.0, 30.0, f64::INFINITY);
        let median = far.quantile(0.5);
        assert!((tail(-median) / tail(-30.0) - 0.5).abs() < 1e-11, "{median}");
        assert!((median - 30.0 - 2.0_f64.ln() / 30.0).abs() < 1e-4);
        let mirrored = TruncatedNormal::new(0.0, 1.0, f64::NEG_INFINITY, -30.0);
        assert_eq!(mirrored.quantile(0.5), -median);
        let both = TruncatedNormal::new(5.0, 2.0, 3.0, 7.0);
        assert_eq!(both.quantile(0.5), 5.0);
        assert!((both.mass() - (1.0 - 2.0 * tail(-1.0))).abs() < 1e-15);
        assert!(both.quantile(1e-15) >= 3.0 && both.quantile(1.0 - 1e-15) <= 7.0);
    }
}
