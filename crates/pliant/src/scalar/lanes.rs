//! Several numbers that take the same steps.

use super::{Real, Scalar};
use std::array::from_fn;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// `N` numbers side by side; every operation acts on each. The loops have a fixed length and no
/// branch, so the compiler turns them into vector instructions of whatever width it may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<T, const N: usize>(pub [T; N]);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident) => {
        impl<T: Real, const N: usize> $trait for Lanes<T, N> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }
        impl<T: Real, const N: usize> $assign_trait for Lanes<T, N> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}
lanewise!(Add, add, AddAssign, add_assign);
lanewise!(Sub, sub, SubAssign, sub_assign);

impl<T: Real, const N: usize> Mul for Lanes<T, N> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] * other.0[i]))
    }
}

impl<T: Real, const N: usize> Neg for Lanes<T, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(from_fn(|i| -self.0[i]))
    }
}

impl<T: Real, const N: usize> Scalar for Lanes<T, N> {
    const ZERO: Self = Self([T::ZERO; N]);
    const ONE: Self = Self([T::ONE; N]);

    #[inline]
    fn from_f64(constant: f64) -> Self {
        Self([T::from_f64(constant); N])
    }
    #[inline]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(from_fn(|i| self.0[i].mul_add(factor.0[i], term.0[i])))
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = T::sin_cos_array(self.0);
        (Self(s), Self(c))
    }
    #[inline]
    fn sqrt(self) -> Self {
        Self(self.0.map(Scalar::sqrt))
    }
    #[inline]
    fn recip(self) -> Self {
        Self(self.0.map(Scalar::recip))
    }
    fn stumpff(self, out: &mut [Self]) {
        for lane in 0..N {
            let mut one = [T::ZERO; super::STUMPFF_MAX];
            let one = &mut one[..out.len()];
            self.0[lane].stumpff(one);
            for (out, one) in out.iter_mut().zip(one) {
                out.0[lane] = *one;
            }
        }
    }
}
