//! The momenta of a floating tree change by gravity and loads alone, whatever its joints do.

use crate::agree::loads::random_loads;
use crate::calls::{self, Rate};
use crate::models::{KINDS, Model, Recipe, Shape};
use pliant::arm::Arm;
use pliant::dynamics::energy;
use pliant::dynamics::kinematics::{Axes, Workspace};
use pliant::spatial::Vec3;

#[test]
fn the_rate_of_momentum_is_the_force_from_outside() {
    for (links, seed) in [(1, 1), (2, 2), (5, 3), (9, 4), (17, 5), (33, 6), (64, 7)] {
        let model = Recipe::new(Shape::Floating, links, &KINDS).furnished().model(seed);
        // nothing ties it to the ground
        let mut description = model.description.clone();
        let root = &mut description.links[0];
        root.stiffness.clear();
        root.damping.clear();
        root.armature.clear();
        let arm = description.arm();
        let Model { q, u, .. } = &model;
        let mut tau = model.tau.clone();
        tau[..6].fill(0.0);
        let loads = random_loads(&arm, seed);

        let mut work = Workspace::new(&arm);
        let placed = work.place(&arm, q);
        let mut driven = tau;
        pliant::dynamics::loads::add_loads(&placed, &loads, &mut driven);
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for link in 0..arm.body_count() {
            let body = arm.inertia_of(link);
            let frame = arm.frame(&arm.link_names()[link]).expect("every link has a frame");
            let weight = arm.gravity() * body.mass;
            force += weight;
            moment += placed.pose(frame).point(body.centre()).cross(weight);
        }
        for load in &loads {
            let pose = placed.pose(load.frame);
            let [f, n] = [load.wrench.force, load.wrench.moment].map(|part| match load.axes {
                Axes::World => part,
                Axes::Own => pose.rotation * part,
            });
            force += f;
            moment += n + pose.position.cross(f);
        }

        let (_, ud) = calls::aba(&arm, q, u, &driven, &vec![0.0; arm.nv()]);
        let dual: Arm<Rate> = arm.cast();
        let (q_moving, u_moving) = (calls::moving(&arm, q, u), calls::changing(u, &ud));
        let mut work = Workspace::new(&dual);
        let moving = work.move_with(&dual, &q_moving, &u_moving, &u_moving);
        let momenta = energy::momenta(&dual, &moving);
        let rate = |v: Vec3<Rate>| v.to_array().map(|component| component.du[0]);
        let (linear, angular) = (force.to_array(), moment.to_array());
        // each body's own rate is much larger than their sum
        let mut work = Workspace::new(&arm);
        let moving = work.move_with(&arm, q, u, &ud);
        let size: f64 = (0..arm.body_count())
            .map(|link| {
                let frame = arm.frame(&arm.link_names()[link]).expect("every link has one");
                let acceleration = moving.acceleration(frame, Axes::World).linear.norm();
                arm.inertia_of(link).mass * acceleration
            })
            .sum();
        assert_close!(
            model,
            rate(momenta.linear),
            linear,
            rel = 1e-12,
            of = size,
            "Σ m a = Σ F; the forces between bodies cancel"
        );
        assert_close!(
            model,
            rate(momenta.angular),
            angular,
            rel = 1e-12,
            of = size,
            "dL/dt = Σ r×F + n; the moments between bodies cancel"
        );
    }
}
