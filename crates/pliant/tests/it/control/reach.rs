//! Inverse kinematics: reach, failure, singular postures, sagging links.

use super::arms::{akmehmet, king};
use crate::random::Random;
use pliant::analyse::Conditions;
use pliant::arm::{Builder, Joint, Limits, Link};
use pliant::dynamics::kinematics::Axes;
use pliant::nalgebra;
use pliant::plan::{IkError, IkGoal, IkSolver, Path, PlanError, TimeScaling, TipPath, follow};
use pliant::spatial::Pose;

#[test]
fn what_is_out_of_reach_is_said_with_the_nearest_place() {
    let arm = akmehmet(3);
    let mut solver = IkSolver::new(&arm, 2).expect("a chain");
    let failed = solver.solve(&IkGoal::Place([2.2, 0.0, 0.0].into()), &[0.1, 0.2, 0.3]);
    let Err(IkError::Unreached { nearest, position_error, best, .. }) = &failed else {
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
        let path =
            Path::corners(&points, &[2.0], TimeScaling::ParabolicSpeed, 0.0).expect("a path");
        let mut solver = IkSolver::new(&arm, 2).expect("a chain");
        follow(&mut solver, &TipPath::new(path), &[0.0, -0.4, 0.9])
    };
    let out = line([0.6, 0.0, 0.0], [1.6, 0.0, 0.0]).expect_err("out of reach");
    let PlanError::Unreachable { time, source: IkError::Unreached { nearest, .. } } = &out else {
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
    // between two instants that are solved, after 5/9 of the way
    let between = line([0.5, 0.0, 0.5], [-0.4, 0.0, 0.5]).expect_err("singular");
    let PlanError::Singular { time, .. } = &between else {
        panic!("{between}");
    };
    let along = TimeScaling::ParabolicSpeed.at(*time, 2.0).value;
    assert!((along - 5.0 / 9.0).abs() < 0.01, "{between}");
}

/// Every profile, every kind of path: the tip is on its line, and rates are those of the places.
#[test]
fn joints_follow_lines_of_every_profile() {
    let arm = akmehmet(3);
    let points = [vec![0.9, 0.1, 0.0], vec![0.5, 0.5, 0.3], vec![0.3, 0.6, -0.2]];
    let times = [0.8, 0.6];
    let corners = |profile| Path::corners(&points, &times, profile, 0.25).expect("a path");
    let paths = [
        corners(TimeScaling::ParabolicSpeed),
        corners(TimeScaling::Trapezoid(0.2)),
        corners(TimeScaling::Pulses(0.25)),
        corners(TimeScaling::MinimumJerk),
        Path::blended(&points, &times, 0.2, 0.25).expect("a path"),
        Path::minimum_jerk(&points, &times, 0.25).expect("a path"),
    ];
    for (i, path) in paths.into_iter().enumerate() {
        let mut solver = IkSolver::new(&arm, 2).expect("a chain");
        let joints = follow(&mut solver, &TipPath::new(path.clone()), &[0.1, -0.4, 0.9]);
        let joints = joints.unwrap_or_else(|error| panic!("path {i}: {error}"));
        for k in 0..=70 {
            let t = 0.25 + 0.02 * f64::from(k);
            let jets = joints.path.at(t);
            let column = |of: fn(&pliant::scalar::Jet) -> f64| jets.iter().map(of).collect();
            let (q, u): (Vec<f64>, Vec<f64>) = (column(|jet| jet.value), column(|jet| jet.rate));
            let there = arm.pose(&q, "link 3").expect("a pose").position.to_array();
            let moves =
                arm.twist(&q, &u, "link 3", Axes::World).expect("a twist").linear.to_array();
            for (axis, want) in path.at(t).iter().enumerate() {
                let off = (there[axis] - want.value).abs();
                assert!(off < 2e-10, "path {i} at {t} s is {off:e} m off");
                let off = (moves[axis] - want.rate).abs();
                assert!(off < 1e-7, "path {i} at {t} s is {off:e} m/s off");
            }
            if path.breaks().iter().any(|jump| (jump - t).abs() < 1e-9) {
                continue;
            }
            let ud: Vec<f64> = column(|jet| jet.acceleration);
            let felt = arm.frame_acceleration(&q, &u, &ud, "link 3", Axes::World);
            let felt = felt.expect("an acceleration").linear.to_array();
            for (axis, want) in path.at(t).iter().enumerate() {
                let off = (felt[axis] - want.acceleration).abs();
                assert!(off < 1e-7, "path {i} at {t} s is {off:e} m/s² off");
            }
        }
    }
}

/// Fewer joints than numbers of a place, and more.
#[test]
fn flat_and_redundant_arms_follow_lines() {
    let z = [0.0, 0.0, 1.0];
    for count in [2, 3, 4] {
        let mut builder = Builder::new("flat");
        for k in 0..count {
            let at = if k == 0 { Pose::IDENTITY } else { Pose::at(0.5, 0.0, 0.0) };
            let link = Link::new(format!("l{k}")).joint(Joint::revolute(z)).placed(at);
            builder = builder.link(link.payload(1.0, [0.5, 0.0, 0.0]));
        }
        let hand = Link::new("hand").placed(Pose::at(0.5, 0.0, 0.0));
        let arm = builder.link(hand).build().expect("an arm");
        let points = [vec![0.6, 0.2, 0.0], vec![0.3, 0.5, 0.0]];
        let line = Path::corners(&points, &[1.0], TimeScaling::MinimumJerk, 0.0).expect("a path");
        let mut solver = IkSolver::new(&arm, arm.frame("hand").expect("a frame")).expect("a chain");
        let near: Vec<f64> = (0..count).map(|k| if k == 0 { -0.4 } else { 1.1 }).collect();
        let joints = follow(&mut solver, &TipPath::new(line.clone()), &near);
        let joints = joints.unwrap_or_else(|error| panic!("{count} joints: {error}"));
        for k in 0..=50 {
            let t = 0.02 * f64::from(k);
            let jets = joints.path.at(t);
            let q: Vec<f64> = jets.iter().map(|jet| jet.value).collect();
            let u: Vec<f64> = jets.iter().map(|jet| jet.rate).collect();
            let there = arm.pose(&q, "hand").expect("a pose").position.to_array();
            for (axis, want) in line.at(t).iter().enumerate() {
                let off = (there[axis] - want.value).abs();
                assert!(off < 1e-9, "{count} joints at {t} s: {off:e} m off");
            }
            let ud: Vec<f64> = jets.iter().map(|jet| jet.acceleration).collect();
            let felt = arm.frame_acceleration(&q, &u, &ud, "hand", Axes::World);
            let felt = felt.expect("an acceleration").linear.to_array();
            for (axis, want) in line.at(t).iter().enumerate() {
                let off = (felt[axis] - want.acceleration).abs();
                // of redundant arms they come from five neighbours
                let bound = if count > 2 { 1e-5 } else { 1e-8 };
                assert!(off < bound, "{count} joints at {t} s: {off:e} m/s² off");
            }
            // of the rates that move the hand so these are the least: nothing moves it not at all
            let jacobian =
                arm.jacobian(&q, "hand", Axes::World).expect("a Jacobian").rows(0, 2).into_owned();
            let parts = jacobian.clone().svd(true, true);
            let tip = &jacobian * nalgebra::DVector::from_column_slice(&u);
            let least = parts.solve(&tip, 1e-9).expect("parts");
            let off = least.iter().zip(&u).fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
            assert!(off < 1e-6, "{count} joints at {t} s: {off:e} rad/s off");
        }
        // a line that leaves the plane
        let points = [vec![0.6, 0.2, 0.0], vec![0.3, 0.5, 0.1]];
        let out = Path::corners(&points, &[1.0], TimeScaling::MinimumJerk, 0.0).expect("a path");
        let refused = follow(&mut solver, &TipPath::new(out), &near);
        assert!(matches!(refused, Err(PlanError::Unreachable { .. })), "{refused:?}");
    }
}

#[test]
fn a_limit_on_the_path_is_named() {
    let z = [0.0, 0.0, 1.0];
    let limits = [Some(Limits { lower: -2.0, upper: 1.9 })];
    let arm = Builder::new("flat")
        .link(Link::new("upper").joint(Joint::revolute(z)))
        .link(
            Link::new("fore")
                .joint(Joint::revolute(z))
                .placed(Pose::at(1.0, 0.0, 0.0))
                .limits(&limits)
                .payload(1.0, [0.5, 0.0, 0.0]),
        )
        .link(Link::new("hand").placed(Pose::at(1.0, 0.0, 0.0)))
        .build()
        .expect("an arm");
    let points = [vec![1.1, 0.6, 0.0], vec![1.1, -0.6, 0.0]];
    let line = Path::corners(&points, &[1.0], TimeScaling::MinimumJerk, 0.0).expect("a path");
    let mut solver = IkSolver::new(&arm, arm.frame("hand").expect("a frame")).expect("a chain");
    let refused = follow(&mut solver, &TipPath::new(line), &[-0.4, 1.7]);
    let Err(PlanError::AtLimit { joint, limit, time }) = &refused else {
        panic!("{refused:?}");
    };
    assert!(joint == "fore" && (limit - 1.9).abs() < 1e-12, "{refused:?}");
    // the hand is 2 cos(1.9 / 2) = 1.1634 m away when the elbow is at 1.9 rad, after 0.185 of the way
    let along = TimeScaling::MinimumJerk.at(*time, 1.0).value;
    assert!((along - 0.185).abs() < 0.1, "{along}");
}

#[test]
fn a_sagging_arm_is_where_it_should_be() {
    let arm = king(0.3);
    let frame = arm.frame("hand").expect("a frame");
    let mut solver = IkSolver::sagging(&arm, frame, Conditions::default()).expect("a chain");
    let mut near = arm.neutral();
    let elbow = arm.coordinate_of(solver.moving()[2]).expect("a joint");
    near[elbow] = 0.8;
    let goal = IkGoal::Place([1.5, 0.4, 0.6].into());
    let found = solver.solve(&goal, &near).expect("reachable");
    // in the other way: put it there and let it come to rest
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
    let path = Path::corners(&points, &[1.0], TimeScaling::MinimumJerk, 0.0).expect("a path");
    let joints = follow(&mut solver, &TipPath::new(path), &found.q).expect("joints");
    let mut q = found.q.clone();
    for (jet, &v) in joints.path.at(0.37).iter().zip(&joints.velocities) {
        q[arm.coordinate_of(v).expect("a joint")] = jet.value;
    }
    let rest = arm.static_equilibrium(&q).expect("a rest");
    let reference = TimeScaling::MinimumJerk.at(0.37, 1.0).value;
    let want =
        IkGoal::Place([1.5 - 0.1 * reference, 0.4 + 0.2 * reference, 0.6 + 0.1 * reference].into());
    let there = arm.pose(&rest.q, "hand").expect("a pose");
    assert!(want.left(&there).position < 1e-8, "{:?}", want.left(&there));
}

/// No frame is ever farther away, and a stretched arm is as far.
#[test]
fn no_posture_is_beyond_the_reach() {
    let mut random = Random::new(19);
    for _ in 0..20 {
        let lower = random.between(-0.4, 0.1);
        let limits = [Some(Limits { lower, upper: lower + random.between(0.1, 0.6) })];
        let mut builder = Builder::new("random");
        for k in 0..4 {
            let joint = match k {
                2 => Joint::prismatic(random.axis()),
                _ => Joint::revolute(random.axis()),
            };
            let link = Link::new(format!("link {k}")).joint(joint).placed(random.pose(0.5));
            let link =
                link.body(1.0, [0.0; 3], [[0.0; 3]; 3]).frame(format!("f {k}"), random.pose(0.3));
            builder = builder.link(if k == 2 { link.limits(&limits) } else { link });
        }
        let arm = builder.build().expect("an arm");
        let reach = arm.reach().expect("limits");
        let mut farthest = 0.0_f64;
        for _ in 0..300 {
            let mut q = random.numbers(4, 3.2);
            q[2] = random.between(lower, limits[0].map_or(0.0, |l| l.upper));
            for frame in arm.frames() {
                let place = arm.pose(&q, frame.name()).expect("a pose").position;
                farthest = farthest.max(place.norm());
            }
        }
        assert!(farthest <= reach, "{farthest} {reach}");
        assert!(farthest > 0.3 * reach, "{farthest} {reach}");
    }
    assert!((akmehmet(3).reach().expect("no slides") - 1.1).abs() < 1e-12);
    let slide = Link::new("slide").joint(Joint::prismatic([1.0, 0.0, 0.0])).payload(1.0, [0.0; 3]);
    let endless = Builder::new("endless").link(slide.clone()).build().expect("an arm");
    assert_eq!(endless.reach(), None);
    let ends = [Some(Limits { lower: -2.0, upper: 1.5 })];
    let ended = Builder::new("ended").link(slide.limits(&ends)).build().expect("an arm");
    assert_eq!(ended.reach(), Some(2.0));
    assert_eq!(ended.total_mass(), 1.0);
}
