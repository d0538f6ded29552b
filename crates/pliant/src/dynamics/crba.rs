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

use super::bending::{Bent, Deformation};
use super::hop::Turns;
use super::present::Present;
use crate::arm::{Arm, Bend, Body, JointKind, Run};
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, RigidInertia, Vec3};

/// Buffers of [`crba_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    turns: Turns<S>,
    /// Stations in world axes, from the root body's origin.
    poses: Vec<Pose<S>>,
    /// Inertia of each body, then of everything it or a section carries, common frame.
    composites: Vec<RigidInertia<S>>,
    /// Motion columns of joints and sections, common frame.
    columns: Vec<Motion<S>>,
    /// Force per bending acceleration, by velocity index, common frame.
    modal: Vec<Force<S>>,
    deformation: Deformation<S>,
    /// Beams that slide.
    present: Present<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let stations = arm.words.station_bodies.len();
        Self {
            turns: Turns::new(arm),
            poses: vec![Pose::IDENTITY; stations],
            composites: vec![RigidInertia::ZERO; stations],
            columns: vec![Motion::ZERO; arm.words.column_count],
            modal: vec![Force::ZERO; arm.nv()],
            deformation: Deformation::new(&arm.bends),
            present: Present::new(arm),
        }
    }

    /// (1): the pose and the inertia of one body in the common frame, from its hop.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time at six joints
    fn place(&mut self, i: usize, body: &Body<S>, hop: &Pose<S>) -> Pose<S> {
        let pose = if body.parent == 0 {
            Pose { position: Vec3::ZERO, ..*hop }
        } else {
            self.poses[body.parent].then(hop)
        };
        self.poses[i + 1] = pose;
        self.composites[i + 1] = body.inertia.seen_from(&pose);
        pose
    }

    /// (1) for a body that bends: inertia and modal forces as it is bent, its own block of `m`,
    /// and its sections.
    fn bend_outward(&mut self, arm: &Arm<S>, i: usize, bend: &Bend<S>, d: &[S], m: &mut [S]) {
        let body = &arm.bodies[i];
        let (n, nb, first) = (arm.nv(), body.nb, body.v + body.nv);
        let flexible = &bend.flexible;
        let nz = flexible.nz();
        let pose = self.poses[i + 1];
        let deformation = &mut self.deformation;
        self.composites[i + 1] = deformation.shape(bend, d).seen_from(&pose);
        let modal = &mut self.modal[first..first + nb];
        deformation.modal_forces(bend, d, modal);
        for force in modal {
            *force = pose.force_to_outer(force);
        }
        let Deformation { h, acceleration, .. } = deformation;
        for l in 0..nb {
            flexible.modal_mass_column(d, l, &mut h[..nz], &mut acceleration[..nb]);
            for k in l..nb {
                m[(first + k) * n + first + l] = acceleration[k];
            }
        }
        for section in &bend.sections {
            let bent = Bent::new(section, &self.deformation.z);
            let at = arm.words.section_columns[section.station - arm.body_count() - 1];
            let columns = &mut self.columns[at..at + nb];
            bent.columns(bend, section, d, &mut self.deformation.vectors[..nb], columns);
            let pose = pose.then(&bent.pose);
            for column in columns {
                *column = pose.motion_to_outer(column);
            }
            self.poses[section.station] = pose;
            self.composites[section.station] = RigidInertia::ZERO;
        }
    }

    /// (2) and (3) within a body that bends.
    fn bend_inward(&mut self, arm: &Arm<S>, i: usize, bend: &Bend<S>, m: &mut [S]) {
        let body = &arm.bodies[i];
        let (n, nb, first) = (arm.nv(), body.nb, body.v + body.nv);
        for section in &bend.sections {
            let carried = self.composites[section.station];
            self.composites[i + 1] = self.composites[i + 1].plus(&carried);
            let at = arm.words.section_columns[section.station - arm.body_count() - 1];
            let columns = &self.columns[at..at + nb];
            for k in 0..nb {
                let force = carried.times(&columns[k]);
                self.modal[first + k] += force;
                for l in 0..=k {
                    m[(first + k) * n + first + l] += columns[l].dot(&force);
                }
            }
        }
        if bend.sliding.is_some() {
            m[first * n + first] += arm.armature[first];
        }
        for k in first..first + nb {
            let entries = &mut m[k * n..k * n + first];
            fill_row(&arm.words.supports[i], &self.columns, &self.modal[k], entries);
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
    work.turns.evaluate(arm, q);
    let mut present = std::mem::take(&mut work.present);
    present.set(arm, q);
    for (i, body) in arm.bodies.iter().enumerate() {
        match &body.kind {
            JointKind::Revolute => {
                let hop = work.turns.pose(body);
                let pose = work.place(i, body, &hop);
                let z = pose.rotation.columns[2];
                work.columns[body.v] = Motion::new(pose.position.cross(z), z);
            }
            JointKind::Prismatic => {
                let pose = work.place(i, body, &body.placement.slid(q[body.q]));
                work.columns[body.v] = Motion::new(pose.rotation.columns[2], Vec3::ZERO);
            }
            kind => {
                let mut columns = [Motion::ZERO; 6];
                let still = [S::ZERO; 6];
                let hop = kind.cross(&body.placement, &q[body.q_range()], &still, &mut columns);
                let pose = work.place(i, body, &hop.pose);
                for (v, column) in body.v_range().zip(&columns) {
                    work.columns[v] = pose.motion_to_outer(column);
                }
            }
        }
        if let Some(bend) = body.bend {
            work.bend_outward(arm, i, present.bend(arm, bend), &q[body.bend_q()], m);
        }
    }
    for (i, body) in arm.bodies.iter().enumerate().rev() {
        if let Some(bend) = body.bend {
            work.bend_inward(arm, i, present.bend(arm, bend), m);
        }
        let composite = work.composites[i + 1];
        if body.parent > 0 {
            work.composites[body.parent] = work.composites[body.parent].plus(&composite);
        }
        for row in body.v_range() {
            let force = composite.times(&work.columns[row]);
            let entries = &mut m[row * n..=row * n + row];
            fill_row(&arm.words.supports[i], &work.columns, &force, entries);
            entries[row] += arm.armature[row];
        }
    }
    work.present = present;
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
