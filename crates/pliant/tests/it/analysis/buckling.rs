//! Euler's column.

use super::{along_y, assert_each, beam, built, cantilever, dead_force, section, shortening};
use pliant::analyse::Conditions;
use pliant::arm::{Arm, Joint};
use pliant::linear::eigen;
use std::f64::consts::PI;

fn column() -> Arm {
    let column = shortening(beam(1.2, section(50.0, 0.8), along_y(4)));
    built(cantilever(Joint::Fixed, column, |l| l))
}

fn pressed(arm: &Arm, force: f64) -> Conditions {
    Conditions { loads: vec![dead_force(arm, [-force, 0.0, 0.0])], ..Conditions::default() }
}

#[test]
fn the_critical_load_of_a_cantilever() {
    let arm = column();
    let exact = PI * PI * 50.0 / (4.0 * 1.2 * 1.2);
    let stiffness =
        |force| arm.tangent_stiffness(&arm.neutral(), &pressed(&arm, force)).expect("K");
    // the slope falls by the same with every newton: K₀ x = P (K₀ − K₁) x
    let (unloaded, loaded) = (stiffness(0.0), stiffness(1.0));
    let critical = eigen::solve(&unloaded, &(&unloaded - loaded)).expect("definite").values[0];
    // four cubic elements are (βh)⁴/720 = 3e-5 too stiff
    assert!((critical / exact - 1.0).abs() < 1e-4, "{critical} {exact}");
    for (force, holds) in [(0.999 * critical, true), (1.001 * critical, false)] {
        let rest = arm.static_equilibrium_under(&arm.neutral(), &pressed(&arm, force));
        assert_eq!(rest.expect("straight").stable, holds);
        let modes = arm.modes_under(&arm.neutral(), &pressed(&arm, force)).expect("modes");
        assert_eq!(modes.modes[0].is_unstable(), !holds, "{}", modes.modes[0].squared);
    }
}

#[test]
fn pulling_stiffens() {
    let arm = column();
    let first = |force| {
        let modes = arm.modes_under(&arm.neutral(), &pressed(&arm, force)).expect("modes");
        modes.modes[0].frequency()
    };
    let critical = PI * PI * 50.0 / (4.0 * 1.2 * 1.2);
    for part in [-0.2, 0.2] {
        // the square falls almost in proportion: the buckled shape is nearly the first mode
        let square = (first(part * critical) / first(0.0)).powi(2);
        assert_each(&[square], &[1.0 - part], 0.02, "ω² over that of the unloaded column");
    }
}
