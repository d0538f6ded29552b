//! Which method is chosen, and in which words.

use super::arms::{double_pendulum, elements, flexible};
use pliant::arm::{Builder, Joint, Link};
use pliant::simulate::{IntegrationMethod, MethodDemand, natural_frequencies};

#[test]
fn frequencies_of_springs_are_known() {
    // two turning masses between ground and each other: ω² = (3 ± √5)/2 k/I
    let wheel = |name: &str| {
        let inertia = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
        Link::new(name)
            .joint(Joint::revolute([0.0, 0.0, 1.0]))
            .body(1.0, [0.0; 3], inertia)
            .spring(&[200.0], &[0.0])
    };
    let arm = Builder::new("wheels").link(wheel("a")).link(wheel("b")).build().expect("good");
    let frequencies = natural_frequencies(&arm, &[0.3, -0.2]).expect("good");
    for (frequency, sign) in frequencies.iter().zip([-1.0, 1.0]) {
        let wanted = (200.0 * (3.0 + sign * 5.0_f64.sqrt())).sqrt();
        assert!((frequency - wanted).abs() < 1e-10, "{frequency} {wanted}");
    }
    // a hinge without a spring, then the beam's
    let start = elements();
    let frequencies = natural_frequencies(&start.arm, &start.state[..17]).expect("good");
    assert!(frequencies[0] < 1e-2 && frequencies[1] > 100.0 && frequencies.len() == 17);
}

#[test]
fn the_choice_follows_the_highest_frequency() {
    let choose = |start: &super::arms::Start, tolerance| {
        let q = &start.state[..start.arm.nq()];
        let demand = MethodDemand::of(&start.arm, q, 1.0, tolerance);
        demand.expect("good").choose()
    };
    let few = choose(&flexible(), 1e-6);
    assert_eq!(few.method, IntegrationMethod::Dop853 { tolerance: 1e-6 }, "{}", few.reason);
    let rigid = choose(&double_pendulum(), 1e-6);
    assert!(rigid.reason.contains("neither springs nor flexible links"), "{}", rigid.reason);
    assert!(few.reason.contains("the tolerance of 1e-6 needs steps of"), "{}", few.reason);
    let rough = demand().choose();
    assert!(
        matches!(rough.method, IntegrationMethod::GeneralisedAlpha { step, .. } if step > 1e-3),
        "{rough:?}"
    );
    assert!(
        rough
            .reason
            .contains("1.000e6 rad/s, limits explicit steps to 3.0e-6 s, 333334 steps in all")
            && rough.reason.contains("generalised-alpha resolves 1.000e1 rad/s to 1e-3 in "),
        "{}",
        rough.reason
    );
    let fine = MethodDemand { tolerance: 1e-9, ..demand() }.choose();
    assert_eq!(fine.method, IntegrationMethod::Radau5 { tolerance: 1e-9 }, "{}", fine.reason);
    let bound = MethodDemand { highest: 100.0, ..demand() }.choose();
    assert_eq!(bound.method, IntegrationMethod::Dop853 { tolerance: 1e-3 }, "{}", bound.reason);
    // where every step must be short, implicit ones gain nothing
    let ticking = MethodDemand { landing: 1e-6, ..demand() }.choose();
    assert_eq!(ticking.method, IntegrationMethod::Dop853 { tolerance: 1e-3 }, "{}", ticking.reason);
    assert!(ticking.reason.contains("controllers limit steps to 1.0e-6 s"), "{}", ticking.reason);
}

fn demand() -> MethodDemand {
    let (freedoms, landing) = (17, f64::INFINITY);
    MethodDemand { highest: 1e6, followed: 10.0, freedoms, duration: 1.0, tolerance: 1e-3, landing }
}
