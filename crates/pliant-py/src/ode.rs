//! Arms as ordinary differential equations, for SciPy's `solve_ivp`.

use crate::arm::Arm;
use crate::error::{Kind, raise, raise_evaluation};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// An arm as the function `f(t, y)` of an ordinary differential equation, with `y = [q, u]`.
#[pyclass(frozen, module = "pliant")]
pub(crate) struct Ode {
    arm: Py<Arm>,
    inputs: Option<Py<PyAny>>,
}

/// How it is pickled: its class, and what that is called with.
type Remade<'py> = (Bound<'py, PyType>, (Py<Arm>, Option<Py<PyAny>>));

#[pymethods]
impl Ode {
    #[new]
    #[pyo3(signature = (arm, inputs=None))]
    pub(crate) fn new(py: Python<'_>, arm: Py<Arm>, inputs: Option<Py<PyAny>>) -> PyResult<Self> {
        let model = arm.get().arm();
        let free = model.free_velocities();
        if let Some(v) = (0..model.nv()).find(|v| !free.contains(v)) {
            let name = &model.velocity_names()[v];
            let message = format!("the motion of \"{name}\" is prescribed");
            let help = "free it, or run a Scenario with its motion";
            return Err(raise(py, Kind::Argument, &message, Some(help)));
        }
        Ok(Self { arm, inputs })
    }

    /// The rates of the state (rad/s, m/s; rad/s², m/s²), shape (nq + nv,).
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let arm = self.arm.get().arm();
        let (nq, nv) = (arm.nq(), arm.nv());
        let y = y.as_array().to_vec();
        if y.len() != nq + nv {
            let message = format!(
                "y has the shape ({},), and (nq + nv,) = ({},) is needed",
                y.len(),
                nq + nv
            );
            return Err(raise(py, Kind::Shape, &message, Some("give y = [q, u]")));
        }
        let (q, u) = y.split_at(nq);
        let tau = self.forces(py, t, (q, u), arm.velocity_names())?;
        let ud = arm.forward_dynamics(q, u, &tau);
        let ud = ud.map_err(|error| raise_evaluation(py, &error, &format!("at t = {t} s ")))?;
        let mut rates = vec![0.0; nq + nv];
        arm.rate_into(q, u, &mut rates[..nq]);
        rates[nq..].copy_from_slice(ud.as_slice());
        Ok(PyArray1::from_vec(py, rates))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Remade<'py> {
        let inputs = self.inputs.as_ref().map(|inputs| inputs.clone_ref(py));
        (py.get_type::<Self>(), (self.arm.clone_ref(py), inputs))
    }

    /// The arm.
    #[getter]
    fn arm(&self, py: Python<'_>) -> Py<Arm> {
        self.arm.clone_ref(py)
    }
}

impl Ode {
    fn forces(
        &self,
        py: Python<'_>,
        t: f64,
        (q, u): (&[f64], &[f64]),
        names: &[String],
    ) -> PyResult<Vec<f64>> {
        let Some(inputs) = &self.inputs else { return Ok(vec![0.0; names.len()]) };
        let (q, u) = (PyArray1::from_slice(py, q), PyArray1::from_slice(py, u));
        let told = inputs.bind(py).call1((t, q, u))?;
        let forces = crate::callables::vector(&told, "the forces of inputs", names);
        forces.map_err(|words| raise(py, Kind::Shape, &words, None))
    }
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ode>()
}
