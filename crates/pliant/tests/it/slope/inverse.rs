//! `∂τ/∂q` and `∂τ/∂u` of inverse dynamics.

use super::{difference, displaced, nudged, side_by_side};
use crate::calls::{self, Rate};
use crate::close::largest;
use crate::models::{Model, models, prescribed, small};
use pliant::arm::Arm;
use pliant::dynamics::derivatives::{Workspace, inverse_derivatives_into};
use pliant::scalar::Dual;

fn slopes(model: &Model) -> [Vec<f64>; 2] {
    let Model { arm, q, u, ud, .. } = model;
    let n = arm.nv();
    let [mut by_q, mut by_u] = [(); 2].map(|()| vec![7.0; n * n]);
    let mut work = Workspace::new(arm);
    inverse_derivatives_into(&mut work, q, u, ud, &mut by_q, &mut by_u);
    [by_q, by_u]
}

#[test]
fn against_a_dual_run_through_each_displacement() {
    for model in models().iter().chain(&prescribed()) {
        let Model { arm, q, u, ud, .. } = model;
        let n = arm.nv();
        let dual: Arm<Rate> = arm.cast();
        let [by_q, by_u] = slopes(model);
        let epsilon = Dual { re: 0.0, du: [1.0] };
        let (ud, still) = (calls::constant(ud), vec![Dual::constant(0.0); n]);
        let run = |q: &[Rate], u: &[Rate]| calls::rates(&calls::rnea(&dual, q, u, &ud));
        let along_q: Vec<Vec<f64>> = (0..n)
            .map(|v| {
                let (mut q, mut step) = (calls::constant(q), still.clone());
                step[v] = epsilon;
                dual.displace(&mut q, &step);
                run(&q, &calls::constant(u))
            })
            .collect();
        let along_u: Vec<Vec<f64>> = (0..n)
            .map(|v| {
                let mut u = calls::constant(u);
                u[v].du[0] = 1.0;
                run(&calls::constant(q), &u)
            })
            .collect();
        for (name, got, want) in [("∂τ/∂q", by_q, along_q), ("∂τ/∂u", by_u, along_u)] {
            let want = side_by_side(&want);
            assert_close!(
                model,
                got,
                want,
                rel = 1e-13,
                of = largest(&want).max(1.0),
                "{name}, the same slopes one at a time through q ⊞ ε e_v"
            );
        }
    }
}

#[test]
fn against_central_differences() {
    for model in small().iter().chain(&prescribed()[..12]) {
        let Model { arm, q, u, ud, .. } = model;
        let n = arm.nv();
        let [by_q, by_u] = slopes(model);
        let along_q: Vec<Vec<f64>> = (0..n)
            .map(|v| difference(|h| calls::rnea(arm, &displaced(arm, q, v, h), u, ud)))
            .collect();
        let along_u: Vec<Vec<f64>> =
            (0..n).map(|v| difference(|h| calls::rnea(arm, q, &nudged(u, v, h), ud))).collect();
        for (name, got, want) in [("∂τ/∂q", by_q, along_q), ("∂τ/∂u", by_u, along_u)] {
            let want = side_by_side(&want);
            assert_close!(
                model,
                got,
                want,
                rel = 1e-9,
                of = largest(&want).max(1.0),
                "{name}; differences err by rounding over h = 1e-4, and by h⁴"
            );
        }
    }
}
