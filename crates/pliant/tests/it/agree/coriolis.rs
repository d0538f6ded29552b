//! The matrices C.

use crate::calls::{self, Rate};
use crate::close::largest;
use crate::models::{Model, models, rigid};
use pliant::arm::Arm;

#[test]
fn both_matrices_times_velocity_are_the_forces_of_velocity() {
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let speed = largest(u);
        let size = largest(&calls::crba(arm, q)) * speed * speed;
        let want = arm.coriolis(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        for (which, matrix) in
            [("passive", arm.coriolis_matrix(q, u)), ("Akmehmet's", arm.akmehmet_matrix(q, u))]
        {
            let matrix = matrix.unwrap_or_else(|e| panic!("{model}: {e}"));
            let got: Vec<f64> = (0..arm.nv())
                .map(|row| matrix.row(row).iter().zip(u).map(|(c, u)| c * u).sum())
                .collect();
            assert_close!(
                model,
                got,
                want.as_slice(),
                rel = 1e-12,
                of = size,
                "{which} C u = coriolis, to rounding of terms of the size |M||u|²"
            );
        }
    }
}

/// `Ṁ = C + Cᵀ`: then `Ṁ − 2C = Cᵀ − C` is skew. Ṁ by dual numbers along `q̇`.
#[test]
fn the_rate_of_the_mass_matrix_less_twice_c_is_skew() {
    for model in models() {
        let Model { arm, q, u, .. } = &model;
        let n = arm.nv();
        let dual: Arm<Rate> = arm.cast();
        let rate = calls::rates(&calls::crba(&dual, &calls::moving(arm, q, u)));
        let c = calls::coriolis_matrix(arm, q, u);
        let skew: Vec<f64> = (0..n * n).map(|k| rate[k] - 2.0 * c[k]).collect();
        let transposed: Vec<f64> = (0..n * n).map(|k| -skew[(k % n) * n + k / n]).collect();
        assert_close!(
            model,
            skew,
            transposed,
            rel = model.rate_tolerance(),
            of = largest(&calls::crba(arm, q)) * largest(u),
            "Ṁ − 2C is skew, to rounding of terms of the size |M||u|"
        );
    }
}

/// So that the test above cannot pass by an empty matrix: Akmehmet's C has another symmetric part.
#[test]
fn akmehmets_matrix_is_not_the_passive_one() {
    let mut differ = 0;
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let own = arm.coriolis_matrix(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        let his = arm.akmehmet_matrix(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        differ += usize::from((&own - &his).amax() > 0.01 * own.amax());
    }
    assert!(differ > 20, "only {differ} arms have two different matrices");
}
