//! Vibrations of a moving arm.

use crate::arguments::{q as q_of, shape_word, u as u_of, ud as ud_of};
use crate::arm::Arm;
use crate::arrays::collect;
use crate::conditions::{shaped, tuple};
use crate::error::{Kind, raise, raise_analysis};
use numpy::{Complex64, PyArray1};
use pliant::analyse::{Joints, OperatingPoint, Vibration};
use pyo3::prelude::*;

type Any<'py> = Bound<'py, PyAny>;

#[pymethods]
impl Arm {
    /// The vibration modes of a moving arm, frozen at instants, as ``Vibrations``, from the lowest
    /// frequency.
    ///
    /// q: ``(..., nq)``; u, ud: velocities and accelerations, ``(..., nv)``, by default at rest.
    /// joints: ``"prescribed"``, they move as they are told, or ``"free"``, their motors giving what
    /// they give. times: of the instants of a motion (s), ``(instants,)``; the states are then
    /// ``(instants, n)``, and every mode keeps its place from one instant to the next.
    #[pyo3(signature = (q, u=None, ud=None, *, joints="prescribed", times=None))]
    fn vibrations<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: Option<&Any<'py>>,
        ud: Option<&Any<'py>>,
        joints: &str,
        times: Option<Vec<f64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let joints = match joints {
            "prescribed" => Joints::Prescribed,
            "free" => Joints::Free,
            word => {
                let message = format!("joints says \"{word}\"");
                let help = "write \"prescribed\" or \"free\"";
                return Err(raise(py, Kind::Argument, &message, Some(help)));
            }
        };
        let rest = PyArray1::<f64>::zeros(py, self.arm().nv(), false).into_any();
        let arguments = [q_of(q), u_of(u.unwrap_or(&rest)), ud_of(ud.unwrap_or(&rest))];
        let (lead, found) = match times {
            None => {
                collect(self, py, arguments, |arm, [q, u, ud]| arm.vibrations(q, u, ud, joints))?
            }
            Some(times) => {
                let (lead, motion) = collect(self, py, arguments, |_, [q, u, ud]| {
                    Ok(OperatingPoint { q: q.to_vec(), u: u.to_vec(), ud: ud.to_vec() })
                })?;
                if lead != [times.len()] {
                    let seen = [shape_word(&[times.len()], ""), shape_word(&lead, "n")];
                    let message =
                        format!("times has shape {}, and the states {}", seen[0], seen[1]);
                    let help = "give one state for each instant, (instants, n)";
                    return Err(raise(py, Kind::Shape, &message, Some(help)));
                }
                let motion: Vec<_> = times.into_iter().zip(motion).collect();
                let along = py.detach(|| self.arm().vibrations_along(&motion, joints));
                let along = along.map_err(|error| raise_analysis(py, &error, ""))?;
                (lead, along.into_iter().map(|instant| instant.vibrations).collect())
            }
        };
        let (nv, count) = (self.arm().nv(), found.first().map_or(0, Vec::len));
        let each = || found.iter().flatten();
        let own = |part: &dyn Fn(&Vibration) -> f64| {
            shaped::<f64>(py, &lead, &[count], each().map(part).collect())
        };
        let shapes = each().flat_map(|one| one.shape[0].iter().copied()).collect();
        let poles: Vec<Complex64> = each().flat_map(|one| one.eigenvalues).collect();
        tuple(py, "Vibrations")?.call1((
            shaped(py, &lead, &[count, 2], poles)?,
            own(&|one| one.frequency)?,
            own(&|one| one.energy)?,
            own(&|one| one.action.unwrap_or(f64::NAN))?,
            shaped::<f64>(py, &lead, &[count, nv], shapes)?,
        ))
    }
}
