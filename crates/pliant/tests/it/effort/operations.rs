//! Multiplications and additions, counted as they are executed.

use crate::calls;
use crate::models::{KINDS, Model, Recipe, Shape};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::dynamics::kinematics;
use pliant::nalgebra::DVector;
use pliant::scalar::{Counted, Counts, count};
use pliant::spatial::{Pose, Vec3, euler_xyz};

fn counted(values: &[f64]) -> Vec<Counted> {
    values.iter().map(|&x| Counted(x)).collect()
}

fn of_rnea(model: &Model) -> Counts {
    let arm: Arm<Counted> = model.arm.cast();
    let (q, u, ud) = (counted(&model.q), counted(&model.u), counted(&model.ud));
    count(|| calls::rnea(&arm, &q, &u, &ud)).1
}

fn of_aba(model: &Model) -> Counts {
    let arm: Arm<Counted> = model.arm.cast();
    let (q, u) = (counted(&model.q), counted(&model.u));
    let (tau, ud) = (counted(&model.tau), counted(&model.ud));
    count(|| calls::aba(&arm, &q, &u, &tau, &ud)).1
}

fn of_crba(model: &Model) -> Counts {
    let arm: Arm<Counted> = model.arm.cast();
    let q = counted(&model.q);
    count(|| calls::crba(&arm, &q)).1
}

/// Six turning joints with random axes and placements and full inertias.
fn general_arm() -> Model {
    Recipe::new(Shape::Chain, 6, &["revolute"]).model(1)
}

#[test]
fn rnea_of_a_general_arm_of_six_revolute_joints() {
    let counts = of_rnea(&general_arm());
    let (multiplications, additions) = (counts.multiplications, counts.additions);
    assert!(multiplications <= 1000 && additions <= 850, "more than was promised: {counts:?}");
    // King quotes these for Newton and Euler's equations
    assert!(multiplications < 852 && additions < 738, "not below King's counts: {counts:?}");
    assert_eq!(
        (multiplications, additions, counts.sin_cos, counts.sqrt, counts.recip),
        (672, 576, 6, 0, 0),
        "rnea takes other operations than before; if that is meant, write the new counts here \
         and say why in the commit: {counts:?}"
    );
}

#[test]
fn other_recursions_of_the_same_arm() {
    let model = general_arm();
    let numbers = |c: Counts| (c.multiplications, c.additions, c.sin_cos, c.recip);
    assert_eq!(
        (numbers(of_crba(&model)), numbers(of_aba(&model))),
        ((936, 800, 6, 0), (2052, 1797, 6, 6)),
        "crba or aba take other operations than before; if that is meant, write the new counts \
         here and say why in the commit"
    );
}

/// The count does not depend on the state or on the numbers of the arm.
#[test]
fn the_count_depends_on_the_kind_of_arm_alone() {
    let first = of_rnea(&general_arm());
    for seed in 2..6 {
        let other = of_rnea(&Recipe::new(Shape::Chain, 6, &["revolute"]).model(seed));
        assert_eq!(first, other, "seed {seed}");
    }
}

#[test]
fn rnea_and_aba_are_linear_in_the_number_of_links() {
    for kind in KINDS {
        let kinds = [kind];
        let [short, long] = [32, 64].map(|n| Recipe::new(Shape::Chain, n, &kinds).model(2));
        for (name, of) in [("rnea", of_rnea as fn(&Model) -> Counts), ("aba", of_aba)] {
            let total = |model| {
                let counts = of(model);
                counts.multiplications + counts.additions
            };
            let (short, long) = (total(&short), total(&long));
            assert!(
                long * 10 <= short * 21,
                "{name}, {kind} joints: 64 links take {long}, 32 links {short}"
            );
        }
    }
}

/// A chain of equal links with so many coordinates of bending each.
fn bending_chain(links: usize, ways: Option<Ways<usize>>) -> Arm {
    watched_chain(links, ways, &[])
}

