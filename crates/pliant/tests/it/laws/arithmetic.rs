//! One source, every scalar: lanes equal the plain number bit for bit, single precision follows.

use crate::calls;
use crate::close::{largest, terms};
use crate::models::{Model, models, prescribed, small};
use pliant::arm::Arm;
use pliant::scalar::{Lanes, Scalar};

type Four = Lanes<f64, 4>;

/// Four states of one arm, the first the model's own.
struct States {
    q: [Vec<f64>; 4],
    u: [Vec<f64>; 4],
    ud: [Vec<f64>; 4],
    tau: [Vec<f64>; 4],
}

impl States {
    fn of(model: &Model) -> Self {
        let scaled = |values: &[f64]| {
            [1.0, -0.3, 0.7, 1.9].map(|k| values.iter().map(|x| k * x).collect::<Vec<f64>>())
        };
        let steps = [0.0, 0.1, -0.4, 0.9];
        Self {
            q: steps.map(|k| {
                let mut q = model.q.clone();
                let step: Vec<f64> = model.ud.iter().map(|x| k * x).collect();
                model.arm.displace(&mut q, &step);
                q
            }),
            u: scaled(&model.u),
            ud: scaled(&model.ud),
            tau: scaled(&model.tau),
        }
    }
}

fn abreast(states: &[Vec<f64>; 4]) -> Vec<Four> {
    (0..states[0].len()).map(|i| Lanes([0, 1, 2, 3].map(|lane| states[lane][i]))).collect()
}

/// Every lane is its own scalar run, to the last bit.
fn assert_lanes(model: &Model, got: &[Four], want: impl Fn(usize) -> Vec<f64>, what: &str) {
    for lane in 0..4 {
        let bits = |x: f64| x.to_bits();
        let got: Vec<u64> = got.iter().map(|x| bits(x.0[lane])).collect();
        let want: Vec<u64> = want(lane).into_iter().map(bits).collect();
        assert_eq!(got, want, "{model}: {what}, lane {lane}");
    }
}

#[test]
fn lanes_equal_scalars_bit_for_bit() {
    for model in models().iter().chain(&prescribed()) {
        let arm = &model.arm;
        let wide: Arm<Four> = arm.cast();
        let s = States::of(model);
        let (q, u) = (abreast(&s.q), abreast(&s.u));
        let (ud, tau) = (abreast(&s.ud), abreast(&s.tau));
        let got = calls::rnea(&wide, &q, &u, &ud);
        let rnea = |k: usize| calls::rnea(arm, &s.q[k], &s.u[k], &s.ud[k]);
        assert_lanes(model, &got, rnea, "rnea");
        assert_lanes(model, &calls::crba(&wide, &q), |k| calls::crba(arm, &s.q[k]), "crba");
        let (forces, answer) = calls::aba(&wide, &q, &u, &tau, &ud);
        let aba = |k: usize| calls::aba(arm, &s.q[k], &s.u[k], &s.tau[k], &s.ud[k]);
        assert_lanes(model, &forces, |k| aba(k).0, "forces of aba");
        assert_lanes(model, &answer, |k| aba(k).1, "accelerations of aba");
        let (forces, answer) = calls::composite(&wide, &q, &u, &tau, &ud);
        let composite = |k: usize| calls::composite(arm, &s.q[k], &s.u[k], &s.tau[k], &s.ud[k]);
        assert_lanes(model, &forces, |k| composite(k).0, "forces of composite");
        assert_lanes(model, &answer, |k| composite(k).1, "accelerations of composite");
        let got = calls::coriolis_matrix(&wide, &q, &u);
        let c = |k: usize| calls::coriolis_matrix(arm, &s.q[k], &s.u[k]);
        assert_lanes(model, &got, c, "C");
    }
}

#[test]
fn single_precision_follows_double() {
    for model in small().iter().chain(&prescribed()[..8]) {
        let Model { arm, q, u, ud, tau, .. } = model;
        let single: Arm<f32> = arm.cast();
        let narrow =
            |values: &[f64]| -> Vec<f32> { values.iter().map(|&x| f32::from_f64(x)).collect() };
        let wide = |values: Vec<f32>| -> Vec<f64> { values.into_iter().map(f64::from).collect() };
        let (q1, u1, ud1, tau1) = (narrow(q), narrow(u), narrow(ud), narrow(tau));
        let mass = calls::crba(arm, q);
        assert_close!(
            model,
            wide(calls::crba(&single, &q1)),
            mass,
            rel = 1e-5,
            "crba in single precision, a hundred roundings of 6e-8"
        );
        let (bias, speed) = (calls::rnea(arm, q, u, &vec![0.0; u.len()]), largest(u));
        let size = terms(&mass, ud, &bias).max(largest(&mass) * speed * speed);
        assert_close!(
            model,
            wide(calls::rnea(&single, &q1, &u1, &ud1)),
            calls::rnea(arm, q, u, ud),
            rel = 1e-5,
            of = size,
            "rnea in single precision, a hundred roundings of 6e-8"
        );
        let (_, own) = calls::aba(arm, q, u, tau, ud);
        let (_, answer) = calls::aba(&single, &q1, &u1, &tau1, &ud1);
        let difference: Vec<f64> = wide(answer).iter().zip(&own).map(|(a, b)| a - b).collect();
        assert_close!(
            model,
            calls::times(&mass, &difference),
            vec![0.0; own.len()],
            rel = 1e-5,
            of = terms(&mass, &own, &bias),
            "aba in single precision, by the force of the difference"
        );
    }
}
