//! Poses, velocities, accelerations and Jacobians of any frame.
//!
//! `V_i = X V_p + S u` outward over the tree, from the ground to every body; a frame fixed to a
//! body is one constant hop more. Akmehmet (2.8), (2.27) to (2.30); Flexible (3.88), (3.91).

use super::bending::Whole;
use super::hop::{Hops, Matter, Rates, combine};
use crate::arm::Arm;
use crate::scalar::Scalar;
use crate::spatial::{Force, Motion, Pose, Vec3};

/// Buffers of the kinematics, sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    hops: Hops<S>,
    /// Stations in the world; index 0 is the ground.
    poses: Vec<Pose<S>>,
    /// Twist of each station, own frame.
    twists: Vec<Motion<S>>,
    /// `[v̇ + ω×v; ω̇]` of each station, own frame.
    accelerations: Vec<Motion<S>>,
    /// What bends, as a whole.
    wholes: Vec<Whole<S>>,
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
        let stations = arm.topology.station_bodies.len();
        Self {
            hops: Hops::with_columns(arm).everywhere(arm),
            poses: vec![Pose::IDENTITY; stations],
            twists: vec![Motion::ZERO; stations],
            accelerations: vec![Motion::ZERO; stations],
            wholes: vec![Whole::NOTHING; arm.flexible_bodies.len()],
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
        let Self { hops, poses, twists, accelerations, wholes, .. } = self;
        hops.set(arm, q, u, ud);
        for edge in hops.edges(arm) {
            let hop = hops.over(arm, edge, q);
            let (twist, acceleration) = (twists[edge.inner], accelerations[edge.inner]);
            let there = Rates {
                omega: twist.angular,
                alpha: acceleration.angular,
                accel: acceleration_at(hop.pose.position, &twist, &acceleration),
            };
            let moved = hop.advance(&there, u, ud);
            let own = combine(hop.columns(), &u[edge.velocities.clone()]);
            poses[edge.outer] = poses[edge.inner].then(hop.pose);
            twists[edge.outer] = hop.pose.motion_to_inner(&twist) + own;
            accelerations[edge.outer] = Motion::new(moved.accel, moved.alpha);
            let matter = (hops.matter(arm, edge, q), arm.bodies[edge.body].bend);
            if let (Matter::Bending { bend, d, deformation, .. }, Some(number)) = matter {
                wholes[number] = deformation.whole(bend, d, &twists[edge.outer]);
            }
        }
    }
}

/// `a + ω̇×p + ω×(ω×p)`: the acceleration of a place on a frame that moves like this.
fn acceleration_at<S: Scalar>(p: Vec3<S>, twist: &Motion<S>, acceleration: &Motion<S>) -> Vec3<S> {
    let w = twist.angular;
    acceleration.linear + acceleration.angular.cross(p) + w.cross(w.cross(p))
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
            let i = self.arm.topology.station_bodies[at] - 1;
            let body = &self.arm.bodies[i];
            if let Some(section) = at.checked_sub(self.arm.body_count() + 1) {
                let start = self.arm.topology.section_columns[section];
                let columns = &self.work.hops.columns[start..start + body.modal_count];
                visit_columns(at, body.v + body.nv, columns);
            }
            visit_columns(i + 1, body.v, &self.work.hops.columns[body.v_range()]);
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
        let r = &fixed.pose.rotation;
        let linear = acceleration_at(fixed.pose.position, &twist, &acceleration);
        let own = Motion::new(r.transpose_mul(linear), r.transpose_mul(acceleration.angular));
        self.in_axes(frame, axes, own)
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
