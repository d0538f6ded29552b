//! Frequencies of elastic joints: two masses on a spring.

use super::{hanging, two_links};
use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::{Actuator, Arm};

/// 1.25 kg m² behind the spring, 0.8 before it.
const LINK: f64 = 1.25;

fn drive(stiffness: f64) -> Actuator {
    // 100² · 8e-5 kg m²
    let stiffness = Some(stiffness);
    Actuator { rotor_inertia: 8e-5, gear: 100.0, stiffness, ..Actuator::default() }
}

fn frequencies(arm: &Arm, hold: JointCondition) -> Vec<f64> {
    let holds: Vec<JointCondition> = (0..arm.body_count())
        .map(|body| if arm.is_rotor(body) { hold } else { JointCondition::Locked })
        .collect();
    let conditions = Conditions { joints: holds, ..Conditions::default() };
    arm.modes_under(&arm.neutral(), &conditions).expect("modes").frequencies()
}

#[test]
fn a_locked_and_a_free_motor() {
    let motor = 0.8;
    for stiffness in [3.0, 2e4, 7e7] {
        let arm = hanging(LINK, 0.0, drive(stiffness));
        // whatever is said of the link: its motor is what can be locked
        for holds in [vec![], vec![JointCondition::Locked; 2]] {
            let conditions = Conditions { joints: holds, ..Conditions::default() };
            let modes = arm.modes_under(&arm.neutral(), &conditions).expect("modes");
            let want = (stiffness / LINK).sqrt();
            let [got] = modes.frequencies()[..] else { panic!("one frequency") };
            assert!((got / want - 1.0).abs() < 1e-10, "locked, {stiffness}: {got} {want}");
        }
        let want = (stiffness * (1.0 / LINK + 1.0 / motor)).sqrt();
        for conditions in [
            Conditions {
                joints: vec![JointCondition::Free, JointCondition::Locked],
                ..Conditions::default()
            },
            Conditions {
                joints: vec![JointCondition::Locked, JointCondition::Free],
                ..Conditions::default()
            },
        ] {
            let modes = arm.modes_under(&arm.neutral(), &conditions).expect("modes");
            let [rigid, got] = modes.frequencies()[..] else { panic!("two frequencies") };
            assert_eq!(rigid, 0.0, "both turn freely");
            assert!((got / want - 1.0).abs() < 1e-10, "free, {stiffness}: {got} {want}");
        }
    }
}

#[test]
fn a_pendulum_behind_a_spring() {
    // det [k + m g l − J_l ω², −k; −k, k − J_m ω²] = 0
    let (stiffness, gravity, motor) = (40.0, 9.81, 0.8);
    let weight = 2.0 * gravity * 0.3;
    let arm = hanging(LINK, gravity, drive(stiffness));
    let (a, b) = (LINK * motor, -(motor * (stiffness + weight) + LINK * stiffness));
    let c = stiffness * weight;
    let root = (b * b - 4.0 * a * c).sqrt();
    let want = [((-b - root) / (2.0 * a)).sqrt(), ((-b + root) / (2.0 * a)).sqrt()];
    for (got, want) in frequencies(&arm, JointCondition::Free).iter().zip(want) {
        assert!((got / want - 1.0).abs() < 1e-10, "{got} {want}");
    }
}

/// Stiffer and stiffer springs: half of `1/k` leaves half of the error.
#[test]
fn a_stiff_spring_tends_to_the_rigid_joint() {
    let rigid = two_links(Actuator { stiffness: None, ..drive(1.0) });
    let conditions = Conditions::all(&rigid, JointCondition::Free);
    let want = rigid.modes_under(&[0.0; 2], &conditions).expect("modes").frequencies();
    let errors = |stiffness: f64| {
        let got = frequencies(&two_links(drive(stiffness)), JointCondition::Free);
        [got[0] / want[0] - 1.0, got[1] / want[1] - 1.0]
    };
    for stiffness in [1e4, 1e5] {
        let (soft, stiff) = (errors(stiffness), errors(2.0 * stiffness));
        for (soft, stiff) in soft.into_iter().zip(stiff) {
            // the next term is of the order of 1/k by the stiffness of gravity, below 1e-3
            assert!(soft.abs() > 1e-7 && (soft / stiff - 2.0).abs() < 5e-3, "{soft:e} {stiff:e}");
        }
    }
}
