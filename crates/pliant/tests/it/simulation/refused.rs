//! Scenarios that cannot be run, and what they are told.

use super::{pendulum, rotor};
use pliant::Help;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::integrate::Dop853;
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Delay, Diagram, Direction, Event, EventAction, Interpolation,
    Motor, PrescribedMotion, PrescribedQuantity, Rows, SampledBlock, Selection, Sensor,
    SensorQuantity, Signal, Table, Tick, run,
};

fn told(mut scenario: Diagram) -> String {
    let ended = run(&mut scenario, Dop853::new(1e-8), &mut Rows::new(), &mut ());
    ended.expect_err("it cannot be run").with_help()
}

fn moved() -> Arm {
    Builder::new("moved")
        .link(
            Link::new("hub")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .prescribed()
                .payload(1.0, [1.0, 0.0, 0.0]),
        )
        .link(Link::new("ball").joint(Joint::Spherical).prescribed().payload(1.0, [1.0, 0.0, 0.0]))
        .build()
        .expect("a good arm")
}

fn table(interpolation: Interpolation) -> Signal {
    Table::new(vec![0.0, 0.4, 1.0], vec![0.0, 1.0, 0.0], interpolation).expect("good").into()
}

#[test]
fn numbers_names_and_places() {
    let arm = rotor(0.0);
    let with = |change: fn(&mut Diagram)| {
        let mut scenario = Diagram::new(&arm, 1.0, 0.1);
        change(&mut scenario);
        told(scenario)
    };
    let clock = || Clock::every(0.1).expect("good");
    assert_eq!(with(|s| s.duration = -1.0), "the duration is -1 s; it must be a positive time");
    assert_eq!(with(|s| s.interval = 0.0), "the interval is 0 s; it must be a positive time");
    assert!(with(|s| s.q.clear()).starts_with("the initial state: "));
    assert_eq!(
        with(|s| (s.limits, s.q) = (Some(EventAction::Report), vec![1.5])),
        "wheel starts at 1.5, outside its limits -0.5 to 1; start within the limits, or widen them"
    );
    assert_eq!(
        with(|s| s.selection = Selection::new(["weel"])),
        "no channel or group of channels is called \"weel\"; give a group, a name, or a name in which * stands for anything"
    );
    assert_eq!(
        with(|s| s.motors.push(Motor { velocity: 1, signal: 1.0.into() })),
        "a motor: there is no velocity 1; there are 1, counted from 0"
    );
    assert_eq!(
        with(|s| s.motors.push(Motor { velocity: 0, signal: f64::NAN.into() })),
        "the motor of wheel: the constant is NaN, which is not a finite number; give a finite number"
    );
    assert_eq!(
        with(|s| s.events.push(Event {
            name: "odd".into(),
            quantity: "wheel + weel".into(),
            direction: Direction::Either,
            action: EventAction::Stop,
        })),
        "event \"odd\": there is no variable named \"weel\""
    );
    let sensor = |change: fn(Sensor) -> Sensor| {
        let mut scenario = Diagram::new(&arm, 1.0, 0.1);
        scenario.sensors.push(change(Sensor::new("eye", SensorQuantity::Coordinate(0), clock())));
        told(scenario)
    };
    assert_eq!(
        sensor(|s| Sensor { name: "wheel".into(), ..s }),
        "two channels are called \"wheel\"; give every link, sensor and controller a name of its own, and none that of a channel"
    );
    assert_eq!(
        sensor(|s| Sensor { name: "../eye".into(), ..s }),
        "sensor 0, counted from 0: its name \"../eye\" has the character /, which separates the parts of paths; call it \".._eye\""
    );
    assert_eq!(
        sensor(|s| Sensor { noise: -1.0, ..s }),
        "sensor \"eye\": the noise is -1; it must be zero or positive"
    );
    let strain = SensorQuantity::Strain { link: 0, distance: 0.0, place: [0.01, 0.0] };
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    scenario.sensors.push(Sensor::new("gauge", strain, clock()));
    assert_eq!(
        told(scenario),
        "sensor \"gauge\": link \"wheel\" does not bend, so that it has no strain; choose a link that bends"
    );
    assert_eq!(
        sensor(|s| Sensor { delay: Delay::Seconds(-1.0), ..s }),
        "sensor \"eye\": the offset or delay of -1 is out of range; give a number from 1e-9 to 1e9"
    );
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    let idle = |_: &Tick<'_>, _: &mut [f64]| {};
    let wires = vec![BlockOutput::motor("torque", 0)];
    scenario.blocks.push(SampledBlock::new(
        "part",
        clock(),
        vec![BlockInput::Sensor(0)],
        wires,
        idle,
    ));
    assert_eq!(told(scenario), "block \"part\": there is no sensor 0; there are 0, counted from 0");
}

#[test]
fn motions_that_need_infinite_forces() {
    let arm = moved();
    let with = |velocity: usize, given: PrescribedQuantity, signal: Signal| {
        let mut scenario = Diagram::new(&arm, 0.9, 0.1);
        scenario.prescribed.push(PrescribedMotion { velocity, given, signal });
        told(scenario)
    };
    let step = || Signal::Step { at: 0.5, before: 0.0, after: 1.0 };
    let jump = |what: &str, time: f64| {
        format!(
            "the motion of hub would need an infinite force at t = {time} s, where its {what} jumps by "
        )
    };
    for (given, signal, start) in [
        (PrescribedQuantity::Position, step(), jump("position", 0.5)),
        (PrescribedQuantity::Position, table(Interpolation::Hold), jump("position", 0.4)),
        (PrescribedQuantity::Position, table(Interpolation::Linear), jump("rate", 0.4)),
        (PrescribedQuantity::Rate, step(), jump("rate", 0.5)),
    ] {
        let text = with(0, given, signal);
        assert!(text.starts_with(&start) && text.contains("cubic"), "{text}");
    }
    assert_eq!(
        with(1, PrescribedQuantity::Position, 0.5.into()),
        "ball.turn_x turns freely and has no position of its own; give its rate"
    );
    let mut fine = Diagram::new(&arm, 0.9, 0.1);
    for (given, signal) in [
        (PrescribedQuantity::Position, table(Interpolation::Cubic)),
        (PrescribedQuantity::Rate, table(Interpolation::Linear)),
        (PrescribedQuantity::Acceleration, step()),
    ] {
        fine.prescribed = vec![PrescribedMotion { velocity: 0, given, signal }];
        assert!(run(&mut fine, Dop853::new(1e-8), &mut Rows::new(), &mut ()).is_ok());
    }
    fine.motors.push(Motor { velocity: 0, signal: 1.0.into() });
    assert_eq!(
        told(fine),
        "hub is prescribed, so that its motor's force follows; take the motor away"
    );
    let free = pendulum();
    let mut scenario = Diagram::new(&free, 1.0, 0.1);
    let motion =
        PrescribedMotion { velocity: 0, given: PrescribedQuantity::Rate, signal: 1.0.into() };
    scenario.prescribed.push(motion);
    assert_eq!(told(scenario), "bob is not prescribed; make its joint a prescribed one");
}
