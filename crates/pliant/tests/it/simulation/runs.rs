//! Whole runs against closed forms and balances.

use super::{column, everything, finish, pendulum, rotor, slide};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::dynamics::kinematics::Axes;
use pliant::integrate::{Dop853, Rk4};
use pliant::simulate::{
    Channel, Clock, Diagram, Direction, Event, EventAction, Expression, ExternalLoad,
    MomentumDrift, Motor, PrescribedMotion, PrescribedQuantity, Progress, Recorder, RunError,
    Selection, Signal, Status, run,
};
use pliant::spatial::{Force, Vec3};
use std::ops::ControlFlow;

pub(super) fn expression(text: &str) -> Signal {
    Expression::of_time(text).expect("it can be read").into()
}

/// A boom that bends on a hub, with dampers.
pub(super) fn boom(prescribed: bool) -> Arm {
    let section = Section {
        ea: 2.8e7,
        ei_z: 140.0,
        ei_y: 140.0,
        gj: 1e4,
        kga_y: None,
        kga_z: None,
        rho_a: 1.2,
        rho_i_z: 6e-4,
        rho_i_y: 6e-4,
    };
    let mut beam = Beam::new(1.0, section, Basis::ClampedFree(Ways::new(2, 1, 0, 0)));
    beam.damping.stiffness = 1e-3;
    let hub = Link::new("hub").joint(Joint::revolute([0.0, 0.0, 1.0])).damping(&[0.4]);
    let hub = if prescribed { hub.prescribed() } else { hub };
    Builder::new("boom")
        .gravity([0.0, -9.81, 0.0])
        .link(hub.beam(beam).section_frame("tip", 1.0, pliant::spatial::Pose::IDENTITY))
        .build()
        .expect("a good arm")
}

#[test]
fn a_step_in_the_middle_costs_nothing() {
    let arm = rotor(0.0);
    let at = 0.3337;
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    let signal = Signal::Step { at, before: 0.0, after: 3.0 };
    scenario.motors.push(Motor { velocity: 0, signal });
    let (summary, rows) = finish(&mut scenario, 1e-6);
    let since = 1.0 - at;
    assert!((summary.u[0] - 3.0 * since).abs() < 1e-14, "{}", summary.u[0]);
    assert!((summary.q[0] - 1.5 * since * since).abs() < 1e-14);
    assert_eq!(summary.statistics.rejected, 0);
    assert!(summary.statistics.steps < 20, "{:?}", summary.statistics);
    for (t, u) in rows.times.iter().zip(column(&rows, "wheel.rate")) {
        assert!((u - 3.0 * (t - at).max(0.0)).abs() < 1e-13);
    }
    // as an expression the instant is found before the run
    scenario.motors[0].signal = expression("3 * step(t - 0.3337)");
    let (found, _) = finish(&mut scenario, 1e-6);
    assert!((found.u[0] - 3.0 * since).abs() < 1e-13, "{}", found.u[0]);
    assert_eq!(found.statistics.rejected, 0);
}

#[test]
fn rows_stand_on_the_grid() {
    let arm = pendulum();
    let (_, rows) = finish(&mut Diagram::new(&arm, 2.0, 1.0 / 300.0), 1e-6);
    let want: Vec<f64> = (0..=600).map(|k| f64::from(k) / 300.0).collect();
    assert_eq!(rows.times, want);
    let (_, rows) = finish(&mut Diagram::new(&arm, 0.95, 0.1), 1e-6);
    assert_eq!(rows.times.last(), Some(&0.9));
}

#[test]
fn a_prescribed_joint_follows_its_expression() {
    let arm = boom(true);
    let text = "0.8 * sin(3*t) + t^3 / 10 + 0.2";
    for (given, text) in [
        (PrescribedQuantity::Position, text),
        (PrescribedQuantity::Rate, "2.4 * cos(3*t) + 0.3 * t^2"),
        (PrescribedQuantity::Acceleration, "-7.2 * sin(3*t) + 0.6 * t"),
    ] {
        let mut scenario = Diagram::new(&arm, 2.0, 0.05);
        (scenario.q[0], scenario.u[0]) = (0.2, 2.4);
        scenario.selection = everything();
        scenario.prescribed.push(PrescribedMotion { velocity: 0, given, signal: expression(text) });
        let (summary, rows) = finish(&mut scenario, 1e-11);
        let (q, u) = (column(&rows, "hub"), column(&rows, "hub.rate"));
        for (k, &t) in rows.times.iter().enumerate() {
            let place = 0.8 * (3.0 * t).sin() + t.powi(3) / 10.0 + 0.2;
            let rate = 2.4 * (3.0 * t).cos() + 0.3 * t * t;
            let allowed = if given == PrescribedQuantity::Position { 1e-14 } else { 1e-9 };
            assert!((q[k] - place).abs() < allowed, "{given:?} {t}: {} {place}", q[k]);
            assert!((u[k] - rate).abs() < 10.0 * allowed, "{given:?} {t}: {} {rate}", u[k]);
        }
        // the motor's work makes up for what energy and dampers take
        let work = column(&rows, "work.motors");
        assert!(work.iter().any(|work| work.abs() > 1.0));
        assert!(
            summary.energy_drift.expect("a balance").relative.expect("it moves") < 1e-9,
            "{:?}",
            summary.energy_drift
        );
    }
}

