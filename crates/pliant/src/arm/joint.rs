//! Joints of zero to six degrees of freedom.

use crate::scalar::Scalar;
use crate::spatial::{Mat3, Motion, Pose, Quaternion, Vec3, axis_rotation};

/// A joint as a person describes it. Axes are given in the joint's inboard frame, which is the
/// outboard frame at the neutral configuration; their length does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// No freedom.
    Fixed,
    /// Turns about `axis` (rad).
    Revolute {
        /// The axis of rotation.
        axis: [f64; 3],
    },
    /// Slides along `axis` (m).
    Prismatic {
        /// The direction of sliding.
        axis: [f64; 3],
    },
    /// Slides along and turns about `axis` (m, rad).
    Cylindrical {
        /// The common axis.
        axis: [f64; 3],
    },
    /// Turns about `first`, then about `second` as carried along (rad, rad).
    Universal {
        /// The axis fixed in the inboard frame.
        first: [f64; 3],
        /// The axis fixed in the outboard frame.
        second: [f64; 3],
    },
    /// Slides in the inboard x-y plane, then turns about z (m, m, rad).
    Planar,
    /// Turns freely: a unit quaternion `(w, x, y, z)`, velocity `ω` in the outboard frame (rad/s).
    Spherical,
    /// Moves freely: position in the inboard frame, then a quaternion; velocity `[v; ω]` of the
    /// outboard frame in its own axes (m/s, rad/s).
    Free,
}

impl Joint {
    /// Turns about `axis`.
    pub const fn revolute(axis: [f64; 3]) -> Self {
        Self::Revolute { axis }
    }

    /// Slides along `axis`.
    pub const fn prismatic(axis: [f64; 3]) -> Self {
        Self::Prismatic { axis }
    }

    /// The word used for it in files and tables.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute { .. } => "revolute",
            Self::Prismatic { .. } => "prismatic",
            Self::Cylindrical { .. } => "cylindrical",
            Self::Universal { .. } => "universal",
            Self::Planar => "planar",
            Self::Spherical => "spherical",
            Self::Free => "free",
        }
    }

    /// How many numbers describe a configuration.
    pub const fn nq(&self) -> usize {
        match self {
            Self::Spherical => 4,
            Self::Free => 7,
            _ => self.nv(),
        }
    }

    /// How many degrees of freedom.
    pub const fn nv(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Planar | Self::Spherical => 3,
            Self::Free => 6,
        }
    }

    /// What is added to the joint's name for each number of a configuration.
    pub const fn configuration_suffixes(&self) -> &'static [&'static str] {
        match self {
            Self::Spherical => &["quat_w", "quat_x", "quat_y", "quat_z"],
            Self::Free => &["x", "y", "z", "quat_w", "quat_x", "quat_y", "quat_z"],
            Self::Fixed => &[],
            Self::Revolute { .. } | Self::Prismatic { .. } => &[""],
            Self::Cylindrical { .. } => &["slide", "turn"],
            Self::Universal { .. } => &["first", "second"],
            Self::Planar => &["x", "y", "turn"],
        }
    }

    /// What is added to the joint's name for each degree of freedom.
    pub const fn velocity_suffixes(&self) -> &'static [&'static str] {
        match self {
            Self::Spherical => &["turn_x", "turn_y", "turn_z"],
            Self::Free => &["move_x", "move_y", "move_z", "turn_x", "turn_y", "turn_z"],
            _ => self.configuration_suffixes(),
        }
    }

    /// The axes that describe it, in its inboard frame, as they were given: one, two of a universal
    /// joint, none where the kind says all.
    pub fn axes(&self) -> Vec<[f64; 3]> {
        match *self {
            Self::Revolute { axis } | Self::Prismatic { axis } | Self::Cylindrical { axis } => {
                vec![axis]
            }
            Self::Universal { first, second } => vec![first, second],
            Self::Fixed | Self::Planar | Self::Spherical | Self::Free => Vec::new(),
        }
    }

    /// Whether each velocity coordinate turns (rad/s) rather than slides (m/s).
    pub const fn turns(&self) -> &'static [bool] {
        match self {
            Self::Fixed => &[],
            Self::Revolute { .. } => &[true],
            Self::Prismatic { .. } => &[false],
            Self::Cylindrical { .. } => &[false, true],
            Self::Universal { .. } => &[true, true],
            Self::Planar => &[false, false, true],
            Self::Spherical => &[true, true, true],
            Self::Free => &[false, false, false, true, true, true],
        }
    }
}

