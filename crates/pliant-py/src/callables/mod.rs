//! Python functions and objects as signals, trajectories, events, laws and estimators.
//!
//! What one of them raises is kept as it is, for the caller of the run; the engine gets its words.

mod context;
mod estimator;
mod functions;
mod law;
mod state;

pub(crate) use context::{ControlContext, EstimatorContext};
pub(crate) use estimator::OwnEstimator;
pub(crate) use functions::{OwnEvent, OwnSignal, OwnTrajectory};
pub(crate) use law::OwnLawDescription;

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The exceptions that were raised while a scenario was run, with their words; the first of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raised(Arc<Mutex<Vec<(String, PyErr)>>>);

impl Raised {
    /// Keeps an exception, and says what it was.
    pub(crate) fn keep(&self, py: Python<'_>, error: PyErr) -> String {
        let class =
            error.get_type(py).name().map_or_else(|_| String::new(), |name| name.to_string());
        let value = error.value(py).to_string();
        let words = if value.is_empty() { class } else { format!("{class}: {value}") };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.iter().all(|(known, _)| *known != words) {
            all.push((words.clone(), error));
        }
        drop(all);
        words
    }

    /// The one whose words these are, or hold; all others are forgotten.
    pub(crate) fn take(&self, told: &str) -> Option<PyErr> {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        all.into_iter().find(|(words, _)| told.contains(words.as_str())).map(|(_, error)| error)
    }
}

/// What messages call a function or object.
pub(crate) fn name_of(object: &Bound<'_, PyAny>) -> String {
    let own = object.getattr("__name__").and_then(|name| name.extract::<String>());
    own.unwrap_or_else(|_| {
        object.get_type().name().map_or_else(|_| "function".to_owned(), |name| name.to_string())
    })
}

/// The numbers of an array, a sequence or a single number, with its shape.
pub(crate) fn numbers(value: &Bound<'_, PyAny>) -> Option<(Vec<f64>, Vec<usize>)> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && let Ok(numbers) = array.to_vec()
    {
        return Some((numbers, array.shape().to_vec()));
    }
    if value.is_none() {
        return None;
    }
    if let Ok(number) = value.extract::<f64>() {
        return Some((vec![number], Vec::new()));
    }
    let numpy = value.py().import("numpy").ok()?;
    let array = numpy.call_method1("asarray", (value,)).ok()?;
    let kind: String = array.getattr("dtype").ok()?.getattr("kind").ok()?.extract().ok()?;
    // others, such as complex numbers, would lose a part
    if !["f", "i", "u", "b"].contains(&kind.as_str()) {
        return None;
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "float64")).ok()?;
    let array = array.cast::<PyArrayDyn<f64>>().ok()?;
    Some((array.to_vec().ok()?, array.shape().to_vec()))
}

/// A shape as Python writes it.
fn shape_of(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// So many numbers of what was returned, all finite; a single number will do for one.
pub(crate) fn vector(
    value: &Bound<'_, PyAny>,
    what: &str,
    names: &[String],
) -> Result<Vec<f64>, String> {
    let count = names.len();
    let needed = || format!("{what} must be numbers of shape ({count},), for {}", names.join(", "));
    let Some((numbers, shape)) = numbers(value) else {
        return Err(format!("{}, not {}", needed(), crate::scenario::shown(value)));
    };
    if shape != [count] && !(count == 1 && shape.is_empty()) {
        return Err(format!("{}, not of shape {}", needed(), shape_of(&shape)));
    }
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(at) => {
            Err(format!("{what} must be finite, and that of {} is {}", names[at], numbers[at]))
        }
        None => Ok(numbers),
    }
}
