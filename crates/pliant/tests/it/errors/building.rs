//! Faults of a description.

use super::{Z, boom};
use pliant::Help;
use pliant::arm::{BuildError, Builder, FaultKind, Joint, Limits, Link};
use pliant::beam::{
    Basis, Beam, CrossSection, Material, Matter, Profile, Section, ShapeLoad, Slide, TipLoad, Ways,
};
use pliant::nalgebra::DMatrix;
use pliant::spatial::{Mat3, Pose, Vec3};

fn faults(links: impl IntoIterator<Item = Link>) -> BuildError {
    let builder = links.into_iter().fold(Builder::new("spoilt"), Builder::link);
    builder.build().expect_err("this description has a fault")
}

/// One fault, of the link "boom", whose message has all these words.
#[track_caller]
fn refused(link: Link, words: &[&str]) -> FaultKind {
    let error = faults([link]);
    let text = error.with_help();
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
    let text = faults([
        Link::new("a").joint(Joint::Planar),
        Link::new("b").joint(Joint::revolute(Z)).joint_name("a.x"),
    ])
    .to_string();
    assert!(text.contains("the coordinate name \"a.x\" is already taken"), "{text}");
    let text = faults([boom(), boom().joint_name("other")]).to_string();
    assert!(text.contains("the link name \"boom\" is already taken"), "{text}");
    let text = faults([boom(), Link::new("jib").joint(Joint::revolute(Z)).joint_name("boom")]);
    assert!(text.to_string().contains("the joint name \"boom\""), "{text}");
    assert!(text.to_string().contains("link \"jib\""), "{text}");
    let kind = refused(
        boom().frame("eye", Pose::IDENTITY).frame("eye", Pose::IDENTITY),
        &["the frame name \"eye\""],
    );
    assert!(matches!(kind, FaultKind::DuplicateName { what: "frame", .. }));
    let text = faults([Link::new("")]).to_string();
    assert!(text.contains("the link name is empty"), "{text}");
    assert_eq!(faults([Link::new("")]).faults[0].kind, FaultKind::EmptyName { what: "link" });
}

#[test]
fn parents() {
    let kind = refused(boom().on("mast"), &["\"mast\"", "not a link of this arm"]);
    assert!(matches!(kind, FaultKind::UnknownParent { .. }));
    let error = faults([boom().on("jib"), Link::new("jib").on("boom")]);
    let text = error.with_help();
    assert!(text.contains("boom on jib on boom"), "{text}");
    assert!(matches!(error.faults[0].kind, FaultKind::Cycle { .. }));
    let text = faults([boom().on("boom")]).to_string();
    assert!(text.contains("boom on boom"), "{text}");
}

#[test]
fn axes() {
    let nowhere = Joint::prismatic([0.0, -0.0, 0.0]);
    let kind = refused(boom().joint(nowhere), &["no direction", "[0, -0, 0]"]);
    assert!(matches!(kind, FaultKind::ZeroAxis { .. }));
    for length in [1e-200, 1e200] {
        let arm =
            Builder::new("any length").link(boom().joint(Joint::revolute([0.0, 0.0, length])));
        let mass = arm.build().expect("an axis may have any length").mass_matrix(&[0.3]);
        assert!(mass.expect("a good state")[(0, 0)] > 0.0);
    }
    let (first, second) = (Z, [0.0, 0.0, -2.0]);
    let kind = refused(boom().joint(Joint::Universal { first, second }), &["parallel"]);
    assert_eq!(kind, FaultKind::ParallelAxes);
}

