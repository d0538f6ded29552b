//! Functions of time.

use super::expression::Expression;
use super::function::{FunctionError, FunctionSignal, SignalFunction};
use super::table::Table;
use crate::Help;
use crate::plan::Path;
use crate::scalar::{Jet, Number, sine};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// A function of time, for motors, loads, prescribed joints and references.
///
/// ```
/// use pliant::simulate::Signal;
///
/// let push = Signal::Step { at: 1.0, before: 0.0, after: 5.0 };
/// let wave = Signal::Sine { amplitude: 2.0, frequency_hz: 0.5, phase: 0.0, offset: 0.0, start: 0.0 };
/// assert_eq!(push.value(1.0), 5.0);
/// assert!((Signal::Sum(vec![push, wave]).value(1.5) - 3.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// Always the same.
    Constant(f64),
    /// One value before an instant, another from it on.
    Step {
        /// The instant (s).
        at: f64,
        /// The value before.
        before: f64,
        /// The value from then on.
        after: f64,
    },
    /// From one value to another along a straight line.
    Ramp {
        /// When it starts (s).
        start: f64,
        /// How long it takes (s).
        duration: f64,
        /// The value until it starts.
        from: f64,
        /// The value once it has ended.
        to: f64,
    },
    /// `offset + amplitude sin(2π f (t − start) + phase)`; it stands still before the start.
    Sine {
        /// The amplitude.
        amplitude: f64,
        /// The frequency (Hz).
        frequency_hz: f64,
        /// The phase at the start (rad).
        phase: f64,
        /// The mean.
        offset: f64,
        /// When it starts (s).
        start: f64,
    },
    /// A sine whose frequency goes from one value to another, linearly in time, and stays there. It
    /// stands still before the start.
    Chirp {
        /// The amplitude.
        amplitude: f64,
        /// The frequency at the start (Hz).
        from_hz: f64,
        /// The frequency at the end (Hz).
        to_hz: f64,
        /// How long the sweep takes (s).
        duration: f64,
        /// The phase at the start (rad).
        phase: f64,
        /// The mean.
        offset: f64,
        /// When it starts (s).
        start: f64,
    },
    /// Values at times.
    Table(Table),
    /// An expression of the time `t`. Where it jumps, has a corner or a short pulse is looked for
    /// before a run, in a bounded number of evaluations; of what is missed the integrator finds out
    /// by short steps.
    Expression(Expression),
    /// One component of a path, by number from 0.
    Planned {
        /// The path.
        path: Arc<Path>,
        /// Which of its components.
        component: usize,
    },
    /// A function of one's own.
    Function(FunctionSignal),
    /// All of them together.
    Sum(Vec<Signal>),
}

/// A time at which a signal is not smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Break {
    /// When (s).
    pub time: f64,
    /// The lowest derivative that jumps: 0 for the value itself, 1 for the rate.
    pub derivative: u8,
}

/// A signal that has no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SignalError {
    /// NaN or infinite.
    #[error("{what} is {value}, which is not a finite number")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// A duration that is not positive.
    #[error("{what} takes {value} s")]
    NoDuration {
        /// Ramp or chirp.
        what: &'static str,
        /// As given (s).
        value: f64,
    },
    /// A path that is narrower.
    #[error("the path has no component {component}")]
    NoComponent {
        /// As given.
        component: usize,
        /// How many there are.
        width: usize,
    },
    /// A function of one's own that gives up at the start.
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// Times and values of a table do not pair.
    #[error("the table has {times} times and {values} values")]
    TableLengths {
        /// How many times.
        times: usize,
        /// How many values.
        values: usize,
    },
    /// Times of a table that do not ascend.
    #[error("the table's time {next} s follows {time} s in row {row}")]
    TableOrder {
        /// The row of the later one, from 0.
        row: usize,
        /// The time before (s).
        time: f64,
        /// The time that follows (s).
        next: f64,
    },
}

