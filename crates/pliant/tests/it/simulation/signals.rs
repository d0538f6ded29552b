//! Signals and their derivatives.

use pliant::simulate::{Break, Clock, Delay, Expression, Interpolation, Signal, Table};
use std::f64::consts::PI;

fn table(interpolation: Interpolation, function: fn(f64) -> f64) -> Signal {
    let times = vec![0.0, 0.3, 0.7, 0.8, 1.5, 2.0];
    let values = times.iter().map(|&t| function(t)).collect();
    Table::new(times, values, interpolation).expect("a good table").into()
}

fn all() -> Vec<Signal> {
    let sine =
        Signal::Sine { amplitude: 2.0, frequency_hz: 1.3, phase: 0.4, offset: -1.0, start: 0.25 };
    let chirp = Signal::Chirp {
        amplitude: 0.7,
        from_hz: 0.5,
        to_hz: 4.0,
        duration: 1.1,
        phase: -0.2,
        offset: 0.1,
        start: 0.2,
    };
    let expression = "exp(-t) * sin(3 t^2) + tanh(2*t) / (1 + t^2) - atan2(t, 1) + abs(t - 0.9)";
    let expression = expression.replace("3 t", "3 * t");
    vec![
        Signal::Constant(3.0),
        Signal::Step { at: 0.5, before: 1.0, after: -2.0 },
        Signal::Ramp { start: 0.3, duration: 0.9, from: 1.0, to: 4.0 },
        sine.clone(),
        chirp.clone(),
        table(Interpolation::Hold, f64::sin),
        table(Interpolation::Linear, f64::sin),
        table(Interpolation::Cubic, f64::sin),
        Signal::Expression(Expression::of_time(&expression).expect("it can be read")),
        Signal::Sum(vec![sine, chirp, Signal::Constant(0.5)]),
    ]
}

#[test]
fn derivatives_agree_with_differences() {
    let h = 1e-4;
    for signal in all() {
        let mut breaks = vec![0.9];
        signal.each_break(&mut |at| breaks.push(at.time));
        for k in 0..173 {
            let t = -0.1 + 0.013 * f64::from(k);
            if breaks.iter().any(|time| (time - t).abs() < 3.0 * h) {
                continue;
            }
            let jet = signal.jet(t);
            let [before, now, after] = [t - h, t, t + h].map(|t| signal.value(t));
            let rate = (after - before) / (2.0 * h);
            let acceleration = (after - 2.0 * now + before) / (h * h);
            assert_eq!(jet.value, now);
            assert!((jet.rate - rate).abs() < 2e-4, "{signal:?} at {t}: {} {rate}", jet.rate);
            let off = (jet.acceleration - acceleration).abs();
            assert!(off < 1e-2, "{signal:?} at {t}: {} {acceleration}", jet.acceleration);
        }
    }
}

#[test]
fn breaks_are_where_a_derivative_jumps() {
    for signal in all() {
        signal.each_break(&mut |Break { time, derivative }| {
            let (before, after) = (signal.jet_before(time), signal.jet(time));
            let jumps = [
                (before.value, after.value),
                (before.rate, after.rate),
                (before.acceleration, after.acceleration),
            ];
            // up to the derivative named nothing jumps
            for (a, b) in &jumps[..usize::from(derivative).min(3)] {
                assert!((a - b).abs() < 1e-9, "{signal:?} at {time}: {jumps:?}");
            }
        });
    }
    let step = Signal::Step { at: 0.5, before: 1.0, after: -2.0 };
    assert_eq!((step.jet_before(0.5).value, step.value(0.5)), (1.0, -2.0));
}

#[test]
fn a_cubic_table_is_exact_on_cubics() {
    let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t - 0.25 * t * t * t;
    let signal = table(Interpolation::Cubic, cubic);
    for k in 0..=40 {
        let t = 0.05 * f64::from(k) * 0.999;
        let jet = signal.jet(t);
        assert!((jet.value - cubic(t)).abs() < 1e-13);
        assert!((jet.rate - (-2.0 + t - 0.75 * t * t)).abs() < 1e-12);
        assert!((jet.acceleration - (1.0 - 1.5 * t)).abs() < 1e-11);
    }
    let short = |n: usize| {
        let times: Vec<f64> = (0..n).map(|i| 0.5 * i as f64).collect();
        let values = times.iter().map(|t| t * t).collect();
        Signal::from(Table::new(times, values, Interpolation::Cubic).expect("good"))
    };
    // a parabola through three points, a line through two
    assert!((short(3).value(0.8) - 0.64).abs() < 1e-15);
    assert!((short(2).value(0.2) - 0.1).abs() < 1e-15);
    assert_eq!(short(1).value(3.0), 0.0);
}

#[test]
fn clocks_round_once() {
    for (clock, period) in [
        (Clock::every(0.001), (1, 1000)),
        (Clock::hertz(300.0), (1, 300)),
        (Clock::every(1.0 / 7.0), (1, 7)),
        (Clock::every(2.5), (5, 2)),
        (Clock::hertz(44_100.0), (1, 44_100)),
        (Clock::every(0.3), (3, 10)),
    ] {
        let clock = clock.expect("a good clock");
        for count in [0, 1, 2, 3, 10, 999, 1_000_000, 123_456_789] {
            let exact = (count * period.0) as f64 / f64::from(period.1);
            assert_eq!(clock.tick(count), exact);
        }
    }
    let odd = Clock::every(PI / 1000.0).expect("a good clock");
    assert!((odd.tick(1_000_000) / (1000.0 * PI) - 1.0).abs() < 1e-15);
    let late = Clock::hertz(1000.0).and_then(|clock| clock.later(0.0003)).expect("good");
    assert_eq!(late.tick(7), 0.0073);
    let ticks = Clock::hertz(300.0).and_then(|clock| clock.delayed(Delay::Ticks(2)));
    assert_eq!(ticks.expect("good").tick(1), 0.01);
    assert!(Clock::every(0.0).is_err() && Clock::every(f64::NAN).is_err());
    assert!(Clock::hertz(-1.0).is_err() && Clock::every(1e-12).is_err());
}
