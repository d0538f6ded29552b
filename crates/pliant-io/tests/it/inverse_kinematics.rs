//! The numeric solver on the robots of the repository.

use crate::{files, reach};
use pliant::analyse::Conditions;
use pliant::plan::{IkGoal, IkMethod, IkSolver};
use pliant::reproduce::akmehmet::inverse_kinematics::{
    Branch, Elbow, Hand, Shoulder, Wrist, six_joints, three_joints,
};
use pliant::scalar::{Jet, Number as _};
use pliant::spatial::Vec3;
use std::f64::consts::TAU;
use std::path::Path;

/// How many targets for each robot; an unoptimised build takes fewer.
const TARGETS: usize = if cfg!(debug_assertions) { 100 } else { 10_000 };

/// How near the frame must come (m, rad).
const NEAR: f64 = 1e-9;

#[test]
fn reachable_targets_are_reached() {
    let mut chains = 0;
    for path in files::listed("robots", &["toml"]).expect("robots") {
        let arm = pliant_io::load(&path).unwrap_or_else(|report| panic!("{report}")).arm;
        if !reach::is_chain(&arm) {
            continue;
        }
        chains += 1;
        let frame = arm.frames().len() - 1;
        let name = arm.frames()[frame].name().to_owned();
        let mut solver = IkSolver::new(&arm, frame).expect("a chain");
        let mut postures = reach::Postures(9);
        let mut reached = 0;
        for _ in 0..TARGETS {
            let pose = arm.pose(&postures.next(&arm), &name).expect("a pose");
            let goal = if arm.nv() < 6 { IkGoal::Place(pose.position) } else { IkGoal::Pose(pose) };
            let start = postures.next(&arm);
            let Ok(found) = solver.solve(&goal, &start) else {
                continue;
            };
            let there = arm.pose(&found.q, &name).expect("a pose");
            let inside = found.q.iter().zip(arm.limits()).all(|(q, limits)| {
                limits.is_none_or(|limits| *q >= limits.lower && *q <= limits.upper)
            });
            if inside && goal.left(&there).largest() < NEAR {
                reached += 1;
            }
        }
        let share = f64::from(reached) / TARGETS as f64;
        assert!(share >= 0.995, "{}: only {reached} of {TARGETS}", path.display());
    }
    assert!(chains >= 6, "{chains} chains");
}

/// How far two postures are apart, angles by the shorter way round.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let gap = |(a, b): (&f64, &f64)| ((a - b) - TAU * ((a - b) / TAU).round()).abs();
    a.iter().zip(b).map(gap).fold(0.0, f64::max)
}

/// Every solution reaches the goal, no two are alike, and the posture that the goal was made from is
/// among them. Where there is a closed form, searches find nothing that it has not.
#[test]
fn all_solutions_reach_and_differ() {
    let mut closed = Vec::new();
    for path in files::listed("robots", &["toml"]).expect("robots") {
        let arm = pliant_io::load(&path).unwrap_or_else(|report| panic!("{report}")).arm;
        if !reach::is_chain(&arm) {
            continue;
        }
        let frame = arm.frames().len() - 1;
        let name = arm.frames()[frame].name().to_owned();
        let mut solver = IkSolver::new(&arm, frame).expect("a chain");
        let mut postures = reach::Postures(4);
        let long = arm.reach().unwrap_or(1.0);
        for _ in 0..20 {
            let q = postures.next(&arm);
            let pose = arm.pose(&q, &name).expect("a pose");
            let goal = if arm.nv() < 6 { IkGoal::Place(pose.position) } else { IkGoal::Pose(pose) };
            let found = solver.solutions(&goal, &arm.neutral(), 30, 1).expect("it was reached");
            let all: Vec<&Vec<f64>> = found.solutions.iter().map(|one| &one.q).collect();
            for (k, one) in all.iter().enumerate() {
                let left = goal.left(&arm.pose(one, &name).expect("a pose"));
                assert!(left.position < 1e-9 * long && left.angle < 1e-9, "{name}: {left:?}");
                let mut others = all[..k].iter().map(|other| apart(one, other));
                assert!(others.all(|gap| gap > 1e-6), "{name}: two are alike");
            }
            if found.method != IkMethod::ClosedForm {
                continue;
            }
            closed.push(arm.name().to_owned());
            let has = |q: &[f64]| all.iter().any(|one| apart(one, q) < 1e-7);
            assert!(has(&q), "{name}: {q:?} is not in {all:?}");
            for _ in 0..5 {
                let searched = solver.solve(&goal, &postures.next(&arm)).expect("it was reached");
                assert!(has(&searched.q), "{name}: {:?} is not in {all:?}", searched.q);
            }
        }
    }
    let of = |name: &str| closed.iter().filter(|own| own.as_str() == name).count();
    let counts = ["akmehmet-3", "akmehmet-6", "puma-560", "ur5"].map(of);
    assert_eq!((counts, closed.len()), ([20; 4], 80), "{closed:?}");
}

