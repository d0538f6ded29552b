//! External wrenches as generalised forces.

use crate::calls;
use crate::models::{Model, models};
use crate::random::Random;
use pliant::arm::Arm;
use pliant::dynamics::kinematics::{Axes, Workspace};
use pliant::dynamics::loads::{Load, add_loads};
use pliant::spatial::Force;

/// A few wrenches, some on one frame.
pub(crate) fn random_loads(arm: &Arm, seed: u64) -> Vec<Load> {
    let mut random = Random::new(seed);
    (0..5)
        .map(|i| Load {
            frame: random.below(arm.frames().len()),
            wrench: Force::new(random.vector(10.0).into(), random.vector(10.0).into()),
            axes: if i % 2 == 0 { Axes::Own } else { Axes::World },
        })
        .collect()
}

#[test]
fn loads_act_through_the_transposed_jacobian() {
    for model in models() {
        let Model { arm, q, .. } = &model;
        let n = arm.nv();
        let loads = random_loads(arm, 1);
        let mut work = Workspace::new(arm);
        let placed = work.place(arm, q);
        let mut want = vec![0.0; n];
        let mut jacobian = vec![0.0; 6 * n];
        for load in &loads {
            placed.jacobian_into(load.frame, load.axes, &mut jacobian);
            for (row, component) in load.wrench.to_array().into_iter().enumerate() {
                for v in 0..n {
                    want[v] += jacobian[row * n + v] * component;
                }
            }
        }
        let mut got = vec![0.0; n];
        add_loads(&placed, &loads, &mut got);
        assert_close!(model, got, want, rel = 1e-13, "Q = Σ JᵀF, a few products");
    }
}

#[test]
fn loads_do_virtual_work() {
    for model in models() {
        let Model { arm, q, u, .. } = &model;
        let loads = random_loads(arm, 2);
        let mut work = Workspace::new(arm);
        let moving = work.move_with(arm, q, u, u);
        let powers = loads.iter().map(|load| moving.twist(load.frame, load.axes).dot(&load.wrench));
        let power: f64 = powers.clone().sum();
        let mut forces = vec![0.0; arm.nv()];
        add_loads(moving.placed(), &loads, &mut forces);
        assert_close!(
            model,
            [calls::dot(&forces, u)],
            [power],
            rel = 1e-12,
            of = powers.map(f64::abs).sum::<f64>()
                + forces.iter().zip(u).map(|(f, u)| (f * u).abs()).sum::<f64>(),
            "Q·u is the power of the wrenches; the terms cancel"
        );
    }
}
