//! Poses, velocities, accelerations and Jacobians of any frame.
//!
//! `V_i = X V_p + S u` outward over the tree, from the ground to every body; a frame fixed to a
//! body is one constant hop more. Akmehmet (2.8), (2.27) to (2.30); Flexible (3.88), (3.91).

use super::hop::combine;
use crate::arm::Arm;
use crate::scalar::Scalar;
use crate::spatial::{Motion, Pose, Vec3};

/// Buffers of the kinematics, sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Body frames in the world.
    poses: Vec<Pose<S>>,
    /// Motion columns by velocity index, body frame.
    columns: Vec<Motion<S>>,
    /// Twist of each body, own frame; index 0 is the ground.
    twists: Vec<Motion<S>>,
    /// `[v̇ + ω×v; ω̇]` of each body, own frame; index 0 is the ground.
    accelerations: Vec<Motion<S>>,
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
        let n = arm.body_count();
        Self {
            poses: vec![Pose::IDENTITY; n],
            columns: vec![Motion::ZERO; arm.nv()],
            twists: vec![Motion::ZERO; n + 1],
            accelerations: vec![Motion::ZERO; n + 1],
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
        Moving {
            placed: Placed { arm, work: self },
        }
    }

    fn sweep(&mut self, arm: &Arm<S>, q: &[S], u: &[S], ud: &[S]) {
        arm.check_lengths(q, [u, ud]);
        for (i, body) in arm.bodies.iter().enumerate() {
            let range = body.v_range();
            let (u, ud) = (&u[range.clone()], &ud[range.clone()]);
            let columns = &mut self.columns[range];
            let hop = body
                .kind
                .cross(&body.placement, &q[body.q_range()], u, columns);
            self.poses[i] = match body.parent.checked_sub(1) {
                Some(parent) => self.poses[parent].then(&hop.pose),
                None => hop.pose,
            };
            let (twist, acceleration) = (self.twists[body.parent], self.accelerations[body.parent]);
            let carried = hop.pose.motion_to_inner(&twist);
            let joint = combine(columns, u);
            self.twists[i + 1] = carried + joint;
            let w = carried.angular;
            let across = w.cross(joint.linear);
            let bias = Motion::new(across + across, w.cross(joint.angular)) + hop.bias;
            self.accelerations[i + 1] =
                carry_acceleration(&hop.pose, &twist, &acceleration) + combine(columns, ud) + bias;
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
        self.work.poses[frame.body].then(&frame.pose)
    }

    /// The pose of a body frame in the world.
    pub(super) fn body_pose(&self, body: usize) -> &Pose<S> {
        &self.work.poses[body]
    }

    /// The Jacobian of a frame: `[v; ω] = J u`, row-major `6 × nv`, of the frame's origin.
    ///
    /// # Panics
    /// When `jacobian` does not have `6 nv` entries.
    pub fn jacobian_into(&self, frame: usize, axes: Axes, jacobian: &mut [S]) {
        let n = self.arm.nv();
        assert_eq!(
            jacobian.len(),
            6 * n,
            "a Jacobian has 6 × nv = 6 × {n} entries"
        );
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
    pub(super) fn each_column(&self, frame: usize, mut visit: impl FnMut(usize, Motion<S>)) {
        let place = self.pose(frame).position;
        let mut at = self.arm.frames[frame].body + 1;
        while let Some(i) = at.checked_sub(1) {
            let body = &self.arm.bodies[i];
            let pose = &self.work.poses[i];
            let arm_to_frame = place - pose.position;
            for v in body.v_range() {
                let column = &self.work.columns[v];
                let angular = pose.rotation * column.angular;
                let linear = pose.rotation * column.linear + angular.cross(arm_to_frame);
                visit(v, Motion { linear, angular });
            }
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
        let own = fixed.pose.motion_to_inner(&self.body_twist(fixed.body));
        self.in_axes(frame, axes, own)
    }

    /// The acceleration `[a; ω̇]` of a frame, `a` being that of its origin as an accelerometer
    /// without gravity would show it (m/s², rad/s²).
    pub fn acceleration(&self, frame: usize, axes: Axes) -> Motion<S> {
        let fixed = &self.placed.arm.frames[frame];
        let (twist, acceleration) = (
            self.body_twist(fixed.body),
            self.placed.work.accelerations[fixed.body + 1],
        );
        self.in_axes(
            frame,
            axes,
            carry_acceleration(&fixed.pose, &twist, &acceleration),
        )
    }

    /// The twist of a body, body frame.
    pub(super) fn body_twist(&self, body: usize) -> Motion<S> {
        self.placed.work.twists[body + 1]
    }

    fn in_axes(&self, frame: usize, axes: Axes, own: Motion<S>) -> Motion<S> {
        match axes {
            Axes::Own => own,
            Axes::World => {
                let pose = Pose {
                    position: Vec3::ZERO,
                    ..self.placed.pose(frame)
                };
                pose.motion_to_outer(&own)
            }
        }
    }
}
