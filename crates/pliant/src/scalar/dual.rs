//! Numbers that carry their derivatives.

use super::{STUMPFF_MAX, Scalar};
use std::array::from_fn;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value and its slopes in `N` directions; `S` may itself be dual (second derivatives) or lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<S, const N: usize> {
    /// The value.
    pub re: S,
    /// The derivative in each direction.
    pub du: [S; N],
}

impl<S: Scalar, const N: usize> Dual<S, N> {
    /// A value that does not vary.
    #[inline]
    pub fn constant(re: S) -> Self {
        Self { re, du: [S::ZERO; N] }
    }

    /// `f(self)` from the value of `f` and of its derivative.
    #[inline]
    fn chain(self, value: S, slope: S) -> Self {
        Self { re: value, du: self.du.map(|d| d * slope) }
    }
}

impl<S: Scalar, const N: usize> Add for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, du: from_fn(|i| self.du[i] + other.du[i]) }
    }
}

impl<S: Scalar, const N: usize> Sub for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, du: from_fn(|i| self.du[i] - other.du[i]) }
    }
}

impl<S: Scalar, const N: usize> Mul for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re,
            du: from_fn(|i| self.re * other.du[i] + self.du[i] * other.re),
        }
    }
}

impl<S: Scalar, const N: usize> Neg for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { re: -self.re, du: self.du.map(|d| -d) }
    }
}

impl<S: Scalar, const N: usize> AddAssign for Dual<S, N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Scalar, const N: usize> SubAssign for Dual<S, N> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<S: Scalar, const N: usize> Scalar for Dual<S, N> {
    const ZERO: Self = Self { re: S::ZERO, du: [S::ZERO; N] };
    const ONE: Self = Self { re: S::ONE, du: [S::ZERO; N] };

    #[inline]
    fn from_f64(constant: f64) -> Self {
        Self::constant(S::from_f64(constant))
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.re.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, (root + root).recip())
    }
    #[inline]
    fn recip(self) -> Self {
        let r = self.re.recip();
        self.chain(r, -(r * r))
    }
    /// The derivative of a Stumpff function is a combination of the next two:
    /// `dc_k/dx = (k c_{k+2} − c_{k+1}) / 2`.
    fn stumpff(self, out: &mut [Self]) {
        let mut c = [S::ZERO; STUMPFF_MAX];
        let c = &mut c[..out.len() + 2];
        self.re.stumpff(c);
        let half = S::from_f64(0.5);
        for (k, out) in out.iter_mut().enumerate() {
            *out = self.chain(c[k], half * (S::from_f64(k as f64) * c[k + 2] - c[k + 1]));
        }
    }
}
