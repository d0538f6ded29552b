//! A hop: one step outward from station to station, and what every recursion asks of it.
//!
//! Over a joint or over the bending of a beam, a hop has a pose `(R, p)` of its outer frame in the
//! inner one, motion columns `S` (of bending `Ψ`), and a bias, all in the outer frame:
//!
//! - `ω = Rᵀω_p + ω_J`, `ω̇ = Rᵀω̇_p + Rᵀω_p×ω_J + …`, `a = Rᵀa' + 2Rᵀω_p×v_J + …`, where
//!   `[v_J; ω_J] = S u`, the rest is `S u̇` and the bias, and `a'` the acceleration that the place
//!   of the outer origin has with the inner frame: [`Hop::advance`]
//! - `τ = Sᵀ F`: [`Hop::project`]
//!
//! [`Hops`] sets up all of them for one instant; what the outer frame of a hop carries is its
//! [`Matter`].

use super::bending::{Bent, Deformation};
use super::current_length::CurrentLength;
use crate::arm::{Arm, Edge, FlexibleBody, JointKind, Over, Section};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Motion, Pose, RigidInertia, Vec3};
use std::ops::Range;

/// How a frame turns and accelerates, in its own axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates<S> {
    /// Angular velocity ω (rad/s).
    pub(crate) omega: Vec3<S>,
    /// Angular acceleration ω̇ (rad/s²).
    pub(crate) alpha: Vec3<S>,
    /// Acceleration of the origin, `v̇ + ω×v`, gravity included (m/s²).
    pub(crate) accel: Vec3<S>,
}

impl<S: Scalar> Rates<S> {
    pub(super) const ZERO: Self = Self { omega: Vec3::ZERO, alpha: Vec3::ZERO, accel: Vec3::ZERO };

    /// `Γ = ω̇^ + ω̂ω̂`: a point at `r` accelerates by `a + Γ r`.
    #[inline]
    pub(crate) fn tensor(&self) -> Mat3<S> {
        let (w, al) = (self.omega, self.alpha);
        let (xx, yy, zz) = (w.x * w.x, w.y * w.y, w.z * w.z);
        let (xy, xz, yz) = (w.x * w.y, w.x * w.z, w.y * w.z);
        Mat3::from_columns(
            Vec3::new(-(yy + zz), xy + al.z, xz - al.y),
            Vec3::new(xy - al.z, -(xx + zz), yz + al.x),
            Vec3::new(xz + al.y, yz - al.x, -(xx + yy)),
        )
    }
}

/// A hop at one instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop<'a, S> {
    /// The outer frame in the inner one.
    pub(super) pose: &'a Pose<S>,
    edge: &'a Edge,
    arm: &'a Arm<S>,
    q: &'a [S],
    hops: &'a Hops<S>,
}

/// The bending of a beam at its current length, up to one of its sections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bending<'a, S> {
    pub(super) bend: &'a FlexibleBody<S>,
    /// The coordinates.
    pub(super) d: &'a [S],
    pub(super) section: &'a Section<S>,
    pub(super) bent: &'a Bent<S>,
    pub(super) deformation: &'a Deformation<S>,
}

/// What a station carries by itself, besides what hangs on it.
pub(super) enum Matter<'a, S> {
    /// A section of a beam, which belongs to the body.
    Nothing,
    /// A rigid body, body frame.
    Rigid(&'a RigidInertia<S>),
    /// A body that bends, at its current length and with the coordinates `d`, whose velocities are
    /// `v`.
    Bending {
        bend: &'a FlexibleBody<S>,
        d: &'a [S],
        v: Range<usize>,
        deformation: &'a mut Deformation<S>,
    },
}

