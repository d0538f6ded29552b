//! The coordinates of a body, of joint and bending together: elimination and back substitution.

use super::{Station, Workspace};
use crate::arm::{Arm, Edge};
use crate::dynamics::hop::combine;
use crate::linear::ldl;
use crate::scalar::Scalar;
use crate::spatial::{ArticulatedInertia, Force, Motion};

/// What the coordinates keep between the sweeps, by velocity index or in a square per body; forces
/// in the frame of the body.
#[derive(Clone, Debug)]
pub(super) struct Blocks<S> {
    /// `U D⁻¹`; of several coordinates `V Δ⁻¹`.
    pub(super) gains: Vec<Force<S>>,
    /// `D⁻¹ r`; of several coordinates `Δ⁻¹ L⁻¹ r`.
    pub(super) rests: Vec<S>,
    /// `U` of bending: the force per acceleration.
    pub(super) modal: Vec<Force<S>>,
    /// `Sᵀ p` of bending: the modal forces at zero acceleration.
    pub(super) modal_bias: Vec<S>,
    /// `D` of bending, `modal_count × modal_count` in the lower triangle, and where each body's begins.
    pub(super) modal_mass: Vec<S>,
    pub(super) modal_mass_at: Vec<usize>,
    /// The factored `D` of the free coordinates, and where each body's begins.
    factors: Vec<S>,
    factor_at: Vec<usize>,
    /// The free coordinates, those that are not prescribed, and where each body's begin.
    free: Vec<usize>,
    free_at: Vec<usize>,
}

impl<S: Scalar> Blocks<S> {
    pub(super) fn new(arm: &Arm<S>) -> Self {
        let n = arm.nv();
        let free = arm.free_velocities();
        let (mut modal_mass_at, mut factor_at, mut free_at) = (vec![0], vec![0], vec![0]);
        for (i, body) in arm.bodies.iter().enumerate() {
            let end = free.partition_point(|&v| v < body.bend_v().end);
            factor_at.push(factor_at[i] + (end - free_at[i]) * (end - free_at[i]));
            free_at.push(end);
            modal_mass_at.push(modal_mass_at[i] + body.modal_count * body.modal_count);
        }
        Self {
            gains: vec![Force::ZERO; n],
            rests: vec![S::ZERO; n],
            modal: vec![Force::ZERO; n],
            modal_bias: vec![S::ZERO; n],
            modal_mass: vec![S::ZERO; modal_mass_at[arm.body_count()]],
            modal_mass_at,
            factors: vec![S::ZERO; factor_at[arm.body_count()]],
            factor_at,
            free,
            free_at,
        }
    }
}

