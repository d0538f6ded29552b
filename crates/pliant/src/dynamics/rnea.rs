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

use super::bending::{Bent, Deformation};
use super::hop::{self, Columns, Rates, Slide, Still, Subspace, Turn, Turns};
use super::present::Present;
use crate::arm::{Arm, Bend, Body, JointKind};
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
    /// Force at each station, then with everything it carries, own frame.
    forces: Vec<Force<S>>,
    /// The sections of beams, in the order of their stations.
    sections: Vec<Bent<S>>,
    deformation: Deformation<S>,
    /// Beams that slide.
    present: Present<S>,
    /// Motion subspaces of the joints with several degrees of freedom, by velocity index.
    columns: Vec<Motion<S>>,
    /// Velocities or accelerations of zero.
    rest: Vec<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.body_count();
        let stations = arm.words.station_bodies.len();
        Self {
            turns: Turns::new(arm),
            poses: vec![Pose::IDENTITY; n],
            rates: vec![Rates::ZERO; stations],
            tensors: vec![Mat3::ZERO; stations],
            forces: vec![Force::ZERO; stations],
            sections: vec![Bent::REST; stations - n - 1],
            deformation: Deformation::new(&arm.bends),
            present: Present::new(arm),
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
    add_joint_and_beam_forces(arm, q, u, ud, tau);
}

/// Adds what springs, dampers, friction and the armature of motors need.
pub(crate) fn add_joint_and_beam_forces<S: Scalar>(
    arm: &Arm<S>,
    q: &[S],
    u: &[S],
    ud: &[S],
    tau: &mut [S],
) {
    arm.add_spring_forces(q, tau);
    arm.add_damping_forces(q, u, tau);
    if arm.has_armature {
        for (tau, (&armature, &ud)) in tau.iter_mut().zip(arm.armature.iter().zip(ud)) {
            *tau += armature * ud;
        }
    }
}

/// The forces of inertia alone, the ground accelerating by `base` (m/s²); no springs, dampers or
/// armature.
pub(crate) fn newton_euler<S: Scalar>(
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
    let mut present = std::mem::take(&mut work.present);
    present.set(arm, q);
    work.rates[0] = Rates { accel: base, ..Rates::ZERO };
    for (i, body) in arm.bodies.iter().enumerate() {
        let (whole_q, whole_u, whole_ud) = (q, u, ud);
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
                let columns = Columns { columns, bias: hop.bias };
                work.outward(i, body, hop.pose, &columns, u, ud);
            }
        }
        if let Some(bend) = body.bend {
            let (d, rate) = (&whole_q[body.bend_q()], &whole_u[body.bend_v()]);
            let acceleration = &whole_ud[body.bend_v()];
            let modal = &mut tau[body.bend_v()];
            work.bend_outward(i, present.bend(arm, bend), [d, rate, acceleration], modal);
        }
    }
    for (i, body) in arm.bodies.iter().enumerate().rev() {
        if let Some(bend) = body.bend {
            work.bend_inward(
                i,
                present.bend(arm, bend),
                &q[body.bend_q()],
                &mut tau[body.bend_v()],
            );
        }
        let tau = &mut tau[body.v_range()];
        let force = &work.forces[i + 1];
        match &body.kind {
            JointKind::Revolute => Turn.project(force, tau),
            JointKind::Prismatic => Slide.project(force, tau),
            JointKind::Fixed => {}
            _ => {
                let columns = &work.columns[body.v_range()];
                Columns { columns, bias: Motion::ZERO }.project(force, tau);
            }
        }
        if body.parent > 0 {
            let carried = work.poses[i].force_to_outer(force);
            work.forces[body.parent] += carried;
        }
    }
    work.present = present;
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
        self.forces[i + 1] = force_of(&body.inertia, rates.accel, &tensor);
        self.poses[i] = pose;
        self.rates[i + 1] = rates;
        self.tensors[i + 1] = tensor;
    }

    /// (3) for a body that bends, modal forces into `modal`, and (1), (2) for its sections.
    fn bend_outward(
        &mut self,
        i: usize,
        bend: &Bend<S>,
        [d, rate, acceleration]: [&[S]; 3],
        modal: &mut [S],
    ) {
        let (rates, tensor) = (self.rates[i + 1], self.tensors[i + 1]);
        modal.fill(S::ZERO);
        self.forces[i + 1] =
            self.deformation.force_of_motion(bend, &rates, &tensor, [d, rate, acceleration], modal);
        let first_section = self.poses.len() + 1;
        for section in &bend.sections {
            let bent = Bent::new(section, &self.deformation.z);
            let station = section.station;
            let moved = self.deformation.section_rates(section, &bent, &rates, &tensor);
            self.rates[station] = moved;
            self.tensors[station] = moved.tensor();
            self.forces[station] = Force::ZERO;
            self.sections[station - first_section] = bent;
        }
    }

    /// (4) for the sections of a body.
    fn bend_inward(&mut self, i: usize, bend: &Bend<S>, d: &[S], modal: &mut [S]) {
        let first_section = self.poses.len() + 1;
        for section in &bend.sections {
            let bent = &self.sections[section.station - first_section];
            let force = self.forces[section.station];
            let nz = bend.flexible.nz();
            bent.project(bend, section, d, &force, &mut self.deformation.h[..nz], modal);
            self.forces[i + 1] += bent.pose.force_to_outer(&force);
        }
    }
}

/// What a rigid body needs to accelerate by `a + Γ r` everywhere:
/// `f = m a + Γ S`, `n = S×a + ∫ r×Γr dm`, the integral being the axial part of `Γ W`.
#[inline]
pub(crate) fn force_of<S: Scalar>(
    body: &RigidInertia<S>,
    a: Vec3<S>,
    tensor: &Mat3<S>,
) -> Force<S> {
    let s = body.first;
    let w = &body.second;
    let [gx, gy, gz] = tensor.transpose().columns;
    let [wx, wy, wz] = w.to_mat3().columns;
    let axial =
        Vec3::new(gz.dot(wy) - gy.dot(wz), gx.dot(wz) - gz.dot(wx), gy.dot(wx) - gx.dot(wy));
    Force { force: a.mul_add(body.mass, *tensor * s), moment: s.cross(a) + axial }
}