/// A joint as the recursions use it: the frame is turned so that one-axis joints use z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind<S> {
    /// No freedom.
    Fixed,
    /// About z.
    Revolute,
    /// Along z.
    Prismatic,
    /// Along and about z.
    Cylindrical,
    /// About `first` of the inboard frame, then about z of the outboard frame.
    Universal {
        /// Unit axis in the inboard frame.
        first: Vec3<S>,
    },
    /// In the x-y plane, then about z.
    Planar,
    /// A quaternion.
    Spherical,
    /// A position and a quaternion.
    Free,
}

/// What lies between the parent's frame and the body's frame at one instant: a hop.
#[derive(Clone, Copy, Debug)]
pub struct JointHop<S> {
    /// The body frame in the parent's frame.
    pub pose: Pose<S>,
    /// The acceleration of the outboard frame relative to the inboard one that remains when the
    /// joint's accelerations vanish, `Ṡu + [ω_J × v_J; 0]` (m/s², rad/s²), body frame.
    pub bias: Motion<S>,
}

impl<S: Scalar> JointKind<S> {
    /// The hop over the joint, and its motion subspace `S` column by column, body frame
    /// (Flexible (3.87)).
    pub fn cross(
        &self,
        placement: &Pose<S>,
        q: &[S],
        u: &[S],
        columns: &mut [Motion<S>],
    ) -> JointHop<S> {
        let [ex, ey, ez] = Vec3::AXES;
        let mut bias = Motion::ZERO;
        let pose = match self {
            Self::Fixed => *placement,
            Self::Revolute => {
                columns[0] = Motion::new(Vec3::ZERO, ez);
                let (s, c) = q[0].sin_cos();
                placement.turned(s, c)
            }
            Self::Prismatic => {
                columns[0] = Motion::new(ez, Vec3::ZERO);
                placement.slid(q[0])
            }
            Self::Cylindrical => {
                columns[0] = Motion::new(ez, Vec3::ZERO);
                columns[1] = Motion::new(Vec3::ZERO, ez);
                let (s, c) = q[1].sin_cos();
                placement.slid(q[0]).turned(s, c)
            }
            Self::Universal { first } => {
                let (s1, c1) = q[0].sin_cos();
                let (s2, c2) = q[1].sin_cos();
                let rotation = axis_rotation(*first, s1, c1).turned_about_z(s2, c2);
                // s₁ = exp(ẑθ₂)ᵀ e₁ ,  Ṡu = −θ̇₁θ̇₂ z × s₁
                let s = Mat3::IDENTITY.turned_about_z(s2, c2).transpose_mul(*first);
                columns[0] = Motion::new(Vec3::ZERO, s);
                columns[1] = Motion::new(Vec3::ZERO, ez);
                bias.angular = s.cross_z(u[0] * u[1]);
                placement.then(&Pose::new(rotation, Vec3::ZERO))
            }
            Self::Planar => {
                let (s, c) = q[2].sin_cos();
                columns[0] = Motion::new(Vec3::new(c, -s, S::ZERO), Vec3::ZERO);
                columns[1] = Motion::new(Vec3::new(s, c, S::ZERO), Vec3::ZERO);
                columns[2] = Motion::new(Vec3::ZERO, ez);
                // Ṡu = −θ̇ z × v_J is undone by ω_J × v_J: no bias
                let position = placement.point(Vec3::new(q[0], q[1], S::ZERO));
                Pose::new(placement.rotation.turned_about_z(s, c), position)
            }
            Self::Spherical => {
                for (column, e) in columns.iter_mut().zip([ex, ey, ez]) {
                    *column = Motion::new(Vec3::ZERO, e);
                }
                let rotation = Quaternion::from_slice(q).to_matrix();
                Pose::new(placement.rotation.matmul(&rotation), placement.position)
            }
            Self::Free => {
                for (k, e) in [ex, ey, ez].into_iter().enumerate() {
                    columns[k] = Motion::new(e, Vec3::ZERO);
                    columns[k + 3] = Motion::new(Vec3::ZERO, e);
                }
                let rotation = Quaternion::from_slice(&q[3..]).to_matrix();
                bias.linear = Vec3::new(u[3], u[4], u[5]).cross(Vec3::new(u[0], u[1], u[2]));
                placement.then(&Pose::new(rotation, Vec3::new(q[0], q[1], q[2])))
            }
        };
        JointHop { pose, bias }
    }

