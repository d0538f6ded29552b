//! The arm itself.

use super::actuator::{Coupling, Friction};
use super::coordinate::Coordinate;
use super::diagnostics::Warning;
use super::element::BoundElement;
use super::flexible_body::FlexibleBody;
use super::frame::Frame;
use super::joint::{Joint, JointKind};
use super::link::Limits;
use super::passive::Spring;
use super::stations::Edge;
use crate::Help;
use crate::beam::{Beam, TipLoad};
use crate::scalar::Scalar;
use crate::spatial::{Pose, RigidInertia, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// A tree of bodies, ready for the recursions. `Arm` alone means `Arm<f64>`; [`Arm::cast`] takes
/// it to another arithmetic, parameters included.
#[derive(Clone, Debug)]
pub struct Arm<S = f64> {
    pub(crate) gravity: Vec3<S>,
    pub(crate) bodies: Vec<Body<S>>,
    /// The flexible bodies, in the order of the bodies.
    pub(crate) flexible_bodies: Vec<FlexibleBody<S>>,
    pub(crate) frames: Vec<Frame<S>>,
    pub(crate) springs: Vec<Spring<S>>,
    /// Velocity index and viscous coefficient of the damped coordinates.
    pub(crate) dampers: Vec<(usize, S)>,
    /// Dry friction of joints.
    pub(crate) frictions: Vec<Friction<S>>,
    /// Springs and dampers between the motors and the links of elastic joints.
    pub(crate) couplings: Vec<Coupling<S>>,
    /// The force elements of the user.
    pub(crate) elements: Arc<[BoundElement]>,
    /// Inertia that drives add, one per velocity.
    pub(crate) armature: Vec<S>,
    pub(crate) has_armature: bool,
    pub(crate) topology: Arc<Topology>,
}

/// What does not take part in arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    pub(crate) name: String,
    pub(crate) links: Vec<String>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) joint_names: Vec<String>,
    /// The link of the description that each body belongs to.
    pub(crate) owners: Vec<String>,
    pub(crate) configuration: Vec<Coordinate>,
    pub(crate) velocities: Vec<Coordinate>,
    /// The names of these.
    pub(crate) configuration_names: Vec<String>,
    pub(crate) velocity_names: Vec<String>,
    pub(crate) limits: Vec<Option<Limits>>,
    pub(crate) warnings: Vec<Warning>,
    /// For each body the velocities that move it, its own joint's last, as ascending runs.
    pub(crate) supports: Vec<Vec<Run>>,
    /// The steps from station to station, outward.
    pub(crate) edges: Vec<Edge>,
    /// Those that dynamics need: sections that carry nothing are places of frames.
    pub(crate) carrying: Vec<Edge>,
    /// The beam of each bend, and where it begins in its body's frame.
    pub(crate) beams: Vec<(Beam, Pose<f64>)>,
    /// What each of these beams carries at its tip.
    pub(crate) tip_loads: Vec<TipLoad>,
    /// Where the motion columns of each section stand: the first section of a body in the places
    /// of the body's bending velocities, the others behind all velocities.
    pub(crate) section_columns: Vec<usize>,
    /// How many motion columns there are.
    pub(crate) column_count: usize,
    /// For each station the station of its body's frame.
    pub(crate) station_bodies: Vec<usize>,
    /// The configuration index of each revolute joint.
    pub(crate) turns: Vec<usize>,
    /// The velocity indices of prescribed joints, ascending.
    pub(crate) prescribed: Vec<usize>,
    /// The bodies whose joints are hinges between rigid pieces of a beam, ascending.
    pub(crate) hinges: Vec<usize>,
    /// The largest force and speed of the motor of each velocity, infinite without a limit.
    pub(crate) force_limits: Vec<f64>,
    pub(crate) speed_limits: Vec<f64>,
}

/// Consecutive velocities whose motion columns are consecutive too.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The velocity indices.
    pub(crate) velocities: Range<usize>,
    /// Where the first one's column is.
    pub(crate) at: usize,
}

/// One body. Its frame is the joint's outboard frame, turned so that a one-axis joint uses z.
#[derive(Clone, Debug)]
pub struct Body<S> {
    /// The station it hangs on: 0 is the ground, `i + 1` body `i`; then come sections of beams.
    pub(crate) parent: usize,
    /// The joint's inboard frame in the parent's body frame.
    pub(crate) placement: Pose<S>,
    pub(crate) kind: JointKind<S>,
    /// First configuration coordinate.
    pub(crate) q: usize,
    /// First velocity coordinate.
    pub(crate) v: usize,
    /// Which of the revolute joints this is, if it is one.
    pub(crate) turn: usize,
    pub(crate) nq: usize,
    pub(crate) nv: usize,
    pub(crate) prescribed: bool,
    /// Whether the length outside of a beam that slides is prescribed.
    pub(crate) prescribed_length: bool,
    /// Body frame.
    pub(crate) inertia: RigidInertia<S>,
    /// The link frame in the body frame.
    pub(crate) link: Pose<S>,
    /// How many coordinates of bending follow the joint's, the length of a sliding beam first.
    pub(crate) modal_count: usize,
    /// Which of the flexible bodies it is, if it is one.
    pub(crate) bend: Option<usize>,
}

