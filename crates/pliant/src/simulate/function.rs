//! Functions of one's own: of time as signals, of time and state as events.
//!
//! Signals and events are evaluated where nothing can be returned but a number. A function that gives
//! up is therefore noted, for the thread that runs, and its value is NaN; whoever asked for values
//! looks at the note before it uses them.

use super::signal::Break;
use crate::Help;
use crate::scalar::Jet;
use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::Arc;

/// The largest distance between two instants from which derivatives are found (s).
const STEP: f64 = 1e-3;

/// From how many instants.
const NODES: usize = 7;

/// A function of time of one's own, for motors, loads, prescribed joints and the joints of a plan.
///
/// It remembers nothing: a run asks for any time within it, several times and in any order. An error
/// ends the run with its words, and what was recorded stays; so does a value that is not finite.
///
/// ```
/// use pliant::Help;
/// use pliant::simulate::{Signal, SignalFunction};
///
/// #[derive(Debug)]
/// struct Bell;
///
/// impl SignalFunction for Bell {
///     fn name(&self) -> &str {
///         "bell"
///     }
///
///     fn value(&self, t: f64, _: bool) -> Result<f64, Box<dyn Help + Send + Sync>> {
///         Ok((-(t - 1.0) * (t - 1.0)).exp())
///     }
/// }
///
/// let bell = Signal::function(Bell).jet(1.0);
/// assert!(bell.rate.abs() < 1e-9 && (bell.acceleration + 2.0).abs() < 1e-7);
/// ```
pub trait SignalFunction: Debug + Send + Sync {
    /// What messages call it.
    fn name(&self) -> &str;

    /// The value at a time (s); at a break the limit from the left if `is_before`, else from the
    /// right.
    fn value(&self, t: f64, is_before: bool) -> Result<f64, Box<dyn Help + Send + Sync>>;

    /// The instants at which it is not smooth, ascending; steps land on them.
    fn breaks(&self) -> &[Break] {
        &[]
    }

    /// The value with its derivatives, which prescribed joints and plans need. By default they are
    /// those of the polynomial of sixth degree through values at most 1 ms apart, on one side of
    /// every break: right to about 1e-9 of what varies within some hundredths of a second.
    fn jet(&self, t: f64, is_before: bool) -> Result<Jet, Box<dyn Help + Send + Sync>> {
        let is_past = |own: f64| t > own || (t == own && !is_before);
        let times = || self.breaks().iter().map(|own| own.time);
        let low = times().filter(|&own| is_past(own)).fold(0.0_f64.min(t), f64::max);
        let high = times().filter(|&own| !is_past(own)).fold(f64::INFINITY, f64::min);
        let room = (high - low) / (NODES - 1) as f64;
        let step = STEP.min(room);
        let shift = ((t - low) / step).floor().min((NODES / 2) as f64);
        let first = (t - shift * step).min(high - (NODES - 1) as f64 * step);
        let mut times = [0.0; NODES];
        let mut values = [0.0; NODES];
        for (k, (time, value)) in times.iter_mut().zip(&mut values).enumerate() {
            *time = (first + k as f64 * step).min(high);
            *value = self.value(*time, *time >= high)?;
        }
        let [_, rate, acceleration] = derivatives(t, &times, &values);
        Ok(Jet { value: self.value(t, is_before)?, rate, acceleration })
    }
}

/// Value and derivatives at a place of the polynomial through values at nodes.
///
/// The weights are those of Fornberg's recursion (Mathematics of Computation 51, 1988).
fn derivatives(at: f64, nodes: &[f64; NODES], values: &[f64; NODES]) -> [f64; 3] {
    let mut weights = [[0.0; NODES]; 3];
    weights[0][0] = 1.0;
    let (mut product, mut distance) = (1.0, nodes[0] - at);
    for i in 1..NODES {
        let (mut next, previous) = (1.0, distance);
        distance = nodes[i] - at;
        for j in 0..i {
            let apart = nodes[i] - nodes[j];
            next *= apart;
            if j == i - 1 {
                for k in (0..3).rev() {
                    let lower = if k > 0 { k as f64 * weights[k - 1][i - 1] } else { 0.0 };
                    weights[k][i] = product * (lower - previous * weights[k][i - 1]) / next;
                }
            }
            for k in (0..3).rev() {
                let lower = if k > 0 { k as f64 * weights[k - 1][j] } else { 0.0 };
                weights[k][j] = (distance * weights[k][j] - lower) / apart;
            }
        }
        product = next;
    }
    weights.map(|row| row.iter().zip(values).map(|(weight, value)| weight * value).sum())
}

/// A [`SignalFunction`] as a [`Signal`](super::Signal); equal to itself and its copies.
#[derive(Clone, Debug)]
pub struct FunctionSignal(pub Arc<dyn SignalFunction>);

impl PartialEq for FunctionSignal {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl FunctionSignal {
    /// The value; NaN where it gives up, which is noted.
    pub(super) fn value(&self, t: f64, is_before: bool) -> f64 {
        let found = self.0.value(t, is_before);
        self.noted(t, found, |value| value.is_finite()).unwrap_or(f64::NAN)
    }

