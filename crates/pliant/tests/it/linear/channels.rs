//! What systems call their numbers, and single channels of them.

use super::BAR;
use super::response::system;
use pliant::analyse::{Conditions, Input, JointCondition, OperatingPoint, Output};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Ways};
use pliant::dynamics::kinematics::Axes;
use pliant::nalgebra::{Complex, DVector, dmatrix};
use pliant::spatial::Pose;

/// A carriage along x on a spring, and a bar on a hinge of it that bends twice along y.
pub(super) fn crane() -> Arm {
    let beam = Beam::new(1.2, BAR, Basis::ClampedFree(Ways::new(2, 0, 0, 0)));
    let carriage = Link::new("carriage")
        .joint(Joint::prismatic([1.0, 0.0, 0.0]))
        .spring(&[300.0], &[0.0])
        .payload(2.0, [0.0; 3]);
    let bar = Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
    let bar = bar.section_frame("tip", 1.2, Pose::IDENTITY);
    Builder::new("crane").gravity([0.0; 3]).link(carriage).link(bar).build().expect("an arm")
}

#[test]
fn every_number_has_its_name_and_unit() {
    let arm = crane();
    let frame = arm.frame("tip").expect("a tip");
    let wrench = |component, axes| Input::Wrench { frame, component, axes };
    let inputs = [
        Input::Motor(0),
        Input::Motor(1),
        wrench(2, Axes::World),
        wrench(3, Axes::Own),
        wrench(1, Axes::Own),
    ];
    let outputs = [
        Output::Coordinate(0),
        Output::Rate(1),
        Output::Position { frame, axis: 0 },
        Output::Velocity { frame, axis: 1 },
        Output::SpecificForce { frame, axis: 2 },
        Output::Strain { link: 1, distance: 0.25, place: [0.01, 0.0] },
    ];
    let point = OperatingPoint::rest(&arm, &arm.neutral());
    let near =
        arm.linearise(&point, &Conditions::all(&arm, JointCondition::Free), &inputs, &outputs);
    let near = near.expect("a system");
    let said = [near.states, near.inputs, near.outputs].map(|all| {
        all.iter().map(|one| format!("{} [{}]", one.name, one.unit)).collect::<Vec<_>>().join(", ")
    });
    let states = "carriage [m], bar [rad], bar.y1 [m], bar.y2 [m], carriage.rate [m/s], \
                  bar.rate [rad/s], bar.y1.rate [m/s], bar.y2.rate [m/s]";
    let inputs = "carriage.force [N], bar.force [N m], tip.force.z [N], tip.own.moment.x [N m], \
                  tip.own.force.y [N]";
    let outputs = "carriage [m], bar.rate [rad/s], tip.position.x [m], tip.velocity.y [m/s], \
                   tip.specific-force.z [m/s^2], bar.strain(0.25, 0.01, 0) [1]";
    assert_eq!(said, [states, inputs, outputs]);
}

/// `k/m` pulls a carriage back that stands on its spring, and nothing one that is free.
#[test]
fn a_free_joint_has_no_spring() {
    let arm = crane();
    let point = OperatingPoint::rest(&arm, &arm.neutral());
    let pulls = |hold| {
        let conditions =
            Conditions { joints: vec![hold, JointCondition::Locked], ..Conditions::default() };
        let near = arm.linearise(&point, &conditions, &[], &[]).expect("a system");
        near.a[(near.a.nrows() / 2, 0)]
    };
    let mass = arm.mass_matrix(&point.q).expect("a mass matrix");
    // the bar hangs along x: its bending does not hold the carriage
    assert!((pulls(JointCondition::OnSpring) * mass[(0, 0)] / -300.0 - 1.0).abs() < 1e-12);
    assert_eq!(pulls(JointCondition::Free), 0.0);
}

