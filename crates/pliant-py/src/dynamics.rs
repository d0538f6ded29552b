//! The dynamics of an arm, for one state or arrays of states.

use crate::arguments;
use crate::arm::Arm;
use crate::arrays::{SUSPICIOUS, map_compiled};
use crate::kinematics::named;
use crate::work::Work;
use numpy::PyArray1;
use pliant::compile::Quantity;
use pliant::dynamics::derivatives::{forward_derivatives_into, inverse_derivatives_into};
use pliant::dynamics::energy::{self, Power};
use pliant::dynamics::{EvaluationError, aba, coriolis as coriolis_terms, crba, rnea, terms};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

type Any<'py> = Bound<'py, PyAny>;
type Done = Result<(), EvaluationError>;

/// What a computation returns: nothing, or whether there is an answer.
trait Outcome {
    fn done(self) -> Done;
}

impl Outcome for () {
    fn done(self) -> Done {
        Ok(())
    }
}

impl Outcome for Done {
    fn done(self) -> Done {
        self
    }
}

/// Makes methods of `Arm`, each of one state or of arrays of states: its arguments, with one that is
/// zero unless it is given behind a semicolon; the shape of its answer for one state, by `nv`; the
/// class of an answer of several parts, which are on an axis behind which so many follow; and the
/// quantity that is compiled for arrays of many states.
///
/// What a method computes for one state is the function of its name in this file.
macro_rules! functions_of_states {
    ($(
        $(#[$text:meta])*
        $name:ident($($argument:ident),+ $(; $optional:ident)?), $core:expr
        $(, $class:ident[$behind:literal])? $(=> $quantity:ident)?;
    )+) => {
        #[pymethods]
        impl Arm {$(
            $(#[$text])*
            #[pyo3(signature = ($($argument,)+ $($optional=None,)? *, out=None))]
            fn $name<'py>(
                &self,
                py: Python<'py>,
                $($argument: &Any<'py>,)+
                $($optional: Option<&Any<'py>>,)?
                out: Option<&Any<'py>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let nv = self.arm().nv();
                $(
                    let zeros = PyArray1::<f64>::zeros(py, nv, false).into_any();
                    let $optional = $optional.unwrap_or(&zeros);
                )?
                let given = [
                    $(arguments::$argument($argument),)+
                    $(arguments::$optional($optional),)?
                ];
                let core = ($core)(nv);
                let by = (out, quantity!(self, $($quantity)?));
                let answer = map_compiled(self, py, given, &core, by, |_, work, states, answer| {
                    $name(self, work, states, answer).done()
                })?;
                $(let answer = named(py, stringify!($class), &answer, $behind)?;)?
                Ok(answer)
            }
        )+}
    };
}

/// What is compiled for arrays of many states: nothing where joints are prescribed, whose
/// accelerations are further arguments.
macro_rules! quantity {
    ($own:ident, ) => {
        None
    };
    ($own:ident, $quantity:ident) => {
        Some(Quantity::$quantity).filter(|_| $own.arm().free_velocities().len() == $own.arm().nv())
    };
}

functions_of_states! {
    /// The accelerations that forces cause, ``M ud + bias = tau``.
    ///
    /// q: configuration, ``(..., nq)``; u: velocities, ``(..., nv)``; tau: forces (N m, N), those of
    /// external loads added to them, ``(..., nv)``. Returns ``ud`` (rad/s², m/s²), ``(..., nv)``.
    /// Prescribed joints do not accelerate; see ``hybrid_dynamics`` where they do.
    forward_dynamics(q, u, tau), |n| [n] => ForwardDynamics;

    /// Forces and accelerations where some joints are prescribed: of ``tau`` the entries of free
    /// joints are taken, of ``ud`` those of prescribed joints; both come back complete.
    ///
    /// Returns ``(tau, ud)``, each ``(..., nv)``; ``out`` is ``(..., 2, nv)``.
    hybrid_dynamics(q, u, tau, ud), |n| [2, n], HybridDynamics[1];

    /// The forces that a motion needs, without external loads: ``tau = M ud + bias`` (N m, N).
    ///
    /// q: configuration, ``(..., nq)``; u: velocities and ud: accelerations, ``(..., nv)``.
    /// Returns ``tau``, ``(..., nv)``.
    inverse_dynamics(q, u, ud), |n| [n] => InverseDynamics;

    /// The mass matrix ``M(q)`` (kg m², kg m, kg), ``(..., nv, nv)``.
    mass_matrix(q), |n| [n, n] => MassMatrix;

    /// ``coriolis + gravity + elastic + damping``: the forces at zero acceleration (N m, N),
    /// ``(..., nv)``.
    bias(q, u), |n| [n];

    /// The forces of velocity alone (N m, N), ``(..., nv)``.
    coriolis(q, u), |n| [n];

    /// The matrix ``C`` with ``C u = coriolis`` and ``dM/dt - 2 C`` skew-symmetric,
    /// ``(..., nv, nv)``.
    coriolis_matrix(q, u), |n| [n, n];

    /// What drives dampers and friction (N m, N), ``(..., nv)``.
    damping(q, u), |n| [n];

    /// What holds the arm against gravity (N m, N), ``(..., nv)``.
    gravity(q), |n| [n];

    /// What holds springs, bent links and the energies of force elements (N m, N), ``(..., nv)``.
    elastic(q), |n| [n];

    /// Kinetic, potential and elastic energy (J) as ``Energies(kinetic, potential, elastic)``, each
    /// ``(...)``; ``out`` is ``(..., 3)``.
    energy(q, u), |_| [3], Energies[0];

    /// Momenta in world axes, about the world's origin, as ``Momenta(linear, angular)`` (kg m/s,
    /// kg m²/s), each ``(..., 3)``; ``out`` is ``(..., 2, 3)``.
    momentum(q, u), |_| [2, 3], Momenta[1];

    /// Where power comes from and goes (W) as ``Power(motors, loads, dampers)``, each ``(...)``.
    ///
    /// tau: forces of the motors; loads: generalised forces of external loads, by default none, both
    /// ``(..., nv)``. ``out`` is ``(..., 3)``.
    power(q, u, tau; loads), |_| [3], Power[0];

    /// The derivatives of forward dynamics as ``ForwardDerivatives(by_q, by_u, by_tau)``, each
    /// ``(..., nv, nv)``; ``by_q`` is in the directions of the velocities.
    ///
    /// ud: accelerations of prescribed joints, by default zero. ``out`` is ``(..., 3, nv, nv)``.
    forward_derivatives(q, u, tau; ud), |n| [3, n, n], ForwardDerivatives[2];

    /// The derivatives of inverse dynamics as ``InverseDerivatives(by_q, by_u, by_ud)``, each
    /// ``(..., nv, nv)``; ``by_q`` is in the directions of the velocities, ``by_ud`` the mass matrix.
    ///
    /// ``out`` is ``(..., 3, nv, nv)``.
    inverse_derivatives(q, u, ud), |n| [3, n, n], InverseDerivatives[2];
}

fn forward_dynamics(own: &Arm, work: &mut Work, states: [&[f64]; 3], ud: &mut [f64]) -> Done {
    ud.fill(0.0);
    own.accelerations(work, states, ud)
}

fn hybrid_dynamics(own: &Arm, work: &mut Work, states: [&[f64]; 4], both: &mut [f64]) -> Done {
    let [q, u, tau, ud] = states;
    let (forces, rates) = both.split_at_mut(own.arm().nv());
    rates.copy_from_slice(ud);
    own.accelerations(work, [q, u, tau], rates)?;
    forces.copy_from_slice(&work.tau);
    Ok(())
}

fn inverse_dynamics(own: &Arm, work: &mut Work, [q, u, ud]: [&[f64]; 3], tau: &mut [f64]) {
    let arm = own.arm();
    rnea::rnea_into(arm, work.rnea(arm), q, u, ud, tau);
}

fn mass_matrix(own: &Arm, work: &mut Work, [q]: [&[f64]; 1], mass: &mut [f64]) {
    let arm = own.arm();
    crba::crba_into(arm, work.crba(arm), q, mass);
    crba::mirror(mass, arm.nv());
}

fn bias(own: &Arm, work: &mut Work, [q, u]: [&[f64]; 2], force: &mut [f64]) {
    let arm = own.arm();
    terms::bias_into(arm, work.rnea(arm), q, u, force);
}

fn coriolis(own: &Arm, work: &mut Work, [q, u]: [&[f64]; 2], force: &mut [f64]) {
    let arm = own.arm();
    terms::coriolis_into(arm, work.rnea(arm), q, u, force);
}

fn coriolis_matrix(own: &Arm, work: &mut Work, [q, u]: [&[f64]; 2], matrix: &mut [f64]) {
    let arm = own.arm();
    coriolis_terms::coriolis_matrix_into(arm, work.coriolis(arm), q, u, matrix);
}

fn damping(own: &Arm, work: &mut Work, [q, u]: [&[f64]; 2], force: &mut [f64]) {
    let arm = own.arm();
    terms::damping_into(arm, work.passive(arm), q, u, force);
}

fn gravity(own: &Arm, work: &mut Work, [q]: [&[f64]; 1], force: &mut [f64]) {
    let arm = own.arm();
    terms::gravity_into(arm, work.rnea(arm), q, force);
}

fn elastic(own: &Arm, work: &mut Work, [q]: [&[f64]; 1], force: &mut [f64]) {
    let arm = own.arm();
    terms::elastic_into(arm, work.passive(arm), q, force);
}

fn energy(own: &Arm, work: &mut Work, [q, u]: [&[f64]; 2], all: &mut [f64]) {
    let arm = own.arm();
    let (kinematics, passive) = work.energies(arm);
    let found = energy::energies(arm, passive, &kinematics.move_with(arm, q, u, u), q, u);
    all.copy_from_slice(&[found.kinetic, found.potential, found.elastic]);
}

fn momentum(own: &Arm, work: &mut Work, [q, u]: [&[f64]; 2], both: &mut [f64]) {
    let arm = own.arm();
    let found = energy::momenta(arm, &work.kinematics(arm).move_with(arm, q, u, u));
    both[..3].copy_from_slice(&found.linear.to_array());
    both[3..].copy_from_slice(&found.angular.to_array());
}

fn power(own: &Arm, work: &mut Work, states: [&[f64]; 4], all: &mut [f64]) {
    let (arm, [q, u, tau, loads]) = (own.arm(), states);
    let found = Power::new(arm, work.passive(arm), [q, u], tau, loads);
    all.copy_from_slice(&[found.motors, found.loads, found.dampers]);
}

fn forward_derivatives(own: &Arm, work: &mut Work, states: [&[f64]; 4], all: &mut [f64]) -> Done {
    let (arm, [q, u, tau, ud]) = (own.arm(), states);
    // also checks that there are accelerations at all
    let mut reached = ud.to_vec();
    own.accelerations(work, [q, u, tau], &mut reached)?;
    let (by_q, more) = all.split_at_mut(arm.nv() * arm.nv());
    let (by_u, by_tau) = more.split_at_mut(arm.nv() * arm.nv());
    forward_derivatives_into(work.derivatives(arm), q, u, tau, ud, [by_q, by_u, by_tau]);
    Ok(())
}

fn inverse_derivatives(own: &Arm, work: &mut Work, states: [&[f64]; 3], all: &mut [f64]) {
    let (arm, [q, u, ud]) = (own.arm(), states);
    let (by_q, more) = all.split_at_mut(arm.nv() * arm.nv());
    let (by_u, by_ud) = more.split_at_mut(arm.nv() * arm.nv());
    inverse_derivatives_into(work.derivatives(arm), q, u, ud, by_q, by_u);
    crba::crba_into(arm, work.crba(arm), q, by_ud);
    crba::mirror(by_ud, arm.nv());
}

impl Arm {
    /// The accelerations, those of prescribed joints given in `ud`, and all forces in `work.tau`.
    ///
    /// Whether every coordinate has inertia is looked at in the first state of an arm, which shows
    /// what lacks it by construction, and wherever an answer is suspicious: the full check takes
    /// longer than the recursion.
    fn accelerations(&self, work: &mut Work, [q, u, tau]: [&[f64]; 3], ud: &mut [f64]) -> Done {
        let arm = self.arm();
        if !self.has_inertia.load(Ordering::Relaxed) {
            arm.hybrid_dynamics(q, u, tau, ud)?;
            self.has_inertia.store(true, Ordering::Relaxed);
        }
        let (forces, recursion) = work.aba_with_forces(arm);
        forces.copy_from_slice(tau);
        aba::aba_into(arm, recursion, q, u, forces, ud);
        if ud.iter().all(|rate| rate.abs() < SUSPICIOUS) {
            return Ok(());
        }
        arm.hybrid_dynamics(q, u, tau, &work.rest).map(|_| ())
    }
}
