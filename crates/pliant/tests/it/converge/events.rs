//! Crossings, and when they are.

use pliant::integrate::{
    Adams, Control, Crossing, Direction, Dop853, Dopri5, EventFunction, Events, Method, Radau5,
    Rk4, Stepper,
};
use std::f64::consts::PI;

type Rates = fn(f64, &[f64], &mut [f64]);

fn spring(_: f64, y: &[f64], rate: &mut [f64]) {
    rate.copy_from_slice(&[y[1], -y[0]]);
}

/// All crossings of the motion `(cos t, -sin t)` up to an end.
fn crossings<M: Method<Rates>>(method: M, events: &mut Events<'_>, end: f64) -> Vec<Crossing> {
    let mut stepper = Stepper::new(spring as Rates, method, 0.0, &[1.0, 0.0]).expect("good");
    let mut all = Vec::new();
    while let Some(mut step) = stepper.step(end).expect("no failure") {
        all.extend_from_slice(events.find(&mut step).expect("no failure"));
    }
    all
}

#[test]
fn zeros_of_a_vibration() {
    fn check<M: Method<Rates>>(method: M, accuracy: f64) {
        let mut events = Events::new();
        events.add(EventFunction::new(|_, y: &[f64]| y[0]));
        events.add(EventFunction::new(|_, y: &[f64]| y[0]).direction(Direction::Rising));
        events.add(EventFunction::new(|_, y: &[f64]| y[0]).direction(Direction::Falling));
        let all = crossings(method, &mut events, 20.0);
        // cos t falls through zero at π/2, 5π/2, …, rises at 3π/2, …
        let times = |event: usize| {
            all.iter().filter(|c| c.event == event).map(|c| c.time).collect::<Vec<_>>()
        };
        for (event, first, step) in [(0, 0.5, 1.0), (1, 1.5, 2.0), (2, 0.5, 2.0)] {
            let times = times(event);
            let count = ((20.0 / PI - first) / step).floor() + 1.0;
            assert_eq!(times.len() as f64, count);
            for (k, time) in times.iter().enumerate() {
                let error = time - PI * (first + step * k as f64);
                assert!(error.abs() < accuracy, "event {event}, {k}: {error:e}");
            }
        }
        assert!(all.windows(2).all(|pair| pair[0].time <= pair[1].time));
        assert!(all.iter().all(|c| c.event == 0 || c.is_rising == (c.event == 1)));
    }
    check(Dop853::new(1e-11), 1e-9);
    check(Dopri5::new(1e-9), 1e-7);
    check(Adams::new(1e-11), 1e-9);
    check(Radau5::new(1e-9), 1e-7);
    check(Rk4::new(0.01), 1e-7);
}

#[test]
fn two_in_one_step_come_in_order() {
    // one step of 2; the second function is crossed before the first, the third twice
    let straight = |_: f64, _: &[f64], rate: &mut [f64]| rate[0] = 1.0;
    let method = Rk4::new(2.0);
    for parts in [4, 8] {
        let mut events = Events::new().parts(parts);
        events.add(EventFunction::new(|_, y: &[f64]| y[0] - 1.3));
        events.add(EventFunction::new(|_, y: &[f64]| 0.7 - y[0]));
        events.add(EventFunction::new(|t, _: &[f64]| (t - 0.4) * (t - 1.6)));
        let mut stepper = Stepper::new(straight, method.clone(), 0.0, &[0.0]).expect("good");
        let mut step = stepper.step(2.0).expect("no failure").expect("a step");
        let found: Vec<_> = events.find(&mut step).expect("no failure").to_vec();
        let wanted = [(2, 0.4, false), (1, 0.7, false), (0, 1.3, true), (2, 1.6, true)];
        assert_eq!(found.len(), 4, "{found:?}");
        for (crossing, (event, time, is_rising)) in found.iter().zip(wanted) {
            assert_eq!((crossing.event, crossing.is_rising), (event, is_rising));
            assert!((crossing.time - time).abs() < 1e-14, "{found:?}");
        }
    }
    // with one part, only what differs between the ends is seen
    let mut events = Events::new().parts(1);
    events.add(EventFunction::new(|t, _: &[f64]| (t - 0.4) * (t - 1.6)));
    events.add(EventFunction::new(|_, y: &[f64]| y[0] - 1.3).terminal());
    events.add(EventFunction::new(|_, y: &[f64]| y[0] - 1.9));
    let mut stepper = Stepper::new(straight, method, 0.0, &[0.0]).expect("good");
    let mut step = stepper.step(2.0).expect("no failure").expect("a step");
    let found = events.find(&mut step).expect("no failure");
    assert_eq!(found.len(), 1, "nothing beyond a terminal one: {found:?}");
    assert!(found[0].event == 1 && found[0].is_terminal);
}

