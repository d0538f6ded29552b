//! How far frequencies are from converged ones, and which parts move in a mode.

use super::{beam, built, cantilever, dead_force, section};
use pliant::Help;
use pliant::analyse::{Conditions, MovingPart, RebuildError};
use pliant::arm::{Arm, Builder, FaultKind, Joint, Link};
use pliant::beam::{Basis, Beam, Deformation, Section, ShapeLoad, Slide, Ways};

/// Torsion among the bending frequencies, which do not know of it.
fn twisting() -> Section {
    Section { gj: 2.0, rho_i_y: 4e-4, rho_i_z: 4e-4, ..section(50.0, 0.8) }
}

fn rod(ways: Ways<usize>) -> Builder {
    of(Basis::ClampedFree(ways))
}

/// A rod with a body on its tip.
fn of(basis: Basis) -> Builder {
    let tensor = [[4e-4, 0.0, 0.0], [0.0, 2e-3, 0.0], [0.0, 0.0, 2e-3]];
    let carry = |link: Link| link.tip_body(2.0, [0.05, 0.0, 0.0], tensor);
    cantilever(Joint::Fixed, beam(1.0, twisting(), basis), carry)
}

fn frequencies(basis: Basis) -> Vec<f64> {
    let arm = built(of(basis));
    arm.modes(&arm.neutral()).expect("modes").frequencies()
}

fn errors(description: &Builder, arm: &Arm, conditions: &Conditions) -> Vec<f64> {
    let q = arm.neutral();
    let modes = arm.modes_under(&q, conditions).expect("modes");
    modes.convergence(arm, description, &q, conditions).expect("a finer arm")
}

/// Bending and twist do not couple, so that each kind is found alone, converged with 40 elements.
#[test]
fn each_kind_of_mode_is_compared_with_its_own() {
    let description = rod(Ways::new(3, 0, 2, 0));
    let arm = built(description.clone());
    let modes = arm.modes(&arm.neutral()).expect("modes").modes;
    let found = errors(&description, &arm, &Conditions::default());
    assert_eq!(found.len(), 5);
    let kinds = [
        (Deformation::BendingY, Ways::new(3, 0, 0, 0), Ways::new(true, false, false, false)),
        (Deformation::Twist, Ways::new(0, 0, 2, 0), Ways::new(false, false, true, false)),
    ];
    let mut order = Vec::new();
    for (kind, coarse, ways) in kinds {
        let fine = frequencies(Basis::Hermite { elements: 40, ways });
        let want = frequencies(Basis::ClampedFree(coarse)).into_iter().zip(fine);
        let want: Vec<f64> = want.map(|(own, converged)| own / converged - 1.0).collect();
        assert!(want[1] > 0.01, "shapes of a free tip are off: {want:?}");
        let part = MovingPart::Deformation { link: "beam".into(), deformation: kind };
        let own = (0..5).filter(|&k| arm.participation(&modes[k])[0].0 == part);
        let own: Vec<usize> = own.collect();
        assert_eq!(own.len(), want.len(), "{part}");
        for (&k, want) in own.iter().zip(want) {
            // the second of twist is the hardest for elements
            assert!((found[k] - want).abs() < 1e-3 + 0.05 * want, "{part}: {} {want}", found[k]);
        }
        order.push(own);
    }
    // a twist stands between bending modes, or numbers would do
    assert!(order[1].iter().any(|k| *k < order[0][2]), "{order:?}");
}

/// Modes of elements get one more element each time, however few modes there are.
#[test]
fn eigenmodes_are_refined_in_both_ways() {
    let load = ShapeLoad::Outboard;
    let modes = |elements, y, z| {
        let ways = Ways::new(y, z, 0, 0);
        Basis::Eigenmodes { elements, ways, load, hinge_y: None, hinge_z: None }
    };
    assert_eq!(modes(3, 2, 0).refined(), modes(4, 3, 0));
    assert_eq!(modes(1, 2, 6).refined(), modes(4, 3, 7));
}

