//! Whether a joint can follow a signal: it is finite everywhere, and neither position nor rate jump,
//! which would need an infinite force.
//!
//! Signals tell their own breaks. Inside expressions these are looked for: a run is divided into
//! parts, and where the arguments of functions with a corner, a jump or a pole change their side or
//! their direction between two ends of a part, the instant is found by bisection. Pairs of them, and
//! pulses without any, are found by what they can reach within a part.

use super::pulses::Pulses;
use super::signal::{Break, Signal};
use crate::scalar::Jet;

/// A jump is rounding where it is a smaller part than this of the largest value on the way.
const ROUNDING: f64 = 1e-9;

/// Into how many parts a run is divided to look at expressions.
const PARTS: u32 = 4096;

/// How many instants are looked at within a part, and in all.
const MOST: [usize; 2] = [8, 2000];

/// The distance of a left and a right limit from an instant, in rounding errors of it, and a larger
/// one: from there to the limit, what grows has no bound, and what shrinks is no jump.
const NEAR: f64 = 4.0;
const FAR: f64 = 4096.0;

/// A step in which a motion departs by a larger part of the largest value on the way from what it
/// was integrated to is looked at for a jump.
const SUSPECT: f64 = 1e-6;

/// An instant at which no joint can follow a signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flaw {
    Jump {
        time: f64,
        /// Of the value (0), its rate or its acceleration.
        derivative: usize,
        by: f64,
    },
    /// No number, or no bound.
    Unbounded { time: f64, derivative: usize, value: f64 },
}

impl Flaw {
    pub(super) fn derivative(self) -> usize {
        match self {
            Self::Jump { derivative, .. } | Self::Unbounded { derivative, .. } => derivative,
        }
    }

    fn time(self) -> f64 {
        match self {
            Self::Jump { time, .. } | Self::Unbounded { time, .. } => time,
        }
    }
}

/// What is known of a signal along a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    /// The duration of the run (s).
    duration: f64,
    /// The largest value, rate and acceleration.
    scale: [f64; 3],
    /// The instants (s) at which an expression has a corner that a joint can follow, ascending.
    pub(super) corners: Vec<f64>,
    /// Further instants (s) that steps must not pass over.
    pub(super) pulses: Vec<f64>,
}

/// What is known of all functions of time that act.
pub(super) struct Ways {
    pub(super) motors: Vec<Way>,
    pub(super) loads: Vec<Way>,
    pub(super) prescribed: Vec<Way>,
}

/// Whether the difference of two limits is as large near to an instant as farther away from it: that
/// of something smooth shrinks with the distance.
fn stays(near: [f64; 2], far: [f64; 2]) -> bool {
    (near[1] - near[0]).abs() > 0.5 * (far[1] - far[0]).abs()
}

fn derivatives(jet: Jet) -> [f64; 3] {
    [jet.value, jet.rate, jet.acceleration]
}

impl Way {
    /// Along a signal of which the first `kept` of value, rate and acceleration must not jump, and
    /// one more be finite.
    pub(super) fn along(signal: &Signal, kept: usize, duration: f64) -> Result<Self, Flaw> {
        let way = Self { duration, ..Self::default() };
        let mut search = Search { signal, kept, way, first: None };
        search.sample()?;
        if !signal.expressions().is_empty() {
            search.start();
            search.expressions();
            search.pulses();
        }
        search.breaks();
        match search.first {
            Some(flaw) => Err(flaw),
            None => Ok(search.way),
        }
    }

    /// Along a signal that may jump, such as a force.
    pub(super) fn of_force(signal: &Signal, duration: f64) -> Self {
        let mut way = Self { duration, ..Self::default() };
        for pulses in way.pulses_of(signal) {
            let start = |time: f64| if way.are_one(time, 0.0) { 0.0 } else { time };
            let corners: Vec<f64> = pulses.corners.into_iter().map(start).collect();
            way.corners.extend(corners);
            way.pulses.extend(pulses.instants);
        }
        way.corners.sort_by(f64::total_cmp);
        way
    }

    fn pulses_of(&self, signal: &Signal) -> Vec<Pulses> {
        let shortest = |t: f64| self.nudge(t);
        let expressions = signal.expressions().into_iter();
        expressions.map(|one| Pulses::of(one, self.duration, shortest)).collect()
    }

    /// Whether two instants are one but for rounding.
    fn are_one(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= 2.0 * self.nudge(a.max(b))
    }

    /// The instants at which steps must land beside those that are known otherwise.
    pub(super) fn landings(&self, known: &[f64]) -> Vec<f64> {
        let is_new = |&time: &f64| !known.iter().any(|&known| self.are_one(known, time));
        self.pulses.iter().copied().filter(is_new).collect()
    }

    /// How far a left or right limit at a time is from it (s).
    fn nudge(&self, t: f64) -> f64 {
        NEAR * f64::EPSILON * t.max(self.duration / 1024.0)
    }

