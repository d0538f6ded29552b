//! Rates and displacements of configurations.

use super::{difference, displaced};
use crate::calls::{self, Rate};
use crate::models::{Model, models};
use pliant::arm::Arm;

#[test]
fn the_rate_is_the_slope_of_a_displacement() {
    for model in models() {
        let Model { arm, q, u, .. } = &model;
        let mut rate = vec![0.0; arm.nq()];
        arm.rate_into(q, u, &mut rate);
        // by dual numbers through ⊞
        let dual: Arm<Rate> = arm.cast();
        let mut moved = calls::constant(q);
        dual.displace(&mut moved, &calls::changing(&vec![0.0; arm.nv()], u));
        assert_close!(model, calls::rates(&moved), rate, rel = 1e-14, "d(q ⊞ tu)/dt = q̇");
        let slope = difference(|h| {
            let mut q = q.clone();
            arm.displace(&mut q, &u.iter().map(|u| u * h).collect::<Vec<_>>());
            q
        });
        assert_close!(model, slope, rate, rel = 1e-10, "fourth-order differences, h = 1e-4");
    }
}

/// Moving on with a constant velocity for two halves of a time is moving on for all of it.
#[test]
fn displacements_along_one_velocity_add() {
    for model in models() {
        let Model { arm, q, u, .. } = &model;
        let half: Vec<f64> = u.iter().map(|u| 0.5 * u).collect();
        let (mut once, mut twice) = (q.clone(), q.clone());
        arm.displace(&mut once, u);
        arm.displace(&mut twice, &half);
        arm.displace(&mut twice, &half);
        assert_close!(model, twice, once, rel = 1e-14, "q ⊞ u = q ⊞ u/2 ⊞ u/2");
        // strokes end; quaternions do not
        let lengths = (0..arm.body_count()).filter_map(|link| arm.length_of(link));
        lengths.for_each(|(at, _)| once[at] = q[at]);
        arm.check_configuration(&once).unwrap_or_else(|e| panic!("{model}: {e}"));
    }
}

#[test]
fn one_direction_moves_one_joint() {
    for model in models().into_iter().filter(|m| m.arm.nv() < 40) {
        let Model { arm, q, .. } = &model;
        for link in 0..arm.body_count() {
            for v in arm.velocities_of(link) {
                let moved = displaced(arm, q, v, 0.1);
                let own = arm.configuration_of(link);
                for (i, (a, b)) in moved.iter().zip(q).enumerate() {
                    assert!(a == b || own.contains(&i), "{model}: {v} moves {i}");
                }
                assert_ne!(moved, *q, "{model}: {v} moves nothing");
            }
        }
    }
}
