//! King's arm of two bars, swinging in space.

use pliant::integrate::{Dop853, solve};
use pliant::simulate::{ArmSystem, Unforced};
use std::path::Path;

#[test]
fn kings_arm_keeps_its_energy() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/king-two-link.toml");
    let arm = pliant_io::load(&path).expect("a good arm").arm;
    let mut start = [arm.neutral(), vec![0.0; arm.nv()]].concat();
    // from the horizontal, turned at the second joint and spun out of the plane
    let second = arm
        .velocity_names()
        .iter()
        .position(|name| !name.contains('.') && name != &arm.velocity_names()[0]);
    start[second.expect("two joints")] = 0.7;
    start[arm.nq()] = 0.5;
    let times: Vec<f64> = (0..=100).map(|k| 0.05 * f64::from(k)).collect();
    let solution = solve(ArmSystem::new(&arm, Unforced), Dop853::new(1e-11), &start, &times);
    solution.outcome.expect("the run reaches its end");
    let energies: Vec<_> = solution
        .states
        .iter()
        .map(|state| {
            let (q, u) = state.split_at(arm.nq());
            arm.energies(q, u).expect("a good state")
        })
        .collect();
    let kinetic = energies.iter().map(|e| e.kinetic).fold(0.0, f64::max);
    let drift = energies.iter().map(|e| (e.total() - energies[0].total()).abs());
    let drift = drift.fold(0.0, f64::max) / kinetic;
    assert!(drift < 1e-10, "{drift:e}");
}
