//! The cantilever under a heavy tip force that keeps its direction.

use super::{along_y, beam, built, chain, dead_force, section, shortening};
use pliant::analyse::{Conditions, Equilibrium};
use pliant::arm::{Arm, Joint};

/// `PL²/EI` and the tip deflection over the length, from elliptic integrals.
const ELASTICA: [(f64, f64); 4] =
    [(1.0, 0.301_721), (2.0, 0.493_457), (5.0, 0.713_792), (10.0, 0.810_609)];

fn bent(pieces: usize, load: f64) -> (Arm, Equilibrium) {
    let piece = shortening(beam(1.0 / pieces as f64, section(1.0, 1.0), along_y(1)));
    let arm = built(chain(pieces, Joint::Fixed, &piece, |l| l));
    let loads = vec![dead_force(&arm, [0.0, load, 0.0])];
    let conditions = Conditions { loads, ..Conditions::default() };
    let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest");
    (arm, rest)
}

#[test]
fn tip_deflection() {
    for (load, exact) in ELASTICA {
        let [coarse, fine] = [8, 16].map(|pieces| {
            let (arm, rest) = bent(pieces, load);
            assert!(rest.stable, "{load}");
            arm.pose(&rest.q, "tip").expect("a tip").position.y - exact
        });
        // measured 7e-6, 3e-5, 1.1e-4, 2.2e-4
        assert!(fine.abs() < 2.5e-4, "PL²/EI = {load}: error {fine:e}");
        let order = (coarse / fine).log2();
        assert!((2.8..3.3).contains(&order), "PL²/EI = {load}: order {order}");
    }
}

#[test]
fn newton_converges_quadratically() {
    for (load, _) in ELASTICA {
        let (_, rest) = bent(8, load);
        let steps = &rest.corrections;
        for pair in steps.windows(2).filter(|pair| pair[0] < 0.1) {
            // measured 0.06 times the square; a slope without the load's own part is linear
            assert!(pair[1] <= (0.3 * pair[0] * pair[0]).max(1e-14), "{load}: {steps:?}");
        }
        assert!(steps.last().is_some_and(|&last| last < 1e-12), "{load}: {steps:?}");
        assert!(rest.residual < 1e-12 * load * 8.0, "{load}: {:e}", rest.residual);
    }
}
