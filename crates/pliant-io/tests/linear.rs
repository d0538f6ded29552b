//! The arms of `robots/`, linearised.

use pliant::analyse::riccati::{Time, lqr};
use pliant::analyse::{Conditions, Hold, Input, Point, StateSpace};
use pliant::arm::Arm;
use pliant::nalgebra::DMatrix;
use std::path::Path;

/// Every arm, in a posture without symmetries where its links hang at rest.
fn arms() -> Vec<(Arm, Vec<f64>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of robots")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 7);
    let posture = |path: &std::path::PathBuf| {
        let arm = pliant_io::load(path).unwrap_or_else(|report| panic!("{report}")).arm;
        let mut q = arm.neutral();
        let mut step = vec![0.0; arm.nv()];
        for link in 0..arm.body_count() {
            for v in arm.velocities_of(link) {
                step[v] = 0.3 + 0.1 * v as f64;
            }
        }
        arm.displace(&mut q, &step);
        let rest = arm.static_equilibrium(&q).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        (arm, rest.q)
    };
    paths.iter().map(posture).collect()
}

fn linearised(arm: &Arm, q: &[f64], hold: Hold) -> StateSpace {
    let joints = (0..arm.body_count()).flat_map(|link| arm.velocities_of(link));
    let motors: Vec<Input> = match hold {
        Hold::Free => joints.map(Input::Motor).collect(),
        _ => Vec::new(),
    };
    let conditions = Conditions::all(arm, hold);
    arm.linearise(&Point::rest(arm, q), &conditions, &motors, &[]).expect("a system")
}

#[test]
fn poles_of_locked_arms_are_their_modes() {
    let mut compared = 0;
    for (arm, q) in arms() {
        let modes = arm.modes(&q).expect("modes").modes;
        let poles = linearised(&arm, &q, Hold::Locked).poles();
        assert_eq!(poles.len(), 2 * modes.len());
        let largest = modes.iter().map(|mode| mode.frequency()).fold(0.0, f64::max);
        for (pair, mode) in poles.chunks(2).zip(&modes) {
            let error = (pair[0].norm() - mode.frequency()).abs();
            assert!(error < 1e-8 * largest, "{}: {pair:?} {}", arm.name(), mode.frequency());
            let damping = -pair[0].re - mode.damping_ratio * mode.frequency();
            assert!(damping.abs() < 1e-8 * largest, "{}: {pair:?}", arm.name());
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// One price for every place, rate and force.
#[test]
fn regulators_of_all_arms() {
    for (arm, q) in arms() {
        let StateSpace { a, b, .. } = linearised(&arm, &q, Hold::Free);
        let (n, m) = b.shape();
        let (one, r) = (DMatrix::identity(n, n), DMatrix::identity(m, m));
        let found = lqr(Time::Continuous, &a, &b, &one, &r);
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", arm.name()));
        let x = &found.riccati.x;
        let spent = x * &b * b.transpose() * x;
        let left = a.transpose() * x + x * &a - spent + &one;
        let residual = left.norm() / (one.norm() + a.norm() * x.norm());
        assert!(residual < 1e-12, "{}: {residual:e}", arm.name());
        assert!(found.poles.iter().all(|pole| pole.re < 0.0), "{}", arm.name());
        assert!(found.riccati.condition >= 1.0);
    }
}
