//! The textbook's cantilever, against closed forms, the reference cases and fine elements.

use super::{along_y, analytic, assert_each, beam, built, cantilever, number, numbers, section};
use pliant::analyse::Cantilever;
use pliant::arm::Joint;
use pliant::beam::{Beam, Matter, Profile, Section};
use std::f64::consts::PI;

#[test]
fn uniform_beams_have_closed_forms() {
    let (ei, rho_a, length) = (50.0, 0.8, 1.2);
    let own = beam(length, section(ei, rho_a), along_y(1));
    let book = Cantilever::new(&own);
    assert_each(&[book.tip_flexibility(0)], &[length.powi(3) / (3.0 * ei)], 1e-13, "P L³/3EI");
    let sag = rho_a * length.powi(4) / (8.0 * ei);
    assert_each(&[book.sag(1)], &[sag], 1e-13, "ρA g L⁴/8EI");
    assert_each(&[book.twist(), book.stretch()], &[1.2, 1.2e-6], 1e-13, "L/GJ and L/EA");
    let euler = PI * PI * ei / (4.0 * length * length);
    assert_each(&[book.buckling_load(0).expect("found")], &[euler], 1e-10, "Euler");
    assert_eq!(book.twist_frequency(), None, "no inertia about the axis");
}

#[test]
fn shear_adds_to_deflections_and_takes_from_buckling() {
    let kga = 4e3;
    let shears = Section { kga_y: Some(kga), kga_z: Some(kga), ..section(50.0, 0.8) };
    let own = beam(1.2, shears, along_y(1));
    let book = Cantilever::new(&own);
    let deflection = 1.2_f64.powi(3) / 150.0 + 1.2 / kga;
    assert_each(&[book.tip_flexibility(0)], &[deflection], 1e-13, "with PL/κGA");
    let euler = PI * PI * 50.0 / (4.0 * 1.44);
    let engesser = euler / (1.0 + euler / kga);
    assert_each(&[book.buckling_load(0).expect("found")], &[engesser], 1e-10, "Engesser");
}

#[test]
fn frequencies_are_those_of_the_reference_cases() {
    for entry in analytic("EB clamped-free") {
        let [ei, rho_a, length] = ["EI", "rhoA", "L"].map(|key| number(&entry, key));
        let own = beam(length, section(ei, rho_a), along_y(1));
        let exact = &numbers(&entry, "omega_rad_s")[..3];
        assert_each(&Cantilever::new(&own).bending_frequencies(0, 3), exact, 1e-8, "slender");
    }
    for entry in analytic("Timoshenko clamped-free") {
        let [ei, kga, rho_a, rho_i, length] =
            ["EI", "kappaGA", "rhoA", "rhoI", "L"].map(|key| number(&entry, key));
        let thick = Section {
            kga_y: Some(kga),
            kga_z: Some(kga),
            rho_i_y: rho_i,
            rho_i_z: rho_i,
            ..section(ei, rho_a)
        };
        let own = beam(length, thick, along_y(1));
        let exact = &numbers(&entry, "omega_rad_s")[..3];
        assert_each(&Cantilever::new(&own).bending_frequencies(0, 3), exact, 1e-8, "thick");
        let book = Cantilever::new(&own).twist_frequency().expect("found");
        let wave = PI / (2.0 * length) * (1.0 / (2.0 * rho_i)).sqrt();
        assert_each(&[book], &[wave], 1e-9, "a quarter of a wave");
    }
}

#[test]
fn varying_sections_agree_with_fine_elements() {
    let part = |size: f64| Matter::Given(section(50.0 * size, 0.8 * size));
    let stations = vec![(0.0, part(1.0)), (0.5, part(0.8)), (0.5, part(0.5)), (1.2, part(0.2))];
    let own =
        Beam { foreshortening: false, ..Beam::new(1.2, Profile::along(stations), along_y(24)) };
    let book = Cantilever::new(&own);
    let arm = built(cantilever(Joint::Fixed, own.clone(), |link| link));
    let fine = arm.modes(&arm.neutral()).expect("modes").frequencies();
    assert_each(&book.bending_frequencies(0, 3), &fine[..3], 1e-5, "tapered with a step");
    // by hand: EI runs linearly on both parts
    let compliance = |from: f64, to: f64, a: f64, b: f64| {
        let n = 20_000;
        let h = (to - from) / f64::from(n);
        let at = |k: i32| from + (f64::from(k) + 0.5) * h;
        let ei = |s: f64| 50.0 * (a + (b - a) * (s - from) / (to - from));
        (0..n).map(|k| h * (1.2 - at(k)).powi(2) / ei(at(k))).sum::<f64>()
    };
    let sum = compliance(0.0, 0.5, 1.0, 0.8) + compliance(0.5, 1.2, 0.5, 0.2);
    assert_each(&[book.tip_flexibility(0)], &[sum], 1e-8, "∫ (L − s)²/EI");
}
