//! Inertias of rigid and of articulated bodies.

use super::{Force, Mat3, Motion, Pose, Sym3, Vec3};
use crate::scalar::Scalar;

/// A rigid mass distribution by its moments about the frame's origin. Moments add: a body of parts
/// is the sum of its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidInertia<S> {
    /// `m = ∫ dm` (kg).
    pub mass: S,
    /// `S = ∫ r dm` (kg m).
    pub first: Vec3<S>,
    /// `W = ∫ r rᵀ dm` (kg m²); the inertia tensor is `tr(W) 1 − W`.
    pub second: Sym3<S>,
}

impl<S: Scalar> RigidInertia<S> {
    /// Nothing.
    pub const ZERO: Self = Self { mass: S::ZERO, first: Vec3::ZERO, second: Sym3::ZERO };

    /// From mass (kg), centre of mass (m) and inertia tensor about it (kg m²).
    pub fn new(mass: S, centre: Vec3<S>, inertia_about_centre: Sym3<S>) -> Self {
        let half = S::from_f64(0.5);
        let trace = inertia_about_centre.trace();
        let second = Sym3::scaled_identity(half * trace) - inertia_about_centre
            + Sym3::outer(centre).scaled(mass);
        Self { mass, first: centre * mass, second }
    }

    /// A point mass (kg) at a place (m).
    pub fn point(mass: S, place: Vec3<S>) -> Self {
        Self::new(mass, place, Sym3::ZERO)
    }

    /// The inertia tensor about the frame's origin (kg m²).
    #[inline]
    pub fn tensor(&self) -> Sym3<S> {
        self.second.trace_complement()
    }

    /// The same matter, given in the frame B, described in the frame A where B has this pose.
    #[inline]
    #[must_use]
    pub fn seen_from(&self, pose: &Pose<S>) -> Self {
        let p = pose.position;
        let first = pose.rotation * self.first;
        // ∫ (R r + p)(R r + p)ᵀ = R W Rᵀ + h pᵀ + p hᵀ + m p pᵀ, with h = R S
        let shifted = p.mul_add(self.mass, first);
        let w = self.second.rotated(&pose.rotation);
        // h pᵀ + p hᵀ + m p pᵀ = h' pᵀ + p hᵀ with h' = h + m p
        let add = |w: S, a: S, b: S, c: S, d: S| a.mul_add(b, c.mul_add(d, w));
        Self {
            mass: self.mass,
            first: shifted,
            second: Sym3 {
                xx: add(w.xx, shifted.x, p.x, first.x, p.x),
                yy: add(w.yy, shifted.y, p.y, first.y, p.y),
                zz: add(w.zz, shifted.z, p.z, first.z, p.z),
                xy: add(w.xy, shifted.x, p.y, first.y, p.x),
                xz: add(w.xz, shifted.x, p.z, first.z, p.x),
                yz: add(w.yz, shifted.y, p.z, first.z, p.y),
            },
        }
    }

    /// Two bodies as one.
    #[inline]
    #[must_use]
    pub fn plus(&self, b: &Self) -> Self {
        Self {
            mass: self.mass + b.mass,
            first: self.first + b.first,
            second: self.second + b.second,
        }
    }

    /// The momentum of this body moving with the twist `v`, about the frame's origin; the force
    /// that an acceleration needs, without the terms of velocity.
    #[inline]
    pub fn times(&self, v: &Motion<S>) -> Force<S> {
        Force {
            force: v.linear * self.mass + v.angular.cross(self.first),
            moment: self.first.cross(v.linear) + self.tensor() * v.angular,
        }
    }

    /// The same inertia in another arithmetic.
    pub fn cast<T: Scalar>(self, convert: impl Fn(S) -> T + Copy) -> RigidInertia<T> {
        RigidInertia {
            mass: convert(self.mass),
            first: self.first.cast(convert),
            second: self.second.cast(convert),
        }
    }
}

impl RigidInertia<f64> {
    /// Bounds of the terms of each moment: `|∫ r dm|² ≤ m tr W`, `|W_ij| ≤ tr W`.
    pub(crate) fn magnitudes(&self) -> Self {
        let Sym3 { xx, yy, zz, .. } = self.second;
        let second = xx.abs() + yy.abs() + zz.abs();
        let first = (self.mass.abs() * second).sqrt();
        Self {
            mass: self.mass,
            first: Vec3::from([first; 3]),
            second: Sym3 { xx: second, yy: second, zz: second, xy: second, xz: second, yz: second },
        }
    }