#[test]
fn energy_balances_with_motors_loads_and_dampers() {
    let arm = boom(false);
    let mut scenario = Diagram::new(&arm, 2.0, 0.01);
    scenario.selection = everything();
    let signal =
        Signal::Sine { amplitude: 4.0, frequency_hz: 0.9, phase: 0.0, offset: 3.0, start: 0.1 };
    scenario.motors.push(Motor { velocity: 0, signal });
    scenario.loads.push(ExternalLoad {
        frame: arm.frame("tip").expect("there"),
        wrench: Force::new(Vec3::new(0.3, -1.0, 0.5), Vec3::new(0.0, 0.1, 0.2)),
        axes: Axes::Own,
        signal: Signal::Step { at: 1.0 / 3.0, before: 0.0, after: 2.0 },
    });
    let (summary, rows) = finish(&mut scenario, 1e-11);
    assert!(
        summary.energy_drift.expect("a balance").relative.expect("it moves") < 1e-9,
        "{:?}",
        summary.energy_drift
    );
    for name in ["work.motors", "work.loads", "work.dampers"] {
        let work = column(&rows, name);
        assert!(work.iter().any(|work| work.abs() > 0.1), "{name} does something");
    }
    let drift = column(&rows, "energy.drift");
    let total = column(&rows, "energy.total");
    assert!(
        drift
            .iter()
            .all(|d| d.abs() <= 2.0 * summary.energy_drift.expect("a balance").absolute + 1e-12)
    );
    assert!(total.iter().any(|e| (e - total[0]).abs() > 1.0));
    // extremes are those of the rows
    let extremes = summary.extremes.iter().find(|e| e.channel.name == "hub").expect("there");
    let hub = column(&rows, "hub");
    let most = hub.iter().copied().fold(f64::MIN, f64::max);
    assert_eq!(extremes.most.expect("rows").value, most);
    let at = hub.iter().position(|&q| q == most).expect("there");
    assert_eq!(extremes.most.expect("rows").time, rows.times[at]);
}

#[test]
fn channels_agree_with_one_line_calls() {
    let arm = boom(false);
    let mut scenario = Diagram::new(&arm, 0.3, 0.1);
    scenario.q = vec![0.3, 0.01, 0.002, -0.02];
    scenario.u = vec![1.0, 0.1, -0.2, 0.3];
    scenario.selection = everything();
    scenario.motors.push(Motor { velocity: 0, signal: 2.0.into() });
    let (summary, rows) = finish(&mut scenario, 1e-10);
    let last = |name: &str| *column(&rows, name).last().expect("rows");
    let (q, u) = (&summary.q, &summary.u);
    let pose = arm.pose(q, "tip").expect("good");
    let twist = arm.twist(q, u, "tip", Axes::World).expect("good").to_array();
    let momenta = arm.momenta(q, u).expect("good");
    let ud = arm.forward_dynamics(q, u, &[2.0, 0.0, 0.0, 0.0]).expect("good");
    let energies = arm.energies(q, u).expect("good");
    for (name, want) in [
        ("hub.y2", q[2]),
        ("hub.z1.rate", u[3]),
        ("hub.acceleration", ud[0]),
        ("hub.y1.acceleration", ud[1]),
        ("hub.force", 2.0),
        ("tip.position.y", pose.position.y),
        ("tip.velocity.x", twist[0]),
        ("tip.spin.z", twist[5]),
        ("momentum.y", momenta.linear.y),
        ("momentum.angular.z", momenta.angular.z),
        ("energy.elastic", energies.elastic),
        ("energy.total", energies.total()),
    ] {
        assert!((last(name) - want).abs() <= 1e-13 * want.abs().max(1.0), "{name}");
    }
    let parts = ["w", "x", "y", "z"].map(|part| last(&format!("tip.quaternion.{part}")));
    let back = pliant::spatial::Quaternion::from_slice(&parts).to_matrix().to_rows();
    let want = pose.rotation.to_rows();
    assert!(back.iter().flatten().zip(want.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-14));
    let units = |name: &str| {
        rows.channels.iter().find(|c| c.name == name).map(|c| c.unit.as_str()).expect("there")
    };
    assert_eq!(["hub", "hub.y1", "hub.rate", "hub.force"].map(units), ["rad", "m", "rad/s", "N m"]);
}

