//! What Python laws and estimators are told at a tick.

use numpy::PyArray1;
use pliant::scalar::Jet;
use pyo3::prelude::*;
use std::sync::Arc;

/// Values, rates and accelerations.
pub(super) fn columns(jets: &[Jet]) -> [Vec<f64>; 3] {
    [
        jets.iter().map(|jet| jet.value).collect(),
        jets.iter().map(|jet| jet.rate).collect(),
        jets.iter().map(|jet| jet.acceleration).collect(),
    ]
}

/// Makes a class of the time, of arrays, which are made when they are asked for, and of more.
macro_rules! context {
    (
        $(#[$text:meta])*
        $class:ident {
            $($(#[$about:meta])* $array:ident,)+
            ..
            $($more:ident: $kind:ty,)?
        }
    ) => {
        $(#[$text])*
        #[pyclass(frozen, module = "pliant")]
        #[derive(Debug)]
        pub(crate) struct $class {
            /// The time (s).
            #[pyo3(get)]
            pub(super) t: f64,
            /// The time since the tick before (s); ``None`` at the first one, and where a law acts at
            /// every instant.
            #[pyo3(get)]
            pub(super) since: Option<f64>,
            $(pub(super) $array: Vec<f64>,)+
            $(pub(super) $more: $kind,)?
        }

        #[pymethods]
        impl $class {$(
            $(#[$about])*
            #[getter]
            fn $array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                PyArray1::from_slice(py, &self.$array)
            }
        )+}
    };
}

context! {
    /// The inputs of a control law at a tick. Arrays have the shape (joints,).
    ControlContext {
        /// The estimated positions (rad, m).
        q,
        /// The estimated velocities (rad/s, m/s).
        u,
        /// Where the joints should be (rad, m).
        reference,
        /// The rate of the reference (rad/s, m/s).
        reference_rate,
        /// The acceleration of the reference (rad/s², m/s²).
        reference_acceleration,
        /// The largest force of each joint, either way (N m, N); infinite without a limit.
        limits,
        /// The estimated coordinates of the whole model, shape (nq,).
        model_q,
        /// The estimated velocities of the whole model, shape (nv,).
        model_u,
        ..
        joints: Arc<[String]>,
    }
}

#[pymethods]
impl ControlContext {
    /// The names of the joints.
    #[getter]
    fn joints(&self) -> Vec<String> {
        self.joints.to_vec()
    }

    fn __repr__(&self) -> String {
        format!("ControlContext(t={}, joints={:?}, q={:?})", self.t, self.joints, self.q)
    }
}

context! {
    /// The inputs of a state estimator at a tick.
    EstimatorContext {
        /// What the sensors show, one after another in the order of the controller.
        measured,
        /// The forces that were commanded at the tick before (N m, N), shape (joints,).
        forces,
        /// Where the joints should be (rad, m), shape (joints,).
        reference,
        /// The rate of the reference (rad/s, m/s), shape (joints,).
        reference_rate,
        /// The coordinates of the model as estimated at the tick before, shape (nq,).
        model_q,
        /// The velocities of the model as estimated at the tick before, shape (nv,).
        model_u,
        ..
    }
}

#[pymethods]
impl EstimatorContext {
    fn __repr__(&self) -> String {
        format!("EstimatorContext(t={}, measured={:?})", self.t, self.measured)
    }
}
