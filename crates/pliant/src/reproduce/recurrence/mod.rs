//! Inverse dynamics and mass matrix as linear recurrences in base coordinates.
//!
//! King, section 5.4 and table 5.2, corrected. When everything that passes from link to link is
//! expressed in the axes of the base, passing it is adding: angular velocities, accelerations,
//! forces and moments are homogeneous recurrences, `x_i = x_{i-1} + b_i`, each with a `b` that the
//! ones before it make known. Rotations are a recurrence of products, and mass centres an
//! inhomogeneous one. All can be solved by doubling ([`Evaluation`]), between them everything is
//! done link by link. What a link needs for itself is evaluated in its own axes.
//!
//! 1. `T_i = T_{i-1} E_{i-1} A_i` (5-7)
//! 2. `ω_i = ω_{i-1} + w_{i-1} + z_i q̇_i` (5-11), `w` the spin of the section that carries link `i`
//! 3. `ω̇_i = ω̇_{i-1} + (ω_{i-1} + w_{i-1}) × z_i q̇_i + ω_{i-1} × w_{i-1} + ẇ_{i-1} + z_i q̈_i` (5-13)
//! 4. `a_i = a_{i-1} + ω̇ × r + ω × (ω × r) + 2 ω × ṙ + r̈` of link `i-1` (5-15)
//! 5. `F_i`, `N_i` and the modal forces of each link by itself (5-17), (5-18)
//! 6. `f_i = f_{i+1} + F_i` (5-19)
//! 7. `n_i = n_{i+1} + r_i × f_{i+1} + N_i` (5-21)
//! 8. `τ_i = z_i · n_i`, `τ_ik = t_ik + Φ_ik · n_{i+1} + Δ_ik · f_{i+1}` (5-22) to (5-25)
//!
//! In (5-12) the term `φ̇_{i-1} × z_i q̇_i` is missing, and gravity is minus the base's acceleration.
//! The accelerations that King's tables leave out are in. Sections turn exactly, or as each link is
//! told.

mod inertia;
mod scan;

pub use inertia::mass_matrix_into;
pub use scan::Evaluation;

use super::chain::{self, Link, Rotation};
use super::unsupported::Unsupported;
use crate::arm::{Arm, JointKind};
use crate::dynamics::{passive, rnea};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Vec3};
use inertia::Composite;

/// Buffers of [`inverse_dynamics_into`] and [`mass_matrix_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    how: Evaluation,
    levels: usize,
    /// How the sections of each link turn.
    rotations: Vec<Rotation>,
    links: Vec<Link<S>>,
    /// Frames of the sections that carry the next links, base axes.
    frames: Vec<Mat3<S>>,
    /// Each link's vectors in base axes.
    based: Vec<Based<S>>,
    omega: Vec<Vec3<S>>,
    alpha: Vec<Vec3<S>>,
    accel: Vec<Vec3<S>>,
    /// What each link needs for itself, base axes, and its bending.
    own: Vec<Own<S>>,
    /// Forces and moments that each link takes from the one before, base axes, outermost first.
    force: Vec<Vec3<S>>,
    moment: Vec<Vec3<S>>,
    composite: Composite<S>,
    passive: passive::Workspace<S>,
}

/// Vectors of one link in base axes.
#[derive(Clone, Copy, Debug)]
struct Based<S> {
    /// `T_i`.
    rotation: Mat3<S>,
    /// `z_i q̇_i` and `z_i q̈_i`.
    turning: Vec3<S>,
    turning_rate: Vec3<S>,
    reach: Vec3<S>,
    /// Twice the rate.
    reach_rate: Vec3<S>,
    reach_acceleration: Vec3<S>,
    spin: Vec3<S>,
    spin_rate: Vec3<S>,
}

/// What a link needs for itself.
#[derive(Clone, Debug)]
struct Own<S> {
    /// Base axes.
    wrench: Force<S>,
    /// The joint's share of `tau`.
    joint: S,
    modal: Vec<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation of an arm, or why the arm is not for this method.
    pub fn new(arm: &Arm<S>, how: Evaluation) -> Result<Self, Unsupported> {
        Self::turning(arm, how, vec![Rotation::Exact; arm.body_count()])
    }