impl<S: Scalar> Workspace<S> {
    /// (2) for one coordinate along or about z.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    pub(super) fn eliminate_one(
        &mut self,
        edge: &Edge,
        armature: S,
        column: impl Fn(&ArticulatedInertia<S>, &Force<S>) -> (Force<S>, S, S),
    ) -> (ArticulatedInertia<S>, Force<S>) {
        let state = &self.stations[edge.outer];
        let v = edge.velocities.start;
        let (u, d, p) = column(&state.inertia, &state.bias);
        let inverse = (d + armature).recip();
        let rest = (self.net[v] - p) * inverse;
        let inertia = state.inertia.minus_dyad(&u, inverse);
        let bias = state.bias + inertia.times(&state.zeta) + u * rest;
        self.blocks.gains[v] = u * inverse;
        self.blocks.rests[v] = rest;
        (inertia, bias)
    }

    /// (2) for a section: `Iᵃ` and `pᵃ` of a hop that eliminates nothing, and its share in `U`,
    /// `Sᵀ p` and `D` of bending.
    #[inline(never)]
    pub(super) fn gather(&mut self, edge: &Edge) -> (ArticulatedInertia<S>, Force<S>) {
        let Station { inertia, bias, zeta, .. } = &self.stations[edge.outer];
        let bias = *bias + inertia.times(zeta);
        let (first, modal_count) = (edge.velocities.start, edge.velocities.len());
        let columns = &self.hops.columns[edge.columns.clone()];
        let mass = &mut self.blocks.modal_mass[self.blocks.modal_mass_at[edge.body]..];
        for k in 0..modal_count {
            let force = inertia.times(&columns[k]);
            self.blocks.modal[first + k] += self.hops.pose(edge).force_to_outer(&force);
            self.blocks.modal_bias[first + k] += columns[k].dot(&bias);
            for l in 0..=k {
                mass[k * modal_count + l] += columns[l].dot(&force);
            }
        }
        (*inertia, bias)
    }

    /// (2) for the free coordinates of a body.
    #[inline(never)]
    pub(super) fn eliminate(
        &mut self,
        arm: &Arm<S>,
        edge: &Edge,
    ) -> (ArticulatedInertia<S>, Force<S>) {
        let (i, body) = (edge.body, &arm.bodies[edge.body]);
        let Station { mut inertia, bias, zeta, .. } = self.stations[edge.outer];
        let blocks = &mut self.blocks;
        let (gains, rests) = (&mut blocks.gains, &mut blocks.rests);
        let mass = &blocks.modal_mass[blocks.modal_mass_at[i]..];
        let factor = &mut blocks.factors[blocks.factor_at[i]..];
        let free = &blocks.free[blocks.free_at[i]..blocks.free_at[i + 1]];
        let n = free.len();
        let (columns, bending) = (&self.hops.columns, body.bend_v().start);
        // U, r and D
        for (k, &v) in free.iter().enumerate() {
            let (force, p) = if v < bending {
                (inertia.times(&columns[v]), columns[v].dot(&bias))
            } else {
                (blocks.modal[v], blocks.modal_bias[v])
            };
            for (j, &w) in free[..=k].iter().enumerate() {
                factor[k * n + j] = if w < bending {
                    columns[w].dot(&force)
                } else {
                    mass[(v - bending) * body.modal_count + w - bending]
                };
            }
            factor[k * n + k] += arm.armature[v];
            gains[v] = force;
            rests[v] = self.net[v] - p;
        }
        ldl::factor(factor, n);
        // V = U L⁻ᵀ, L⁻¹ r, then both times Δ⁻¹
        let mut push = Force::ZERO;
        for (k, &v) in free.iter().enumerate() {
            for (j, &w) in free[..k].iter().enumerate() {
                let l = factor[k * n + j];
                let (eliminated, before) = (gains[w] * l, rests[w]);
                gains[v] -= eliminated;
                rests[v] -= l * before;
            }
            let inverse = factor[k * n + k];
            inertia = inertia.minus_dyad(&gains[v], inverse);
            push += gains[v] * (rests[v] * inverse);
        }
        for (k, &v) in free.iter().enumerate() {
            let inverse = factor[k * n + k];
            (gains[v], rests[v]) = (gains[v] * inverse, rests[v] * inverse);
        }
        (inertia, bias + inertia.times(&zeta) + push)
    }

    /// (3) for the free coordinates of a body whose acceleration is `a` without them; returns what
    /// the joint adds.
    #[inline(never)]
    pub(super) fn solve(
        &self,
        arm: &Arm<S>,
        edge: &Edge,
        a: &Motion<S>,
        ud: &mut [S],
    ) -> Motion<S> {
        let (i, Blocks { gains, rests, factors, .. }) = (edge.body, &self.blocks);
        let free = &self.blocks.free[self.blocks.free_at[i]..self.blocks.free_at[i + 1]];
        let n = free.len();
        let factor = &factors[self.blocks.factor_at[i]..];
        for &v in free {
            ud[v] = rests[v] - a.dot(&gains[v]);
        }
        // L⁻ᵀ
        for (j, &v) in free.iter().enumerate().rev() {
            for (k, &w) in free[..j].iter().enumerate() {
                let known = factor[j * n + k] * ud[v];
                ud[w] -= known;
            }
        }
        let joint = if arm.bodies[i].prescribed { 0..0 } else { edge.velocities.clone() };
        combine(&self.hops.columns[joint.clone()], &ud[joint])
    }

    /// (3) for a section: what bending adds.
    #[inline(never)]
    pub(super) fn bend(&self, arm: &Arm<S>, edge: &Edge, ud: &[S]) -> Motion<S> {
        let known = usize::from(arm.bodies[edge.body].prescribed_length);
        let columns = &self.hops.columns[edge.columns.clone()];
        combine(&columns[known..], &ud[edge.velocities.clone()][known..])
    }

    /// The forces that keep the prescribed coordinates of a body on their motion, beside passive
    /// forces: `τ = Sᵀ (I A + p + Σ U u̇)`, the sum over the free coordinates of bending.
    pub(super) fn react(&self, arm: &Arm<S>, i: usize, ud: &[S], tau: &mut [S]) {
        let (body, Blocks { modal, modal_bias, .. }) = (&arm.bodies[i], &self.blocks);
        let Station { inertia, bias, acceleration: a, .. } = &self.stations[i + 1];
        let (length, end) = (body.bend_v().start, body.bend_v().end);
        let free = length + usize::from(body.prescribed_length)..end;
        if body.prescribed_length {
            let mass = &self.blocks.modal_mass[self.blocks.modal_mass_at[i]..];
            let own = modal_bias[length] + arm.armature[length] * ud[length];
            let mut needed = a.dot(&modal[length]) + own - self.net[length];
            for v in free.clone() {
                needed += mass[(v - length) * body.modal_count] * ud[v];
            }
            tau[length] = needed;
        }
        if body.prescribed {
            let mut force = inertia.times(a) + *bias;
            for v in free {
                force += modal[v] * ud[v];
            }
            for v in body.v_range() {
                let needed = self.hops.columns[v].dot(&force) + arm.armature[v] * ud[v];
                tau[v] = needed - self.net[v];
            }
        }
    }
}
