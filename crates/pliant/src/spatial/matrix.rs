//! Matrices of three rows and columns, general and symmetric.

use super::Vec3;
use crate::linear::symmetric_eigen;
use crate::scalar::Scalar;
use nalgebra::dmatrix;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A general 3×3 matrix, by columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<S> {
    /// The three columns.
    pub columns: [Vec3<S>; 3],
}

impl<S: Scalar> Mat3<S> {
    /// All entries zero.
    pub const ZERO: Self = Self { columns: [Vec3::ZERO; 3] };
    /// The unit matrix.
    pub const IDENTITY: Self = Self { columns: Vec3::AXES };

    /// From three columns.
    #[inline]
    pub const fn from_columns(x: Vec3<S>, y: Vec3<S>, z: Vec3<S>) -> Self {
        Self { columns: [x, y, z] }
    }

    /// From three rows.
    #[inline]
    pub fn from_rows(rows: [[S; 3]; 3]) -> Self {
        let [a, b, c] = rows;
        Self::from_columns(
            Vec3::new(a[0], b[0], c[0]),
            Vec3::new(a[1], b[1], c[1]),
            Vec3::new(a[2], b[2], c[2]),
        )
    }

    /// The three rows.
    #[inline]
    pub fn to_rows(self) -> [[S; 3]; 3] {
        let t = self.transpose().columns;
        [t[0].to_array(), t[1].to_array(), t[2].to_array()]
    }

    /// `Mᵀ`.
    #[inline]
    #[must_use]
    pub fn transpose(self) -> Self {
        let [a, b, c] = self.columns;
        Self::from_columns(
            Vec3::new(a.x, b.x, c.x),
            Vec3::new(a.y, b.y, c.y),
            Vec3::new(a.z, b.z, c.z),
        )
    }

    /// `Mᵀ v`.
    #[inline]
    pub fn transpose_mul(&self, v: Vec3<S>) -> Vec3<S> {
        let [a, b, c] = self.columns;
        Vec3::new(a.dot(v), b.dot(v), c.dot(v))
    }

    /// `M Rz(θ)` from the sine and cosine of θ.
    #[inline]
    #[must_use]
    pub fn turned_about_z(&self, sin: S, cos: S) -> Self {
        let [x, y, z] = self.columns;
        Self::from_columns(y.mul_add(sin, x * cos), x.mul_add(-sin, y * cos), z)
    }

    /// `M N`.
    #[inline]
    #[must_use]
    pub fn matmul(&self, n: &Self) -> Self {
        let [x, y, z] = n.columns;
        Self::from_columns(*self * x, *self * y, *self * z)
    }

    /// `Mᵀ N`.
    #[inline]
    #[must_use]
    pub fn transpose_matmul(&self, n: &Self) -> Self {
        let [x, y, z] = n.columns;
        Self::from_columns(self.transpose_mul(x), self.transpose_mul(y), self.transpose_mul(z))
    }

    /// `a · 1`.
    #[inline]
    pub fn diagonal(a: S) -> Self {
        Sym3::scaled_identity(a).to_mat3()
    }

    /// `v̂ M`, column by column.
    #[inline]
    #[must_use]
    pub fn crossed_by(&self, v: Vec3<S>) -> Self {
        Self { columns: self.columns.map(|column| v.cross(column)) }
    }

    /// `M v̂`, row by row.
    #[inline]
    #[must_use]
    pub fn crossing(&self, v: Vec3<S>) -> Self {
        Self { columns: self.transpose().columns.map(|row| row.cross(v)) }.transpose()
    }

    /// `v̂`, with `v̂ w = v × w`.
    #[inline]
    pub fn cross(v: Vec3<S>) -> Self {
        Self::from_columns(
            Vec3::new(S::ZERO, v.z, -v.y),
            Vec3::new(-v.z, S::ZERO, v.x),
            Vec3::new(v.y, -v.x, S::ZERO),
        )
    }

