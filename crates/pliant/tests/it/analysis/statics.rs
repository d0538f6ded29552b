//! The cantilever of textbooks.

use super::{Z, along_y, analytic, assert_each, beam, built, cantilever, number, section, wrench};
use pliant::analyse::Conditions;
use pliant::arm::{Arm, Joint};
use pliant::beam::{Basis, Section, Ways};
use pliant::dynamics::loads::Load;

/// Loads small enough for the linear theory: rotations are exact here, and their squares are then
/// below 1e-13 of them.
const SMALL: f64 = 1e-6;

fn rest(arm: &Arm, loads: Vec<Load>) -> Vec<f64> {
    let conditions = Conditions { loads, ..Conditions::default() };
    let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest");
    assert!(rest.stable && rest.parts == 1);
    rest.q
}

#[test]
fn a_cantilever_under_small_loads() {
    for entry in analytic("static cantilever") {
        let [ei, gj, ea, kga, rho_a, length, p, g] =
            ["EI", "GJ", "EA", "kappaGA", "rhoA", "L", "P", "g"].map(|key| number(&entry, key));
        let p = SMALL * p;
        let stiff = Section { gj, ea, ..section(ei, rho_a) };
        let shears = Section { kga_y: Some(kga), kga_z: Some(kga), ..stiff };
        let basis = Basis::Hermite { elements: 3, ways: Ways::new(true, true, true, true) };
        let arm = |section: Section, basis: &Basis, weight: f64| {
            let builder =
                cantilever(Joint::revolute(Z), beam(length, section, basis.clone()), |l| {
                    let tensor = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
                    l.body(1.0, [0.0; 3], tensor)
                });
            built(builder.gravity([0.0, -weight, 0.0]))
        };
        let inertia = 1e-4; // torsion needs some; statics does not see it
        let with_inertia = |s: Section| Section { rho_i_y: inertia, rho_i_z: inertia, ..s };
        for (section, key) in [(stiff, "tip_force_EB"), (shears, "tip_force_Timoshenko")] {
            let arm = arm(with_inertia(section), &basis, 0.0);
            // nodal coordinates v, θ_z, w, θ_y, θ_x, u_x of the last node
            let tip = arm.nv() - 6;
            let q = rest(&arm, vec![wrench(&arm, [0.0, p, 0.0], [0.0; 3])]);
            assert_each(&[q[tip] / SMALL], &[number(&entry, key)], 1e-9, key);
            let q = rest(&arm, vec![wrench(&arm, [0.0, 0.0, p], [0.0; 3])]);
            assert_each(&[q[tip + 2] / SMALL], &[number(&entry, key)], 1e-9, key);
            let slope = "tip_force_slope_EB"; // θ, which shear does not change
            assert_each(&[-q[tip + 3] / SMALL], &[number(&entry, slope)], 1e-9, slope);
            let q = rest(&arm, vec![wrench(&arm, [0.0; 3], [0.0, 0.0, p])]);
            assert_each(&[q[tip] / SMALL], &[number(&entry, "tip_moment_P")], 1e-9, "moment");
            let q = rest(&arm, vec![wrench(&arm, [0.0; 3], [p, 0.0, 0.0])]);
            assert_each(&[q[tip + 4] / SMALL], &[number(&entry, "torque_P_twist")], 1e-9, "torque");
            let q = rest(&arm, vec![wrench(&arm, [p, 0.0, 0.0], [0.0; 3])]);
            assert_each(&[q[tip + 5] / SMALL], &[number(&entry, "axial_P")], 1e-9, "stretch");
        }
        for (section, key) in [(stiff, "self_weight_EB"), (shears, "self_weight_Timoshenko")] {
            let arm = arm(section, &along_y(3), SMALL * g);
            let equilibrium = arm.static_equilibrium(&arm.neutral()).expect("rest");
            let tip = arm.nv() - 2;
            assert_each(&[-equilibrium.q[tip] / SMALL], &[number(&entry, key)], 1e-9, key);
            // the brake holds the whole moment
            let moment = 0.5 * SMALL * g * rho_a * length * length;
            assert_each(&[equilibrium.forces[0]], &[moment], 1e-9, "the root moment");
        }
    }
}
