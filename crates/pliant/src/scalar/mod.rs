//! The scalar types that the recursions are generic over.
//!
//! A recursion requires a [`Scalar`] and never compares two of them, so the same source runs on
//! `f64` and `f32`, on [`Lanes`] (many arms side by side), on [`Dual`] numbers (derivatives), on
//! the [`Counted`] operation counter, on [`Timed`] numbers (how long it takes in parallel), and on any `Copy` type that records its operations.
//! Code that must compare (step control, pivoting, limits) requires a [`Real`].

mod counted;
mod depth;
mod dual;
mod jet;
mod lanes;
mod program;
mod real;
pub(crate) mod stumpff;
pub(crate) mod trigonometry;

pub use counted::{Counted, Counts, count};
pub use depth::{Chains, Timed};
pub use dual::Dual;
pub use jet::{Jet, Number};
pub(crate) use jet::{cosine, sine};
pub use lanes::Lanes;
pub(crate) use program::Program;
pub use real::Real;

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A number in six significant digits, for messages.
pub fn short(number: f64) -> String {
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    let is_plain = rounded == 0.0 || (1e-5..1e16).contains(&rounded.abs());
    if is_plain || !rounded.is_finite() { rounded.to_string() } else { format!("{rounded:e}") }
}

/// What every kernel computes with: a commutative ring with a few functions, and no order.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Send
    + Sync
    + 'static
{
    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;

    /// How many angles [`Scalar::sin_cos_slice`] likes to take at a time.
    const SIDE_BY_SIDE: usize = 1;

    /// A constant.
    fn from_f64(constant: f64) -> Self;

    /// `self · factor + term`, rounded once where the build targets a processor that can
    /// (`-C target-cpu=native`), and twice, alike on every machine, in a portable build.
    #[inline]
    #[must_use]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);

    /// Sine and cosine of many angles, each equal to its own [`Scalar::sin_cos`], evaluated side
    /// by side where that is faster. The three slices have one length.
    fn sin_cos_slice(angles: &[Self], sines: &mut [Self], cosines: &mut [Self]) {
        for ((angle, sine), cosine) in angles.iter().zip(sines).zip(cosines) {
            (*sine, *cosine) = angle.sin_cos();
        }
    }

    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The reciprocal.
    #[must_use]
    fn recip(self) -> Self;

    /// The Stumpff functions `c_k(x) = Σ_j (−x)^j / (2j + k)!` of `x = θ²`, for `k = 0 .. out.len()`.
    ///
    /// They are the coefficients of every exponential map, without a singularity at rest:
    /// `c₀ = cos θ`, `c₁ = sin θ / θ`, `c₂ = (1 − cos θ)/θ²`, `c₃ = (θ − sin θ)/θ³`, and so on.
    /// At most [`STUMPFF_MAX`] of them can be asked for, two fewer for each level of [`Dual`].
    fn stumpff(self, out: &mut [Self]);
}

/// The largest number of functions [`Scalar::stumpff`] delivers in one call.
pub const STUMPFF_MAX: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use num_dual::DualNum;

    /// A formula with every operation of the trait, smooth around the test points.
    fn formula<S: Scalar>(x: S, y: S) -> S {
        let (s, c) = (x * y - y).sin_cos();
        let mut k = [S::ZERO; 6];
        (x * x + y * y).stumpff(&mut k);
        let mut sum = (s * k[1] + c * k[3]) * (x + S::ONE).recip() - (x * x + S::ONE).sqrt() * k[5];
        sum += -k[2] * S::from_f64(0.25);
        sum -= k[4] * k[0];
        sum
    }

    const POINTS: [(f64, f64); 6] =
        [(0.3, -0.7), (1.9, 0.2), (0.0, 0.0), (1e-9, 1e-4), (2.5, -3.1), (7.0, 4.0)];

    #[test]
    fn lanes_equal_the_scalar_bit_for_bit() {
        let x = POINTS.map(|p| p.0);
        let y = POINTS.map(|p| p.1);
        let lanes = formula(Lanes(x), Lanes(y));
        for ((x, y), lane) in POINTS.into_iter().zip(lanes.0) {
            assert_eq!(formula(x, y).to_bits(), lane.to_bits());
        }
    }

    #[test]
    fn single_precision_follows_double() {
        for (x, y) in POINTS {
            let single = formula(x as f32, y as f32);
            assert!((f64::from(single) - formula(x, y)).abs() < 2e-6);
        }
    }

    #[test]
    fn counting_does_not_change_the_value() {
        for (x, y) in POINTS {
            let (counted, counts) = count(|| formula(Counted(x), Counted(y)));
            assert_eq!(counted.0.to_bits(), formula(x, y).to_bits());
            assert_eq!(counts.multiplications, 10);
            assert_eq!(counts.additions, 8);
            assert_eq!(counts.negations, 1);
            assert_eq!((counts.sin_cos, counts.sqrt, counts.recip, counts.stumpff), (1, 1, 1, 1));
        }
    }

    #[test]
    fn dual_slopes_agree_with_central_differences_and_with_num_dual() {
        for (x, y) in POINTS {
            let d = formula(Dual { re: x, du: [1.0, 0.0] }, Dual { re: y, du: [0.0, 1.0] });
            assert_eq!(d.re.to_bits(), formula(x, y).to_bits());
            let h = 1e-5;
            let dx = (formula(x + h, y) - formula(x - h, y)) / (2.0 * h);
            let dy = (formula(x, y + h) - formula(x, y - h)) / (2.0 * h);
            // h²/6 times a third derivative of order ten
            assert!((d.du[0] - dx).abs() < 2e-9, "{x} {y}: {} {dx}", d.du[0]);
            assert!((d.du[1] - dy).abs() < 2e-9, "{x} {y}: {} {dy}", d.du[1]);
        }
        // an independent dual number, on the part of the formula it knows
        let oracle = num_dual::Dual64::from(0.3).derivative();
        let oracle = ((oracle * oracle - 0.7).sin() * oracle.recip()) - (oracle * 2.0).sqrt().cos();
        let own = Dual { re: 0.3, du: [1.0] };
        let own = (own * own - Dual::from_f64(0.7)).sin_cos().0 * own.recip()
            - (own * Dual::from_f64(2.0)).sqrt().sin_cos().1;
        assert!((own.re - oracle.re).abs() < 1e-15);
        assert!((own.du[0] - oracle.eps).abs() < 1e-14);
    }

    #[test]
    fn messages_show_six_digits() {
        assert_eq!(short(0.1 + 0.2), "0.3");
        assert_eq!(short(-1_234_567.0), "-1234570");
        assert_eq!(short(f64::INFINITY), "inf");
        assert_eq!(short(-1.5e-300), "-1.5e-300");
    }

    #[test]
    fn nested_duals_give_second_derivatives() {
        let x = 0.8;
        let inner = Dual { re: x, du: [1.0] };
        let outer = Dual { re: inner, du: [Dual { re: 1.0, du: [0.0] }] };
        let second = formula(outer, Dual::from_f64(0.4)).du[0].du[0];
        let h = 1e-4;
        let slope = |x: f64| formula(Dual { re: x, du: [1.0] }, Dual::from_f64(0.4)).du[0];
        assert!((second - (slope(x + h) - slope(x - h)) / (2.0 * h)).abs() < 1e-7);
    }
}