    /// `Ṡ` column by column, from the columns `S` and the velocities.
    pub fn column_rates(&self, u: &[S], columns: &[Motion<S>], rates: &mut [Motion<S>]) {
        rates.fill(Motion::ZERO);
        match self {
            Self::Universal { .. } => rates[0].angular = columns[0].angular.cross_z(u[1]),
            Self::Planar => {
                for k in 0..2 {
                    rates[k].linear = columns[k].linear.cross_z(u[2]);
                }
            }
            _ => {}
        }
    }

    /// The configuration of rest: zeros, and quaternions without rotation.
    pub fn neutral(&self, q: &mut [S]) {
        q.fill(S::ZERO);
        match self {
            Self::Spherical => q[0] = S::ONE,
            Self::Free => q[3] = S::ONE,
            _ => {}
        }
    }

    /// `q̇` from `u`.
    pub fn rate(&self, q: &[S], u: &[S], qd: &mut [S]) {
        let quaternion_rate = |q: &[S], w: &[S], qd: &mut [S]| {
            let omega = Vec3::new(w[0], w[1], w[2]);
            qd.copy_from_slice(&Quaternion::from_slice(q).rate(omega).to_array());
        };
        match self {
            Self::Spherical => quaternion_rate(q, u, qd),
            Self::Free => {
                let r = Quaternion::from_slice(&q[3..]).to_matrix();
                qd[..3].copy_from_slice(&(r * Vec3::new(u[0], u[1], u[2])).to_array());
                quaternion_rate(&q[3..], &u[3..], &mut qd[3..]);
            }
            _ => qd.copy_from_slice(u),
        }
    }

    /// Moves a configuration by `du` in the directions of the velocities: `q ⊞ du`, exact for
    /// a constant velocity kept for unit time, and unit quaternions stay unit.
    pub fn displace(&self, q: &mut [S], du: &[S]) {
        let turn = |q: &mut [S], phi: Vec3<S>| {
            let moved = Quaternion::from_slice(q).times(Quaternion::from_rotation_vector(phi));
            q.copy_from_slice(&moved.to_array());
        };
        match self {
            Self::Spherical => turn(q, Vec3::new(du[0], du[1], du[2])),
            Self::Free => {
                let (v, phi) = (Vec3::new(du[0], du[1], du[2]), Vec3::new(du[3], du[4], du[5]));
                // ∫₀¹ exp(φ̂ t) dt v = v + c₂ φ×v + c₃ φ×(φ×v)
                let mut c = [S::ZERO; 4];
                phi.dot(phi).stumpff(&mut c);
                let across = phi.cross(v);
                let path = v + across * c[2] + phi.cross(across) * c[3];
                let step = Quaternion::from_slice(&q[3..]).to_matrix() * path;
                for (q, step) in q.iter_mut().zip(step.to_array()) {
                    *q += step;
                }
                turn(&mut q[3..], phi);
            }
            _ => {
                for (q, du) in q.iter_mut().zip(du) {
                    *q += *du;
                }
            }
        }
    }

    /// The same joint in another arithmetic.
    pub fn cast<T: Scalar>(self, convert: impl Fn(S) -> T) -> JointKind<T> {
        match self {
            Self::Fixed => JointKind::Fixed,
            Self::Revolute => JointKind::Revolute,
            Self::Prismatic => JointKind::Prismatic,
            Self::Cylindrical => JointKind::Cylindrical,
            Self::Universal { first } => JointKind::Universal { first: first.cast(convert) },
            Self::Planar => JointKind::Planar,
            Self::Spherical => JointKind::Spherical,
            Self::Free => JointKind::Free,
        }
    }
}
