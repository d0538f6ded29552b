//! The page on which modes move.

use crate::arguments::{one_state, q as q_of};
use crate::arm::Arm;
use crate::conditions::Held;
use crate::error::{Kind, raise, raise_analysis};
use pliant::analyse::{Conditions, Mode};
use pliant_io::report::{ModeLine, ModesReport, of_modes};
use pyo3::prelude::*;

/// So many modes are shown, and so many parts of each.
const MOST: (usize, usize) = (10, 3);

/// Beside its largest part, parts of a mode have at least this share.
const SHARE: f64 = 0.05;

#[pymethods]
impl Arm {
    /// A page in HTML on which the modes of a posture move, the slowest ten.
    ///
    /// q: ``(nq,)``, by default neutral; joints, as_given: as in ``modes``.
    #[pyo3(signature = (q=None, *, joints=None, as_given=false))]
    fn modes_page(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        joints: Option<Held>,
        as_given: bool,
    ) -> PyResult<String> {
        let (arm, description) = (self.arm(), &self.loaded.description);
        let q = q.map(|q| one_state(py, self, q_of(q))).transpose()?;
        let q = q.unwrap_or_else(|| arm.neutral());
        let conditions = self.conditions(py, joints, Conditions::default())?;
        let conditions = Conditions { as_given, ..conditions };
        let modes = py.detach(|| arm.modes_under(&q, &conditions));
        let modes = modes.map_err(|error| raise_analysis(py, &error, ""))?;
        if modes.modes.is_empty() {
            let message = "there is nothing to vibrate: no link bends, and all joints are locked";
            return Err(raise(py, Kind::Argument, message, Some("give joints=\"free\"")));
        }
        let line = |mode: &Mode| {
            let parts = arm.participation(mode).into_iter().enumerate();
            let parts = parts.filter(|(k, part)| *k == 0 || part.1.abs() >= SHARE).take(MOST.1);
            ModeLine {
                hertz: mode.hertz(),
                damping: mode.damping_ratio,
                unstable: mode.is_unstable(),
                moves: parts.map(|(_, (part, share))| (part.to_string(), share)).collect(),
                error: None,
            }
        };
        let lines: Vec<ModeLine> = modes.modes.iter().take(MOST.0).map(line).collect();
        let (lines, modes) = (lines.as_slice(), &modes);
        let no_convergence = Some("Arm.modes(errors=True) tells it");
        Ok(py.detach(|| {
            of_modes(&ModesReport { arm, description, modes, lines, facts: &[], no_convergence })
        }))
    }

    /// Shows the modes of a posture as they move: in a notebook below the cell, elsewhere in the
    /// browser. Its arguments are those of ``modes_page``.
    #[pyo3(signature = (q=None, *, joints=None, as_given=false))]
    fn show_modes(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        joints: Option<Held>,
        as_given: bool,
    ) -> PyResult<()> {
        let page = self.modes_page(py, q, joints, as_given)?;
        py.import("pliant.pages")?.call_method1("show", (page,)).map(drop)
    }
}