#[test]
fn a_floating_arm_reports_its_momenta() {
    let arm = Builder::new("adrift")
        .gravity([0.0; 3])
        .link(Link::new("base").joint(Joint::Free).body(
            2.0,
            [0.1, 0.0, 0.0],
            [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.25]],
        ))
        .link(
            Link::new("arm").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(1.0, [0.5, 0.0, 0.1]),
        )
        .build()
        .expect("a good arm");
    let mut scenario = Diagram::new(&arm, 3.0, 0.1);
    scenario.u = vec![0.3, -0.2, 0.1, 1.0, 2.0, -1.0, 3.0];
    scenario.motors.push(Motor { velocity: 6, signal: expression("sin(5*t)") });
    let summary = finish(&mut scenario, 1e-11).0;
    let MomentumDrift { linear, angular } = summary.momentum_drift.expect("nothing touches it");
    assert!(
        linear.relative.expect("it moves") < 1e-10 && angular.relative.expect("it moves") < 1e-10,
        "{linear:?} {angular:?}"
    );
    assert!(summary.energy_drift.expect("a balance").relative.expect("it moves") < 1e-9);
    // a motor on the base pushes against the world
    scenario.motors[0].velocity = 3;
    assert_eq!(finish(&mut scenario, 1e-8).0.momentum_drift, None);
}

/// What is a part of nothing is no figure.
#[test]
fn drifts_of_what_does_not_move_have_no_relative_size() {
    let floating = |u: [f64; 6], force: &str| {
        let arm = Builder::new("adrift")
            .gravity([0.0; 3])
            .link(Link::new("base").joint(Joint::Free).body(
                2.0,
                [0.0; 3],
                [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.25]],
            ))
            .link(
                Link::new("arm")
                    .joint(Joint::revolute([0.0, 1.0, 0.0]))
                    .payload(1.0, [0.5, 0.0, 0.1]),
            )
            .build()
            .expect("a good arm");
        let mut scenario = Diagram::new(&arm, 1.0, 0.1);
        scenario.u[..6].copy_from_slice(&u);
        scenario.motors.push(Motor { velocity: 6, signal: expression(force) });
        let summary = finish(&mut scenario, 1e-10).0;
        let energy = summary.energy_drift.expect("a balance").relative;
        let MomentumDrift { linear, angular } = summary.momentum_drift.expect("they are kept");
        [energy, linear.relative, angular.relative].map(|part| part.is_some())
    };
    assert_eq!(floating([0.0; 6], "0"), [false; 3]);
    // the arm swings one way and its base the other: both momenta stay zero
    assert_eq!(floating([0.0; 6], "sin(5 * t)"), [true, false, false]);
    assert_eq!(floating([1.0, 0.0, 0.0, 0.0, 0.0, 2.0], "sin(5 * t)"), [true; 3]);
    // its energy is rounding beside that of gravity and springs
    let hangs = Builder::new("hangs")
        .gravity([0.0, -9.81, 0.0])
        .link(
            Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [0.0, -1.0, 0.0]),
        )
        .build()
        .expect("a good arm");
    let mut scenario = Diagram::new(&hangs, 1.0, 0.1);
    scenario.u[0] = 1e-7;
    let drift = finish(&mut scenario, 1e-10).0.energy_drift.expect("a balance");
    assert!(drift.relative.is_none() && drift.absolute < 1e-12, "{drift:?}");
    assert_eq!(drift.part(), "-");
}

#[test]
fn a_continuous_law_acts_on_the_true_state() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    scenario.q = vec![0.4];
    // critically damped: (a + b t) exp(-10 t)
    let law = |_: f64, q: &[f64], u: &[f64], tau: &mut [f64], _: &mut [f64]| {
        tau[0] -= 100.0 * q[0] + 20.0 * u[0];
    };
    scenario.feedback = Some(Box::new(law));
    let (_, rows) = finish(&mut scenario, 1e-11);
    for (t, q) in rows.times.iter().zip(column(&rows, "wheel")) {
        assert!((q - (0.4 + 4.0 * t) * (-10.0 * t).exp()).abs() < 1e-10);
    }
}

/// A disk that fills up.
struct Full(usize);

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("no room is left")]
struct NoRoom;

impl Recorder for Full {
    type Error = NoRoom;

