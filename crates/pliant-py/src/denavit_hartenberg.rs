//! Denavit-Hartenberg tables of arms.

use crate::arm::Arm;
use crate::conditions::{shaped, tuple};
use crate::error::{Kind, raise, raise_help};
use crate::kinematics::homogeneous;
use pliant::arm::{DhConvention, DhVariable};
use pyo3::prelude::*;

#[pymethods]
impl Arm {
    /// The Denavit-Hartenberg rows from the ground to a frame, by default the tip, as ``DhTable``;
    /// links are taken as rigid.
    ///
    /// convention: ``"standard"`` or ``"modified"``.
    #[pyo3(signature = (frame=None, *, convention="standard"))]
    fn denavit_hartenberg<'py>(
        &self,
        py: Python<'py>,
        frame: Option<&str>,
        convention: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(frame) = frame.or_else(|| self.tip()) else {
            let help = Some("choose a frame");
            return Err(raise(py, Kind::Argument, "the arm has no tip", help));
        };
        self.frame_index(py, frame)?;
        let table = self.arm().denavit_hartenberg(frame, self::convention(py, convention)?);
        let table = table.map_err(|error| raise_help(py, Kind::Argument, &error))?;
        let pose = |pose| {
            let mut matrix = vec![0.0; 16];
            homogeneous(pose, &mut matrix);
            shaped(py, &[], &[4, 4], matrix)
        };
        let rows = table.rows.iter().flat_map(|own| {
            let row = own.row;
            [row.theta, row.d, row.a, row.alpha]
        });
        let rows: Vec<f64> = rows.collect();
        let names: Vec<&str> = table.rows.iter().map(|own| own.coordinate.as_str()).collect();
        let word = |variable| if variable == DhVariable::Theta { "theta" } else { "d" };
        let variables: Vec<&str> = table.rows.iter().map(|own| word(own.variable)).collect();
        tuple(py, "DhTable")?.call1((
            pose(&table.base)?,
            shaped(py, &[], &[table.rows.len(), 4], rows)?,
            names,
            variables,
            pose(&table.tool)?,
        ))
    }
}

/// The order in which the numbers of a row act, by its word.
pub(crate) fn convention(py: Python<'_>, word: &str) -> PyResult<DhConvention> {
    match word {
        "standard" => Ok(DhConvention::Standard),
        "modified" => Ok(DhConvention::Modified),
        _ => {
            let message = format!("convention is \"{word}\"");
            let help = "write \"standard\" or \"modified\"";
            Err(raise(py, Kind::Argument, &message, Some(help)))
        }
    }
}
