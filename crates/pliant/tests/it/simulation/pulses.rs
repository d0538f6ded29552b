//! Pulses of expressions that last shorter than the steps of a run: each has its whole effect.

use super::runs::expression;
use super::{rotor, slide};
use pliant::arm::{Builder, Joint, Link};
use pliant::dynamics::kinematics::Axes;
use pliant::simulate::{
    Diagram, DiagramError, ExternalLoad, IntegrationMethod, Motor, PrescribedMotion,
    PrescribedQuantity, Rows, Summary,
};
use pliant::spatial::{Force, Vec3};
use std::f64::consts::PI;

/// `∫ exp(-(t / w)²) dt`.
fn area(width: f64) -> f64 {
    width * PI.sqrt()
}

fn finish(diagram: &mut Diagram) -> Summary {
    diagram.run(&mut Rows::new(), &mut ()).expect("it can be run")
}

const METHODS: [IntegrationMethod; 4] = [
    IntegrationMethod::Auto { tolerance: 1e-9 },
    IntegrationMethod::Dop853 { tolerance: 1e-9 },
    IntegrationMethod::Radau5 { tolerance: 1e-9 },
    IntegrationMethod::Rk4 { step: 0.01 },
];

/// A rotor of 1 kg m² and a mass of 2 kg: `J Δu = ∫ τ dt`, `m Δv = ∫ f dt`.
#[test]
fn the_impulse_of_a_pulse_is_the_change_of_momentum() {
    for (text, impulse) in [
        ("50 * exp(-((t - 1.00013) / 1e-4)^2)", 50.0 * area(1e-4)),
        ("5e4 * exp(-((t - 1.00013) / 1e-7)^2)", 5e4 * area(1e-7)),
        ("50 * max(0, 1 - abs(t - 0.300013) / 1e-4)", 50.0 * 1e-4),
        ("50 * (step(t - 0.3) - step(t - 0.3001))", 50.0 * 1e-4),
        ("50 * max(0, 1 - ((t - 1.00013) / 1e-4)^2)", 50.0 * 1e-4 * 4.0 / 3.0),
        ("50 * exp(-((t - 0.5) / 1e-4)^2) + 0.05 * exp(-((t - 1.3) / 1e-4)^2)", 50.05 * area(1e-4)),
    ] {
        for method in METHODS {
            let arm = rotor(0.0);
            let mut diagram = Diagram::new(&arm, 2.0, 0.1);
            diagram.method = method;
            diagram.motors.push(Motor { velocity: 0, signal: expression(text) });
            let error = finish(&mut diagram).u[0] / impulse - 1.0;
            // without control of its error it makes 16 steps
            let is_fixed = matches!(method, IntegrationMethod::Rk4 { .. });
            let allowed = if is_fixed { 2e-5 } else { 1e-6 };
            assert!(error.abs() < allowed, "{text}, {method:?}: {error:e}");
        }
        let arm = slide();
        let mut diagram = Diagram::new(&arm, 2.0, 0.1);
        diagram.loads.push(ExternalLoad {
            frame: arm.frames().len() - 1,
            axes: Axes::World,
            wrench: Force::new(Vec3::new(0.0, 0.0, 1.0), Vec3::ZERO),
            signal: expression(text),
        });
        let momentum = 2.0 * (finish(&mut diagram).u[0] + 9.81 * 2.0);
        assert!((momentum - impulse).abs() < 1e-8, "{text}: {momentum} {impulse}");
    }
}

/// A joint that is told its acceleration has the area of the pulse as its rate afterwards.
#[test]
fn prescribed_accelerations_and_rates_reach_their_areas() {
    let turn = Joint::revolute([0.0, 0.0, 1.0]);
    let arm = Builder::new("hub")
        .gravity([0.0; 3])
        .link(Link::new("hub").joint(turn).prescribed().payload(2.0, [1.0, 0.0, 0.0]))
        .build()
        .expect("a good arm");
    for given in [PrescribedQuantity::Acceleration, PrescribedQuantity::Rate] {
        let mut diagram = Diagram::new(&arm, 2.0, 0.1);
        let signal = expression("300 * exp(-((t - 1.00013) / 1e-4)^2)");
        diagram.prescribed.push(PrescribedMotion { velocity: 0, given, signal });
        let summary = finish(&mut diagram);
        let reached = match given {
            PrescribedQuantity::Rate => summary.q[0],
            _ => summary.u[0],
        };
        let error = reached / (300.0 * area(1e-4)) - 1.0;
        assert!(error.abs() < 1e-6, "{given:?}: {error:e}");
    }
}

/// A mass on a spring whose foot makes a short move `x` and comes back: the spring gives the mass the
/// impulse `k ∫ x dt`, and it vibrates with `z = ω A w √π exp(-(ω w / 2)²) sin ω(t - t₀)`.
#[test]
fn a_short_move_of_its_foot_kicks_a_sprung_mass() {
    let (mass, omega, width, height, at): (f64, f64, f64, f64, f64) =
        (2.0, 20.0, 1e-4, 0.1, 1.00013);
    let along = || Joint::prismatic([1.0, 0.0, 0.0]);
    let spring = Link::new("mass").joint(along()).spring(&[mass * omega * omega], &[0.0]);
    let arm = Builder::new("sprung mass")
        .gravity([0.0; 3])
        .link(Link::new("foot").joint(along()).prescribed().payload(1.0, [0.0; 3]))
        .link(spring.payload(mass, [0.0; 3]))
        .build()
        .expect("a good arm");
    let mut diagram = Diagram::new(&arm, 2.0, 0.1);
    diagram.method = IntegrationMethod::Auto { tolerance: 1e-10 };
    let signal = expression("0.1 * exp(-((t - 1.00013) / 1e-4)^2)");
    let given = PrescribedQuantity::Position;
    diagram.prescribed.push(PrescribedMotion { velocity: 0, given, signal });
    let summary = finish(&mut diagram);
    let amplitude = omega * height * area(width) * (-(omega * width / 2.0).powi(2)).exp();
    let (sine, cosine) = (omega * (2.0 - at)).sin_cos();
    let near = |own: f64, want: f64| (own - want).abs() < 1e-5 * amplitude;
    assert!(near(summary.q[1], amplitude * sine), "{} {}", summary.q[1], amplitude * sine);
    assert!(near(summary.u[1] / omega, amplitude * cosine), "{}", summary.u[1]);
}

/// A square wave that has one period between two ends of the parts in which a run is looked at.
#[test]
fn jumps_between_the_samples_are_refused() {
    let turn = Joint::revolute([0.0, 0.0, 1.0]);
    let arm = Builder::new("hub")
        .link(Link::new("hub").joint(turn).prescribed().payload(2.0, [1.0, 0.0, 0.0]))
        .build()
        .expect("a good arm");
    let mut diagram = Diagram::new(&arm, 2.0, 0.1);
    let signal = expression("0.01 * sign(sin(4096 * pi * t + 0.3))");
    let given = PrescribedQuantity::Position;
    diagram.prescribed.push(PrescribedMotion { velocity: 0, given, signal });
    match diagram.check() {
        Err(DiagramError::Jump { time, by, .. }) => {
            let first = (PI - 0.3) / (4096.0 * PI);
            assert!((time - first).abs() < 1e-12 && (by + 0.02).abs() < 1e-12, "{by} at {time}");
        }
        other => panic!("{other:?}"),
    }
}