    /// The same matrix in another arithmetic.
    pub fn cast<T: Scalar>(self, convert: impl Fn(S) -> T + Copy) -> Mat3<T> {
        Mat3 { columns: self.columns.map(|c| c.cast(convert)) }
    }
}

impl<S: Scalar> Mul<Vec3<S>> for Mat3<S> {
    type Output = Vec3<S>;
    #[inline]
    fn mul(self, v: Vec3<S>) -> Vec3<S> {
        let [a, b, c] = self.columns;
        c.mul_add(v.z, b.mul_add(v.y, a * v.x))
    }
}

impl<S: Scalar> Add for Mat3<S> {
    type Output = Self;
    #[inline]
    fn add(self, n: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns, n.columns);
        Self::from_columns(a + d, b + e, c + f)
    }
}

impl<S: Scalar> Sub for Mat3<S> {
    type Output = Self;
    #[inline]
    fn sub(self, n: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns, n.columns);
        Self::from_columns(a - d, b - e, c - f)
    }
}

/// A symmetric 3×3 matrix: six numbers, so that it cannot lose its symmetry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sym3<S> {
    /// On the diagonal: x.
    pub xx: S,
    /// On the diagonal: y.
    pub yy: S,
    /// On the diagonal: z.
    pub zz: S,
    /// Off the diagonal: x with y.
    pub xy: S,
    /// Off the diagonal: x with z.
    pub xz: S,
    /// Off the diagonal: y with z.
    pub yz: S,
}

impl<S: Scalar> Sym3<S> {
    /// All entries zero.
    pub const ZERO: Self =
        Self { xx: S::ZERO, yy: S::ZERO, zz: S::ZERO, xy: S::ZERO, xz: S::ZERO, yz: S::ZERO };

    /// `a · 1`.
    #[inline]
    pub fn scaled_identity(a: S) -> Self {
        Self { xx: a, yy: a, zz: a, ..Self::ZERO }
    }

    /// The symmetric matrix with the lower triangle of `m`.
    #[inline]
    pub fn from_lower(m: &Mat3<S>) -> Self {
        let [a, b, c] = m.columns;
        Self { xx: a.x, yy: b.y, zz: c.z, xy: a.y, xz: a.z, yz: b.z }
    }

    /// `v vᵀ`.
    #[inline]
    pub fn outer(v: Vec3<S>) -> Self {
        Self {
            xx: v.x * v.x,
            yy: v.y * v.y,
            zz: v.z * v.z,
            xy: v.x * v.y,
            xz: v.x * v.z,
            yz: v.y * v.z,
        }
    }

    /// All nine entries.
    #[inline]
    pub fn to_mat3(self) -> Mat3<S> {
        Mat3::from_columns(
            Vec3::new(self.xx, self.xy, self.xz),
            Vec3::new(self.xy, self.yy, self.yz),
            Vec3::new(self.xz, self.yz, self.zz),
        )
    }

