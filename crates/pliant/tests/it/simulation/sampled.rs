//! Parts on their own clocks.

use super::{column, everything, finish, pendulum, rotor};
use pliant::Help;
use pliant::integrate::{Dop853, Rk4, StateVisitor};
use pliant::simulate::{
    Block, BlockInput, BlockOutput, Clock, Delay, Diagram, Ending, Reference, Rows, SampledBlock,
    Sensor, Signal, Status, Tick, run,
};
use std::sync::{Arc, Mutex};

const PERIOD: f64 = 0.001;

fn fast() -> Clock {
    Clock::hertz(1000.0).expect("good")
}

/// A controller of the wheel's angle, on the true state.
fn wheel_under_control(arm: &pliant::arm::Arm, delay: Delay) -> Diagram {
    let mut scenario = Diagram::new(arm, 0.2, PERIOD);
    scenario.q = vec![0.3];
    let law = |tick: &Tick<'_>, torque: &mut [f64]| {
        let state = tick.state.expect("it may look");
        torque[0] = -400.0 * state.q[0] - 30.0 * state.u[0];
    };
    let wires = vec![BlockOutput::motor("torque", 0)];
    let part = SampledBlock::new("servo", fast(), vec![], wires, law);
    scenario.blocks.push(SampledBlock { delay, uses_full_state: true, ..part });
    scenario
}

/// The same in discrete time: between ticks the force is constant, so the motion is a parabola.
/// The force of a tick acts a part of a period late.
fn in_discrete_time(late: f64) -> Vec<[f64; 2]> {
    let (mut x, mut v, mut old) = (0.3, 0.0, 0.0);
    let mut all = vec![[x, v]];
    for _ in 0..200 {
        let new = -400.0 * x - 30.0 * v;
        for (force, time) in [(old, late * PERIOD), (new, (1.0 - late) * PERIOD)] {
            x += time * (v + 0.5 * time * force);
            v += time * force;
        }
        old = new;
        all.push([x, v]);
    }
    all
}

/// Its rows are those that are recorded, its channels those of a row.
#[test]
fn the_size_of_a_run_is_known_before() {
    let mut scenario = wheel_under_control(&rotor(0.0), Delay::Ticks(3));
    let sensor = Sensor::encoder("angle", 0, 1000, fast());
    scenario.sensors.push(Sensor { delay: Delay::Seconds(0.05), ..sensor.clone() });
    // no more wait than the run has time for
    scenario.sensors.push(Sensor { name: "late".into(), delay: Delay::Seconds(1e6), ..sensor });
    let size = scenario.size().expect("good");
    assert_eq!(size.delayed, 3.0 + 50.0 + 200.0);
    let (_, rows) = finish(&mut scenario, 1e-6);
    assert_eq!((size.rows, size.channels), (rows.times.len() as f64, rows.channels.len()));
}

#[test]
fn commands_are_held_between_ticks() {
    let arm = rotor(0.0);
    for (delay, late) in [(Delay::None, 0.0), (Delay::Seconds(0.0004), 0.4), (Delay::Ticks(1), 1.0)]
    {
        let (_, rows) = finish(&mut wheel_under_control(&arm, delay), 1e-9);
        let (q, u) = (column(&rows, "wheel"), column(&rows, "wheel.rate"));
        for (k, [x, v]) in in_discrete_time(late).into_iter().enumerate() {
            assert!((q[k] - x).abs() < 1e-13, "{delay:?} {k}: {} {x}", q[k]);
            assert!((u[k] - v).abs() < 1e-11, "{delay:?} {k}: {} {v}", u[k]);
        }
    }
}

#[test]
fn a_pendulum_follows_its_reference() {
    let arm = pendulum();
    let mut scenario = Diagram::new(&arm, 3.0, 0.01);
    scenario.q = vec![-1.5];
    let reference = Signal::Ramp { start: 0.5, duration: 1.0, from: -1.5, to: 0.5 };
    let (name, unit) = ("wanted".to_owned(), "rad".to_owned());
    scenario.references.push(Reference { name, unit, signal: reference });
    scenario.sensors.push(Sensor::encoder("encoder", 0, 1 << 20, fast()));
    let mut last = None;
    let law = move |tick: &Tick<'_>, torque: &mut [f64]| {
        let &[angle, wanted] = tick.inputs else { panic!("two inputs") };
        let rate = last.map_or(0.0, |last| (angle - last) / PERIOD);
        last = Some(angle);
        torque[0] = 9.81 * angle.cos() + 400.0 * (wanted - angle) - 40.0 * rate;
    };
    let inputs = vec![BlockInput::Sensor(0), BlockInput::Reference(0)];
    let wires = vec![BlockOutput::motor("torque", 0)];
    scenario.blocks.push(SampledBlock::new("servo", fast(), inputs, wires, law));
    let (summary, rows) = finish(&mut scenario, 1e-8);
    assert!((summary.q[0] - 0.5).abs() < 1e-4, "{}", summary.q[0]);
    // the channels show what the parts saw and did
    assert_eq!(column(&rows, "wanted")[100], reference_at_one());
    assert_eq!(column(&rows, "servo.torque"), column(&rows, "bob.force"));
}

