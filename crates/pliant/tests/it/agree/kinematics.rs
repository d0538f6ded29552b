//! Jacobians, twists and accelerations of frames.

use crate::calls::{self, Rate};
use crate::models::{Model, models};
use pliant::arm::Arm;
use pliant::dynamics::kinematics::{Axes, Workspace};

#[test]
fn jacobian_times_velocity_is_the_twist() {
    for model in models() {
        let Model { arm, q, u, ud, .. } = &model;
        let mut work = Workspace::new(arm);
        let moving = work.move_with(arm, q, u, ud);
        let mut jacobian = vec![7.0; 6 * arm.nv()];
        for frame in some_frames(arm) {
            for axes in [Axes::Own, Axes::World] {
                moving.placed().jacobian_into(frame, axes, &mut jacobian);
                let twist = moving.twist(frame, axes).to_array();
                let got: Vec<f64> =
                    if u.is_empty() { vec![0.0; 6] } else { calls::times(&jacobian, u) };
                assert_close!(
                    model,
                    got,
                    twist,
                    rel = 1e-12,
                    of = crate::close::largest(&jacobian) * crate::close::largest(u),
                    "J u is the twist of frame {frame} in {axes:?} axes; the terms cancel"
                );
            }
        }
    }
}

#[test]
fn own_and_world_axes_differ_by_the_rotation() {
    for model in models() {
        let Model { arm, q, u, ud, .. } = &model;
        let mut work = Workspace::new(arm);
        let moving = work.move_with(arm, q, u, ud);
        for frame in some_frames(arm) {
            let r = moving.placed().pose(frame).rotation;
            for (own, world) in [
                (moving.twist(frame, Axes::Own), moving.twist(frame, Axes::World)),
                (moving.acceleration(frame, Axes::Own), moving.acceleration(frame, Axes::World)),
            ] {
                let turned = [(r * own.linear).to_array(), (r * own.angular).to_array()];
                assert_close!(
                    model,
                    turned.as_flattened(),
                    world.to_array(),
                    rel = 1e-14,
                    "one rotation, written twice"
                );
            }
        }
    }
}

#[test]
fn the_acceleration_is_the_rate_of_the_twist() {
    for model in models() {
        let Model { arm, q, u, ud, .. } = &model;
        let dual: Arm<Rate> = arm.cast();
        let (q_moving, u_moving) = (calls::moving(arm, q, u), calls::changing(u, ud));
        let (mut work, mut dual_work) = (Workspace::new(arm), Workspace::new(&dual));
        let moving = work.move_with(arm, q, u, ud);
        let rate = dual_work.move_with(&dual, &q_moving, &u_moving, &calls::constant(ud));
        for frame in some_frames(arm) {
            let twist = rate.twist(frame, Axes::World).to_array();
            assert_close!(
                model,
                moving.acceleration(frame, Axes::World).to_array(),
                twist.map(|component| component.du[0]),
                rel = model.rate_tolerance(),
                "the twist in world axes, differentiated by dual numbers; sums along the chain"
            );
        }
    }
}

/// Not all of a hundred.
fn some_frames(arm: &Arm) -> impl Iterator<Item = usize> {
    let n = arm.frames().len();
    (0..n).step_by(1 + n / 16).chain(n.checked_sub(1))
}
