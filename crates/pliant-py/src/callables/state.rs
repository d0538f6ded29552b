//! What Python objects remember.

use super::Raised;
use pliant::integrate::StateVisitor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// A Python function or object that acts at ticks.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub(super) object: Arc<Py<PyAny>>,
    pub(super) raised: Raised,
    /// Whether it is a function, which remembers nothing.
    pub(super) is_function: bool,
    /// Whether it is one that captures nothing either.
    is_plain: bool,
    /// What it raised where nothing could be said.
    broken: Option<String>,
}

impl Actor {
    pub(super) fn new(object: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        let types = object.py().import("types")?;
        let is_function = object.is_instance(&types.getattr("FunctionType")?)?
            || object.is_instance(&types.getattr("BuiltinFunctionType")?)?;
        let is_plain = is_function
            && object.getattr("__closure__").map_or(true, |captured| captured.is_none());
        let (object, raised) = (Arc::new(object.clone().unbind()), raised.clone());
        Ok(Self { object, raised, is_function, is_plain, broken: None })
    }

    /// Tells an object that a run begins, if it wants to know.
    pub(super) fn start(&mut self) {
        self.broken = None;
        Python::attach(|py| {
            let object = self.object.bind(py);
            if let Ok(start) = object.getattr("start")
                && !self.is_function
                && let Err(error) = start.call0()
            {
                self.broken = Some(self.raised.keep(py, error));
            }
        });
    }

    /// Calls it with what it is told at a tick.
    pub(super) fn call<'py>(
        &self,
        py: Python<'py>,
        context: impl pyo3::call::PyCallArgs<'py>,
    ) -> Result<Bound<'py, PyAny>, String> {
        if let Some(words) = &self.broken {
            return Err(words.clone());
        }
        let told = self.object.bind(py).call1(context);
        told.map_err(|error| self.raised.keep(py, error))
    }

    /// Visits what it remembers: an object pickled, or what cannot be told.
    pub(super) fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        if self.is_plain {
            return;
        }
        let is_taking = state.is_taking();
        let mut bytes = if is_taking { Some(Vec::new()) } else { self.pickled() };
        state.bytes(&mut bytes);
        if let (true, Some(bytes)) = (is_taking, bytes) {
            Python::attach(|py| {
                let load =
                    || py.import("pickle")?.call_method1("loads", (PyBytes::new(py, &bytes),));
                match load() {
                    Ok(object) => self.object = Arc::new(object.unbind()),
                    Err(error) => self.broken = Some(self.raised.keep(py, error)),
                }
            });
        }
    }

    fn pickled(&self) -> Option<Vec<u8>> {
        Python::attach(|py| {
            let bytes = py
                .import("pickle")
                .and_then(|pickle| pickle.call_method1("dumps", (self.object.bind(py), 5)));
            bytes.ok()?.extract().ok()
        })
    }
}
