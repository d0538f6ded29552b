//! A long beam brought up to speed, after Kane, Ryan and Banerjee: 10 m, to 6 rad/s in 15 s.

use super::{clock, run};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::spatial::Pose;
use std::f64::consts::TAU;

const LENGTH: f64 = 10.0;

fn beam(basis: Basis, segments: usize, foreshortening: bool) -> Arm {
    let section = Section {
        ea: 2.8e7,
        ei_z: 1.4e4,
        ei_y: 1.4e4,
        gj: 1e4,
        kga_y: None,
        kga_z: None,
        rho_a: 1.2,
        rho_i_z: 6e-4,
        rho_i_y: 6e-4,
    };
    let beam = Beam { segments, foreshortening, ..Beam::new(LENGTH, section, basis) };
    Builder::new("spinning beam")
        .gravity([0.0; 3])
        .link(
            Link::new("boom")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .prescribed()
                .beam(beam)
                .section_frame("tip", LENGTH, Pose::IDENTITY),
        )
        .build()
        .expect("a good arm")
}

/// The deflection of the tip behind the hub at each time (m).
fn deflections(arm: &Arm, end: f64) -> Vec<f64> {
    // ω = (6/15) (t − 15/2π sin(2πt/15))
    let spin = |t: f64, _: &[f64], _: &[f64], _: &mut [f64], ud: &mut [f64]| {
        ud[0] = if t < 15.0 { 0.4 * (1.0 - (TAU * t / 15.0).cos()) } else { 0.0 };
    };
    let start = vec![0.0; arm.nq() + arm.nv()];
    let states = run(arm, spin, 1e-7, &start, &clock(end, 300));
    let tip = |state: &Vec<f64>| {
        let q = &state[..arm.nq()];
        let place = arm.pose(q, "tip").expect("there").position;
        let (sin, cos) = q[0].sin_cos();
        cos * place.y - sin * place.x
    };
    states.iter().map(tip).collect()
}

fn largest(arm: &Arm) -> f64 {
    deflections(arm, 15.0).into_iter().fold(0.0, |most, d| f64::max(most, d.abs()))
}

#[test]
fn the_deflection_converges_over_modes_and_segments() {
    let modes = |n| Basis::ClampedFree(Ways::new(n, 0, 0, 0));
    let fine = largest(&beam(modes(5), 1, true));
    let coarse = largest(&beam(modes(3), 1, true));
    assert!((coarse / fine - 1.0).abs() < 1e-2, "modes: {coarse} {fine}");
    let ways = Ways::new(true, false, false, false);
    let chain = largest(&beam(Basis::Hermite { elements: 1, ways }, 8, true));
    assert!((chain / fine - 1.0).abs() < 1e-2, "segments: {chain} {fine}");
    assert!((0.5..0.6).contains(&fine), "half a metre behind the hub: {fine}");
}

#[test]
fn without_foreshortening_the_beam_runs_away() {
    let arm = beam(Basis::ClampedFree(Ways::new(2, 0, 0, 0)), 1, false);
    let last = deflections(&arm, 12.0).last().map_or(0.0, |d| d.abs());
    assert!(last > LENGTH, "{last}");
}
