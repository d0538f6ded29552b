//! One sine and cosine for a single number and for a vector of them.
//!
//! The library functions of the platform cannot be vectorised and differ between machines. These
//! are straight-line arithmetic: reduce by a multiple of π/2 held in three parts, evaluate two
//! Taylor polynomials on `[−π/4, π/4]`, exchange and sign them by the quadrant. The error is below
//! 1.5 units in the last place; arguments beyond `RANGE` go to the standard library.

use super::Scalar;
use std::f64::consts::FRAC_2_PI;

/// Up to here the multiple of π/2 has at most 20 bits and its products with the parts are exact.
pub(crate) const RANGE: f64 = 1.6e6;

/// π/2 in three parts of 33, 33 and 53 bits.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];

/// Adding and subtracting this rounds to the nearest integer, whose low bits it leaves in the sum.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²

/// Taylor coefficients of `(sin r − r)/r³` in `r²`; the first term left out is 1e-19 of the sine.
const SIN: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];

/// Taylor coefficients of `(cos r − 1 + r²/2)/r⁴` in `r²`; the first term left out is 3e-18.
const COS: [f64; 7] = [
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// The last step of [`kernel`], for which a number needs its bits.
pub(crate) trait Quadrants: Scalar {
    /// The sum `quadrant` has the number of the quadrant in its last bits. `even` where that is
    /// even, `odd` where it is odd; minus that in the last two of four quadrants, one earlier if
    /// `ahead`.
    fn turn(quadrant: Self, even: Self, odd: Self, ahead: bool) -> Self;
}

impl Quadrants for f64 {
    #[inline]
    fn turn(quadrant: Self, even: Self, odd: Self, ahead: bool) -> Self {
        let quadrant = quadrant.to_bits();
        let is_odd = (quadrant & 1).wrapping_neg();
        let chosen = (even.to_bits() & !is_odd) | (odd.to_bits() & is_odd);
        let sign = (quadrant.wrapping_add(u64::from(ahead)) & 2) << 62;
        f64::from_bits(chosen ^ sign)
    }
}

/// Sine and cosine of `x`, for `|x| <= RANGE`, without a branch.
#[inline]
pub(crate) fn kernel<S: Quadrants>(x: S) -> (S, S) {
    let number = S::from_f64;
    let fma = S::mul_add;
    let shifted = fma(x, number(FRAC_2_PI), number(ROUND));
    let k = shifted - number(ROUND);
    let [first, second, third] = HALF_PI.map(number);
    let r = fma(-k, third, fma(-k, second, fma(-k, first, x)));

    let z = r * r;
    let z2 = z * z;
    let z4 = z2 * z2;
    // pairs first: shorter chains of dependent operations than Horner's rule
    let pair = |a: f64, b: f64| fma(number(b), z, number(a));
    let sin = fma(
        fma(pair(SIN[6], SIN[7]), z2, pair(SIN[4], SIN[5])),
        z4,
        fma(pair(SIN[2], SIN[3]), z2, pair(SIN[0], SIN[1])),
    );
    let sin = fma(r * z, sin, r);
    let cos = fma(
        fma(number(COS[6]), z2, pair(COS[4], COS[5])),
        z4,
        fma(pair(COS[2], COS[3]), z2, pair(COS[0], COS[1])),
    );
    let half = number(0.5) * z;
    let one = S::ONE - half;
    let cos = one + fma(z2, cos, (S::ONE - one) - half);

    (S::turn(shifted, sin, cos, false), S::turn(shifted, cos, sin, true))
}

/// Sine and cosine of one angle.
#[inline]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    if x.abs() <= RANGE { kernel(x) } else { x.sin_cos() }
}

/// Sine and cosine of several angles, each equal to [`sin_cos`] bit for bit.
#[inline]
pub(super) fn sin_cos_array<const N: usize>(x: [f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
    let mut beyond = false;
    for i in 0..N {
        (sin[i], cos[i]) = kernel(x[i]);
        beyond |= x[i].abs() > RANGE || x[i].is_nan();
    }
    if beyond {
        for i in 0..N {
            (sin[i], cos[i]) = sin_cos(x[i]);
        }
    }
    (sin, cos)
}

/// How many angles [`sin_cos_slice`] takes at a time.
pub(super) const CHUNK: usize = 8;

/// Sine and cosine of many angles, each equal to [`sin_cos`] bit for bit.
#[inline]
pub(super) fn sin_cos_slice(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    let (angles, last) = angles.as_chunks::<CHUNK>();
    let (sines, last_sines) = sines.as_chunks_mut::<CHUNK>();
    let (cosines, last_cosines) = cosines.as_chunks_mut::<CHUNK>();
    for ((angles, sines), cosines) in angles.iter().zip(sines).zip(cosines) {
        (*sines, *cosines) = sin_cos_array(*angles);
    }
    for ((angle, sine), cosine) in last.iter().zip(last_sines).zip(last_cosines) {
        (*sine, *cosine) = sin_cos(*angle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance in units of the last place of the larger magnitude, at least that of 2⁻⁶⁰.
    fn ulps(a: f64, b: f64) -> f64 {
        (a - b).abs() / (f64::EPSILON * a.abs().max(b.abs()).max(1e-18))
    }

    #[test]
    fn within_two_units_in_the_last_place() {
        let mut worst: f64 = 0.0;
        for i in -200_000..=200_000 {
            for x in [f64::from(i) * 7.3e-5, f64::from(i) * 1.571, f64::from(i) * 7.9] {
                let ((s, c), (sin, cos)) = (sin_cos(x), x.sin_cos());
                worst = worst.max(ulps(s, sin)).max(ulps(c, cos));
            }
        }
        assert!(worst < 1.5, "{worst}");
    }

    #[test]
    fn special_arguments() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f64::NAN).0.is_nan());
        assert!(sin_cos(f64::INFINITY).1.is_nan());
        for x in [1e7, -3e15, 1e300] {
            assert_eq!(sin_cos(x), x.sin_cos());
        }
        let x = [0.1, 1e9, -2.0, f64::NAN, 3.0, 4.0, 5.0, 6.0, 7.0, 1e7, 8.0];
        let (s, c) = sin_cos_array(x);
        let (mut sines, mut cosines) = ([0.0; 11], [0.0; 11]);
        sin_cos_slice(&x, &mut sines, &mut cosines);
        for i in 0..x.len() {
            assert_eq!(
                (sines[i].to_bits(), cosines[i].to_bits()),
                (s[i].to_bits(), c[i].to_bits())
            );
            let want = sin_cos(x[i]);
            assert_eq!((s[i].to_bits(), c[i].to_bits()), (want.0.to_bits(), want.1.to_bits()));
        }
    }
}
