//! Analysis near a configuration: equilibria, modes, linear systems.

use crate::arguments::{q as q_of, u as u_of, ud as ud_of};
use crate::arm::Arm;
use crate::arrays::collect;
use crate::conditions::{Held, Loads, shaped, tuple};
use crate::error::{Kind, raise_help};
use numpy::PyArray1;
use pliant::analyse::{Conditions, Mode, OperatingPoint, StateSpace};
use pliant::nalgebra::DMatrix;
use pliant_io::{linear_inputs, linear_outputs, rename_outputs};
use pyo3::prelude::*;

type Any<'py> = Bound<'py, PyAny>;
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

#[pymethods]
impl Arm {
    /// The static equilibrium of the links under gravity, joints held at ``q``, as
    /// ``Equilibrium(q, forces, residual, stable)``.
    ///
    /// q: ``(..., nq)``, its bending is where the search begins. joints: ``"locked"``, ``"free"`` or
    /// ``"spring"`` (on its spring) for all joints, or by link in a dictionary, the others locked.
    /// loads: force and moment on frames, by name, ``(6,)`` in world axes (N, N m).
    #[pyo3(signature = (q=None, *, joints=None, loads=None))]
    fn static_equilibrium<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Any<'py>>,
        joints: Option<Held>,
        loads: Option<Loads>,
    ) -> Answer<'py> {
        let neutral = self.neutral(py).into_any();
        let conditions = self.held_and_loaded(py, joints, loads)?;
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
            shaped(py, &lead, &[], found.iter().map(|one| one.stable).collect())?,
        );
        tuple(py, "Equilibrium")?.call1(fields)
    }

    /// The stiffness about a configuration, as the slopes of the forces that hold it (N m/rad, N/m),
    /// ``(..., nv, nv)``: springs, bending and gravity, and of loads how they turn with the arm.
    ///
    /// q: ``(..., nq)``, by default neutral; joints, loads: as in ``static_equilibrium``.
    #[pyo3(signature = (q=None, *, joints=None, loads=None))]
    fn tangent_stiffness<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Any<'py>>,
        joints: Option<Held>,
        loads: Option<Loads>,
    ) -> Answer<'py> {
        let neutral = self.neutral(py).into_any();
        let conditions = self.held_and_loaded(py, joints, loads)?;
        let arguments = [q_of(q.unwrap_or(&neutral))];
        let (lead, found) =
            collect(self, py, arguments, |arm, [q]| arm.tangent_stiffness(q, &conditions))?;
        let n = self.arm().nv();
        shaped(py, &lead, &[n, n], found.iter().flat_map(rows).collect())
    }

    /// Natural frequencies and mode shapes about the static equilibrium under gravity, as ``Modes``,
    /// from the slowest mode to the fastest.
    ///
    /// q: ``(..., nq)``, by default neutral. joints: ``"locked"``, ``"free"`` or ``"spring"`` (on its
    /// spring) for all joints, or by link in a dictionary, the others locked. loads: force and moment
    /// on frames, by name, ``(6,)`` in world axes (N, N m). as_given: about ``q`` itself instead of
    /// about the equilibrium. errors: also compare the frequencies with those of many finite elements,
    /// which takes most of the time.
    #[pyo3(signature = (q=None, *, joints=None, loads=None, as_given=false, errors=false))]
    fn modes<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Any<'py>>,
        joints: Option<Held>,
        loads: Option<Loads>,
        as_given: bool,
        errors: bool,
    ) -> Answer<'py> {
        let neutral = self.neutral(py).into_any();
        let conditions = Conditions { as_given, ..self.held_and_loaded(py, joints, loads)? };
        let arguments = [q_of(q.unwrap_or(&neutral))];
        let description = errors.then_some(&self.loaded.description);
        let (lead, found) = collect(self, py, arguments, |arm, [q]| {
            let modes = arm.modes_under(q, &conditions)?;
            let compare = |own| modes.convergence(arm, own, q, &conditions);
            let errors = description.map(compare).transpose();
            Ok((modes, errors))
        })?;
        let (nv, count) = (self.arm().nv(), found.first().map_or(0, |(one, _)| one.modes.len()));
        let each = || found.iter().flat_map(|(one, _)| &one.modes);
        let own = |core: &[usize], numbers| shaped(py, &lead, core, numbers);
        let (parts, participation) = self.participation(each());
        let error = if errors {
            let mut all = Vec::new();
            for (_, errors) in &found {
                let errors =
                    errors.as_ref().map_err(|error| raise_help(py, Kind::Dynamics, error))?;
                let known = errors.iter().flatten().copied();
                all.extend(known.chain(std::iter::repeat(f64::NAN)).take(count));
            }
            Some(own(&[count], all)?)
        } else {
            None
        };
        let fields = (
            own(&[self.arm().nq()], found.iter().flat_map(|(one, _)| one.q.clone()).collect())?,
            own(&[count], each().map(|mode| mode.squared).collect())?,
            own(&[count], each().map(|mode| mode.damping_ratio).collect())?,
            own(&[count, nv], each().flat_map(|mode| mode.shape.iter().copied()).collect())?,
            own(&[count, nv], each().flat_map(|mode| mode.shares.iter().copied()).collect())?,
            own(&[], found.iter().map(|(one, _)| one.asymmetry).collect())?,
            own(&[count, parts.len()], participation)?,
            parts,
            error,
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
        state_space(py, &lead, &found, None)
    }
}

impl Arm {
    /// The parts of the arm that have a share of the kinetic energy, and their shares in each mode.
    fn participation<'a>(&self, modes: impl Iterator<Item = &'a Mode>) -> (Vec<String>, Vec<f64>) {
        let own = |mode| self.arm().participation(mode).into_iter();
        let told: Vec<Vec<(String, f64)>> = modes
            .map(|mode| own(mode).map(|(part, share)| (part.to_string(), share)).collect())
            .collect();
        let mut parts: Vec<String> = Vec::new();
        for (part, _) in told.iter().flatten() {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        let share = |mode: &[(String, f64)], part: &String| {
            mode.iter().find(|(own, _)| own == part).map_or(0.0, |(_, share)| *share)
        };
        let shares = told.iter().flat_map(|mode| parts.iter().map(|part| share(mode, part)));
        let shares = shares.collect();
        (parts, shares)
    }
}

/// The numbers of a matrix, row by row.
fn rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().iter().copied().collect()
}

/// Linear systems about configurations, of steps where they have a period (s), as `StateSpace`.
pub(crate) fn state_space<'py>(
    py: Python<'py>,
    lead: &[usize],
    found: &[(Vec<f64>, StateSpace)],
    period: Option<f64>,
) -> Answer<'py> {
    let matrix = |part: fn(&StateSpace) -> &DMatrix<f64>| {
        let size = found.first().map_or((0, 0), |(_, system)| part(system).shape());
        let all = found.iter().flat_map(|(_, system)| rows(part(system))).collect();
        shaped::<f64>(py, lead, &[size.0, size.1], all)
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
    let nq = found.first().map_or(0, |(q, _)| q.len());
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
        shaped(py, lead, &[nq], found.iter().flat_map(|(q, _)| q.clone()).collect::<Vec<f64>>())?,
        period,
    );
    tuple(py, "StateSpace")?.call1(fields)
}
