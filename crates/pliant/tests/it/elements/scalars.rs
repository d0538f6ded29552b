//! They are written once, for every scalar.

use crate::calls;
use crate::close::{largest, terms};
use crate::models::{Model, with_elements};
use crate::slope::{difference, displaced, nudged, side_by_side};
use pliant::arm::Arm;
use pliant::dynamics::{energy, kinematics, passive};
use pliant::scalar::{Counted, Lanes, Scalar, count};

type Four = Lanes<f64, 4>;

/// Every lane is its own run, to the last bit.
#[test]
fn lanes_equal_scalars() {
    for model in with_elements() {
        let Model { arm, q, u, ud, tau, .. } = &model;
        let wide: Arm<Four> = arm.cast();
        let factors = [1.0, -0.3, 0.7, 1.9];
        let lanes =
            |x: &[f64]| -> Vec<Four> { x.iter().map(|&x| Lanes(factors.map(|k| k * x))).collect() };
        let one = |x: &[f64], k: usize| -> Vec<f64> { x.iter().map(|x| factors[k] * x).collect() };
        let place: Vec<Four> = q.iter().map(|&x| Lanes([x; 4])).collect();
        let forces = calls::rnea(&wide, &place, &lanes(u), &lanes(ud));
        let (_, rates) = calls::aba(&wide, &place, &lanes(u), &lanes(tau), &lanes(ud));
        for k in 0..4 {
            let bits = |all: Vec<f64>| all.into_iter().map(f64::to_bits).collect::<Vec<u64>>();
            let lane = |all: &[Four]| bits(all.iter().map(|x| x.0[k]).collect());
            let (u, ud) = (one(u, k), one(ud, k));
            assert_eq!(lane(&forces), bits(calls::rnea(arm, q, &u, &ud)), "{model}: rnea");
            let (_, own) = calls::aba(arm, q, &u, &one(tau, k), &ud);
            assert_eq!(lane(&rates), bits(own), "{model}: aba");
        }
    }
}

#[test]
fn single_precision_follows_double() {
    for model in with_elements() {
        let Model { arm, q, u, ud, .. } = &model;
        let single: Arm<f32> = arm.cast();
        let narrow = |x: &[f64]| -> Vec<f32> { x.iter().map(|&x| f32::from_f64(x)).collect() };
        let got = calls::rnea(&single, &narrow(q), &narrow(u), &narrow(ud));
        let got: Vec<f64> = got.into_iter().map(f64::from).collect();
        let (mass, bias) = (calls::crba(arm, q), calls::rnea(arm, q, u, &vec![0.0; arm.nv()]));
        let size = terms(&mass, ud, &bias).max(largest(&mass) * largest(u).powi(2));
        let want = calls::rnea(arm, q, u, ud);
        assert_close!(model, got, want, rel = 1e-5, of = size, "a hundred roundings of 6e-8");
    }
}

/// Their operations are counted like all others, and counting changes nothing.
#[test]
fn their_operations_are_counted() {
    for model in with_elements() {
        let Model { arm, q, u, ud, .. } = &model;
        let bare = model.description.arm();
        let counted = |x: &[f64]| -> Vec<Counted> { x.iter().map(|&x| Counted(x)).collect() };
        let [one, other] = [arm, &bare].map(|arm| {
            let arm: Arm<Counted> = arm.cast();
            count(|| calls::rnea(&arm, &counted(q), &counted(u), &counted(ud)))
        });
        let values: Vec<f64> = one.0.iter().map(|x| x.0).collect();
        assert_eq!(values, calls::rnea(arm, q, u, ud), "{model}");
        assert!(one.1.multiplications > other.1.multiplications + 20, "{model}");
    }
}

#[test]
fn derivatives_are_differences() {
    for model in with_elements() {
        let Model { arm, q, u, ud, tau, .. } = &model;
        let n = arm.nv();
        let slopes = arm.inverse_derivatives(q, u, ud).expect("slopes");
        let along = |f: &dyn Fn(usize, f64) -> Vec<f64>| {
            side_by_side(&(0..n).map(|v| difference(|h| f(v, h))).collect::<Vec<_>>())
        };
        let by_q = along(&|v, h| calls::rnea(arm, &displaced(arm, q, v, h), u, ud));
        let by_u = along(&|v, h| calls::rnea(arm, q, &nudged(u, v, h), ud));
        for (name, got, want) in [("∂τ/∂q", &slopes.by_q, by_q), ("∂τ/∂u", &slopes.by_u, by_u)]
        {
            let got = got.transpose();
            let size = largest(&want).max(1.0);
            assert_close!(model, got.as_slice(), want, rel = 1e-8, of = size, "{name}");
        }
        let forward = arm.forward_derivatives(q, u, tau, ud).expect("slopes");
        let mass = calls::crba(arm, q);
        let accelerations = |q: &[f64], u: &[f64]| calls::aba(arm, q, u, tau, ud).1;
        let by_q = along(&|v, h| accelerations(&displaced(arm, q, v, h), u));
        let by_u = along(&|v, h| accelerations(q, &nudged(u, v, h)));
        for (name, got, want) in [("∂u̇/∂q", &forward.by_q, by_q), ("∂u̇/∂u", &forward.by_u, by_u)]
        {
            // by the force of the difference: accelerations of light links are large
            let size = largest(&mass) * largest(&want).max(1.0);
            for column in 0..n {
                let error: Vec<f64> =
                    (0..n).map(|row| got[(row, column)] - want[row * n + column]).collect();
                let force = calls::times(&mass, &error);
                assert_close!(model, force, vec![0.0; n], rel = 1e-8, of = size, "{name}");
            }
        }
    }
}

/// The force of an energy is its slope, whichever number carries it.
#[test]
fn elastic_forces_are_the_slopes_of_the_energy() {
    for model in with_elements() {
        let Model { arm, q, u, .. } = &model;
        let energy = |v: usize, h: f64| {
            let q = displaced(arm, q, v, h);
            let mut work = kinematics::Workspace::new(arm);
            let moving = work.move_with(arm, &q, u, u);
            let mut passive = passive::Workspace::new(arm);
            vec![energy::energies(arm, &mut passive, &moving, &q, u).elastic]
        };
        let want: Vec<f64> = (0..arm.nv()).flat_map(|v| difference(|h| energy(v, h))).collect();
        let got = arm.elastic_forces(q).expect("forces");
        let size = largest(&want).max(1.0);
        assert_close!(model, got.as_slice(), want, rel = 1e-8, of = size, "∂V/∂q");
    }
}
