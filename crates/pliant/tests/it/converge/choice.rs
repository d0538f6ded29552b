//! What is foreseen of the steps of a run, and in which words.

use super::arms::{double_pendulum, elements, flexible};
use pliant::arm::{Builder, Joint, Link};
use pliant::simulate::{MethodDemand, natural_frequencies};

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
fn the_forecast_tells_what_bounds_the_steps() {
    let forecast = |start: &super::arms::Start, tolerance| {
        let q = &start.state[..start.arm.nq()];
        MethodDemand::of(&start.arm, q, 1.0, tolerance).expect("good").forecast()
    };
    let rigid = forecast(&double_pendulum(), 1e-6);
    assert!(rigid.contains("neither springs nor flexible links"), "{rigid}");
    let few = forecast(&flexible(), 1e-6);
    assert!(few.contains("the tolerance of 1e-6 needs steps of"), "{few}");
    let landing = f64::INFINITY;
    let stiff =
        MethodDemand { highest: 1e6, followed: 10.0, duration: 1.0, tolerance: 1e-3, landing };
    let bound = stiff.forecast();
    assert!(
        bound.contains("1.000e6 rad/s, limits explicit steps to 3.0e-6 s, 333334 in all")
            && bound.contains("at least 18 to resolve 1.000e1 rad/s to 1e-3"),
        "{bound}"
    );
    // where every step must be short, implicit ones gain nothing
    let ticking = MethodDemand { landing: 1e-6, ..stiff }.forecast();
    assert!(ticking.contains("controllers limit steps to 1.0e-6 s"), "{ticking}");
}
