//! The mass matrix column by column.

use crate::calls;
use crate::models::{Model, models};
use pliant::nalgebra::DMatrix;
use pliant::reproduce::Algorithm;
use pliant::spatial::Vec3;

#[test]
fn crba_equals_columns_of_rnea() {
    for model in models() {
        let Model { arm, q, .. } = &model;
        let n = arm.nv();
        let mass = calls::crba(arm, q);
        let floating = arm.clone().with_gravity(Vec3::ZERO);
        let still = vec![0.0; n];
        // springs pull also at rest
        let rest = calls::rnea(&floating, q, &still, &still);
        let mut columns = vec![0.0; n * n];
        for v in 0..n {
            let mut unit = still.clone();
            unit[v] = 1.0;
            let tau = calls::rnea(&floating, q, &still, &unit);
            for row in 0..n {
                columns[row * n + v] = tau[row] - rest[row];
            }
        }
        let size = crate::close::largest(&mass) + crate::close::largest(&rest);
        assert_close!(
            model,
            mass,
            columns,
            rel = 1e-13,
            of = size,
            "crba = columns of rnea: the same products in another order"
        );
    }
}

#[test]
fn the_mass_matrix_is_positive() {
    for model in models() {
        let Model { arm, q, u, .. } = &model;
        let n = arm.nv();
        let mass = calls::crba(arm, q);
        let matrix = DMatrix::from_row_slice(n, n, &mass);
        assert!(matrix.cholesky().is_some(), "{model}: M is not positive");
        let energies = arm.energies(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        let kinetic = 0.5 * calls::dot(u, &calls::times(&mass, u));
        assert_close!(
            model,
            [energies.kinetic],
            [kinetic],
            rel = 1e-12,
            "½ uᵀMu is the kinetic energy; the terms are larger than their sum"
        );
    }
}

#[test]
fn each_algorithm_has_the_same_mass_matrix() {
    for model in models() {
        let Model { arm, q, .. } = &model;
        let [recursive, composite, articulated] =
            [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated].map(|algorithm| {
                let answer = algorithm.mass_matrix(arm, q);
                answer.unwrap_or_else(|e| panic!("{model}: {e}"))
            });
        assert_eq!(composite, articulated, "{model}: one algorithm, two answers");
        let springs = arm.elastic_forces(q).unwrap_or_else(|e| panic!("{model}: {e}"));
        assert_close!(
            model,
            recursive.as_slice(),
            composite.as_slice(),
            rel = 1e-13,
            of = composite.amax() + springs.amax(),
            "recursive = composite: the same products in another order"
        );
    }
}
