//! What hangs on a bending link hangs on its tip unless told otherwise.

use pliant::arm::{Arm, Attachment, Builder, FaultKind, Joint, Link};
use pliant::beam::{Basis, Beam, Section, ShapeLoad, Slide, Ways};
use pliant::spatial::{Pose, Vec3};

const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn section(ei: f64) -> Section {
    Section {
        ea: 1e6,
        ei_z: ei,
        ei_y: ei,
        gj: 10.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.9,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    }
}

fn build(links: impl IntoIterator<Item = Link>) -> Arm {
    let builder = links.into_iter().fold(Builder::new("arm"), Builder::link);
    builder.build().unwrap_or_else(|faults| panic!("{faults}"))
}

/// Shapes, elements in segments with rigid ends, rigid pieces, and a link that slides.
fn beams() -> Vec<Beam> {
    let along_y = Ways::new(true, false, false, false);
    let beam =
        |basis| Beam { root: Pose::at(0.1, 0.02, 0.0), ..Beam::new(1.5, section(60.0), basis) };
    let with_ends = |beam| Beam { rigid_root: 0.1, rigid_tip: 0.2, ..beam };
    let loaded = Basis::ClampedMass { ways: Ways::new(2, 0, 0, 0), load: ShapeLoad::Outboard };
    let slide = Some(Slide::between(0.4, 1.2));
    vec![
        beam(Basis::ClampedFree(Ways::new(2, 1, 0, 0))),
        beam(loaded),
        Beam { segments: 3, ..with_ends(beam(Basis::Hermite { elements: 1, ways: along_y })) },
        with_ends(beam(Basis::Pieces { pieces: 4, ways: along_y, pinned: false })),
        Beam { slide, ..beam(Basis::ClampedFree(Ways::new(2, 0, 0, 0))) },
    ]
}

/// A configuration without symmetries, near the neutral one.
fn posture(arm: &Arm) -> Vec<f64> {
    let mut q = arm.neutral();
    let step: Vec<f64> = (0..arm.nv()).map(|k| 0.05 * (1.0 + 1.7 * k as f64).sin()).collect();
    arm.displace(&mut q, &step);
    q
}

/// Both arms have the same numbers, bit for bit.
fn assert_same(a: &Arm, b: &Arm) {
    let q = posture(a);
    assert_eq!(a.configuration_names(), b.configuration_names());
    assert_eq!(a.mass_matrix(&q), b.mass_matrix(&q));
    assert_eq!(a.gravity_forces(&q), b.gravity_forces(&q));
    for frame in a.frames() {
        assert_eq!(a.pose(&q, frame.name()), b.pose(&q, frame.name()), "{}", frame.name());
    }
    assert_eq!(a.frames().len(), b.frames().len());
}

/// A straight beam turns like a rod with a mass at its end: `M₁₁ = m l² + ρA L³/3`; and a mass that
/// outweighs its beam vibrates with `ω² = 3 EI / m L³`.
#[test]
fn a_payload_is_on_the_tip() {
    let (length, mass, ei) = (2.0, 4.5, 1e5);
    let basis = Basis::ClampedFree(Ways::new(3, 0, 0, 0));
    let light = Section { rho_a: 1e-4, ..section(ei) };
    for (section, rigid_tip) in [(section(ei), 0.0), (section(ei), 0.25), (light, 0.0)] {
        let rho_a = section.rho_a;
        let beam = Beam { rigid_tip, ..Beam::new(length, section, basis.clone()) };
        let boom = Link::new("boom").joint(Joint::revolute(Z)).beam(beam).payload(mass, [0.0; 3]);
        let arm = build([boom]);
        let whole = length + rigid_tip;
        let want = mass * whole * whole + rho_a * whole.powi(3) / 3.0;
        let found = arm.mass_matrix(&arm.neutral()).expect("a mass matrix")[(0, 0)];
        assert!((found / want - 1.0).abs() < 1e-12, "{found} {want}");
        if rho_a < 1e-3 {
            let found = arm.modes(&arm.neutral()).expect("modes").frequencies()[0];
            let want = (3.0 * ei / (mass * length.powi(3))).sqrt();
            assert!((found / want - 1.0).abs() < 0.02, "{found} {want}");
        }
    }
}

