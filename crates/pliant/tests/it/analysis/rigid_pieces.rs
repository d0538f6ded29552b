//! Beams of rigid pieces with springs between them.

use super::{Z, along_y, analytic, assert_each, built, cantilever, dead_force, number, numbers};
use super::{section, shortening, wrench};
use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::{Arm, Joint, Link};
use pliant::beam::{Basis, Beam, Matter, Profile, Section, Ways};
use pliant::spatial::{Pose, Vec3};

fn pieces(pieces: usize, ways: Ways<bool>, pinned: bool) -> Basis {
    Basis::Pieces { pieces, ways, pinned }
}

const ALONG_Y: Ways<bool> = Ways { bend_y: true, bend_z: false, torsion: false, axial: false };

fn clamped(count: usize, section: Section, ways: Ways<bool>) -> Arm {
    let beam = Beam::new(1.0, section, pieces(count, ways, false));
    built(cantilever(Joint::Fixed, beam, |l| l))
}

fn order(errors: [f64; 2]) -> f64 {
    (errors[0] / errors[1]).abs().log2()
}

#[test]
fn frequencies_of_a_clamped_beam() {
    let entry = &analytic("EB clamped-free")[0];
    let [ei, rho_a, length] = ["EI", "rhoA", "L"].map(|key| number(entry, key));
    let exact = numbers(entry, "omega_rad_s");
    let both = Ways { bend_z: true, ..ALONG_Y };
    for ways in [ALONG_Y, Ways { bend_y: false, ..both }] {
        let found = [17, 33].map(|count| {
            let beam = Beam::new(length, section(ei, rho_a), pieces(count, ways, false));
            let arm = built(cantilever(Joint::Fixed, beam, |l| l));
            arm.modes(&arm.neutral()).expect("modes").frequencies()
        });
        // measured 3.1e-4, 1.3e-3, 3.9e-3
        assert_each(&found[1], &exact[..3], 5e-3, "33 pieces");
        for (k, exact) in exact[..3].iter().enumerate() {
            let order = order([found[0][k] - exact, found[1][k] - exact]);
            assert!((1.9..2.2).contains(&order), "frequency {k}: order {order}");
        }
    }
    // both planes at once: each frequency twice
    let beam = Beam::new(length, section(ei, rho_a), pieces(17, both, false));
    let arm = built(cantilever(Joint::Fixed, beam, |l| l));
    let twice = arm.modes(&arm.neutral()).expect("modes").frequencies();
    assert_each(&[twice[0], twice[2]], &[twice[1], twice[3]], 1e-9, "two planes");
}

/// On a pin that turns freely the ends carry no moment, and the fourth order shows.
#[test]
fn frequencies_of_a_pinned_beam() {
    // of the pinned-free beam, β L
    let exact = [3.926_602_312, 7.068_582_746, 10.210_176_123].map(|beta: f64| beta * beta);
    let found = [16, 32].map(|count| {
        let beam = Beam::new(1.0, section(1.0, 1.0), pieces(count, ALONG_Y, true));
        let arm = built(cantilever(Joint::revolute(Z), beam, |l| l));
        let conditions = Conditions::all(&arm, JointCondition::Free);
        let modes = arm.modes_under(&arm.neutral(), &conditions).expect("modes");
        modes.frequencies()[1..].to_vec()
    });
    assert_each(&found[1], &exact, 1e-4, "32 pieces");
    for (k, exact) in exact.iter().enumerate() {
        let order = order([found[0][k] - exact, found[1][k] - exact]);
        assert!((3.7..4.3).contains(&order), "frequency {k}: order {order}");
    }
}

#[test]
fn torsion() {
    let twists = Ways { torsion: true, bend_y: false, ..ALONG_Y };
    let all = Ways { torsion: true, bend_z: true, ..ALONG_Y };
    let heavy = Section { gj: 2.0, rho_i_y: 0.01, rho_i_z: 0.01, ..section(1e4, 1.0) };
    let exact = std::f64::consts::FRAC_PI_2 * (2.0_f64 / 0.02).sqrt();
    for ways in [twists, all] {
        let arm = clamped(9, heavy, ways);
        let modes = arm.modes(&arm.neutral()).expect("modes");
        // sines at the midpoints: the first is (π/16)²/24 = 1.6e-3 too low
        assert_each(&modes.frequencies(), &[exact], 2e-3, "eight hinges");
    }
}

#[test]
fn a_heavy_force_on_the_tip() {
    // the elastica of PL²/EI = 5
    let exact = 0.713_792;
    let found = [9, 17].map(|count| {
        let arm = clamped(count, section(1.0, 1.0), ALONG_Y);
        let conditions =
            Conditions { loads: vec![dead_force(&arm, [0.0, 5.0, 0.0])], ..Conditions::default() };
        let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest");
        arm.pose(&rest.q, "tip").expect("a tip").position.y
    });
    // measured 8e-4
    assert!((found[1] - exact).abs() < 1.5e-3, "{found:?}");
    let order = order([found[0] - exact, found[1] - exact]);
    assert!((1.8..2.2).contains(&order), "order {order}");
}

