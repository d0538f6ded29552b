//! What a run is estimated to record and hold, beside what it does.

use super::{everything, finish, rotor};
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Delay, Diagram, RunSize, SampledBlock, Sensor, SensorQuantity,
    Tick,
};

#[test]
fn rows_and_channels_are_those_of_the_run() {
    let arm = rotor(0.1);
    for (duration, interval, rows) in
        [(1.0, 0.1, 11), (0.3, 0.1, 4), (0.35, 0.1, 4), (0.05, 0.1, 1), (0.7, 0.07, 11)]
    {
        let mut scenario = Diagram::new(&arm, duration, interval);
        for selection in [everything(), scenario.selection.clone()] {
            scenario.selection = selection;
            let size = scenario.size().expect("a good scenario");
            let (summary, recorded) = finish(&mut scenario, 1e-6);
            assert_eq!(summary.rows, rows, "{duration} {interval}");
            assert_eq!(size.rows, rows as f64, "{duration} {interval}");
            assert_eq!(size.channels, recorded.channels.len());
        }
    }
}

/// A delay holds one number for each of its ticks and outputs, and no more than a run has.
#[test]
fn delays_hold_a_number_for_each_tick() {
    let arm = rotor(0.1);
    let clock = Clock::every(1e-3).expect("a clock");
    let held = |duration: f64, late: f64| {
        let mut scenario = Diagram::new(&arm, duration, 0.1);
        let eye = Sensor::new("eye", SensorQuantity::Coordinate(0), clock);
        scenario.sensors.push(Sensor { delay: Delay::Seconds(late), ..eye });
        let idle = |_: &Tick<'_>, _: &mut [f64]| {};
        let wires = vec![BlockOutput::motor("torque", 0), BlockOutput::new("more", "1")];
        let block = SampledBlock::new("part", clock, vec![BlockInput::Sensor(0)], wires, idle);
        scenario.blocks.push(SampledBlock { delay: Delay::Ticks(7), ..block });
        let RunSize { delayed, .. } = scenario.size().expect("a good scenario");
        delayed
    };
    assert_eq!(held(1.0, 0.0), 14.0);
    assert_eq!(held(1.0, 0.02), 20.0 + 14.0);
    assert_eq!(held(1.0, 50.0), 1000.0 + 14.0);
}