#[test]
fn beams() {
    let section = Section {
        ea: 1e5,
        ei_z: 50.0,
        ei_y: 50.0,
        gj: 20.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.8,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let good = Beam::new(1.2, section, Basis::ClampedFree(Ways::new(2, 0, 0, 0)));
    let spoilt = |spoil: fn(&mut Beam), words: &[&str]| {
        let mut beam = good.clone();
        spoil(&mut beam);
        let kind = refused(boom().beam(beam), words);
        assert!(matches!(kind, FaultKind::Beam { .. }), "{kind:?}");
    };
    let with = |change: fn(&mut Section)| {
        let mut changed = section;
        change(&mut changed);
        Beam::new(1.2, changed, Basis::ClampedFree(Ways::new(2, 0, 0, 0)))
    };
    spoilt(|b| b.length = 0.0, &["length is 0", "positive"]);
    spoilt(|b| b.rigid_tip = -0.1, &["rigid part at the tip is -0.1"]);
    spoilt(|b| b.segments = 0, &["number of segments is 0", "at least one"]);
    let sheared = Beam { shear: true, ..good.clone() };
    let kind = refused(boom().beam(sheared), &["shall shear", "finite elements"]);
    assert_eq!(kind, FaultKind::ShearWithoutElements);
    spoilt(|b| b.damping.mass = -1.0, &["mass-proportional damping is -1"]);
    spoilt(|b| b.damping.ratios = vec![1.5], &["damping ratio is 1.5", "below 1"]);
    spoilt(|b| b.damping.ratios = vec![0.1; 3], &["number of damping ratios is 3"]);
    spoilt(|b| b.reduction = Some(DMatrix::zeros(3, 1)), &["row count is 3"]);
    let ways = Ways::new(true, false, false, false);
    let none = Basis::Hermite { elements: 0, ways };
    refused(boom().beam(Beam::new(1.2, section, none)), &["number of elements is 0"]);
    let eigenmodes = |ways| Basis::Eigenmodes {
        elements: 2,
        ways,
        load: ShapeLoad::Outboard,
        hinge_y: None,
        hinge_z: None,
    };
    let many = eigenmodes(Ways::new(5, 0, 0, 0));
    refused(boom().beam(Beam::new(1.2, section, many)), &["bending modes is 5", "two per element"]);
    let many = eigenmodes(Ways::new(0, 0, 3, 0));
    refused(boom().beam(Beam::new(1.2, section, many)), &["modes is 3", "one per element"]);
    refused(boom().beam(with(|s| s.ei_z = 0.0)), &["EI_z is 0", "positive"]);
    refused(boom().beam(with(|s| s.rho_a = f64::NAN)), &["mass per length is NaN"]);
    let twist = Basis::ClampedFree(Ways::new(0, 0, 1, 0));
    let idle = |basis: Basis, coordinate: &str, tip: [[f64; 3]; 3]| {
        let link = boom().beam(Beam::new(1.2, section, basis)).tip_body(0.1, [0.0; 3], tip);
        let kind = refused(link, &["moves no inertia", coordinate]);
        assert!(matches!(kind, FaultKind::BendsNothing { .. }), "{kind:?}");
    };
    let wheel = [[1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-3]];
    idle(twist.clone(), "boom.x1", [[0.0; 3]; 3]);
    // one wheel at the tip gives one twist inertia, not two
    idle(Basis::ClampedFree(Ways::new(0, 0, 2, 0)), "boom.x2", wheel);
    let ways = Ways::new(false, false, true, false);
    idle(Basis::Hermite { elements: 3, ways }, "boom.x1", wheel);
    idle(eigenmodes(Ways::new(0, 0, 2, 0)), "boom.x2", wheel);
    let carried = boom().beam(Beam::new(1.2, section, twist)).tip_body(0.1, [0.0; 3], wheel);
    assert!(Builder::new("a wheel on a shaft").link(carried).build().is_ok());
    let load = ShapeLoad::Given(TipLoad { mass: 1.0, offset: 0.3, inertia: [0.0, 0.1, 0.05] });
    let ways = Ways::new(1, 0, 0, 0);
    let lever = Basis::Eigenmodes { elements: 4, ways, load, hinge_y: None, hinge_z: None };
    refused(
        boom().beam(Beam::new(1.2, section, lever)),
        &["tip inertia is 0.05", "offset squared"],
    );
    let modes = Beam { segments: 2, ..good.clone() };
    let kind = refused(boom().beam(modes), &["segments", "finite elements"]);
    assert_eq!(kind, FaultKind::SegmentsOfModes);
    let ways = Ways::new(true, false, false, false);
    let mut chain = Beam::new(1.2, section, Basis::Hermite { elements: 1, ways });
    (chain.segments, chain.damping.ratios) = (2, vec![0.01]);
    let kind = refused(boom().beam(chain), &["segments", "no damping ratios"]);
    assert_eq!(kind, FaultKind::RatiosOfSegments);
    for (length, ei_z) in [(1e-200, 50.0), (1.2, 1e308), (1e200, 50.0), (1.2, 1e-320)] {
        for basis in [eigenmodes(Ways::new(1, 0, 0, 0)), good.basis.clone()] {
            let beam = Beam::new(length, Section { ei_z, ..section }, basis);
            let kind = refused(boom().beam(beam), &["too large or too small"]);
            assert_eq!(kind, FaultKind::BeamOutOfRange);
        }
    }
    let short = Profile::along(vec![(0.0, section.into()), (1.0, section.into())]);
    let kind = refused(
        boom().beam(Beam::new(1.2, short, Basis::ClampedFree(Ways::new(2, 0, 0, 0)))),
        &["from 0 m to 1 m", "1.2 m"],
    );
    assert!(matches!(kind, FaultKind::Stations { .. }));
    let aluminium = Material::named("aluminium").expect("known");
    let made = |outline| Matter::Made { outline, material: aluminium.clone() };
    let mixed = Profile::along(vec![
        (0.0, made(CrossSection::Round { diameter: 0.01 })),
        (1.2, section.into()),
    ]);
    let kind = refused(
        boom().beam(Beam::new(1.2, mixed, Basis::ClampedFree(Ways::new(2, 0, 0, 0)))),
        &["different kinds", "a step"],
    );
    assert!(matches!(kind, FaultKind::StationKinds { .. }));
    let thin = made(CrossSection::Tube { diameter: 0.01, wall: -0.001 });
    let kind = refused(
        boom().beam(Beam::new(1.2, thin, Basis::ClampedFree(Ways::new(2, 0, 0, 0)))),
        &["wall is -0.001", "positive"],
    );
    assert!(matches!(kind, FaultKind::Beam { .. }));
    let kind = refused(boom().tip_body(1.0, [0.0; 3], [[0.0; 3]; 3]), &["no beam"]);
    assert!(matches!(kind, FaultKind::NoBeam { .. }));
    let kind = refused(
        boom().beam(good.clone()).section_frame("tip", 1.3, Pose::IDENTITY),
        &["1.3 m", "1.2 m long"],
    );
    assert!(matches!(kind, FaultKind::SectionOutside { .. }));
    let kind = refused(boom().at_section(0.5), &["the ground", "no beam"]);
    assert!(matches!(kind, FaultKind::NoBeam { .. }));
}

#[test]
fn numbers_that_are_none() {
    let not_finite = |link: Link, words: &[&str]| {
        let kind = refused(link, words);
        assert!(matches!(kind, FaultKind::NotFinite { .. }), "{kind:?}");
    };
    let nan = f64::NAN;
    let tensor = [[1.0, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [0.0, 0.0, 1.0]];
    not_finite(boom().joint(Joint::revolute([nan, 0.0, 1.0])), &["joint axis", "NaN"]);
    not_finite(boom().placed(Pose::at(nan, 0.0, 0.0)), &["the placement", "NaN"]);
    not_finite(boom().outboard(Pose::at(0.0, nan, 0.0)), &["the outboard frame", "NaN"]);
    not_finite(boom().frame("eye", Pose::at(nan, 0.0, 0.0)), &["a frame", "NaN"]);
    not_finite(boom().payload(nan, Z), &["the mass", "NaN"]);
    not_finite(boom().payload(1.0, [nan; 3]), &["the centre of mass", "NaN"]);
    not_finite(boom().body(1.0, Z, tensor), &["the inertia tensor", "inf"]);
    not_finite(boom().spring(&[nan], &[]), &["stiffness", "NaN"]);
    not_finite(boom().spring(&[1.0], &[f64::INFINITY]), &["rest position", "inf"]);
    not_finite(boom().damping(&[nan]), &["damping", "NaN"]);
    not_finite(boom().armature(&[nan]), &["armature", "NaN"]);
    let (lower, upper) = (nan, 1.0);
    not_finite(boom().limits(&[Some(Limits { lower, upper })]), &["a limit", "NaN"]);
    let error = Builder::new("spoilt").gravity([0.0, nan, 0.0]).link(boom()).build();
    let text = error.expect_err("gravity is not a number").to_string();
    assert!(text.contains("gravity is not a finite number: NaN"), "{text}");
}

#[test]
fn rotations() {
    let stretched = Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 1.1, 0.0], [0.0, 0.0, 1.0]]);
    let mirrored = Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]);
    let kind =
        refused(boom().placed(Pose::new(stretched, Vec3::ZERO)), &["the placement", "2.1e-1"]);
    assert!(matches!(kind, FaultKind::NotARotation { .. }));
    refused(boom().outboard(Pose::new(mirrored, Vec3::ZERO)), &["the outboard frame", "2.0e0"]);
    refused(boom().frame("eye", Pose::new(mirrored, Vec3::ZERO)), &["frame \"eye\"", "2.0e0"]);
}

