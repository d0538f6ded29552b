//! Pulses and corners of expressions that last so short that steps would pass over them.
//!
//! A run is divided into parts. Where the acceleration of the expression can be far larger within a
//! part than at its ends and in its middle ([`range`](Expression::range)), the part is divided
//! again, until its samples show what happens or it is as short as rounding allows, which is a
//! corner. Each stretch of large accelerations that is shorter than the quiet before it is a pulse,
//! and steps land on instants all over it.

use super::expression::Expression;
use crate::scalar::Jet;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Into how many parts a run is divided at first, and how many of them are divided again.
const PARTS: u32 = 4096;
const MOST_SPLITS: usize = 20_000;

/// Accelerations are large beyond this multiple of their median and this part of the largest.
const LARGE: [f64; 2] = [100.0, 1e-9];

/// Samples show what happens in a part where it is no larger than this multiple of them.
const SHOWN: f64 = 4.0;

/// On how many steps a pulse is passed at least.
const STEPS: u32 = 16;

/// What steps must not pass over.
#[derive(Default)]
pub(super) struct Pulses {
    /// Instants (s) on the pulses, from the start of each to its end.
    pub(super) instants: Vec<f64>,
    /// The instants (s) at which there may be a corner or a jump.
    pub(super) corners: Vec<f64>,
}

/// A part of a run.
struct Part {
    start: f64,
    end: f64,
    /// How large the acceleration can be.
    bound: f64,
    /// How large it is at the ends and in the middle.
    seen: f64,
}

impl Part {
    fn of(expression: &Expression, start: f64, end: f64) -> Self {
        let at = |t: f64| {
            let size = expression.evaluate(&[Jet::time(t)]).acceleration.abs();
            if size.is_finite() { size } else { 0.0 }
        };
        Self {
            start,
            end,
            bound: expression.range(start, end).acceleration.size(),
            seen: at(start).max(at(0.5 * (start + end))).max(at(end)),
        }
    }

    fn length(&self) -> f64 {
        self.end - self.start
    }
}

/// The first to be divided is greatest: that of the largest change of rate; corners come last, one
/// after the other.
impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        let [a, b] = [self, other].map(|part| part.bound * part.length());
        match (a.is_finite(), b.is_finite()) {
            (true, true) => a.total_cmp(&b),
            (false, false) => other.length().total_cmp(&self.length()),
            (is_finite, _) => is_finite.cmp(&!is_finite),
        }
        .then(other.start.total_cmp(&self.start))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl Pulses {
    /// Those of an expression of time in a run of a duration (s); `shortest` is the length of a part
    /// at a time that is as short as rounding allows.
    pub(super) fn of(
        expression: &Expression,
        duration: f64,
        shortest: impl Fn(f64) -> f64,
    ) -> Self {
        let end = |part: u32| duration * (f64::from(part) / f64::from(PARTS));
        let mut open: BinaryHeap<Part> =
            (0..PARTS).map(|part| Part::of(expression, end(part), end(part + 1))).collect();
        let mut sizes: Vec<f64> = open.iter().map(|part| part.seen).collect();
        let (_, median, _) = sizes.select_nth_unstable_by(PARTS as usize / 2, f64::total_cmp);
        let usual = LARGE[0] * *median;
        let mut peak = sizes.iter().copied().fold(0.0, f64::max);
        let large = |peak: f64| usual.max(LARGE[1] * peak);
        let (mut shown, mut shortened) = (Vec::new(), Vec::new());
        let mut splits = 0;
        while let Some(part) = open.pop() {
            if part.bound <= SHOWN * part.seen.max(large(peak)) {
                shown.push(part);
            } else if part.length() <= shortest(part.end) {
                shortened.push((part.start, part.end));
            } else if splits < MOST_SPLITS {
                splits += 1;
                let middle = 0.5 * (part.start + part.end);
                for (start, end) in [(part.start, middle), (middle, part.end)] {
                    let part = Part::of(expression, start, end);
                    peak = peak.max(part.seen);
                    open.push(part);
                }
            }
        }
        let loud = shown.iter().filter(|part| part.seen > large(peak));
        let mut stretches: Vec<(f64, f64)> = loud.map(|part| (part.start, part.end)).collect();
        let is_instant = |&(start, end): &(f64, f64)| end - start <= 4.0 * shortest(end);
        // where all parts are short, nothing can be said of any
        let mut corners = joined(shortened.clone(), |_, _| 0.0);
        corners.retain(is_instant);
        stretches.extend(&corners);
        let stretches = joined(joined(stretches, |_, _| 0.0), f64::max);
        let mut instants = Vec::new();
        let mut last = 0.0;
        for (start, end) in stretches {
            if is_instant(&(start, end)) {
                instants.push(end);
            } else if end - start < start - last {
                let step = (end - start) / f64::from(STEPS);
                instants.extend((0..STEPS).map(|k| start + f64::from(k) * step));
                instants.push(end);
            }
            last = end;
        }
        // a corner on the border of two parts is in both of them
        let first = |start: f64| shortened.iter().find(|part| part.0 == start);
        let corners = corners.iter().filter_map(|&(start, _)| Some(first(start)?.1));
        Self { instants, corners: corners.collect() }
    }
}