/// Every family is compared with the same truth, with and without foreshortening, in segments, and
/// where it slides; shapes for the load are near it, and elements too.
#[test]
fn every_family_has_its_distance() {
    let (load, ways) = (ShapeLoad::Outboard, Ways::new(2, 0, 0, 0));
    let on = Ways::new(true, false, false, false);
    let [hinge_y, hinge_z] = [None; 2];
    let families = [
        (Basis::ClampedFree(ways), 0.002..0.05),
        (Basis::ClampedMass { ways, load }, -1e-5..2e-3),
        (Basis::Eigenmodes { elements: 6, ways, load, hinge_y, hinge_z }, -1e-5..1e-4),
        (Basis::Hermite { elements: 1, ways: on }, 1e-5..0.01),
        (Basis::Hermite { elements: 20, ways: on }, -1e-7..1e-6),
    ];
    for (basis, range) in families {
        for foreshortening in [true, false] {
            let own = of(basis.clone()).map_beams(|beam| Beam { foreshortening, ..beam });
            let arm = built(own.clone());
            let found = errors(&own, &arm, &Conditions::default());
            assert!(range.contains(&found[0]), "{basis:?}: {found:?}");
        }
    }
    let segments = |beam| Beam { segments: 4, foreshortening: true, ..beam };
    let divided = of(Basis::Hermite { elements: 2, ways: on }).map_beams(segments);
    let found = errors(&divided, &built(divided.clone()), &Conditions::default());
    assert!(found[0].abs() < 1e-5, "{found:?}");
    let slide = Some(Slide::between(0.2, 0.9));
    let slides = of(Basis::ClampedFree(ways)).map_beams(|beam| Beam { slide, ..beam });
    let found = errors(&slides, &built(slides.clone()), &Conditions::default());
    assert!((0.002..0.05).contains(&found[0]), "{found:?}");
}

#[test]
fn shares_add_up_and_have_names() {
    let arm = built(rod(Ways::new(2, 1, 1, 0)));
    let words = |mode| arm.participation(mode)[0].0.to_string();
    let modes = arm.modes(&arm.neutral()).expect("modes").modes;
    let mut names: Vec<String> = modes.iter().map(words).collect();
    for mode in &modes {
        let sum: f64 = arm.participation(mode).iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
    names.sort();
    names.dedup();
    assert_eq!(names, ["beam twist", "beam y", "beam z"]);
    let ways = Ways::new(true, false, false, false);
    let pieces = Basis::Pieces { pieces: 3, ways, pinned: false };
    let free = Joint::revolute([0.0, 0.0, 1.0]);
    let arm = built(cantilever(free, Beam::new(1.0, twisting(), pieces), |l| l.joint_name("hub")));
    let conditions = Conditions::unlocked(&arm);
    let swings = arm.modes_under(&arm.neutral(), &conditions).expect("modes").modes;
    let parts = arm.participation(&swings[1]);
    let mut names: Vec<String> = parts.iter().map(|(part, _)| part.to_string()).collect();
    names.sort();
    assert_eq!(names, ["beam hinges", "joint hub"]);
    let sum: f64 = parts.iter().map(|(_, share)| share).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

/// Rigid pieces are bodies of their own: the finer arm has other numbers for frames and joints.
#[test]
fn loads_and_conditions_are_found_by_name() {
    let ways = Ways::new(true, false, false, false);
    let description = |pieces| {
        let basis = Basis::Pieces { pieces, ways, pinned: false };
        cantilever(Joint::Fixed, Beam::new(1.0, section(50.0, 0.8), basis), |l| l)
    };
    let under = |arm: &Arm| Conditions {
        loads: vec![dead_force(arm, [-20.0, 0.0, 0.0])],
        ..Conditions::default()
    };
    let [coarse, fine] = [6, 24].map(|pieces| built(description(pieces)));
    let found = errors(&description(6), &coarse, &under(&coarse));
    let of = |arm: &Arm| arm.modes_under(&arm.neutral(), &under(arm)).expect("modes").frequencies();
    for (k, (own, converged)) in of(&coarse).into_iter().zip(of(&fine)).enumerate() {
        assert!((found[k] - (own / converged - 1.0)).abs() < 1e-9, "mode {k}");
    }
    // a load that is not there is refused before anything is built
    let mut conditions = under(&coarse);
    let modes = coarse.modes_under(&coarse.neutral(), &conditions).expect("modes");
    conditions.loads[0].frame = 99;
    let refused = modes.convergence(&coarse, &description(6), &coarse.neutral(), &conditions);
    assert!(matches!(refused, Err(RebuildError::Analysis(_))), "{refused:?}");
}

/// A finer description that cannot be built says so with its own help.
#[test]
fn what_cannot_be_refined_is_told() {
    let arm = built(rod(Ways::new(1, 0, 0, 0)));
    let (q, conditions) = (arm.neutral(), Conditions::default());
    let modes = arm.modes(&q).expect("modes");
    let wrong = rod(Ways::new(1, 0, 0, 0)).gravity([f64::NAN, 0.0, 0.0]);
    let error = modes.convergence(&arm, &wrong, &q, &conditions).expect_err("gravity is no number");
    let RebuildError::Build(inner) = &error else { panic!("{error}") };
    assert!(matches!(inner.faults[0].kind, FaultKind::NotFinite { .. }));
    assert_eq!((error.help(), error.with_help()), (inner.help(), inner.with_help()));
}
