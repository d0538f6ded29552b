//! Values of keys in place of those of a file.

use crate::error::{Kind, raise, raise_report};
use pliant_io::{Setting, quoted};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// Settings from `{"link.fore.length": 1.4}` or `["link.fore.length=1.4 m"]`.
pub(crate) fn settings(py: Python<'_>, set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Setting>> {
    let Some(set) = set else { return Ok(Vec::new()) };
    let mut texts = Vec::new();
    if let Ok(named) = set.cast::<PyDict>() {
        for (key, value) in named {
            let text = match value.cast::<PyString>() {
                Ok(text) => text.to_string(),
                Err(_) => word(py, &value)?,
            };
            texts.push(format!("{key}={text}"));
        }
    } else if let (false, Ok(list)) = (set.is_instance_of::<PyString>(), set.extract()) {
        texts = list;
    } else {
        let message = format!("set is {}, expected a dictionary or a list of texts", set.repr()?);
        let help = "write set={\"link.fore.length\": 1.4}";
        return Err(raise(py, Kind::Dtype, &message, Some(help)));
    }
    let parsed = texts.iter().map(|text| Setting::of_program(text));
    parsed.collect::<Result<_, _>>().map_err(|report| raise_report(py, &report))
}

/// A value as TOML has it.
pub(crate) fn word(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let joined = |values: Vec<Bound<'_, PyAny>>| -> PyResult<String> {
        let words = values.iter().map(|value| word(py, value)).collect::<PyResult<Vec<_>>>()?;
        Ok(format!("[{}]", words.join(", ")))
    };
    if let Ok(yes) = value.cast::<PyBool>() {
        Ok(yes.is_true().to_string())
    } else if let Ok(text) = value.cast::<PyString>() {
        Ok(quoted(&text.to_string()))
    } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        Ok(value.call_method0("__repr__")?.to_string())
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        joined(value.try_iter()?.collect::<PyResult<_>>()?)
    } else if let Ok(table) = value.cast::<PyDict>() {
        let entries = table.iter().map(|(key, value)| Ok(format!("{key} = {}", word(py, &value)?)));
        Ok(format!("{{ {} }}", entries.collect::<PyResult<Vec<_>>>()?.join(", ")))
    } else if value.hasattr("tolist")? {
        // of NumPy
        word(py, &value.call_method0("tolist")?)
    } else {
        let message = format!("{} is a value that no file can have", value.repr()?);
        Err(raise(py, Kind::Dtype, &message, Some("give a number, a text, a list or a dictionary")))
    }
}