    /// The centre of mass (m); the origin where there is no mass.
    pub fn centre(&self) -> Vec3<f64> {
        if self.mass == 0.0 { Vec3::ZERO } else { self.first * (1.0 / self.mass) }
    }

    /// The inertia tensor about the centre of mass (kg m²).
    pub fn tensor_about_centre(&self) -> Sym3<f64> {
        (self.second - Sym3::outer(self.centre()).scaled(self.mass)).trace_complement()
    }
}

/// A symmetric 6×6 inertia, as it arises when joints between bodies give way:
/// `f = A a + B α`, `n = Bᵀ a + C α`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia<S> {
    /// `A`: force per linear acceleration (kg).
    pub linear: Sym3<S>,
    /// `B`: force per angular acceleration (kg m).
    pub coupling: Mat3<S>,
    /// `C`: moment per angular acceleration (kg m²).
    pub angular: Sym3<S>,
}

impl<S: Scalar> ArticulatedInertia<S> {
    /// Nothing.
    pub const ZERO: Self = Self { linear: Sym3::ZERO, coupling: Mat3::ZERO, angular: Sym3::ZERO };

    /// A rigid body's.
    #[inline]
    pub fn rigid(body: &RigidInertia<S>) -> Self {
        Self {
            linear: Sym3::scaled_identity(body.mass),
            coupling: Mat3::cross(-body.first),
            angular: body.tensor(),
        }
    }

    /// The force that an acceleration needs.
    #[inline]
    pub fn times(&self, a: &Motion<S>) -> Force<S> {
        Force {
            force: self.linear * a.linear + self.coupling * a.angular,
            moment: self.coupling.transpose_mul(a.linear) + self.angular * a.angular,
        }
    }

    /// `Xᵀ I X`: this inertia, given in B, as felt in the frame A where B has this pose.
    #[inline(always)]
    #[allow(clippy::inline_always)] // the heart of the articulated-body recursion
    #[must_use]
    pub fn seen_from(&self, pose: &Pose<S>) -> Self {
        let r = &pose.rotation;
        let p = pose.position;
        let linear = self.linear.rotated(r);
        // B' = R B Rᵀ
        let half = r.matmul(&self.coupling);
        let [rx, ry, rz] = r.columns;
        let turned = Mat3::from_columns(
            half * Vec3::new(rx.x, ry.x, rz.x),
            half * Vec3::new(rx.y, ry.y, rz.y),
            half * Vec3::new(rx.z, ry.z, rz.z),
        );
        // B'' = B' − A' p̂ ,  C'' = C' + p̂ B'' + (p̂ B')ᵀ
        let [ax, ay, az] = linear.to_mat3().columns;
        let coupling = Mat3::from_columns(
            az.mul_add(p.y, ay.mul_add(-p.z, turned.columns[0])),
            ax.mul_add(p.z, az.mul_add(-p.x, turned.columns[1])),
            ay.mul_add(p.x, ax.mul_add(-p.y, turned.columns[2])),
        );
        let [sx, sy, sz] = coupling.columns;
        let [tx, ty, tz] = turned.columns;
        let angular = self.angular.rotated(r);
        let add = |base: S, a: S, b: S, c: S, d: S| c.mul_add(-d, a.mul_add(b, base));
        Self {
            linear,
            coupling,
            angular: Sym3 {
                xx: add(add(angular.xx, p.y, sx.z, p.z, sx.y), p.y, tx.z, p.z, tx.y),
                yy: add(add(angular.yy, p.z, sy.x, p.x, sy.z), p.z, ty.x, p.x, ty.z),
                zz: add(add(angular.zz, p.x, sz.y, p.y, sz.x), p.x, tz.y, p.y, tz.x),
                xy: add(add(angular.xy, p.y, sy.z, p.z, sy.y), p.z, tx.x, p.x, tx.z),
                xz: add(add(angular.xz, p.y, sz.z, p.z, sz.y), p.x, tx.y, p.y, tx.x),
                yz: add(add(angular.yz, p.z, sz.x, p.x, sz.z), p.x, ty.y, p.y, ty.x),
            },
        }
    }

