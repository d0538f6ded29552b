//! Where the frames of an arm are and how they move, for one state or arrays of states.

use crate::arguments::{q as q_of, u as u_of, ud as ud_of, wrench as wrench_of};
use crate::arm::Arm;
use crate::arrays::map;
use crate::error::{Kind, raise};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::{Load, add_loads};
use pliant::spatial::{Force, Pose, Vec3};
use pliant_io::nearest;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

type Any<'py> = Bound<'py, PyAny>;
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

#[pymethods]
impl Arm {
    /// The pose of a frame in the world (m) as homogeneous matrices, ``(..., 4, 4)``.
    #[pyo3(signature = (q, frame, *, out=None))]
    fn pose<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        frame: &str,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let frame = self.frame_index(py, frame)?;
        map(self, py, [q_of(q)], &[4, 4], out, |arm, work, [q], matrix| {
            homogeneous(&work.kinematics(arm).place(arm, q).pose(frame), matrix);
            Ok(())
        })
    }

    /// The poses of all frames in the world (m) as homogeneous matrices, in the order of
    /// ``frame_names``, ``(..., frames, 4, 4)``.
    #[pyo3(signature = (q, *, out=None))]
    fn frames<'py>(&self, py: Python<'py>, q: &Any<'py>, out: Option<&Any<'py>>) -> Answer<'py> {
        let count = self.arm().frames().len();
        map(self, py, [q_of(q)], &[count, 4, 4], out, |arm, work, [q], matrices| {
            let placed = work.kinematics(arm).place(arm, q);
            for (frame, matrix) in matrices.chunks_exact_mut(16).enumerate() {
                homogeneous(&placed.pose(frame), matrix);
            }
            Ok(())
        })
    }

    /// The Jacobian of a frame, ``[v; w] = J u`` (m/s, rad/s), ``(..., 6, nv)``.
    ///
    /// axes: ``"world"`` or the frame's ``"own"``; the velocity is that of the frame's origin in
    /// both.
    #[pyo3(signature = (q, frame, *, axes="world", out=None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        frame: &str,
        axes: &str,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let (frame, axes) = (self.frame_index(py, frame)?, axes_of(py, axes)?);
        map(self, py, [q_of(q)], &[6, self.arm().nv()], out, |arm, work, [q], jacobian| {
            work.kinematics(arm).place(arm, q).jacobian_into(frame, axes, jacobian);
            Ok(())
        })
    }

    /// The velocity ``[v; w]`` of a frame's origin and of the frame (m/s, rad/s), ``(..., 6)``.
    #[pyo3(signature = (q, u, frame, *, axes="world", out=None))]
    fn twist<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        frame: &str,
        axes: &str,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let (frame, axes) = (self.frame_index(py, frame)?, axes_of(py, axes)?);
        map(self, py, [q_of(q), u_of(u)], &[6], out, |arm, work, [q, u], twist| {
            let moving = work.kinematics(arm).move_with(arm, q, u, u);
            twist.copy_from_slice(&moving.twist(frame, axes).to_array());
            Ok(())
        })
    }

    /// The acceleration of a frame's origin and of the frame (m/s², rad/s²), ``(..., 6)``.
    #[pyo3(signature = (q, u, ud, frame, *, axes="world", out=None))]
    #[expect(clippy::too_many_arguments, reason = "they are the state and the frame")]
    fn frame_acceleration<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        ud: &Any<'py>,
        frame: &str,
        axes: &str,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let (frame, axes) = (self.frame_index(py, frame)?, axes_of(py, axes)?);
        let arguments = [q_of(q), u_of(u), ud_of(ud)];
        map(self, py, arguments, &[6], out, |arm, work, [q, u, ud], acceleration| {
            let moving = work.kinematics(arm).move_with(arm, q, u, ud);
            acceleration.copy_from_slice(&moving.acceleration(frame, axes).to_array());
            Ok(())
        })
    }

    /// The generalised forces of a wrench on a frame, ``J^T F`` (N m, N), ``(..., nv)``; add them to
    /// ``tau``.
    ///
    /// wrench: force and moment about the frame's origin (N, N m), ``(..., 6)``; axes: ``"world"`` or
    /// the frame's ``"own"``.
    #[pyo3(signature = (q, frame, wrench, *, axes="world", out=None))]
    fn load_forces<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        frame: &str,
        wrench: &Any<'py>,
        axes: &str,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let (frame, axes) = (self.frame_index(py, frame)?, axes_of(py, axes)?);
        let arguments = [q_of(q), wrench_of(wrench)];
        map(self, py, arguments, &[self.arm().nv()], out, |arm, work, [q, wrench], force| {
            let three = |k: usize| Vec3::new(wrench[k], wrench[k + 1], wrench[k + 2]);
            let load = Load { frame, wrench: Force::new(three(0), three(3)), axes };
            force.fill(0.0);
            add_loads(&work.kinematics(arm).place(arm, q), &[load], force);
            Ok(())
        })
    }
}

impl Arm {
    /// A frame by its name.
    pub(crate) fn frame_index(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        self.arm().frame(name).map_err(|error| {
            let names = || self.arm().frames().iter().map(pliant::arm::Frame::name);
            let all = names().collect::<Vec<_>>().join(", ");
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean \"{near}\"? the frames are {all}"),
                None => format!("the frames are {all}"),
            };
            raise(py, Kind::Argument, &format!("frame: {error}"), Some(&help))
        })
    }
}

fn axes_of(py: Python<'_>, word: &str) -> PyResult<Axes> {
    match word {
        "world" => Ok(Axes::World),
        "own" => Ok(Axes::Own),
        _ => {
            let message = format!("axes is \"{word}\", expected \"world\" or \"own\"");
            Err(raise(py, Kind::Argument, &message, None))
        }
    }
}

/// A pose as a homogeneous matrix, row by row.
pub(crate) fn homogeneous(pose: &Pose<f64>, matrix: &mut [f64]) {
    let columns = pose.rotation.columns.map(Vec3::to_array);
    let position = pose.position.to_array();
    matrix.fill(0.0);
    for row in 0..3 {
        for column in 0..3 {
            matrix[4 * row + column] = columns[column][row];
        }
        matrix[4 * row + 3] = position[row];
    }
    matrix[15] = 1.0;
}

/// The parts of an answer on one of its axes, `behind` of which follow, as a tuple with names.
pub(crate) fn named<'py>(
    py: Python<'py>,
    class: &str,
    whole: &Bound<'py, PyAny>,
    behind: isize,
) -> Answer<'py> {
    let numpy = py.import(intern!(py, "numpy"))?;
    let parts = numpy.call_method1(intern!(py, "moveaxis"), (whole, -1 - behind, 0))?;
    let parts: Vec<Bound<'py, PyAny>> = parts.try_iter()?.collect::<PyResult<_>>()?;
    py.import(intern!(py, "pliant.tuples"))?.getattr(class)?.call1(PyTuple::new(py, parts)?)
}
