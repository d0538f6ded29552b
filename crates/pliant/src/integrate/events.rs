//! Crossings of functions of the motion, located within the steps.

use super::failure::Failure;
use super::method::Method;
use super::stepper::{Dense, Step};
use super::system::System;

/// Which crossings count, in the direction of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// From below zero.
    Rising,
    /// From above zero.
    Falling,
    /// Both.
    #[default]
    Either,
}

/// `g(t, y)`.
type Function<'f> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'f>;

/// A function `g(t, y)` whose zeros are wanted.
pub struct EventFunction<'f> {
    function: Function<'f>,
    direction: Direction,
    is_terminal: bool,
}

impl<'f> EventFunction<'f> {
    /// Crossings in either direction, reported.
    pub fn new(function: impl FnMut(f64, &[f64]) -> f64 + 'f) -> Self {
        Self { function: Box::new(function), direction: Direction::Either, is_terminal: false }
    }

    /// Only crossings in this direction.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// A crossing ends what is found of a step: the run is meant to stop there, or to go on from
    /// there after a change.
    #[must_use]
    pub fn terminal(self) -> Self {
        Self { is_terminal: true, ..self }
    }
}

/// A zero that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Which event, in the order in which they were added.
    pub event: usize,
    /// When: on the far side of the zero or on it, by no more than rounding.
    pub time: f64,
    /// From below zero.
    pub is_rising: bool,
    /// The run is meant to stop there.
    pub is_terminal: bool,
}

/// Finds the crossings of each step.
///
/// ```
/// use pliant::integrate::{Direction, Dop853, EventFunction, Events, Stepper};
///
/// // a ball that keeps four fifths of its speed on the floor
/// let fall = |_t: f64, y: &[f64], rate: &mut [f64]| rate.copy_from_slice(&[y[1], -9.81]);
/// let mut stepper = Stepper::new(fall, Dop853::new(1e-9), 0.0, &[1.0, 0.0])?;
/// let mut events = Events::new();
/// let floor = EventFunction::new(|_t, y: &[f64]| y[0]).direction(Direction::Falling).terminal();
/// events.add(floor);
/// let (mut bounces, mut state) = (Vec::new(), [0.0; 2]);
/// while let Some(mut step) = stepper.step(2.0)? {
///     if let Some(hit) = events.find(&mut step)?.last().copied() {
///         step.state_at(hit.time, &mut state)?;
///         stepper.restart(hit.time, &[0.0, -0.8 * state[1]])?;
///         bounces.push(hit.time);
///     }
/// }
/// assert!((bounces[0] - (2.0_f64 / 9.81).sqrt()).abs() < 1e-9 && bounces.len() == 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Each step is looked at in a few equal parts; a crossing is a change of sign over one of them,
/// and is located there by bracketing. A zero met exactly is reported once, where it is met, and not
/// where a run starts or goes on from it. Values that are NaN are passed over.
#[derive(Default)]
pub struct Events<'f> {
    watches: Vec<Watch<'f>>,
    parts: usize,
    found: Vec<Crossing>,
    /// The end of the step before.
    reached: Option<f64>,
    state: Vec<f64>,
}

struct Watch<'f> {
    event: EventFunction<'f>,
    /// Where the function was last seen other than zero, and its value there; none on a zero.
    seen: Option<(f64, f64)>,
    /// The value at the end of a step that may need no further look.
    value: f64,
    /// When its last crossing was.
    crossed: Option<f64>,
}

impl<'f> Events<'f> {
    /// None yet; each step is looked at in four parts.
    pub fn new() -> Self {
        Self { parts: 4, ..Self::default() }
    }

    /// In how many parts each step is looked at, at least one. With one, steps without a change of
    /// sign between their ends are not looked into, which saves the cost of interpolation.
    #[must_use]
    pub fn parts(self, parts: usize) -> Self {
        Self { parts: parts.max(1), ..self }
    }

    /// Adds an event, to be watched from the next step on, and returns its number.
    pub fn add(&mut self, event: EventFunction<'f>) -> usize {
        self.watches.push(Watch { event, seen: None, value: f64::NAN, crossed: None });
        self.reached = None;
        // a step can have a crossing in each part, and one at its end
        self.found.reserve(self.watches.len() * (self.parts + 1));
        self.watches.len() - 1
    }

    /// The crossings of a step in the order of the motion, up to the first terminal one.
    pub fn find<S: System, M: Method<S>>(
        &mut self,
        step: &mut Step<'_, S, M>,
    ) -> Result<&[Crossing], Failure<S::Error>> {
        let span = step.span();
        let (start, end) = (span.start, span.end);
        self.found.clear();
        self.state.resize(span.after.len(), 0.0);
        let is_seamless = self.reached.replace(end) == Some(start);
        for watch in &mut self.watches {
            watch.begin(is_seamless, start, span.before);
        }
        if self.parts == 1 {
            let mut changes = false;
            for watch in &mut self.watches {
                watch.value = (watch.event.function)(end, span.after);
                changes |= watch.seen.is_some_and(|(_, seen)| seen * watch.value <= 0.0);
            }
            if !changes {
                for watch in &mut self.watches {
                    pass(&mut watch.seen, end, watch.value);
                }
                return Ok(&self.found);
            }
        }
        let dense = step.dense()?;
        for (number, watch) in self.watches.iter_mut().enumerate() {
            for part in 1..=self.parts {
                let fraction = part as f64 / self.parts as f64;
                let time = if part == self.parts { end } else { start + fraction * (end - start) };
                if let Some((time, is_rising)) = watch.look(&dense, time, &mut self.state) {
                    let is_terminal = watch.event.is_terminal;
                    self.found.push(Crossing { event: number, time, is_rising, is_terminal });
                }
            }
        }
        let along = (end - start).signum();
        self.found.sort_unstable_by(|a, b| {
            (along * a.time).total_cmp(&(along * b.time)).then(a.event.cmp(&b.event))
        });
        if let Some(first) = self.found.iter().position(|crossing| crossing.is_terminal) {
            self.found.truncate(first + 1);
        }
        Ok(&self.found)
    }
}

