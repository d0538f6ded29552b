//! Multiplications and additions, counted as they are executed.

use crate::calls;
use crate::models::{KINDS, Model, Recipe, Shape};
use pliant::arm::Arm;
use pliant::scalar::{Counted, Counts, count};

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
        ((936, 800, 6, 0), (2052, 1779, 6, 6)),
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
