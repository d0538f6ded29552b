//! King's rule: strong enough and stiff enough.

use super::{Z, assert_each, built};
use pliant::analyse::{AnalysisError, Demand, FREQUENCY_RATIO, SizingCriterion};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, ShapeLoad, Ways};
use std::f64::consts::PI;

fn tube(diameter: f64) -> Matter {
    let material = Material::named("aluminium").expect("known");
    Matter::Made { outline: CrossSection::Tube { diameter, wall: 0.1 * diameter }, material }
}

fn rod(diameter: f64) -> Matter {
    let material = Material::named("steel").expect("known");
    Matter::Made { outline: CrossSection::Round { diameter }, material }
}

/// A link of 1 m with a hub, a payload at its tip, and gravity across it.
fn boom(matter: Matter, basis: Basis, segments: usize, payload: f64) -> Arm {
    let beam = Beam { segments, ..Beam::new(1.0, matter, basis) };
    let hub = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let boom = Link::new("boom").joint(Joint::revolute(Z)).beam(beam).body(2.0, [0.0; 3], hub);
    let builder = Builder::new("boom").gravity([0.0, -9.81, 0.0]).link(boom);
    let tip = Link::new("payload").on("boom").at_section(1.0).payload(payload, [0.05, 0.0, 0.0]);
    built(if payload > 0.0 { builder.link(tip) } else { builder })
}

fn bases() -> [Basis; 3] {
    let modes = Ways::new(2, 2, 0, 0);
    [
        Basis::ClampedFree(modes),
        Basis::Hermite { elements: 2, ways: Ways::new(true, true, false, false) },
        Basis::Eigenmodes {
            elements: 4,
            ways: modes,
            load: ShapeLoad::Outboard,
            hinge_y: None,
            hinge_z: None,
        },
    ]
}

#[test]
fn the_smallest_radii_just_meet_the_demand() {
    let demand = Demand { bandwidth: 30.0, moment: Some(40.0) };
    for basis in bases() {
        let divisible = matches!(basis, Basis::Hermite { .. });
        let settings = [(1, 0.0), (1, 1.5), (2, 1.5)];
        for (segments, payload) in settings.into_iter().filter(|(n, _)| *n == 1 || divisible) {
            let sized = |diameter: f64| {
                let arm = boom(tube(diameter), basis.clone(), segments, payload);
                arm.sizing(0, &arm.neutral(), &demand).expect("sizing")
            };
            let first = sized(0.04);
            assert_eq!(first.radius, Some(0.02));
            let radius = first.radius_for_stiffness().expect("a radius");
            // an arm built with that radius, by another way than the search takes
            let stiff = sized(2.0 * radius);
            assert_each(&[stiff.margin_of_stiffness], &[1.0], 1e-6, "stiff enough");
            assert_each(&[stiff.frequency], &[FREQUENCY_RATIO * 30.0], 1e-6, "three times");
            let radius = first.radius_for_strength().expect("a radius");
            let strong = sized(2.0 * radius);
            assert_each(&[strong.margin_of_strength.expect("known")], &[1.0], 1e-12, "strong");
        }
    }
}

#[test]
fn a_round_link_by_the_formulas() {
    let arm = boom(rod(0.02), Basis::ClampedFree(Ways::new(3, 3, 0, 0)), 1, 0.0);
    let arm = arm.with_gravity([0.0; 3].into());
    let demand = Demand { bandwidth: 10.0, moment: Some(100.0) };
    let sizing = arm.sizing(0, &arm.neutral(), &demand).expect("sizing");
    let stress = 4.0 * 100.0 * 0.01 / (PI * 0.01_f64.powi(4));
    assert_each(&[sizing.stress.expect("an outline")], &[stress], 1e-12, "King (1-1)");
    assert_each(&[sizing.margin_of_strength.expect("steel")], &[355e6 / stress], 1e-12, "(1-2)");
    let radius = (4.0 * 100.0 / (PI * 355e6_f64)).cbrt();
    assert_each(&[sizing.radius_for_strength().expect("round")], &[radius], 1e-12, "(1-2)");
    // 1.8751² √(E/ρ) R/2 / L²; the turning of the sections takes 1e-4 of it
    let clamped = 1.875_104_068_7_f64.powi(2) * (210e9_f64 / 7850.0).sqrt() * 0.005;
    assert_each(&[sizing.frequency], &[clamped], 3e-4, "the clamped beam");
    assert_each(&[sizing.margin_of_stiffness], &[clamped / 30.0], 3e-4, "(1-3)");
    let radius = 0.01 * 30.0 / clamped;
    assert_each(&[sizing.radius_for_stiffness().expect("round")], &[radius], 3e-4, "(1-3)");
    assert_eq!(sizing.decides, SizingCriterion::Strength);
    let fast = Demand { bandwidth: 200.0, ..demand };
    let sizing = arm.sizing(0, &arm.neutral(), &fast).expect("sizing");
    assert_eq!(sizing.decides, SizingCriterion::Stiffness);
}

