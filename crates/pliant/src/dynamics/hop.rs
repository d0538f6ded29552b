//! Crossing a joint: what every recursion shares.

use crate::arm::{Arm, Body};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Motion, Pose, Vec3};

/// Sines and cosines of all revolute joints, evaluated side by side (and a few of zero, to fill up).
#[derive(Clone, Debug)]
pub(super) struct Turns<S> {
    angles: Vec<S>,
    sines: Vec<S>,
    cosines: Vec<S>,
}

impl<S: Scalar> Turns<S> {
    pub(super) fn new(arm: &Arm<S>) -> Self {
        let zeros = vec![S::ZERO; arm.words.turns.len().next_multiple_of(S::SIDE_BY_SIDE)];
        Self { angles: zeros.clone(), sines: zeros.clone(), cosines: zeros }
    }

    /// Takes the angles of a configuration.
    #[inline]
    pub(super) fn evaluate(&mut self, arm: &Arm<S>, q: &[S]) {
        for (angle, &at) in self.angles.iter_mut().zip(&arm.words.turns) {
            *angle = q[at];
        }
        S::sin_cos_slice(&self.angles, &mut self.sines, &mut self.cosines);
    }

    /// The pose of a body on a revolute joint, in its parent's frame.
    #[inline]
    pub(super) fn pose(&self, body: &Body<S>) -> Pose<S> {
        body.placement.turned(self.sines[body.turn], self.cosines[body.turn])
    }
}

/// How a frame turns and accelerates, in its own axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates<S> {
    /// Angular velocity ω (rad/s).
    pub(crate) omega: Vec3<S>,
    /// Angular acceleration ω̇ (rad/s²).
    pub(crate) alpha: Vec3<S>,
    /// Acceleration of the origin, `v̇ + ω×v`, gravity included (m/s²).
    pub(crate) accel: Vec3<S>,
}

impl<S: Scalar> Rates<S> {
    pub(super) const ZERO: Self = Self { omega: Vec3::ZERO, alpha: Vec3::ZERO, accel: Vec3::ZERO };

    /// `Γ = ω̇^ + ω̂ω̂`: a point at `r` accelerates by `a + Γ r`.
    #[inline]
    pub(crate) fn tensor(&self) -> Mat3<S> {
        let (w, al) = (self.omega, self.alpha);
        let (xx, yy, zz) = (w.x * w.x, w.y * w.y, w.z * w.z);
        let (xy, xz, yz) = (w.x * w.y, w.x * w.z, w.y * w.z);
        Mat3::from_columns(
            Vec3::new(-(yy + zz), xy + al.z, xz - al.y),
            Vec3::new(xy - al.z, -(xx + zz), yz + al.x),
            Vec3::new(xz + al.y, yz - al.x, -(xx + yy)),
        )
    }
}

/// The motions a joint allows, in the body frame.
pub(super) trait Subspace<S: Scalar> {
    /// The rates outboard of the joint, from those inboard of it (already in body axes and at the
    /// body's origin):
    /// `ω = ω' + ω_J`, `ω̇ = ω̇' + ω'×ω_J + …`, `a = a' + 2ω'×v_J + …`.
    fn advance(&self, inboard: &Rates<S>, u: &[S], ud: &[S]) -> Rates<S>;

    /// `τ = Sᵀ F`.
    fn project(&self, f: &Force<S>, tau: &mut [S]);
}

/// About z.
pub(super) struct Turn;

/// Along z.
pub(super) struct Slide;

/// No motion at all.
pub(super) struct Still;

/// Any number of columns.
pub(super) struct Columns<'a, S> {
    pub(super) columns: &'a [Motion<S>],
    pub(super) bias: Motion<S>,
}

impl<S: Scalar> Subspace<S> for Turn {
    #[inline]
    fn advance(&self, inboard: &Rates<S>, u: &[S], ud: &[S]) -> Rates<S> {
        let Rates { omega: w, alpha: al, accel } = *inboard;
        let (u, ud) = (u[0], ud[0]);
        Rates {
            omega: Vec3::new(w.x, w.y, w.z + u),
            alpha: Vec3::new(al.x + w.y * u, al.y - w.x * u, al.z + ud),
            accel,
        }
    }
    #[inline]
    fn project(&self, f: &Force<S>, tau: &mut [S]) {
        tau[0] = f.moment.z;
    }
}

impl<S: Scalar> Subspace<S> for Slide {
    #[inline]
    fn advance(&self, inboard: &Rates<S>, u: &[S], ud: &[S]) -> Rates<S> {
        let Rates { omega: w, alpha, accel: a } = *inboard;
        let twice = u[0] + u[0];
        let accel = Vec3::new(a.x + w.y * twice, a.y - w.x * twice, a.z + ud[0]);
        Rates { omega: w, alpha, accel }
    }
    #[inline]
    fn project(&self, f: &Force<S>, tau: &mut [S]) {
        tau[0] = f.force.z;
    }
}

impl<S: Scalar> Subspace<S> for Still {
    #[inline]
    fn advance(&self, inboard: &Rates<S>, _: &[S], _: &[S]) -> Rates<S> {
        *inboard
    }
    #[inline]
    fn project(&self, _: &Force<S>, _: &mut [S]) {}
}

impl<S: Scalar> Subspace<S> for Columns<'_, S> {
    fn advance(&self, inboard: &Rates<S>, u: &[S], ud: &[S]) -> Rates<S> {
        let velocity = combine(self.columns, u);
        let acceleration = combine(self.columns, ud) + self.bias;
        let w = inboard.omega;
        let across = w.cross(velocity.linear);
        Rates {
            omega: w + velocity.angular,
            alpha: inboard.alpha + w.cross(velocity.angular) + acceleration.angular,
            accel: inboard.accel + across + across + acceleration.linear,
        }
    }
    fn project(&self, f: &Force<S>, tau: &mut [S]) {
        for (tau, column) in tau.iter_mut().zip(self.columns) {
            *tau = column.dot(f);
        }
    }
}

/// `S u`.
pub(super) fn combine<S: Scalar>(columns: &[Motion<S>], u: &[S]) -> Motion<S> {
    let mut sum = Motion::ZERO;
    for (column, &u) in columns.iter().zip(u) {
        sum += *column * u;
    }
    sum
}

/// Rates of the parent's frame at the origin and in the axes of the body's.
#[inline]
pub(super) fn carry<S: Scalar>(pose: &Pose<S>, parent: &Rates<S>, tensor: &Mat3<S>) -> Rates<S> {
    Rates {
        omega: pose.rotation.transpose_mul(parent.omega),
        alpha: pose.rotation.transpose_mul(parent.alpha),
        accel: pose.rotation.transpose_mul(parent.accel + *tensor * pose.position),
    }
}
