//! Frequencies of Euler-Bernoulli beams, of torsion and of stretch.

use super::{
    Z, along_y, analytic, assert_each, beam, built, cantilever, chain, number, numbers, section,
};
use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::{Joint, Link};
use pliant::beam::{Basis, Damping, Section, Ways};
use pliant::spatial::Pose;

/// A finite-element beam of 64 elements in 8 pieces: its fourth frequency is `(βh)⁴/1440 = 6e-7`
/// too high.
fn fine(ei: f64, rho_a: f64, length: f64) -> pliant::beam::Beam {
    beam(length / 8.0, section(ei, rho_a), along_y(8))
}

#[test]
fn a_clamped_beam() {
    for entry in analytic("EB clamped-free") {
        let [ei, rho_a, length] = ["EI", "rhoA", "L"].map(|key| number(&entry, key));
        let basis = Basis::ClampedFree(Ways::new(10, 0, 0, 0));
        let arm = built(cantilever(Joint::Fixed, beam(length, section(ei, rho_a), basis), |l| l));
        let modes = arm.modes(&arm.neutral()).expect("modes");
        // the shapes are the modes; the shape integrals are good to 1e-11
        let exact = numbers(&entry, "omega_rad_s");
        assert_each(&modes.frequencies(), &exact, 1e-9, "its own shapes");

        let arm = built(chain(8, Joint::Fixed, &fine(ei, rho_a, length), |l| l));
        let modes = arm.modes(&arm.neutral()).expect("modes");
        assert_each(&modes.frequencies(), &exact[..4], 1e-6, "64 elements");
        assert!((modes.modes[0].hertz() * std::f64::consts::TAU - exact[0]).abs() < 1e-4);
    }
}

#[test]
fn a_mass_at_the_tip() {
    for entry in analytic("EB clamped beam with tip point mass") {
        let [ei, rho_a, length] = ["EI", "rhoA", "L"].map(|key| number(&entry, key));
        let tip = Link::new("payload").at_section(length / 8.0);
        let builder = chain(8, Joint::Fixed, &fine(ei, rho_a, length), |l| l);
        let arm = built(builder.link(tip.payload(number(&entry, "tip_mass"), [0.0; 3])));
        let modes = arm.modes(&arm.neutral()).expect("modes");
        assert_each(&modes.frequencies(), &numbers(&entry, "omega_rad_s"), 1e-6, "64 elements");
    }
}

#[test]
fn a_hub_that_turns_freely() {
    for entry in analytic("EB beam on freely rotating hub") {
        let [ei, rho_a, length, hub] =
            ["EI", "rhoA", "L", "hub_inertia"].map(|key| number(&entry, key));
        let tensor = [[hub, 0.0, 0.0], [0.0, hub, 0.0], [0.0, 0.0, hub]];
        let piece = fine(ei, rho_a, length);
        let arm = built(chain(8, Joint::revolute(Z), &piece, |l| l.body(1.0, [0.0; 3], tensor)));
        let conditions = Conditions::all(&arm, JointCondition::Free);
        let modes = arm.modes_under(&arm.neutral(), &conditions).expect("modes");
        let frequencies = modes.frequencies();
        // the rigid rotation first
        assert_eq!(modes.modes[0].squared, 0.0);
        assert_eq!(modes.modes[0].dominant(), 0, "it is the hub's");
        assert_each(&frequencies[1..], &numbers(&entry, "omega_rad_s"), 1e-6, "64 elements");
        // locked: the clamped beam again
        let locked = arm.modes(&arm.neutral()).expect("modes");
        assert_eq!(locked.modes.len(), modes.modes.len() - 1);
        assert!(locked.modes.iter().all(|mode| mode.shape[0] == 0.0));
    }
}

#[test]
fn torsion_and_stretch() {
    for entry in analytic("torsion / axial") {
        let [gj, rho_ip, ea, rho_a, length] =
            ["GJ", "rhoIp", "EA", "rhoA", "L"].map(|key| number(&entry, key));
        let half = 0.5 * rho_ip;
        let section = Section { gj, ea, rho_i_y: half, rho_i_z: half, ..section(50.0, rho_a) };
        let cases = [
            ("omega_torsion", Basis::ClampedFree(Ways::new(0, 0, 3, 0))),
            ("omega_axial", Basis::ClampedFree(Ways::new(0, 0, 0, 3))),
        ];
        for (key, basis) in cases {
            let arm = built(cantilever(Joint::Fixed, beam(length, section, basis), |l| l));
            let modes = arm.modes(&arm.neutral()).expect("modes");
            // sines are the modes, and quadrature is exact to rounding
            assert_each(&modes.frequencies(), &numbers(&entry, key), 1e-12, key);
        }
    }
}

#[test]
fn elements_converge_at_order_four() {
    let entry = &analytic("EB clamped-free")[0];
    let [ei, rho_a, length] = ["EI", "rhoA", "L"].map(|key| number(entry, key));
    let exact = numbers(entry, "omega_rad_s");
    let errors = |pieces: usize| -> Vec<f64> {
        let piece = beam(length / pieces as f64, section(ei, rho_a), along_y(8));
        let arm = built(chain(pieces, Joint::Fixed, &piece, |l| l));
        let frequencies = arm.modes(&arm.neutral()).expect("modes").frequencies();
        (0..3).map(|k| frequencies[k] / exact[k] - 1.0).collect()
    };
    let (coarse, fine) = (errors(2), errors(4));
    for k in 0..3 {
        let order = (coarse[k] / fine[k]).log2();
        // 4 in theory; at 32 elements the first error is 6e-9, far above rounding
        assert!((3.9..4.1).contains(&order), "mode {}: {coarse:?} {fine:?} {order}", k + 1);
    }
}

#[test]
fn pieces_on_fixed_joints_are_one_beam() {
    let whole = built(cantilever(Joint::Fixed, beam(1.2, section(50.0, 0.8), along_y(4)), |l| l));
    let cut = built(chain(2, Joint::Fixed, &beam(0.6, section(50.0, 0.8), along_y(2)), |l| l));
    let [whole, cut] = [whole, cut].map(|arm| arm.modes(&arm.neutral()).expect("modes"));
    assert_each(&cut.frequencies(), &whole.frequencies(), 1e-9, "the same elements");
}

#[test]
fn damping_ratios_of_rayleigh_damping() {
    let (alpha, beta) = (0.3, 2e-4);
    let mut damped = beam(1.2, section(50.0, 0.8), along_y(4));
    damped.damping = Damping { mass: alpha, stiffness: beta, ..Damping::default() };
    let arm = built(cantilever(Joint::Fixed, damped, |l| l.frame("hand", Pose::IDENTITY)));
    for mode in arm.modes(&arm.neutral()).expect("modes").modes {
        let omega = mode.frequency();
        let ratio = 0.5 * (alpha / omega + beta * omega);
        assert_each(&[mode.damping_ratio], &[ratio], 1e-9, "α/2ω + βω/2");
        assert!((mode.shares.sum() - 1.0).abs() < 1e-9);
    }
}
