//! Matrices `C` with `C(q, u) u = coriolis`, column by column, O(nv · N).
//!
//! The forces of velocity are bilinear; a matrix `C` fixes one of the two factors to the actual
//! velocity `u` and takes unit velocities for the other. There are many such matrices. Two are
//! here:
//!
//! - [`coriolis_matrix_into`], for which `Ṁ − 2C` is skew-symmetric, as passivity arguments need
//!   (Echeandia, section IV): with twists in body frames,
//!   `A(w) = X A_p(w) − ad(S u) X W_p + Ṡ w`,
//!   `F(w) = I A(w) + ½ [V ×* I W + I (V × W) + W ×* I V]`
//! - [`akmehmet_matrix_into`], his C of (2.68) to (2.86), corrected: unit velocities in the first
//!   factor of each cross product, accelerations of mass centres. `Ṁ − 2C` is not skew.

use super::hop::combine;
use crate::arm::Arm;
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, Sym3, Vec3};

/// Buffers of both matrices, sized once from an arm. Index 0 of the frames is the ground.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Body frame in its parent's.
    poses: Vec<Pose<S>>,
    columns: Vec<Motion<S>>,
    /// `Ṡ` column by column.
    column_rates: Vec<Motion<S>>,
    /// `S u` of each joint.
    joint_twists: Vec<Motion<S>>,
    /// Actual twist of each body, own frame.
    twists: Vec<Motion<S>>,
    /// Twist for the unit velocity, own frame.
    unit_twists: Vec<Motion<S>>,
    /// Acceleration for the unit velocity, own frame.
    unit_rates: Vec<Motion<S>>,
    forces: Vec<Force<S>>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.body_count();
        Self {
            poses: vec![Pose::IDENTITY; n],
            columns: vec![Motion::ZERO; arm.nv()],
            column_rates: vec![Motion::ZERO; arm.nv()],
            joint_twists: vec![Motion::ZERO; n],
            twists: vec![Motion::ZERO; n + 1],
            unit_twists: vec![Motion::ZERO; n + 1],
            unit_rates: vec![Motion::ZERO; n + 1],
            forces: vec![Force::ZERO; n],
        }
    }

    /// Hops and actual twists.
    fn move_with(&mut self, arm: &Arm<S>, q: &[S], u: &[S]) {
        for (i, body) in arm.bodies.iter().enumerate() {
            let range = body.v_range();
            let (q, u) = (&q[body.q_range()], &u[range.clone()]);
            let columns = &mut self.columns[range.clone()];
            self.poses[i] = body.kind.cross(&body.placement, q, u, columns).pose;
            body.kind
                .column_rates(u, columns, &mut self.column_rates[range]);
            self.joint_twists[i] = combine(columns, u);
            self.twists[i + 1] =
                self.poses[i].motion_to_inner(&self.twists[body.parent]) + self.joint_twists[i];
        }
    }

    /// One column of `C` for the unit velocity of coordinate `v`: `bilinear` gives acceleration
    /// and force of a body, everything else is the same for all such matrices.
    fn column(
        &mut self,
        arm: &Arm<S>,
        v: usize,
        matrix: &mut [S],
        bilinear: impl Fn(&Self, usize, Unit<S>) -> (Motion<S>, Force<S>),
    ) {
        let n = arm.nv();
        for (i, body) in arm.bodies.iter().enumerate() {
            let mut unit = Unit {
                carried: self.poses[i].motion_to_inner(&self.unit_twists[body.parent]),
                own: Motion::ZERO,
                own_rate: Motion::ZERO,
            };
            if body.v_range().contains(&v) {
                unit.own = self.columns[v];
                unit.own_rate = self.column_rates[v];
            }
            self.unit_twists[i + 1] = unit.carried + unit.own;
            let (rate, force) = bilinear(self, i, unit);
            self.unit_rates[i + 1] = rate;
            self.forces[i] = force;
        }
        for (i, body) in arm.bodies.iter().enumerate().rev() {
            let force = self.forces[i];
            for row in body.v_range() {
                matrix[row * n + v] = self.columns[row].dot(&force);
            }
            if let Some(parent) = body.parent.checked_sub(1) {
                self.forces[parent] += self.poses[i].force_to_outer(&force);
            }
        }
    }
}