/// The defaults are what can be said in full, whatever the order of the calls.
#[test]
fn the_order_of_calls_does_not_matter() {
    for beam in beams() {
        let whole = beam.whole_length();
        let (place, tool) = ([0.05, 0.01, 0.0], Pose::at(0.1, 0.0, 0.2));
        let tip = |link: Link| link.payload(0.7, place).frame("tool", tool);
        let boom = || Link::new("boom").joint(Joint::revolute(Z));
        let hand = |link: Link| link.joint(Joint::revolute(Z)).placed(tool).payload(0.3, place);
        let said = build([
            boom()
                .beam(beam.clone())
                .tip_body(0.7, place, [[0.0; 3]; 3])
                .section_frame("tool", whole, tool),
            hand(Link::new("hand").at_section(whole)),
        ]);
        let first = build([tip(boom().beam(beam.clone())), hand(Link::new("hand"))]);
        let last = build([tip(boom()).beam(beam.clone()), hand(Link::new("hand").on("boom"))]);
        // a child may stand before its parent
        let before =
            build([hand(Link::new("hand").on("boom")), tip(boom().on_ground()).beam(beam)]);
        assert_same(&said, &first);
        assert_same(&said, &last);
        assert_same(&said, &before);
    }
}

/// What is said to be at the root stays in the link frame, however the link bends.
#[test]
fn the_root_can_be_asked_for() {
    for beam in beams() {
        let tool = Pose::at(0.1, 0.0, 0.2);
        let boom = Link::new("boom").joint(Joint::revolute(Z)).beam(beam);
        let boom = boom.body(2.0, [0.3, 0.0, 0.0], [[0.0; 3]; 3]).root_frame("tool", tool);
        let side = Link::new("side").on("boom").at_root().placed(tool).payload(0.5, [0.0; 3]);
        let bare = build([boom.clone()]);
        let arm = build([boom, side]);
        let q = posture(&arm);
        let link = arm.pose(&q, "boom").expect("its frame").then(&tool);
        for frame in ["tool", "side"] {
            assert_eq!(arm.pose(&q, frame).expect("its frame").position, link.position, "{frame}");
        }
        // a mass at the root turns with the joint and does not load the beam
        let added = arm.mass_matrix(&q).expect("a mass matrix")
            - bare.mass_matrix(&q).expect("a mass matrix");
        let lever = tool.position.x * tool.position.x;
        assert!((added[(0, 0)] - 0.5 * lever).abs() < 1e-12, "{added}");
        let rest = added.amax().max(0.0) - added[(0, 0)];
        assert!(rest.abs() < 1e-12, "{added}");
    }
}

#[test]
fn a_link_without_a_beam_has_one_frame_alone() {
    let tool = Pose::at(0.4, 0.1, 0.0);
    let bar = || Link::new("bar").joint(Joint::revolute(Z));
    let hand = || Link::new("hand").joint(Joint::revolute(Z)).placed(tool).payload(1.0, [0.2; 3]);
    let plain = build([bar().payload(1.0, [0.3, 0.0, 0.0]).frame("tool", tool), hand()]);
    let root = bar().body(1.0, [0.3, 0.0, 0.0], [[0.0; 3]; 3]).root_frame("tool", tool);
    assert_same(&plain, &build([root, hand().at_root()]));
    assert_eq!(plain.pose(&[0.0; 2], "tool").expect("there").position, Vec3::new(0.4, 0.1, 0.0));
    // a tip must be there where it is asked for
    let faults = Builder::new("bar").link(bar().tip_body(1.0, [0.0; 3], [[0.0; 3]; 3])).build();
    let kind = faults.expect_err("no beam").faults.remove(0).kind;
    assert!(matches!(kind, FaultKind::NoBeam { .. }), "{kind}");
}

#[test]
fn parts_tell_what_was_said() {
    let beam = &beams()[2];
    let link = Link::new("boom").payload(1.0, [0.0; 3]).body(2.0, [0.0; 3], [[0.0; 3]; 3]);
    let kilograms = |link: &Link, tip: bool| -> Vec<f64> {
        let parts = link.parts();
        if tip {
            parts.tip_masses().map(|mass| mass.kilograms).collect()
        } else {
            parts.root_masses().map(|mass| mass.kilograms).collect()
        }
    };
    assert_eq!((kilograms(&link, false), kilograms(&link, true)), (vec![1.0, 2.0], vec![]));
    let link = link.beam(beam.clone()).frame("tool", Pose::IDENTITY).at_root();
    assert_eq!((kilograms(&link, false), kilograms(&link, true)), (vec![2.0], vec![1.0]));
    let parts = link.parts();
    assert_eq!((parts.attachment, parts.frames[0].1), (Attachment::Root, Attachment::Unspecified));
    assert_eq!(parts.frames[0].1.distance(parts.beam), Some(beam.whole_length()));
    assert_eq!(
        (Attachment::Tip.distance(None), Attachment::Root.distance(Some(beam))),
        (None, None)
    );
}
