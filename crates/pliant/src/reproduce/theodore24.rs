//! Links that slide with the velocity of Theodore (24).
//!
//! As printed it is `ψ ξ̇ − η ψ' ξ l̇/l` across the beam, at a fixed place beside a payload with
//! `ψ ξ̇`, together with `l̇` along it, of matter. Lagrange's equations of this energy hold a Coriolis
//! force that is wrong by its own size wherever the hub turns.
//!
//! That velocity is not the rate of any position, so the recursions, which differentiate positions,
//! are not Lagrange's equations of its kinetic energy. The energy and the mass matrix are right by
//! the integrals of such a link; what is missing, `d/dt ∂T/∂ẏ − ∂T/∂y` of the link less what the
//! recursions find for it, is added here as a generalised force. It depends on the velocity of the
//! hub itself, not only on its acceleration: one more sign that (24) is for comparison only.

use super::unsupported::Unsupported;
use crate::arm::{Arm, Body, FlexibleBody};
use crate::beam::{Beam, Section, Sliding, Table};
use crate::dynamics::bending::Deformation;
use crate::dynamics::hop::Rates;
use crate::dynamics::{aba, kinematics, rnea};
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Force, Mat3, Motion, Pose, RigidInertia, Vec3};
use std::sync::Arc;

type D = Dual<f64, 1>;

/// What a beam has and Theodore (24) does not know.
pub(super) fn unknown(beam: &Beam) -> impl Iterator<Item = &'static str> {
    let Section { rho_i_z, rho_i_y, .. } = beam.profile.section_at(0.0);
    let all = [
        (beam.foreshortening, "that bending shortens it"),
        (rho_i_z != 0.0 || rho_i_y != 0.0, "rotary inertia"),
        (beam.basis.ways().torsion > 0, "twist"),
    ];
    all.into_iter().filter_map(|(asked, what)| asked.then_some(what))
}

/// `(ψ, l Dψ, l² D²ψ)` at a fixed place: what stands for them in (24).
fn at_fixed_place(table: &Table, eta: f64, _: f64) -> [f64; 3] {
    [table[0][0], -eta * table[0][1], 0.0]
}

/// The arm with the shape integrals of (24) for some of its bodies, which slide. The point that
/// their tips carry becomes part of them.
pub(super) fn integrated(arm: &Arm, bodies: &[usize]) -> Result<Arm, Unsupported> {
    let mut changed = arm.clone();
    for &body in bodies {
        let own = &arm.bodies[body];
        let Some(bend) = own.bend else { continue };
        let (beam, root) = &arm.topology.beams[bend];
        let Some(slide) = beam.slide else { continue };
        let lack = |what| Unsupported::Theodore24 { link: arm.link_names()[body].clone(), what };
        if let Some(what) = unknown(beam).next() {
            return Err(lack(what));
        }
        let carried = carried(arm, body).ok_or(lack("a load other than a point mass"))?;
        let payload = carried.iter().map(|&body| arm.bodies[body].inertia.mass).sum();
        let beam_alone = Sliding::new(beam, None, root, &RigidInertia::ZERO).1;
        let hub = less(&own.inertia, &beam_alone.undeformed());
        let (sliding, flexible) =
            Sliding::with(beam, slide.neutral(), root, &hub, (at_fixed_place, payload));
        changed.bodies[body].inertia = flexible.undeformed();
        changed.flexible_bodies[bend].flexible = flexible;
        changed.flexible_bodies[bend].sliding = Some(Arc::new(sliding));
        for body in carried {
            changed.bodies[body].inertia = RigidInertia::ZERO;
        }
    }
    Ok(changed)
}

