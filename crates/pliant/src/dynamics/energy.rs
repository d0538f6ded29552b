//! Energies, momenta and power.

use super::kinematics::Moving;
use super::passive;
use crate::arm::{Arm, Body};
use crate::scalar::Scalar;
use crate::spatial::{Force, Vec3};

/// The energies of a moving arm (J).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies<S = f64> {
    /// `½ uᵀ M u`, armature included.
    pub kinetic: S,
    /// `−Σ g·(m p + R S)`: of gravity, zero at the world's origin.
    pub potential: S,
    /// Stored in springs, beams and force elements.
    pub elastic: S,
}

/// The momenta of a moving arm, world axes. Armature belongs to drives and has no part in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momenta<S = f64> {
    /// Linear (kg m/s).
    pub linear: Vec3<S>,
    /// Angular, about the world's origin (kg m²/s).
    pub angular: Vec3<S>,
}

/// Where power goes (W). Their sum is the rate of the arm's total energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power<S = f64> {
    /// Put in by the generalised forces, `τ·u`.
    pub motors: S,
    /// Put in by external loads.
    pub loads: S,
    /// Taken by dampers and friction, never positive, and by force elements beside their energies.
    pub dampers: S,
}

impl<S: Scalar> Energies<S> {
    /// All of it.
    pub fn total(&self) -> S {
        self.kinetic + self.potential + self.elastic
    }
}

impl<S: Scalar> Power<S> {
    /// The power of motors `tau` and generalised external forces `loads` in the state `q`, `u`.
    ///
    /// # Panics
    /// When a slice does not have the length that `arm` asks for.
    pub fn new(
        arm: &Arm<S>,
        work: &mut passive::Workspace<S>,
        [q, u]: [&[S]; 2],
        tau: &[S],
        loads: &[S],
    ) -> Self {
        arm.check_lengths(q, []);
        for slice in [u, tau, loads] {
            assert_eq!(slice.len(), arm.nv(), "u, τ and loads have nv = {} entries", arm.nv());
        }
        Self::beside(work.power(arm, q, u), u, tau, loads)
    }

    /// The same with the power of dampers given.
    pub(crate) fn beside(dampers: S, u: &[S], tau: &[S], loads: &[S]) -> Self {
        let dot =
            |force: &[S]| force.iter().zip(u).fold(S::ZERO, |sum, (&force, &u)| sum + force * u);
        Self { motors: dot(tau), loads: dot(loads), dampers }
    }

    /// All of it.
    pub fn total(&self) -> S {
        self.motors + self.loads + self.dampers
    }
}

/// The energies of an arm that moves as `moving` with the configuration `q` and velocities `u`.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn energies<S: Scalar>(
    arm: &Arm<S>,
    work: &mut passive::Workspace<S>,
    moving: &Moving<'_, S>,
    q: &[S],
    u: &[S],
) -> Energies<S> {
    arm.check_lengths(q, [u]);
    let half = S::from_f64(0.5);
    let (mut kinetic, mut potential, mut elastic) = (S::ZERO, S::ZERO, S::ZERO);
    for (i, body) in arm.bodies.iter().enumerate() {
        let twist = moving.body_twist(i);
        let inertia = if let Some(bend) = body.bend {
            let whole = moving.whole(bend);
            kinetic += whole.kinetic;
            elastic += whole.elastic;
            &whole.inertia
        } else {
            kinetic += half * twist.dot(&body.inertia.times(&twist));
            &body.inertia
        };
        let pose = moving.placed().body_pose(i);
        let first = pose.position * inertia.mass + pose.rotation * inertia.first;
        potential -= arm.gravity.dot(first);
    }
    for (&armature, &u) in arm.armature.iter().zip(u) {
        kinetic += half * armature * u * u;
    }
    elastic += work.stored(arm, moving, q, u);
    Energies { kinetic, potential, elastic }
}

/// The matter of a body that moves, body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MovingMatter<S> {
    /// Its mass (kg).
    mass: S,
    /// Its first moment `∫ r dm` (kg m).
    first: Vec3<S>,
    /// Its linear momentum (kg m/s).
    momentum: Vec3<S>,
}

impl<S: Scalar> MovingMatter<S> {
    /// How many numbers it is.
    pub(crate) const LEN: usize = 7;

    /// The matter of a body of an arm that moves as `moving`.
    pub(crate) fn of(arm: &Arm<S>, moving: &Moving<'_, S>, body: usize) -> Self {
        let (inertia, momentum) = if let Some(bend) = arm.bodies[body].bend {
            (&moving.whole(bend).inertia, moving.whole(bend).momentum)
        } else {
            let inertia = &arm.bodies[body].inertia;
            (inertia, inertia.times(&moving.body_twist(body)))
        };
        Self { mass: inertia.mass, first: inertia.first, momentum: momentum.force }
    }

    pub(crate) fn to_array(self) -> [S; 7] {
        let ([a, b, c], [d, e, f]) = (self.first.to_array(), self.momentum.to_array());
        [self.mass, a, b, c, d, e, f]
    }

    pub(crate) fn from_array([mass, a, b, c, d, e, f]: [S; 7]) -> Self {
        Self { mass, first: Vec3::new(a, b, c), momentum: Vec3::new(d, e, f) }
    }
}

impl MovingMatter<f64> {
    /// The centre of mass (m) and its velocity (m/s); none where nothing weighs.
    pub(crate) fn centre(&self) -> Option<(Vec3<f64>, Vec3<f64>)> {
        let share = 1.0 / self.mass;
        (self.mass > 0.0).then(|| (self.first * share, self.momentum * share))
    }
}

/// `∫ r² dm` about the world's origin (kg m²).
pub(crate) fn spread<S: Scalar>(arm: &Arm<S>, moving: &Moving<'_, S>) -> S {
    let of_body = |(i, body): (usize, &Body<S>)| {
        let inertia = body.bend.map_or(&body.inertia, |bend| &moving.whole(bend).inertia);
        let pose = moving.placed().body_pose(i);
        let (p, first) = (pose.position, pose.rotation * inertia.first);
        inertia.mass * p.dot(p) + S::from_f64(2.0) * p.dot(first) + inertia.second.trace()
    };
    arm.bodies.iter().enumerate().map(of_body).fold(S::ZERO, |sum, own| sum + own)
}

/// The momenta of an arm that moves as `moving`.
pub fn momenta<S: Scalar>(arm: &Arm<S>, moving: &Moving<'_, S>) -> Momenta<S> {
    let mut sum = Force::ZERO;
    for (i, body) in arm.bodies.iter().enumerate() {
        let momentum = match body.bend {
            Some(bend) => moving.whole(bend).momentum,
            None => body.inertia.times(&moving.body_twist(i)),
        };
        sum += moving.placed().body_pose(i).force_to_outer(&momentum);
    }
    Momenta { linear: sum.force, angular: sum.moment }
}
