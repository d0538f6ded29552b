//! Links of a URDF that bend, as dictionaries.

use crate::error::{Kind, raise, raise_help, raise_report};
use pliant::arm::{BeamAxis, Builder};
use pliant_io::{BeamText, BendText, BendTextError, nearest};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How a link bends: the options of `pliant convert --bend`.
#[derive(Debug, Default)]
pub(crate) struct Bending {
    section: String,
    material: Option<String>,
    shapes: Option<String>,
    axis: BeamAxis,
    fit_density: bool,
}

/// The keys of a dictionary.
const KEYS: [&str; 7] = ["section", "material", "shapes", "to", "along", "length", "fit_density"];

impl<'py> FromPyObject<'_, 'py> for Bending {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = value.py();
        let keys = KEYS.join(", ");
        let Ok(table) = value.cast::<PyDict>() else {
            let message = format!("bend has {}, expected a dictionary", value.repr()?);
            return Err(raise(py, Kind::Dtype, &message, Some(&format!("its keys are {keys}"))));
        };
        let mut own = Self::default();
        for (key, value) in table.iter() {
            let key: String = key.extract()?;
            match key.as_str() {
                "section" => own.section = value.extract()?,
                "material" => own.material = value.extract()?,
                "shapes" => own.shapes = value.extract()?,
                "to" => own.axis.to = value.extract()?,
                "along" => own.axis.along = value.extract()?,
                "length" => own.axis.length = value.extract()?,
                "fit_density" => own.fit_density = value.extract()?,
                _ => {
                    let help = match nearest(&key, KEYS.into_iter()) {
                        Some(near) => format!("did you mean \"{near}\"? its keys are {keys}"),
                        None => format!("its keys are {keys}"),
                    };
                    let message = format!("bend has no key \"{key}\"");
                    return Err(raise(py, Kind::Argument, &message, Some(&help)));
                }
            }
        }
        if own.section.is_empty() {
            let help = "give one, such as \"tube 90x2 mm\"";
            return Err(raise(py, Kind::Argument, "bend has no section", Some(help)));
        }
        Ok(own)
    }
}

impl Bending {
    /// Makes a link of a description flexible.
    pub(crate) fn bend(
        &self,
        py: Python<'_>,
        link: &str,
        description: &Builder,
    ) -> PyResult<Builder> {
        let text = BendText {
            link,
            beam: BeamText {
                section: &self.section,
                material: self.material.as_deref(),
                shapes: self.shapes.as_deref().unwrap_or(BendText::USUAL_SHAPES),
            },
            axis: self.axis.clone(),
            fit_density: self.fit_density,
        };
        match text.bend(description) {
            Ok(bent) => Ok(bent.description),
            Err(BendTextError::Beam(report)) => Err(raise_report(py, &report)),
            Err(error) => Err(raise_help(py, Kind::Build, &error)),
        }
    }
}