/// The bodies that hang on the sections of a beam, if they are points there and do not move.
fn carried(arm: &Arm, carrier: usize) -> Option<Vec<usize>> {
    let mut poses: Vec<Option<Pose<f64>>> = vec![None; arm.body_count()];
    for (i, body) in arm.bodies.iter().enumerate() {
        let on_section = body.parent > arm.body_count();
        poses[i] = match arm.parent_of(i) {
            Some(parent) if parent == carrier && on_section => Some(body.placement),
            Some(parent) => poses[parent].map(|pose| pose.then(&body.placement)),
            None => None,
        };
        if let Some(pose) = poses[i] {
            let RigidInertia { first, second, .. } = body.inertia.seen_from(&pose);
            if body.nv + body.modal_count > 0 || first != Vec3::ZERO || second.trace() != 0.0 {
                return None;
            }
        }
    }
    Some((0..poses.len()).filter(|&i| poses[i].is_some()).collect())
}

/// What is left of a body without a part of it.
fn less(whole: &RigidInertia<f64>, part: &RigidInertia<f64>) -> RigidInertia<f64> {
    let part =
        RigidInertia { mass: -part.mass, first: -part.first, second: part.second.scaled(-1.0) };
    whole.plus(&part)
}

/// The room for the equations of an arm with such links.
#[derive(Clone, Debug)]
pub(super) struct Theodore24 {
    links: Vec<Link>,
    kinematics: kinematics::Workspace,
    deformation: Deformation<f64>,
    dual: Deformation<D>,
    rest: Vec<f64>,
    rnea: rnea::Workspace,
    aba: aba::Workspace,
    /// What the recursions miss, and the forces without it.
    missing: Vec<f64>,
    net: Vec<f64>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Link {
    body: usize,
    bend: FlexibleBody<f64>,
    dual: FlexibleBody<D>,
    /// Coordinates, rates, and `∂T/∂ẏ`.
    d: Vec<D>,
    rate: Vec<D>,
    momenta: Vec<D>,
    /// What the recursions find.
    found: Vec<f64>,
}

/// Momentum of a link, body frame, and its energy in a field of acceleration.
struct Moving {
    momentum: Force<D>,
    kinetic: D,
    first: Vec3<D>,
}

impl Theodore24 {
    /// Room for an arm whose integrals are [`integrated`] for these bodies.
    pub(super) fn new(arm: &Arm, bodies: &[usize]) -> Self {
        let link = |&body: &usize| {
            let own: &Body<f64> = &arm.bodies[body];
            let bend = &arm.flexible_bodies[own.bend?];
            Some(Link {
                body,
                bend: bend.clone(),
                dual: bend.cast_with(Dual::constant),
                d: vec![D::ZERO; own.modal_count],
                rate: vec![D::ZERO; own.modal_count],
                momenta: vec![D::ZERO; own.modal_count],
                found: vec![0.0; own.modal_count],
            })
        };
        let links: Vec<Link> = bodies.iter().filter_map(link).collect();
        let bends: Vec<FlexibleBody<D>> = links.iter().map(|link| link.dual.clone()).collect();
        let zeros = vec![0.0; arm.nv()];
        Self {
            links,
            kinematics: kinematics::Workspace::new(arm),
            deformation: Deformation::new(&arm.flexible_bodies),
            dual: Deformation::new(&bends),
            rnea: rnea::Workspace::new(arm),
            aba: aba::Workspace::new(arm),
            missing: zeros.clone(),
            net: zeros.clone(),
            rest: zeros,
        }
    }

    /// As [`rnea_into`](rnea::rnea_into).
    pub(super) fn inverse_dynamics_into(
        &mut self,
        arm: &Arm,
        [q, u, ud]: [&[f64]; 3],
        tau: &mut [f64],
    ) {
        rnea::rnea_into(arm, &mut self.rnea, q, u, ud, tau);
        self.add_missing(arm, q, u, -arm.gravity, tau);
    }

