//! Rotations: quaternions, axes, angles.

use super::{Mat3, Vec3};
use crate::scalar::Scalar;
use std::f64::consts::FRAC_PI_2;

/// A quaternion `w + x i + y j + z k`. A rotation of a frame B against A is a unit quaternion; here
/// any length but zero is accepted where a rotation is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<S> {
    /// The scalar part.
    pub w: S,
    /// The vector part.
    pub v: Vec3<S>,
}

impl<S: Scalar> Quaternion<S> {
    /// No rotation.
    pub const IDENTITY: Self = Self { w: S::ONE, v: Vec3::ZERO };

    /// From `[w, x, y, z]`.
    #[inline]
    pub fn from_slice(q: &[S]) -> Self {
        Self { w: q[0], v: Vec3::new(q[1], q[2], q[3]) }
    }

    /// As `[w, x, y, z]`.
    #[inline]
    pub fn to_array(self) -> [S; 4] {
        [self.w, self.v.x, self.v.y, self.v.z]
    }

    /// `a ∘ b`: first b, then a, seen from the outer frame.
    #[inline]
    #[must_use]
    pub fn times(self, b: Self) -> Self {
        Self {
            w: self.w * b.w - self.v.dot(b.v),
            v: b.v * self.w + self.v * b.w + self.v.cross(b.v),
        }
    }

    /// The inverse rotation.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    /// The exponential of half a rotation vector (rad): the turn by `|φ|` about `φ`.
    pub fn from_rotation_vector(phi: Vec3<S>) -> Self {
        let half = S::from_f64(0.5);
        let mut c = [S::ZERO; 2];
        (phi.dot(phi) * half * half).stumpff(&mut c);
        Self { w: c[0], v: phi * (half * c[1]) }
    }

    /// The rotation matrix; the length of the quaternion divides out.
    #[inline]
    pub fn to_matrix(self) -> Mat3<S> {
        let Self { w, v: Vec3 { x, y, z } } = self;
        let two = S::from_f64(2.0);
        let s = two * (w * w + x * x + y * y + z * z).recip();
        let (sx, sy, sz) = (x * s, y * s, z * s);
        let (wx, wy, wz) = (w * sx, w * sy, w * sz);
        let (xx, xy, xz) = (x * sx, x * sy, x * sz);
        let (yy, yz, zz) = (y * sy, y * sz, z * sz);
        Mat3::from_columns(
            Vec3::new(S::ONE - (yy + zz), xy + wz, xz - wy),
            Vec3::new(xy - wz, S::ONE - (xx + zz), yz + wx),
            Vec3::new(xz + wy, yz - wx, S::ONE - (xx + yy)),
        )
    }

    /// The rate `½ q ∘ (0, ω)` for the angular velocity ω of B in A, in B axes (rad/s).
    #[inline]
    #[must_use]
    pub fn rate(self, omega: Vec3<S>) -> Self {
        self.times(Self { w: S::ZERO, v: omega * S::from_f64(0.5) })
    }
}

impl Quaternion<f64> {
    /// The quaternion with `w ≥ 0` of a rotation matrix, from its largest component.
    pub fn from_matrix(r: &Mat3<f64>) -> Self {
        let [[m00, m01, m02], [m10, m11, m12], [m20, m21, m22]] = r.to_rows();
        let four_squares = [
            1.0 + m00 + m11 + m22,
            1.0 + m00 - m11 - m22,
            1.0 - m00 + m11 - m22,
            1.0 - m00 - m11 + m22,
        ];
        // row k of the matrix 4 q qᵀ, whose k-th entry is the largest
        let rows = [
            [four_squares[0], m21 - m12, m02 - m20, m10 - m01],
            [m21 - m12, four_squares[1], m10 + m01, m02 + m20],
            [m02 - m20, m10 + m01, four_squares[2], m21 + m12],
            [m10 - m01, m02 + m20, m21 + m12, four_squares[3]],
        ];
        let k = (0..4).max_by(|&a, &b| four_squares[a].total_cmp(&four_squares[b])).unwrap_or(0);
        let sign = if rows[k][0] < 0.0 { -1.0 } else { 1.0 };
        let scale = sign * 0.5 / four_squares[k].sqrt();
        Self::from_slice(&rows[k].map(|c| c * scale))
    }
}

