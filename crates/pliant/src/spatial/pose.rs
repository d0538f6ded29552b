//! Where a frame is.

use super::{Force, Mat3, Motion, Vec3};
use crate::scalar::Scalar;

/// The pose of a frame B in a frame A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// The axes of B, in A, as columns.
    pub rotation: Mat3<S>,
    /// The origin of B, in A (m).
    pub position: Vec3<S>,
}

impl<S: Scalar> Pose<S> {
    /// B is A.
    pub const IDENTITY: Self = Self { rotation: Mat3::IDENTITY, position: Vec3::ZERO };

    /// From its parts.
    #[inline]
    pub const fn new(rotation: Mat3<S>, position: Vec3<S>) -> Self {
        Self { rotation, position }
    }

    /// A shift without rotation.
    pub fn at(x: f64, y: f64, z: f64) -> Self {
        let position = Vec3::new(x, y, z).cast(S::from_f64);
        Self { position, ..Self::IDENTITY }
    }

    /// The pose of C in A, from this pose of B in A and the pose of C in B.
    #[inline]
    #[must_use]
    pub fn then(&self, c: &Self) -> Self {
        Self { rotation: self.rotation.matmul(&c.rotation), position: self.point(c.position) }
    }

    /// The pose of A in B.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, position: -(rotation * self.position) }
    }

    /// A point given in B, in A.
    #[inline]
    pub fn point(&self, in_b: Vec3<S>) -> Vec3<S> {
        self.rotation * in_b + self.position
    }

    /// `X(R, p) V`: the twist of a rigid body at A, as seen in B.
    #[inline]
    pub fn motion_to_inner(&self, v: &Motion<S>) -> Motion<S> {
        Motion {
            linear: self.rotation.transpose_mul(v.linear + v.angular.cross(self.position)),
            angular: self.rotation.transpose_mul(v.angular),
        }
    }

    /// `X⁻¹ V`: the twist of a rigid body at B, as seen in A.
    #[inline]
    pub fn motion_to_outer(&self, v: &Motion<S>) -> Motion<S> {
        let angular = self.rotation * v.angular;
        Motion { linear: self.rotation * v.linear - angular.cross(self.position), angular }
    }

    /// `Xᵀ F`: a wrench at B, as seen in A.
    #[inline]
    pub fn force_to_outer(&self, f: &Force<S>) -> Force<S> {
        let force = self.rotation * f.force;
        Force { force, moment: self.rotation * f.moment + self.position.cross(force) }
    }

    /// This pose turned about its own z axis, from the sine and cosine of the angle.
    #[inline]
    #[must_use]
    pub fn turned(&self, sin: S, cos: S) -> Self {
        Self { rotation: self.rotation.turned_about_z(sin, cos), position: self.position }
    }

    /// This pose moved along its own z axis by a distance (m).
    #[inline]
    #[must_use]
    pub fn slid(&self, distance: S) -> Self {
        let position = self.position + self.rotation.columns[2] * distance;
        Self { rotation: self.rotation, position }
    }

    /// The same pose in another arithmetic.
    pub fn cast<T: Scalar>(self, convert: impl Fn(S) -> T + Copy) -> Pose<T> {
        Pose { rotation: self.rotation.cast(convert), position: self.position.cast(convert) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::euler_xyz;

    #[test]
    fn motions_and_forces_are_dual() {
        let pose = Pose::new(euler_xyz(0.3, -0.9, 1.7), Vec3::new(0.4, -0.2, 0.7));
        let v = Motion::new(Vec3::new(1.0, 2.0, -0.5), Vec3::new(0.3, -0.8, 0.6));
        let f = Force::new(Vec3::new(-0.2, 0.9, 0.1), Vec3::new(0.5, 0.4, -1.1));
        let inside: f64 = pose.motion_to_inner(&v).dot(&f);
        let outside = v.dot(&pose.force_to_outer(&f));
        assert!((inside - outside).abs() < 1e-15);
        let back = pose.motion_to_outer(&pose.motion_to_inner(&v));
        assert!((back.linear - v.linear).norm() + (back.angular - v.angular).norm() < 2e-15);
        let there_and_back = pose.then(&pose.inverse());
        assert!(there_and_back.position.norm() < 1e-15);
    }
}