    fn start(&mut self, channels: &[Channel]) -> Result<(), NoRoom> {
        assert!(!channels.is_empty());
        Ok(())
    }

    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), NoRoom> {
        self.0 = self.0.checked_sub(1).ok_or(NoRoom)?;
        Ok(())
    }
}

#[test]
fn a_recorder_that_refuses_ends_the_run() {
    let arm = slide();
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    let error = run(&mut scenario, Dop853::new(1e-8), &mut Full(4), &mut ()).unwrap_err();
    assert_eq!(error, RunError::Recorder { time: 0.4, source: NoRoom });
}

#[test]
fn a_watch_sees_progress_and_may_stop() {
    let arm = pendulum();
    let mut scenario = Diagram::new(&arm, 100.0, 0.1);
    scenario.selection = Selection::new(["bob"]);
    let mut seen = Vec::new();
    let mut watch = |progress: &Progress| {
        seen.push(*progress);
        if progress.time > 3.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut rows = pliant::simulate::Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut watch).expect("good");
    assert!(summary.ending.status == Status::Interrupted);
    assert!(seen.windows(2).all(|pair| pair[0].time < pair[1].time && pair[0].end == 100.0));
    assert_eq!(
        seen.last().map(|p| (p.time, p.steps)),
        Some((summary.ending.time, summary.statistics.steps))
    );
    assert!(*rows.times.last().expect("rows") > summary.ending.time - 0.1);
}

/// Nothing moves, so that one step has all rows.
#[test]
fn a_watch_may_stop_among_the_rows_of_a_step() {
    let arm = slide();
    let mut scenario = Diagram::new(&arm, 1.0, 1e-5);
    let mut rows = pliant::simulate::Rows::new();
    let mut watch = |progress: &Progress| {
        if progress.time > 0.3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut watch).expect("good");
    assert!(summary.ending.status == Status::Interrupted && summary.statistics.steps < 20);
    // among 4096 rows, and none after the end
    assert!((0.3..0.35).contains(&summary.ending.time), "{}", summary.ending.time);
    assert_eq!(rows.times.last(), Some(&summary.ending.time));
    // the rest of the step is lost, so that nothing goes on from here
    assert!(summary.state.is_empty());
}

/// An event would stop the run in the same step, a little later: it has not happened yet.
#[test]
fn a_run_that_is_stopped_before_an_event_ends_where_it_was_stopped() {
    let arm = slide();
    let mut scenario = Diagram::new(&arm, 1.0, 1e-5);
    scenario.events.push(Event {
        name: "late".to_owned(),
        quantity: "t - 0.34".into(),
        direction: Direction::Rising,
        action: EventAction::Stop,
    });
    let mut watch = |progress: &Progress| {
        if progress.time > 0.3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut rows = pliant::simulate::Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut watch).expect("good");
    let time = summary.ending.time;
    assert!(summary.ending.status == Status::Interrupted && (0.3..0.34).contains(&time), "{time}");
    assert_eq!(rows.times.last(), Some(&time));
    // it falls from rest
    assert!((summary.q[0] + 0.5 * 9.81 * time * time).abs() < 1e-9, "{} at {time}", summary.q[0]);
    assert!((summary.u[0] + 9.81 * time).abs() < 1e-9, "{} at {time}", summary.u[0]);
    assert!(summary.events.is_empty(), "{:?}", summary.events);
}

/// The row after which it is asked is the end of a step, and there an event stops it: what the run
/// remembers of the event is behind it already.
#[test]
fn an_event_where_a_run_is_stopped_wins() {
    let arm = slide();
    let end = Clock::every(1e-5).expect("a clock").tick(4095);
    let mut scenario = Diagram::new(&arm, 2.0 * end, 1e-5);
    scenario.events.push(Event {
        name: "there".to_owned(),
        // first beyond zero at this very number
        quantity: format!("t - {end:?} + 1e-19").as_str().into(),
        direction: Direction::Rising,
        action: EventAction::Stop,
    });
    let mut stopped = |watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>| {
        let mut rows = pliant::simulate::Rows::new();
        let mut watch = |progress: &Progress| watch(progress);
        run(&mut scenario, Rk4::new(end), &mut rows, &mut watch).expect("good")
    };
    let alone = stopped(&mut |_| ControlFlow::Continue(()));
    assert_eq!((alone.ending.status, alone.ending.time), (Status::Stopped, end));
    let mut asked = 0;
    let watched = stopped(&mut |progress| {
        asked += usize::from(progress.time == end);
        ControlFlow::Break(())
    });
    assert_eq!(asked, 1);
    assert_eq!(watched, alone);
}
