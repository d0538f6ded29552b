//! Beams on a root that turns steadily.

use super::{
    Z, analytic, assert_each, beam, built, cantilever, chain, number, numbers, section, shortening,
};
use pliant::analyse::{AnalysisError, Conditions};
use pliant::arm::{Arm, Joint};
use pliant::beam::{Basis, Section, Ways};

const HUB: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn rotor(section: Section, length: f64, basis: Basis) -> Arm {
    let blade = shortening(beam(length, section, basis));
    built(cantilever(Joint::revolute(Z), blade, |l| l.prescribed().body(1.0, [0.0; 3], HUB)))
}

fn spinning(arm: &Arm, speed: f64) -> Conditions {
    let mut velocities = vec![0.0; arm.nv()];
    velocities[0] = speed;
    Conditions { velocities, ..Conditions::default() }
}

/// A blade of 16 elements in pieces; `EI = ρA = L = 1`, so that frequencies are those of the table.
fn blade(bend_y: bool) -> Arm {
    let basis = Basis::Hermite { elements: 2, ways: Ways::new(bend_y, !bend_y, false, false) };
    let piece = shortening(beam(1.0 / 8.0, section(1.0, 1.0), basis));
    built(chain(8, Joint::revolute(Z), &piece, |l| l.prescribed().body(1.0, [0.0; 3], HUB)))
}

#[test]
fn flapping_frequencies_of_a_rotor_blade() {
    let entry = &analytic("rotating cantilever")[0];
    let speeds = numbers(entry, "gamma=Omega*sqrt(rhoA L^4/EI)");
    let published = numbers(entry, "omega1*sqrt(rhoA L^4/EI)");
    let (flap, lag) = (blade(false), blade(true));
    for (speed, published) in speeds.into_iter().zip(published) {
        let squares = [&flap, &lag].map(|arm| {
            let modes = arm.modes_under(&arm.neutral(), &spinning(arm, speed)).expect("modes");
            modes.modes.iter().map(|mode| mode.squared).collect::<Vec<f64>>()
        });
        // the table has four decimals, some cut off and some rounded
        let error = squares[0][0].sqrt() - published;
        assert!((-5e-5..1e-4).contains(&error), "Ω = {speed}: {published}, error {error:e}");
        // within the plane the centrifugal force turns with the blade: ω² is lower by Ω²
        let shifted: Vec<f64> = squares[1].iter().map(|square| square + speed * speed).collect();
        assert_each(&shifted, &squares[0], 1e-9, "flap and lag");
    }
}

#[test]
fn steady_spin_stretches() {
    for entry in analytic("steady spin axial tip extension") {
        let [rho_a, length, ea, speed] =
            ["rhoA", "L", "EA", "Omega"].map(|key| number(&entry, key));
        let basis = Basis::Hermite { elements: 4, ways: Ways::new(false, false, false, true) };
        let arm = rotor(Section { ea, ..section(1.4e4, rho_a) }, length, basis);
        let rest = arm.static_equilibrium_under(&arm.neutral(), &spinning(&arm, speed));
        let tip = arm.pose(&rest.expect("rest").q, "tip").expect("a tip").position.x - length;
        // the formula leaves out that a stretched beam is longer: 2/5 ρA Ω²L²/EA = 6e-5
        assert_each(&[tip], &[number(&entry, "extension_m")], 1e-4, "the first order");
    }
}

#[test]
fn gyroscopic_coupling_is_refused() {
    let basis = Basis::ClampedFree(Ways::new(1, 0, 0, 1));
    let arm = rotor(section(1.0, 1.0), 1.0, basis);
    assert!(arm.modes_under(&arm.neutral(), &spinning(&arm, 0.0)).is_ok());
    let error = arm.modes_under(&arm.neutral(), &spinning(&arm, 1.0)).unwrap_err();
    assert!(matches!(error, AnalysisError::Gyroscopic { .. }), "{error}");
}
