//! The Stumpff functions for plain numbers.

use super::{STUMPFF_MAX, Scalar};

/// Below this `x` the power series is used. Above it the recurrence upwards from sine and cosine
/// divides its rounding by at least 16 every second step.
pub(crate) const SERIES_BELOW: f64 = 16.0;

/// How many terms the first of the last two functions has, for each number of functions.
const POWERS: [usize; STUMPFF_MAX + 1] = {
    let mut powers = [0; STUMPFF_MAX + 1];
    let mut count = 0;
    while count <= STUMPFF_MAX {
        // the first term that is left out, in units of the first one
        let (mut k, mut term) = (count.saturating_sub(2), 1.0);
        while term > f64::EPSILON / 16.0 {
            term *= SERIES_BELOW / ((k + 1) * (k + 2)) as f64;
            powers[count] += 1;
            k += 2;
        }
        count += 1;
    }
    powers
};

/// More than the largest factorial that any of the series needs.
const FACTORIALS: usize = STUMPFF_MAX + 2 * POWERS[0];

/// `1 / k!`; the factorials are exact up to 22.
const INVERSE_FACTORIAL: [f64; FACTORIALS] = {
    let mut table = [1.0; FACTORIALS];
    let (mut k, mut factorial) = (1, 1.0);
    while k < FACTORIALS {
        factorial *= k as f64;
        table[k] = 1.0 / factorial;
        k += 1;
    }
    table
};

/// `1 / k!` from `k = 0` on, as the recurrence has them.
pub(crate) fn inverse_factorials() -> impl Iterator<Item = f64> {
    INVERSE_FACTORIAL.into_iter()
}

/// See [`super::Scalar::stumpff`]. The recurrence `c_k = 1/k! − x c_{k+2}` links them: downwards
/// where `x` is small (no cancellation), upwards from sine and cosine elsewhere.
pub(super) fn stumpff(x: f64, out: &mut [f64]) {
    let n = out.len();
    assert!(n <= STUMPFF_MAX, "at most {STUMPFF_MAX} Stumpff functions");
    if x < SERIES_BELOW {
        series(x, out);
    } else {
        let angle = x.sqrt();
        let (sin, cos) = super::trigonometry::sin_cos(angle);
        for k in 0..n {
            out[k] = match k {
                0 => cos,
                1 => sin / angle,
                _ => (INVERSE_FACTORIAL[k - 2] - out[k - 2]) / x,
            };
        }
    }
}

/// `c_k = 1/k! − x c_{k+2}` for `0 <= x < 16`, downwards from where the rest of the series is below
/// the last place. That is Horner's rule for `Σ_j (−x)^j / (2j + k)!`, for all `k` in one pass.
#[inline]
pub(crate) fn series<S: Scalar>(x: S, out: &mut [S]) {
    let first = out.len() + 2 * POWERS[out.len()] - 4;
    let inverse = |k| S::from_f64(INVERSE_FACTORIAL[k]);
    let (minus, mut next, mut after) = (-x, inverse(first), inverse(first + 1));
    for k in (out.len()..first).rev() {
        (next, after) = (minus.mul_add(after, inverse(k)), next);
    }
    for (k, c) in out.iter_mut().enumerate().rev() {
        *c = minus.mul_add(after, inverse(k));
        (next, after) = (*c, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x` and `c_0` to `c_5`, summed as fractions and rounded once.
    #[rustfmt::skip]
    const EXACT: [(f64, [f64; 6]); 7] = [
        (9.313_225_746_154_785e-10, [
            0.999_999_999_534_338_7,
            0.999_999_999_844_779_6,
            0.499_999_999_961_194_9,
            0.166_666_666_658_905_64,
            0.041_666_666_665_373_164,
            0.008_333_333_333_148_547,
        ]),
        (0.125, [
            0.938_148_335_039_728_7,
            0.979_296_488_147_220_6,
            0.494_813_319_682_170_3,
            0.165_628_094_822_235_12,
            0.041_493_442_542_637_586,
            0.008_308_574_755_452_318,
        ]),
        (1.0, [
            0.540_302_305_868_139_8,
            0.841_470_984_807_896_5,
            0.459_697_694_131_860_3,
            0.158_529_015_192_103_5,
            0.040_302_305_868_139_716,
            0.008_137_651_474_563_173,
        ]),
        (2.5, [
            -0.010_342_318_905_209_131,
            0.632_421_706_281_390_4,
            0.404_136_927_562_083_64,
            0.147_031_317_487_443_86,
            0.038_345_228_975_166_54,
            0.007_854_139_671_689_124,
        ]),
        (6.0, [
            -0.769_905_729_749_893,
            0.260_526_763_595_823_5,
            0.294_984_288_291_648_86,
            0.123_245_539_400_696_07,
            0.034_169_285_284_725_195,
            0.007_236_854_544_328_431,
        ]),
        (10.0, [
            -0.999_786_072_879_325_9,
            -0.006_540_706_968_938_640_6,
            0.199_978_607_287_932_6,
            0.100_654_070_696_893_86,
            0.030_002_139_271_206_74,
            0.006_601_259_596_977_28,
        ]),
        (15.75, [
            -0.677_061_262_467_192_8,
            -0.185_436_087_798_949_6,
            0.106_480_080_156_647_16,
            0.075_265_783_352_314_26,
            0.024_985_391_736_085_893,
            0.005_803_230_686_625_549,
        ]),
    ];

    #[test]
    fn the_series_is_sharp_for_any_number_of_functions() {
        for (x, exact) in EXACT {
            for count in 1..=STUMPFF_MAX {
                let mut c = [0.0; STUMPFF_MAX];
                series(x, &mut c[..count]);
                for (k, (got, want)) in c[..count].iter().zip(exact).enumerate() {
                    // x times the rounding of the function two after this one
                    let bar = (1.0 + 0.5 * x) * f64::EPSILON * INVERSE_FACTORIAL[k];
                    assert!((got - want).abs() <= bar, "c_{k}({x}) of {count}: {got} {want}");
                }
            }
        }
    }

    #[test]
    fn series_and_closed_forms_meet() {
        let [mut below, mut above] = [[0.0; 8]; 2];
        stumpff(SERIES_BELOW.next_down(), &mut below);
        stumpff(SERIES_BELOW, &mut above);
        for k in 0..8 {
            let bar = 1e-14 * INVERSE_FACTORIAL[k];
            assert!((below[k] - above[k]).abs() < bar, "c_{k}: {} {}", below[k], above[k]);
        }
    }

    #[test]
    fn closed_forms_where_they_are_sharp() {
        for x in [0.5_f64, 1.0, 3.0, 3.999, 4.001, 9.0, 40.0] {
            let mut c = [0.0; 6];
            stumpff(x, &mut c);
            let t = x.sqrt();
            let want = [t.cos(), t.sin() / t, (1.0 - t.cos()) / x, (t - t.sin()) / (t * x)];
            for (got, want) in c.iter().zip(want) {
                // both sides lose a few bits in 1 − cos at the small end
                assert!((got - want).abs() < 2e-15, "x = {x}: {got} {want}");
            }
            assert!((c[4] - (0.5 - c[2]) / x).abs() < 1e-15);
            assert!((c[5] - (1.0 / 6.0 - c[3]) / x).abs() < 1e-15);
        }
    }

    #[test]
    fn exact_limits_at_rest() {
        let mut c = [0.0; 6];
        stumpff(0.0, &mut c);
        assert_eq!(c, [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0]);
    }
}
