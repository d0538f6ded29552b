//! Whether a joint can follow a signal: it is finite everywhere, and neither position nor rate jump,
//! which would need an infinite force.
//!
//! Signals tell their own breaks. Inside expressions these are looked for: a run is divided into
//! parts, and where the arguments of functions with a corner, a jump or a pole change their side or
//! their direction between two ends of a part, the instant is found by bisection.

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
        if signal.has_expression() {
            search.start();
            search.expressions();
        }
        search.breaks();
        match search.first {
            Some(flaw) => Err(flaw),
            None => Ok(search.way),
        }
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
    /// to it and farther away.
    fn compare(&mut self, time: f64, near: [[f64; 3]; 2], far: [[f64; 3]; 2]) {
        let of = |sides: [[f64; 3]; 2], k: usize| sides.map(|side| side[k]);
        let jumps = |k: &usize| self.way.jump_of(*k, of(near, *k), of(far, *k));
        let found = (0..=self.kept).find(jumps);
        let Some(derivative) = found else { return };
        let is_last = time >= self.way.duration;
        if derivative < self.kept && !is_last {
            let [before, after] = of(near, derivative);
            self.note(Flaw::Jump { time, derivative, by: after - before });
        } else if self.way.corners.last().is_none_or(|last| time > *last) {
            self.way.corners.push(time);
        }
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
mod tests {
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
            (
                "atan2(sin(4 * t), cos(4 * t))",
                std::f64::consts::FRAC_PI_4,
                0,
                -std::f64::consts::TAU,
            ),
            ("tanh(abs(abs(t - 1) - 0.5))", 0.5, 1, 2.0),
            ("1e-3 * t + step(t - 1) - step(t - 1.0000001)", 1.0, 0, 1.0),
            ("sin(t) * sign(sin(5e6 * (t + 0.1)))", f64::NAN, 0, f64::NAN),
            ("abs(t)", 0.0, 1, 1.0),
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
        let far = Way { duration: 2.0, scale: [1.0; 3], corners: Vec::new() };
        let signal = |text: &str| Signal::from(Expression::of_time(text).expect("an expression"));
        let found = |text: &str| far.jump_within(&signal(text), 2, 0.9, 1.1);
        let Some(Flaw::Jump { time, derivative: 1, by }) = found("0.5 * abs(t - 1.03) + sin(t)")
        else {
            panic!("{:?}", found("0.5 * abs(t - 1.03) + sin(t)"));
        };
        assert!((time - 1.03).abs() < 1e-12 && (by - 1.0).abs() < 1e-12, "{time} {by}");
        assert!(matches!(found("step(t - 1.07)"), Some(Flaw::Jump { derivative: 0, .. })));
        assert_eq!(found("sin(300 * t)"), None);
    }
}