/// Stretches in order, two of them one where the gap between them is no longer than what their
/// lengths allow.
fn joined(mut stretches: Vec<(f64, f64)>, allowed: impl Fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut all: Vec<(f64, f64)> = Vec::new();
    for (start, end) in stretches {
        match all.last_mut() {
            Some(last) if start - last.1 <= allowed(last.1 - last.0, end - start) => {
                last.1 = last.1.max(end);
            }
            _ => all.push((start, end)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulses(text: &str, duration: f64) -> Pulses {
        let expression = Expression::of_time(text).expect("an expression");
        Pulses::of(&expression, duration, |t| 4.0 * f64::EPSILON * t.max(duration / 1024.0))
    }

    /// Each pulse has instants from five widths before it to five after it.
    #[test]
    fn pulses_between_the_samples_are_found() {
        for (text, duration, places, width) in [
            ("exp(-((t - 1.00013) / 1e-4)^2)", 2.0, vec![1.00013], 1e-4),
            ("exp(-((t - 1.00013) / 1e-7)^2)", 2.0, vec![1.00013], 1e-7),
            ("sin(t) + 1e-3 * exp(-((t - 7.7) / 1e-4)^2)", 10.0, vec![7.7], 1e-4),
            (
                "exp(-((t - 3) / 1e-4)^2) + 1e-3 * exp(-((t - 7.7) / 1e-4)^2)",
                10.0,
                vec![3.0, 7.7],
                1e-4,
            ),
            ("exp(-((t - 1801.3) / 0.1)^2)", 3600.0, vec![1801.3], 0.1),
        ] {
            let found = pulses(text, duration).instants;
            assert_eq!(found.len(), 17 * places.len(), "{text}: {found:?}");
            for (found, place) in found.chunks(17).zip(places) {
                for (end, way) in [(found[0], -width), (found[16], width)] {
                    let widths = (end - place) / way;
                    assert!((2.0..12.0).contains(&widths), "{text}: {widths} widths");
                }
            }
        }
    }

    /// Motions that every step sees have none.
    #[test]
    fn what_lasts_is_no_pulse() {
        for text in [
            "sin(3 * t) / (2 + cos(5 * t)) + sqrt(1 + t) + exp(-t) * log(t + 1)",
            "1e-4 * sin(1e6 * t)",
            "exp(-t) * sin(30 * t)",
            "2500 * sin(pi * t / 2)",
            "sin(t)^2 + cos(t)^2",
            "7",
            "0.3 * t^3 - t",
            "abs(max(0, t - 100)) + min(0, 0 * t)",
            // of a power that is no constant nothing is known below zero
            "(t - 50)^(1 + 1)",
        ] {
            for duration in [0.1, 2.0, 30.0] {
                let found = pulses(text, duration);
                assert!(found.instants.is_empty(), "{text}: {:?}", found.instants);
                assert!(found.corners.is_empty(), "{text}: {:?}", found.corners);
            }
        }
    }

    #[test]
    fn corners_of_a_short_pulse_are_found() {
        let short = "max(0, 1 - abs(t - 1.00013) / 1e-5)";
        let found = pulses(short, 2.0);
        for (found, place) in [&found.instants, &found.corners].into_iter().flat_map(|found| {
            assert_eq!(found.len(), 3, "{found:?}");
            found.iter().zip([1.00012, 1.00013, 1.00014])
        }) {
            assert!((found - place).abs() < 1e-14, "{found}");
        }
        // in the middle of the run too, where parts have their borders
        for text in ["max(0, t - 1)", "abs(t - 1)", "min(t, 2 - t)", "step(t - 1)", "sign(1 - t)"] {
            let found = pulses(text, 2.0);
            assert_eq!((found.instants.len(), found.corners.len()), (1, 1), "{text}");
            assert!((found.corners[0] - 1.0).abs() < 1e-15, "{text}: {:?}", found.corners);
        }
        let rectangle = pulses("step(t - 1) - step(t - 1.00001)", 2.0).corners;
        assert_eq!(rectangle.len(), 2, "{rectangle:?}");
    }
}