/// `exp(ê θ)` for a unit axis `e`, from the sine and cosine of θ (Rodrigues).
#[inline]
pub fn axis_rotation<S: Scalar>(e: Vec3<S>, sin: S, cos: S) -> Mat3<S> {
    let one = S::ONE - cos;
    let (ox, oy, oz) = (e.x * one, e.y * one, e.z * one);
    let (xy, xz, yz) = (e.x * oy, e.x * oz, e.y * oz);
    let (sx, sy, sz) = (e.x * sin, e.y * sin, e.z * sin);
    Mat3::from_columns(
        Vec3::new(e.x * ox + cos, xy + sz, xz - sy),
        Vec3::new(xy - sz, e.y * oy + cos, yz + sx),
        Vec3::new(xz + sy, yz - sx, e.z * oz + cos),
    )
}

/// How far from whole quarters a turn may be and still is one, in units of the last place: what
/// degrees, sums of angles and products of rotations lose.
const QUARTER_SLACK: f64 = 4.0 * f64::EPSILON;

/// Of more quarters nobody means whole ones: there the slack would be a part of a turn.
const MOST_QUARTERS: f64 = 64.0;

/// Sine and cosine of an angle that describes a rotation (rad): exactly 0 and ±1 at whole quarters
/// of a turn, of which the angle itself can only be the nearest number.
fn sin_cos_of_turn(angle: f64) -> (f64, f64) {
    let quarters = (angle / FRAC_PI_2).round();
    let is_whole = (angle - quarters * FRAC_PI_2).abs() <= QUARTER_SLACK * angle.abs();
    if !is_whole || quarters.abs() > MOST_QUARTERS {
        return Scalar::sin_cos(angle);
    }
    match quarters.rem_euclid(4.0) {
        0.0 => (0.0, 1.0),
        1.0 => (1.0, 0.0),
        2.0 => (0.0, -1.0),
        _ => (-1.0, 0.0),
    }
}

/// The turn by an angle (rad) about a unit axis, for frames that are described once; quarters of a
/// turn about coordinate axes have entries of exactly 0 and ±1.
pub fn turn_about(axis: Vec3<f64>, angle: f64) -> Mat3<f64> {
    let (sin, cos) = sin_cos_of_turn(angle);
    let [x, y, z] = Vec3::AXES;
    let about = |rows: [[f64; 3]; 3]| Mat3::from_rows(rows);
    match axis {
        e if e == x => about([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]]),
        e if e == y => about([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]]),
        e if e == z => about([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]),
        e if e == -x || e == -y || e == -z => turn_about(-e, -angle),
        e => axis_rotation(e, sin, cos),
    }
}

/// `Rz(yaw) Ry(pitch) Rx(roll)`: fixed-axis roll, pitch, yaw (rad), as in URDF.
pub fn euler_xyz(roll: f64, pitch: f64, yaw: f64) -> Mat3<f64> {
    let [x, y, z] = Vec3::AXES;
    turn_about(z, yaw).matmul(&turn_about(y, pitch)).matmul(&turn_about(x, roll))
}

/// The angles of [`euler_xyz`] (rad); where the pitch is a right angle, so that roll and yaw turn
/// about the same axis, the roll is zero.
pub fn roll_pitch_yaw(rotation: &Mat3<f64>) -> [f64; 3] {
    let [[xx, xy, _], [yx, yy, _], [zx, zy, zz]] = rotation.to_rows();
    let pitch = (-zx).atan2(xx.hypot(yx));
    if xx.hypot(yx) > 1e-9 {
        [zy.atan2(zz), pitch, yx.atan2(xx)]
    } else {
        [0.0, pitch, (-xy).atan2(yy)]
    }
}

