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

use crate::arm::{Arm, Body, JointKind};
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, RigidInertia, Vec3};

/// Buffers of [`crba_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Body frames in world axes, from the root body's origin.
    poses: Vec<Pose<S>>,
    /// Inertia of each body, then of everything it carries, common frame.
    composites: Vec<RigidInertia<S>>,
    /// Motion columns, one row per component, common frame.
    columns: [Vec<S>; 6],
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        Self {
            poses: vec![Pose::IDENTITY; arm.body_count()],
            composites: vec![RigidInertia::ZERO; arm.body_count()],
            columns: std::array::from_fn(|_| vec![S::ZERO; arm.nv()]),
        }
    }

    #[inline]
    fn set_column(&mut self, v: usize, motion: &Motion<S>) {
        for (row, value) in self.columns.iter_mut().zip(motion.to_array()) {
            row[v] = value;
        }
    }

    fn column(&self, v: usize) -> Motion<S> {
        let [x, y, z, rx, ry, rz] = &self.columns;
        Motion::new(Vec3::new(x[v], y[v], z[v]), Vec3::new(rx[v], ry[v], rz[v]))
    }

    /// (1) for one body.
    #[inline]
    fn outward(&mut self, i: usize, body: &Body<S>, q: &[S]) {
        let mut columns = [Motion::ZERO; 6];
        let hop = match &body.kind {
            JointKind::Revolute => body.placement.turned(q[0]),
            JointKind::Prismatic => body.placement.slid(q[0]),
            kind => kind.cross(&body.placement, q, &[S::ZERO; 6], &mut columns).pose,
        };
        let pose = match body.parent.checked_sub(1) {
            Some(parent) => self.poses[parent].then(&hop),
            None => Pose { position: Vec3::ZERO, ..hop },
        };
        self.poses[i] = pose;
        self.composites[i] = body.inertia.seen_from(&pose);
        let z = pose.rotation.columns[2];
        match &body.kind {
            JointKind::Revolute => {
                self.set_column(body.v, &Motion::new(pose.position.cross(z), z));
            }
            JointKind::Prismatic => self.set_column(body.v, &Motion::new(z, Vec3::ZERO)),
            _ => {
                for (k, column) in columns[..body.nv].iter().enumerate() {
                    self.set_column(body.v + k, &pose.motion_to_outer(column));
                }
            }
        }
    }
}

/// The mass matrix `M(q)`, armature included [kg m², kg m, kg], into the row-major `m` of
/// `nv × nv` entries, both triangles.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn crba_into<S: Scalar>(arm: &Arm<S>, work: &mut Workspace<S>, q: &[S], m: &mut [S]) {
    let n = arm.nv();
    arm.check_lengths(q, []);
    assert_eq!(m.len(), n * n, "the mass matrix has nv × nv = {n} × {n} entries");
    for (i, body) in arm.bodies.iter().enumerate() {
        work.outward(i, body, &q[body.q_range()]);
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
            for run in arm.words.supports[i].iter().chain([&(body.v..row + 1)]) {
                entries[end..run.start].fill(S::ZERO);
                end = run.end;
                project(&work.columns, run.clone(), &force, &mut entries[run.clone()]);
            }
            entries[row] += arm.armature[row];
        }
    }
    mirror(m, n);
}

/// `out = Sᵀ F` for a run of columns.
#[inline]
fn project<S: Scalar>(
    columns: &[Vec<S>; 6],
    run: std::ops::Range<usize>,
    force: &Force<S>,
    out: &mut [S],
) {
    let f = force.to_array();
    let [a, b, c, d, e, g] = columns;
    let (a, b, c) = (&a[run.clone()], &b[run.clone()], &c[run.clone()]);
    let (d, e, g) = (&d[run.clone()], &e[run.clone()], &g[run]);
    for k in 0..out.len() {
        out[k] = (a[k] * f[0] + b[k] * f[1] + c[k] * f[2])
            + (d[k] * f[3] + e[k] * f[4] + g[k] * f[5]);
    }
}

/// Copies the lower triangle to the upper.
fn mirror<S: Scalar>(m: &mut [S], n: usize) {
    for i in 0..n {
        for j in 0..i {
            m[j * n + i] = m[i * n + j];
        }
    }
}
