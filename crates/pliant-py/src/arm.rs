//! `pliant.Arm`: where arms come from, and what they know of themselves.

use crate::error::raise_report;
use crate::settings::settings;
use crate::work::Pool;
use numpy::PyArray1;
use pliant_io::{Loaded, Source};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An arm, checked and ready to compute. It does not change, and threads may share it.
///
/// Made by ``Arm.load``, ``Arm.parse``, ``Arm.from_urdf`` and ``Builder.build``.
#[pyclass(frozen, module = "pliant", weakref)]
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) work: Pool,
    /// Whether a state was seen in which every free coordinate has inertia.
    pub(crate) has_inertia: AtomicBool,
}

#[pymethods]
impl Arm {
    /// Reads an arm from an arm file, a URDF, or a scenario, of which it is the arm.
    ///
    /// set: values of keys in place of those of the file, ``{"link.fore.length": 1.4}`` or
    /// ``["link.fore.length=1.4 m"]``.
    #[staticmethod]
    #[pyo3(signature = (path, *, set=None))]
    fn load(py: Python<'_>, path: PathBuf, set: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let settings = settings(py, set)?;
        let loaded = py.detach(|| pliant_io::load_with(&path, &settings));
        loaded.map(Self::new).map_err(|report| raise_report(py, &report))
    }

    /// Reads an arm from the text of an arm file or a URDF.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let source = Source::new("text", text);
        let loaded = py.detach(|| pliant_io::parse_arm(&source));
        loaded.map(Self::new).map_err(|report| raise_report(py, &report))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.arm().name()
    }

    /// How many numbers describe a configuration.
    #[getter]
    fn nq(&self) -> usize {
        self.arm().nq()
    }

    /// How many degrees of freedom.
    #[getter]
    fn nv(&self) -> usize {
        self.arm().nv()
    }

    /// The configuration of rest (rad, m), ``(nq,)``.
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.arm().neutral())
    }
}

impl Arm {
    pub(crate) fn new(loaded: Loaded) -> Self {
        Self {
            loaded: Arc::new(loaded),
            work: Pool::default(),
            has_inertia: AtomicBool::new(false),
        }
    }

    pub(crate) fn arm(&self) -> &pliant::arm::Arm {
        &self.loaded.arm
    }
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Arm>()
}
