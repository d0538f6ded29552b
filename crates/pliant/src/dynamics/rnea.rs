//! Inverse dynamics by the recursive Newton-Euler algorithm, O(N).
//!
//! Outward, each body learns how it moves and what force its own motion needs; inward, each hands
//! the force it carries to its parent and leaves its share in `τ` at the joint:
//!
//! 1. `ω = Rᵀω_p + ω_J`, `ω̇ = Rᵀω̇_p + …`, `a = Rᵀ(a_p + Γ_p p) + …`
//! 2. `Γ = ω̇^ + ω̂ω̂`
//! 3. `f = m a + Γ S`, `n = S×a + ∫ r×Γr dm`
//! 4. `τ = Sᵀ F`, `F_p += Xᵀ F`
//!
//! Newton and Euler's equations as in Akmehmet (2.24) to (2.30) and Featherstone, table 5.1, with
//! the acceleration tensor Γ shared by the body and everything that hangs on it.

use super::hop::{self, Columns, Rates, Slide, Still, Subspace, Turn, Turns};
use crate::arm::{Arm, Body, JointKind};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Motion, Pose, RigidInertia, Vec3};

/// Buffers of [`rnea_into`], sized once from an arm. Index 0 of the frames is the ground.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    turns: Turns<S>,
    /// Body frame in its parent's.
    poses: Vec<Pose<S>>,
    /// Motion of each frame, own axes.
    rates: Vec<Rates<S>>,
    /// Γ of each frame, own axes.
    tensors: Vec<Mat3<S>>,
    /// Force on each body, then with everything it carries, own frame.
    forces: Vec<Force<S>>,
    /// Motion subspaces of the joints with several degrees of freedom, by velocity index.
    columns: Vec<Motion<S>>,
    /// Velocities or accelerations of zero.
    rest: Vec<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.body_count();
        Self {
            turns: Turns::new(arm),
            poses: vec![Pose::IDENTITY; n],
            rates: vec![Rates::ZERO; n + 1],
            tensors: vec![Mat3::ZERO; n + 1],
            forces: vec![Force::ZERO; n],
            columns: vec![Motion::ZERO; arm.nv()],
            rest: vec![S::ZERO; arm.nv()],
        }
    }

    /// Lends a vector of zeros to an evaluation that needs one.
    pub(super) fn at_rest(&mut self, evaluate: impl FnOnce(&mut Self, &[S])) {
        let rest = std::mem::take(&mut self.rest);
        evaluate(self, &rest);
        self.rest = rest;
    }
}

/// The generalised forces that a motion needs: `τ = M u̇ + coriolis + gravity + elastic + damping`
/// (N m, N), into `tau`. External loads are not part of it: subtract
/// [`loads`](super::loads)' generalised forces.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn rnea_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    ud: &[S],
    tau: &mut [S],
) {
    newton_euler(arm, work, q, u, ud, -arm.gravity, tau);
    arm.add_spring_forces(q, tau);
    for &(v, d) in &arm.dampers {
        tau[v] += d * u[v];
    }
    if arm.has_armature {
        for (tau, (&armature, &ud)) in tau.iter_mut().zip(arm.armature.iter().zip(ud)) {
            *tau += armature * ud;
        }
    }
}

/// The forces of inertia alone, the ground accelerating by `base` (m/s²); no springs, dampers or
/// armature.
pub(super) fn newton_euler<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    ud: &[S],
    base: Vec3<S>,
    tau: &mut [S],
) {
    arm.check_lengths(q, [u, ud, tau]);
    work.turns.evaluate(arm, q);
    work.rates[0] = Rates {
        accel: base,
        ..Rates::ZERO
    };
    for (i, body) in arm.bodies.iter().enumerate() {
        let (u, ud) = (&u[body.v_range()], &ud[body.v_range()]);
        let q = &q[body.q_range()];
        match &body.kind {
            JointKind::Revolute => work.outward(i, body, work.turns.pose(body), &Turn, u, ud),
            JointKind::Prismatic => work.outward(i, body, body.placement.slid(q[0]), &Slide, u, ud),
            JointKind::Fixed => work.outward(i, body, body.placement, &Still, u, ud),
            kind => {
                let mut columns = [Motion::ZERO; 6];
                let columns = &mut columns[..body.nv];
                let hop = kind.cross(&body.placement, q, u, columns);
                work.columns[body.v_range()].copy_from_slice(columns);
                let columns = Columns {
                    columns,
                    bias: hop.bias,
                };
                work.outward(i, body, hop.pose, &columns, u, ud);
            }
        }
    }
    for (i, body) in arm.bodies.iter().enumerate().rev() {
        let tau = &mut tau[body.v_range()];
        let force = &work.forces[i];
        match &body.kind {
            JointKind::Revolute => Turn.project(force, tau),
            JointKind::Prismatic => Slide.project(force, tau),
            JointKind::Fixed => {}
            _ => {
                let columns = &work.columns[body.v_range()];
                Columns {
                    columns,
                    bias: Motion::ZERO,
                }
                .project(force, tau);
            }
        }
        if let Some(parent) = body.parent.checked_sub(1) {
            let carried = work.poses[i].force_to_outer(force);
            work.forces[parent] += carried;
        }
    }
}

impl<S: Scalar> Workspace<S> {
    /// (1) to (3) for one body.
    #[inline]
    fn outward(
        &mut self,
        i: usize,
        body: &Body<S>,
        pose: Pose<S>,
        joint: &impl Subspace<S>,
        u: &[S],
        ud: &[S],
    ) {
        let inboard = hop::carry(&pose, &self.rates[body.parent], &self.tensors[body.parent]);
        let rates = joint.advance(&inboard, u, ud);
        let tensor = rates.tensor();
        self.forces[i] = force_of(&body.inertia, rates.accel, &tensor);
        self.poses[i] = pose;
        self.rates[i + 1] = rates;
        self.tensors[i + 1] = tensor;
    }
}

/// What a rigid body needs to accelerate by `a + Γ r` everywhere:
/// `f = m a + Γ S`, `n = S×a + ∫ r×Γr dm`, the integral being the axial part of `Γ W`.
#[inline]
fn force_of<S: Scalar>(body: &RigidInertia<S>, a: Vec3<S>, tensor: &Mat3<S>) -> Force<S> {
    let s = body.first;
    let w = &body.second;
    let [gx, gy, gz] = tensor.transpose().columns;
    let [wx, wy, wz] = w.to_mat3().columns;
    let axial = Vec3::new(
        gz.dot(wy) - gy.dot(wz),
        gx.dot(wz) - gz.dot(wx),
        gy.dot(wx) - gx.dot(wy),
    );
    Force {
        force: a.mul_add(body.mass, *tensor * s),
        moment: s.cross(a) + axial,
    }
}
