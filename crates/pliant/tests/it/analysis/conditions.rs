//! How joints are held, and what is refused.

use super::{Z, along_y, assert_each, beam, built, cantilever, dead_force, section, wrench};
use pliant::Help;
use pliant::analyse::{AnalysisError, Conditions, JointCondition};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::dynamics::EvaluationError;
use pliant::spatial::Pose;

const G: f64 = 9.81;
const Y: [f64; 3] = [0.0, 1.0, 0.0];

/// A point mass of 2 kg, 0.5 m along x from a hinge about y with a spring and a damper.
fn lever(stiffness: f64, more: impl FnOnce(Link) -> Link) -> Arm {
    let lever = Link::new("lever")
        .joint(Joint::revolute(Y))
        .payload(2.0, [0.5, 0.0, 0.0])
        .spring(&[stiffness], &[])
        .damping(&[0.3])
        .frame("tip", Pose::at(0.5, 0.0, 0.0));
    built(Builder::new("lever").link(more(lever)))
}

fn held(hold: JointCondition) -> Conditions {
    Conditions { joints: vec![hold], ..Conditions::default() }
}

#[test]
fn a_joint_on_its_spring() {
    let arm = lever(40.0, |l| l);
    let rest = arm.static_equilibrium_under(&[0.0], &held(JointCondition::OnSpring)).expect("rest");
    let angle = rest.q[0];
    let weight = 2.0 * G * 0.5;
    assert!((40.0 * angle - weight * angle.cos()).abs() < 1e-12 && rest.stable);
    assert!(rest.iterations() < 7 && rest.parts == 1);
    let modes = arm.modes_under(&[0.0], &held(JointCondition::OnSpring)).expect("modes");
    assert_eq!(modes.q, rest.q);
    let square = (40.0 + weight * angle.sin()) / 0.5;
    assert_each(&[modes.modes[0].squared], &[square], 1e-12, "(k + m g l sin θ)/m l²");
    let ratio = 0.3 / (2.0 * (square.sqrt() * 0.5));
    assert_each(&[modes.modes[0].damping_ratio], &[ratio], 1e-12, "d/2ωI");
    let given = Conditions { as_given: true, ..held(JointCondition::OnSpring) };
    let modes = arm.modes_under(&[0.2], &given).expect("modes");
    assert_eq!(modes.q, [0.2]);
    assert_each(
        &[modes.modes[0].squared],
        &[(40.0 + weight * 0.2_f64.sin()) / 0.5],
        1e-12,
        "there",
    );
}

#[test]
fn locked_and_prescribed_joints_have_no_modes() {
    let prescribed = lever(40.0, Link::prescribed);
    for hold in [JointCondition::Locked, JointCondition::Free, JointCondition::OnSpring] {
        assert!(prescribed.modes_under(&[0.3], &held(hold)).expect("none").modes.is_empty());
    }
    let arm = lever(40.0, |l| l);
    assert!(arm.modes(&[0.3]).expect("none").modes.is_empty());
    let rest = arm.static_equilibrium(&[0.3]).expect("rest");
    assert_eq!((rest.q[0], rest.residual, rest.stable), (0.3, 0.0, true));
    let brake = 40.0 * 0.3 - 2.0 * G * 0.5 * 0.3_f64.cos();
    assert_each(&[rest.forces[0]], &[brake], 1e-12, "what the brake holds");
}

#[test]
fn a_free_joint_leaves_its_spring() {
    let arm = lever(40.0, |l| l);
    let down = std::f64::consts::FRAC_PI_2;
    let rest =
        arm.static_equilibrium_under(&[0.8 * down], &held(JointCondition::Free)).expect("rest");
    assert!((rest.q[0] - down).abs() < 1e-12 && rest.stable);
    // modes of a free joint are about the posture given
    let hanging = arm.modes_under(&[down], &held(JointCondition::Free)).expect("modes");
    assert_each(&[hanging.modes[0].squared], &[G / 0.5], 1e-12, "a pendulum");
    let standing = arm.modes_under(&[-down], &held(JointCondition::Free)).expect("modes");
    assert_each(&[standing.modes[0].squared], &[-G / 0.5], 1e-12, "upside down");
    assert!(standing.modes[0].is_unstable() && standing.modes[0].frequency() == 0.0);
    assert_eq!(standing.modes[0].damping_ratio, 0.0);
}

