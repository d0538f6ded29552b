//! Shapes made for a load or a hinge have its frequencies, and modal damping its ratios.

use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Damping, Section, ShapeLoad, Ways};

const LENGTH: f64 = 1.2;

fn section() -> Section {
    Section {
        ea: 1e5,
        ei_z: 50.0,
        ei_y: 50.0,
        gj: 20.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.8,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    }
}

fn arm(link: Link) -> Arm {
    Builder::new("family").gravity([0.0; 3]).link(link).build().expect("a good arm")
}

fn loaded(basis: Basis, mass: f64, ratio: f64) -> Arm {
    let damping = Damping { ratios: vec![ratio], ..Damping::default() };
    let beam = Beam { damping, ..Beam::new(LENGTH, section(), basis) };
    arm(Link::new("beam").beam(beam).tip_body(mass, [0.0; 3], [[0.0; 3]; 3]))
}

/// The entry of unified.json with a tip mass of 0.96 kg, two modes; one shape each is enough.
#[test]
fn clamped_mass_modes_are_those_of_the_loaded_beam() {
    let ways = Ways::new(2, 2, 0, 0);
    let exact = Basis::ClampedMass { ways, load: ShapeLoad::Outboard };
    let elements = Basis::Eigenmodes {
        elements: 24,
        ways,
        load: ShapeLoad::Outboard,
        hinge_y: None,
        hinge_z: None,
    };
    for (basis, tolerance) in [(exact, 1e-10), (elements, 1e-6)] {
        let arm = loaded(basis, 0.96, 0.01);
        let found = arm.modes(&arm.neutral()).expect("modes").frequencies();
        for (k, want) in [8.549_667_077_599_56, 89.214_029_985_645_28].into_iter().enumerate() {
            // both planes
            for got in &found[2 * k..2 * k + 2] {
                assert!((got / want - 1.0).abs() < tolerance, "{got} {want}");
            }
        }
    }
}

/// On a hub that turns freely: 0.6912 kg m² (unified.json), and none (tan β = tanh β).
#[test]
fn hinged_modes_are_those_of_the_free_joint() {
    let ways = Ways::new(1, 0, 0, 0);
    let hub = 0.6912;
    let hinged = Basis::Eigenmodes {
        elements: 24,
        ways,
        load: ShapeLoad::Outboard,
        hinge_y: Some(hub),
        hinge_z: None,
    };
    let pinned = 3.926_602_312_047_919_f64.powi(2) * (50.0_f64 / 0.8).sqrt() / (LENGTH * LENGTH);
    for (basis, inertia, want, tolerance) in
        [(hinged, hub, 24.676_872_739_524_825, 1e-6), (Basis::RootPinned(ways), 0.0, pinned, 1e-10)]
    {
        let about = [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]];
        let link = Link::new("beam")
            .joint(Joint::revolute([0.0, 0.0, 1.0]))
            .body(0.0, [0.0; 3], about)
            .beam(Beam::new(LENGTH, section(), basis));
        let arm = arm(link);
        let modes = arm.modes_under(&arm.neutral(), &Conditions::all(&arm, JointCondition::Free));
        let found = modes.expect("modes").frequencies();
        assert!(found[0].abs() < 1e-6, "the joint turns freely: {}", found[0]);
        assert!((found[1] / want - 1.0).abs() < tolerance, "{} {want}", found[1]);
    }
}

#[test]
fn every_mode_of_a_link_has_the_damping_ratio_asked_for() {
    let ways = Ways::new(3, 2, 0, 0);
    let nodes = Ways::new(true, true, false, false);
    for basis in [
        Basis::ClampedFree(ways),
        Basis::RootPinned(ways),
        Basis::ClampedMass { ways, load: ShapeLoad::Outboard },
        Basis::Hermite { elements: 3, ways: nodes },
    ] {
        for mass in [0.0, 0.96, 4.8] {
            let arm = loaded(basis.clone(), mass, 0.01);
            for mode in arm.modes(&arm.neutral()).expect("modes").modes {
                assert!((mode.damping_ratio - 0.01).abs() < 1e-8, "{basis:?} {mass}: {mode:?}");
            }
        }
    }
}

/// A weight at the root or half-way out is not taken for one at the tip.
#[test]
fn shapes_do_not_take_a_weight_elsewhere_for_one_at_the_tip() {
    let ways = Ways::new(1, 0, 0, 0);
    let basis = Basis::ClampedMass { ways, load: ShapeLoad::Outboard };
    let beam = Beam::new(LENGTH, section(), basis);
    let weight = Link::new("weight").at_section(0.0).payload(5.0, [0.0; 3]);
    let arm = Builder::new("counterweight")
        .gravity([0.0; 3])
        .link(Link::new("beam").beam(beam))
        .link(weight)
        .build()
        .expect("a good arm");
    let found = arm.modes(&arm.neutral()).expect("modes").frequencies()[0];
    assert!((found / 19.303_153_709_008_598 - 1.0).abs() < 1e-10, "{found}");
}

/// Finite elements put end to end are the same beam, and approach its frequency.
#[test]
fn segments_approach_the_whole() {
    let ways = Ways::new(true, false, false, false);
    let first = |segments: usize| {
        let basis = Basis::Hermite { elements: 1, ways };
        let beam = Beam { segments, ..Beam::new(LENGTH, section(), basis) };
        let arm = arm(Link::new("beam").beam(beam));
        arm.modes(&arm.neutral()).expect("modes").frequencies()[0]
    };
    let error = |segments| (first(segments) / 19.303_153_709_008_598 - 1.0).abs();
    assert!(error(16) < 2e-7, "{}", error(16));
    let order = (error(2) / error(4)).log2();
    assert!((3.8..4.3).contains(&order), "{order}");
}

/// A bar of one and a half metres, whatever part of it bends: ρA L³/3 about its root.
#[test]
fn rigid_ends_weigh_as_much_as_the_bar_between_them() {
    let (rigid_root, rigid_tip) = (0.2, 0.3);
    let basis = Basis::ClampedFree(Ways::new(1, 0, 0, 0));
    let beam = Beam { rigid_root, rigid_tip, ..Beam::new(1.0, section(), basis) };
    let arm = arm(Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam));
    let about = arm.mass_matrix(&arm.neutral()).expect("a good state")[(0, 0)];
    let whole = 0.8 * 1.5_f64.powi(3) / 3.0;
    assert!((about / whole - 1.0).abs() < 1e-13, "{about} {whole}");
}
