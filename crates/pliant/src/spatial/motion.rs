//! Spatial vectors: motions and forces.

use super::Vec3;
use crate::scalar::Scalar;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A twist, a column of a motion subspace, or an acceleration: `[linear; angular]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<S> {
    /// Of the frame's origin (m/s, m/s²).
    pub linear: Vec3<S>,
    /// Of the frame (rad/s, rad/s²).
    pub angular: Vec3<S>,
}

/// A wrench or a momentum: `[force; moment about the frame's origin]` (N, N m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force<S> {
    /// Force (N).
    pub force: Vec3<S>,
    /// Moment about the frame's origin (N m).
    pub moment: Vec3<S>,
}

impl<S: Scalar> Motion<S> {
    /// At rest.
    pub const ZERO: Self = Self { linear: Vec3::ZERO, angular: Vec3::ZERO };

    /// From its parts.
    #[inline]
    pub const fn new(linear: Vec3<S>, angular: Vec3<S>) -> Self {
        Self { linear, angular }
    }

    /// The power of a force along this motion (W).
    #[inline]
    pub fn dot(&self, f: &Force<S>) -> S {
        self.linear.dot(f.force) + self.angular.dot(f.moment)
    }

    /// The six components, linear first.
    #[inline]
    pub fn to_array(self) -> [S; 6] {
        let (v, w) = (self.linear, self.angular);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    }
}

impl<S: Scalar> Force<S> {
    /// Nothing.
    pub const ZERO: Self = Self { force: Vec3::ZERO, moment: Vec3::ZERO };

    /// From its parts.
    #[inline]
    pub const fn new(force: Vec3<S>, moment: Vec3<S>) -> Self {
        Self { force, moment }
    }

    /// The six components, force first.
    #[inline]
    pub fn to_array(self) -> [S; 6] {
        let (f, n) = (self.force, self.moment);
        [f.x, f.y, f.z, n.x, n.y, n.z]
    }
}

macro_rules! linear_space {
    ($type:ident, $first:ident, $second:ident) => {
        impl<S: Scalar> Add for $type<S> {
            type Output = Self;
            #[inline]
            fn add(self, b: Self) -> Self {
                Self { $first: self.$first + b.$first, $second: self.$second + b.$second }
            }
        }
        impl<S: Scalar> Sub for $type<S> {
            type Output = Self;
            #[inline]
            fn sub(self, b: Self) -> Self {
                Self { $first: self.$first - b.$first, $second: self.$second - b.$second }
            }
        }
        impl<S: Scalar> Neg for $type<S> {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }
        impl<S: Scalar> Mul<S> for $type<S> {
            type Output = Self;
            #[inline]
            fn mul(self, a: S) -> Self {
                Self { $first: self.$first * a, $second: self.$second * a }
            }
        }
        impl<S: Scalar> AddAssign for $type<S> {
            #[inline]
            fn add_assign(&mut self, b: Self) {
                *self = *self + b;
            }
        }
        impl<S: Scalar> SubAssign for $type<S> {
            #[inline]
            fn sub_assign(&mut self, b: Self) {
                *self = *self - b;
            }
        }
    };
}
linear_space!(Motion, linear, angular);
linear_space!(Force, force, moment);
