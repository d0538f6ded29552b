//! What drives a joint: motor, gear, and what gives way between them and the link.
//!
//! An elastic joint has two coordinates: that of the link, `q`, under the joint's own name, and
//! that of the motor, `θ`, with `.motor` behind it; both are counted behind the gear. Between them
//! are a spring and a damper:
//!
//! `M(q) q̈ + … + k (q − θ) + d (q̇ − θ̇) = 0` and `J θ̈ + k (θ − q) + d (θ̇ − q̇) + friction = τ`,
//!
//! with `J = gear² · rotor inertia`. That is Spong's model: the rotor counts by its own spin
//! alone, and what its gyroscopic moments would do to the link that carries it is left out. Its
//! mass belongs to that link.

use super::link::Link;
use super::tree::Arm;
use crate::Help;
use crate::scalar::Scalar;

/// The drive of a joint with one coordinate. Everything is counted at the joint, behind the gear,
/// but for the inertia of the rotor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuator {
    /// The largest force, either way (N m, N); infinite without a limit.
    pub force: f64,
    /// The largest speed at which it drives (rad/s, m/s); infinite without a limit.
    pub speed: f64,
    /// The inertia of the rotor about its own axis (kg m²).
    pub rotor_inertia: f64,
    /// How far the rotor turns for a turn of the joint; rad/m where the joint slides.
    pub gear: f64,
    /// The spring between motor and link (N m/rad, N/m); without one the joint is rigid.
    pub stiffness: Option<f64>,
    /// The damper beside that spring (N m s/rad, N s/m).
    pub damping: f64,
    /// Viscous friction of motor and gear (N m s/rad, N s/m).
    pub viscous: f64,
    /// Dry friction of motor and gear (N m, N): see [`Friction`].
    pub coulomb: f64,
    /// The speed over which dry friction turns round (rad/s, m/s).
    pub coulomb_speed: f64,
}

impl Default for Actuator {
    /// One without limits, inertia and friction, on a rigid joint.
    fn default() -> Self {
        Self {
            force: f64::INFINITY,
            speed: f64::INFINITY,
            rotor_inertia: 0.0,
            gear: 1.0,
            stiffness: None,
            damping: 0.0,
            viscous: 0.0,
            coulomb: 0.0,
            coulomb_speed: 0.0,
        }
    }
}

/// What is wrong with an [`Actuator`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActuatorFault {
    /// A joint of another kind.
    #[error("an actuator drives one coordinate, and a {joint} joint has {count}")]
    Joint {
        /// The kind of joint.
        joint: &'static str,
        /// How many coordinates it has.
        count: usize,
    },
    /// A number that must be above zero.
    #[error("the {quantity} of the actuator is {value}")]
    NotPositive {
        /// Which number.
        quantity: &'static str,
        /// As given.
        value: f64,
    },
    /// A number that must not be negative.
    #[error("the {quantity} of the actuator is {value}")]
    Negative {
        /// Which number.
        quantity: &'static str,
        /// As given.
        value: f64,
    },
    /// A spring that ends at nothing.
    #[error("the joint is elastic, but nothing turns on the motor's side")]
    NoRotor,
    /// A damper beside no spring.
    #[error("there is a damper between motor and link, but no spring")]
    NoSpring,
}

impl Help for ActuatorFault {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Joint { .. } => "give it a revolute or prismatic joint",
            Self::NotPositive { .. } => "give more than zero",
            Self::Negative { .. } => "give zero or more",
            Self::NoRotor => "give its `rotor_inertia`",
            Self::NoSpring => "give its `stiffness`",
        };
        Some(help.into())
    }
}

impl Actuator {
    /// The inertia of the rotor as the joint feels it, `gear² · rotor_inertia` (kg m², kg).
    pub fn armature(&self) -> f64 {
        self.gear * self.gear * self.rotor_inertia
    }