/// The hinge is locked: it is no state, its output is at rest, and bending keeps its own columns.
#[test]
fn outputs_of_what_is_locked_are_at_rest() {
    let arm = crane();
    let point = OperatingPoint::rest(&arm, &arm.neutral());
    let conditions = Conditions {
        joints: vec![JointCondition::OnSpring, JointCondition::Locked],
        ..Default::default()
    };
    let outputs = [Output::Coordinate(1), Output::Coordinate(2), Output::Rate(3), Output::Rate(1)];
    let near = arm.linearise(&point, &conditions, &[], &outputs).expect("a system");
    let names: Vec<&str> = near.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names[..3], ["carriage", "bar.y1", "bar.y2"]);
    let row = |k: usize| near.c.row(k).iter().copied().collect::<Vec<f64>>();
    assert_eq!(row(0), [0.0; 6]);
    assert_eq!(row(1), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(row(2), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(row(3), [0.0; 6]);
}

/// `1/(s + 2)`, `3/(s + 5) + 7` and nothing from one input to the other's output.
#[test]
fn a_channel_is_an_entry_of_the_response() {
    let a = dmatrix![-2.0, 0.0; 0.0, -5.0];
    let whole = system(
        a,
        dmatrix![1.0, 0.0; 0.0, 3.0],
        dmatrix![1.0, 0.0; 0.0, 1.0],
        dmatrix![
            0.0, 0.0;
            0.5, 7.0
        ],
    );
    let omega = 4.0;
    let s = Complex::new(0.0, omega);
    let exact = [
        [Complex::from(1.0) / (s + 2.0), Complex::from(0.0)],
        [Complex::from(0.5), Complex::from(3.0) / (s + 5.0) + 7.0],
    ];
    let response = whole.response(omega);
    for output in 0..2 {
        for input in 0..2 {
            let one = whole.channel(input, output);
            let want = exact[output][input];
            assert!((response[(output, input)] - want).norm() < 1e-15, "{response}");
            assert!((one.response(omega)[0] - want).norm() < 1e-15, "{input} to {output}");
            assert_eq!(
                [&one.inputs[0], &one.outputs[0]],
                [&whole.inputs[input], &whole.outputs[output]]
            );
        }
    }
    let (x, u) = (DVector::from_vec(vec![1.0, 2.0]), DVector::from_vec(vec![10.0, 20.0]));
    assert_eq!(whole.rate(&x, &u).as_slice(), [-2.0 + 10.0, -10.0 + 60.0]);
}

#[test]
fn on_an_undamped_pole_the_response_is_infinite() {
    let swing = system(
        dmatrix![0.0, 1.0; -4.0, 0.0],
        dmatrix![0.0; 1.0],
        dmatrix![1.0, 0.0],
        dmatrix![0.0],
    );
    assert_eq!(swing.response(2.0)[0].re, f64::INFINITY);
    assert!((swing.response(1.0)[0].re - 1.0 / 3.0).abs() < 1e-15);
}

/// Zeros do not depend on the units of inputs and outputs, nor on how they are mixed.
#[test]
fn zeros_of_mixed_channels() {
    // (s + 2)/(s + 1) and 1/((s + 3)(s + 4)): one zero, at -2
    let a = dmatrix![-1.0, 0.0, 0.0; 0.0, 0.0, 1.0; 0.0, -12.0, -7.0];
    let (b, c) = (dmatrix![1.0, 0.0; 0.0, 0.0; 0.0, 1.0], dmatrix![1.0, 0.0, 0.0; 0.0, 1.0, 0.0]);
    let d = dmatrix![1.0, 0.0; 0.0, 0.0];
    for (left, right) in [
        (dmatrix![1.0, 0.0; 0.0, 1.0], dmatrix![1.0, 0.0; 0.0, 1.0]),
        (dmatrix![1e-6, 0.0; 0.0, 1e3], dmatrix![1e4, 0.0; 0.0, 1e-3]),
        (dmatrix![0.3, 0.7; 0.1, -0.9], dmatrix![0.2, 1.1; -0.6, 0.7]),
        (dmatrix![0.7, 0.1; 0.3, 1.3], dmatrix![0.1, 0.3; 0.9, 0.2]),
    ] {
        let mixed = system(a.clone(), &b * &right, &left * &c, &left * &d * &right);
        let zeros = mixed.zeros().expect("as many outputs as inputs");
        assert!(zeros.len() == 1 && (zeros[0] + 2.0).norm() < 1e-9, "{left} {right}: {zeros:?}");
    }
    // 1/(s + 1) + 1e-6, with a zero at -1e6 - 1
    let faint = system(dmatrix![-1.0], dmatrix![1.0], dmatrix![1.0], dmatrix![1e-6]);
    let zeros = faint.zeros().expect("one of each");
    assert!(zeros.len() == 1 && (zeros[0].re / -1_000_001.0 - 1.0).abs() < 1e-9, "{zeros:?}");
    // the same through an output in other units
    let scaled = system(dmatrix![-1.0], dmatrix![1.0], dmatrix![1e5], dmatrix![1e5]);
    let zeros = scaled.zeros().expect("one of each");
    assert!(zeros.len() == 1 && (zeros[0] + 2.0).norm() < 1e-12, "{zeros:?}");
}