impl<'a, S: Scalar> Hop<'a, S> {
    /// The rates of the outer frame, from those of the inner one at the place of the outer origin.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    pub(super) fn advance(&self, there: &Rates<S>, u: &[S], ud: &[S]) -> Rates<S> {
        let r = &self.pose.rotation;
        let inboard = || Rates {
            omega: r.transpose_mul(there.omega),
            alpha: r.transpose_mul(there.alpha),
            accel: r.transpose_mul(there.accel),
        };
        self.advance_either(|| *there, inboard, u, ud)
    }

    /// [`Hop::advance`] from an inner frame that turns and does not accelerate.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    pub(super) fn advance_turning(&self, omega: Vec3<S>, u: &[S], ud: &[S]) -> Rates<S> {
        let Pose { rotation: r, position: p } = self.pose;
        let around = omega.cross(omega.cross(*p));
        let there = || Rates { omega, alpha: Vec3::ZERO, accel: around };
        let inboard = || Rates {
            omega: r.transpose_mul(omega),
            alpha: Vec3::ZERO,
            accel: r.transpose_mul(around),
        };
        self.advance_either(there, inboard, u, ud)
    }

    /// The rates of the outer frame, from those of the inner one at the place of the outer origin
    /// for bending, and in the outer axes for joints. Both are closures, so that each case evaluates
    /// what it needs: a test for bending in front of the joints costs 6 % of the instructions of
    /// inverse dynamics.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    fn advance_either(
        &self,
        there: impl Fn() -> Rates<S>,
        inboard: impl Fn() -> Rates<S>,
        u: &[S],
        ud: &[S],
    ) -> Rates<S> {
        match self.edge.over {
            Over::Fixed => inboard(),
            Over::RevoluteZ => {
                let Rates { omega: w, alpha: al, accel } = inboard();
                let v = self.edge.velocities.start;
                let (u, ud) = (u[v], ud[v]);
                let alpha = Vec3::new(al.x + w.y * u, al.y - w.x * u, al.z + ud);
                Rates { omega: Vec3::new(w.x, w.y, w.z + u), alpha, accel }
            }
            Over::PrismaticZ => {
                let Rates { omega: w, alpha, accel: a } = inboard();
                let v = self.edge.velocities.start;
                let (twice, ud) = (u[v] + u[v], ud[v]);
                let accel = Vec3::new(a.x + w.y * twice, a.y - w.x * twice, a.z + ud);
                Rates { omega: w, alpha, accel }
            }
            Over::Joint => self.advance_by_columns(&inboard(), u, ud),
            Over::Bending { bend, section } => {
                let Bending { section, bent, deformation, .. } = self.bending(bend, section);
                deformation.section_rates(section, bent, &there())
            }
        }
    }

    #[inline(never)]
    fn advance_by_columns(&self, inboard: &Rates<S>, u: &[S], ud: &[S]) -> Rates<S> {
        let (columns, own) = (self.columns(), self.edge.velocities.clone());
        let velocity = combine(columns, &u[own.clone()]);
        let acceleration = combine(columns, &ud[own]) + self.hops.biases[self.edge.body];
        let w = inboard.omega;
        let across = w.cross(velocity.linear);
        Rates {
            omega: w + velocity.angular,
            alpha: inboard.alpha + w.cross(velocity.angular) + acceleration.angular,
            accel: inboard.accel + across + across + acceleration.linear,
        }
    }

    /// `τ = Sᵀ F`; `scratch` has room for the extended coordinates. The one hop over a joint sets its
    /// entries of `τ`. The hops to the sections of a beam add to theirs, which begin with the share
    /// of the body itself, of [`Matter::Bending`]; to begin all of `τ` with zeros instead costs 0.9 %
    /// of the instructions of inverse dynamics.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    pub(super) fn project(&self, f: &Force<S>, scratch: &mut [S], tau: &mut [S]) {
        match self.edge.over {
            Over::Fixed => {}
            Over::RevoluteZ => tau[self.edge.velocities.start] = f.moment.z,
            Over::PrismaticZ => tau[self.edge.velocities.start] = f.force.z,
            Over::Joint => {
                for (tau, column) in
                    tau[self.edge.velocities.clone()].iter_mut().zip(self.columns())
                {
                    *tau = column.dot(f);
                }
            }
            Over::Bending { bend, section } => {
                let Bending { bend, d, section, bent, .. } = self.bending(bend, section);
                let modal = &mut tau[self.edge.velocities.clone()];
                bent.project(bend, section, d, f, &mut scratch[..bend.flexible.nz()], modal);
            }
        }
    }

    /// The motion columns, outer frame; of bending from [`Hops::with_columns`].
    #[inline]
    pub(super) fn columns(&self) -> &'a [Motion<S>] {
        debug_assert!(self.hops.has_columns || !matches!(self.edge.over, Over::Bending { .. }));
        &self.hops.columns[self.edge.columns.clone()]
    }

    /// The motion columns as seen from the frame in which the outer one has this pose.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time at six joints
    pub(super) fn columns_seen_from(&self, pose: &Pose<S>, out: &mut [Motion<S>]) {
        let (z, at) = (pose.rotation.columns[2], self.edge.columns.start);
        match self.edge.over {
            Over::Fixed => {}
            Over::RevoluteZ => out[at] = Motion::new(pose.position.cross(z), z),
            Over::PrismaticZ => out[at] = Motion::new(z, Vec3::ZERO),
            Over::Joint | Over::Bending { .. } => {
                for (out, column) in out[at..].iter_mut().zip(self.columns()) {
                    *out = pose.motion_to_outer(column);
                }
            }
        }
    }

    /// The bending up to a section, of the numbers that the edge says.
    #[inline(never)]
    pub(super) fn bending(&self, bend: usize, section: usize) -> Bending<'a, S> {
        let Self { edge, arm, q, hops, .. } = *self;
        let now = hops.lengths.bend(arm, bend);
        Bending {
            bend: now,
            d: &q[arm.bodies[edge.body].bend_q()],
            section: &now.sections[section],
            bent: &hops.sections[edge.outer - arm.body_count() - 1],
            deformation: &hops.deformations[bend],
        }
    }
}

