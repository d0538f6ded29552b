//! Numbers that can be compared.

use super::{Scalar, stumpff, trigonometry};

/// A [`Scalar`] with an order: what step control, pivoting and limits are written in.
pub trait Real: Scalar + PartialOrd {
    /// The value as `f64`.
    fn to_f64(self) -> f64;

    /// Sine and cosine of several angles, each bit-equal to its own [`Scalar::sin_cos`].
    fn sin_cos_array<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]);

    /// The magnitude.
    #[must_use]
    fn abs(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }

    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const SIDE_BY_SIDE: usize = trigonometry::CHUNK;

    #[inline]
    fn from_f64(constant: f64) -> Self {
        constant
    }
    #[inline]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if cfg!(target_feature = "fma") {
            f64::mul_add(self, factor, term)
        } else {
            self * factor + term
        }
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        trigonometry::sin_cos(self)
    }
    #[inline]
    fn sin_cos_slice(angles: &[Self], sines: &mut [Self], cosines: &mut [Self]) {
        trigonometry::sin_cos_slice(angles, sines, cosines);
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline]
    fn stumpff(self, out: &mut [Self]) {
        stumpff::stumpff(self, out);
    }
}

impl Real for f64 {
    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline]
    fn sin_cos_array<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
        trigonometry::sin_cos_array(angles)
    }
}

/// Special functions are evaluated in double precision and rounded once.
impl Scalar for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline]
    fn from_f64(constant: f64) -> Self {
        constant as f32
    }
    #[inline]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if cfg!(target_feature = "fma") {
            f32::mul_add(self, factor, term)
        } else {
            self * factor + term
        }
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = trigonometry::sin_cos(f64::from(self));
        (s as f32, c as f32)
    }
    #[inline]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
    #[inline]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline]
    fn stumpff(self, out: &mut [Self]) {
        let mut wide = [0.0; super::STUMPFF_MAX];
        let wide = &mut wide[..out.len()];
        stumpff::stumpff(f64::from(self), wide);
        for (narrow, wide) in out.iter_mut().zip(wide) {
            *narrow = *wide as f32;
        }
    }
}

impl Real for f32 {
    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn sin_cos_array<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
        let (s, c) = trigonometry::sin_cos_array(angles.map(f64::from));
        (s.map(|s| s as f32), c.map(|c| c as f32))
    }
}
