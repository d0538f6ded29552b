//! Prescribed motions: those that a joint can follow balance, the others are refused or end the run.

use super::runs::expression;
use pliant::Help;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::simulate::{
    Diagram, DiagramError, IntegrationMethod, Interpolation, Jet, JumpCause, PrescribedMotion,
    PrescribedQuantity, Reason, Rows, Selection, Signal, SignalFunction, Summary, Table,
};
use pliant::spatial::Pose;

/// A mass of 2 kg at 1 m on a prescribed hub, without gravity: 2 kg m².
fn hub() -> Arm {
    let joint = Joint::revolute([0.0, 0.0, 1.0]);
    Builder::new("hub")
        .gravity([0.0; 3])
        .link(Link::new("hub").joint(joint).prescribed().payload(2.0, [1.0, 0.0, 0.0]))
        .build()
        .expect("a good arm")
}

/// A hub that is told to move, and a pendulum on it.
fn on_hub() -> Arm {
    let turn = || Joint::revolute([0.0, 0.0, 1.0]);
    Builder::new("on hub")
        .gravity([0.0, -9.81, 0.0])
        .link(Link::new("hub").joint(turn()).prescribed().payload(1.0, [1.0, 0.0, 0.0]))
        .link(
            Link::new("bob")
                .placed(Pose::at(1.0, 0.0, 0.0))
                .joint(turn())
                .payload(1.0, [0.5, 0.0, 0.0]),
        )
        .build()
        .expect("a good arm")
}

fn told(arm: &Arm, signal: Signal, given: PrescribedQuantity) -> Diagram {
    let mut diagram = Diagram::new(arm, 2.0, 0.1);
    diagram.selection = Selection::new(["coordinates", "energies", "forces"]);
    diagram.prescribed.push(PrescribedMotion { velocity: 0, given, signal });
    diagram
}

fn finish(diagram: &mut Diagram) -> (Summary, Rows) {
    let mut rows = Rows::new();
    let summary = diagram.run(&mut rows, &mut ()).expect("it can be run");
    (summary, rows)
}

/// `τ = J q̈` is 0, then `2 J`: steps of constant acceleration are exact, if none crosses the corner.
/// The work is `½ J q̇²`.
#[test]
fn steps_land_on_the_corners_of_expressions() {
    let arm = hub();
    for text in ["max(0, t - 0.7)^2", "step(t - 0.7) * (t - 0.7)^2"] {
        let mut diagram = told(&arm, expression(text), PrescribedQuantity::Position);
        diagram.method = IntegrationMethod::Rk4 { step: 0.3 };
        let (_, rows) = finish(&mut diagram);
        let work = rows.column("work.motors").expect("recorded");
        let force = rows.column("hub.force").expect("recorded");
        for (i, t) in rows.times.iter().enumerate() {
            let rate = 2.0 * (t - 0.7).max(0.0);
            assert!((work[i] - rate * rate).abs() < 1e-12, "{text}: {} at {t}", work[i]);
            let acceleration = if *t < 0.69 { 0.0 } else { 2.0 };
            let is_corner = (t - 0.7).abs() < 1e-9;
            assert!(is_corner || (force[i] - 2.0 * acceleration).abs() < 1e-12, "{text} at {t}");
        }
    }
}

#[test]
fn motions_that_a_joint_can_follow_balance_energy() {
    let arm = on_hub();
    let table = (0..=20).map(|i| 0.1 * f64::from(i));
    let values = table.clone().map(|t: f64| (3.0 * t).sin()).collect();
    let table = Table::new(table.collect(), values, Interpolation::Cubic).expect("a table");
    for signal in [
        expression("3 * min(max(t - 0.5, 0), 1)^2 - 2 * min(max(t - 0.5, 0), 1)^3"),
        expression("sin(3 * t) / (2 + cos(t))"),
        expression("sign(t - 1.1) * (t - 1.1)^2"),
        table.into(),
    ] {
        let (summary, _) = finish(&mut told(&arm, signal.clone(), PrescribedQuantity::Position));
        let drift = summary.energy_drift.and_then(|drift| drift.relative).expect("a balance");
        assert!(drift < 1e-8, "{signal:?}: {drift}");
    }
}

