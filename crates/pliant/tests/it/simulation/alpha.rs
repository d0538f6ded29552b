//! Whole runs by generalised-alpha: the motion and the balance of energy.

use super::column;
use super::runs::{boom, expression};
use pliant::Help;
use pliant::arm::Arm;
use pliant::dynamics::kinematics::Axes;
use pliant::integrate::{Dop853, GeneralisedAlpha};
use pliant::simulate::{
    BlockOutput, Clock, Diagram, ExternalLoad, Motor, PrescribedMotion, PrescribedQuantity, Reason,
    Rows, SampledBlock, Selection, Signal, Status, Tick, run,
};
use pliant::spatial::{Force, Vec3};

/// A boom with all that may act on it; its hub is driven by a motor, or moved.
fn scenario(arm: &Arm, moved: bool) -> Diagram {
    let mut scenario = Diagram::new(arm, 0.5, 0.05);
    scenario.selection = Selection::new(["*"]);
    if moved {
        let signal = expression("0.5 * sin(3*t)");
        scenario.prescribed.push(PrescribedMotion {
            velocity: 0,
            given: PrescribedQuantity::Position,
            signal,
        });
    } else {
        let signal =
            Signal::Sine { amplitude: 4.0, frequency_hz: 0.9, phase: 0.0, offset: 3.0, start: 0.1 };
        scenario.motors.push(Motor { velocity: 0, signal });
        // a part whose force is held between ticks
        let law = |tick: &Tick<'_>, torque: &mut [f64]| torque[0] = (20.0 * tick.t).sin();
        let wires = vec![BlockOutput::motor("torque", 0)];
        let clock = Clock::every(0.05).expect("good");
        scenario.blocks.push(SampledBlock::new("part", clock, vec![], wires, law));
    }
    scenario.loads.push(ExternalLoad {
        frame: arm.frame("tip").expect("there"),
        wrench: Force::new(Vec3::new(0.3, -1.0, 0.5), Vec3::new(0.0, 0.1, 0.2)),
        axes: Axes::Own,
        signal: Signal::Step { at: 0.2, before: 0.0, after: 2.0 },
    });
    scenario
}

#[test]
fn motion_and_works_are_of_order_2() {
    for moved in [false, true] {
        let arm = boom(moved);
        let mut wanted = Rows::new();
        let mut scenario = scenario(&arm, moved);
        let exact = run(&mut scenario, Dop853::new(1e-11), &mut wanted, &mut ()).expect("good");
        let mut by_steps = |step: f64| {
            let mut rows = Rows::new();
            let method = GeneralisedAlpha::new(step).spectral_radius(0.9);
            let summary = run(&mut scenario, method, &mut rows, &mut ()).expect("good");
            assert!(summary.ending.status == Status::Completed);
            assert_eq!((summary.statistics.rejected, &rows.times), (0, &wanted.times));
            let motion =
                (summary.q.iter().zip(&exact.q)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let last = |rows: &Rows, name: &str| *column(rows, name).last().expect("a row");
            let work = ["work.motors", "work.loads", "work.dampers"]
                .map(|name| (last(&rows, name) - last(&wanted, name)).abs());
            (
                motion,
                work.into_iter().fold(0.0, f64::max),
                summary.energy_drift.expect("a balance").relative.expect("it moves"),
            )
        };
        let (coarse, fine) = (by_steps(5e-4), by_steps(2.5e-4));
        for (name, coarse, fine) in
            [("motion", coarse.0, fine.0), ("works", coarse.1, fine.1), ("drift", coarse.2, fine.2)]
        {
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.2, "{name}, moved {moved}: {coarse:e} {fine:e}");
        }
        assert!(fine.2 < 3e-4, "{fine:?}");
    }
}

#[test]
fn a_step_that_is_far_too_long_says_so() {
    let arm = boom(false);
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    // a force that grows without bound with the state has no solution at the end of a long step
    let law = |_: f64, q: &[f64], _: &[f64], tau: &mut [f64], _: &mut [f64]| {
        tau[0] += 1e6 * (50.0 * q[0]).exp();
    };
    scenario.feedback = Some(Box::new(law));
    let method = GeneralisedAlpha::new(0.1);
    let summary = run(&mut scenario, method, &mut Rows::new(), &mut ()).expect("good");
    let Some(breakdown) = &summary.ending.breakdown else { panic!("{:?}", summary.ending) };
    assert_eq!(breakdown.reason, Reason::NotConverged, "{breakdown}");
    assert!(breakdown.with_help().contains("take a shorter step"), "{breakdown}");
    assert!(breakdown.step == 0.1 && breakdown.coordinate.is_some(), "{breakdown}");
}