/// The same with frames on every beam, at these distances from its root (m).
fn watched_chain(links: usize, ways: Option<Ways<usize>>, places: &[f64]) -> Arm {
    let section = Section {
        ea: 1e6,
        ei_z: 60.0,
        ei_y: 50.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.8,
        rho_i_z: 1e-4,
        rho_i_y: 2e-4,
    };
    let mut builder = Builder::new("chain");
    for i in 0..links {
        let turn = Pose::new(euler_xyz(0.3, 0.4, 1.0 + i as f64), Vec3::ZERO);
        let mut link = Link::new(format!("link {i}"))
            .joint(Joint::revolute([0.0, 0.6, 0.8]))
            .placed(turn)
            .body(0.3, [0.1, 0.0, 0.05], [[0.01, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]]);
        if let Some(ways) = ways {
            link = link.beam(Beam::new(0.7, section, Basis::ClampedFree(ways)));
            if i > 0 {
                link = link.at_section(0.7);
            }
        }
        for at in places {
            link = link.section_frame(format!("{i} at {at} m"), *at, Pose::IDENTITY);
        }
        builder = builder.link(link);
    }
    builder.build().expect("a good arm")
}

/// A state in which all coordinates move; bending is small against joints.
fn moving(arm: &Arm) -> [Vec<f64>; 3] {
    let wave = |joint: f64, bend: f64| {
        let size = |name: &String| if name.contains('.') { bend } else { joint };
        let names = arm.velocity_names().iter().enumerate();
        names.map(|(k, name)| size(name) * (1.3 * k as f64 + 0.4).sin()).collect::<Vec<_>>()
    };
    [wave(1.0, 0.01), wave(1.0, 0.1), wave(2.0, 1.0)]
}

#[test]
fn forward_dynamics_of_bending_chains_are_linear_in_the_number_of_links() {
    for ways in [None, Some(Ways::new(1, 1, 0, 0)), Some(Ways::new(2, 2, 1, 1))] {
        let total = |links: usize| {
            let arm = bending_chain(links, ways);
            let [q, u, tau] = moving(&arm).map(|values| counted(&values));
            let ud = counted(&vec![0.0; arm.nv()]);
            let counts = count(|| calls::aba(&arm.cast(), &q, &u, &tau, &ud)).1;
            counts.multiplications + counts.additions
        };
        let (short, long) = (total(32), total(64));
        assert!(long * 10 <= short * 21, "{ways:?}: 64 links take {long}, 32 links {short}");
    }
}

/// Frames on beams are places to look at: kinematics evaluates their sections, dynamics only those
/// on which bodies hang.
#[test]
fn sections_that_carry_nothing_cost_dynamics_nothing() {
    let ways = Some(Ways::new(2, 2, 1, 0));
    let (plain, watched) = (bending_chain(3, ways), watched_chain(3, ways, &[0.3, 0.7]));
    let [q, u, other] = moving(&plain).map(|values| counted(&values));
    let of = |arm: &Arm| {
        let arm: Arm<Counted> = arm.cast();
        let dynamics = [
            count(|| calls::rnea(&arm, &q, &u, &other)),
            count(|| calls::crba(&arm, &q)),
            count(|| calls::aba(&arm, &q, &u, &other, &counted(&vec![0.0; arm.nv()])).1),
            count(|| calls::coriolis_matrix(&arm, &q, &u)),
        ];
        let mut work = kinematics::Workspace::new(&arm);
        let seen = count(|| work.move_with(&arm, &q, &u, &other).placed().pose(0)).1;
        (dynamics.map(|(values, counts)| (format!("{values:?}"), counts)), seen.stumpff)
    };
    let ((plain, plain_seen), (watched, watched_seen)) = (of(&plain), of(&watched));
    assert_eq!(plain, watched);
    assert!(plain.iter().all(|(_, counts)| counts.stumpff == 2), "{plain:?}");
    assert_eq!((plain_seen, watched_seen), (2, 6));
}

/// What an unsymmetrised recursion gets wrong by more with each link.
#[test]
fn a_hundred_bending_links_solve_their_equation() {
    for ways in [Ways::new(1, 1, 0, 0), Ways::new(2, 2, 1, 1)] {
        let arm = bending_chain(100, Some(ways));
        let [q, u, tau] = moving(&arm);
        let ud = arm.forward_dynamics(&q, &u, &tau).expect("a good state");
        let mass = arm.mass_matrix(&q).expect("a good state");
        let bias = arm.bias(&q, &u).expect("a good state");
        let rest = &mass * &ud + &bias - DVector::from_row_slice(&tau);
        // |M||u̇| + |bias|, row by row
        let scale = mass.abs() * ud.abs();
        let bound = 1e-11 * (scale.amax() + bias.amax());
        assert!(rest.amax() <= bound, "{ways:?}: {:e} of {bound:e}", rest.amax());
    }
}