/// The hops of an arm at one instant.
#[derive(Clone, Debug)]
pub(super) struct Hops<S> {
    /// The angles of all revolute joints, their sines and cosines, evaluated side by side (and a
    /// few of zero, to fill up).
    angles: Vec<S>,
    sines: Vec<S>,
    cosines: Vec<S>,
    /// The frame of each station in the one it hangs on.
    pub(super) poses: Vec<Pose<S>>,
    /// Motion columns, outer frame, where the edges say; of joints alone without `has_columns`.
    pub(super) columns: Vec<Motion<S>>,
    /// Whether bending has its columns.
    has_columns: bool,
    /// Whether sections that carry nothing are evaluated too.
    everywhere: bool,
    /// The bias of each joint, body frame.
    biases: Vec<Motion<S>>,
    /// Beams at their current length.
    pub(super) lengths: CurrentLength<S>,
    pub(super) deformations: Vec<Deformation<S>>,
    /// The sections of beams, in the order of their stations.
    sections: Vec<Bent<S>>,
    /// Velocities of zero.
    rest: Vec<S>,
}

impl<S: Scalar> Hops<S> {
    /// For recursions that ask for the motion columns of bending too.
    pub(super) fn with_columns(arm: &Arm<S>) -> Self {
        Self { has_columns: true, ..Self::new(arm) }
    }

    /// For recursions that ask for the sections that carry nothing too.
    #[must_use]
    pub(super) fn everywhere(self, arm: &Arm<S>) -> Self {
        Self { everywhere: true, lengths: CurrentLength::new(arm, true), ..self }
    }

    /// For recursions that ask for the motion columns of joints alone.
    pub(super) fn new(arm: &Arm<S>) -> Self {
        let zeros = vec![S::ZERO; arm.topology.turns.len().next_multiple_of(S::SIDE_BY_SIDE)];
        let stations = arm.topology.station_bodies.len();
        let deformations =
            arm.flexible_bodies.iter().map(|bend| Deformation::new(std::slice::from_ref(bend)));
        let mut columns = vec![Motion::ZERO; arm.topology.column_count];
        for edge in &arm.topology.edges {
            match edge.over {
                Over::RevoluteZ => columns[edge.columns.start].angular = Vec3::AXES[2],
                Over::PrismaticZ => columns[edge.columns.start].linear = Vec3::AXES[2],
                _ => {}
            }
        }
        Self {
            angles: zeros.clone(),
            sines: zeros.clone(),
            cosines: zeros,
            poses: vec![Pose::IDENTITY; stations],
            columns,
            has_columns: false,
            everywhere: false,
            biases: vec![Motion::ZERO; arm.body_count()],
            lengths: CurrentLength::new(arm, false),
            deformations: deformations.collect(),
            sections: vec![Bent::REST; stations - arm.body_count() - 1],
            rest: vec![S::ZERO; arm.nv()],
        }
    }

    /// Takes a configuration, at rest.
    pub(super) fn place(&mut self, arm: &Arm<S>, q: &[S]) {
        let rest = std::mem::take(&mut self.rest);
        self.cross(arm, q, &rest);
        self.rest = rest;
        self.bend_columns(arm, q);
    }