fn reference_at_one() -> f64 {
    -1.5 + 2.0 * 0.5
}

#[test]
fn clocks_tick_exactly_and_together() {
    let arm = rotor(0.0);
    let ticks = Arc::new(Mutex::new(Vec::new()));
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    for (part, rate) in [(0, 1000.0), (1, 300.0)] {
        let clock = Clock::hertz(rate).expect("good");
        let ticks = Arc::clone(&ticks);
        let note = move |tick: &Tick<'_>, out: &mut [f64]| {
            ticks.lock().expect("one thread").push((part, tick.count, tick.t, tick.inputs[0]));
            out[0] = tick.count as f64;
        };
        let inputs = vec![BlockInput::Output { block: 0, output: 0 }];
        let wires = vec![BlockOutput::new("count", "1")];
        let name = format!("part {part}");
        scenario.blocks.push(SampledBlock::new(name, clock, inputs, wires, note));
    }
    let _ = finish(&mut scenario, 1e-9);
    drop(scenario);
    let ticks = ticks.lock().expect("one thread");
    let of = |part: i32| ticks.iter().filter(move |tick| tick.0 == part);
    assert_eq!((of(0).count(), of(1).count()), (1001, 301));
    for &(part, count, t, input) in ticks.iter() {
        let rate = if part == 0 { 1000.0 } else { 300.0 };
        assert_eq!(t, count as f64 / rate);
        // the fast part acts first where both tick, so the slow one sees its count of now
        let seen = if part == 0 { count.saturating_sub(1) } else { count * 10 / 3 };
        assert_eq!(input, seen as f64, "part {part} at {t}");
    }
}

#[test]
fn commands_are_rounded() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 0.1, 0.01);
    scenario.selection = everything();
    let law = |tick: &Tick<'_>, out: &mut [f64]| out[0] = tick.t;
    let wires = vec![BlockOutput { resolution: 0.03, ..BlockOutput::motor("torque", 0) }];
    let clock = Clock::every(0.01).expect("good");
    scenario.blocks.push(SampledBlock::new("steps", clock, vec![], wires, law));
    let (_, rows) = finish(&mut scenario, 1e-9);
    let want = [0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0].map(|n| n * 0.03);
    assert_eq!(column(&rows, "wheel.force"), want);
}

#[derive(Clone)]
struct Doomed;

#[derive(Debug, thiserror::Error)]
#[error("the posture is singular")]
struct SingularPosture;

impl Help for SingularPosture {
    fn help(&self) -> Option<String> {
        Some("leave it".to_owned())
    }
}

impl Block for Doomed {
    fn visit_state(&mut self, _: &mut StateVisitor<'_>) {}

    fn update(
        &mut self,
        tick: &Tick<'_>,
        _: &mut [f64],
    ) -> Result<(), Box<dyn Help + Send + Sync>> {
        if tick.t >= 0.05 { Err(SingularPosture.into()) } else { Ok(()) }
    }
}

#[test]
fn a_part_may_give_up() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 1.0, 0.01);
    scenario.blocks.push(SampledBlock::new("planner", fast(), vec![], vec![], Doomed));
    let (summary, rows) = finish(&mut scenario, 1e-9);
    let Ending { status, block, why, .. } = &summary.ending;
    assert_eq!((*status, block.as_deref()), (Status::Failed, Some("planner")));
    let said = "the controller \"planner\" gave up: the posture is singular; leave it";
    assert_eq!(why.as_deref(), Some(said));
    assert_eq!((summary.ending.time, rows.times.len()), (0.05, 5));
}

#[test]
fn an_unstable_loop_is_reported_and_its_rows_stay() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 60.0, 0.01);
    scenario.q = vec![0.1];
    let law = |tick: &Tick<'_>, torque: &mut [f64]| {
        let state = tick.state.expect("it may look");
        torque[0] = -1e5 * state.u[0] - 10.0 * state.q[0];
    };
    let wires = vec![BlockOutput::motor("torque", 0)];
    let part = SampledBlock::new("servo", fast(), vec![], wires, law);
    scenario.blocks.push(SampledBlock { uses_full_state: true, ..part });
    for adaptive in [true, false] {
        let mut rows = Rows::new();
        let summary = if adaptive {
            run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ())
        } else {
            run(&mut scenario, Rk4::new(1e-3), &mut rows, &mut ())
        };
        let summary = summary.expect("a good scenario");
        let Some(breakdown) = &summary.ending.breakdown else { panic!("{:?}", summary.ending) };
        assert!(breakdown.time < 0.2, "{breakdown}");
        assert_eq!(breakdown.coordinate.as_deref(), Some("wheel.rate"), "{breakdown}");
        assert!(breakdown.with_help().contains("lower the gains"), "{breakdown}");
        assert_eq!(rows.times.len() as u64, summary.rows);
        let last = rows.times.last().copied().expect("rows");
        assert!((0.0..=breakdown.time).contains(&last) && last > breakdown.time - 0.01);
    }
}