#[test]
fn masses() {
    let kind = refused(boom().payload(-2.5, Z), &["negative", "-2.5 kg"]);
    assert_eq!(kind, FaultKind::NegativeMass { mass: -2.5 });
    let tensor = [[1.0, 0.0, 0.0], [0.0, -0.25, 0.0], [0.0, 0.0, 1.0]];
    let kind = refused(boom().body(1.0, Z, tensor), &["negative principal moment", "-0.25 kg m²"]);
    assert!(matches!(kind, FaultKind::NegativeInertia { .. }));
}

/// Each number is finite, their products are not.
#[test]
fn what_hangs_far_away() {
    let far = |distance: f64| Link::new("jib").placed(Pose::at(distance, 0.0, 0.0)).payload(1.0, Z);
    for distance in [1e267, 1e160] {
        let error = faults([boom(), far(distance)]);
        let text = error.with_help();
        let kind = FaultKind::OutboardOverflow { quantity: "moment of inertia" };
        assert_eq!((error.faults.len(), &error.faults[0].kind), (1, &kind), "{text}");
        assert!(text.contains("link \"boom\"") && text.contains("in kg and m"), "{text}");
    }
    assert!(Builder::new("far").link(boom()).link(far(1e100)).build().is_ok());
}

/// Tables over the stroke hold all pairs of products of shapes.
#[test]
fn shapes_that_follow_the_load_of_a_link_that_slides() {
    let [ea, gj, rho_i_z, rho_i_y] = [0.0; 4];
    let (ei_y, ei_z, rho_a) = (10.0, 10.0, 1.0);
    let section = Section { ea, ei_z, ei_y, gj, kga_y: None, kga_z: None, rho_a, rho_i_z, rho_i_y };
    let beam = |y: usize, z: usize, foreshortening: bool| {
        let basis = Basis::ClampedMass { ways: Ways::new(y, z, 0, 0), load: ShapeLoad::Outboard };
        let slide = Some(Slide::between(0.3, 1.0));
        boom().beam(Beam { slide, foreshortening, ..Beam::new(1.2, section, basis) })
    };
    let kind = refused(beam(20, 20, true), &["pairs of shapes", "420", "at most 136"]);
    assert!(matches!(kind, FaultKind::Beam { .. }));
    assert!(Builder::new("few").link(beam(2, 2, true)).build().is_ok());
    assert!(Builder::new("stiff").link(beam(20, 3, false)).build().is_ok());
}