/// The axis of a rotation times its angle, from 0 to π (rad).
pub fn rotation_vector(rotation: &Mat3<f64>) -> Vec3<f64> {
    let Quaternion { w, v } = Quaternion::from_matrix(rotation);
    let sine = v.norm();
    if sine == 0.0 {
        return Vec3::ZERO;
    }
    // the shorter of the two ways round
    let (w, sign) = if w < 0.0 { (-w, -1.0) } else { (w, 1.0) };
    v * (sign * 2.0 * sine.atan2(w) / sine)
}

/// A rotation whose third column is the unit vector `e`; a permutation for coordinate axes.
pub fn turn_taking_z_to(e: Vec3<f64>) -> Mat3<f64> {
    // the frame axis nearest to the plane normal to e, in cyclic order so that z stays as it is
    let [ax, ay, az] = e.to_array().map(f64::abs);
    let start = if az >= ax && az >= ay {
        Vec3::AXES[0]
    } else if ax >= ay {
        Vec3::AXES[1]
    } else {
        Vec3::AXES[2]
    };
    let y = e.cross(start);
    let y = y * (1.0 / y.norm());
    Mat3::from_columns(y.cross(e), y, e)
}

/// The tolerance to which a rotation must be one; a matrix typed with six digits passes.
pub const ROTATION_TOLERANCE: f64 = 1e-5;

/// How far a matrix is from a rotation: the largest entry of `RᵀR − 1`, or 2 where it is left-handed.
pub fn rotation_error(r: &Mat3<f64>) -> f64 {
    let [x, y, z] = r.columns;
    if x.cross(y).dot(z) < 0.0 {
        return 2.0;
    }
    let unit = r.transpose_matmul(r) - Mat3::IDENTITY;
    unit.to_rows().as_flattened().iter().fold(0.0, |most, entry| f64::max(most, entry.abs()))
}