    fn is_jump(&self, derivative: usize, from: f64, to: f64) -> bool {
        let scale = self.scale[derivative].max(from.abs()).max(to.abs());
        (to - from).abs() > ROUNDING * scale
    }

    /// Where derivatives differ on both sides of an instant, near to it and farther away.
    fn jump_of(&self, derivative: usize, near: [f64; 2], far: [f64; 2]) -> bool {
        self.is_jump(derivative, near[0], near[1]) && stays(near, far)
    }

    /// Where to look at the signal for its limit at a time, from the left or from the right: beside
    /// the corners of expressions.
    pub(super) fn beside(&self, t: f64, is_before: bool) -> f64 {
        if self.corners.binary_search_by(|corner| corner.total_cmp(&t)).is_err() {
            return t;
        }
        if is_before { t - self.nudge(t) } else { t + self.nudge(t) }
    }

    /// Whether what a motion was integrated to and what it should be differ by more than errors of
    /// integration.
    pub(super) fn is_suspect(&self, derivative: usize, integrated: f64, told: f64) -> bool {
        (integrated - told).abs() > SUSPECT * self.scale[derivative]
    }

    /// The largest of the jumps within a step, where the motion departs most from the polynomial
    /// that has its derivatives at both ends.
    pub(super) fn jump_within(
        &self,
        signal: &Signal,
        kept: usize,
        start: f64,
        end: f64,
    ) -> Option<Flaw> {
        let departure = |derivative: usize, from: f64, to: f64| {
            let (a, b, h) = (signal.jet(from), signal.jet_before(to), to - from);
            match derivative {
                0 => {
                    let bend = h / 12.0 * (b.acceleration - a.acceleration);
                    (b.value - a.value - h * (0.5 * (a.rate + b.rate) - bend)).abs()
                }
                _ => (b.rate - a.rate - 0.5 * h * (a.acceleration + b.acceleration)).abs(),
            }
        };
        (0..kept).find_map(|derivative| {
            let (mut from, mut to) = (start, end);
            while to - from > self.nudge(to) {
                let middle = 0.5 * (from + to);
                if departure(derivative, from, middle) > departure(derivative, middle, to) {
                    to = middle;
                } else {
                    from = middle;
                }
            }
            let [near, far] = [1.0, FAR / NEAR].map(|distance| {
                let before = (from - distance * self.nudge(from)).max(start);
                let after = (to + distance * self.nudge(to)).min(end);
                [signal.jet_before(before), signal.jet(after)].map(derivatives)
            });
            let of = |sides: [[f64; 3]; 2], k: usize| sides.map(|side| side[k]);
            let [before, after] = of(near, derivative);
            // what it does within the step counts where samples of the run have missed it
            let way = of(near, derivative + 1).map(|next| next.abs() * (end - start));
            let scale = [before.abs(), after.abs(), way[0], way[1]]
                .into_iter()
                .fold(self.scale[derivative], f64::max);
            let is_jump = (after - before).abs() > SUSPECT * scale;
            let is_jump = is_jump && stays([before, after], of(far, derivative));
            is_jump.then_some(Flaw::Jump { time: to, derivative, by: after - before })
        })
    }
}

struct Search<'a> {
    signal: &'a Signal,
    kept: usize,
    way: Way,
    /// The first flaw found so far.
    first: Option<Flaw>,
}

