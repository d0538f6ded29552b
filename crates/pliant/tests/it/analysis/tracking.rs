//! Modes followed along a motion.

use super::{Z, beam, built, section};
use pliant::Help;
use pliant::analyse::{AnalysisError, Joints, OperatingPoint, VibrationInstant};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Ways};

const BENDING: f64 = 40.0;

/// A beam with a mass that swings about its tip, and beside it a beam of the stiffness `ei`.
fn pair(ei: f64) -> Arm {
    let one_shape = Basis::ClampedFree(Ways::new(1, 0, 0, 0));
    let bar = |name: &str, ei| {
        Link::new(name).on_ground().beam(beam(1.0, section(ei, 0.5), one_shape.clone()))
    };
    let swinging = Link::new("load").on("first").at_section(1.0).joint(Joint::revolute(Z));
    let builder = Builder::new("pair").gravity([0.0; 3]).link(bar("first", BENDING));
    built(builder.link(swinging.payload(2.0, [0.6, 0.0, 0.0])).link(bar("second", ei)))
}

/// The arm with the load at an angle and the second beam moving.
fn point(arm: &Arm, angle: f64, rate: f64) -> OperatingPoint {
    let mut point = OperatingPoint::rest(arm, &arm.neutral());
    let at = |name: &str| arm.velocity_names().iter().position(|own| own == name).expect("known");
    point.q[at("load")] = angle;
    point.u[at("second.y1")] = rate;
    point
}

fn frequency(arm: &Arm, angle: f64, link: &str) -> f64 {
    let point = point(arm, angle, 0.0);
    let all = arm.vibrations(&point.q, &point.u, &point.ud, Joints::Prescribed).expect("modes");
    let own = all.iter().find(|one| arm.velocity_names()[one.dominant].starts_with(link));
    own.expect("a mode").frequency
}

/// The load swings inward, the first beam gets faster and overtakes the second one.
#[test]
fn modes_keep_their_places_where_frequencies_cross() {
    let trial = pair(BENDING);
    let [slow, fast] = [0.0, 3.0].map(|angle| frequency(&trial, angle, "first"));
    assert!(fast > 1.5 * slow, "{slow} {fast}");
    // between the two, since ω² is proportional to EI
    let wanted = (slow * fast).sqrt() / frequency(&trial, 0.0, "second");
    let arm = pair(BENDING * wanted * wanted);
    let motion: Vec<_> =
        (0..=30).map(|k| 0.1 * f64::from(k)).map(|t| (t, point(&arm, t, 0.0))).collect();
    let instants = arm.vibrations_along(&motion, Joints::Prescribed).expect("modes");
    let names = |instant: &VibrationInstant| -> Vec<&str> {
        instant.vibrations.iter().map(|one| arm.velocity_names()[one.dominant].as_str()).collect()
    };
    assert_eq!(names(&instants[0]), ["first.y1", "second.y1"]);
    let mut swapped = 0;
    for (instant, (time, point)) in instants.iter().zip(&motion) {
        assert_eq!(instant.time, *time);
        assert_eq!(names(instant), ["first.y1", "second.y1"], "at {time}");
        let mut sorted = instant.vibrations.clone();
        sorted.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
        let frozen = arm.vibrations(&point.q, &point.u, &point.ud, Joints::Prescribed);
        assert_eq!(frozen.expect("modes"), sorted);
        swapped += usize::from(sorted != instant.vibrations);
    }
    assert!((5..26).contains(&swapped), "{swapped}");
}

/// The energy goes with the square of the rate; the first beam does not vibrate.
#[test]
fn ratios_are_those_of_what_vibrates() {
    let arm = pair(2.0 * BENDING);
    let motion = [(0.0, point(&arm, 0.3, 0.1)), (1.0, point(&arm, 0.3, 0.2))];
    let instants = arm.vibrations_along(&motion, Joints::Prescribed).expect("modes");
    let mass = arm.mass_matrix(&motion[0].1.q).expect("a posture");
    let at = arm.velocity_names().iter().position(|own| own == "second.y1").expect("known");
    let energy = 0.5 * mass[(at, at)] * 0.01;
    assert!((instants[0].energy / energy - 1.0).abs() < 1e-12, "{} {energy}", instants[0].energy);
    let ratios = instants[0].ratios_to(&instants[1]);
    let known: Vec<_> = ratios.iter().flatten().collect();
    assert_eq!((ratios.len(), known.len()), (2, 1));
    assert!((known[0].frequency - 1.0).abs() < 1e-12);
    assert!((known[0].energy - 4.0).abs() < 1e-6 && (known[0].action - 4.0).abs() < 1e-6);
    // nothing moves, nothing has a ratio
    let still = [(0.0, point(&arm, 0.3, 0.0)), (1.0, point(&arm, 0.3, 0.2))];
    let instants = arm.vibrations_along(&still, Joints::Prescribed).expect("modes");
    assert_eq!(instants[0].ratios_to(&instants[1]), [None, None]);
}

#[test]
fn an_instant_without_an_answer_is_named() {
    let arm = pair(BENDING);
    let mut wrong = point(&arm, 0.0, 0.0);
    wrong.q.pop();
    let motion = [(0.0, point(&arm, 0.0, 0.0)), (0.25, wrong)];
    let error = arm.vibrations_along(&motion, Joints::Free).expect_err("a number is missing");
    assert!(matches!(error, AnalysisError::At { time: 0.25, .. }), "{error}");
    assert!(error.to_string().starts_with("at t = 0.25 s: "), "{error}");
    let AnalysisError::At { source, .. } = &error else { unreachable!() };
    assert_eq!(error.help(), source.help());
    assert_eq!(arm.vibrations_along(&[], Joints::Free), Ok(Vec::new()));
}