    /// The same with a rotation for the sections of each link.
    pub(super) fn turning(
        arm: &Arm<S>,
        how: Evaluation,
        rotations: Vec<Rotation>,
    ) -> Result<Self, Unsupported> {
        chain::check(arm)?;
        let n = arm.body_count();
        let zeros = vec![Vec3::ZERO; n];
        let none = Based {
            rotation: Mat3::IDENTITY,
            turning: Vec3::ZERO,
            turning_rate: Vec3::ZERO,
            reach: Vec3::ZERO,
            reach_rate: Vec3::ZERO,
            reach_acceleration: Vec3::ZERO,
            spin: Vec3::ZERO,
            spin_rate: Vec3::ZERO,
        };
        let own = |modal_count: usize| Own {
            wrench: Force::ZERO,
            joint: S::ZERO,
            modal: vec![S::ZERO; modal_count],
        };
        Ok(Self {
            how,
            levels: 0,
            rotations,
            links: Link::all(arm),
            frames: vec![Mat3::IDENTITY; n],
            based: vec![none; n],
            omega: zeros.clone(),
            alpha: zeros.clone(),
            accel: zeros.clone(),
            own: arm.bodies.iter().map(|body| own(body.modal_count)).collect(),
            force: zeros.clone(),
            moment: zeros,
            composite: Composite::new(arm),
            passive: passive::Workspace::new(arm),
        })
    }

    /// The levels of doubling that each recurrence of the last evaluation took.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// (1), and each link by itself.
    fn place(&mut self, arm: &Arm<S>, q: &[S]) {
        let (how, rotations) = (self.how, &self.rotations);
        how.each(&mut self.links, |i, link| link.place(arm, i, rotations[i], q));
        let links = &self.links;
        how.each(&mut self.frames, |i, frame| *frame = links[i].joint.matmul(&links[i].tip));
        self.levels = how.scan(&mut self.frames, |inner, outer| inner.matmul(&outer));
        let frames = &self.frames;
        how.each(&mut self.based, |i, based| {
            let joint = &links[i].joint;
            based.rotation = if i == 0 { *joint } else { frames[i - 1].matmul(joint) };
            based.reach = based.rotation * links[i].reach;
        });
    }

    /// (2) to (4): how every link moves.
    fn move_outward(&mut self, arm: &Arm<S>, u: &[S], ud: &[S]) {
        let how = self.how;
        how.each(&mut self.links, |i, link| link.set_moving(arm, i, u));
        let links = &self.links;
        how.each(&mut self.based, |i, based| {
            let (body, link, t) = (&arm.bodies[i], &links[i], based.rotation);
            if matches!(body.kind, JointKind::Revolute) {
                based.turning = t.columns[2] * u[body.v];
                based.turning_rate = t.columns[2] * ud[body.v];
            }
            if body.bend.is_some() {
                let (mut reach, mut spin) = (link.reach_bias, link.spin_bias);
                for (mode, &ud) in link.modes.iter().zip(&ud[body.bend_v()]) {
                    reach = mode.shift.mul_add(ud, reach);
                    spin = mode.turn.mul_add(ud, spin);
                }
                based.reach_rate = t * link.reach_rate;
                based.reach_acceleration = t * reach;
                based.spin = t * link.spin;
                based.spin_rate = t * spin;
            }
        });
        let based = &self.based;
        let add = |inner: Vec3<S>, outer: Vec3<S>| inner + outer;
        how.each(&mut self.omega, |i, omega| {
            *omega = based[i].turning;
            if i > 0 {
                *omega += based[i - 1].spin;
            }
        });
        how.scan(&mut self.omega, add);
        let omega = &self.omega;
        how.each(&mut self.alpha, |i, alpha| {
            *alpha = based[i].turning_rate;
            if i > 0 {
                let (w, before) = (omega[i - 1], &based[i - 1]);
                *alpha += (w + before.spin).cross(based[i].turning)
                    + w.cross(before.spin)
                    + before.spin_rate;
            }
        });
        how.scan(&mut self.alpha, add);
        let alpha = &self.alpha;
        how.each(&mut self.accel, |i, accel| {
            *accel = if i > 0 {
                let (w, before) = (omega[i - 1], &based[i - 1]);
                alpha[i - 1].cross(before.reach)
                    + w.cross(w.cross(before.reach) + before.reach_rate)
                    + before.reach_acceleration
            } else {
                -arm.gravity
            };
        });
        how.scan(&mut self.accel, add);
    }

