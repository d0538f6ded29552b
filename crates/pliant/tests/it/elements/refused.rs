//! What is wrong with an element, and in which words.

use crate::models::elements::{Cable, Floor, Pair};
use pliant::Help;
use pliant::arm::{Builder, Fault, FaultKind, ForceElement, Joint, Link};
use pliant::dynamics::rnea;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn faults(add: impl FnOnce(Builder) -> Builder) -> (Vec<Fault>, String) {
    let ball = Link::new("ball").joint(Joint::Spherical).payload(1.0, [0.1, 0.0, 0.0]);
    let error = add(Builder::new("arm").link(ball)).build().expect_err("a fault");
    let text = error.with_help();
    (error.faults, text)
}

fn floor(frame: &str, stiffness: f64) -> Floor {
    Floor { frame: frame.into(), height: 0.0, stiffness, damping: 0.0, width: 0.1 }
}

#[test]
fn names_that_the_arm_does_not_have() {
    let (faults, text) = faults(|b| b.element("floor", &floor("bal", 1.0)));
    assert_eq!(
        text,
        "force element \"floor\": it acts on the frame \"bal\", which this arm does not have; \
         name a link, or a frame that a link was given"
    );
    assert_eq!((faults[0].what, faults[0].link), ("force element", 0));
    let pair = |a: &str| Pair { coordinates: [a.into(), a.into()], stiffness: 1.0, damping: 0.0 };
    let (faults, text) = self::faults(|b| b.element("a", &pair("elbow")));
    assert!(text.contains("the coordinate \"elbow\", which this arm does not have"), "{text}");
    assert_eq!(faults.len(), 2, "each of its names");
}

#[test]
fn coordinates_of_quaternions() {
    let ball = Link::new("ball").joint(Joint::Spherical).payload(1.0, [0.1, 0.0, 0.0]);
    let arm = Builder::new("arm").link(ball).build().expect("an arm");
    for name in arm.velocity_names().iter().chain(arm.configuration_names()) {
        let coordinates = [name.clone(), name.clone()];
        let pair = Pair { coordinates, stiffness: 1.0, damping: 0.0 };
        let (faults, text) = faults(|b| b.element("pair", &pair));
        assert!(matches!(faults[0].kind, FaultKind::NoRate { .. }), "{text}");
        assert!(text.contains("let it act on the frame of the link instead"), "{text}");
    }
}

/// A workspace without room for them is not used without a word.
#[test]
fn workspaces_of_the_arm_without_them() {
    let ball = Link::new("ball").joint(Joint::Spherical).payload(1.0, [0.1, 0.0, 0.0]);
    let plain = Builder::new("arm").link(ball);
    let arm = plain.clone().element("floor", &floor("ball", 1.0)).build().expect("an arm");
    let mut work = rnea::Workspace::new(&plain.build().expect("an arm"));
    let (q, u) = (arm.neutral(), [0.0; 3]);
    let call = || rnea::rnea_into(&arm, &mut work, &q, &u, &u, &mut [0.0; 3]);
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("another arm");
    let text = panic.downcast_ref::<&str>().expect("it says why");
    assert!(text.contains("without force elements"), "{text}");
}

struct Nothing;

impl ForceElement for Nothing {}

#[test]
fn elements_of_nothing_and_of_no_numbers() {
    let (faults, text) = faults(|b| b.element("nothing", &Nothing));
    assert_eq!(faults[0].kind, FaultKind::ActsOnNothing);
    assert!(text.contains("name a frame or a coordinate that it acts on"), "{text}");
    for bad in [f64::NAN, f64::INFINITY] {
        let (faults, text) = self::faults(|b| b.element("floor", &floor("ball", bad)));
        assert!(matches!(faults[0].kind, FaultKind::NotFinite { .. }), "{text}");
    }
}

/// All at once, each with its own name.
#[test]
fn names_of_elements() {
    let cable = Cable { frames: ["ball".into(), "bell".into()], stiffness: 1.0, length: 0.0 };
    let (faults, text) = faults(|b| {
        let b = b.element("", &floor("ball", 1.0)).element("twice", &floor("ball", 1.0));
        b.element("twice", &cable)
    });
    let kinds: Vec<&FaultKind> = faults.iter().map(|fault| &fault.kind).collect();
    assert_eq!(*kinds[0], FaultKind::EmptyName { what: "force element" });
    assert!(text.contains("force element \"twice\": the force element name \"twice\" is already"));
    assert!(matches!(kinds[2], FaultKind::UnknownFrame { frame } if frame == "bell"), "{text}");
    let helps = text.lines().count();
    assert_eq!((faults.len(), helps), (3, 3), "{text}");
}
