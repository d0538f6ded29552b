//! Python functions of time, and of time and state.

use super::{Raised, name_of, numbers, shape_of};
use numpy::PyArray1;
use pliant::Help;
use pliant::scalar::Jet;
use pliant::simulate::{Break, SignalFunction, WitnessFunction};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

type Told<T> = Result<T, Box<dyn Help + Send + Sync>>;

/// What a Python function says or raises, in its words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Words(String);

impl Help for Words {}

/// Value, rate and acceleration of each number.
type Given = Arc<[Vec<f64>]>;

/// A Python function of time that gives so many numbers.
#[derive(Debug)]
struct Called {
    function: Py<PyAny>,
    name: String,
    width: usize,
    /// Whether it gives rates and accelerations too.
    has_rates: bool,
    breaks: Vec<Break>,
    raised: Raised,
    /// What it gave last, and when.
    last: Mutex<Option<(f64, Given)>>,
}

impl Called {
    /// Looks at what it gives at the start; whether derivatives are there and of how many numbers.
    fn new(
        function: &Bound<'_, PyAny>,
        name: Option<String>,
        breaks: &[f64],
        raised: &Raised,
        is_one: bool,
    ) -> PyResult<Self> {
        let first = function.call1((0.0,))?;
        let name = name.unwrap_or_else(|| name_of(function));
        let shape = numbers(&first).map(|(_, shape)| shape);
        let (width, has_rates) = match (shape.as_deref(), is_one) {
            (Some([]), _) | (Some([1]), true) => (1, false),
            (Some([3]), true) => (1, true),
            (Some([count]), false) => (*count, false),
            (Some([3, count]), false) => (*count, true),
            (shape, _) => {
                let found = shape.map_or_else(
                    || crate::scenario::shown(&first),
                    |shape| format!("an array of shape {}", shape_of(shape)),
                );
                let needed = if is_one {
                    "return a number, or (value, rate, acceleration)"
                } else {
                    "return numbers of shape (joints,), or (positions, rates, accelerations)"
                };
                let message = format!("the function \"{name}\" returns {found} at t = 0 s");
                return Err(crate::error::raise(
                    function.py(),
                    crate::error::Kind::Argument,
                    &message,
                    Some(needed),
                ));
            }
        };
        let mut breaks: Vec<Break> =
            breaks.iter().map(|&time| Break { time, derivative: 0 }).collect();
        breaks.sort_by(|a, b| a.time.total_cmp(&b.time));
        let (function, raised, last) =
            (function.clone().unbind(), raised.clone(), Mutex::default());
        Ok(Self { function, name, width, has_rates, breaks, raised, last })
    }

    /// All numbers at a time; just before a break from the left.
    fn at(&self, t: f64, is_before: bool) -> Told<Given> {
        let is_break = is_before && self.breaks.iter().any(|own| own.time == t);
        let time = if is_break { t.next_down() } else { t };
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, told)) = &*last()
            && *at == time
        {
            return Ok(Arc::clone(told));
        }
        let told = Python::attach(|py| {
            let value = self.function.bind(py).call1((time,));
            let value = value.map_err(|error| self.raised.keep(py, error))?;
            let rows = if self.has_rates { 3 } else { 1 };
            let needed = [rows, self.width];
            match numbers(&value) {
                Some((found, shape)) if found.len() == rows * self.width => {
                    drop(shape);
                    Ok(found.chunks(self.width.max(1)).map(<[f64]>::to_vec).collect())
                }
                Some((_, shape)) => Err(format!(
                    "it returns an array of shape {}, where at the start it was {} numbers",
                    shape_of(&shape),
                    needed[0] * needed[1],
                )),
                None => Err(format!("it returns {}", crate::scenario::shown(&value))),
            }
        });
        let told: Given = told.map_err(|words: String| Words(words))?;
        *last() = Some((time, Arc::clone(&told)));
        Ok(told)
    }
}

/// One number of a Python function, whose derivatives are found from its values.
#[derive(Debug)]
struct Values {
    called: Arc<Called>,
    component: usize,
}

impl SignalFunction for Values {
    fn name(&self) -> &str {
        &self.called.name
    }

    fn value(&self, t: f64, is_before: bool) -> Told<f64> {
        Ok(self.called.at(t, is_before)?[0][self.component])
    }

    fn breaks(&self) -> &[Break] {
        &self.called.breaks
    }
}

/// One number of a Python function of time.
#[derive(Debug)]
pub(crate) struct OwnSignal(Values);

impl OwnSignal {
    pub(crate) fn new(
        function: &Bound<'_, PyAny>,
        name: Option<String>,
        breaks: &[f64],
        raised: &Raised,
    ) -> PyResult<Self> {
        let called = Arc::new(Called::new(function, name, breaks, raised, true)?);
        Ok(Self(Values { called, component: 0 }))
    }
}

impl SignalFunction for OwnSignal {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn value(&self, t: f64, is_before: bool) -> Told<f64> {
        self.0.value(t, is_before)
    }

    fn breaks(&self) -> &[Break] {
        self.0.breaks()
    }

    fn jet(&self, t: f64, is_before: bool) -> Told<Jet> {
        if !self.0.called.has_rates {
            return self.0.jet(t, is_before);
        }
        let told = self.0.called.at(t, is_before)?;
        let [value, rate, acceleration] = [0, 1, 2].map(|row: usize| told[row][self.0.component]);
        Ok(Jet { value, rate, acceleration })
    }
}

/// A Python function of time for all joints.
#[derive(Debug)]
pub(crate) struct OwnTrajectory;

impl OwnTrajectory {
    /// A signal for each joint.
    #[expect(clippy::new_ret_no_self, reason = "one for each joint")]
    pub(crate) fn new(
        function: &Bound<'_, PyAny>,
        breaks: &[f64],
        raised: &Raised,
    ) -> PyResult<Vec<OwnSignal>> {
        let called = Arc::new(Called::new(function, None, breaks, raised, false)?);
        let of = |component| OwnSignal(Values { called: Arc::clone(&called), component });
        Ok((0..called.width).map(of).collect())
    }
}

/// A Python function of time and state.
#[derive(Debug)]
pub(crate) struct OwnEvent {
    function: Py<PyAny>,
    raised: Raised,
}

impl OwnEvent {
    pub(crate) fn new(function: &Bound<'_, PyAny>, raised: &Raised) -> Self {
        Self { function: function.clone().unbind(), raised: raised.clone() }
    }
}

impl WitnessFunction for OwnEvent {
    fn value(&self, t: f64, q: &[f64], u: &[f64]) -> Told<f64> {
        let told = Python::attach(|py| {
            let (q, u) = (PyArray1::from_slice(py, q), PyArray1::from_slice(py, u));
            let value = self.function.bind(py).call1((t, q, u));
            let value = value.map_err(|error| self.raised.keep(py, error))?;
            value.extract().map_err(|_| {
                format!("it must return a number, not {}", crate::scenario::shown(&value))
            })
        });
        Ok(told.map_err(Words)?)
    }
}
