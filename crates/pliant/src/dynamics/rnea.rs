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

use super::hop::{Hops, Matter, Rates};
use super::passive;
use crate::arm::Arm;
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, RigidInertia, Vec3};

/// Buffers of [`rnea_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    pub(super) hops: Hops<S>,
    /// The ground, the bodies, then the sections of beams.
    pub(super) stations: Vec<Station<S>>,
    /// One number per extended coordinate of a beam.
    scratch: Vec<S>,
    /// Velocities or accelerations of zero.
    rest: Vec<S>,
    passive: passive::Workspace<S>,
}

/// What a station keeps between the sweeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station<S> {
    /// Its motion, own axes.
    pub(super) rates: Rates<S>,
    /// Its Γ, own axes.
    pub(super) tensor: Mat3<S>,
    /// The force its motion needs, on the way inward with everything it carries, own frame.
    pub(super) force: Force<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let ground = Station { rates: Rates::ZERO, tensor: Mat3::ZERO, force: Force::ZERO };
        let extended = arm.flexible_bodies.iter().map(|bend| bend.flexible.nz()).max().unwrap_or(0);
        Self {
            hops: Hops::new(arm),
            stations: vec![ground; arm.topology.station_bodies.len()],
            scratch: vec![S::ZERO; extended],
            rest: vec![S::ZERO; arm.nv()],
            passive: passive::Workspace::new(arm),
        }
    }

    /// The same with the sections of beams that carry nothing.
    #[must_use]
    pub(super) fn everywhere(self, arm: &Arm<S>) -> Self {
        Self { hops: self.hops.everywhere(arm), ..self }
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
    add_passive_forces(arm, &mut work.passive, q, u, ud, tau);
}

/// Adds what passive forces and the armature of motors need.
pub(crate) fn add_passive_forces<S: Scalar>(
    arm: &Arm<S>,
    work: &mut passive::Workspace<S>,
    q: &[S],
    u: &[S],
    ud: &[S],
    tau: &mut [S],
) {
    work.add(arm, q, u, tau);
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
    let Workspace { hops, stations, scratch, .. } = work;
    hops.set(arm, q, u, ud);
    stations[0].rates = Rates { accel: base, ..Rates::ZERO };
    for edge in hops.edges(arm) {
        let hop = hops.over(arm, edge, q);
        let Station { rates, tensor, .. } = &stations[edge.inner];
        let there = Rates { accel: rates.accel + *tensor * hop.pose.position, ..*rates };
        let rates = hop.advance(&there, u, ud); // (1)
        let tensor = rates.tensor(); // (2)
        let outer = &mut stations[edge.outer];
        (outer.rates, outer.tensor) = (rates, tensor);
        outer.force = match hops.matter(arm, edge, q) {
            Matter::Rigid(inertia) => force_of(inertia, rates.accel, &tensor), // (3)
            Matter::Bending { bend, d, v, deformation } => {
                deformation.force_of_motion(bend, d, &rates, &tensor, &mut tau[v])
            }
            Matter::Nothing => Force::ZERO,
        };
    }
    for edge in hops.edges(arm).iter().rev() {
        let hop = hops.over(arm, edge, q);
        let force = stations[edge.outer].force;
        hop.project(&force, scratch, tau); // (4)
        if edge.inner > 0 {
            stations[edge.inner].force += hop.pose.force_to_outer(&force);
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
