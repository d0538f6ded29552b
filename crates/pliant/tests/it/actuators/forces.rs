//! What actuators add to the forces of a bare arm, written out by hand.

use crate::calls;
use crate::models::{Model, driven};
use pliant::Help;
use pliant::arm::{Actuator, Arm, BuildError, Builder, Joint, Link};
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation, Unsupported};

/// The same arm without actuators and armature, and what those add to its forces and to those of
/// the motors behind springs.
fn by_hand(model: &Model) -> Vec<f64> {
    let Model { description, q, u, ud, .. } = model;
    let mut bare = description.clone();
    for link in &mut bare.links {
        link.actuator = None;
        link.armature.clear();
    }
    let bare = bare.arm();
    let (nq, nv) = (bare.nq(), bare.nv());
    let mut forces = calls::rnea(&bare, &q[..nq], &u[..nv], &ud[..nv]);
    let mut motors = Vec::new();
    for (body, link) in description.links.iter().enumerate() {
        let at = bare.link_names().iter().position(|name| *name == link.name).expect("the link");
        assert!(at >= body);
        let (i, v) = (bare.configuration_of(at).start, bare.velocities_of(at).start);
        let armature = link.armature.first().copied().unwrap_or(0.0);
        let Some(actuator) = link.actuator else {
            for (k, armature) in link.armature.iter().enumerate() {
                forces[v + k] += armature * ud[v + k];
            }
            continue;
        };
        let inertia = armature + actuator.gear.powi(2) * actuator.rotor_inertia;
        let drive = |u: f64, ud: f64| {
            let dry = actuator.coulomb * u / u.hypot(actuator.coulomb_speed);
            inertia * ud + actuator.viscous * u + dry
        };
        if let Some(stiffness) = actuator.stiffness {
            let (motor_q, motor_v) = (nq + motors.len(), nv + motors.len());
            let pull = stiffness * (q[i] - q[motor_q]) + actuator.damping * (u[v] - u[motor_v]);
            forces[v] += pull;
            motors.push(drive(u[motor_v], ud[motor_v]) - pull);
        } else {
            forces[v] += drive(u[v], ud[v]);
        }
    }
    forces.extend(motors);
    forces
}

#[test]
fn inverse_dynamics() {
    let mut elastic = 0;
    for model in driven() {
        let Model { arm, q, u, ud, .. } = &model;
        elastic += (0..arm.body_count()).filter(|&body| arm.is_rotor(body)).count();
        assert_close!(
            model,
            calls::rnea(arm, q, u, ud),
            by_hand(&model),
            rel = 1e-13,
            "the same sums in another order"
        );
    }
    assert!(elastic > 15, "{elastic} elastic joints");
}

#[test]
fn motors_behind_springs_are_apart_in_the_mass_matrix() {
    for model in driven() {
        let Model { arm, q, .. } = &model;
        let (n, mass) = (arm.nv(), calls::crba(arm, q));
        for rotor in (0..arm.body_count()).filter(|&body| arm.is_rotor(body)) {
            let v = arm.velocities_of(rotor).start;
            for column in 0..n {
                let want = if column == v { arm.armature()[v] } else { 0.0 };
                assert_eq!(mass[v * n + column], want, "{model}: motor {v}, {column}");
            }
        }
    }
}

#[test]
fn names_and_sides() {
    let spring = Actuator { rotor_inertia: 1e-3, stiffness: Some(10.0), ..Actuator::default() };
    let arm = super::two_links(spring);
    assert_eq!(arm.velocity_names(), ["upper", "fore", "upper.motor", "fore.motor"]);
    assert_eq!([0, 1, 2, 3].map(|v| arm.motor_of(v)), [2, 3, 2, 3]);
    assert_eq!([0, 1, 2, 3].map(|body| arm.is_rotor(body)), [false, false, true, true]);
    assert_eq!((arm.rotor_of(1), arm.link_of_rotor(3), arm.rotor_of(3)), (Some(3), Some(1), None));
    let named = Link::new("link").joint(Joint::revolute(super::Z)).joint_name("elbow");
    let arm = built(named.payload(1.0, [1.0, 0.0, 0.0]).prescribed().actuator(spring));
    assert_eq!(arm.configuration_names(), ["elbow", "elbow.motor"]);
    // who prescribes an elastic joint moves its motor
    assert_eq!(arm.free_velocities(), [0]);
    assert!(arm.frame("link").is_ok() && arm.frame("link.motor").is_err());
}

