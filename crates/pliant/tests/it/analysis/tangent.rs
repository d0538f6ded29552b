//! The slope of the balance of forces.

use crate::models::{Model, models};
use pliant::analyse::Conditions;
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::nalgebra::DVector;
use pliant::spatial::{Force, Vec3};

/// A dead and a following load on the last two frames.
fn loads(model: &Model) -> Vec<Load> {
    let wrench = Force::new(Vec3::new(3.0, -2.0, 5.0), Vec3::new(0.4, 1.1, -0.7));
    let last = model.arm.frames().len() - 1;
    let load = |frame, axes| Load { frame, wrench, axes };
    vec![load(last, Axes::World), load(last.saturating_sub(1), Axes::Own)]
}

#[test]
fn against_central_differences() {
    let all = models();
    let chosen: Vec<&Model> = all.iter().filter(|m| m.bends() && m.arm.nv() < 40).collect();
    assert!(chosen.len() > 10);
    for model in chosen {
        let Model { arm, q, .. } = model;
        let conditions = Conditions { loads: loads(model), ..Conditions::default() };
        let tangent = arm.tangent_stiffness(q, &conditions).expect("a tangent");
        let forces = |q: &[f64]| -> DVector<f64> {
            let bias = arm.bias(q, &vec![0.0; arm.nv()]).expect("a bias");
            bias - arm.load_forces(q, &conditions.loads).expect("forces")
        };
        let size = tangent.amax();
        for v in 0..arm.nv() {
            let moved = |step: f64| {
                let (mut q, mut du) = (q.clone(), vec![0.0; arm.nv()]);
                du[v] = step;
                arm.displace(&mut q, &du);
                forces(&q)
            };
            let step = 1e-5;
            let slope = (moved(step) - moved(-step)) / (2.0 * step);
            let column: Vec<f64> = tangent.column(v).iter().copied().collect();
            assert_close!(
                model,
                column,
                slope.as_slice(),
                rel = 1e-8,
                of = size,
                "column {v}: differences err by h² = 1e-10 and by rounding over h, 1e-11"
            );
        }
    }
}

#[test]
fn what_stays_unbalanced_is_rounding() {
    let all = models();
    for model in all.iter().filter(|m| m.bends() && m.arm.nv() < 60) {
        let Model { arm, q, .. } = model;
        // a tenth of the weight leaves the softest of them within what one beam can describe
        let arm = arm.clone().with_gravity(arm.gravity() * 0.1);
        let rest = arm.static_equilibrium(q).unwrap_or_else(|e| panic!("{model}: {e}"));
        // forces by the plain recursion, not by the dual numbers that found the place
        let size = arm.elastic_forces(&rest.q).expect("forces").amax();
        assert!(rest.residual <= 1e-10 * size, "{model}: {:e} of {size:e}", rest.residual);
        // the links of elastic joints are on springs, their motors are held
        let held = (0..arm.body_count()).filter(|&link| arm.rotor_of(link).is_none());
        let mut held = held.flat_map(|link| arm.configuration_of(link));
        assert!(held.all(|k| rest.q[k] == q[k]), "{model}: a locked joint moved");
    }
}
