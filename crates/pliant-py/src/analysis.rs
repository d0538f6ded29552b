//! Analysis near a configuration: equilibria, modes, linear systems, inverse kinematics.

use crate::arguments::{one_state, q as q_of, u as u_of, ud as ud_of};
use crate::arm::Arm;
use crate::arrays::collect;
use crate::error::{Kind, raise, raise_help};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pliant::analyse::{Conditions, JointCondition, OperatingPoint, StateSpace};
use pliant::nalgebra::DMatrix;
use pliant::plan::{IkGoal, IkMethod, IkSolver};
use pliant::spatial::{Mat3, Pose, Vec3};
use pliant_io::{linear_inputs, linear_outputs, rename_outputs};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::BTreeMap;

type Any<'py> = Bound<'py, PyAny>;
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

/// How joints are held: all in one way, or each by the name of its link.
#[derive(FromPyObject)]
enum Held {
    All(String),
    Each(BTreeMap<String, String>),
}

#[pymethods]
impl Arm {
    /// The static equilibrium of the links under gravity, joints held at ``q``, as
    /// ``Equilibrium(q, forces, residual, stable)``.
    ///
    /// q: ``(..., nq)``, its bending is where the search begins. joints: ``"locked"``, ``"free"`` or
    /// ``"spring"`` (on its spring) for all joints, or by link in a dictionary, the others locked.
    #[pyo3(signature = (q=None, *, joints=None))]
    fn static_equilibrium<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Any<'py>>,
        joints: Option<Held>,
    ) -> Answer<'py> {
        let neutral = self.neutral(py).into_any();
        let conditions = self.conditions(py, joints, Conditions::default())?;
        let arguments = [q_of(q.unwrap_or(&neutral))];
        let (lead, found) =
            collect(self, py, arguments, |arm, [q]| arm.static_equilibrium_under(q, &conditions))?;
        let own = |core: &[usize], numbers| shaped(py, &lead, core, numbers);
        let fields = (
            own(&[self.arm().nq()], found.iter().flat_map(|one| one.q.clone()).collect())?,
            own(
                &[self.arm().nv()],
                found.iter().flat_map(|one| one.forces.iter().copied()).collect(),
            )?,
            own(&[], found.iter().map(|one| one.residual).collect())?,
            flags(py, &lead, found.iter().map(|one| one.stable).collect())?,
        );
        tuple(py, "Equilibrium")?.call1(fields)
    }

    /// Natural frequencies and mode shapes about the static equilibrium under gravity, as ``Modes``,
    /// from the slowest mode to the fastest.
    ///
    /// q: ``(..., nq)``, by default neutral. joints: ``"locked"``, ``"free"`` or ``"spring"`` (on its
    /// spring) for all joints, or by link in a dictionary, the others locked. as_given: about ``q``
    /// itself instead of about the equilibrium.
    #[pyo3(signature = (q=None, *, joints=None, as_given=false))]
    fn modes<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Any<'py>>,
        joints: Option<Held>,
        as_given: bool,
    ) -> Answer<'py> {
        let neutral = self.neutral(py).into_any();
        let conditions = self.conditions(py, joints, Conditions::default())?;
        let conditions = Conditions { as_given, ..conditions };
        let arguments = [q_of(q.unwrap_or(&neutral))];
        let (lead, found) =
            collect(self, py, arguments, |arm, [q]| arm.modes_under(q, &conditions))?;
        let (nv, count) = (self.arm().nv(), found.first().map_or(0, |one| one.modes.len()));
        let each = || found.iter().flat_map(|one| &one.modes);
        let own = |core: &[usize], numbers| shaped(py, &lead, core, numbers);
        let fields = (
            own(&[self.arm().nq()], found.iter().flat_map(|one| one.q.clone()).collect())?,
            own(&[count], each().map(|mode| mode.squared).collect())?,
            own(&[count], each().map(|mode| mode.damping_ratio).collect())?,
            own(&[count, nv], each().flat_map(|mode| mode.shape.iter().copied()).collect())?,
            own(&[count, nv], each().flat_map(|mode| mode.shares.iter().copied()).collect())?,
            own(&[], found.iter().map(|one| one.asymmetry).collect())?,
        );
        tuple(py, "Modes")?.call1(fields)
    }

    /// The arm linearised about an operating point, as ``StateSpace``: small changes of the
    /// coordinates, then of their rates, with the exact slopes.
    ///
    /// q: ``(..., nq)``, by default neutral; u, ud: ``(..., nv)``, by default at rest. At rest the
    /// links have their static deflection, unless as_given. inputs: names such as ``"fore"`` (the
    /// motor of a joint) or ``"hand.force.y"``, by default all motors; outputs: names such as
    /// ``"fore"``, ``"fore.rate"`` or ``"hand.position.x"``, by default joints and tip. joints:
    /// ``"locked"``, ``"free"`` or ``"spring"``, for all or by link in a dictionary; by default all
    /// move, those with springs on them.
    #[pyo3(signature = (q=None, u=None, ud=None, *, inputs=None, outputs=None, joints=None, as_given=false))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn linearise<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Any<'py>>,
        u: Option<&Any<'py>>,
        ud: Option<&Any<'py>>,
        inputs: Option<Vec<String>>,
        outputs: Option<Vec<String>>,
        joints: Option<Held>,
        as_given: bool,
    ) -> Answer<'py> {
        let conditions = self.conditions(py, joints, Conditions::unlocked(self.arm()))?;
        let refused = |error| raise_help(py, Kind::Argument, &error);
        let inputs =
            linear_inputs(self.arm(), &conditions, &inputs.unwrap_or_default()).map_err(refused)?;
        let outputs = linear_outputs(self.arm(), &[], &outputs.unwrap_or_default());
        let (outputs, names): (Vec<_>, Vec<_>) = outputs.map_err(refused)?.into_iter().unzip();
        let neutral = self.neutral(py).into_any();
        let rest = PyArray1::<f64>::zeros(py, self.arm().nv(), false).into_any();
        let held = Conditions { joints: Vec::new(), ..conditions.clone() };
        let arguments =
            [q_of(q.unwrap_or(&neutral)), u_of(u.unwrap_or(&rest)), ud_of(ud.unwrap_or(&rest))];
        let (lead, mut found) = collect(self, py, arguments, |arm, [q, u, ud]| {
            let moves = u.iter().chain(ud).any(|rate| *rate != 0.0);
            let point = if as_given || moves {
                OperatingPoint { q: q.to_vec(), u: u.to_vec(), ud: ud.to_vec() }
            } else {
                OperatingPoint::rest(arm, &arm.static_equilibrium_under(q, &held)?.q)
            };
            let system = arm.linearise(&point, &conditions, &inputs, &outputs)?;
            Ok((point.q, system))
        })?;
        for (_, system) in &mut found {
            rename_outputs(system, names.clone());
        }
        let matrix = |part: fn(&StateSpace) -> &DMatrix<f64>| {
            let size = found.first().map_or((0, 0), |(_, system)| part(system).shape());
            let rows = |system: &StateSpace| part(system).transpose().iter().copied().collect();
            let all = found.iter().flat_map(|(_, system)| -> Vec<f64> { rows(system) }).collect();
            shaped(py, &lead, &[size.0, size.1], all)
        };
        let labels = |part: fn(&StateSpace) -> &Vec<pliant::analyse::Label>| {
            let first = found.first().map(|(_, system)| part(system).as_slice());
            let all = first.unwrap_or_default();
            let names: Vec<String> = all.iter().map(|label| label.name.clone()).collect();
            let units: Vec<String> = all.iter().map(|label| label.unit.clone()).collect();
            (names, units)
        };
        let ((states, state_units), (inputs, input_units), (outputs, output_units)) = (
            labels(|system| &system.states),
            labels(|system| &system.inputs),
            labels(|system| &system.outputs),
        );
        let q = found.iter().flat_map(|(q, _)| q.clone()).collect();
        let fields = (
            matrix(|system| &system.a)?,
            matrix(|system| &system.b)?,
            matrix(|system| &system.c)?,
            matrix(|system| &system.d)?,
            states,
            inputs,
            outputs,
            state_units,
            input_units,
            output_units,
            shaped(py, &lead, &[self.arm().nq()], q)?,
        );
        tuple(py, "StateSpace")?.call1(fields)
    }

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
        let goal = match attitude {
            Some(rows) => IkGoal::Pose(Pose::new(Mat3::from_rows(rows), place)),
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
    /// How joints are held, where something is said.
    fn conditions(
        &self,
        py: Python<'_>,
        held: Option<Held>,
        usual: Conditions,
    ) -> PyResult<Conditions> {
        let arm = self.arm();
        let condition = |word: &str| match word {
            "locked" => Ok(JointCondition::Locked),
            "free" => Ok(JointCondition::Free),
            "spring" => Ok(JointCondition::OnSpring),
            _ => {
                let message = format!("joints says \"{word}\"");
                let help = "write \"locked\", \"free\" or \"spring\"";
                Err(raise(py, Kind::Argument, &message, Some(help)))
            }
        };
        match held {
            None => Ok(usual),
            Some(Held::All(word)) => Ok(Conditions::all(arm, condition(&word)?)),
            Some(Held::Each(words)) => {
                let mut conditions = match usual.joints.as_slice() {
                    [] => Conditions::all(arm, JointCondition::Locked),
                    _ => usual,
                };
                for (name, word) in words {
                    let is_named = |&link: &usize| {
                        [arm.link_names(), arm.joint_names()]
                            .iter()
                            .any(|names| names[link] == name)
                    };
                    let Some(link) = (0..arm.body_count()).find(is_named) else {
                        let message = format!("joints names \"{name}\", which is no link");
                        let help = format!("the links are {}", arm.link_names().join(", "));
                        return Err(raise(py, Kind::Argument, &message, Some(&help)));
                    };
                    conditions.joints[link] = condition(&word)?;
                }
                Ok(conditions)
            }
        }
    }

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

/// A class of `pliant.tuples`.
fn tuple<'py>(py: Python<'py>, name: &str) -> Answer<'py> {
    py.import(intern!(py, "pliant.tuples"))?.getattr(name)
}

/// Numbers of one or many states, as an array; of one state and one number a number.
fn shaped<'py>(
    py: Python<'py>,
    lead: &[usize],
    core: &[usize],
    numbers: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape: Vec<usize> = lead.iter().chain(core).copied().collect();
    let array: Bound<'py, PyArrayDyn<f64>> = PyArray1::from_vec(py, numbers).reshape(shape)?;
    // a number where there is no axis, as NumPy does
    array.into_any().get_item(PyTuple::empty(py))
}

/// The same of truths.
fn flags<'py>(py: Python<'py>, lead: &[usize], all: Vec<bool>) -> Answer<'py> {
    let array: Bound<'py, PyArrayDyn<bool>> = PyArray1::from_vec(py, all).reshape(lead.to_vec())?;
    array.into_any().get_item(PyTuple::empty(py))
}