const CHAINS: [Algorithm; 2] =
    [Algorithm::GibbsAppell(Rotation::Exact), Algorithm::Recurrence(Evaluation::InTurn)];

#[test]
fn algorithms_of_chains_refuse_springs_in_joints() {
    let spring = Actuator { rotor_inertia: 1e-3, stiffness: Some(10.0), ..Actuator::default() };
    let arm = super::two_links(spring);
    for algorithm in CHAINS {
        let lack = algorithm.check(&arm).expect_err("it is elastic");
        assert_eq!(lack, Unsupported::ElasticJoint { link: "upper".into() });
    }
    // friction and gears they take
    let arm =
        super::two_links(Actuator { stiffness: None, coulomb: 2.0, coulomb_speed: 0.1, ..spring });
    let (q, u, ud) = ([0.3, -0.4], [0.7, -0.2], [1.0, 2.0]);
    let want = calls::rnea(&arm, &q, &u, &ud);
    for algorithm in CHAINS {
        let tau = algorithm.inverse_dynamics(&arm, &q, &u, &ud).expect("it can");
        assert_close!(
            "two links",
            tau.as_slice(),
            want,
            rel = 1e-13,
            "two algorithms, {}",
            algorithm.name()
        );
    }
}

fn built(link: Link) -> Arm {
    Builder::new("one").link(link).build().unwrap_or_else(|faults| panic!("{faults}"))
}

fn refused(link: Link) -> BuildError {
    Builder::new("one").link(link).build().expect_err("it must be refused")
}

#[test]
fn what_cannot_be_is_refused() {
    let boom = || Link::new("boom").joint(Joint::revolute(super::Z)).payload(1.0, [1.0, 0.0, 0.0]);
    let good = Actuator { rotor_inertia: 1e-3, stiffness: Some(10.0), ..Actuator::default() };
    let nothing = Actuator::default();
    for (actuator, words) in [
        (Actuator { force: 0.0, ..good }, ["force", "more than zero"]),
        (Actuator { speed: -1.0, ..good }, ["speed", "more than zero"]),
        (Actuator { speed: f64::NAN, ..good }, ["speed", "NaN"]),
        (Actuator { gear: 0.0, ..good }, ["gear", "more than zero"]),
        (Actuator { gear: f64::INFINITY, ..good }, ["gear", "inf"]),
        (Actuator { stiffness: Some(0.0), ..good }, ["stiffness", "more than zero"]),
        (Actuator { damping: -2.0, ..good }, ["damping", "-2"]),
        (Actuator { viscous: -2.0, ..good }, ["viscous", "-2"]),
        (Actuator { rotor_inertia: -2.0, ..good }, ["rotor_inertia", "-2"]),
        (Actuator { coulomb: 1.0, ..good }, ["coulomb_speed", "more than zero"]),
        (Actuator { coulomb: -1.0, ..good }, ["coulomb", "-1"]),
        (Actuator { rotor_inertia: 0.0, ..good }, ["elastic", "rotor_inertia"]),
        (Actuator { damping: 1.0, ..nothing }, ["damper", "stiffness"]),
    ] {
        let message = refused(boom().actuator(actuator)).with_help();
        assert!(words.iter().all(|word| message.contains(word)), "{message}: {words:?}");
    }
    let ball = refused(Link::new("ball").joint(Joint::Spherical).actuator(good)).to_string();
    assert!(ball.contains("spherical") && ball.contains("one coordinate"), "{ball}");
    built(boom().actuator(Actuator { rotor_inertia: 0.0, ..good }).armature(&[0.1]));
    built(boom().actuator(Actuator { rotor_inertia: 0.0, ..good }).prescribed());
}
