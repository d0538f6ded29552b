//! `pliant.Arm`.

use crate::error::{Kind, raise_help, raise_report};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, ToPyArray};
use pliant_io::{Loaded, Source};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// An arm, checked and ready to compute.
#[pyclass(frozen, module = "pliant")]
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) loaded: Arc<Loaded>,
}

#[pymethods]
impl Arm {
    /// Reads an arm from an arm file, a URDF or a scenario.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let loaded = py.detach(|| pliant_io::load(&path));
        loaded.map(Self::new).map_err(|report| raise_report(py, &report))
    }

    /// Reads an arm from the text of an arm file or a URDF.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let loaded = pliant_io::parse_arm(&Source::new("text", text));
        loaded.map(Self::new).map_err(|report| raise_report(py, &report))
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

    /// The configuration of rest.
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.arm().neutral())
    }

    /// The mass matrix (kg m², kg m, kg).
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mass = self.arm().mass_matrix(q.as_slice()?);
        let mass = mass.map_err(|error| raise_help(py, Kind::Value, &error))?;
        mass.as_slice().to_pyarray(py).reshape([mass.nrows(), mass.ncols()])
    }
}

impl Arm {
    pub(crate) fn new(loaded: Loaded) -> Self {
        Self { loaded: Arc::new(loaded) }
    }

    pub(crate) fn arm(&self) -> &pliant::arm::Arm {
        &self.loaded.arm
    }
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Arm>()
}
