//! Simulated drives.

use super::{Z, hanging, two_links};
use pliant::Help;
use pliant::arm::{Actuator, Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::integrate::{Dop853, GeneralisedAlpha};
use pliant::simulate::{Diagram, DiagramError, Motor, Rows, Selection, Signal, Summary, run};

fn finish(scenario: &mut Diagram, tolerance: f64) -> (Summary, Rows) {
    let mut rows = Rows::new();
    let summary = run(scenario, Dop853::new(tolerance), &mut rows, &mut ());
    (summary.expect("a good scenario"), rows)
}

fn swinging(velocity: usize, amplitude: f64) -> Motor {
    let signal = Signal::Sine { amplitude, frequency_hz: 0.8, phase: 0.3, offset: 1.0, start: 0.0 };
    Motor { velocity, signal }
}

fn column(rows: &Rows, name: &str) -> Vec<f64> {
    rows.column(name).unwrap_or_else(|| panic!("no channel {name}"))
}

#[test]
fn energy_balances_with_friction_gear_spring_and_limits() {
    let arm = two_links(Actuator {
        force: 4.0,
        speed: 1.5,
        rotor_inertia: 2e-5,
        gear: 50.0,
        stiffness: Some(300.0),
        damping: 0.5,
        viscous: 0.1,
        coulomb: 0.4,
        coulomb_speed: 0.05,
    });
    let mut scenario = Diagram::new(&arm, 4.0, 0.01);
    scenario.selection = Selection::new(["*"]);
    scenario.motors = vec![swinging(2, 8.0), swinging(3, 3.0)];
    let (summary, rows) = finish(&mut scenario, 1e-11);
    let work = |name: &str| column(&rows, name).last().copied().expect("rows");
    assert!(work("work.dampers") < -1.0 && work("work.motors") > 1.0);
    assert!(column(&rows, "energy.elastic").iter().any(|&stored| stored > 1e-3));
    let forces = column(&rows, "upper.motor.force");
    let (at_limit, most) = (
        forces.iter().filter(|force| force.abs() == 4.0).count(),
        forces.iter().fold(0.0_f64, |most, force| most.max(force.abs())),
    );
    assert!(at_limit > 20 && most == 4.0, "{at_limit} rows, {most} N m");
    assert!(
        summary.energy_drift.expect("a balance").relative.expect("it moves") < 1e-9,
        "{:?}",
        summary.energy_drift
    );
    // an implicit method sees the same forces and slopes; its error is that of its step
    let mut rows = Rows::new();
    let method = GeneralisedAlpha::new(5e-4).spectral_radius(0.9);
    let implicit = run(&mut scenario, method, &mut rows, &mut ()).expect("a good scenario");
    for (one, other) in implicit.q.iter().zip(&summary.q) {
        assert!((one - other).abs() < 2e-4, "{one} {other}");
    }
}

#[test]
fn a_motor_stops_driving_beyond_its_speed() {
    let drive = Actuator { speed: 2.0, ..Actuator::default() };
    let arm = hanging(1.0, 0.0, drive);
    let mut scenario = Diagram::new(&arm, 5.0, 0.01);
    scenario.selection = Selection::new(["*"]);
    scenario.motors.push(Motor { velocity: 0, signal: Signal::Constant(10.0) });
    let (summary, rows) = finish(&mut scenario, 1e-10);
    // full force up to 2 rad/s, reached after 0.2 s, none at a tenth beyond
    let speeds = column(&rows, "link.rate");
    assert!((speeds[15] - 1.5).abs() < 1e-9, "{}", speeds[15]);
    assert!(summary.u[0] > 2.19 && summary.u[0] <= 2.2, "{}", summary.u[0]);
    assert!(
        summary.energy_drift.expect("a balance").relative.expect("it moves") < 1e-9,
        "{:?}",
        summary.energy_drift
    );
    // it still brakes as it likes
    scenario.u[0] = 5.0;
    scenario.motors[0].signal = Signal::Constant(-10.0);
    scenario.duration = 0.25;
    let (summary, _) = finish(&mut scenario, 1e-10);
    assert!((summary.u[0] - 2.5).abs() < 1e-9, "{}", summary.u[0]);
}

/// `u' = −c/J` until it stops, then it stays: Coulomb's friction.
#[test]
fn dry_friction_stops_a_wheel() {
    let (coulomb, speed) = (0.5, 1e-3);
    let drive = Actuator { coulomb, coulomb_speed: speed, ..Actuator::default() };
    let arm = hanging(1.0, 0.0, drive);
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    scenario.u[0] = 1.0;
    let (summary, _) = finish(&mut scenario, 1e-10);
    // √(u² + s²) + s ln(…) is what falls evenly; the difference to u is of the order of s² / u
    assert!((summary.u[0] - 0.5).abs() < 2.0 * speed * speed, "{}", summary.u[0]);
    scenario.duration = 3.0;
    let (summary, _) = finish(&mut scenario, 1e-10);
    assert!(summary.u[0].abs() < 1e-9, "{}", summary.u[0]);
    assert!(
        summary.energy_drift.expect("a balance").relative.expect("it moves") < 1e-9,
        "{:?}",
        summary.energy_drift
    );
}

/// With the fast vibration damped away, the link of a driven elastic joint is of the order of
/// `1/k` from that of a rigid one.
#[test]
fn motion_tends_to_that_of_rigid_joints() {
    let drive = |stiffness: Option<f64>| Actuator {
        rotor_inertia: 2e-5,
        gear: 50.0,
        damping: stiffness.map_or(0.0, |k: f64| 0.3 * k.sqrt()),
        stiffness,
        ..Actuator::default()
    };
    let end = |arm: &Arm| {
        let mut scenario = Diagram::new(arm, 1.5, 0.1);
        let first = arm.motor_of(0);
        scenario.motors = vec![swinging(first, 6.0)];
        // the springs carry what they must from the start
        finish(&mut scenario, 1e-11).0.q
    };
    let rigid = end(&two_links(drive(None)));
    let error = |stiffness: f64| {
        let elastic = end(&two_links(drive(Some(stiffness))));
        (elastic[0] - rigid[0]).hypot(elastic[1] - rigid[1])
    };
    let errors = [2e4, 4e4, 8e4].map(error);
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((ratio - 2.0).abs() < 0.1, "{errors:?}");
    }
}