impl Help for SignalError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NotFinite { .. } => "give a finite number".into(),
            Self::NoDuration { .. } => "it must take some time".into(),
            Self::NoComponent { width, .. } => format!("it has {width}, counted from 0"),
            Self::Function(error) => return error.help(),
            Self::TableLengths { .. } => "give as many times as values, at least one".into(),
            Self::TableOrder { .. } => "times must ascend".into(),
        })
    }
}

impl Signal {
    /// A function of one's own.
    pub fn function(function: impl SignalFunction + 'static) -> Self {
        Self::Function(FunctionSignal(Arc::new(function)))
    }

    /// The value at a time; at a jump, the right-hand limit.
    pub fn value(&self, t: f64) -> f64 {
        self.value_beside(t, false)
    }

    /// The value at a time; at a jump, the limit from the left or from the right.
    pub(super) fn value_beside(&self, t: f64, is_before: bool) -> f64 {
        match self {
            Self::Function(function) => function.value(t, is_before),
            Self::Sum(parts) => {
                parts.iter().fold(0.0, |sum, part| sum + part.value_beside(t, is_before))
            }
            _ => self.evaluate(t, is_before).value,
        }
    }

    /// The value and its derivatives at a time; at a break, the right-hand limits.
    pub fn jet(&self, t: f64) -> Jet {
        self.evaluate(t, false)
    }

    /// The value and its derivatives as left-hand limits at a time.
    pub fn jet_before(&self, t: f64) -> Jet {
        self.evaluate(t, true)
    }

    fn evaluate(&self, t: f64, is_before: bool) -> Jet {
        let is_past = |time: f64| t > time || (t == time && !is_before);
        let wave = |angle: Jet, amplitude: f64, offset: f64| {
            Jet::constant(offset) + Jet::constant(amplitude) * angle.apply(sine)
        };
        match self {
            Self::Constant(value) => Jet::constant(*value),
            Self::Step { at, before, after } => {
                Jet::constant(if is_past(*at) { *after } else { *before })
            }
            Self::Ramp { start, duration, from, to } => {
                if !is_past(*start) {
                    Jet::constant(*from)
                } else if is_past(start + duration) {
                    Jet::constant(*to)
                } else {
                    let rate = (to - from) / duration;
                    Jet { value: from + rate * (t - start), rate, acceleration: 0.0 }
                }
            }
            Self::Sine { amplitude, frequency_hz, phase, offset, start } => {
                let angle = if is_past(*start) {
                    let rate = TAU * frequency_hz;
                    Jet { value: phase + rate * (t - start), rate, acceleration: 0.0 }
                } else {
                    Jet::constant(*phase)
                };
                wave(angle, *amplitude, *offset)
            }
            Self::Chirp { amplitude, from_hz, to_hz, duration, phase, offset, start } => {
                let s = t - start;
                let angle = if !is_past(*start) {
                    Jet::constant(*phase)
                } else if is_past(start + duration) {
                    let swept = PI * (from_hz + to_hz) * duration;
                    let rate = TAU * to_hz;
                    let value = phase + swept + rate * (s - duration);
                    Jet { value, rate, acceleration: 0.0 }
                } else {
                    let bend = TAU * (to_hz - from_hz) / duration;
                    let rate = TAU * from_hz;
                    let value = phase + s * (rate + 0.5 * bend * s);
                    Jet { value, rate: rate + bend * s, acceleration: bend }
                };
                wave(angle, *amplitude, *offset)
            }
            Self::Table(table) => table.jet(t, is_before),
            Self::Expression(expression) => expression.evaluate(&[Jet::time(t)]),
            Self::Planned { path, component } => path.component(*component, t, is_before),
            Self::Function(function) => function.jet(t, is_before),
            Self::Sum(parts) => {
                parts.iter().fold(Jet::constant(0.0), |sum, part| sum + part.evaluate(t, is_before))
            }
        }
    }

