//! The mass matrix by the composite-rigid-body algorithm.
//!
//! Everything is expressed in world axes about the origin of the tree's root body, so that inertias
//! only add on the way inward and an entry is one product of a motion and a force:
//!
//! 1. outward: pose, motion columns `S_i`, inertia `I_i` of each body in the common frame
//! 2. inward: `Iᶜ_i = I_i + Σ Iᶜ_child`
//! 3. `F = Iᶜ_i S_i`, `M_ji = S_jᵀ F` for every ancestor `j` and `i` itself
//!
//! Walker and Orin's algorithm, Featherstone, section 6.2; Flexible (3.127). The columns are stored component by
//! component, so that (3) runs along contiguous memory for all ancestors at once. The origin is
//! that of the root body, not of the world: a satellite keeps its digits far from the world's
//! origin.

use super::hop::Turns;
use crate::arm::{Arm, JointKind};
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, RigidInertia, Vec3};
use std::ops::Range;

/// Buffers of [`crba_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    turns: Turns<S>,
    /// Body frames in world axes, from the root body's origin.
    poses: Vec<Pose<S>>,
    /// Inertia of each body, then of everything it carries, common frame.
    composites: Vec<RigidInertia<S>>,
    /// Motion columns, one row per component, common frame.
    columns: Vec<Motion<S>>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        Self {
            turns: Turns::new(arm),
            poses: vec![Pose::IDENTITY; arm.body_count()],
            composites: vec![RigidInertia::ZERO; arm.body_count()],
            columns: vec![Motion::ZERO; arm.nv()],
        }
    }

    #[inline]
    fn set_column(&mut self, v: usize, motion: &Motion<S>) {
        self.columns[v] = *motion;
    }

    #[inline]
    fn column(&self, v: usize) -> Motion<S> {
        self.columns[v]
    }

    /// (1): the pose and the inertia of one body in the common frame, from its hop.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time at six joints
    fn place(
        &mut self,
        i: usize,
        parent: usize,
        inertia: &RigidInertia<S>,
        hop: &Pose<S>,
    ) -> Pose<S> {
        let pose = match parent.checked_sub(1) {
            Some(parent) => self.poses[parent].then(hop),
            None => Pose {
                position: Vec3::ZERO,
                ..*hop
            },
        };
        self.poses[i] = pose;
        self.composites[i] = inertia.seen_from(&pose);
        pose
    }
}

/// The mass matrix `M(q)`, armature included (kg m², kg m, kg), into the row-major `m` of
/// `nv × nv` entries: the lower triangle and the diagonal; [`mirror`] fills the rest.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn crba_into<S: Scalar>(arm: &Arm<S>, work: &mut Workspace<S>, q: &[S], m: &mut [S]) {
    let n = arm.nv();
    arm.check_lengths(q, []);
    assert_eq!(
        m.len(),
        n * n,
        "the mass matrix has nv × nv = {n} × {n} entries"
    );
    work.turns.evaluate(arm, q);
    for (i, body) in arm.bodies.iter().enumerate() {
        match &body.kind {
            JointKind::Revolute => {
                let hop = work.turns.pose(body);
                let pose = work.place(i, body.parent, &body.inertia, &hop);
                let z = pose.rotation.columns[2];
                work.set_column(body.v, &Motion::new(pose.position.cross(z), z));
            }
            JointKind::Prismatic => {
                let hop = body.placement.slid(q[body.q]);
                let pose = work.place(i, body.parent, &body.inertia, &hop);
                work.set_column(body.v, &Motion::new(pose.rotation.columns[2], Vec3::ZERO));
            }
            kind => {
                let mut columns = [Motion::ZERO; 6];
                let hop = kind.cross(
                    &body.placement,
                    &q[body.q_range()],
                    &[S::ZERO; 6],
                    &mut columns,
                );
                let pose = work.place(i, body.parent, &body.inertia, &hop.pose);
                for (v, column) in body.v_range().zip(&columns) {
                    work.set_column(v, &pose.motion_to_outer(column));
                }
            }
        }
    }
    for (i, body) in arm.bodies.iter().enumerate().rev() {
        let composite = work.composites[i];
        if let Some(parent) = body.parent.checked_sub(1) {
            work.composites[parent] = work.composites[parent].plus(&composite);
        }
        for row in body.v_range() {
            let force = composite.times(&work.column(row));
            let entries = &mut m[row * n..=row * n + row];
            // coordinates between the runs belong to other branches
            let mut end = 0;
            for run in &arm.words.supports[i] {
                entries[end..run.start].fill(S::ZERO);
                end = run.end.min(row + 1);
                project(&work.columns, run.start..end, &force, entries);
            }
            entries[row] += arm.armature[row];
        }
    }
}

/// `entries = Sᵀ F` for a run of columns.
#[inline]
fn project<S: Scalar>(
    columns: &[Motion<S>],
    run: Range<usize>,
    force: &Force<S>,
    entries: &mut [S],
) {
    for (entry, column) in entries[run.clone()].iter_mut().zip(&columns[run]) {
        *entry = column.dot(force);
    }
}
/// Copies the lower triangle of a row-major matrix of `n × n` entries to the upper.
pub fn mirror<S: Scalar>(m: &mut [S], n: usize) {
    for i in 0..n {
        for j in 0..i {
            m[j * n + i] = m[i * n + j];
        }
    }
}