/// The rotation nearest to a matrix that is almost one; a rotation to the last bit stays as it is,
/// and one that takes axes to axes becomes exactly that.
pub fn nearest_rotation(r: &Mat3<f64>) -> Mat3<f64> {
    let whole = r.cast(f64::round);
    let off = (*r - whole).to_rows();
    if off.as_flattened().iter().all(|entry| entry.abs() <= QUARTER_SLACK) {
        return whole;
    }
    let unit = r.transpose_matmul(r) - Mat3::IDENTITY;
    let error = unit.columns.iter().map(|c| c.norm()).fold(0.0, f64::max);
    if error < 1e-15 {
        return *r;
    }
    // R (RᵀR)^(−½) by three steps of Newton's iteration, each squaring the error
    let mut nearest = *r;
    for _ in 0..3 {
        let square = nearest.transpose_matmul(&nearest);
        let [x, y, z] = square.columns;
        let [ex, ey, ez] = Vec3::AXES;
        let half = Mat3::from_columns(ex * 3.0 - x, ey * 3.0 - y, ez * 3.0 - z);
        nearest = nearest.matmul(&half);
        nearest.columns = nearest.columns.map(|c| c * 0.5);
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &Mat3<f64>, b: &Mat3<f64>) -> f64 {
        (*a - *b).columns.iter().map(|c| c.norm()).fold(0.0, f64::max)
    }

    #[test]
    fn quaternion_matrix_axis_and_exponential_agree() {
        for phi in [[0.3, -0.7, 0.5], [3.0, 0.4, -0.1], [0.0, 0.0, 3.1], [1e-9, 0.0, 2e-9]] {
            let phi = Vec3::from(phi);
            let q = Quaternion::from_rotation_vector(phi);
            let angle: f64 = phi.norm();
            let r = axis_rotation(phi * (1.0 / angle), angle.sin(), angle.cos());
            assert!(distance(&q.to_matrix(), &r) < 1e-15);
            let back = Quaternion::from_matrix(&r).to_matrix();
            assert!(distance(&back, &r) < 1e-15);
            let longer = Quaternion { w: q.w * 3.0, v: q.v * 3.0 };
            assert!(distance(&longer.to_matrix(), &r) < 1e-15);
            let unit = r.transpose_matmul(&r);
            assert!(distance(&unit, &Mat3::IDENTITY) < 1e-15);
        }
    }

    #[test]
    fn quarters_of_a_turn_are_exact() {
        let is_whole = |r: &Mat3<f64>| {
            r.to_rows().as_flattened().iter().all(|entry| [-1.0, 0.0, 1.0].contains(entry))
        };
        for quarters in -9..=9 {
            let degrees = 90.0 * f64::from(quarters);
            for angle in [degrees.to_radians(), FRAC_PI_2 * f64::from(quarters)] {
                for axis in Vec3::AXES {
                    let turn = turn_about(axis, angle);
                    assert!(is_whole(&turn), "{angle}: {turn:?}");
                    assert_eq!(turn, turn_about(-axis, -angle));
                    assert!(
                        distance(&turn, &axis_rotation(axis, angle.sin(), angle.cos())) < 1e-14
                    );
                }
                assert!(is_whole(&euler_xyz(angle, -angle, degrees.to_radians() + angle)));
            }
        }
        // about no coordinate axis, and as a quaternion: what the last place loses is mended
        let diagonal = Vec3::new(1.0, -1.0, 0.0) * 0.5_f64.sqrt();
        let half = nearest_rotation(&turn_about(diagonal, std::f64::consts::PI));
        assert_eq!(half.to_rows(), [[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
        let third = Quaternion::from_slice(&[0.5, 0.5, 0.5, 0.5 + f64::EPSILON]);
        assert!(is_whole(&nearest_rotation(&third.to_matrix())));
    }

    #[test]
    fn other_turns_keep_every_digit() {
        for angle in [1e-300, 1e-15, FRAC_PI_2 - 3e-8, FRAC_PI_2 + 4e-15, 0.3, -7.0] {
            for axis in Vec3::AXES {
                let (turn, plain) =
                    (turn_about(axis, angle), axis_rotation(axis, angle.sin(), angle.cos()));
                assert!(distance(&turn, &plain) < 3e-16);
                assert!(nearest_rotation(&turn) == turn || angle.abs() < 1e-12, "{angle}");
            }
            assert_eq!(turn_about(Vec3::AXES[0], angle).columns[1].z, Scalar::sin_cos(angle).0);
        }
        assert!(turn_about(Vec3::AXES[2], f64::NAN).columns[0].x.is_nan());
    }

    #[test]
    fn six_digits_become_a_rotation() {
        let exact = euler_xyz(0.3, -0.7, 1.9);
        let typed = exact.cast(|x: f64| (x * 1e6).round() / 1e6);
        let nearest = nearest_rotation(&typed);
        assert!(distance(&nearest.transpose_matmul(&nearest), &Mat3::IDENTITY) < 1e-15);
        assert!(distance(&nearest, &exact) < 1e-6);
        assert_eq!(nearest_rotation(&Mat3::IDENTITY), Mat3::IDENTITY);
    }

    #[test]
    fn quaternion_rate_is_the_slope_of_the_product() {
        let q = Quaternion::from_rotation_vector(Vec3::new(0.4, 1.0, -0.3));
        let omega = Vec3::new(0.2, -0.5, 0.9);
        let h = 1e-6;
        let step = |h: f64| q.times(Quaternion::from_rotation_vector(omega * h)).to_array();
        let rate = q.rate(omega).to_array();
        for i in 0..4 {
            assert!((rate[i] - (step(h)[i] - step(-h)[i]) / (2.0 * h)).abs() < 1e-10);
        }
    }

    #[test]
    fn z_is_taken_to_any_axis() {
        assert_eq!(turn_taking_z_to(Vec3::AXES[2]), Mat3::IDENTITY);
        for e in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, -0.8], [0.48, 0.6, 0.64]] {
            let e = Vec3::from(e);
            let r = turn_taking_z_to(e);
            assert_eq!(r.columns[2], e);
            assert!(distance(&r.transpose_matmul(&r), &Mat3::IDENTITY) < 1e-15);
            assert!(r.columns[0].cross(r.columns[1]).dot(e) > 0.999);
        }
    }
}