    /// The sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> S {
        self.xx + self.yy + self.zz
    }

    /// `tr(W) 1 − W`: from the second moments `W = ∫ r rᵀ dm` to the inertia tensor, and, times
    /// one half, back.
    #[inline]
    #[must_use]
    pub fn trace_complement(&self) -> Self {
        Self {
            xx: self.yy + self.zz,
            yy: self.xx + self.zz,
            zz: self.xx + self.yy,
            xy: -self.xy,
            xz: -self.xz,
            yz: -self.yz,
        }
    }

    /// `R A Rᵀ` for a rotation `R`, whose trace is that of `A`.
    #[inline]
    #[must_use]
    pub fn rotated(&self, r: &Mat3<S>) -> Self {
        // B = R (A − a_zz 1), five of the entries of B Rᵀ, then a_zz 1 comes back
        let (dx, dy) = (self.xx - self.zz, self.yy - self.zz);
        let [x, y, z] = r.columns;
        let a = z.mul_add(self.xz, y.mul_add(self.xy, x * dx));
        let b = z.mul_add(self.yz, y.mul_add(dy, x * self.xy));
        let c = y.mul_add(self.yz, x * self.xz);
        let entry = |a: S, b: S, c: S, x: S, y: S, z: S| c.mul_add(z, b.mul_add(y, a * x));
        let xx = entry(a.x, b.x, c.x, x.x, y.x, z.x);
        let yy = entry(a.y, b.y, c.y, x.y, y.y, z.y);
        Self {
            xx: xx + self.zz,
            yy: yy + self.zz,
            zz: (dx - xx) + (dy - yy) + self.zz,
            xy: entry(a.y, b.y, c.y, x.x, y.x, z.x),
            xz: entry(a.z, b.z, c.z, x.x, y.x, z.x),
            yz: entry(a.z, b.z, c.z, x.y, y.y, z.y),
        }
    }

    /// Entry by entry.
    #[inline]
    #[must_use]
    pub fn scaled(&self, a: S) -> Self {
        Self {
            xx: self.xx * a,
            yy: self.yy * a,
            zz: self.zz * a,
            xy: self.xy * a,
            xz: self.xz * a,
            yz: self.yz * a,
        }
    }

    /// The same matrix in another arithmetic.
    pub fn cast<T: Scalar>(self, convert: impl Fn(S) -> T) -> Sym3<T> {
        Sym3 {
            xx: convert(self.xx),
            yy: convert(self.yy),
            zz: convert(self.zz),
            xy: convert(self.xy),
            xz: convert(self.xz),
            yz: convert(self.yz),
        }
    }
}

impl Sym3<f64> {
    /// The eigenvalues in ascending order, principal moments of an inertia; NaN where entries are not
    /// finite.
    pub fn eigenvalues(&self) -> [f64; 3] {
        let Self { xx, yy, zz, xy, xz, yz } = *self;
        let matrix = dmatrix![xx, xy, xz; xy, yy, yz; xz, yz, zz];
        let found = symmetric_eigen(&matrix).eigenvalues;
        let mut values = [found[0], found[1], found[2]];
        values.sort_by(f64::total_cmp);
        values
    }
}

impl<S: Scalar> Mul<Vec3<S>> for Sym3<S> {
    type Output = Vec3<S>;
    #[inline]
    fn mul(self, v: Vec3<S>) -> Vec3<S> {
        Vec3::new(
            Vec3::new(self.xx, self.xy, self.xz).dot(v),
            Vec3::new(self.xy, self.yy, self.yz).dot(v),
            Vec3::new(self.xz, self.yz, self.zz).dot(v),
        )
    }
}

impl<S: Scalar> Add for Sym3<S> {
    type Output = Self;
    #[inline]
    fn add(self, b: Self) -> Self {
        Self {
            xx: self.xx + b.xx,
            yy: self.yy + b.yy,
            zz: self.zz + b.zz,
            xy: self.xy + b.xy,
            xz: self.xz + b.xz,
            yz: self.yz + b.yz,
        }
    }
}

impl<S: Scalar> Sub for Sym3<S> {
    type Output = Self;
    #[inline]
    fn sub(self, b: Self) -> Self {
        Self {
            xx: self.xx - b.xx,
            yy: self.yy - b.yy,
            zz: self.zz - b.zz,
            xy: self.xy - b.xy,
            xz: self.xz - b.xz,
            yz: self.yz - b.yz,
        }
    }
}

impl<S: Scalar> AddAssign for Sym3<S> {
    #[inline]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotating_a_symmetric_matrix_is_a_congruence() {
        let a = Sym3 { xx: 1.0, yy: 2.0, zz: 3.5, xy: 0.4, xz: -0.7, yz: 0.9 };
        let m = crate::spatial::euler_xyz(0.3, -1.1, 2.0);
        let full = m.matmul(&a.to_mat3()).matmul(&m.transpose());
        let got = a.rotated(&m).to_mat3();
        for (g, f) in got.columns.iter().zip(full.columns) {
            assert!((*g - f).norm() < 2e-15);
        }
    }
}
