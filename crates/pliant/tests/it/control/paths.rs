//! Paths: their own derivatives, their ends, what they must keep.

use pliant::plan::{Path, PathError, TimeScaling};
use pliant::simulate::Jet;

fn points() -> Vec<Vec<f64>> {
    vec![vec![0.0, 1.0], vec![0.5, 1.5], vec![2.0, -1.0], vec![1.0, 0.0]]
}

const DURATIONS: [f64; 3] = [1.0, 1.5, 0.8];

fn all() -> Vec<(&'static str, Path)> {
    let corners = |profile| Path::corners(&points(), &DURATIONS, profile, 0.5).expect("a path");
    vec![
        ("parabola", corners(TimeScaling::ParabolicSpeed)),
        ("trapezoid", corners(TimeScaling::Trapezoid(0.3))),
        ("pulses", corners(TimeScaling::Pulses(0.3))),
        ("minimum jerk, corner by corner", corners(TimeScaling::MinimumJerk)),
        ("blends", Path::blended(&points(), &DURATIONS, 0.2, 0.5).expect("a path")),
        ("minimum jerk", Path::minimum_jerk(&points(), &DURATIONS, 0.5).expect("a path")),
    ]
}

#[test]
fn rates_are_slopes() {
    let h = 1e-5;
    for (name, path) in all() {
        for i in 0..400 {
            let t = 0.4 + 0.01 * f64::from(i) + 0.003;
            if path.breaks().iter().any(|time| (time - t).abs() < 2.0 * h) {
                continue;
            }
            let (before, now, after) = (path.at(t - h), path.at(t), path.at(t + h));
            for k in 0..2 {
                let slope = (after[k].value - before[k].value) / (2.0 * h);
                assert!((slope - now[k].rate).abs() < 1e-7, "{name} at {t}");
                let slope = (after[k].rate - before[k].rate) / (2.0 * h);
                assert!((slope - now[k].acceleration).abs() < 1e-6, "{name} at {t}");
            }
        }
    }
}

#[test]
fn paths_begin_and_end_at_rest_in_their_points() {
    for (name, path) in all() {
        let end = 0.5 + DURATIONS.iter().sum::<f64>();
        assert!((path.end() - end).abs() < 1e-12, "{name} ends at {}", path.end());
        for (jets, point) in [(path.at(0.5), &points()[0]), (path.before(path.end()), &points()[3])]
        {
            for (jet, x) in jets.iter().zip(point) {
                assert!((jet.value - x).abs() < 1e-12 && jet.rate.abs() < 1e-12, "{name}: {jet:?}");
            }
        }
        let still = Jet { value: points()[3][0], ..Jet::default() };
        let after = path.at(10.0)[0];
        assert!((after.value - still.value).abs() < 1e-12 && after.rate == 0.0, "{name}");
    }
}

#[test]
fn points_are_met_and_blends_pass_near() {
    for (name, path) in all() {
        for (t, point) in [(1.5, &points()[1]), (3.0, &points()[2])] {
            let off = (path.at(t)[0].value - point[0]).abs();
            if name == "blends" {
                assert!(off > 1e-3 && off < 0.1, "{off}");
            } else {
                assert!(off < 1e-12, "{name}: {off:e}");
            }
        }
    }
}

#[test]
fn the_least_jerk_is_least_and_smooth() {
    let path = Path::minimum_jerk(&points(), &DURATIONS, 0.0).expect("a path");
    // accelerations and their slopes do not jump at the points in between
    for t in [1.0, 2.5] {
        let h = 1e-6;
        let (before, after) = (path.before(t)[0], path.at(t)[0]);
        assert!((before.acceleration - after.acceleration).abs() < 1e-9);
        let jerk =
            |from: f64| (path.at(from + h)[0].acceleration - path.at(from)[0].acceleration) / h;
        assert!((jerk(t - 2.0 * h) - jerk(t + h)).abs() < 1e-2);
    }
    let cost = |path: &Path| {
        let h = 1e-3;
        (0..3300_u32)
            .map(|i| {
                let t = h * f64::from(i);
                let jerk = (path.before(t + h)[0].acceleration - path.at(t)[0].acceleration) / h;
                jerk * jerk * h
            })
            .sum::<f64>()
    };
    // other rates at the points cost more
    for change in [-0.1, 0.1] {
        let knots: Vec<Vec<Jet>> = [0.0, 1.0, 2.5, 3.3]
            .iter()
            .map(|&t| {
                let mut knot = path.at(t);
                if t == 1.0 {
                    knot[0].rate += change;
                }
                knot
            })
            .collect();
        let knots: Vec<Vec<Jet>> = knots
            .into_iter()
            .enumerate()
            .map(|(i, knot)| {
                let still = |jet: Jet| Jet { value: jet.value, ..Jet::default() };
                if i == 0 || i == 3 { knot.into_iter().map(still).collect() } else { knot }
            })
            .collect();
        let other = Path::quintic(&knots, &DURATIONS, 0.0).expect("a path");
        assert!(cost(&other) > cost(&path));
    }
}

#[test]
fn paths_without_sense_are_refused() {
    let bad = |durations: &[f64], profile| Path::corners(&points(), durations, profile, 0.0);
    assert!(matches!(bad(&[1.0], TimeScaling::MinimumJerk), Err(PathError::Points { .. })));
    let still = bad(&[1.0, 0.0, 1.0], TimeScaling::MinimumJerk);
    assert!(matches!(still, Err(PathError::NoDuration { stretch: 1, .. })));
    assert!(matches!(bad(&DURATIONS, TimeScaling::Pulses(0.6)), Err(PathError::Ramp { .. })));
    let blend = Path::blended(&points(), &DURATIONS, 0.9, 0.0);
    assert!(matches!(blend, Err(PathError::Blend { .. })));
}
