//! Forward dynamics by the articulated-body algorithm, O(N).
//!
//! 1. outward: `ω`, the acceleration `ζ` that remains when `u̇ = 0`, and the force
//!    `p = [ω×(ω×S); ω×Jω]` that the body needs for it
//! 2. inward: the inertia `I` that a body shows with everything it carries hanging loose;
//!    `U = I S`, `D = Sᵀ U`, `r = τ − Sᵀ p`,
//!    `Iᵃ = I − U D⁻¹ Uᵀ`, `pᵃ = p + Iᵃ ζ + U D⁻¹ r`,
//!    `I_p += Xᵀ Iᵃ X`, `p_p += Xᵀ pᵃ`
//! 3. outward: `A' = X A_p + ζ`, `u̇ = D⁻¹ (r − Uᵀ A')`, `A = A' + S u̇`
//!
//! Featherstone, table 7.1; Flexible (3.128) to (3.131), where the inertia is called composite but
//! is this one. `D = L Δ Lᵀ` is factored and `V = U L⁻ᵀ` formed, so that `Iᵃ = I − V Δ⁻¹ Vᵀ` is
//! symmetric to the last bit: without that the error grows exponentially along a chain.
//!
//! A prescribed joint gives its known acceleration to `ζ` and is not eliminated; its generalised
//! force is the answer.

mod blocks;

use super::bending::Deformation;
use super::hop::{Turns, combine};
use super::present::Present;
use crate::arm::{Arm, Body, JointKind};
use crate::scalar::Scalar;
use crate::spatial::{ArticulatedInertia, Force, Motion, Pose, Vec3};

/// Buffers of [`aba_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    turns: Turns<S>,
    stations: Vec<Station<S>>,
    /// Motion columns of joints (body frame) and of sections (section frame).
    columns: Vec<Motion<S>>,
    /// `V`, by velocity index, body frame.
    forces: Vec<Force<S>>,
    /// Force per bending acceleration, by velocity index, body frame.
    modal: Vec<Force<S>>,
    /// Modal forces at zero acceleration, then `Δ⁻¹ L⁻¹ r`, by velocity index.
    rests: Vec<S>,
    /// The factored `D` of each body, one after the other.
    factors: Vec<S>,
    /// Where each body's factor begins.
    factor_at: Vec<usize>,
    /// Motor force less springs and dampers.
    net: Vec<S>,
    deformation: Deformation<S>,
    /// Of prescribed lengths, each where its body's bending velocities are: the acceleration, then
    /// what the force needs besides, and the rest of the row of `D`.
    known: Vec<S>,
    /// Beams that slide.
    present: Present<S>,
}

/// What a body or a section keeps between the sweeps.
#[derive(Clone, Copy, Debug)]
struct Station<S> {
    /// Its frame, a body's in the station that it hangs on, a section's in its body.
    pose: Pose<S>,
    /// Angular velocity, own axes (rad/s).
    omega: Vec3<S>,
    /// Acceleration that remains at `u̇ = 0`, own frame.
    zeta: Motion<S>,
    /// Articulated inertia, own frame.
    inertia: ArticulatedInertia<S>,
    /// Force at zero acceleration, own frame.
    bias: Force<S>,
    /// Acceleration `[a; ω̇]`, gravity included, own frame.
    acceleration: Motion<S>,
}

impl<S: Scalar> Station<S> {
    const ZERO: Self = Self {
        pose: Pose::IDENTITY,
        omega: Vec3::ZERO,
        zeta: Motion::ZERO,
        inertia: ArticulatedInertia::ZERO,
        bias: Force::ZERO,
        acceleration: Motion::ZERO,
    };

    /// What is felt through a hop whose acceleration is all in `ζ`.
    #[inline]
    fn with_known_motion(&self) -> (ArticulatedInertia<S>, Force<S>) {
        (self.inertia, self.bias + self.inertia.times(&self.zeta))
    }

    /// Takes what hangs at the pose of another frame.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    fn carry(&mut self, pose: &Pose<S>, inertia: &ArticulatedInertia<S>, bias: &Force<S>) {
        self.inertia = self.inertia.plus(&inertia.seen_from(pose));
        self.bias += pose.force_to_outer(bias);
    }
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.nv();
        let mut size = 0;
        let factor_at = arm
            .bodies
            .iter()
            .map(|body| {
                let n = body.nv + body.nb;
                size += n * n;
                size - n * n
            })
            .collect();
        Self {
            turns: Turns::new(arm),
            stations: vec![Station::ZERO; arm.words.station_bodies.len()],
            columns: vec![Motion::ZERO; arm.words.column_count],
            forces: vec![Force::ZERO; n],
            modal: vec![Force::ZERO; n],
            rests: vec![S::ZERO; n],
            factors: vec![S::ZERO; size],
            factor_at,
            net: vec![S::ZERO; n],
            deformation: Deformation::new(&arm.bends),
            present: Present::new(arm),
            known: vec![S::ZERO; n],
        }
    }
}