#[test]
fn motors_are_where_motors_can_be() {
    let spring = Actuator { rotor_inertia: 1e-3, stiffness: Some(10.0), ..Actuator::default() };
    let arm = two_links(spring);
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    scenario.motors.push(swinging(1, 1.0));
    let error = scenario.check().expect_err("it is the link's side").with_help();
    assert!(error.contains("fore ") && error.contains(".motor"), "{error}");

    let section = Section {
        ea: 1e6,
        ei_z: 10.0,
        ei_y: 10.0,
        gj: 10.0,
        kga_y: None,
        kga_z: None,
        rho_a: 1.0,
        rho_i_z: 1e-4,
        rho_i_y: 1e-4,
    };
    let pieces =
        Basis::Pieces { pieces: 3, ways: Ways::new(true, false, false, false), pinned: false };
    for (basis, name) in
        [(Basis::ClampedFree(Ways::new(1, 0, 0, 0)), "boom.y1"), (pieces, "boom.h1")]
    {
        let boom = Link::new("boom").joint(Joint::revolute(Z));
        let arm = Builder::new("boom").link(boom.beam(Beam::new(1.0, section, basis)));
        let arm = arm.build().expect("a good arm");
        let mut scenario = Diagram::new(&arm, 1.0, 0.1);
        let velocity = scenario.velocity(name).expect(name);
        scenario.motors.push(swinging(velocity, 1.0));
        let error = scenario.check().expect_err("no motor bends a link");
        let DiagramError::NoMotor { coordinate, .. } = &error else { panic!("{error}") };
        assert_eq!(coordinate, name);
    }
}