#[test]
fn coefficients() {
    for (link, quantity) in [
        (boom().spring(&[-3.5], &[]), "stiffness"),
        (boom().damping(&[-3.5]), "damping"),
        (boom().armature(&[-3.5]), "armature"),
    ] {
        let kind = refused(link, &[quantity, "negative: -3.5"]);
        assert_eq!(kind, FaultKind::Negative { quantity, value: -3.5 });
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
        assert!(matches!(kind, FaultKind::WrongCount { given: 2, needed: 1, .. }));
    }
    let limits = Limits { lower: 1.5, upper: -0.5 };
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
    assert_eq!(error.with_help().lines().count(), 3);
}

#[test]
fn warnings() {
    let tensor = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.5]];
    let flat = Builder::new("flat").link(boom().body(1.0, Z, tensor)).build().expect("allowed");
    let text = flat.warnings()[0].to_string();
    for word in ["boom", "1.0000e-1", "5.0000e-1", "triangle"] {
        assert!(text.contains(word), "{text}");
    }
    let idle = Link::new("idle").joint(Joint::revolute(Z));
    let arm = |link: Link| Builder::new("idle").link(boom()).link(link).build().expect("allowed");
    let text = arm(idle.clone()).warnings()[0].to_string();
    assert!(text.contains("\"idle\"") && text.contains("no mass"), "{text}");
    assert!(arm(idle.clone().prescribed()).warnings().is_empty());
    assert!(arm(idle.armature(&[0.1])).warnings().is_empty());
}
