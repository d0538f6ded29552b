//! Forward dynamics undo inverse dynamics, by each algorithm.

use crate::calls;
use crate::close::terms;
use crate::models::{Model, models};
use pliant::reproduce::Algorithm;

/// `|M u̇ + bias − τ|` as a part of `|M||u̇| + |bias|`. The condition of M, up to 4e8 in a stretched
/// chain, amplifies errors of the accelerations but not of what they need.
const RESIDUAL: f64 = 1e-12;

#[test]
fn rnea_inverts_aba() {
    for model in models() {
        let Model { arm, q, u, tau, .. } = &model;
        let (back, ud) = calls::aba(arm, q, u, tau, &vec![f64::NAN; arm.nv()]);
        assert_eq!(&back, tau, "{model}: aba changed forces that were given");
        check(&model, &ud, "aba");
    }
}

#[test]
fn rnea_inverts_composite() {
    for model in models() {
        let Model { arm, q, u, tau, .. } = &model;
        let (back, ud) = calls::composite(arm, q, u, tau, &vec![f64::NAN; arm.nv()]);
        assert_eq!(&back, tau, "{model}: composite changed forces that were given");
        check(&model, &ud, "composite");
    }
}

#[test]
fn rnea_inverts_the_recursive_algorithm() {
    for model in models() {
        let Model { arm, q, u, tau, .. } = &model;
        let still = vec![0.0; arm.nv()];
        let answer = Algorithm::Recursive.hybrid_dynamics(arm, q, u, tau, &still);
        let (back, ud) = answer.unwrap_or_else(|e| panic!("{model}: {e}"));
        assert_eq!(back.as_slice(), tau, "{model}: forces changed");
        check(&model, ud.as_slice(), "recursive");
    }
}

fn check(model: &Model, ud: &[f64], algorithm: &str) {
    let Model { arm, q, u, tau, .. } = model;
    let bias = calls::rnea(arm, q, u, &vec![0.0; arm.nv()]);
    assert_close!(
        model,
        calls::rnea(arm, q, u, ud),
        tau,
        rel = RESIDUAL,
        of = terms(&calls::crba(arm, q), ud, &bias),
        "rnea({algorithm}(τ)) = τ to rounding of |M||u̇| + |bias|"
    );
}

/// On arms of good condition the accelerations themselves agree.
#[test]
fn accelerations_of_all_algorithms() {
    for model in models().into_iter().filter(|m| m.arm.body_count() < 9) {
        let Model { arm, q, u, tau, .. } = &model;
        let still = vec![0.0; arm.nv()];
        let [recursive, composite, articulated] =
            [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated].map(|algorithm| {
                let answer = algorithm.hybrid_dynamics(arm, q, u, tau, &still);
                answer.unwrap_or_else(|e| panic!("{model}: {e}")).1
            });
        for (algorithm, ud) in [("recursive", recursive), ("composite", composite)] {
            assert_close!(
                model,
                ud.as_slice(),
                articulated.as_slice(),
                rel = 1e-11,
                "{algorithm} = articulated to the condition of M, up to 1e3, times rounding"
            );
        }
    }
}