#[test]
fn conditions_that_do_not_fit_are_refused() {
    let arm = lever(0.0, |l| l);
    let refused = |conditions: &Conditions| {
        let error = arm.static_equilibrium_under(&[0.0], conditions).unwrap_err();
        let other = arm.modes_under(&[0.0], conditions).unwrap_err();
        assert_eq!(other.with_help(), error.with_help());
        error
    };
    let error =
        refused(&Conditions { joints: vec![JointCondition::Free; 2], ..Conditions::default() });
    assert_eq!(error, AnalysisError::WrongConditionCount { given: 2, needed: 1 });
    let error = refused(&held(JointCondition::OnSpring));
    assert_eq!(error, AnalysisError::NoSpring { link: "lever".into() });
    assert!(error.with_help().contains("give it a stiffness"), "{error}");
    let error = refused(&Conditions { velocities: vec![2.0], ..Conditions::default() });
    let coordinate = "lever".to_owned();
    assert_eq!(error, AnalysisError::NotPrescribed { coordinate, value: 2.0 });
    let error = refused(&Conditions { velocities: vec![2.0; 3], ..Conditions::default() });
    let what = "the steady velocity";
    let wrong = EvaluationError::WrongLength { what, given: 3, needed: 1 };
    assert_eq!(error, AnalysisError::Evaluation(wrong));
    let mut load = dead_force(&arm, [f64::NAN, 0.0, 0.0]);
    assert!(
        refused(&Conditions { loads: vec![load], ..Conditions::default() })
            .to_string()
            .contains("NaN")
    );
    load.frame = 7;
    let error = refused(&Conditions { loads: vec![load], ..Conditions::default() });
    assert!(error.with_help().contains("no frame 7"), "{error}");
    assert!(arm.modes(&[]).unwrap_err().to_string().contains("this arm needs 1"));
}

#[test]
fn what_nothing_holds_is_named() {
    let arm = lever(0.0, |l| l).with_gravity([0.0; 3].into());
    let error = arm.static_equilibrium_under(&[0.0], &held(JointCondition::Free)).unwrap_err();
    assert_eq!(error, AnalysisError::Unconstrained { coordinate: "lever".into() });
    assert!(error.with_help().contains("give it a spring"), "{error}");
    // as a mode it is a motion of frequency 0
    let modes = arm.modes_under(&[0.0], &held(JointCondition::Free)).expect("modes");
    assert_eq!(modes.modes[0].squared, 0.0);
    assert!(!modes.modes[0].is_unstable());
}

#[test]
fn an_equilibrium_that_does_not_exist() {
    // a moment larger than the weight can balance at any angle
    let arm = lever(0.0, |l| l);
    let loads = vec![wrench(&arm, [0.0; 3], [0.0, 12.0, 0.0])];
    let conditions = Conditions { loads, ..held(JointCondition::Free) };
    let error = arm.static_equilibrium_under(&[0.5], &conditions).unwrap_err();
    assert!(
        matches!(&error, AnalysisError::NotConverged { coordinate, .. } if coordinate == "lever"),
        "{error}"
    );
    assert!(error.with_help().contains("start nearer"), "{error}");
}

#[test]
fn a_coordinate_that_moves_nothing_is_named() {
    let arm = built(
        Builder::new("idle")
            .link(Link::new("mast").joint(Joint::revolute(Z)).payload(1.0, [1.0, 0.0, 0.0]))
            .link(Link::new("wrist").joint(Joint::revolute(Z)).placed(Pose::at(1.0, 0.0, 0.0))),
    );
    let conditions = Conditions::all(&arm, JointCondition::Free);
    let error = arm.modes_under(&[0.0; 2], &conditions).unwrap_err();
    let coordinate = "wrist".to_owned();
    assert_eq!(
        error,
        AnalysisError::Evaluation(EvaluationError::SingularMassMatrix { coordinate })
    );
}

#[test]
fn numbers_out_of_range_are_no_panic() {
    let boom = beam(1.2, section(50.0, 0.8), along_y(2));
    let arm = built(cantilever(Joint::Fixed, super::shortening(boom), |l| l));
    let huge = vec![1e200; arm.nq()];
    assert!(
        arm.modes_under(&huge, &Conditions { as_given: true, ..Conditions::default() }).is_err()
    );
    let load = dead_force(&arm, [1e300, 1e300, 0.0]);
    let conditions = Conditions { loads: vec![load], ..Conditions::default() };
    if let Ok(rest) = arm.static_equilibrium_under(&arm.neutral(), &conditions) {
        assert!(rest.q.iter().all(|q| q.is_finite()));
    }
}
