//! Inverse kinematics: reach, failure, singular postures, sagging links.

use super::arms::{akmehmet, king};
use pliant::analyse::Conditions;
use pliant::plan::{Goal, Path, PlanError, Profile, Solver, SolverError, TipPath, follow};

#[test]
fn what_is_out_of_reach_is_said_with_the_nearest_place() {
    let arm = akmehmet(3);
    let mut solver = Solver::new(&arm, 2).expect("a chain");
    let failed = solver.solve(&Goal::Place([2.2, 0.0, 0.0].into()), &[0.1, 0.2, 0.3]);
    let Err(SolverError::Unreached { nearest, position_error, best, .. }) = &failed else {
        panic!("{failed:?}");
    };
    assert!((position_error - 1.1).abs() < 1e-6, "{position_error}");
    assert!((nearest[0] - 1.1).abs() < 1e-6, "{nearest:?}");
    let there = arm.pose(best, "link 3").expect("a pose").position;
    assert!((there.x - nearest[0]).abs() < 1e-9);
}

#[test]
fn paths_out_of_reach_or_through_singular_postures_are_refused() {
    let arm = akmehmet(3);
    let line = |from: [f64; 3], to: [f64; 3]| {
        let points = [from.to_vec(), to.to_vec()];
        let path = Path::corners(&points, &[2.0], Profile::ParabolicSpeed, 0.0).expect("a path");
        let mut solver = Solver::new(&arm, 2).expect("a chain");
        follow(&mut solver, &TipPath::new(path), &[0.0, -0.4, 0.9])
    };
    let out = line([0.6, 0.0, 0.0], [1.6, 0.0, 0.0]).expect_err("out of reach");
    let PlanError::Unreachable { time, source: SolverError::Unreached { nearest, .. } } = &out
    else {
        panic!("{out}");
    };
    // the corner is 0.5 m beyond the reach of 1.1 m
    assert!((time - 2.0).abs() < 1e-9 && (nearest[0] - 1.1).abs() < 1e-6, "{out}");
    // between corners in reach the line passes too near to the waist
    let inside = line([0.2, 0.5, 0.0], [0.2, -0.5, 0.0]);
    assert!(inside.is_ok(), "{inside:?}");
    let near = line([0.05, 0.5, 0.0], [0.05, -0.5, 0.0]).expect_err("too near");
    assert!(near.to_string().starts_with("at t = "), "{near}");
    // over the axis of the waist
    let through = line([0.5, 0.0, 0.5], [-0.5, 0.0, 0.5]).expect_err("singular");
    let PlanError::Singular { time, .. } = &through else {
        panic!("{through}");
    };
    assert!((time - 1.0).abs() < 0.1, "{through}");
    assert!(through.to_string().contains("singular posture"), "{through}");
}

#[test]
fn a_sagging_arm_is_where_it_should_be() {
    let arm = king(0.3);
    let frame = arm.frame("hand").expect("a frame");
    let mut solver = Solver::sagging(&arm, frame, Conditions::default()).expect("a chain");
    let mut near = arm.neutral();
    let elbow = arm.coordinate_of(solver.moving()[2]).expect("a joint");
    near[elbow] = 0.8;
    let goal = Goal::Place([1.5, 0.4, 0.6].into());
    let found = solver.solve(&goal, &near).expect("reachable");
    // by the other road: put it there and let it come to rest
    let rest = arm.static_equilibrium(&found.q).expect("a rest");
    let there = arm.pose(&rest.q, "hand").expect("a pose");
    assert!(goal.left(&there).position < 1e-9, "{:?}", goal.left(&there));
    let mut rigid = found.q.clone();
    for link in 0..arm.body_count() {
        rigid[arm.bending_of(link).0].fill(0.0);
    }
    let unbent = arm.pose(&rigid, "hand").expect("a pose");
    assert!(goal.left(&unbent).position > 1e-3, "the links sag");
    let points = [vec![1.5, 0.4, 0.6], vec![1.4, 0.6, 0.7]];
    let path = Path::corners(&points, &[1.0], Profile::MinimumJerk, 0.0).expect("a path");
    let joints = follow(&mut solver, &TipPath::new(path), &found.q).expect("joints");
    let mut q = found.q.clone();
    for (jet, &v) in joints.path.at(0.37).iter().zip(&joints.velocities) {
        q[arm.coordinate_of(v).expect("a joint")] = jet.value;
    }
    let rest = arm.static_equilibrium(&q).expect("a rest");
    let wanted = Profile::MinimumJerk.at(0.37, 1.0).value;
    let want = Goal::Place([1.5 - 0.1 * wanted, 0.4 + 0.2 * wanted, 0.6 + 0.1 * wanted].into());
    let there = arm.pose(&rest.q, "hand").expect("a pose");
    assert!(want.left(&there).position < 1e-8, "{:?}", want.left(&there));
}
