//! `∂u̇/∂q`, `∂u̇/∂u` and `∂u̇/∂τ` of forward dynamics.

use super::{difference, displaced, nudged, side_by_side};
use crate::calls::{self, Rate};
use crate::close::largest;
use crate::models::{Model, models, prescribed, small};
use pliant::arm::Arm;
use pliant::dynamics::derivatives::{Workspace, forward_derivatives_into};
use pliant::scalar::Dual;

fn slopes(model: &Model) -> [Vec<f64>; 3] {
    let Model { arm, q, u, tau, ud, .. } = model;
    let n = arm.nv();
    let mut matrices = [(); 3].map(|()| vec![7.0; n * n]);
    let mut work = Workspace::new(arm);
    let slices = matrices.each_mut().map(Vec::as_mut_slice);
    forward_derivatives_into(&mut work, q, u, tau, ud, slices);
    matrices
}

const NAMES: [&str; 3] = ["∂u̇/∂q", "∂u̇/∂u", "∂u̇/∂τ"];

#[test]
fn against_a_dual_run_of_aba() {
    let few = |m: &&Model| m.arm.nv() < 70;
    for model in models().iter().chain(&prescribed()).filter(few) {
        let Model { arm, q, u, tau, ud, .. } = model;
        let n = arm.nv();
        let dual: Arm<Rate> = arm.cast();
        let known = calls::constant(ud);
        let run = |q: &[Rate], u: &[Rate], tau: &[Rate]| {
            calls::rates(&calls::aba(&dual, q, u, tau, &known).1)
        };
        let still = vec![Dual::constant(0.0); n];
        let (q0, u0, tau0) = (calls::constant(q), calls::constant(u), calls::constant(tau));
        let epsilon = |values: &[Rate], v: usize| {
            let mut values = values.to_vec();
            values[v].du[0] = 1.0;
            values
        };
        let along_q = (0..n).map(|v| {
            let mut q = q0.clone();
            dual.displace(&mut q, &epsilon(&still, v));
            run(&q, &u0, &tau0)
        });
        let along_u = (0..n).map(|v| run(&q0, &epsilon(&u0, v), &tau0));
        let along_tau = (0..n).map(|v| run(&q0, &u0, &epsilon(&tau0, v)));
        let wants: [Vec<Vec<f64>>; 3] = [along_q.collect(), along_u.collect(), along_tau.collect()];
        for ((name, got), want) in NAMES.iter().zip(slopes(model)).zip(wants) {
            let want = side_by_side(&want);
            assert_close!(
                model,
                got,
                want,
                rel = 1e-10,
                of = largest(&want).max(1.0),
                "{name} by M⁻¹∂τ and by dual numbers through aba, to the condition of M, up to 4e6"
            );
        }
    }
}

#[test]
fn against_central_differences() {
    for model in small().iter().chain(&prescribed()[..12]) {
        let Model { arm, q, u, tau, ud, .. } = model;
        let n = arm.nv();
        let run = |q: &[f64], u: &[f64], tau: &[f64]| calls::aba(arm, q, u, tau, ud).1;
        let along_q = (0..n).map(|v| difference(|h| run(&displaced(arm, q, v, h), u, tau)));
        let along_u = (0..n).map(|v| difference(|h| run(q, &nudged(u, v, h), tau)));
        let along_tau = (0..n).map(|v| difference(|h| run(q, u, &nudged(tau, v, h))));
        let wants: [Vec<Vec<f64>>; 3] = [along_q.collect(), along_u.collect(), along_tau.collect()];
        for ((name, got), want) in NAMES.iter().zip(slopes(model)).zip(wants) {
            let want = side_by_side(&want);
            assert_close!(
                model,
                got,
                want,
                rel = 1e-7,
                of = largest(&want).max(1.0),
                "{name}; differences err by rounding over h = 1e-4 times the condition of M"
            );
        }
    }
}

#[test]
fn prescribed_coordinates_do_not_answer() {
    for model in prescribed() {
        let arm = &model.arm;
        let n = arm.nv();
        let [by_q, by_u, by_tau] = slopes(&model);
        for link in (0..arm.body_count()).filter(|&link| arm.is_prescribed(link)) {
            for v in arm.velocities_of(link) {
                for other in 0..n {
                    let row = [by_q[v * n + other], by_u[v * n + other], by_tau[v * n + other]];
                    assert_eq!(row, [0.0; 3], "{model}: row {v}");
                    assert_eq!(by_tau[other * n + v], 0.0, "{model}: column {v}");
                }
            }
        }
    }
}
