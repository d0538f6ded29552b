//! Warnings that come when the options of a link are not right for a state, and only then.

use super::{Z, beam, built, cantilever, dead_force, section, shortening};
use pliant::analyse::{OutOfRange, RANGE};
use pliant::arm::{Actuator, Arm, Joint};
use pliant::beam::{Basis, Beam, Ways};
use std::f64::consts::PI;

const LENGTH: f64 = 1.2;
const EI: f64 = 50.0;

fn bar() -> Beam {
    beam(LENGTH, section(EI, 0.8), Basis::ClampedFree(Ways::new(1, 1, 0, 0)))
}

/// The bar in segments of one element each, which bend along y alone.
fn divided(segments: usize) -> Beam {
    let ways = Ways::new(true, false, false, false);
    Beam { segments, ..beam(LENGTH, section(EI, 0.8), Basis::Hermite { elements: 1, ways }) }
}

fn arm(beam: Beam) -> Arm {
    built(cantilever(Joint::revolute(Z), beam, |link| link))
}

/// What is said about an arm bent so far along y and z, turning so fast.
fn said(arm: &Arm, bending: [f64; 2], speed: f64) -> Vec<OutOfRange> {
    let mut q = arm.neutral();
    for link in 0..arm.body_count() {
        for (at, value) in arm.bending_of(link).0.zip(bending) {
            q[at] = value;
        }
    }
    let mut u = vec![0.0; arm.nv()];
    u[0] = speed;
    arm.out_of_range(&q, &u, &[]).expect("a state")
}

#[test]
fn steep_links_are_to_be_divided() {
    // the tip of the first mode has the slope 2.753/L per unit of its coordinate
    let per_slope = LENGTH / 2.753;
    let one = arm(shortening(bar()));
    assert_eq!(said(&one, [0.29 * per_slope, 0.0], 0.0), []);
    let steep = said(&one, [0.7 * per_slope, 0.0], 0.0);
    let [OutOfRange::Slope { link, value, limit, segments }] = steep.as_slice() else {
        panic!("{steep:?}")
    };
    assert_eq!((link.as_str(), *limit, *segments), ("beam", RANGE.slope, 3));
    assert!((value - 0.7).abs() < 1e-3, "{value}");
    for wanted in ["\"beam\"", "0.700", "0.3"] {
        assert!(steep[0].to_string().contains(wanted), "{}", steep[0]);
    }
    assert_eq!(steep[0].help(), "divide it into 3 segments of one finite element each");
    // a divided link is one link, and each segment may be as steep
    let two = arm(shortening(divided(2)));
    assert_eq!(said(&two, [0.0, 0.29], 0.0), []);
    let steep = said(&two, [0.0, 1.0], 0.0);
    assert!(matches!(steep.as_slice(), [OutOfRange::Slope { segments: 8, .. }]), "{steep:?}");
}

#[test]
fn spinning_links_are_to_be_stiffened() {
    let first = 3.516_015 / (LENGTH * LENGTH) * (EI / 0.8_f64).sqrt();
    let plain = arm(bar());
    assert_eq!(said(&plain, [0.0; 2], 0.09 * first), []);
    let fast = said(&plain, [0.0; 2], 0.11 * first);
    let [OutOfRange::Spin { value, limit, frequency, .. }] = fast.as_slice() else {
        panic!("{fast:?}")
    };
    assert!((frequency / first - 1.0).abs() < 1e-4, "{frequency} {first}");
    assert!((value / first - 0.11).abs() < 1e-12 && (limit / frequency - RANGE.spin).abs() < 1e-12);
    assert_eq!(fast[0].help(), "switch on its foreshortening");
    assert_eq!(said(&arm(shortening(bar())), [0.0; 2], 10.0 * first), []);
    // the motor of an elastic joint is a body too, and one without a frame
    let soft = Actuator { stiffness: Some(900.0), rotor_inertia: 0.01, ..Actuator::default() };
    let elastic = built(cantilever(Joint::revolute(Z), bar(), |link| link.actuator(soft)));
    assert_eq!(said(&elastic, [0.0; 2], 0.09 * first), []);
    let fast = said(&elastic, [0.0; 2], 0.11 * first);
    assert!(matches!(fast.as_slice(), [OutOfRange::Spin { .. }]), "{fast:?}");
    // about its own axis a link spins without getting stiffer
    let drill = built(cantilever(Joint::revolute([1.0, 0.0, 0.0]), bar(), |link| link));
    assert_eq!(said(&drill, [0.0; 2], 10.0 * first), []);
}

#[test]
fn pushed_and_pulled_links_are_to_be_stiffened() {
    let euler = PI * PI * EI / (4.0 * LENGTH * LENGTH);
    let plain = arm(bar());
    let under = |arm: &Arm, force: f64| {
        let loads = [dead_force(arm, [-force, 0.0, 0.0])];
        arm.out_of_range(&arm.neutral(), &vec![0.0; arm.nv()], &loads).expect("a state")
    };
    assert_eq!(under(&plain, 0.04 * euler), []);
    for sign in [1.0, -1.0] {
        let loaded = under(&plain, sign * 0.06 * euler);
        let [OutOfRange::Axial { value, limit, buckling, .. }] = loaded.as_slice() else {
            panic!("{loaded:?}")
        };
        assert!(
            (buckling / euler - 1.0).abs() < 1e-9 && (value / euler - sign * 0.06).abs() < 1e-12
        );
        assert!((limit / euler - RANGE.axial).abs() < 1e-9);
        let word = if sign > 0.0 { "pushed" } else { "pulled" };
        assert!(loaded[0].to_string().contains(word), "{}", loaded[0]);
    }
    assert_eq!(under(&arm(shortening(bar())), euler), []);
    // divided, it is as long as before
    let four = arm(divided(4));
    assert_eq!(under(&four, 0.04 * euler), []);
    assert_eq!(under(&four, 0.06 * euler).len(), 1);
    // the weight of what stands upright counts: 0.315 of its own, all that it carries
    let upright = |mass: f64| {
        let standing = |link: pliant::arm::Link| link.tip_body(mass, [0.0; 3], [[0.0; 3]; 3]);
        let arm = built(cantilever(Joint::revolute(Z), bar(), standing));
        arm.with_gravity(pliant::spatial::Vec3::new(-9.81, 0.0, 0.0))
    };
    let own = 0.315 * 0.8 * LENGTH * 9.81;
    let limit = 0.05 * euler;
    assert_eq!(under(&upright((0.99 * limit - own) / 9.81), 0.0), []);
    assert_eq!(under(&upright((1.01 * limit - own) / 9.81), 0.0).len(), 1);
}
