//! The world's frame is a choice: turned and shifted with gravity and everything on the ground, it
//! changes no coordinate's motion.

use super::{same_motion, unmoved};
use crate::models::{Model, models};
use crate::random::Random;
use pliant::spatial::Vec3;

#[test]
fn a_change_of_base_frame_changes_nothing() {
    for (seed, model) in (1..).zip(models()) {
        let base = Random::new(seed).pose(3.0);
        let mut description = model.description.clone();
        let gravity = base.rotation * Vec3::from(description.gravity);
        description.gravity = gravity.to_array();
        for link in description.links.iter_mut().filter(|l| l.parent.is_none()) {
            link.placement = base.then(&link.placement);
        }
        let (arm, other) = (&model.arm, description.arm());
        let Model { q, u, .. } = &model;
        same_motion(&model, &other, q, &unmoved(arm), "base frame");

        let name = model.to_string();
        let (here, there) = (arm.energies(q, u).expect(&name), other.energies(q, u).expect(&name));
        let kilograms: f64 = (0..arm.body_count()).map(|i| arm.inertia_of(i).mass).sum();
        // heights count from the world's origin
        let lift = gravity.dot(base.position) * kilograms;
        assert_close!(
            model,
            [there.kinetic, there.potential + lift, there.elastic],
            [here.kinetic, here.potential, here.elastic],
            rel = 1e-12,
            of = here.kinetic.max(here.potential.abs()).max(lift.abs()),
            "energies, the lift of the origin taken off"
        );
        let (here, there) = (arm.momenta(q, u).expect(&name), other.momenta(q, u).expect(&name));
        let linear = base.rotation * here.linear;
        let angular = base.rotation * here.angular + base.position.cross(linear);
        assert_close!(
            model,
            [there.linear.to_array(), there.angular.to_array()].concat(),
            [linear.to_array(), angular.to_array()].concat(),
            rel = 1e-12,
            "momenta turn and shift as wrenches do"
        );
        let frame = arm.frames()[0].name();
        let want = base.then(&arm.pose(q, frame).expect(&name));
        let got = other.pose(q, frame).expect(&name);
        assert!((got.position - want.position).norm() < 1e-13, "{model}: pose");
    }
}
