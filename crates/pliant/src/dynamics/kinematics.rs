//! Poses, velocities, accelerations and Jacobians of any frame.
//!
//! `V_i = X V_p + S u` outward over the tree, from the ground to every body; a frame fixed to a
//! body is one constant hop more. Akmehmet (2.8), (2.27) to (2.30); Flexible (3.88), (3.91).

use super::bending::{Bent, Deformation, Whole};
use super::hop::{Rates, combine};
use super::present::Present;
use crate::arm::{Arm, Bend};
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, Vec3};

/// Buffers of the kinematics, sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Stations in the world; index 0 is the ground.
    poses: Vec<Pose<S>>,
    /// Motion columns of joints (body frame) and of sections (section frame).
    columns: Vec<Motion<S>>,
    /// Twist of each station, own frame.
    twists: Vec<Motion<S>>,
    /// `[v̇ + ω×v; ω̇]` of each station, own frame.
    accelerations: Vec<Motion<S>>,
    /// What bends, as a whole.
    wholes: Vec<Whole<S>>,
    deformation: Deformation<S>,
    /// Beams that slide.
    present: Present<S>,
    rest: Vec<S>,
}

/// In which axes a result is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Those of the frame itself.
    Own,
    /// Those of the world.
    World,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let stations = arm.words.station_bodies.len();
        Self {
            poses: vec![Pose::IDENTITY; stations],
            columns: vec![Motion::ZERO; arm.words.column_count],
            twists: vec![Motion::ZERO; stations],
            accelerations: vec![Motion::ZERO; stations],
            wholes: vec![Whole::NOTHING; arm.bends.len()],
            deformation: Deformation::new(&arm.bends),
            present: Present::new(arm),
            rest: vec![S::ZERO; arm.nv()],
        }
    }

    /// Places every body.
    ///
    /// # Panics
    /// When `q` does not have the length that `arm` asks for.
    pub fn place<'a>(&'a mut self, arm: &'a Arm<S>, q: &[S]) -> Placed<'a, S> {
        let rest = std::mem::take(&mut self.rest);
        self.sweep(arm, q, &rest, &rest);
        self.rest = rest;
        Placed { arm, work: self }
    }

    /// Places and moves every body.
    ///
    /// # Panics
    /// When a slice does not have the length that `arm` asks for.
    pub fn move_with<'a>(
        &'a mut self,
        arm: &'a Arm<S>,
        q: &[S],
        u: &[S],
        ud: &[S],
    ) -> Moving<'a, S> {
        self.sweep(arm, q, u, ud);
        Moving { placed: Placed { arm, work: self } }
    }

    fn sweep(&mut self, arm: &Arm<S>, q: &[S], u: &[S], ud: &[S]) {
        arm.check_lengths(q, [u, ud]);
        let mut present = std::mem::take(&mut self.present);
        present.set(arm, q);
        for (i, body) in arm.bodies.iter().enumerate() {
            let (whole_q, whole_u, whole_ud) = (q, u, ud);
            let range = body.v_range();
            let (u, ud) = (&u[range.clone()], &ud[range.clone()]);
            let columns = &mut self.columns[range];
            let hop = body.kind.cross(&body.placement, &q[body.q_range()], u, columns);
            self.poses[i + 1] = self.poses[body.parent].then(&hop.pose);
            let (twist, acceleration) = (self.twists[body.parent], self.accelerations[body.parent]);
            let carried = hop.pose.motion_to_inner(&twist);
            let joint = combine(columns, u);
            self.twists[i + 1] = carried + joint;
            let w = carried.angular;
            let across = w.cross(joint.linear);
            let bias = Motion::new(across + across, w.cross(joint.angular)) + hop.bias;
            self.accelerations[i + 1] =
                carry_acceleration(&hop.pose, &twist, &acceleration) + combine(columns, ud) + bias;
            if let Some(bend) = body.bend {
                let (d, range) = (&whole_q[body.bend_q()], body.bend_v());
                let state = [d, &whole_u[range.clone()], &whole_ud[range]];
                let own = present.bend(arm, bend);
                self.bend(arm, i, own, state);
                self.wholes[bend] = self.deformation.whole(own, d, &self.twists[i + 1]);
            }
        }
        self.present = present;
    }

    /// Places and moves the sections of a body.
    fn bend(&mut self, arm: &Arm<S>, i: usize, bend: &Bend<S>, [d, rate, acceleration]: [&[S]; 3]) {
        self.deformation.set(bend, [d, rate, acceleration]);
        let (twist, body) = (self.twists[i + 1], self.accelerations[i + 1]);
        let rates = Rates { omega: twist.angular, alpha: body.angular, accel: body.linear };
        let tensor = rates.tensor();
        for section in &bend.sections {
            let bent = Bent::new(section, &self.deformation.z);
            let station = section.station;
            let at = arm.words.section_columns[station - arm.body_count() - 1];
            let columns = &mut self.columns[at..at + d.len()];
            let mut scratch = std::mem::take(&mut self.deformation.vectors);
            bent.columns(bend, section, d, &mut scratch[..d.len()], columns);
            self.deformation.vectors = scratch;
            self.poses[station] = self.poses[i + 1].then(&bent.pose);
            self.twists[station] = bent.pose.motion_to_inner(&twist) + combine(columns, rate);
            let moved = self.deformation.section_rates(section, &bent, &rates, &tensor);
            self.accelerations[station] = Motion::new(moved.accel, moved.alpha);
        }
    }
}

