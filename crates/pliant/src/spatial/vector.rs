//! Vectors of three components.

use crate::scalar::Scalar;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Three components in some frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3<S> {
    /// Along the first axis.
    pub x: S,
    /// Along the second axis.
    pub y: S,
    /// Along the third axis.
    pub z: S,
}

impl<S: Scalar> Vec3<S> {
    /// No length.
    pub const ZERO: Self = Self { x: S::ZERO, y: S::ZERO, z: S::ZERO };
    /// The unit vectors of the frame.
    pub const AXES: [Self; 3] = [
        Self { x: S::ONE, y: S::ZERO, z: S::ZERO },
        Self { x: S::ZERO, y: S::ONE, z: S::ZERO },
        Self { x: S::ZERO, y: S::ZERO, z: S::ONE },
    ];

    /// From components.
    #[inline]
    pub const fn new(x: S, y: S, z: S) -> Self {
        Self { x, y, z }
    }

    /// `a · b`.
    #[inline]
    pub fn dot(self, b: Self) -> S {
        self.z.mul_add(b.z, self.y.mul_add(b.y, self.x * b.x))
    }

    /// `a × b`.
    #[inline]
    #[must_use]
    pub fn cross(self, b: Self) -> Self {
        Self::new(
            self.y.mul_add(b.z, -(self.z * b.y)),
            self.z.mul_add(b.x, -(self.x * b.z)),
            self.x.mul_add(b.y, -(self.y * b.x)),
        )
    }

    /// `a × z b`, two products.
    #[inline]
    #[must_use]
    pub fn cross_z(self, b: S) -> Self {
        Self::new(self.y * b, -(self.x * b), S::ZERO)
    }

    /// `a s + b`.
    #[inline]
    #[must_use]
    pub fn mul_add(self, factor: S, b: Self) -> Self {
        Self::new(
            self.x.mul_add(factor, b.x),
            self.y.mul_add(factor, b.y),
            self.z.mul_add(factor, b.z),
        )
    }

    /// `|a|`.
    #[inline]
    pub fn norm(self) -> S {
        self.dot(self).sqrt()
    }

    /// The components in order.
    #[inline]
    pub fn to_array(self) -> [S; 3] {
        [self.x, self.y, self.z]
    }

    /// The same vector in another arithmetic.
    pub fn cast<T: Scalar>(self, convert: impl Fn(S) -> T) -> Vec3<T> {
        Vec3::new(convert(self.x), convert(self.y), convert(self.z))
    }
}

impl<S: Scalar> From<[S; 3]> for Vec3<S> {
    #[inline]
    fn from([x, y, z]: [S; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<S: Scalar> Add for Vec3<S> {
    type Output = Self;
    #[inline]
    fn add(self, b: Self) -> Self {
        Self::new(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}

impl<S: Scalar> Sub for Vec3<S> {
    type Output = Self;
    #[inline]
    fn sub(self, b: Self) -> Self {
        Self::new(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}

impl<S: Scalar> Neg for Vec3<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<S: Scalar> Mul<S> for Vec3<S> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: S) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl<S: Scalar> AddAssign for Vec3<S> {
    #[inline]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<S: Scalar> SubAssign for Vec3<S> {
    #[inline]
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}