/// The unit velocity as it reaches one body.
struct Unit<S> {
    /// Twist of the parent, at the body's origin and in its axes.
    carried: Motion<S>,
    /// The joint's own column, or nothing.
    own: Motion<S>,
    /// Its rate.
    own_rate: Motion<S>,
}

/// `C(q, u)` with `Ṁ − 2C` skew-symmetric, into the row-major `matrix` of `nv × nv` entries.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn coriolis_matrix_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    matrix: &mut [S],
) {
    check(arm, q, u, matrix);
    work.move_with(arm, q, u);
    let half = S::from_f64(0.5);
    for v in 0..arm.nv() {
        work.column(arm, v, matrix, |work, i, unit| {
            let body = &arm.bodies[i];
            let pose = &work.poses[i];
            let w = unit.carried + unit.own;
            // A(w) = X A_p(w) − ad(S u) X W_p + Ṡ w
            let rate = pose.motion_to_inner(&work.unit_rates[body.parent])
                - ad(&work.joint_twists[i], &unit.carried)
                + unit.own_rate;
            let v = &work.twists[i + 1];
            let inertia = &body.inertia;
            let skew = ad_dual(v, &inertia.times(&w))
                + inertia.times(&ad(v, &w))
                + ad_dual(&w, &inertia.times(v));
            (rate, inertia.times(&rate) + skew * half)
        });
    }
}

/// Akmehmet's `C(q, u)` of (2.86), corrected, into the row-major `matrix` of `nv × nv` entries.
/// He defines it for revolute and prismatic joints; for the others it is one that fits.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn akmehmet_matrix_into(
    arm: &Arm<f64>,
    work: &mut Workspace<f64>,
    q: &[f64],
    u: &[f64],
    matrix: &mut [f64],
) {
    check(arm, q, u, matrix);
    work.move_with(arm, q, u);
    for v in 0..arm.nv() {
        work.column(arm, v, matrix, |work, i, unit| {
            let body = &arm.bodies[i];
            let pose = &work.poses[i];
            let parent = &work.unit_rates[body.parent];
            let unit_parent = work.unit_twists[body.parent].angular;
            let (omega_parent, p) = (work.twists[body.parent].angular, pose.position);
            let joint = &work.joint_twists[i];
            // (2.73): κ ; (2.75), (2.76): δ, with ξ the unit angular velocity
            let xi = unit.carried.angular;
            let alpha = pose.rotation.transpose_mul(parent.angular)
                + xi.cross(joint.angular)
                + unit.own_rate.angular;
            let swing =
                parent.linear + parent.angular.cross(p) + unit_parent.cross(omega_parent.cross(p));
            let accel = pose.rotation.transpose_mul(swing)
                + xi.cross(joint.linear) * 2.0
                + unit.own.angular.cross(joint.linear)
                + unit.own_rate.linear;
            // (2.78), (2.79): φ' ; (2.81): μ ; moment about the origin as in (2.85)
            let xi = xi + unit.own.angular;
            let omega = work.twists[i + 1].angular;
            let s = body.inertia.centre();
            let tensor: Sym3<f64> = body.inertia.tensor_about_centre();
            let at_centre: Vec3<f64> = accel + alpha.cross(s) + xi.cross(omega.cross(s));
            let force = at_centre * body.inertia.mass;
            let moment = tensor * alpha + xi.cross(tensor * omega) + s.cross(force);
            (Motion::new(accel, alpha), Force { force, moment })
        });
    }
}

fn check<S: Scalar>(arm: &Arm<S>, q: &[S], u: &[S], matrix: &[S]) {
    let n = arm.nv();
    arm.check_lengths(q, [u]);
    assert_eq!(
        matrix.len(),
        n * n,
        "the matrix has nv × nv = {n} × {n} entries"
    );
}

/// `V × W`: how a motion W fixed in a frame that moves with V changes.
fn ad<S: Scalar>(v: &Motion<S>, w: &Motion<S>) -> Motion<S> {
    Motion {
        linear: v.angular.cross(w.linear) + v.linear.cross(w.angular),
        angular: v.angular.cross(w.angular),
    }
}

/// `V ×* F`: how a force F fixed in a frame that moves with V changes.
fn ad_dual<S: Scalar>(v: &Motion<S>, f: &Force<S>) -> Force<S> {
    Force {
        force: v.angular.cross(f.force),
        moment: v.angular.cross(f.moment) + v.linear.cross(f.force),
    }
}