impl<S: Scalar> Body<S> {
    pub(crate) fn q_range(&self) -> Range<usize> {
        self.q..self.q + self.nq
    }

    pub(crate) fn v_range(&self) -> Range<usize> {
        self.v..self.v + self.nv
    }

    /// Whether the joint is all that moves: it is not prescribed and the body does not bend.
    pub(crate) fn is_simple(&self) -> bool {
        self.bend.is_none() && !self.prescribed
    }

    /// The configuration coordinates of bending.
    pub(crate) fn bend_q(&self) -> Range<usize> {
        self.q + self.nq..self.q + self.nq + self.modal_count
    }

    /// The velocity coordinates of bending.
    pub(crate) fn bend_v(&self) -> Range<usize> {
        self.v + self.nv..self.v + self.nv + self.modal_count
    }
}

/// No frame or coordinate of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {what} named \"{name}\"")]
pub struct UnknownName {
    /// Frame, link or coordinate.
    pub what: &'static str,
    /// The name asked for.
    pub name: String,
}

impl Help for UnknownName {}

/// A copy to be shared, for those who keep an arm.
impl From<&Arm> for Arc<Arm> {
    fn from(arm: &Arm) -> Self {
        Self::new(arm.clone())
    }
}

impl<S: Scalar> Arm<S> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.topology.name
    }

    /// How many bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// How many numbers describe a configuration.
    pub fn nq(&self) -> usize {
        self.topology.configuration_names.len()
    }

    /// How many degrees of freedom.
    pub fn nv(&self) -> usize {
        self.armature.len()
    }

    /// The names of the degrees of freedom, in order.
    pub fn velocity_names(&self) -> &[String] {
        &self.topology.velocity_names
    }

    /// The names of the configuration coordinates, in order. They differ from
    /// [`Arm::velocity_names`] only at spherical and free joints.
    pub fn configuration_names(&self) -> &[String] {
        &self.topology.configuration_names
    }

    /// The range of each configuration coordinate, where one is set.
    pub fn limits(&self) -> &[Option<Limits>] {
        &self.topology.limits
    }

    /// The names of the links, body by body.
    pub fn link_names(&self) -> &[String] {
        &self.topology.links
    }

    /// The joint of each link, as it was described.
    pub fn joints(&self) -> &[Joint] {
        &self.topology.joints
    }

    /// The names of the joints, body by body: those of their coordinates begin with them.
    pub fn joint_names(&self) -> &[String] {
        &self.topology.joint_names
    }

    /// The index of the link that a link hangs on; `None` for the ground.
    pub fn parent_of(&self, link: usize) -> Option<usize> {
        self.topology.station_bodies[self.bodies[link].parent].checked_sub(1)
    }

    /// Whether a link's joint moves as it is told.
    pub fn is_prescribed(&self, link: usize) -> bool {
        self.bodies[link].prescribed
    }

    /// Whether a link's joint has a spring, its own or one to its motor.
    pub fn is_sprung(&self, link: usize) -> bool {
        self.springs.iter().any(|spring| spring.body == link) || self.rotor_of(link).is_some()
    }

    /// Whether a link's joint is a hinge between rigid pieces of a beam.
    pub fn is_hinge(&self, link: usize) -> bool {
        self.topology.hinges.binary_search(&link).is_ok()
    }

    /// The velocity coordinates of a link's joint.
    pub fn velocities_of(&self, link: usize) -> Range<usize> {
        self.bodies[link].v_range()
    }

    /// The configuration coordinates of a link's joint.
    pub fn configuration_of(&self, link: usize) -> Range<usize> {
        self.bodies[link].q_range()
    }

    /// The configuration and the velocity coordinates of a link's bending.
    pub fn bending_of(&self, link: usize) -> (Range<usize>, Range<usize>) {
        let (mut q, mut v) = (self.bodies[link].bend_q(), self.bodies[link].bend_v());
        if self.sliding_of(link).is_some() {
            (q.start, v.start) = (q.start + 1, v.start + 1);
        }
        (q, v)
    }

    /// The configuration coordinates that deform a link: of its bending, or of its hinge where it is
    /// a rigid piece of a beam.
    pub fn deforming_of(&self, link: usize) -> Range<usize> {
        if self.is_hinge(link) { self.configuration_of(link) } else { self.bending_of(link).0 }
    }

    /// The configuration and the velocity coordinate that is the length outside, of a link whose
    /// beam slides.
    pub fn length_of(&self, link: usize) -> Option<(usize, usize)> {
        let body = &self.bodies[link];
        self.sliding_of(link).map(|_| (body.bend_q().start, body.bend_v().start))
    }

    /// The velocity coordinates of a link that a motor can drive: of its joint, unless that is the
    /// hinge of a beam's piece, then the length of a beam that slides. Of an elastic joint it is the
    /// link's, which its motor drives through the spring. Prescribed ones are not among them.
    pub fn drives_of(&self, link: usize) -> Vec<usize> {
        let has_none = self.is_hinge(link) || self.is_rotor(link);
        let joint = if has_none { 0..0 } else { self.velocities_of(link) };
        let length = self.length_of(link).map(|(_, v)| v);
        let is_free = |v: &usize| !self.topology.prescribed.contains(&self.motor_of(*v));
        joint.chain(length).filter(is_free).collect()
    }

    /// The beam of a link that does not slide, as it was built: one segment, its load looked up.
    pub fn beam_of(&self, link: usize) -> Option<&Beam> {
        self.any_beam_of(link).filter(|beam| beam.slide.is_none())
    }

    /// The beam of a link that slides, as it was built, its load looked up.
    pub fn sliding_of(&self, link: usize) -> Option<&Beam> {
        self.any_beam_of(link).filter(|beam| beam.slide.is_some())
    }

    /// The beam of a link in a configuration: of one that slides, the part outside, as a beam that
    /// is clamped at the mouth.
    pub fn beam_at(&self, link: usize, q: &[f64]) -> Option<Beam> {
        let beam = self.any_beam_of(link)?;
        Some(self.length_of(link).map_or_else(|| beam.clone(), |(at, _)| beam.at_length(q[at])))
    }

    fn any_beam_of(&self, link: usize) -> Option<&Beam> {
        self.bodies[link].bend.map(|bend| &self.topology.beams[bend].0)
    }

    /// The mass distribution of a link, link frame.
    pub fn inertia_of(&self, link: usize) -> RigidInertia<S> {
        let body = &self.bodies[link];
        body.inertia.seen_from(&body.link.inverse())
    }

    /// The mass of all bodies (kg).
    pub fn total_mass(&self) -> S {
        self.bodies.iter().fold(S::ZERO, |sum, body| sum + body.inertia.mass)
    }

    /// What is physically doubtful but allowed.
    pub fn warnings(&self) -> &[Warning] {
        &self.topology.warnings
    }

    /// Inertia that drives add to each velocity coordinate (kg m², kg).
    pub fn armature(&self) -> &[S] {
        &self.armature
    }

    /// Akmehmet's `V`: the viscous coefficient of each joint's velocity coordinates (N m s/rad,
    /// N s/m). The damping of beams is a matrix per beam and not in it.
    pub fn viscous(&self) -> Vec<S> {
        let mut all = vec![S::ZERO; self.nv()];
        for &(v, d) in &self.dampers {
            all[v] = d;
        }
        all
    }

    /// The gravity acceleration (m/s²), world.
    pub fn gravity(&self) -> Vec3<S> {
        self.gravity
    }

    /// Another gravity acceleration (m/s²), world.
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vec3<S>) -> Self {
        self.gravity = gravity;
        self
    }
    /// The configuration of rest.
    pub fn neutral(&self) -> Vec<S> {
        let mut q = vec![S::ZERO; self.nq()];
        for body in &self.bodies {
            body.kind.neutral(&mut q[body.q_range()]);
            if let Some(sliding) =
                body.bend.and_then(|bend| self.flexible_bodies[bend].sliding.as_ref())
            {
                q[body.q + body.nq] = sliding.neutral();
            }
        }
        q
    }

    /// `q̇` from `u`, into `qd`.
    ///
    /// # Panics
    /// When a slice does not have the length that the arm asks for.
    pub fn rate_into(&self, q: &[S], u: &[S], qd: &mut [S]) {
        self.check_lengths(q, [u]);
        self.check_lengths(qd, []);
        if q.len() == u.len() {
            return qd.copy_from_slice(u); // no quaternions
        }
        for body in &self.bodies {
            body.kind.rate(&q[body.q_range()], &u[body.v_range()], &mut qd[body.q_range()]);
            qd[body.bend_q()].copy_from_slice(&u[body.bend_v()]);
        }
    }

    /// Brings the quaternions of a configuration to unit length, in place.
    ///
    /// # Panics
    /// When the slice does not have the length that the arm asks for.
    pub fn normalise(&self, q: &mut [S]) {
        self.check_lengths(q, []);
        for body in &self.bodies {
            let quaternion = &mut q[match body.kind {
                JointKind::Spherical => body.q..body.q + 4,
                JointKind::Free => body.q + 3..body.q + 7,
                _ => continue,
            }];
            let factor = quaternion.iter().fold(S::ZERO, |sum, &c| sum + c * c).sqrt().recip();
            for component in quaternion {
                *component = *component * factor;
            }
        }
    }

    /// `q ⊞ du`: moves a configuration in the directions of the velocities, in place.
    ///
    /// # Panics
    /// When a slice does not have the length that the arm asks for.
    pub fn displace(&self, q: &mut [S], du: &[S]) {
        self.check_lengths(q, [du]);
        for body in &self.bodies {
            body.kind.displace(&mut q[body.q_range()], &du[body.v_range()]);
            for (q, &du) in q[body.bend_q()].iter_mut().zip(&du[body.bend_v()]) {
                *q += du;
            }
        }
    }

    /// The configuration coordinate whose rate a velocity is, if it is one's; with quaternions
    /// velocities are no rates.
    pub fn coordinate_of(&self, velocity: usize) -> Option<usize> {
        self.bodies.iter().find_map(|body| {
            if body.bend_v().contains(&velocity) {
                return Some(body.bend_q().start + velocity - body.bend_v().start);
            }
            let (q, v) = (body.q_range(), body.v_range());
            (q.len() == v.len() && v.contains(&velocity)).then(|| q.start + velocity - v.start)
        })
    }

    /// Whether a velocity coordinate is of a joint, and turns.
    pub fn turns(&self, velocity: usize) -> bool {
        let of = |link: usize| self.velocities_of(link).zip(self.joints()[link].turns());
        (0..self.body_count()).flat_map(of).any(|(v, turns)| v == velocity && *turns)
    }

    /// The velocity coordinates that are not prescribed, in order.
    pub fn free_velocities(&self) -> Vec<usize> {
        (0..self.nv()).filter(|v| !self.topology.prescribed.contains(v)).collect()
    }

    /// The only panic of the `_into` calls.
    pub(crate) fn check_lengths<const N: usize>(&self, q: &[S], others: [&[S]; N]) {
        assert_eq!(q.len(), self.nq(), "q has nq = {} entries", self.nq());
        self.check_rates(others);
    }

    /// The part of [`Arm::check_lengths`] for calls that take no configuration.
    pub(crate) fn check_rates<const N: usize>(&self, others: [&[S]; N]) {
        for other in others {
            assert_eq!(other.len(), self.nv(), "u, u̇ and τ have nv = {} entries", self.nv());
        }
    }

    /// The same arm in another arithmetic, every parameter converted but those of force elements.
    pub fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> Arm<T> {
        Arm {
            gravity: self.gravity.cast(convert),
            bodies: self
                .bodies
                .iter()
                .map(|b| Body {
                    parent: b.parent,
                    placement: b.placement.cast(convert),
                    kind: b.kind.cast(convert),
                    q: b.q,
                    v: b.v,
                    turn: b.turn,
                    nq: b.nq,
                    nv: b.nv,
                    prescribed: b.prescribed,
                    prescribed_length: b.prescribed_length,
                    inertia: b.inertia.cast(convert),
                    link: b.link.cast(convert),
                    modal_count: b.modal_count,
                    bend: b.bend,
                })
                .collect(),
            flexible_bodies: self.flexible_bodies.iter().map(|b| b.cast_with(convert)).collect(),
            frames: self
                .frames
                .iter()
                .map(|f| Frame {
                    link: f.link.clone(),
                    role: f.role,
                    name: f.name.clone(),
                    station: f.station,
                    pose: f.pose.cast(convert),
                })
                .collect(),
            springs: self.springs.iter().map(|s| s.cast(convert)).collect(),
            dampers: self.dampers.iter().map(|&(v, d)| (v, convert(d))).collect(),
            frictions: self.frictions.iter().map(|f| f.cast(convert)).collect(),
            couplings: self.couplings.iter().map(|c| c.cast(convert)).collect(),
            elements: Arc::clone(&self.elements),
            armature: self.armature.iter().map(|&a| convert(a)).collect(),
            has_armature: self.has_armature,
            topology: Arc::clone(&self.topology),
        }
    }
}

impl Arm<f64> {
    /// The same arm in another arithmetic.
    pub fn cast<T: Scalar>(&self) -> Arm<T> {
        self.cast_with(T::from_f64)
    }
}
