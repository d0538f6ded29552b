//! The matrices C.

use crate::calls::{self, Rate};
use crate::close::largest;
use crate::models::{Model, models, rigid};
use pliant::arm::Arm;
use pliant::nalgebra::DVector;

#[test]
fn the_matrix_times_velocity_is_the_forces_of_velocity() {
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let speed = largest(u);
        let size = largest(&calls::crba(arm, q)) * speed * speed;
        let want = arm.coriolis(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        let matrix = arm.coriolis_matrix(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        let got = matrix * DVector::from_column_slice(u);
        assert_close!(
            model,
            got.as_slice(),
            want.as_slice(),
            rel = 1e-12,
            of = size,
            "C u = coriolis, to rounding of terms of the size |M||u|²"
        );
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