/// The accelerations `u̇` for given generalised forces `tau` (external loads added to them).
///
/// At free joints `tau` is read and `ud` written. At prescribed joints `ud` is read and `tau`
/// written: the force that keeps the motion, of motor and loads together.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn aba_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    tau: &mut [S],
    ud: &mut [S],
) {
    arm.check_lengths(q, [u, tau, ud]);
    for &v in &arm.words.prescribed {
        tau[v] = S::ZERO;
    }
    work.net.copy_from_slice(tau);
    arm.subtract_passive_forces(q, u, &mut work.net);
    work.turns.evaluate(arm, q);
    let mut present = std::mem::take(&mut work.present);
    present.set(arm, q);
    work.stations[0].acceleration.linear = -arm.gravity;

    for (i, body) in arm.bodies.iter().enumerate() {
        let range = body.v_range();
        work.outward(i, body, &q[body.q_range()], &u[range.clone()], &ud[range]);
        if let Some(bend) = body.bend {
            let state = [&q[body.bend_q()], &u[body.bend_v()], &ud[body.bend_v()]];
            work.bend_outward(arm, i, present.bend(arm, bend), state);
        }
    }
    // joints of one axis on rigid bodies stay in the loop, everything else has calls of its own
    for (i, body) in arm.bodies.iter().enumerate().rev() {
        let (inertia, bias) = match body.kind {
            JointKind::Revolute if body.is_simple() => {
                work.eliminate_one(i, body, arm.armature[body.v], turn_column)
            }
            JointKind::Prismatic if body.is_simple() => {
                work.eliminate_one(i, body, arm.armature[body.v], slide_column)
            }
            _ => {
                work.inward(arm, i);
                continue;
            }
        };
        if body.parent > 0 {
            let pose = work.stations[i + 1].pose;
            work.stations[body.parent].carry(&pose, &inertia, &bias);
        }
    }
    for (i, body) in arm.bodies.iter().enumerate() {
        let parent = work.stations[body.parent].acceleration;
        let state = &mut work.stations[i + 1];
        let mut a = state.pose.motion_to_inner(&parent) + state.zeta;
        let turns = match body.kind {
            JointKind::Revolute if body.is_simple() => true,
            JointKind::Prismatic if body.is_simple() => false,
            _ => {
                work.forward(arm, i, a, tau, ud);
                continue;
            }
        };
        let acceleration = work.rests[body.v] - a.dot(&work.forces[body.v]);
        ud[body.v] = acceleration;
        if turns {
            a.angular.z += acceleration;
        } else {
            a.linear.z += acceleration;
        }
        state.acceleration = a;
    }
    work.present = present;
}

/// `U` and `D` of a turn about z.
#[inline]
fn turn_column<S: Scalar>(i: &ArticulatedInertia<S>, p: &Force<S>) -> (Force<S>, S, S) {
    let moment = Vec3::new(i.angular.xz, i.angular.yz, i.angular.zz);
    (Force { force: i.coupling.columns[2], moment }, i.angular.zz, p.moment.z)
}

/// `U` and `D` of a slide along z.
#[inline]
fn slide_column<S: Scalar>(i: &ArticulatedInertia<S>, p: &Force<S>) -> (Force<S>, S, S) {
    let force = Vec3::new(i.linear.xz, i.linear.yz, i.linear.zz);
    let [x, y, z] = i.coupling.columns;
    (Force { force, moment: Vec3::new(x.z, y.z, z.z) }, i.linear.zz, p.force.z)
}

impl<S: Scalar> Workspace<S> {
    /// (1) for one body.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    fn outward(&mut self, i: usize, body: &Body<S>, q: &[S], u: &[S], ud: &[S]) {
        let parent = self.stations[body.parent].omega;
        // ω_p×(ω_p×p), then into the body's axes
        let swing = |pose: &Pose<S>| {
            let around = parent.cross(parent.cross(pose.position));
            (pose.rotation.transpose_mul(parent), pose.rotation.transpose_mul(around))
        };
        let (pose, omega, mut zeta) = match &body.kind {
            JointKind::Revolute => {
                let pose = self.turns.pose(body);
                let (w, around) = swing(&pose);
                self.columns[body.v] = Motion::new(Vec3::ZERO, Vec3::AXES[2]);
                let omega = Vec3::new(w.x, w.y, w.z + u[0]);
                (pose, omega, Motion::new(around, w.cross_z(u[0])))
            }
            JointKind::Prismatic => {
                let pose = body.placement.slid(q[0]);
                let (w, around) = swing(&pose);
                self.columns[body.v] = Motion::new(Vec3::AXES[2], Vec3::ZERO);
                let coriolis = w.cross_z(u[0] + u[0]);
                (pose, w, Motion::new(around + coriolis, Vec3::ZERO))
            }
            kind => {
                let columns = &mut self.columns[body.v_range()];
                let hop = kind.cross(&body.placement, q, u, columns);
                let (w, around) = swing(&hop.pose);
                let joint = combine(columns, u);
                let coriolis = w.cross(joint.linear);
                let own = Motion::new(around + coriolis + coriolis, w.cross(joint.angular));
                (hop.pose, w + joint.angular, own + hop.bias)
            }
        };
        if body.prescribed {
            zeta += combine(&self.columns[body.v_range()], ud);
        }
        let inertia = ArticulatedInertia::rigid(&body.inertia);
        let bias = Force {
            force: omega.cross(omega.cross(body.inertia.first)),
            moment: omega.cross(inertia.angular * omega),
        };
        let acceleration = Motion::ZERO;
        self.stations[i + 1] = Station { pose, omega, zeta, inertia, bias, acceleration };
    }

    /// (2) for one degree of freedom along or about z.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    fn eliminate_one(
        &mut self,
        i: usize,
        body: &Body<S>,
        armature: S,
        column: impl Fn(&ArticulatedInertia<S>, &Force<S>) -> (Force<S>, S, S),
    ) -> (ArticulatedInertia<S>, Force<S>) {
        let state = &self.stations[i + 1];
        let (u, d, p) = column(&state.inertia, &state.bias);
        let inverse = (d + armature).recip();
        let rest = (self.net[body.v] - p) * inverse;
        let inertia = state.inertia.minus_dyad(&u, inverse);
        let bias = state.bias + inertia.times(&state.zeta) + u * rest;
        self.forces[body.v] = u * inverse;
        self.rests[body.v] = rest;
        (inertia, bias)
    }
}
