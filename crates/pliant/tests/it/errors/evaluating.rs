//! Numbers that a call cannot take.

use super::boom;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::dynamics::EvaluationError;
use pliant::dynamics::kinematics::{self, Axes};
use pliant::dynamics::{aba, composite, coriolis, crba, loads, passive, rnea, terms};
use pliant::reproduce::Algorithm;
use pliant::spatial::Pose;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A mast that turns, a ball joint, a slide.
fn crane() -> Arm {
    Builder::new("crane")
        .link(boom())
        .link(Link::new("ball").joint(Joint::Spherical).payload(1.0, [0.2, 0.1, 0.3]).body(
            1.0,
            [0.3, 0.0, 0.0],
            [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
        ))
        .link(Link::new("slide").joint(Joint::prismatic([1.0, 0.0, 0.0])).payload(2.0, [0.0; 3]))
        .build()
        .expect("no faults")
}

#[test]
fn vectors_of_the_wrong_length() {
    let arm = crane();
    let q = arm.neutral();
    let (u, short) = ([0.0; 5], [0.0; 4]);
    for (error, what, given, needed) in [
        (arm.mass_matrix(&short).unwrap_err(), "q", 4, 6),
        (arm.coriolis(&q, &short).unwrap_err(), "u", 4, 5),
        (arm.damping_forces(&q, &short).unwrap_err(), "u", 4, 5),
        (arm.inverse_dynamics(&q, &u, &short).unwrap_err(), "u̇", 4, 5),
        (arm.forward_dynamics(&q, &u, &short).unwrap_err(), "τ", 4, 5),
        (arm.energies(&short, &u).unwrap_err(), "q", 4, 6),
        (arm.momenta(&q, &short).unwrap_err(), "u", 4, 5),
        (arm.forward_derivatives(&q, &u, &u, &short).unwrap_err(), "u̇", 4, 5),
        (arm.inverse_derivatives(&q, &short, &u).unwrap_err(), "u", 4, 5),
    ] {
        let text = error.to_string();
        let want = EvaluationError::WrongLength { what, given, needed };
        assert_eq!(error, want);
        assert_eq!(text, format!("{what} has {given} numbers, this arm needs {needed}"));
    }
}

#[test]
fn every_call_looks_at_its_configuration() {
    let arm = crane();
    let u = [0.0; 5];
    let mut infinite = arm.neutral();
    infinite[5] = f64::INFINITY;
    for q in [&[0.0; 4][..], &infinite] {
        let found = [
            arm.mass_matrix(q).err(),
            arm.inverse_dynamics(q, &u, &u).err(),
            arm.forward_dynamics(q, &u, &u).err(),
            arm.hybrid_dynamics(q, &u, &u, &u).err(),
            arm.bias(q, &u).err(),
            arm.coriolis(q, &u).err(),
            arm.gravity_forces(q).err(),
            arm.elastic_forces(q).err(),
            arm.damping_forces(q, &u).err(),
            arm.energies(q, &u).err(),
            arm.momenta(q, &u).err(),
            arm.forward_derivatives(q, &u, &u, &u).err(),
            arm.inverse_derivatives(q, &u, &u).err(),
            arm.load_forces(q, &[]).err(),
            arm.coriolis_matrix(q, &u).err(),
            arm.twist(q, &u, "slide", Axes::World).err(),
            arm.pose(q, "slide").err(),
            arm.jacobian(q, "slide", Axes::World).err(),
            arm.power(q, &u, &u, &u).err(),
        ];
        let expected = arm.check_configuration(q).err();
        assert!(expected.is_some());
        for (call, found) in found.into_iter().enumerate() {
            assert_eq!(found, expected, "call {call}");
        }
    }
}

#[test]
fn states_that_are_none() {
    let arm = crane();
    let (q, u) = (arm.neutral(), [0.0; 5]);
    let mut bad = q.clone();
    bad[5] = f64::INFINITY;
    let text = arm.gravity_forces(&bad).unwrap_err().to_string();
    assert!(text.contains("q of \"slide\"") && text.contains("inf"), "{text}");
    let mut bad = u;
    bad[3] = f64::NAN;
    for (error, what) in [
        (arm.bias(&q, &bad).unwrap_err(), "u of"),
        (arm.forward_dynamics(&q, &u, &bad).unwrap_err(), "τ of"),
        (arm.inverse_dynamics(&q, &u, &bad).unwrap_err(), "u̇ of"),
    ] {
        let text = error.to_string();
        assert!(text.contains(what), "{text}");
        assert!(text.contains("\"ball.turn_z\"") && text.contains("NaN"), "{text}");
    }
    let mut bad = q.clone();
    bad[1..5].copy_from_slice(&[3.0, 0.0, 4.0, 0.0]);
    let text = arm.pose(&bad, "slide").unwrap_err().to_string();
    assert!(text.contains("\"ball\"") && text.contains("length 5, should be 1"), "{text}");
    let text = arm.pose(&q, "hook").unwrap_err().to_string();
    assert_eq!(text, "no frame named \"hook\"");
    let text = arm.jacobian(&q, "hook", Axes::World).unwrap_err().to_string();
    assert!(text.contains("hook"), "{text}");
}

#[test]
fn mass_matrices_that_are_singular() {
    let tip = |link: Link| {
        let tip = link.joint(Joint::revolute([1.0, 2.0, 3.0])).placed(Pose::at(0.5, 0.0, 0.0));
        Builder::new("idle").link(boom()).link(tip).build().expect("allowed")
    };
    let idle = tip(Link::new("tip"));
    let rest = [0.0; 2];
    for algorithm in [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated] {
        let error = algorithm.hybrid_dynamics(&idle, &rest, &rest, &rest, &rest).unwrap_err();
        let coordinate = "tip".to_owned();
        let text = error.to_string();
        assert_eq!(error, EvaluationError::SingularMassMatrix { coordinate }.into());
        assert!(text.contains("\"tip\" can accelerate without force"), "{text}");
    }
    assert!(idle.forward_derivatives(&rest, &rest, &rest, &rest).is_err());
    // what is never asked to accelerate freely may be massless
    let led = tip(Link::new("tip").prescribed());
    let (force, acceleration) =
        led.hybrid_dynamics(&rest, &rest, &rest, &[0.0, 2.0]).expect("the tip is led");
    assert!(force.iter().chain(&acceleration).all(|x| x.is_finite()));
    assert!(tip(Link::new("tip").armature(&[0.1])).forward_dynamics(&rest, &rest, &rest).is_ok());

    // two joints on one axis with nothing between them
    let axis = [0.3, -0.4, 0.5];
    let twice = Builder::new("twice")
        .link(Link::new("inner").joint(Joint::revolute(axis)))
        .link(boom().joint(Joint::revolute(axis)))
        .build()
        .expect("allowed");
    let error = twice.forward_dynamics(&[0.3, 0.4], &rest, &rest).unwrap_err();
    assert!(error.to_string().contains("\"boom\""), "{error}");
}

/// The `_into` calls have one panic, and it says what is wrong.
#[test]
fn slices_of_the_wrong_length() {
    let arm = &Builder::new("one").link(boom()).build().expect("no faults");
    let (one, two) = ([0.0], [0.0, 0.0]);
    let mut places = kinematics::Workspace::new(arm);
    let placed = &places.place(arm, &one);
    let calls: [(&str, &dyn Fn()); 9] = [
        ("rnea", &|| {
            let mut work = rnea::Workspace::new(arm);
            rnea::rnea_into(arm, &mut work, &one, &two, &one, &mut [0.0]);
        }),
        ("crba", &|| {
            crba::crba_into(arm, &mut crba::Workspace::new(arm), &one, &mut [0.0; 2]);
        }),
        ("aba", &|| {
            let mut work = aba::Workspace::new(arm);
            aba::aba_into(arm, &mut work, &two, &one, &mut [0.0], &mut [0.0]);
        }),
        ("composite", &|| {
            let mut work = composite::Workspace::new(arm);
            composite::composite_into(arm, &mut work, &one, &one, &mut [0.0; 2], &mut [0.0]);
        }),
        ("C", &|| {
            let mut work = coriolis::Workspace::new(arm);
            coriolis::coriolis_matrix_into(arm, &mut work, &one, &one, &mut [0.0; 2]);
        }),
        ("elastic", &|| {
            terms::elastic_into(arm, &mut passive::Workspace::new(arm), &one, &mut [0.0; 2]);
        }),
        ("damping", &|| {
            terms::damping_into(arm, &mut passive::Workspace::new(arm), &one, &two, &mut [0.0; 2]);
        }),
        ("Jacobian", &|| {
            placed.jacobian_into(0, Axes::World, &mut [0.0; 7]);
        }),
        ("loads", &|| loads::add_loads(placed, &[], &mut [0.0; 2])),
    ];
    for (name, call) in calls {
        let panic = catch_unwind(AssertUnwindSafe(call)).expect_err(name);
        let text = panic.downcast_ref::<String>().expect("it says why");
        assert!(text.contains("entries"), "{name}: {text}");
    }
}

#[test]
fn an_arm_of_nothing_has_nothing() {
    let arm = Builder::new("nothing").build().expect("nothing is wrong with it");
    let none: [f64; 0] = [];
    assert_eq!(arm.mass_matrix(&none).expect("empty").len(), 0);
    assert_eq!(arm.forward_dynamics(&none, &none, &none).expect("empty").len(), 0);
    assert_eq!(arm.energies(&none, &none).expect("empty").total(), 0.0);
}