    /// `I − U Uᵀ d`.
    #[inline]
    #[must_use]
    pub fn minus_dyad(&self, u: &Force<S>, d: S) -> Self {
        let (f, n) = (u.force, u.moment);
        let (fd, nd) = (-f * d, -n * d);
        let plus_dyad = |m: &Sym3<S>, a: Vec3<S>, b: Vec3<S>| Sym3 {
            xx: a.x.mul_add(b.x, m.xx),
            yy: a.y.mul_add(b.y, m.yy),
            zz: a.z.mul_add(b.z, m.zz),
            xy: a.x.mul_add(b.y, m.xy),
            xz: a.x.mul_add(b.z, m.xz),
            yz: a.y.mul_add(b.z, m.yz),
        };
        let [bx, by, bz] = self.coupling.columns;
        Self {
            linear: plus_dyad(&self.linear, f, fd),
            coupling: Mat3::from_columns(
                f.mul_add(nd.x, bx),
                f.mul_add(nd.y, by),
                f.mul_add(nd.z, bz),
            ),
            angular: plus_dyad(&self.angular, n, nd),
        }
    }

    /// Two inertias side by side.
    #[inline]
    #[must_use]
    pub fn plus(&self, b: &Self) -> Self {
        Self {
            linear: self.linear + b.linear,
            coupling: self.coupling + b.coupling,
            angular: self.angular + b.angular,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::euler_xyz;

    fn sample() -> (RigidInertia<f64>, Pose<f64>) {
        let tensor = Sym3 { xx: 0.3, yy: 0.4, zz: 0.5, xy: 0.02, xz: -0.03, yz: 0.01 };
        (
            RigidInertia::new(2.0, Vec3::new(0.1, -0.2, 0.3), tensor),
            Pose::new(euler_xyz(0.4, 1.1, -0.6), Vec3::new(0.5, 0.2, -0.7)),
        )
    }

    fn apart(a: &Force<f64>, b: &Force<f64>) -> f64 {
        (a.force - b.force).norm() + (a.moment - b.moment).norm()
    }

    #[test]
    fn rigid_and_articulated_agree_in_every_frame() {
        let (body, pose) = sample();
        let v = Motion::new(Vec3::new(0.3, -0.1, 0.8), Vec3::new(1.2, 0.5, -0.4));
        let full = ArticulatedInertia::rigid(&body);
        assert!(apart(&body.times(&v), &full.times(&v)) < 1e-15);
        // Xᵀ I X v by its definition
        let wanted = pose.force_to_outer(&body.times(&pose.motion_to_inner(&v)));
        assert!(apart(&body.seen_from(&pose).times(&v), &wanted) < 1e-14);
        assert!(apart(&full.seen_from(&pose).times(&v), &wanted) < 1e-14);
    }

    #[test]
    fn articulated_congruence_keeps_a_general_inertia() {
        let (body, pose) = sample();
        let u = Force::new(Vec3::new(0.3, 0.2, -0.5), Vec3::new(0.7, -0.1, 0.4));
        let inertia = ArticulatedInertia::rigid(&body).minus_dyad(&u, 0.3);
        let v = Motion::new(Vec3::new(0.3, -0.1, 0.8), Vec3::new(1.2, 0.5, -0.4));
        let wanted = body.times(&v) - u * (0.3 * v.dot(&u));
        assert!(apart(&inertia.times(&v), &wanted) < 1e-15);
        let wanted = pose.force_to_outer(&inertia.times(&pose.motion_to_inner(&v)));
        assert!(apart(&inertia.seen_from(&pose).times(&v), &wanted) < 1e-14);
    }

    #[test]
    fn centre_and_tensor_come_back() {
        let (body, _) = sample();
        assert!((body.centre() - Vec3::new(0.1, -0.2, 0.3)).norm() < 1e-15);
        assert!((body.tensor_about_centre().xy - 0.02).abs() < 1e-15);
        assert!((body.tensor_about_centre().zz - 0.5).abs() < 1e-15);
    }
}
