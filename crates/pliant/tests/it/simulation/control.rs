//! Laws on their clocks.

use super::{column, everything, finish, pendulum, rotor};
use pliant::arm::Arm;
use pliant::control::{JointPd, PdJoint};
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Delay, Reference, SampledBlock, Scenario, Sensor, Signal,
    Status,
};

const PERIOD: f64 = 0.001;
const TARGET: Signal = Signal::Ramp { start: 0.0, duration: 10.0, from: 0.1, to: 1.1 };

/// The wheel under a spring of 400 N m/rad and a damper of 30 N m s/rad to a moving target.
fn servo(arm: &Arm, limit: f64, full_state: bool) -> Scenario<'_> {
    let mut scenario = Scenario::new(arm, 0.2, PERIOD);
    scenario.selection = everything();
    scenario.q = vec![0.3];
    let clock = Clock::every(PERIOD).expect("good");
    let (name, unit) = ("target".to_owned(), "rad".to_owned());
    scenario.references.push(Reference { name, unit, signal: TARGET });
    let looks_at = full_state.then_some((0, 0));
    let law = JointPd::new([PdJoint { stiffness: 400.0, damping: 30.0, limit, looks_at }]);
    let mut inputs = vec![BlockInput::Reference(0), BlockInput::ReferenceRate(0)];
    if !full_state {
        scenario.sensors.push(Sensor::encoder("encoder", 0, 1 << 30, clock));
        inputs.insert(0, BlockInput::Sensor(0));
    }
    let part =
        SampledBlock::new("servo", clock, inputs, vec![BlockOutput::motor("torque", 0)], law);
    scenario.blocks.push(SampledBlock { sees_state: full_state, ..part });
    scenario
}

#[test]
fn a_pd_law_is_that_of_discrete_time() {
    let arm = rotor(0.0);
    for (full_state, limit) in [(false, f64::INFINITY), (true, f64::INFINITY), (false, 20.0)] {
        let (_, rows) = finish(&mut servo(&arm, limit, full_state), 1e-10);
        let (mut x, mut v, mut last) = (0.3, 0.0, None);
        let torques = column(&rows, "servo.torque");
        for (k, (place, torque)) in column(&rows, "wheel").into_iter().zip(torques).enumerate() {
            assert!((place - x).abs() < 1e-7, "full_state {full_state}, tick {k}: {place} {x}");
            let rate = if full_state { v } else { last.map_or(0.1, |last| (x - last) / PERIOD) };
            let target = 0.1 + 0.1 * k as f64 * PERIOD;
            let force: f64 = 400.0 * (target - x) + 30.0 * (0.1 - rate);
            let force = force.clamp(-limit, limit);
            assert!(
                (torque - force).abs() < 1e-3,
                "full_state {full_state}, tick {k}: {torque} {force}"
            );
            last = Some(x);
            x += PERIOD * (v + 0.5 * PERIOD * force);
            v += PERIOD * force;
        }
    }
}

#[test]
fn a_late_sensor_does_not_kick() {
    // the arm is taken to have stood where it starts: nothing moves before anything arrives
    let arm = pendulum();
    let mut scenario = Scenario::new(&arm, 0.1, 0.001);
    scenario.q = vec![-1.5];
    let clock = Clock::every(PERIOD).expect("good");
    let encoder = Sensor::encoder("encoder", 0, 1 << 20, clock);
    scenario.sensors.push(Sensor { delay: Delay::Seconds(0.02), ..encoder });
    let (_, rows) = finish(&mut scenario, 1e-10);
    for (k, shown) in column(&rows, "encoder").into_iter().enumerate().take(21) {
        assert!((shown + 1.5).abs() < 1e-5, "row {k}: {shown}");
    }
}

#[test]
fn wrong_wires_end_the_run() {
    let arm = rotor(0.0);
    let gave_up = |scenario: &mut Scenario<'_>| {
        let ending = finish(scenario, 1e-8).0.ending;
        assert_eq!((ending.status, ending.block.as_deref()), (Status::Failed, Some("servo")));
        let why = ending.why.expect("a reason");
        why.strip_prefix("the controller \"servo\" gave up: ").expect("who gave up").to_owned()
    };
    let mut scenario = servo(&arm, 1.0, false);
    scenario.blocks[0].inputs.pop();
    assert_eq!(gave_up(&mut scenario), "it gets 2 inputs, and needs 3");
    let mut scenario = servo(&arm, 1.0, false);
    scenario.blocks[0].outputs.push(BlockOutput::new("more", "1"));
    assert_eq!(gave_up(&mut scenario), "it has 2 outputs for 1 joints");
    let mut scenario = servo(&arm, 1.0, true);
    scenario.blocks[0].sees_state = false;
    assert!(gave_up(&mut scenario).contains("may not look at the true state"));
}
