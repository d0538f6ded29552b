//! Faults of a description.

use super::{Z, boom};
use pliant::arm::{BuildError, Builder, FaultKind, Joint, Limits, Link};
use pliant::spatial::{Mat3, Pose, Vec3};

fn faults(links: impl IntoIterator<Item = Link>) -> BuildError {
    let builder = links
        .into_iter()
        .fold(Builder::new("spoilt"), Builder::link);
    builder.build().expect_err("this description has a fault")
}

/// One fault, of the link "boom", whose message has all these words.
#[track_caller]
fn refused(link: Link, words: &[&str]) -> FaultKind {
    let error = faults([link]);
    let text = error.to_string();
    for word in ["\"boom\""].iter().chain(words) {
        assert!(text.contains(word), "\"{word}\" is not in: {text}");
    }
    assert_eq!(error.faults.len(), 1, "{text}");
    error.faults[0].kind.clone()
}

#[test]
fn a_faultless_link_is_taken() {
    assert!(Builder::new("good").link(boom()).build().is_ok());
}

#[test]
fn names() {
    let text = faults([boom(), boom().joint_name("other")]).to_string();
    assert!(
        text.contains("the link name \"boom\" is already taken"),
        "{text}"
    );
    let text = faults([
        boom(),
        Link::new("jib")
            .joint(Joint::revolute(Z))
            .joint_name("boom"),
    ]);
    assert!(
        text.to_string().contains("the joint name \"boom\""),
        "{text}"
    );
    assert!(text.to_string().contains("link \"jib\""), "{text}");
    let kind = refused(
        boom()
            .frame("eye", Pose::IDENTITY)
            .frame("eye", Pose::IDENTITY),
        &["the frame name \"eye\""],
    );
    assert!(matches!(
        kind,
        FaultKind::DuplicateName { what: "frame", .. }
    ));
    let text = faults([Link::new("")]).to_string();
    assert!(text.contains("the name is empty"), "{text}");
    assert_eq!(faults([Link::new("")]).faults[0].kind, FaultKind::EmptyName);
}

#[test]
fn parents() {
    let kind = refused(boom().on("mast"), &["\"mast\"", "not a link of this arm"]);
    assert!(matches!(kind, FaultKind::UnknownParent { .. }));
    let error = faults([boom().on("jib"), Link::new("jib").on("boom")]);
    let text = error.to_string();
    assert!(text.contains("boom on jib on boom"), "{text}");
    assert!(matches!(error.faults[0].kind, FaultKind::Cycle { .. }));
    let text = faults([boom().on("boom")]).to_string();
    assert!(text.contains("boom on boom"), "{text}");
}

#[test]
fn axes() {
    let tiny = Joint::prismatic([0.0, 1e-15, 0.0]);
    let kind = refused(boom().joint(tiny), &["no direction", "0.000000000000001"]);
    assert!(matches!(kind, FaultKind::ZeroAxis { .. }));
    let (first, second) = (Z, [0.0, 0.0, -2.0]);
    let kind = refused(
        boom().joint(Joint::Universal { first, second }),
        &["parallel"],
    );
    assert_eq!(kind, FaultKind::ParallelAxes);
}

#[test]
fn numbers_that_are_none() {
    let not_finite = |link: Link, words: &[&str]| {
        let kind = refused(link, words);
        assert!(matches!(kind, FaultKind::NotFinite { .. }), "{kind:?}");
    };
    let nan = f64::NAN;
    let tensor = [[1.0, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [0.0, 0.0, 1.0]];
    not_finite(
        boom().joint(Joint::revolute([nan, 0.0, 1.0])),
        &["joint axis", "NaN"],
    );
    not_finite(
        boom().placed(Pose::at(nan, 0.0, 0.0)),
        &["the placement", "NaN"],
    );
    not_finite(
        boom().outboard(Pose::at(0.0, nan, 0.0)),
        &["the outboard frame", "NaN"],
    );
    not_finite(
        boom().frame("eye", Pose::at(nan, 0.0, 0.0)),
        &["a frame", "NaN"],
    );
    not_finite(boom().payload(nan, Z), &["the mass", "NaN"]);
    not_finite(
        boom().payload(1.0, [nan; 3]),
        &["the centre of mass", "NaN"],
    );
    not_finite(boom().body(1.0, Z, tensor), &["the inertia tensor", "inf"]);
    not_finite(boom().spring(&[nan], &[]), &["stiffness", "NaN"]);
    not_finite(
        boom().spring(&[1.0], &[f64::INFINITY]),
        &["rest position", "inf"],
    );
    not_finite(boom().damping(&[nan]), &["damping", "NaN"]);
    not_finite(boom().armature(&[nan]), &["armature", "NaN"]);
    let (lower, upper) = (nan, 1.0);
    not_finite(
        boom().limits(&[Some(Limits { lower, upper })]),
        &["a limit", "NaN"],
    );
    let error = Builder::new("spoilt")
        .gravity([0.0, nan, 0.0])
        .link(boom())
        .build();
    let text = error.expect_err("gravity is not a number").to_string();
    assert!(
        text.contains("gravity is not a finite number: NaN"),
        "{text}"
    );
}

#[test]
fn rotations() {
    let stretched = Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 1.1, 0.0], [0.0, 0.0, 1.0]]);
    let mirrored = Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]);
    let kind = refused(
        boom().placed(Pose::new(stretched, Vec3::ZERO)),
        &["the placement", "2.1e-1"],
    );
    assert!(matches!(kind, FaultKind::NotARotation { .. }));
    refused(
        boom().outboard(Pose::new(mirrored, Vec3::ZERO)),
        &["the outboard frame", "2.0e0"],
    );
    refused(
        boom().frame("eye", Pose::new(mirrored, Vec3::ZERO)),
        &["a frame", "2.0e0"],
    );
}