    /// Takes a configuration, velocities and accelerations.
    #[inline]
    pub(super) fn set(&mut self, arm: &Arm<S>, q: &[S], u: &[S], ud: &[S]) {
        self.cross(arm, q, u);
        if arm.flexible_bodies.is_empty() {
            return;
        }
        for body in &arm.bodies {
            if let Some(bend) = body.bend {
                let (d, range) = (&q[body.bend_q()], body.bend_v());
                let now = self.lengths.bend(arm, bend);
                self.deformations[bend].move_with(now, d, [&u[range.clone()], &ud[range]]);
            }
        }
        self.bend_columns(arm, q);
    }

    /// Poses and biases.
    fn cross(&mut self, arm: &Arm<S>, q: &[S], u: &[S]) {
        for (angle, &at) in self.angles.iter_mut().zip(&arm.topology.turns) {
            *angle = q[at];
        }
        S::sin_cos_slice(&self.angles, &mut self.sines, &mut self.cosines);
        for (i, body) in arm.bodies.iter().enumerate() {
            self.poses[i + 1] = match &body.kind {
                JointKind::Fixed => body.placement,
                JointKind::Revolute => {
                    body.placement.turned(self.sines[body.turn], self.cosines[body.turn])
                }
                JointKind::Prismatic => body.placement.slid(q[body.q]),
                kind => {
                    let (q, u) = (&q[body.q_range()], &u[body.v_range()]);
                    let columns = &mut self.columns[body.v_range()];
                    let crossing = kind.cross(&body.placement, q, u, columns);
                    self.biases[i] = crossing.bias;
                    crossing.pose
                }
            };
            let Some(bend) = body.bend else { continue };
            let d = &q[body.bend_q()];
            self.lengths.set(bend, d);
            let now = self.lengths.bend(arm, bend);
            let z = self.deformations[bend].bend(now, d);
            for section in now.sections.iter().filter(|at| at.carries || self.everywhere) {
                let bent = Bent::new(section, z);
                self.poses[section.station] = bent.pose;
                self.sections[section.station - arm.body_count() - 1] = bent;
            }
        }
    }

    /// The motion columns `Ψ` of bending, for the configuration that was taken.
    fn bend_columns(&mut self, arm: &Arm<S>, q: &[S]) {
        if !self.has_columns || arm.flexible_bodies.is_empty() {
            return;
        }
        for edge in self.edges(arm) {
            if let Over::Bending { bend, section } = edge.over {
                let d = &q[arm.bodies[edge.body].bend_q()];
                let now = self.lengths.bend(arm, bend);
                let bent = &self.sections[edge.outer - arm.body_count() - 1];
                let scratch = &mut self.deformations[bend].vectors[..d.len()];
                let columns = &mut self.columns[edge.columns.clone()];
                bent.columns(now, &now.sections[section], d, scratch, columns);
            }
        }
    }

    /// The edges that are evaluated, outward.
    #[inline]
    pub(super) fn edges<'a>(&self, arm: &'a Arm<S>) -> &'a [Edge] {
        if self.everywhere { &arm.topology.edges } else { &arm.topology.carrying }
    }

    /// The outer frame of an edge in the inner one.
    #[inline]
    pub(super) fn pose(&self, edge: &Edge) -> &Pose<S> {
        &self.poses[edge.outer]
    }

    /// The hop of an edge.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    pub(super) fn over<'a>(&'a self, arm: &'a Arm<S>, edge: &'a Edge, q: &'a [S]) -> Hop<'a, S> {
        Hop { pose: &self.poses[edge.outer], edge, arm, q, hops: self }
    }

    /// What the outer station of an edge carries by itself.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    pub(super) fn matter<'a>(
        &'a mut self,
        arm: &'a Arm<S>,
        edge: &Edge,
        q: &'a [S],
    ) -> Matter<'a, S> {
        let body = &arm.bodies[edge.body];
        match (edge.over, body.bend) {
            (Over::Bending { .. }, _) => Matter::Nothing,
            (_, None) => Matter::Rigid(&body.inertia),
            (_, Some(bend)) => Matter::Bending {
                bend: self.lengths.bend(arm, bend),
                d: &q[body.bend_q()],
                v: body.bend_v(),
                deformation: &mut self.deformations[bend],
            },
        }
    }
}

/// `S u`.
pub(super) fn combine<S: Scalar>(columns: &[Motion<S>], u: &[S]) -> Motion<S> {
    let mut sum = Motion::ZERO;
    for (column, &u) in columns.iter().zip(u) {
        sum += *column * u;
    }
    sum
}