/// The acceleration `[a; ω̇]` of a frame fixed at `pose` to a frame with these rates:
/// `a' = Rᵀ(a + ω̇×p + ω×(ω×p))`.
fn carry_acceleration<S: Scalar>(
    pose: &Pose<S>,
    twist: &Motion<S>,
    acceleration: &Motion<S>,
) -> Motion<S> {
    let (w, p) = (twist.angular, pose.position);
    let around = acceleration.linear + acceleration.angular.cross(p) + w.cross(w.cross(p));
    Motion {
        linear: pose.rotation.transpose_mul(around),
        angular: pose.rotation.transpose_mul(acceleration.angular),
    }
}

/// An arm in a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a, S> {
    arm: &'a Arm<S>,
    work: &'a Workspace<S>,
}

/// An arm in a configuration, moving.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a, S> {
    placed: Placed<'a, S>,
}

impl<S: Scalar> Placed<'_, S> {
    /// The arm that is placed.
    pub(super) fn arm(&self) -> &Arm<S> {
        self.arm
    }

    /// The pose of a frame, by index, in the world.
    pub fn pose(&self, frame: usize) -> Pose<S> {
        let frame = &self.arm.frames[frame];
        self.work.poses[frame.station].then(&frame.pose)
    }

    /// The pose of a body frame in the world.
    pub(crate) fn body_pose(&self, body: usize) -> &Pose<S> {
        &self.work.poses[body + 1]
    }

    /// The Jacobian of a frame: `[v; ω] = J u`, row-major `6 × nv`, of the frame's origin.
    ///
    /// # Panics
    /// When `jacobian` does not have `6 nv` entries.
    pub fn jacobian_into(&self, frame: usize, axes: Axes, jacobian: &mut [S]) {
        let n = self.arm.nv();
        assert_eq!(jacobian.len(), 6 * n, "a Jacobian has 6 × nv = 6 × {n} entries");
        jacobian.fill(S::ZERO);
        let pose = self.pose(frame);
        self.each_column(frame, |v, column| {
            let column = match axes {
                Axes::World => column,
                Axes::Own => Motion {
                    linear: pose.rotation.transpose_mul(column.linear),
                    angular: pose.rotation.transpose_mul(column.angular),
                },
            };
            for (row, entry) in column.to_array().into_iter().enumerate() {
                jacobian[row * n + v] = entry;
            }
        });
    }

    /// The velocity of a frame's origin and of the frame per unit of each coordinate that moves
    /// it, world axes.
    pub(super) fn each_column(&self, frame: usize, visit: impl FnMut(usize, Motion<S>)) {
        let place = self.pose(frame).position;
        self.each_column_at(self.arm.frames[frame].station, place, visit);
    }

    /// Adds the generalised forces of a force on a body, body frame.
    pub(crate) fn add_body_force(&self, body: usize, force: &Force<S>, out: &mut [S]) {
        let pose = self.body_pose(body);
        let there = Force::new(pose.rotation * force.force, pose.rotation * force.moment);
        let place = pose.position;
        self.each_column_at(body + 1, place, |v, column| out[v] += column.dot(&there));
    }

    fn each_column_at(
        &self,
        station: usize,
        place: Vec3<S>,
        mut visit: impl FnMut(usize, Motion<S>),
    ) {
        let mut visit_columns = |station: usize, first: usize, columns: &[Motion<S>]| {
            let pose = &self.work.poses[station];
            let arm_to_frame = place - pose.position;
            for (k, column) in columns.iter().enumerate() {
                let angular = pose.rotation * column.angular;
                let linear = pose.rotation * column.linear + angular.cross(arm_to_frame);
                visit(first + k, Motion { linear, angular });
            }
        };
        let mut at = station;
        while at > 0 {
            let i = self.arm.words.station_bodies[at] - 1;
            let body = &self.arm.bodies[i];
            if let Some(section) = at.checked_sub(self.arm.body_count() + 1) {
                let start = self.arm.words.section_columns[section];
                let columns = &self.work.columns[start..start + body.nb];
                visit_columns(at, body.v + body.nv, columns);
            }
            visit_columns(i + 1, body.v, &self.work.columns[body.v_range()]);
            at = body.parent;
        }
    }
}

impl<'a, S: Scalar> Moving<'a, S> {
    /// The arm as placed.
    pub fn placed(&self) -> &Placed<'a, S> {
        &self.placed
    }

    /// The twist `[v; ω]` of a frame, of its own origin (m/s, rad/s).
    pub fn twist(&self, frame: usize, axes: Axes) -> Motion<S> {
        let fixed = &self.placed.arm.frames[frame];
        let own = fixed.pose.motion_to_inner(&self.placed.work.twists[fixed.station]);
        self.in_axes(frame, axes, own)
    }

    /// The acceleration `[a; ω̇]` of a frame, `a` being that of its origin in the world, without
    /// gravity (m/s², rad/s²).
    pub fn acceleration(&self, frame: usize, axes: Axes) -> Motion<S> {
        let fixed = &self.placed.arm.frames[frame];
        let (twist, acceleration) =
            (self.placed.work.twists[fixed.station], self.placed.work.accelerations[fixed.station]);
        self.in_axes(frame, axes, carry_acceleration(&fixed.pose, &twist, &acceleration))
    }

    /// A body that bends as a whole, by its number among them.
    pub(super) fn whole(&self, bend: usize) -> &Whole<S> {
        &self.placed.work.wholes[bend]
    }

    /// The twist of a body, body frame.
    pub(crate) fn body_twist(&self, body: usize) -> Motion<S> {
        self.placed.work.twists[body + 1]
    }

    fn in_axes(&self, frame: usize, axes: Axes, own: Motion<S>) -> Motion<S> {
        match axes {
            Axes::Own => own,
            Axes::World => {
                let pose = Pose { position: Vec3::ZERO, ..self.placed.pose(frame) };
                pose.motion_to_outer(&own)
            }
        }
    }
}
