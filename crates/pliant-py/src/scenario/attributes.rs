//! Attributes of the Python descriptions, with messages that name them.

use crate::callables;
use crate::error::{Kind, raise};
use pliant::control::PerJoint;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyMapping;

/// The class of a description of pliant; empty for anything else.
pub(super) fn class_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let class = object.get_type();
    let module = class.module()?;
    let module = module.to_cow()?;
    if module == "pliant" || module.starts_with("pliant.") {
        Ok(class.name()?.to_cow()?.into_owned())
    } else {
        Ok(String::new())
    }
}

/// What somebody sees of a value that is wrong.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    let class = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { format!("{class} {short}…") } else { format!("{class} {text}") }
}

/// Where an attribute is: `Step.at`.
fn place(object: &Bound<'_, PyAny>, name: &str) -> String {
    let class = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    format!("{class}.{name}")
}

/// Refuses an attribute.
pub(super) fn refuse(
    object: &Bound<'_, PyAny>,
    name: &str,
    value: &Bound<'_, PyAny>,
    needed: &str,
) -> PyErr {
    let message = format!("{} is {}", place(object, name), shown(value));
    raise(object.py(), Kind::Argument, &message, Some(&format!("give {needed}")))
}

/// An attribute.
pub(super) fn get<'py, T: FromPyObjectOwned<'py>>(
    object: &Bound<'py, PyAny>,
    name: &str,
    needed: &str,
) -> PyResult<T> {
    let value = object.getattr(name)?;
    value.extract().map_err(|_| refuse(object, name, &value, needed))
}

/// A number.
pub(super) fn number(object: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    get(object, name, "a number")
}

/// A number, or `None`.
pub(super) fn optional(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<f64>> {
    get(object, name, "a number or None")
}

/// A text.
pub(super) fn text(object: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    get(object, name, "a text")
}

/// Yes or no.
pub(super) fn flag(object: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    get(object, name, "True or False")
}

/// Names.
pub(super) fn names(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<String>> {
    let value = object.getattr(name)?;
    // a text is a sequence of texts too
    if value.extract::<String>().is_ok() {
        return Err(refuse(object, name, &value, "a list of names"));
    }
    value.extract().map_err(|_| refuse(object, name, &value, "a list of names"))
}

/// Names, or `None`.
pub(super) fn optional_names(
    object: &Bound<'_, PyAny>,
    name: &str,
) -> PyResult<Option<Vec<String>>> {
    if object.getattr(name)?.is_none() { Ok(None) } else { names(object, name).map(Some) }
}

/// Numbers; anything that NumPy takes for a vector.
pub(super) fn numbers(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let value = object.getattr(name)?;
    match callables::numbers(&value) {
        Some((numbers, shape)) if shape.len() == 1 => Ok(numbers),
        _ => Err(refuse(object, name, &value, "numbers, shape (n,)")),
    }
}

/// Rows of numbers.
pub(super) fn rows(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Vec<f64>>> {
    let value = object.getattr(name)?;
    match callables::numbers(&value) {
        Some((numbers, shape)) if shape.len() == 2 => {
            Ok(numbers.chunks(shape[1].max(1)).map(<[f64]>::to_vec).collect())
        }
        // points of different lengths are told with their places
        _ => match value.extract() {
            Ok(rows) => Ok(rows),
            Err(_) => Err(refuse(object, name, &value, "rows of numbers, shape (points, numbers)")),
        },
    }
}

/// Three numbers.
pub(super) fn vector(object: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; 3]> {
    let found = numbers(object, name)?;
    let value = object.getattr(name)?;
    found.try_into().map_err(|_| refuse(object, name, &value, "three numbers"))
}

/// Things in a list.
pub(super) fn items<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let value = object.getattr(name)?;
    let listed = value.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
    listed.map_err(|_| refuse(object, name, &value, "a list"))
}

/// One of some words.
pub(super) fn word<T: Copy>(
    object: &Bound<'_, PyAny>,
    name: &str,
    words: &[(&str, T)],
) -> PyResult<T> {
    let value = object.getattr(name)?;
    let given: Option<String> = value.extract().ok();
    let found = words.iter().find(|(word, _)| Some(*word) == given.as_deref());
    found.map(|&(_, found)| found).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        refuse(object, name, &value, &format!("one of {}", known.join(", ")))
    })
}

/// Numbers by name, in their order.
pub(super) fn by_name(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<(String, f64)>> {
    let value = object.getattr(name)?;
    if value.is_none() {
        return Ok(Vec::new());
    }
    let read = || -> PyResult<Vec<(String, f64)>> {
        let mapping = value.cast::<PyMapping>()?;
        mapping.items()?.iter().map(|pair| pair.extract()).collect()
    };
    read().map_err(|_| refuse(object, name, &value, "a dictionary of numbers by name"))
}

/// A number of each joint, or `None`.
pub(super) fn optional_per_joint(
    object: &Bound<'_, PyAny>,
    name: &str,
) -> PyResult<Option<PerJoint>> {
    let value = object.getattr(name)?;
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Some(PerJoint::All(number)));
    }
    if value.cast::<PyMapping>().is_ok() {
        return Ok(Some(PerJoint::ByName(by_name(object, name)?)));
    }
    Err(refuse(object, name, &value, "a number, or a dictionary of numbers by joint"))
}

/// A number of each joint.
pub(super) fn per_joint(object: &Bound<'_, PyAny>, name: &str) -> PyResult<PerJoint> {
    let value = object.getattr(name)?;
    let needed = "a number, or a dictionary of numbers by joint";
    optional_per_joint(object, name)?.ok_or_else(|| refuse(object, name, &value, needed))
}
