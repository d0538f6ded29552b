//! How what has arrived comes to rest.
//!
//! With the times `T` at which the plan has arrived, `E` of the last row and `P` the longest period
//! of the arm, the rest is what is seen from `E - max((E - T)/4, P)` on; there is none where that is
//! before `T`, or where it has fewer than five rows. Its middle, the mean of the least and the most of
//! each component, is the final value `x_f`, and
//!
//! 1. `A = max |x - x_f|` over the rest: the residual amplitude
//! 2. `t_s`, after which `|x - x_f|` stays within a band, also before `T`; none where `A` is beyond it
//! 3. `max (x - x_f)ᵀ d` from `T` on, for a direction `d`: the overshoot

use crate::integrate::{StateVisitor, Stateful};

/// The part of the time after the plan that is the rest.
const PART: f64 = 0.25;

/// The fewest rows of a rest.
const ROWS: usize = 5;

/// When there are so many rows, every second one is dropped.
const MOST: usize = 100_000;

/// The rows of what arrives somewhere, of so many components.
pub(super) struct Arrival<const N: usize> {
    /// When it has arrived (s).
    end: f64,
    /// Of how many rows one is kept, and how many have been.
    stride: usize,
    seen: usize,
    times: Vec<f64>,
    places: Vec<[f64; N]>,
}

/// The rest at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rest<const N: usize> {
    /// When it begins (s).
    pub(super) from: f64,
    /// The final value.
    pub(super) middle: [f64; N],
    /// The residual amplitude.
    pub(super) amplitude: f64,
}

impl<const N: usize> Stateful for Arrival<N> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.size(&mut self.stride);
        state.size(&mut self.seen);
        state.rows(&mut self.times, 1);
        // one for each time
        self.places.resize(self.times.len(), [0.0; N]);
        for place in &mut self.places {
            state.numbers(place);
        }
    }
}

/// How long a run with rows of an interval (s) has to be for a rest after a plan, and some time to come
/// to it (s): for the longest period of the arm (s), rounded up to two digits.
pub(in crate::scenario) fn time_to_rest(end: f64, period: f64, interval: f64) -> f64 {
    // one row more is before the rest, and the last may be before the end
    let rows = (ROWS + 1) as f64 * interval;
    let after = (PART * end).max(2.0 * period).max(rows / PART);
    let digit = 10f64.powf((end + after).log10().floor() - 1.0);
    digit * ((end + after) / digit).ceil()
}

/// Keeps the first, the third and so on.
fn thin<T>(rows: &mut Vec<T>) {
    let mut row = 0;
    rows.retain(|_| {
        row += 1;
        row % 2 == 1
    });
}

fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

impl<const N: usize> Arrival<N> {
    pub(super) fn new(end: f64) -> Self {
        Self { end, stride: 1, seen: 0, times: Vec::new(), places: Vec::new() }
    }

    pub(super) fn see(&mut self, t: f64, place: [f64; N]) {
        if self.times.len() == MOST {
            self.stride *= 2;
            thin(&mut self.times);
            thin(&mut self.places);
        }
        if self.seen.is_multiple_of(self.stride) {
            self.times.push(t);
            self.places.push(place);
        }
        self.seen += 1;
    }

    /// The first row after the arrival.
    fn arrived(&self) -> usize {
        self.times.partition_point(|&t| t < self.end)
    }

    /// How many rows there are after the arrival.
    pub(super) fn rows_after(&self) -> usize {
        self.times.len() - self.times.partition_point(|&t| t <= self.end)
    }

    /// The rest, for the longest period of the arm (s).
    pub(super) fn rest(&self, period: f64) -> Option<Rest<N>> {
        let last = *self.times.last()?;
        let from = last - (PART * (last - self.end)).max(period);
        let first = self.times.partition_point(|&t| t < from);
        let places = &self.places[first..];
        if from < self.end || places.len() < ROWS || places.iter().flatten().any(|x| x.is_nan()) {
            return None;
        }
        let middle = std::array::from_fn(|k| {
            let [least, most] =
                places.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |ends, x| {
                    [ends[0].min(x[k]), ends[1].max(x[k])]
                });
            0.5 * (least + most)
        });
        // (1)
        let amplitude = places.iter().map(|x| distance(x, &middle)).fold(0.0, f64::max);
        amplitude.is_finite().then_some(Rest { from, middle, amplitude })
    }

    /// (2) From when on it stays within a band about its final value (s), linear between rows.
    pub(super) fn still_from(&self, rest: &Rest<N>, band: f64) -> Option<f64> {
        if rest.amplitude > band {
            return None;
        }
        let off = |row: usize| distance(&self.places[row], &rest.middle);
        let Some(outside) = (0..self.times.len()).rev().find(|&row| off(row) > band) else {
            return self.times.first().copied();
        };
        let [before, after] = [off(outside), off(outside + 1)];
        let [t, next] = [self.times[outside], self.times[outside + 1]];
        let part = ((before - band) / (before - after)).clamp(0.0, 1.0);
        Some(t + part * (next - t))
    }

    /// (3) How far it goes beyond its final value along a direction of length 1.
    pub(super) fn overshoot(&self, rest: &Rest<N>, direction: &[f64; N]) -> f64 {
        let beyond = |place: &[f64; N]| {
            let parts = place.iter().zip(&rest.middle).zip(direction);
            parts.map(|((x, middle), d)| (x - middle) * d).sum::<f64>()
        };
        self.places[self.arrived()..].iter().map(beyond).fold(0.0, f64::max)
    }
}
