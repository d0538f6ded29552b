//! Springs give back what they took.

use crate::calls::{self, Rate};
use crate::models::{Model, models, rigid};
use pliant::arm::Arm;
use pliant::dynamics::kinematics::Workspace;
use pliant::dynamics::{energy, passive};

/// `elastic_v = ∂V/∂v`, for turning springs of spherical and free joints too.
#[test]
fn the_force_of_springs_is_the_slope_of_their_energy() {
    for model in models() {
        let Model { arm, q, .. } = &model;
        let dual: Arm<Rate> = arm.cast();
        let still = vec![0.0; arm.nv()];
        let (mut work, mut passive) = (Workspace::new(&dual), passive::Workspace::new(&dual));
        let slopes: Vec<f64> = (0..arm.nv())
            .map(|v| {
                let mut unit = still.clone();
                unit[v] = 1.0;
                let q = calls::moving(arm, q, &unit);
                let u = calls::constant(&still);
                let moving = work.move_with(&dual, &q, &u, &u);
                energy::energies(&dual, &mut passive, &moving, &q, &u).elastic.du[0]
            })
            .collect();
        let got = arm.elastic_forces(q).unwrap_or_else(|e| panic!("{model}: {e}"));
        assert_close!(
            model,
            got.as_slice(),
            slopes,
            rel = 1e-13,
            "∂V/∂v by dual numbers, a few products per joint"
        );
    }
}

/// At rest no force and no energy.
#[test]
fn springs_rest_where_they_are_told() {
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let mut rest = Vec::new();
        for (i, link) in model.description.links.iter().enumerate() {
            let own = arm.configuration_of(i);
            rest.extend(if link.rest.is_empty() { &q[own] } else { &link.rest });
        }
        let force = arm.elastic_forces(&rest).unwrap_or_else(|e| panic!("{model}: {e}"));
        let energies = arm.energies(&rest, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        assert_close!(
            model,
            [force.amax(), energies.elastic],
            [0.0, 0.0],
            rel = 1e-15,
            of = 20.0,
            "a spring of at most 20 N/m, with rounding of the quaternion's length"
        );
    }
}
