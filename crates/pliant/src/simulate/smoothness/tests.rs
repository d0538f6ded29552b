//! Jumps, poles and corners of known signals.

use super::{Flaw, Way};
use crate::simulate::{Expression, Interpolation, Signal, Table};

fn way(text: &str, kept: usize) -> Result<Way, Flaw> {
    Way::along(&Expression::of_time(text).expect("an expression").into(), kept, 2.0)
}

/// Vibrations whose samples are all zeros, and short bumps between samples, are smooth.
#[test]
fn what_samples_miss_is_smooth_all_the_same() {
    for (text, duration) in [
        ("1e-4 * sin(2 * pi * 256 * t)", 8.0),
        ("0.1 * exp(-((t - 1801.3) / 0.1)^2)", 3600.0),
        ("0.1 * max(0, 1 - ((t - 5.0013) / 0.001)^2)^3", 10.0),
        ("0.2 * max(0, 1 - ((t - 1.2) / 0.2)^2)^3", 3600.0),
        ("0.1 * max(0, 1 - ((t - 50.013) / 0.01)^2)^3", 100.0),
        ("0.3 * sqrt((t - 1.0003)^2 + 1e-12)", 2.0),
    ] {
        let signal: Signal = Expression::of_time(text).expect("an expression").into();
        let way =
            Way::along(&signal, 2, duration).unwrap_or_else(|flaw| panic!("{text}: {flaw:?}"));
        // nor is it a jump within the steps of a run
        for k in 0..1000 {
            let start = duration * f64::from(k) / 1000.0;
            let found = way.jump_within(&signal, 2, start, start + duration / 1000.0);
            assert_eq!(found, None, "{text} at {start} s");
        }
    }
    let corner = "0.1 * max(0, 1 - 1000 * abs(t - 50.013))";
    let signal: Signal = Expression::of_time(corner).expect("an expression").into();
    let flaw = Way::along(&signal, 2, 100.0).expect_err("it has corners");
    assert_eq!(flaw.derivative(), 1, "{flaw:?}");
}

