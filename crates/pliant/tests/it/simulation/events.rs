//! What happens, and when.

use super::{finish, rotor, slide};
use pliant::simulate::{
    BlockOutput, Channel, ChannelRole, Clock, Diagram, Direction, Drift, Event, EventAction, Limit,
    Motor, SampledBlock, Signal, Status, Summary, Tick,
};

fn event(name: &str, expression: &str, direction: Direction, action: EventAction) -> Event {
    let (name, quantity) = (name.to_owned(), expression.into());
    Event { name, quantity, direction, action }
}

#[test]
fn crossings_are_found_to_the_last_digits() {
    // z = 2 + 3 t - g t²/2
    let arm = slide();
    let mut scenario = Diagram::new(&arm, 5.0, 0.1);
    (scenario.q[0], scenario.u[0]) = (2.0, 3.0);
    scenario.events = vec![
        event("up", "block - 2.2", Direction::Rising, EventAction::Report),
        event("through", "block - 2.2", Direction::Either, EventAction::Report),
        event("top", "block.rate", Direction::Falling, EventAction::Report),
        event("never", "block.rate", Direction::Rising, EventAction::Report),
        event("ground", "block.position.z", Direction::Falling, EventAction::Stop),
        event("late", "t - 4", Direction::Either, EventAction::Report),
    ];
    let (summary, rows) = finish(&mut scenario, 1e-11);
    let g = 9.81;
    let when = |height: f64, sign: f64| (3.0 + sign * (9.0 - 2.0 * g * height).sqrt()) / g;
    let want = [
        ("up", when(0.2, -1.0)),
        ("through", when(0.2, -1.0)),
        ("top", 3.0 / g),
        ("through", when(0.2, 1.0)),
        ("ground", when(-2.0, 1.0)),
    ];
    assert_eq!(summary.events.len(), want.len(), "{:?}", summary.events);
    for (got, (name, time)) in summary.events.iter().zip(want) {
        assert_eq!(got.name, name);
        assert!((got.time - time).abs() < 1e-11, "{name}: {} {time}", got.time);
        assert!(got.value.abs() < 1e-10);
    }
    // the run ends there, with the rows before and the state then
    assert!(summary.ending.status == Status::Stopped);
    assert_eq!(summary.ending.time, summary.events[4].time);
    assert!(summary.q[0].abs() < 1e-10 && (summary.u[0] + (9.0 + 4.0 * g).sqrt()).abs() < 1e-10);
    let last = *rows.times.last().expect("rows");
    assert!(last <= summary.ending.time && last > summary.ending.time - 0.1);
}

#[test]
fn joints_stop_at_their_limits() {
    let arm = rotor(0.0);
    for (push, limit, value) in [(1.0, Limit::Upper, 1.0), (-1.0, Limit::Lower, -0.5)] {
        let mut scenario = Diagram::new(&arm, 10.0, 0.1);
        scenario.motors.push(Motor { velocity: 0, signal: push.into() });
        scenario.limits = Some(EventAction::Stop);
        let (summary, _) = finish(&mut scenario, 1e-9);
        assert!(summary.ending.status == Status::Stopped);
        let [met] = summary.events.as_slice() else { panic!("{:?}", summary.events) };
        assert_eq!((met.name.as_str(), met.limit), ("wheel", Some(limit)));
        let when = (2.0 * f64::abs(value)).sqrt();
        assert!((met.time - when).abs() < 1e-12 && (met.value - value).abs() < 1e-12, "{met:?}");
        let which = if limit == Limit::Upper { "upper limit, 1" } else { "lower limit, -0.5" };
        let what = format!("wheel meets its {which} rad, where the run stops");
        assert_eq!((&met.what, summary.ending.why.as_ref()), (&what, Some(&what)));
        // reported only, the run goes on
        scenario.limits = Some(EventAction::Report);
        let (summary, _) = finish(&mut scenario, 1e-9);
        assert!(summary.ending.status == Status::Completed && summary.events.len() == 1);
        scenario.limits = None;
        assert!(finish(&mut scenario, 1e-9).0.events.is_empty());
    }
}

/// All of a summary but the last state, and the roles of channels.
#[test]
fn a_summary_comes_back_from_json() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 10.0, 0.1);
    scenario.motors.push(Motor { velocity: 0, signal: 1.0.into() });
    scenario.limits = Some(EventAction::Stop);
    let (mut summary, _) = finish(&mut scenario, 1e-9);
    assert!(summary.extremes.len() > 5 && summary.events.len() == 1);
    // the reader of JSON may miss the last of many digits
    let round = |x: &mut f64| *x = (1024.0 * *x).round() / 1024.0;
    round(&mut summary.ending.time);
    round(&mut summary.events[0].time);
    round(&mut summary.events[0].value);
    summary.energy_drift = Some(Drift { absolute: 0.5, relative: Some(f64::INFINITY) });
    for extremes in &mut summary.extremes {
        for end in [&mut extremes.least, &mut extremes.most] {
            let end = end.as_mut().expect("rows");
            round(&mut end.value);
            round(&mut end.time);
        }
    }
    let text = serde_json::to_string(&summary).expect("JSON");
    let again: Summary = serde_json::from_str(&text).expect("a summary");
    let mut expected = Summary {
        q: Vec::new(),
        u: Vec::new(),
        state: Vec::new(),
        energy_rounding: 0.0,
        is_compiled: false,
        ..summary
    };
    for extremes in &mut expected.extremes {
        let Channel { name, unit, .. } = extremes.channel.clone();
        extremes.channel = Channel::new(name, unit, ChannelRole::Other);
    }
    assert_eq!(again, expected);
}

#[test]
fn jumps_cross_too() {
    let arm = rotor(0.0);
    let mut scenario = Diagram::new(&arm, 1.0, 0.1);
    let clock = Clock::every(0.1).expect("good");
    let law = |tick: &Tick<'_>, out: &mut [f64]| out[0] = if tick.count < 3 { -1.0 } else { 1.0 };
    let wires = vec![BlockOutput::new("flag", "1")];
    scenario.blocks.push(SampledBlock::new("part", clock, vec![], wires, law));
    let signal = Signal::Step { at: 0.47, before: -1.0, after: 1.0 };
    scenario.motors.push(Motor { velocity: 0, signal });
    scenario.events = vec![
        event("flag", "part.flag", Direction::Either, EventAction::Report),
        event("push", "{wheel.force}", Direction::Either, EventAction::Report),
    ];
    let (summary, _) = finish(&mut scenario, 1e-9);
    let got: Vec<_> = summary.events.iter().map(|e| (e.name.as_str(), e.time, e.value)).collect();
    assert_eq!(got, [("flag", 0.3, 1.0), ("push", 0.47, 1.0)]);
}