#[test]
fn a_zero_at_the_seam_of_two_steps_is_seen_once() {
    // steps of 1/4, so that t - 1/2 is zero where two steps meet
    let straight = |_: f64, _: &[f64], rate: &mut [f64]| rate[0] = 1.0;
    for (direction, count) in
        [(Direction::Either, 1), (Direction::Rising, 1), (Direction::Falling, 0)]
    {
        for parts in [1, 4] {
            let mut events = Events::new().parts(parts);
            events.add(EventFunction::new(|t, _: &[f64]| t - 0.5).direction(direction));
            // where the run starts, nothing is crossed
            events.add(EventFunction::new(|_, y: &[f64]| y[0]));
            let mut stepper = Stepper::new(straight, Rk4::new(0.25), 0.0, &[0.0]).expect("good");
            let mut all = Vec::new();
            while let Some(mut step) = stepper.step(1.0).expect("no failure") {
                all.extend_from_slice(events.find(&mut step).expect("no failure"));
            }
            let wanted = Crossing { event: 0, time: 0.5, is_rising: true, is_terminal: false };
            assert_eq!(all, vec![wanted; count]);
        }
    }
}

#[test]
fn a_ball_bounces_at_the_known_times() {
    let fall = |_: f64, y: &[f64], rate: &mut [f64]| rate.copy_from_slice(&[y[1], -10.0]);
    // either direction: leaving the floor must not count
    for direction in [Direction::Falling, Direction::Either] {
        let mut events = Events::new();
        events.add(EventFunction::new(|_, y: &[f64]| y[0]).direction(direction).terminal());
        let method = Dop853::new(Control::new(1e-10).max_step(0.05));
        let mut stepper = Stepper::new(fall, method, 0.0, &[5.0, 0.0]).expect("good");
        let (mut bounces, mut state) = (Vec::new(), [0.0; 2]);
        while let Some(mut step) = stepper.step(2.9).expect("no failure") {
            let hit = events.find(&mut step).expect("no failure").last().copied();
            if let Some(hit) = hit {
                step.state_at(hit.time, &mut state).expect("no failure");
                assert!(state[0].abs() < 1e-12);
                stepper.restart(hit.time, &[state[0], -0.5 * state[1]]).expect("finite");
                bounces.push(hit.time);
                assert!(bounces.len() <= 5, "{bounces:?}");
            }
        }
        // from 5 m at 1 s, then flights of 1 s, 1/2 s, 1/4 s, …
        let wanted = [1.0, 2.0, 2.5, 2.75, 2.875];
        assert_eq!(bounces.len(), wanted.len(), "{bounces:?}");
        for (bounce, wanted) in bounces.iter().zip(wanted) {
            assert!((bounce - wanted).abs() < 1e-10, "{bounces:?}");
        }
    }
}

#[test]
fn runs_that_go_back_find_the_same() {
    let mut events = Events::new();
    events.add(EventFunction::new(|_, y: &[f64]| y[0]));
    let forwards = crossings(Dop853::new(1e-12), &mut events, 5.0);
    let mut events = Events::new();
    events.add(EventFunction::new(|_, y: &[f64]| y[0]));
    let back = crossings(Dop853::new(1e-12), &mut events, -5.0);
    assert_eq!((forwards.len(), back.len()), (2, 2));
    for (forward, back) in forwards.iter().zip(&back) {
        assert!((forward.time + back.time).abs() < 1e-10 && forward.is_rising == back.is_rising);
    }
}