    /// (5): what each link needs for itself.
    fn link_forces(&mut self, arm: &Arm<S>, ud: &[S]) {
        let (links, based) = (&self.links, &self.based);
        let [omega, alpha, accel] = [&self.omega, &self.alpha, &self.accel];
        self.how.each(&mut self.own, |i, own| {
            let (body, link, t) = (&arm.bodies[i], &links[i], &based[i].rotation);
            let [w, alpha, a] = [omega[i], alpha[i], accel[i]].map(|v| t.transpose_mul(v));
            let mut force = a * link.matter.mass
                + alpha.cross(link.matter.first)
                + w.cross(w.cross(link.matter.first) + link.first_rate);
            let mut moment =
                link.matter.first.cross(a) + link.inertia * alpha + w.cross(link.inertia * w);
            if let Some(bend) = body.bend {
                moment += link.inertia_rate * w;
                let ud = &ud[body.bend_v()];
                own.modal.fill(S::ZERO);
                arm.flexible_bodies[bend].flexible.add_modal_mass(ud, &mut own.modal);
                for ((mode, &ud), modal) in link.modes.iter().zip(ud).zip(&mut own.modal) {
                    force = mode.first.mul_add(ud, force);
                    moment = mode.arm.mul_add(ud, moment);
                    *modal += mode.first.dot(a) + mode.arm.dot(alpha)
                        - w.dot(mode.beta * w + mode.across);
                }
            }
            own.wrench = Force::new(*t * force, *t * moment);
        });
    }

    /// (6) to (8): what each joint and each shape feels.
    fn accumulate_inward(&mut self) {
        let (how, n) = (self.how, self.links.len());
        let (links, based) = (&self.links, &self.based);
        let own = &self.own;
        let add = |outer: Vec3<S>, inner: Vec3<S>| outer + inner;
        how.each(&mut self.force, |k, force| *force = own[n - 1 - k].wrench.force);
        how.scan(&mut self.force, add);
        let force = &self.force;
        how.each(&mut self.moment, |k, moment| {
            let i = n - 1 - k;
            *moment = own[i].wrench.moment;
            if k > 0 {
                *moment += based[i].reach.cross(force[k - 1]);
            }
        });
        how.scan(&mut self.moment, add);
        let moment = &self.moment;
        how.each(&mut self.own, |i, own| {
            let (k, t) = (n - 1 - i, &based[i].rotation);
            own.joint = t.columns[2].dot(moment[k]);
            if k > 0 && !own.modal.is_empty() {
                let [f, m] = [force[k - 1], moment[k - 1]].map(|v| t.transpose_mul(v));
                for (modal, mode) in own.modal.iter_mut().zip(&links[i].modes) {
                    *modal += mode.turn.dot(m) + mode.shift.dot(f);
                }
            }
        });
    }
}

/// As [`rnea_into`](rnea::rnea_into), by linear recurrences.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn inverse_dynamics_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    ud: &[S],
    tau: &mut [S],
) {
    arm.check_lengths(q, [u, ud, tau]);
    work.place(arm, q);
    work.move_outward(arm, u, ud);
    work.link_forces(arm, ud);
    work.accumulate_inward();
    for (body, own) in arm.bodies.iter().zip(&work.own) {
        tau[body.v_range()].fill(own.joint);
        tau[body.bend_v()].copy_from_slice(&own.modal);
    }
    rnea::add_passive_forces(arm, &mut work.passive, q, u, ud, tau);
}