    /// What is wrong with it on a link.
    pub(super) fn check(&self, link: &Link, mut fault: impl FnMut(ActuatorFault)) {
        let (joint, count) = (link.joint.word(), link.joint.nv());
        if count != 1 {
            fault(ActuatorFault::Joint { joint, count });
        }
        let dry = if self.coulomb > 0.0 { self.coulomb_speed } else { 1.0 };
        let numbers = [
            ("force", self.force, f64::INFINITY),
            ("speed", self.speed, f64::INFINITY),
            ("gear", self.gear, f64::MAX),
            ("stiffness", self.stiffness.unwrap_or(1.0), f64::MAX),
            ("coulomb_speed", dry, f64::MAX),
        ];
        for (quantity, value, most) in numbers {
            if !(value > 0.0 && value <= most) {
                fault(ActuatorFault::NotPositive { quantity, value });
            }
        }
        let numbers = [
            ("rotor_inertia", self.rotor_inertia),
            ("damping", self.damping),
            ("viscous", self.viscous),
            ("coulomb", self.coulomb),
        ];
        for (quantity, value) in numbers {
            if !(value >= 0.0 && value.is_finite()) {
                fault(ActuatorFault::Negative { quantity, value });
            }
        }
        let turns = self.armature() + link.armature.iter().sum::<f64>();
        if self.stiffness.is_some() && turns == 0.0 && !link.prescribed {
            fault(ActuatorFault::NoRotor);
        }
        if self.stiffness.is_none() && self.damping > 0.0 {
            fault(ActuatorFault::NoSpring);
        }
    }
}

/// The motor's side of a link's joint where that is elastic: a body without matter that turns as
/// the motor does, with the inertia of the rotor. What the joint had of a motor goes there.
pub(super) fn rotor(link: &mut Link) -> Option<Link> {
    link.actuator.and_then(|actuator| actuator.stiffness)?;
    let joint = link.joint_name.as_deref().unwrap_or(&link.name);
    let rotor = Link {
        joint_name: Some(format!("{joint}.motor")),
        joint: link.joint,
        armature: std::mem::take(&mut link.armature),
        prescribed: std::mem::take(&mut link.prescribed),
        actuator: link.actuator.take(),
        ..Link::new(format!("{}.motor", link.name))
    };
    Some(rotor)
}

/// Dry friction `c u / √(u² + s²)` against a velocity `u`: Coulomb's, without his jump at rest. At
/// `u = s` it is 0.71 of `c`, at `u = 10 s` 0.995. A root is alike on every machine and in
/// every arithmetic, which a hyperbolic tangent is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction<S> {
    /// The velocity coordinate.
    pub(crate) v: usize,
    /// `c` (N m, N).
    pub(crate) coulomb: S,
    /// `s²` (rad²/s², m²/s²).
    pub(crate) square: S,
}

impl<S: Scalar> Friction<S> {
    pub(crate) fn cast<T: Scalar>(self, convert: impl Fn(S) -> T) -> Friction<T> {
        Friction { v: self.v, coulomb: convert(self.coulomb), square: convert(self.square) }
    }

    /// What moves against it needs this force (N m, N).
    pub(crate) fn force(&self, u: &[S]) -> S {
        let u = u[self.v];
        self.coulomb * u * u.mul_add(u, self.square).sqrt().recip()
    }
}

/// Spring and damper between the motor and the link of an elastic joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling<S> {
    /// The bodies of link and motor.
    pub(crate) bodies: [usize; 2],
    /// Their configuration coordinates.
    pub(crate) q: [usize; 2],
    /// Their velocity coordinates.
    pub(crate) v: [usize; 2],
    /// `k` (N m/rad, N/m).
    pub(crate) stiffness: S,
    /// `d` (N m s/rad, N s/m).
    pub(crate) damping: S,
}

impl<S: Scalar> Coupling<S> {
    pub(crate) fn cast<T: Scalar>(self, convert: impl Fn(S) -> T) -> Coupling<T> {
        Coupling {
            bodies: self.bodies,
            q: self.q,
            v: self.v,
            stiffness: convert(self.stiffness),
            damping: convert(self.damping),
        }
    }

