//! Inverse kinematics.

use crate::arguments::{one_state, q as q_of};
use crate::arm::Arm;
use crate::conditions::{shaped, tuple};
use crate::error::{Kind, raise, raise_help};
use pliant::analyse::Conditions;
use pliant::plan::{IkGoal, IkMethod, IkSolver};
use pliant::spatial::{Mat3, Pose, Vec3, rotation_error};
use pyo3::prelude::*;

type Any<'py> = Bound<'py, PyAny>;
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

/// How far a matrix may be off a rotation.
const TURNED: f64 = 1e-6;

#[pymethods]
impl Arm {
    /// All postures in which a frame reaches a goal, as ``Reach``: in closed form where there is one,
    /// otherwise those that searches find.
    ///
    /// position: in the world (m), ``(3,)``; attitude: a rotation matrix ``(3, 3)``, by default any;
    /// frame: by default the tip; near: a posture ``(nq,)``, by default neutral, where searches begin
    /// and to which solutions are sorted; sag: with the static deflection of the links; hold: joints
    /// that keep their position; starts, seed: of the searches.
    #[pyo3(signature = (position, attitude=None, *, frame=None, near=None, sag=false, hold=None, starts=60, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        position: [f64; 3],
        attitude: Option<[[f64; 3]; 3]>,
        frame: Option<&str>,
        near: Option<&Any<'py>>,
        sag: bool,
        hold: Option<Vec<String>>,
        starts: usize,
        seed: u64,
    ) -> Answer<'py> {
        let arm = self.arm();
        let numbers = position.iter().chain(attitude.iter().flatten().flatten());
        if let Some(value) = numbers.copied().find(|value| !value.is_finite()) {
            let message = format!("position or attitude is not finite: {value}");
            return Err(raise(py, Kind::Argument, &message, Some("give finite numbers")));
        }
        let frame = match frame {
            Some(name) => self.frame_index(py, name)?,
            None => arm.tip().ok_or_else(|| {
                raise(py, Kind::Argument, "the arm has no tip", Some("choose a frame"))
            })?,
        };
        let place = Vec3::from(position);
        let attitude = attitude.map(Mat3::from_rows);
        if let Some(off) = attitude.as_ref().map(rotation_error).filter(|off| *off > TURNED) {
            let message = format!("attitude is no rotation matrix: it is off by {off:.3e}");
            let help = "its columns are at right angles, of length 1 and right-handed";
            return Err(raise(py, Kind::Argument, &message, Some(help)));
        }
        let goal = match attitude {
            Some(rotation) => IkGoal::Pose(Pose::new(rotation, place)),
            None => IkGoal::Place(place),
        };
        let near = match near {
            Some(near) => one_state(py, self, q_of(near))?,
            None => arm.neutral(),
        };
        let held = self.velocities(py, &hold.unwrap_or_default())?;
        let found = py.detach(|| {
            let solver = if sag {
                IkSolver::sagging(arm, frame, Conditions::default())
            } else {
                IkSolver::new(arm, frame)
            };
            solver?.hold(&held).solutions(&goal, &near, starts, seed)
        });
        let found = found.map_err(|error| raise_help(py, Kind::Dynamics, &error))?;
        let count = [found.solutions.len()];
        let all = |part: fn(&pliant::plan::IkSolution) -> f64| {
            shaped(py, &count, &[], found.solutions.iter().map(part).collect())
        };
        let fields = (
            shaped(
                py,
                &count,
                &[arm.nq()],
                found.solutions.iter().flat_map(|one| one.q.clone()).collect(),
            )?,
            all(|one| one.left.position)?,
            all(|one| one.left.angle)?,
            found.method == IkMethod::ClosedForm,
            found.beyond_limits,
            found.redundancy,
            found.is_singular,
        );
        tuple(py, "Reach")?.call1(fields)
    }
}

impl Arm {
    /// Velocity coordinates by name.
    fn velocities(&self, py: Python<'_>, names: &[String]) -> PyResult<Vec<usize>> {
        let known = self.arm().velocity_names();
        let find = |name: &String| {
            known.iter().position(|own| own == name).ok_or_else(|| {
                let message = format!("hold names \"{name}\", which is no joint");
                let help = format!("the coordinates are {}", known.join(", "));
                raise(py, Kind::Argument, &message, Some(&help))
            })
        };
        names.iter().map(find).collect()
    }
}
