//! What Python laws and estimators are told at a tick.

use numpy::PyArray1;
use pliant::scalar::Jet;
use pyo3::prelude::*;
use std::sync::Arc;

fn array<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, numbers)
}

/// Values, rates and accelerations.
pub(super) fn columns(jets: &[Jet]) -> [Vec<f64>; 3] {
    [
        jets.iter().map(|jet| jet.value).collect(),
        jets.iter().map(|jet| jet.rate).collect(),
        jets.iter().map(|jet| jet.acceleration).collect(),
    ]
}

/// The inputs of a control law at a tick. Arrays have the shape (joints,).
#[pyclass(frozen, module = "pliant")]
#[derive(Debug)]
pub(crate) struct ControlContext {
    /// The time (s).
    #[pyo3(get)]
    pub(super) t: f64,
    /// The time since the tick before (s); `None` at the first one, and where a law acts at every
    /// instant.
    #[pyo3(get)]
    pub(super) since: Option<f64>,
    pub(super) joints: Arc<[String]>,
    pub(super) q: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) reference: [Vec<f64>; 3],
    pub(super) limits: Vec<f64>,
    pub(super) model: (Vec<f64>, Vec<f64>),
}

#[pymethods]
impl ControlContext {
    /// The names of the joints.
    #[getter]
    fn joints(&self) -> Vec<String> {
        self.joints.to_vec()
    }

    /// The estimated positions (rad, m).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.q)
    }

    /// The estimated velocities (rad/s, m/s).
    #[getter]
    fn u<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.u)
    }

    /// Where the joints should be (rad, m).
    #[getter]
    fn reference<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.reference[0])
    }

    /// The rate of the reference (rad/s, m/s).
    #[getter]
    fn reference_rate<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.reference[1])
    }

    /// The acceleration of the reference (rad/s², m/s²).
    #[getter]
    fn reference_acceleration<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.reference[2])
    }

    /// The largest force of each joint, either way (N m, N); infinite without a limit.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.limits)
    }

    /// The estimated coordinates of the whole model, shape (nq,).
    #[getter]
    fn model_q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.model.0)
    }

    /// The estimated velocities of the whole model, shape (nv,).
    #[getter]
    fn model_u<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.model.1)
    }

    fn __repr__(&self) -> String {
        format!("ControlContext(t={}, joints={:?}, q={:?})", self.t, self.joints, self.q)
    }
}

/// The inputs of a state estimator at a tick.
#[pyclass(frozen, module = "pliant")]
#[derive(Debug)]
pub(crate) struct EstimatorContext {
    /// The time (s).
    #[pyo3(get)]
    pub(super) t: f64,
    /// The time since the tick before (s); `None` at the first one.
    #[pyo3(get)]
    pub(super) since: Option<f64>,
    pub(super) measured: Vec<f64>,
    pub(super) forces: Vec<f64>,
    pub(super) reference: [Vec<f64>; 3],
    pub(super) model: (Vec<f64>, Vec<f64>),
}

#[pymethods]
impl EstimatorContext {
    /// What the sensors show, one after another in the order of the controller.
    #[getter]
    fn measured<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.measured)
    }

    /// The forces that were commanded at the tick before (N m, N), shape (joints,).
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.forces)
    }

    /// Where the joints should be (rad, m), shape (joints,).
    #[getter]
    fn reference<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.reference[0])
    }

    /// The rate of the reference (rad/s, m/s), shape (joints,).
    #[getter]
    fn reference_rate<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.reference[1])
    }

    /// The coordinates of the model as estimated at the tick before, shape (nq,).
    #[getter]
    fn model_q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.model.0)
    }

    /// The velocities of the model as estimated at the tick before, shape (nv,).
    #[getter]
    fn model_u<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.model.1)
    }

    fn __repr__(&self) -> String {
        format!("EstimatorContext(t={}, measured={:?})", self.t, self.measured)
    }
}