    /// The value with its derivatives; NaN where it gives up, which is noted.
    pub(super) fn jet(&self, t: f64, is_before: bool) -> Jet {
        let found = self.0.jet(t, is_before);
        let is_finite = |jet: &Jet| jet.value.is_finite();
        self.noted(t, found, is_finite).unwrap_or(Jet {
            value: f64::NAN,
            rate: f64::NAN,
            acceleration: f64::NAN,
        })
    }

    /// Why it cannot be used, by its value at the start.
    pub(super) fn check(&self) -> Option<FunctionError> {
        let _outer = Noted::new();
        self.value(0.0, false);
        Noted::take()
    }

    fn noted<T>(
        &self,
        time: f64,
        found: Result<T, Box<dyn Help + Send + Sync>>,
        is_finite: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let error = |reason: String| FunctionError { name: self.0.name().to_owned(), time, reason };
        match found {
            Ok(value) if is_finite(&value) => Some(value),
            Ok(_) => note(error("its value is not finite".to_owned())),
            Err(reason) => note(error(reason.with_help())),
        }
    }
}

/// A function of time and state of one's own, for an [`Event`](super::Event) where it crosses zero.
///
/// It remembers nothing: a run asks for any state within a step, in any order. An error ends the run
/// with its words, and what was recorded stays; so does a value that is NaN.
pub trait WitnessFunction: Send + Sync {
    /// The value at a time (s), with the coordinates (rad, m) and velocities (rad/s, m/s) of the arm.
    fn value(&self, t: f64, q: &[f64], u: &[f64]) -> Result<f64, Box<dyn Help + Send + Sync>>;
}

impl<F: Fn(f64, &[f64], &[f64]) -> f64 + Send + Sync> WitnessFunction for F {
    fn value(&self, t: f64, q: &[f64], u: &[f64]) -> Result<f64, Box<dyn Help + Send + Sync>> {
        Ok(self(t, q, u))
    }
}

/// The value of the function of an event, by its name; NaN where it gives up, which is noted.
pub(super) fn event_value(
    function: &dyn WitnessFunction,
    name: &str,
    time: f64,
    [q, u]: [&[f64]; 2],
) -> f64 {
    let error = |reason: String| FunctionError { name: name.to_owned(), time, reason };
    let value = match function.value(time, q, u) {
        Ok(value) if !value.is_nan() => Some(value),
        Ok(_) => note(error("its value is not a number".to_owned())),
        Err(reason) => note(error(reason.with_help())),
    };
    value.unwrap_or(f64::NAN)
}

/// A function of one's own that gave up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the function \"{name}\" gave up at t = {time} s: {reason}")]
pub struct FunctionError {
    /// What it is called.
    pub name: String,
    /// When (s).
    pub time: f64,
    /// Why, in its words.
    pub reason: String,
}

impl Help for FunctionError {}

thread_local! {
    /// The first function that gave up and that nobody has looked at.
    static NOTE: RefCell<Option<FunctionError>> = const { RefCell::new(None) };
}

fn note<T>(error: FunctionError) -> Option<T> {
    NOTE.with_borrow_mut(|noted| {
        noted.get_or_insert(error);
    });
    None
}

/// What functions give up from now on, in this thread; what was noted before is noted again
/// afterwards, as where a function runs something itself.
pub(crate) struct Noted {
    outer: Option<FunctionError>,
}

impl Noted {
    pub(crate) fn new() -> Self {
        Self { outer: NOTE.take() }
    }

    /// Whether a function gave up.
    pub(crate) fn is_any() -> bool {
        NOTE.with_borrow(Option::is_some)
    }

    /// The first that gave up.
    pub(crate) fn take() -> Option<FunctionError> {
        NOTE.take()
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        NOTE.set(self.outer.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::Signal;

    #[derive(Debug)]
    struct Piecewise([Break; 1]);

    impl SignalFunction for Piecewise {
        fn name(&self) -> &'static str {
            "piecewise"
        }

        fn value(&self, t: f64, is_before: bool) -> Result<f64, Box<dyn Help + Send + Sync>> {
            assert!(t >= 0.0, "a function is asked for times of the run only");
            let is_past = t > 1.0 || (t == 1.0 && !is_before);
            Ok(if is_past { 3.0 + (t - 1.0) * (t - 1.0) } else { (2.0 * t).sin() })
        }

        fn breaks(&self) -> &[Break] {
            &self.0
        }
    }

    /// Against closed forms, at the start, in the middle and on both sides of a break.
    #[test]
    fn derivatives_come_from_one_side_of_a_break() {
        let own = Signal::function(Piecewise([Break { time: 1.0, derivative: 0 }]));
        let sine = |t: f64| [(2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin()];
        let square = |t: f64| [3.0 + (t - 1.0) * (t - 1.0), 2.0 * (t - 1.0), 2.0];
        for (t, is_before, want) in [
            (0.0, false, sine(0.0)),
            (0.0005, false, sine(0.0005)),
            (0.5, false, sine(0.5)),
            (0.9995, false, sine(0.9995)),
            (1.0, true, sine(1.0)),
            (1.0, false, square(1.0)),
            (1.002, true, square(1.002)),
        ] {
            let jet = if is_before { own.jet_before(t) } else { own.jet(t) };
            let found = [jet.value, jet.rate, jet.acceleration];
            for ((found, want), within) in found.iter().zip(want).zip([0.0, 1e-10, 1e-6]) {
                assert!((found - want).abs() <= within, "{t} {is_before}: {found} {want}");
            }
        }
    }
}
