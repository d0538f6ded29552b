//! Links that slide with the velocity of Theodore (24).
//!
//! That velocity is not the rate of any position, so the recursions, which differentiate positions,
//! are not Lagrange's equations of its kinetic energy. The energy and the mass matrix are right by
//! the integrals of such a link; what is missing, `d/dt ∂T/∂ẏ − ∂T/∂y` of the link less what the
//! recursions find for it, is added here as a generalised force. It depends on the velocity of the
//! hub itself, not only on its acceleration: one more sign that (24) is for comparison only.

use super::bending::Deformation;
use super::hop::Rates;
use super::kinematics;
use super::rnea::force_of;
use crate::arm::{Arm, Bend};
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Force, Mat3, Motion, Vec3};

type D<S> = Dual<S, 1>;

/// The room for what such links need beyond the recursions; nothing where there are none.
#[derive(Clone, Debug)]
pub(super) struct Paper<S> {
    links: Vec<Link<S>>,
    kinematics: kinematics::Workspace<S>,
    deformation: Deformation<S>,
    dual: Deformation<D<S>>,
    rest: Vec<S>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Link<S> {
    body: usize,
    bend: Bend<S>,
    dual: Bend<D<S>>,
    /// Coordinates, rates, and `∂T/∂ẏ`.
    d: Vec<D<S>>,
    rate: Vec<D<S>>,
    momenta: Vec<D<S>>,
    /// What the recursions find.
    found: Vec<S>,
}

/// Momentum of a link, body frame, and its energy in a field of acceleration.
struct Moving<S> {
    momentum: Force<D<S>>,
    kinetic: D<S>,
    first: Vec3<D<S>>,
}

impl<S: Scalar> Paper<S> {
    pub(super) fn new(arm: &Arm<S>) -> Option<Box<Self>> {
        let link = |(body, own): (usize, &crate::arm::Body<S>)| {
            let bend = &arm.bends[own.bend?];
            bend.sliding.as_ref()?.is_paper().then(|| Link {
                body,
                bend: bend.clone(),
                dual: bend.cast_with(Dual::constant),
                d: vec![D::ZERO; own.nb],
                rate: vec![D::ZERO; own.nb],
                momenta: vec![D::ZERO; own.nb],
                found: vec![S::ZERO; own.nb],
            })
        };
        let links: Vec<Link<S>> = arm.bodies.iter().enumerate().filter_map(link).collect();
        if links.is_empty() {
            return None;
        }
        let bends: Vec<Bend<D<S>>> = links.iter().map(|link| link.dual.clone()).collect();
        Some(Box::new(Self {
            links,
            kinematics: kinematics::Workspace::new(arm),
            deformation: Deformation::new(&arm.bends),
            dual: Deformation::new(&bends),
            rest: vec![S::ZERO; arm.nv()],
        }))
    }

    /// Takes off what [`Paper::add`] adds.
    pub(super) fn subtract(
        &mut self,
        arm: &Arm<S>,
        q: &[S],
        u: &[S],
        base: Vec3<S>,
        net: &mut [S],
    ) {
        for net in &mut *net {
            *net = -*net;
        }
        self.add(arm, q, u, base, net);
        for net in net {
            *net = -*net;
        }
    }

    /// Adds what such links need beyond the recursions, the ground accelerating by `base` (m/s²).
    pub(super) fn add(&mut self, arm: &Arm<S>, q: &[S], u: &[S], base: Vec3<S>, tau: &mut [S]) {
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
            link.found.fill(S::ZERO);
            let found = self.deformation.force_of_motion(
                &link.bend,
                d,
                &rates,
                &rates.tensor(),
                &mut link.found,
            );
            let weight = force_of(&self.deformation.inertia, base, &Mat3::ZERO);

            // Lagrange: along the motion, then along each coordinate
            for (to, (&re, &rate)) in link.d.iter_mut().zip(d.iter().zip(rate)) {
                *to = Dual { re, du: [rate] };
            }
            for (to, &rate) in link.rate.iter_mut().zip(rate) {
                *to = Dual::constant(rate);
            }
            let Force { force, moment } = link.moving(&mut self.dual, &twist).momentum;
            let [now, change] = [|x: D<S>| x.re, |x: D<S>| x.du[0]];
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
                link.d[k].du = [S::ONE];
                let Moving { kinetic, first, .. } = link.moving(&mut self.dual, &twist);
                tau[range.start + k] += base.dot(first.cast(change)) - kinetic.du[0];
            }
            let missing = Force::new(needed.force - found.force, needed.moment - found.moment);
            moving.placed().add_body_force(link.body, &missing, tau);
        }
    }
}

impl<S: Scalar> Link<S> {
    /// The link at its coordinates and rates, `∂T/∂ẏ` into its momenta.
    fn moving(&mut self, deformation: &mut Deformation<D<S>>, twist: &Motion<S>) -> Moving<S> {
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
        bend.flexible.fold(d, &deformation.h[..bend.flexible.nz()], momenta);
        Moving { momentum: whole.momentum, kinetic: whole.kinetic, first: whole.inertia.first }
    }
}