/// A moment bends every length alike, which the midpoint rule sums exactly, whatever the section.
#[test]
fn a_moment_on_a_tapered_beam() {
    let thin = section(1.0, 1.0);
    let thick = Section { ei_z: 3.0, ..thin };
    let stations = vec![(0.0, thick), (1.0, thin)];
    let profile = Profile::along(
        stations.into_iter().map(|(s, section)| (s, Matter::Given(section))).collect(),
    );
    let beam = Beam::new(1.0, profile, pieces(6, ALONG_Y, false));
    let arm = built(cantilever(Joint::Fixed, beam, |l| l));
    let moment = 1e-6;
    let loads = vec![wrench(&arm, [0.0; 3], [0.0, 0.0, moment])];
    let conditions = Conditions { loads, ..Conditions::default() };
    let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest");
    let turn: f64 = rest.q.iter().sum();
    // ∫ ds / (3 − 2 s) = ln 3 / 2
    assert_each(&[turn], &[moment * 0.5 * 3.0_f64.ln()], 1e-9, "the turn of the tip");
}

/// Rigid ends, payloads and whatever hangs on a beam are where they are on one that bends.
#[test]
fn the_same_arm_at_rest() {
    let arm = |basis: Basis| {
        let mut beam = shortening(super::beam(0.8, section(10.0, 2.0), basis));
        beam.root = Pose::at(0.1, 0.0, 0.05);
        (beam.rigid_root, beam.rigid_tip) = (0.1, 0.06);
        let heavy = [[0.01, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.03]];
        let inner = Link::new("inner").joint(Joint::revolute(Z)).beam(beam.clone());
        let inner = inner.body(0.5, [0.05, 0.0, 0.0], heavy).tip_body(0.7, [0.01, 0.0, 0.0], heavy);
        let inner = inner.section_frame("middle", 0.5, Pose::at(0.0, 0.02, 0.0));
        let outer = Link::new("outer").joint(Joint::revolute(Z)).beam(beam).at_section(0.96);
        let side = Link::new("side").on("inner").at_section(0.33).payload(0.2, [0.0, 0.1, 0.0]);
        let early = Link::new("early").on("inner").at_section(0.02).payload(0.1, [0.0, 0.1, 0.0]);
        let outer = outer.section_frame("tip", 0.96, Pose::IDENTITY);
        built(pliant::arm::Builder::new("two").link(inner).link(outer).link(side).link(early))
    };
    let bends = arm(along_y(2));
    let rigid = arm(pieces(5, ALONG_Y, false));
    let posed = |arm: &Arm| {
        let mut q = arm.neutral();
        for (name, angle) in [("inner", 0.4), ("outer", -1.1)] {
            let at = arm.configuration_names().iter().position(|n| n == name).expect(name);
            q[at] = angle;
        }
        q
    };
    let (at, bent) = (posed(&rigid), posed(&bends));
    for frame in ["inner", "inner.tip", "middle", "outer", "outer.tip", "tip", "side", "early"] {
        let place = |arm: &Arm, q: &[f64]| arm.pose(q, frame).expect(frame).position;
        let apart: Vec3<f64> = place(&rigid, &at) - place(&bends, &bent);
        assert!(apart.norm() < 1e-14, "{frame}: {apart:?}");
    }
    // the joints feel the same inertia
    let felt = |arm: &Arm, q: &[f64]| {
        let m = arm.mass_matrix(q).expect("a mass matrix");
        let joint = |name| arm.velocity_names().iter().position(|n| n == name).expect(name);
        let (i, o) = (joint("inner"), joint("outer"));
        [m[(i, i)], m[(i, o)], m[(o, o)]]
    };
    assert_each(&felt(&rigid, &at), &felt(&bends, &bent), 1e-12, "inertia");
}

#[test]
fn hinges_are_not_locked() {
    let beam = Beam::new(1.0, section(1.0, 1.0), pieces(4, ALONG_Y, false));
    let arm = built(cantilever(Joint::revolute(Z), beam, |l| l));
    assert_eq!(arm.velocity_names(), ["beam", "beam.h1", "beam.h2", "beam.h3"]);
    let modes = arm.modes(&arm.neutral()).expect("modes");
    assert_eq!(modes.modes.len(), 3, "the joint is locked, the hinges are not");
    let free = arm
        .modes_under(&arm.neutral(), &Conditions::all(&arm, JointCondition::Free))
        .expect("modes");
    assert_eq!(free.modes.len(), 4);
    assert!(free.modes[1].squared > 0.0, "their springs are not left out");
}