impl Watch<'_> {
    /// Looks at the start of a step that does not follow the one before. A crossing from which the
    /// run goes on is not seen again.
    fn begin(&mut self, is_seamless: bool, time: f64, state: &[f64]) {
        if self.crossed == Some(time) {
            self.seen = None;
        } else if !is_seamless {
            self.seen = None;
            let value = (self.event.function)(time, state);
            pass(&mut self.seen, time, value);
        }
    }

    /// Looks at the next time, and back if the sign has changed: when, and whether it rose.
    fn look<S: System, M: Method<S>>(
        &mut self,
        dense: &Dense<'_, S, M>,
        time: f64,
        state: &mut [f64],
    ) -> Option<(f64, bool)> {
        let function = &mut self.event.function;
        let mut value_at = |time: f64| {
            dense.at(time, state);
            function(time, state)
        };
        let value = value_at(time);
        let before = self.seen;
        pass(&mut self.seen, time, value);
        let (seen, old) = before.filter(|(_, old)| old * value <= 0.0)?;
        let when = if value == 0.0 { time } else { bracket((seen, old), (time, value), value_at) };
        let is_rising = old < 0.0;
        let counts = match self.event.direction {
            Direction::Either => true,
            Direction::Rising => is_rising,
            Direction::Falling => !is_rising,
        };
        if counts {
            self.crossed = Some(when);
        }
        counts.then_some((when, is_rising))
    }
}

/// Takes note of a value.
fn pass(seen: &mut Option<(f64, f64)>, time: f64, value: f64) {
    if value == 0.0 {
        *seen = None;
    } else if !value.is_nan() {
        *seen = Some((time, value));
    }
}

/// Narrows an interval over which a function changes its sign to the rounding of time, and returns
/// the end that lies beyond the zero: the method of interpolation, truncation and projection of
/// Oliveira (2020), which never takes more evaluations than one above bisection.
pub(crate) fn bracket(
    from: (f64, f64),
    to: (f64, f64),
    mut value_at: impl FnMut(f64) -> f64,
) -> f64 {
    let ((mut a, mut at_a), (mut b, mut at_b)) = (from, to);
    let tolerance = 2.0 * f64::EPSILON * a.abs().max(b.abs());
    let width = (b - a).abs();
    let most = (width / (2.0 * tolerance)).log2().ceil().max(0.0) + 1.0;
    let truncation = 0.2 / width;
    let mut round = 0;
    while (b - a).abs() > 2.0 * tolerance {
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        // interpolation
        let falsi = (a * at_b - b * at_a) / (at_b - at_a);
        // truncation: a little towards the middle
        let away = middle - falsi;
        let little = truncation * (b - a).powi(2);
        let near = if little <= away.abs() { falsi + little.copysign(away) } else { middle };
        // projection: not further from the middle than bisection allows
        let radius = (tolerance * 2.0_f64.powf(most - f64::from(round)) - half.abs()).max(0.0);
        let time =
            if (near - middle).abs() <= radius { near } else { middle - radius.copysign(away) };
        // rounding must not leave the interval
        let inside = (time - a) * (time - b) < 0.0;
        let time = if inside { time } else { middle };
        if time == a || time == b {
            break;
        }
        let value = value_at(time);
        if value == 0.0 {
            return time;
        }
        if value * at_a > 0.0 {
            (a, at_a) = (time, value);
        } else {
            (b, at_b) = (time, value);
        }
        round += 1;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::bracket;

    #[test]
    fn zeros_are_found_to_rounding_in_few_evaluations() {
        type Function = fn(f64) -> f64;
        let cases: [(Function, f64, f64, f64); 5] = [
            (|x| x * x - 2.0, 0.0, 2.0, 2.0_f64.sqrt()),
            (|x| x.cos(), 1.0, 2.0, std::f64::consts::FRAC_PI_2),
            (|x| x.cos(), 2.0, 1.0, std::f64::consts::FRAC_PI_2),
            (|x| (x - 0.3).powi(5), 0.0, 1.0, 0.3),
            (|x| if x < 0.7 { -1.0 } else { 1e-9 }, 0.0, 1.0, 0.7),
        ];
        for (function, a, b, wanted) in cases {
            let mut count = 0;
            let found = bracket((a, function(a)), (b, function(b)), |x| {
                count += 1;
                function(x)
            });
            assert!((found - wanted).abs() < 2e-15, "{found} {wanted}");
            assert!((found - wanted) * (b - a) >= -1e-16 && count <= 54, "{found}: {count}");
        }
    }
}