#[test]
fn the_moment_of_a_posture() {
    let basis = Basis::Hermite { elements: 4, ways: Ways::new(true, true, false, false) };
    let arm = boom(tube(0.04), basis, 2, 1.5);
    let demand = Demand { bandwidth: 5.0, moment: None };
    let across = arm.sizing(0, &arm.neutral(), &demand).expect("sizing");
    let rho_a = arm.beam_of(0).expect("a beam").profile.section_at(0.0).rho_a;
    let moment = 9.81 * (1.5 * 1.05 + rho_a * 0.5);
    // the tip hangs down by a few millimetres, and the lever is shorter by their squares
    assert_each(&[across.moment], &[moment], 1e-4, "payload and weight");
    let mut q = arm.neutral();
    q[0] = -0.5 * PI;
    let hanging = arm.sizing(0, &q, &demand).expect("sizing");
    assert!(hanging.moment < 1e-9 * moment && hanging.decides == SizingCriterion::Stiffness);
    assert!(hanging.frequency > across.frequency, "a hanging link is pulled straight");
}

#[test]
fn what_is_inboard_counts_as_rigid() {
    let two = |inner: f64| {
        let basis = Basis::ClampedFree(Ways::new(2, 2, 0, 0));
        let beam = |diameter: f64| Beam::new(1.0, tube(diameter), basis.clone());
        let link = |name: &str| Link::new(name).joint(Joint::revolute(Z));
        let motor = |link: Link| link.body(0.5, [0.0; 3], [[0.0; 3]; 3]);
        let upper = motor(link("upper").beam(beam(inner)));
        let fore = motor(link("fore").at_section(1.0).beam(beam(0.03)));
        built(Builder::new("two").gravity([0.0; 3]).link(upper).link(fore))
    };
    let demand = Demand { bandwidth: 5.0, moment: None };
    let sized = |arm: &Arm, link: usize| arm.sizing(link, &arm.neutral(), &demand).expect("sizing");
    let (soft, stiff) = (two(0.03), two(0.06));
    assert_each(
        &[sized(&soft, 1).frequency],
        &[sized(&stiff, 1).frequency],
        1e-9,
        "the outer link",
    );
    assert!(sized(&soft, 0).frequency < 0.6 * sized(&stiff, 0).frequency, "the inner link");
    // the whole arm, joints locked, is what the first link moves
    let whole = soft.modes(&soft.neutral()).expect("modes").frequencies()[0];
    assert_each(&[sized(&soft, 0).frequency], &[whole], 1e-12, "all of it");
}

#[test]
fn demands_that_cannot_be_judged() {
    let arm = boom(tube(0.04), Basis::ClampedFree(Ways::new(1, 1, 0, 0)), 1, 1.0);
    let q = arm.neutral();
    let demand = Demand { bandwidth: 5.0, moment: None };
    assert_eq!(arm.sizing(9, &q, &demand), Err(AnalysisError::NoSuchLink { given: 9, count: 2 }));
    let rigid = AnalysisError::Rigid { link: "payload".into() };
    assert_eq!(arm.sizing(1, &q, &demand), Err(rigid));
    let still = Demand { bandwidth: 0.0, moment: None };
    let what = "bandwidth";
    assert_eq!(arm.sizing(0, &q, &still), Err(AnalysisError::NotPositive { what, value: 0.0 }));
    let what = "bending moment";
    let pulled = Demand { bandwidth: 5.0, moment: Some(-1.0) };
    assert_eq!(arm.sizing(0, &q, &pulled), Err(AnalysisError::NotPositive { what, value: -1.0 }));
}