#[test]
fn masses() {
    let kind = refused(boom().payload(-2.5, Z), &["negative", "-2.5 kg"]);
    assert_eq!(kind, FaultKind::NegativeMass { mass: -2.5 });
    let tensor = [[1.0, 0.0, 0.0], [0.0, -0.25, 0.0], [0.0, 0.0, 1.0]];
    let kind = refused(
        boom().body(1.0, Z, tensor),
        &["negative principal moment", "-0.25 kg m²"],
    );
    assert!(matches!(kind, FaultKind::NegativeInertia { .. }));
}

#[test]
fn coefficients() {
    for (link, quantity) in [
        (boom().spring(&[-3.5], &[]), "stiffness"),
        (boom().damping(&[-3.5]), "damping"),
        (boom().armature(&[-3.5]), "armature"),
    ] {
        let kind = refused(link, &[quantity, "negative: -3.5"]);
        assert_eq!(
            kind,
            FaultKind::Negative {
                quantity,
                value: -3.5
            }
        );
    }
    for (link, quantity) in [
        (boom().spring(&[1.0, 2.0], &[]), "stiffness"),
        (boom().spring(&[1.0], &[1.0, 2.0]), "rest position"),
        (boom().damping(&[1.0, 2.0]), "damping"),
        (boom().armature(&[1.0, 2.0]), "armature"),
        (boom().limits(&[None, None]), "limits"),
    ] {
        let words = [quantity, "2 numbers", "revolute joint needs 1"];
        let kind = refused(link, &words);
        assert!(matches!(
            kind,
            FaultKind::WrongCount {
                given: 2,
                needed: 1,
                ..
            }
        ));
    }
    let limits = Limits {
        lower: 1.5,
        upper: -0.5,
    };
    let kind = refused(boom().limits(&[Some(limits)]), &["crossed", "1.5", "-0.5"]);
    assert!(matches!(kind, FaultKind::LimitsCrossed { .. }));
    let rest = [0.0, 0.0, 3.0, 4.0];
    let ball = boom().joint(Joint::Spherical).spring(&[1.0; 3], &rest);
    let kind = refused(ball, &["not a quaternion", "length is 5"]);
    assert_eq!(kind, FaultKind::NotAQuaternion { length: 5.0 });
}

#[test]
fn all_faults_come_at_once_in_the_order_of_links() {
    // found in one sweep after the other: masses, parents, axes
    let jib = Link::new("jib").payload(-1.0, Z).on("mast");
    let error = faults([boom().joint(Joint::revolute([0.0; 3])), jib]);
    let links: Vec<usize> = error.faults.iter().map(|fault| fault.link).collect();
    assert_eq!(links, [0, 1, 1]);
    assert_eq!(error.to_string().lines().count(), 3);
}

#[test]
fn warnings() {
    let tensor = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.5]];
    let flat = Builder::new("flat")
        .link(boom().body(1.0, Z, tensor))
        .build()
        .expect("allowed");
    let text = flat.warnings()[0].to_string();
    for word in ["boom", "1.0000e-1", "5.0000e-1", "triangle"] {
        assert!(text.contains(word), "{text}");
    }
    let idle = Link::new("idle").joint(Joint::revolute(Z));
    let arm = |link: Link| {
        Builder::new("idle")
            .link(boom())
            .link(link)
            .build()
            .expect("allowed")
    };
    let text = arm(idle.clone()).warnings()[0].to_string();
    assert!(
        text.contains("\"idle\"") && text.contains("no mass"),
        "{text}"
    );
    assert!(arm(idle.clone().prescribed()).warnings().is_empty());
    assert!(arm(idle.armature(&[0.1])).warnings().is_empty());
}
