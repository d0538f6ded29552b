//! Laws on their clocks.

use super::{column, everything, finish, pendulum, rotor};
use pliant::arm::Arm;
use pliant::control::{
    Continuous, ControlContext, ControlError, ControlLaw, Controller, Model, Pd, StateSource,
};
use pliant::integrate::StateVisitor;
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Delay, Diagram, SampledBlock, Sensor, Signal, Status,
};

const PERIOD: f64 = 0.001;
const TARGET: Signal = Signal::Ramp { start: 0.0, duration: 10.0, from: 0.1, to: 1.1 };

/// The wheel under a spring of 400 N m/rad and a damper of 30 N m s/rad to a moving target.
fn servo(arm: &Arm, limit: f64, full_state: bool) -> Diagram {
    let mut scenario = Diagram::new(arm, 0.2, PERIOD);
    scenario.selection = everything();
    scenario.q = vec![0.3];
    let clock = Clock::every(PERIOD).expect("good");
    let law = Pd { stiffness: vec![400.0], damping: vec![30.0] };
    let (source, inputs) = if full_state {
        let state = StateSource::FullState { coordinates: vec![(0, 0)], velocities: vec![(0, 0)] };
        (state, vec![])
    } else {
        scenario.sensors.push(Sensor::encoder("encoder", 0, 1 << 30, clock));
        (StateSource::Sensors, vec![BlockInput::Sensor(0)])
    };
    let law = Controller::new(law, None, vec![TARGET], source).expect("good").limited(&[limit]);
    let outputs = vec![BlockOutput::motor("torque", 0)];
    let part = SampledBlock::new("servo", clock, inputs, outputs, law);
    scenario.blocks.push(SampledBlock { uses_full_state: full_state, ..part });
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
    let mut scenario = Diagram::new(&arm, 0.1, 0.001);
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
    let gave_up = |scenario: &mut Diagram| {
        let ending = finish(scenario, 1e-8).0.ending;
        assert_eq!((ending.status, ending.block.as_deref()), (Status::Failed, Some("servo")));
        let why = ending.why.expect("a reason");
        why.strip_prefix("the controller \"servo\" gave up: ").expect("who gave up").to_owned()
    };
    let mut scenario = servo(&arm, 1.0, false);
    scenario.blocks[0].inputs.pop();
    assert_eq!(
        gave_up(&mut scenario),
        "it has 0 inputs and 1 outputs, but was made for 1 joints; give it one output for each joint, and the inputs of its state source"
    );
    let mut scenario = servo(&arm, 1.0, false);
    scenario.blocks[0].outputs.push(BlockOutput::new("more", "1"));
    assert_eq!(
        gave_up(&mut scenario),
        "it has 1 inputs and 2 outputs, but was made for 1 joints; give it one output for each joint, and the inputs of its state source"
    );
    let mut scenario = servo(&arm, 1.0, true);
    scenario.blocks[0].uses_full_state = false;
    assert!(gave_up(&mut scenario).contains("no access to the full state"));
}

/// Gives 1 N m, and fails after 50 ms.
#[derive(Clone, Debug)]
struct Doomed;

impl ControlLaw for Doomed {
    fn visit_state(&mut self, _: &mut StateVisitor<'_>) {}

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        if now.t > 0.05 {
            return Err(ControlError::NoInertia { time: now.t });
        }
        forces.fill(1.0);
        Ok(())
    }
}

#[test]
fn a_continuous_law_that_fails_ends_the_run_with_its_words() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 1.0, 0.01);
    scenario.selection = everything();
    let source = StateSource::FullState { coordinates: vec![(0, 0)], velocities: vec![(0, 0)] };
    let law = Controller::new(Doomed, None, vec![TARGET], source).expect("good");
    scenario.feedback = Some(Box::new(Continuous::new("doomed", law, vec![0])));
    let (summary, rows) = finish(&mut scenario, 1e-8);
    let ending = summary.ending;
    assert_eq!((ending.status, ending.block.as_deref()), (Status::Failed, Some("doomed")));
    let why = ending.why.expect("a reason");
    assert!(why.contains("no inertia") && why.contains("give the links mass"), "{why}");
    assert!(rows.values.iter().all(|value| value.is_finite()));
    assert!(rows.times.len() > 1 && rows.times.iter().all(|&t| t <= 0.05), "{:?}", rows.times);
}