    /// Visits the times at which it is not smooth, without those inside expressions.
    pub fn each_break(&self, visit: &mut dyn FnMut(Break)) {
        let mut at = |time: f64, derivative: u8| visit(Break { time, derivative });
        match self {
            Self::Constant(_) | Self::Expression(_) => {}
            Self::Step { at: time, .. } => at(*time, 0),
            Self::Ramp { start, duration, .. } => {
                at(*start, 1);
                at(start + duration, 1);
            }
            Self::Sine { start, .. } => at(*start, 1),
            Self::Chirp { start, duration, .. } => {
                at(*start, 1);
                at(start + duration, 2);
            }
            Self::Table(table) => table.each_break(visit),
            Self::Function(function) => function.0.breaks().iter().copied().for_each(visit),
            Self::Planned { path, .. } => path.breaks().iter().for_each(|&time| at(time, 2)),
            Self::Sum(parts) => {
                for part in parts {
                    part.each_break(visit);
                }
            }
        }
    }

    /// The expressions in it.
    pub(super) fn expressions(&self) -> Vec<&Expression> {
        match self {
            Self::Expression(expression) => vec![expression],
            Self::Sum(parts) => parts.iter().flat_map(Self::expressions).collect(),
            _ => Vec::new(),
        }
    }

    /// Visits what the parts of its expressions do at a time (s), as far as they can have a corner, a
    /// jump or a pole.
    pub(super) fn each_side(&self, t: f64, visit: &mut dyn FnMut(bool)) {
        match self {
            Self::Expression(expression) => expression.sides(t, visit),
            Self::Sum(parts) => parts.iter().for_each(|part| part.each_side(t, visit)),
            _ => {}
        }
    }

    /// Refuses numbers that are none and durations that are not positive.
    pub fn check(&self) -> Result<(), SignalError> {
        let finite = |numbers: &[(&'static str, f64)]| match numbers
            .iter()
            .find(|(_, value)| !value.is_finite())
        {
            Some(&(what, value)) => Err(SignalError::NotFinite { what, value }),
            None => Ok(()),
        };
        let lasting = |what, value: f64| {
            if value > 0.0 { Ok(()) } else { Err(SignalError::NoDuration { what, value }) }
        };
        match self {
            Self::Constant(value) => finite(&[("the constant", *value)]),
            Self::Step { at, before, after } => {
                finite(&[("the instant", *at), ("before", *before), ("after", *after)])
            }
            Self::Ramp { start, duration, from, to } => {
                finite(&[
                    ("start", *start),
                    ("duration", *duration),
                    ("from", *from),
                    ("to", *to),
                ])?;
                lasting("the ramp", *duration)
            }
            Self::Sine { amplitude, frequency_hz, phase, offset, start } => finite(&[
                ("amplitude", *amplitude),
                ("frequency", *frequency_hz),
                ("phase", *phase),
                ("offset", *offset),
                ("start", *start),
            ]),
            Self::Chirp { amplitude, from_hz, to_hz, duration, phase, offset, start } => {
                finite(&[
                    ("amplitude", *amplitude),
                    ("the first frequency", *from_hz),
                    ("the last frequency", *to_hz),
                    ("duration", *duration),
                    ("phase", *phase),
                    ("offset", *offset),
                    ("start", *start),
                ])?;
                lasting("the chirp", *duration)
            }
            Self::Table(_) | Self::Expression(_) => Ok(()),
            Self::Function(function) => function.check().map_or(Ok(()), |error| Err(error.into())),
            Self::Planned { path, component } => {
                let (component, width) = (*component, path.width());
                let is_there = component < width;
                is_there.then_some(()).ok_or(SignalError::NoComponent { component, width })
            }
            Self::Sum(parts) => parts.iter().try_for_each(Self::check),
        }
    }
}

impl From<f64> for Signal {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl From<Table> for Signal {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Expression> for Signal {
    fn from(expression: Expression) -> Self {
        Self::Expression(expression)
    }
}