/// The closed form is that of Akmehmet's thesis, for all its branches.
#[test]
fn the_closed_form_is_akmehmets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    let arm = |name: &str| pliant_io::load(folder.join(name)).expect("a robot").arm;
    let mut postures = reach::Postures(2);
    let branches = [Shoulder::Front, Shoulder::Back].into_iter().flat_map(|shoulder| {
        let elbows = [Elbow::Up, Elbow::Down].into_iter();
        elbows.flat_map(move |elbow| {
            [Wrist::Plain, Wrist::Flipped].map(|wrist| Branch { shoulder, elbow, wrist })
        })
    });
    let branches: Vec<Branch> = branches.collect();
    let jets = |place: Vec3<f64>| place.to_array().map(Jet::constant);
    let values = |jets: &[Jet]| jets.iter().map(|jet| jet.value).collect::<Vec<f64>>();
    let [three, six] = ["akmehmet-3.toml", "akmehmet-6.toml"].map(arm);
    for _ in 0..20 {
        for (arm, count) in [(&three, 4), (&six, 8)] {
            let frame = arm.frames().len() - 1;
            let name = arm.frames()[frame].name();
            let pose = arm.pose(&postures.next(arm), name).expect("a pose");
            let theirs: Vec<Vec<f64>> = branches
                .iter()
                .filter_map(|branch| {
                    if count == 4 {
                        let found = three_joints(&jets(pose.position), *branch).ok()?;
                        return Some(values(&found));
                    }
                    let (position, attitude) = (jets(pose.position), pose.rotation);
                    let (spin, spin_rate) = ([0.0; 3], [0.0; 3]);
                    let hand = Hand { position, attitude, spin, spin_rate };
                    Some(values(&six_joints(&hand, *branch).ok()?))
                })
                .collect();
            let goal = if count == 4 { IkGoal::Place(pose.position) } else { IkGoal::Pose(pose) };
            let mut solver = IkSolver::new(arm, frame).expect("a chain");
            let ours = solver.solutions(&goal, &arm.neutral(), 10, 0).expect("it was reached");
            assert_eq!(ours.method, IkMethod::ClosedForm);
            for q in &theirs {
                let is_there = ours.solutions.iter().any(|one| apart(&one.q, q) < 1e-7);
                assert!(is_there, "{q:?} is not in {:?}", ours.solutions);
            }
            assert!(ours.solutions.len() <= count && !theirs.is_empty());
        }
    }
}

/// Goals that an arm with its static deflection reaches are reached when its links are at rest.
#[test]
fn sagging_arms_reach_where_they_hang() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    let arm = pliant_io::load(folder.join("carbon-fibre-arm.toml")).expect("a robot").arm;
    let frame = arm.tip().expect("a tip");
    let name = arm.frames()[frame].name().to_owned();
    let mut solver = IkSolver::sagging(&arm, frame, Conditions::default()).expect("a chain");
    let goal = IkGoal::Place([1.2, 0.4, 0.5].into());
    let found = solver.solutions(&goal, &arm.neutral(), 8, 0).expect("it is reached");
    assert!(found.solutions.len() >= 2 && found.method == IkMethod::Searches(8));
    let long = arm.reach().expect("no slides");
    for one in &found.solutions {
        let rest = arm.static_equilibrium_under(&one.q, &Conditions::default()).expect("rest");
        let left = goal.left(&arm.pose(&rest.q, &name).expect("a pose"));
        assert!(left.position < 1e-9 * long, "{left:?}");
        let straight: Vec<f64> = arm
            .configuration_coordinates()
            .iter()
            .map(|own| if own.role.deforms() { 0.0 } else { one.q[own.index] })
            .collect();
        let off = goal.left(&arm.pose(&straight, &name).expect("a pose")).position;
        assert!(off > 1e-3, "the arm hangs by {off} m");
    }
}