    /// As [`aba_into`](aba::aba_into).
    pub(super) fn forward_dynamics_into(
        &mut self,
        arm: &Arm,
        [q, u]: [&[f64]; 2],
        tau: &mut [f64],
        ud: &mut [f64],
    ) {
        let mut missing = std::mem::take(&mut self.missing);
        missing.fill(0.0);
        self.add_missing(arm, q, u, -arm.gravity, &mut missing);
        for (net, (tau, missing)) in self.net.iter_mut().zip(tau.iter().zip(&missing)) {
            *net = tau - missing;
        }
        aba::aba_into(arm, &mut self.aba, q, u, &mut self.net, ud);
        for &v in &arm.topology.prescribed {
            tau[v] = self.net[v] + missing[v];
        }
        self.missing = missing;
    }

    /// Adds what such links need beyond the recursions, the ground accelerating by `base` (m/s²).
    fn add_missing(&mut self, arm: &Arm, q: &[f64], u: &[f64], base: Vec3<f64>, tau: &mut [f64]) {
        let moving = self.kinematics.move_with(arm, q, u, &self.rest);
        for link in &mut self.links {
            let body = &arm.bodies[link.body];
            let (d, rate, range) = (&q[body.bend_q()], &u[body.bend_v()], body.bend_v());
            let twist = moving.body_twist(link.body);
            let base = moving.placed().body_pose(link.body).rotation.transpose_mul(base);

            // the recursions
            link.bend.slide(d);
            let omega = twist.angular;
            let accel = omega.cross(twist.linear) + base;
            let rates = Rates { omega, alpha: Vec3::ZERO, accel };
            self.deformation.bend(&link.bend, d);
            self.deformation.move_with(&link.bend, d, [rate, &self.rest[range.clone()]]);
            link.found.fill(0.0);
            let found = self.deformation.force_of_motion(
                &link.bend,
                d,
                &rates,
                &rates.tensor(),
                &mut link.found,
            );
            let weight = rnea::force_of(&self.deformation.inertia, base, &Mat3::ZERO);

            // Lagrange: along the motion, then along each coordinate
            for (to, (&re, &rate)) in link.d.iter_mut().zip(d.iter().zip(rate)) {
                *to = Dual { re, du: [rate] };
            }
            for (to, &rate) in link.rate.iter_mut().zip(rate) {
                *to = Dual::constant(rate);
            }
            let Force { force, moment } = link.moving(&mut self.dual, &twist).momentum;
            let [now, change] = [|x: D| x.re, |x: D| x.du[0]];
            let (linear, angular) = (force.cast(now), moment.cast(now));
            let needed = Force::new(
                force.cast(change) + omega.cross(linear),
                moment.cast(change) + omega.cross(angular) + twist.linear.cross(linear),
            ) + weight;
            for (k, found) in link.found.iter().enumerate() {
                tau[range.start + k] += link.momenta[k].du[0] - *found;
            }
            for k in 0..d.len() {
                for (to, &re) in link.d.iter_mut().zip(d) {
                    *to = Dual::constant(re);
                }
                link.d[k].du = [1.0];
                let Moving { kinetic, first, .. } = link.moving(&mut self.dual, &twist);
                tau[range.start + k] += base.dot(first.cast(change)) - kinetic.du[0];
            }
            let missing = Force::new(needed.force - found.force, needed.moment - found.moment);
            moving.placed().add_body_force(link.body, &missing, tau);
        }
    }
}

impl Link {
    /// The link at its coordinates and rates, `∂T/∂ẏ` into its momenta.
    fn moving(&mut self, deformation: &mut Deformation<D>, twist: &Motion<f64>) -> Moving {
        let Self { dual: bend, d, rate, momenta, .. } = self;
        bend.slide(d);
        let still = std::mem::take(&mut deformation.still);
        deformation.bend(bend, d);
        deformation.move_with(bend, d, [rate, &still[..d.len()]]);
        deformation.still = still;
        let twist =
            Motion::new(twist.linear.cast(Dual::constant), twist.angular.cast(Dual::constant));
        let whole = deformation.whole(bend, d, &twist);
        momenta.fill(D::ZERO);
        bend.flexible.reduce(d, &deformation.h[..bend.flexible.nz()], momenta);
        Moving { momentum: whole.momentum, kinetic: whole.kinetic, first: whole.inertia.first }
    }
}