/// Position and rate of a coordinate must not jump.
#[test]
fn corners_inside_expressions_are_jumps_with_their_size() {
    for (text, at, order, size) in [
        ("abs(t - 1)", 1.0, 1, 2.0),
        ("sign(t - 1)", 1.0, 0, 2.0),
        ("step(t - 0.3)", 0.3, 0, 1.0),
        ("step(0.3 - t)", 0.3, 0, -1.0),
        ("min(t, 2 - t)", 1.0, 1, -2.0),
        ("max(sin(3 * t), 0)", std::f64::consts::FRAC_PI_3, 1, 3.0),
        ("atan2(sin(4 * t), cos(4 * t))", std::f64::consts::FRAC_PI_4, 0, -std::f64::consts::TAU),
        ("tanh(abs(abs(t - 1) - 0.5))", 0.5, 1, 2.0),
        ("1e-3 * t + step(t - 1) - step(t - 1.0000001)", 1.0, 0, 1.0),
        ("sin(t) * sign(sin(5e6 * (t + 0.1)))", f64::NAN, 0, f64::NAN),
        ("sign(t)", 0.0, 0, 1.0),
    ] {
        match way(text, 2) {
            Err(Flaw::Jump { time, derivative, by }) => {
                assert_eq!(derivative, order, "{text}");
                let near = |a: f64, b: f64| b.is_nan() || (a - b).abs() < 1e-7;
                assert!(near(time, at) && near(by, size), "{text}: {by} at {time}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn poles_and_what_is_no_number_are_found() {
    for (text, at) in [
        ("1 / (t - 1)", 1.0),
        ("1 / (t - 1 / 3)", 1.0 / 3.0),
        ("1e-9 / (t - 1.23456789)^2", 1.234_567_89),
        ("sqrt(1 - t)", 1.0),
        ("sqrt(1 - cos(2 * pi * (t - 0.7)))", 0.7),
        ("((t - 0.7)^2)^0.5", 0.7),
        ("log(1.7 - t)", 1.7),
        ("tan(t)", std::f64::consts::FRAC_PI_2),
        ("t^0.5", 0.0),
        ("exp(1000 * t)", 0.695_967),
        ("sin(t - 1) / (t - 1)", 1.0),
        ("abs(t - 1.1)^1.5", 1.1),
    ] {
        match way(text, 2) {
            Err(Flaw::Unbounded { time, .. }) => {
                assert!((time - at).abs() < 1e-6, "{text}: at {time}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// What goes on smoothly is accepted, and its corners are known.
#[test]
fn corners_that_a_joint_can_follow_are_kept() {
    for (text, kept, corners) in [
        ("max(0, t - 1)^2", 2, vec![1.0]),
        ("sign(t - 0.3) * (t - 0.3)^2", 2, vec![0.3]),
        ("3 * min(max(t - 0.5, 0), 1)^2 - 2 * min(max(t - 0.5, 0), 1)^3", 2, vec![0.5, 1.5]),
        ("max(0, t - 1)^3", 2, vec![]),
        ("sin(3 * t) / (2 + cos(5 * t)) + sqrt(1 + t) + exp(-t) * log(t + 1)", 2, vec![]),
        ("1 / ((t - 1)^2 + 1e-6)", 2, vec![]),
        ("sin(atan2(sin(4 * t), cos(4 * t)))", 2, vec![]),
        ("abs(t - 1)", 1, vec![1.0]),
        ("sign(t - 1)", 0, vec![1.0]),
        ("sign(t - 2)", 2, vec![2.0]),
        ("abs(t)", 2, vec![0.0]),
        ("sign(t)", 1, vec![0.0]),
    ] {
        let found = way(text, kept).unwrap_or_else(|flaw| panic!("{text}: {flaw:?}")).corners;
        assert_eq!(found.len(), corners.len(), "{text}: {found:?}");
        for (found, at) in found.iter().zip(corners) {
            assert!((found - at).abs() < 1e-15, "{text}: {found}");
        }
    }
}

/// What tables and sums really do counts, not what they could do.
#[test]
fn breaks_of_signals_are_jumps_where_they_jump() {
    let table = |values: &[f64], interpolation| {
        let times = (0..values.len()).map(|i| 0.5 * i as f64).collect();
        Signal::Table(Table::new(times, values.to_vec(), interpolation).expect("a table"))
    };
    let jump = |signal: &Signal| match Way::along(signal, 2, 2.0) {
        Err(Flaw::Jump { time, derivative, by }) => Some((time, derivative, by)),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    };
    let bent = table(&[0.0, 1.0, 0.0, 0.0, 0.0], Interpolation::Linear);
    assert_eq!(jump(&bent), Some((0.5, 1, -4.0)));
    assert_eq!(jump(&table(&[0.0, 3.0, 3.0], Interpolation::Hold)), Some((0.5, 0, 3.0)));
    let straight = table(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], Interpolation::Linear);
    assert_eq!(jump(&straight), None);
    assert_eq!(jump(&table(&[0.0, 1.0, 0.0, 2.0, 1.0], Interpolation::Cubic)), None);
    // held behind its last value
    assert_eq!(jump(&table(&[0.0, 1.0, 2.0], Interpolation::Linear)), Some((1.0, 1, -2.0)));
    let ramp = |from: f64, to: f64| Signal::Ramp { start: 1.0, duration: 0.5, from, to };
    assert_eq!(jump(&ramp(0.0, 1.0)), Some((1.0, 1, 2.0)));
    assert_eq!(jump(&ramp(1.0, 1.0)), None);
    assert_eq!(jump(&Signal::Sum(vec![ramp(0.0, 1.0), ramp(1.0, 0.0)])), None);
    let hidden = Expression::of_time("abs(t - 1.25)").expect("an expression");
    let sum = Signal::Sum(vec![straight, hidden.into()]);
    assert_eq!(jump(&sum).map(|(time, order, _)| (time, order)), Some((1.25, 1)));
}

/// A run meets what the search cannot see.
#[test]
fn a_jump_within_a_step_is_found() {
    let far = Way { duration: 2.0, scale: [1.0; 3], ..Way::default() };
    let signal = |text: &str| Signal::from(Expression::of_time(text).expect("an expression"));
    let found = |text: &str| far.jump_within(&signal(text), 2, 0.9, 1.1);
    let Some(Flaw::Jump { time, derivative: 1, by }) = found("0.5 * abs(t - 1.03) + sin(t)") else {
        panic!("{:?}", found("0.5 * abs(t - 1.03) + sin(t)"));
    };
    assert!((time - 1.03).abs() < 1e-12 && (by - 1.0).abs() < 1e-12, "{time} {by}");
    assert!(matches!(found("step(t - 1.07)"), Some(Flaw::Jump { derivative: 0, .. })));
    assert_eq!(found("sin(300 * t)"), None);
}
