//! The mass matrix by the composite-rigid-body algorithm.
//!
//! Everything is expressed in world axes about the origin of the tree's root body, so that inertias
//! only add on the way inward and an entry is one product of a motion and a force:
//!
//! 1. outward: pose, motion columns `S_i`, inertia `I_i` of each body in the common frame
//! 2. inward: `Iᶜ_i = I_i + Σ Iᶜ_child`
//! 3. `F = Iᶜ_i S_i`, `M_ji = S_jᵀ F` for every ancestor `j` and `i` itself
//!
//! Walker and Orin's algorithm, Featherstone, section 6.2; Flexible (3.127). The origin is
//! that of the root body, not of the world: a satellite keeps its digits far from the world's
//! origin.

use super::hop::{Hops, Matter};
use crate::arm::{Arm, Over, Run};
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, RigidInertia, Vec3};

/// Buffers of [`crba_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    hops: Hops<S>,
    /// Stations in world axes, from the root body's origin.
    poses: Vec<Pose<S>>,
    /// Inertia of each body, then of everything it or a section carries, common frame.
    composites: Vec<RigidInertia<S>>,
    /// Motion columns of joints and sections, common frame.
    columns: Vec<Motion<S>>,
    /// Force per bending acceleration, by velocity index, common frame.
    modal: Vec<Force<S>>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let stations = arm.topology.station_bodies.len();
        Self {
            hops: Hops::with_columns(arm),
            poses: vec![Pose::IDENTITY; stations],
            composites: vec![RigidInertia::ZERO; stations],
            columns: vec![Motion::ZERO; arm.topology.column_count],
            modal: vec![Force::ZERO; arm.nv()],
        }
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
    assert_eq!(m.len(), n * n, "the mass matrix has nv × nv = {n} × {n} entries");
    let Workspace { hops, poses, composites, columns, modal } = work;
    hops.place(arm, q);
    for edge in hops.edges(arm) {
        // (1)
        let hop = hops.over(arm, edge, q);
        poses[edge.outer] = if edge.inner == 0 {
            Pose { position: Vec3::ZERO, ..*hop.pose }
        } else {
            poses[edge.inner].then(hop.pose)
        };
        let pose = &poses[edge.outer];
        hop.columns_seen_from(pose, columns);
        composites[edge.outer] = match hops.matter(arm, edge, q) {
            Matter::Rigid(inertia) => inertia.seen_from(pose),
            Matter::Bending { bend, d, v, deformation } => {
                let composite = deformation.shape(bend).seen_from(pose);
                deformation.modal_forces(bend, d, &mut modal[v.clone()]);
                for force in &mut modal[v.clone()] {
                    *force = pose.force_to_outer(force);
                }
                deformation.modal_mass(bend, d, n, &mut m[v.start * n + v.start..]);
                composite
            }
            Matter::Nothing => RigidInertia::ZERO,
        };
    }
    for edge in hops.edges(arm).iter().rev() {
        // (2)
        if edge.inner > 0 {
            composites[edge.inner] = composites[edge.inner].plus(&composites[edge.outer]);
        }
        // (3); bending moves what hangs on each section, and the body with its own modal forces
        let composite = &composites[edge.outer];
        if let Over::Bending { .. } = edge.over {
            let (first, own) = (edge.velocities.start, &columns[edge.columns.clone()]);
            for (k, column) in own.iter().enumerate() {
                let force = composite.times(column);
                modal[first + k] += force;
                for (l, column) in own[..=k].iter().enumerate() {
                    m[(first + k) * n + first + l] += column.dot(&force);
                }
            }
            continue;
        }
        let support = &arm.topology.supports[edge.body];
        for row in arm.bodies[edge.body].bend_v() {
            fill_row(support, columns, &modal[row], &mut m[row * n..row * n + edge.velocities.end]);
            m[row * n + row] += arm.armature[row];
        }
        for row in edge.velocities.clone() {
            let force = composite.times(&columns[row]);
            let entries = &mut m[row * n..=row * n + row];
            fill_row(support, columns, &force, entries);
            entries[row] += arm.armature[row];
        }
    }
}

/// `entries = Sᵀ F` for the velocities of the runs, as far as the row goes; those between the runs
/// belong to other branches.
#[inline]
fn fill_row<S: Scalar>(runs: &[Run], columns: &[Motion<S>], force: &Force<S>, entries: &mut [S]) {
    let mut end = 0;
    for run in runs {
        let start = run.velocities.start;
        entries[end..start].fill(S::ZERO);
        end = run.velocities.end.min(entries.len());
        for (entry, column) in entries[start..end].iter_mut().zip(&columns[run.at..]) {
            *entry = column.dot(force);
        }
    }
    entries[end..].fill(S::ZERO);
}

/// Copies the lower triangle of a row-major matrix of `n × n` entries to the upper.
pub fn mirror<S: Scalar>(m: &mut [S], n: usize) {
    for i in 0..n {
        for j in 0..i {
            m[j * n + i] = m[i * n + j];
        }
    }
}
