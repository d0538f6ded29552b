//! From links to an arm.

use super::link::Link;
use crate::arm::Arm;
use crate::error::{Kind, raise, raise_help};
use pliant::reproduce::Variants;
use pliant_io::{Loaded, Report, Source};
use pyo3::prelude::*;

/// The most links of an arm, as files have them.
const MOST_LINKS: usize = 2000;

/// Collects links and builds an ``Arm`` from them.
///
/// gravity: acceleration in the world (m/s²), by default 9.81 along -z; lenient: keeps inertia
/// tensors that no matter has; total_mass: what all links together should weigh (kg), as a check.
///
/// >>> rod = pliant.Link("rod", joint=pliant.Joint.revolute([0, 1, 0]), payload=(2.0, [0, 0, -1]))
/// >>> arm = pliant.Builder("pendulum").link(rod).build()
#[pyclass(module = "pliant")]
#[derive(Clone, Debug)]
pub(super) struct Builder(pliant::arm::Builder);

#[pymethods]
impl Builder {
    #[new]
    #[pyo3(signature = (name, *, gravity=None, lenient=false, total_mass=None))]
    fn new(
        name: String,
        gravity: Option<[f64; 3]>,
        lenient: bool,
        total_mass: Option<f64>,
    ) -> Self {
        let mut builder = pliant::arm::Builder::new(name);
        if let Some(gravity) = gravity {
            builder = builder.gravity(gravity);
        }
        if lenient {
            builder = builder.lenient();
        }
        if let Some(mass) = total_mass {
            builder = builder.total_mass(mass);
        }
        Self(builder)
    }

    /// Adds a link, and returns the builder.
    fn link<'py>(mut builder: PyRefMut<'py, Self>, link: &Bound<'py, Link>) -> PyRefMut<'py, Self> {
        builder.0 = builder.0.clone().link(link.get().0.clone());
        builder
    }

    /// Checks everything and builds the arm; all faults are told together.
    fn build(&self, py: Python<'_>) -> PyResult<Arm> {
        let count = self.0.parts().links.len();
        if count > MOST_LINKS {
            let help = format!("describe at most {MOST_LINKS}");
            return Err(raise(py, Kind::Build, &format!("the arm has {count} links"), Some(&help)));
        }
        let description = self.0.clone();
        let built = py.detach(|| description.clone().build());
        let arm = built.map_err(|error| raise_help(py, Kind::Build, &error))?;
        let warnings = Report::new(Source::new(arm.name(), ""), Vec::new());
        Ok(Arm::new(Loaded { arm, description, variants: Variants::default(), warnings }))
    }

    fn __repr__(&self) -> String {
        let parts = self.0.parts();
        format!("Builder(\"{}\", {} links)", parts.name, parts.links.len())
    }
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Builder>()
}