impl Search<'_> {
    fn note(&mut self, flaw: Flaw) {
        if self.first.is_none_or(|first| flaw.time() < first.time()) {
            self.first = Some(flaw);
        }
    }

    /// What is no number at a time.
    fn not_finite(&self, time: f64) -> Option<Flaw> {
        let jet = derivatives(self.signal.jet(time));
        let found = jet[..=self.kept].iter().position(|value| !value.is_finite());
        found.map(|derivative| Flaw::Unbounded { time, derivative, value: jet[derivative] })
    }

    /// The ends of the parts of the run, without its start.
    fn ends(&self) -> impl Iterator<Item = f64> + use<> {
        let duration = self.way.duration;
        (1..=PARTS).map(move |part| duration * (f64::from(part) / f64::from(PARTS)))
    }

    /// How large it is, and where it is no number.
    fn sample(&mut self) -> Result<(), Flaw> {
        let mut previous = 0.0;
        for time in std::iter::once(0.0).chain(self.ends()) {
            if self.not_finite(time).is_some() {
                let first = self.bisect(previous, time, |search, t| search.not_finite(t).is_none());
                return Err(self.not_finite(first).unwrap_or(Flaw::Unbounded {
                    time,
                    derivative: 0,
                    value: f64::NAN,
                }));
            }
            let jet = derivatives(self.signal.jet(time));
            for (scale, value) in self.way.scale.iter_mut().zip(jet) {
                *scale = scale.max(value.abs());
            }
            previous = time;
        }
        // samples of a vibration may all be its zeros
        let part = self.way.duration / f64::from(PARTS);
        for k in (0..2).rev() {
            self.way.scale[k] = self.way.scale[k].max(part * self.way.scale[k + 1]);
        }
        Ok(())
    }

    /// The first time after `from` that is not alike, where `to` is not.
    fn bisect(&self, from: f64, to: f64, is_alike: impl Fn(&Self, f64) -> bool) -> f64 {
        let (mut from, mut to) = (from, to);
        while to - from > f64::EPSILON * to.max(self.way.duration / 1024.0) {
            let middle = 0.5 * (from + to);
            if middle <= from || middle >= to {
                break;
            }
            if is_alike(self, middle) {
                from = middle;
            } else {
                to = middle;
            }
        }
        to
    }

    /// Whether it goes on from its value at the start.
    fn start(&mut self) {
        let nudge = self.way.nudge(0.0);
        let times = [0.0, nudge, nudge * (FAR / NEAR)];
        let [now, near, far] = times.map(|t| derivatives(self.signal.jet(t)));
        self.compare(0.0, [now, near], [now, far]);
    }

    /// Notes a jump of what must not jump, or a corner: derivatives on both sides of an instant, near
    /// to it and farther away. The rate that a motion starts with comes from nowhere, and does not
    /// jump.
    fn compare(&mut self, time: f64, near: [[f64; 3]; 2], far: [[f64; 3]; 2]) {
        let of = |sides: [[f64; 3]; 2], k: usize| sides.map(|side| side[k]);
        let jumps = |k: &usize| self.way.jump_of(*k, of(near, *k), of(far, *k));
        let found = (0..=self.kept).find(jumps);
        let Some(derivative) = found else { return };
        let is_last = time >= self.way.duration;
        let begins = time == 0.0 && derivative + 1 == self.kept;
        if derivative < self.kept && !is_last && !begins {
            let [before, after] = of(near, derivative);
            self.note(Flaw::Jump { time, derivative, by: after - before });
        } else if !self.way.corners.iter().any(|&known| self.way.are_one(known, time)) {
            self.way.corners.push(time);
        }
    }

    /// Pulses that last shorter than the parts, and the corners of such.
    fn pulses(&mut self) {
        for pulses in self.way.pulses_of(self.signal) {
            let corners = pulses.corners.into_iter().filter(|time| !self.way.are_one(*time, 0.0));
            corners.collect::<Vec<_>>().into_iter().for_each(|time| self.inspect(time));
            self.way.pulses.extend(pulses.instants);
        }
        self.way.corners.sort_by(f64::total_cmp);
    }

    /// The jumps that signals know of.
    fn breaks(&mut self) {
        let (signal, kept, duration) = (self.signal, self.kept, self.way.duration);
        signal.each_break(&mut |Break { time, derivative }| {
            if time > 0.0 && time < duration && usize::from(derivative) < kept {
                let before = derivatives(signal.jet_before(time));
                let after = derivatives(signal.jet(time));
                let jump = (0..kept).find(|&k| self.way.is_jump(k, before[k], after[k]));
                if let Some(derivative) = jump {
                    let by = after[derivative] - before[derivative];
                    self.note(Flaw::Jump { time, derivative, by });
                }
            }
        });
    }

    /// Corners, jumps and poles inside expressions.
    fn expressions(&mut self) {
        let alike = |search: &Self, sides: &[bool], t: f64| {
            let (mut k, mut same) = (0, true);
            search.signal.each_side(t, &mut |side| {
                same &= sides.get(k) == Some(&side);
                k += 1;
            });
            same
        };
        let (mut left, mut count) = (self.way.nudge(0.0), 0);
        let mut sides = Vec::new();
        for right in self.ends() {
            for _ in 0..MOST[0] {
                sides.clear();
                self.signal.each_side(left, &mut |side| sides.push(side));
                if alike(self, &sides, right) {
                    break;
                }
                left = self.bisect(left, right, |search, t| alike(search, &sides, t));
                self.inspect(left);
                count += 1;
                if count >= MOST[1] {
                    return;
                }
            }
            left = right;
        }
    }

    /// Looks at an instant from both sides.
    fn inspect(&mut self, time: f64) {
        if let Some(flaw) = self.not_finite(time) {
            return self.note(flaw);
        }
        let nudge = self.way.nudge(time);
        let at = |t: f64| derivatives(self.signal.jet(t));
        let [before, after] = [-nudge, nudge].map(|way| {
            let far = (time + way * (FAR / NEAR)).max(0.0);
            (at((time + way).max(0.0)), at(far))
        });
        for (near, far) in [before, after] {
            let is_pole = |&k: &usize| {
                let (near, far) = (near[k].abs(), far[k].abs());
                !near.is_finite() || (near > 2.0 * far && near > self.way.scale[k])
            };
            if let Some(derivative) = (0..=self.kept).find(is_pole) {
                let value = near[derivative];
                return self.note(Flaw::Unbounded { time, derivative, value });
            }
        }
        self.compare(time, [before.0, after.0], [before.1, after.1]);
    }
}

#[cfg(test)]
mod tests;