/// What would need an infinite force is refused, whatever the signal gives.
#[test]
fn jumps_and_poles_are_refused() {
    use PrescribedQuantity::{Acceleration, Position, Rate};
    let arm = on_hub();
    let refused = |text: &str, given| told(&arm, expression(text), given).check().err();
    let jump = |time, what, by, unit| {
        let (coordinate, cause) = ("hub".into(), JumpCause::Signal);
        Some(DiagramError::Jump { coordinate, time, what, by, unit, cause })
    };
    assert_eq!(refused("abs(t - 1)", Position), jump(1.0, "rate", 2.0, "rad/s"));
    assert_eq!(refused("sign(t - 1)", Position), jump(1.0, "position", 2.0, "rad"));
    assert_eq!(refused("step(t - 1)", Rate), jump(1.0, "rate", 1.0, "rad/s"));
    assert_eq!(refused("sign(t)", Position), jump(0.0, "position", 1.0, "rad"));
    assert_eq!(refused("abs(t - 1)", Rate), None);
    assert_eq!(refused("sign(t - 1)", Acceleration), None);
    for (text, given, quantity) in [
        ("1 / (t - 1)", Acceleration, "acceleration"),
        ("log(t - 1)", Rate, "rate"),
        ("t^0.5", Position, "rate"),
    ] {
        match refused(text, given) {
            Some(DiagramError::Unbounded { what, .. }) => assert_eq!(what, quantity, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// The rate that a motion begins with is no jump: 2 kg m² at 1 rad/s all along, and no work.
#[test]
fn a_corner_at_the_start_is_the_rate_of_the_start() {
    let arm = hub();
    for (text, given) in
        [("abs(t)", PrescribedQuantity::Position), ("sign(t)", PrescribedQuantity::Rate)]
    {
        let (summary, rows) = finish(&mut told(&arm, expression(text), given));
        for (name, value) in [("energy.kinetic", 1.0), ("work.motors", 0.0), ("hub.force", 0.0)] {
            let column = rows.column(name).expect("recorded");
            assert!(column.iter().all(|own| (own - value).abs() < 1e-12), "{text}: {column:?}");
        }
        assert!((summary.q[0] - 2.0).abs() < 1e-9, "{text}: {}", summary.q[0]);
    }
}

/// What is told to be changed is the table, where it is a table that jumps.
#[test]
fn tables_that_jump_are_mended_as_tables() {
    let refused = |times: &[f64], values: &[f64], interpolation| {
        let table = Table::new(times.to_vec(), values.to_vec(), interpolation).expect("a table");
        let more = Signal::Sum(vec![expression("sin(t)"), table.into()]);
        told(&on_hub(), more, PrescribedQuantity::Position).check()
    };
    for (times, values, interpolation, wanted) in [
        (&[0.0, 0.5, 1.0], &[0.0, 0.3, 0.7], Interpolation::Cubic, JumpCause::TableEnd),
        (&[0.5, 1.0, 2.0], &[0.0, 0.3, 0.7], Interpolation::Cubic, JumpCause::TableEnd),
        (&[0.0, 1.0, 2.0], &[0.0, 0.3, 0.4], Interpolation::Linear, JumpCause::TableCorner),
        (&[0.0, 1.0, 2.0], &[0.0, 0.3, 0.4], Interpolation::Hold, JumpCause::TableCorner),
    ] {
        match refused(times, values, interpolation) {
            Err(error @ DiagramError::Jump { cause, .. }) => {
                assert_eq!(cause, wanted, "{error}");
                let help = error.help().expect("a help");
                assert!(help.contains("table") && !help.contains("sine"), "{help}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A square wave that does not tell when it jumps.
#[derive(Debug)]
struct SquareWave;

impl SignalFunction for SquareWave {
    fn name(&self) -> &'static str {
        "square wave"
    }

    fn value(&self, t: f64, _is_before: bool) -> Result<f64, Box<dyn Help + Send + Sync>> {
        Ok(0.01 * (4096.0 * std::f64::consts::PI * t + 0.3).sin().signum())
    }

    fn jet(&self, t: f64, is_before: bool) -> Result<Jet, Box<dyn Help + Send + Sync>> {
        Ok(Jet { value: self.value(t, is_before)?, ..Jet::default() })
    }
}

#[test]
fn a_jump_that_was_not_seen_before_ends_the_run() {
    let arm = on_hub();
    for (given, quantity) in
        [(PrescribedQuantity::Position, "position"), (PrescribedQuantity::Rate, "rate")]
    {
        let mut diagram = told(&arm, Signal::function(SquareWave), given);
        diagram.check().expect("nothing is seen");
        let (summary, _) = finish(&mut diagram);
        let breakdown = summary.ending.breakdown.expect("it ends the run");
        assert_eq!(
            (breakdown.reason, breakdown.coordinate.as_deref()),
            (Reason::Jumps, Some("hub"))
        );
        let text = breakdown.to_string();
        assert!(text.contains(&format!("its {quantity} by ")), "{text}");
        assert!(text.contains("0.02 rad"), "{text}");
    }
}