    /// How far the link is ahead of the motor (rad, m).
    fn stretch(&self, q: &[S]) -> S {
        q[self.q[0]] - q[self.q[1]]
    }

    /// What holds the spring, on the link; on the motor it is the opposite (N m, N).
    pub(crate) fn spring(&self, q: &[S]) -> S {
        self.stiffness * self.stretch(q)
    }

    /// What the spring stores (J).
    pub(crate) fn energy(&self, q: &[S]) -> S {
        S::from_f64(0.5) * self.spring(q) * self.stretch(q)
    }

    /// What drives the damper, on the link; on the motor it is the opposite (N m, N).
    pub(crate) fn damper(&self, u: &[S]) -> S {
        self.damping * (u[self.v[0]] - u[self.v[1]])
    }

    /// What the damper takes (W).
    pub(crate) fn dissipation(&self, u: &[S]) -> S {
        self.damper(u) * (u[self.v[0]] - u[self.v[1]])
    }
}

impl<S: Scalar> Arm<S> {
    /// Whether a body is no link, but the motor's side of an elastic joint. Those come last.
    pub fn is_rotor(&self, body: usize) -> bool {
        self.couplings.iter().any(|coupling| coupling.bodies[1] == body)
    }

    /// The body that is the motor's side of a link's joint, if that is elastic.
    pub fn rotor_of(&self, link: usize) -> Option<usize> {
        let coupling = self.couplings.iter().find(|coupling| coupling.bodies[0] == link);
        coupling.map(|coupling| coupling.bodies[1])
    }

    /// The link whose joint a motor turns through a spring.
    pub fn link_of_rotor(&self, body: usize) -> Option<usize> {
        let coupling = self.couplings.iter().find(|coupling| coupling.bodies[1] == body);
        coupling.map(|coupling| coupling.bodies[0])
    }

    /// The joints with one coordinate and a motor, as velocity coordinates.
    pub fn driven_joints(&self) -> Vec<usize> {
        let drives = (0..self.body_count()).flat_map(|link| self.drives_of(link));
        drives.filter(|v| self.coordinate_of(*v).is_some()).collect()
    }

    /// The velocity coordinate on which the motor of a joint's coordinate acts: another one where
    /// the joint is elastic.
    pub fn motor_of(&self, velocity: usize) -> usize {
        let coupling = self.couplings.iter().find(|coupling| coupling.v[0] == velocity);
        coupling.map_or(velocity, |coupling| coupling.v[1])
    }

    /// The largest force of the motor of each velocity coordinate (N m, N), infinite without a
    /// limit.
    pub fn force_limits(&self) -> &[f64] {
        &self.topology.force_limits
    }

    /// The largest speed at which the motor of each velocity coordinate drives (rad/s, m/s),
    /// infinite without a limit.
    pub fn speed_limits(&self) -> &[f64] {
        &self.topology.speed_limits
    }

    /// Why no motor can act on a velocity coordinate, if none can.
    pub fn no_motor_on(&self, velocity: usize) -> Option<NoMotor> {
        if self.motor_of(velocity) != velocity {
            return Some(NoMotor::LinkSide);
        }
        let bodies = 0..self.body_count();
        bodies.into_iter().find_map(|body| {
            if self.bending_of(body).1.contains(&velocity) {
                return Some(NoMotor::Bending);
            }
            (self.is_hinge(body) && self.velocities_of(body).contains(&velocity))
                .then_some(NoMotor::Hinge)
        })
    }
}

/// Why a velocity coordinate has no motor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMotor {
    /// It bends a link.
    #[error("bends a link and has no motor")]
    Bending,
    /// It is a hinge between the rigid pieces of a beam.
    #[error("is a hinge between the pieces of a beam and has no motor")]
    Hinge,
    /// It is the link's side of an elastic joint.
    #[error("is the link's side of an elastic joint")]
    LinkSide,
}

impl Help for NoMotor {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Bending | Self::Hinge => "drive a joint, or load a frame",
            Self::LinkSide => "drive its motor, of the same name with .motor",
        };
        Some(help.into())
    }
}
