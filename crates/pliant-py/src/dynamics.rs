//! The dynamics of an arm, for one state or arrays of states.

use crate::arguments::{self, q as q_of, tau as tau_of, u as u_of, ud as ud_of};
use crate::arm::Arm;
use crate::arrays::map;
use crate::kinematics::named;
use crate::work::Work;
use numpy::PyArray1;
use pliant::dynamics::derivatives::{forward_derivatives_into, inverse_derivatives_into};
use pliant::dynamics::energy::{Power, energies, momenta};
use pliant::dynamics::{EvaluationError, aba, coriolis, crba, rnea, terms};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

type Model = pliant::arm::Arm;
type Any<'py> = Bound<'py, PyAny>;
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

/// Accelerations beyond this (rad/s², m/s²) may come of an inertia that is only rounding.
const SUSPICIOUS: f64 = 1e9;

#[pymethods]
impl Arm {
    /// The accelerations that forces cause, ``M ud + bias = tau``.
    ///
    /// q: configuration, ``(..., nq)``; u: velocities, ``(..., nv)``; tau: forces (N m, N), those of
    /// external loads added to them, ``(..., nv)``. Returns ``ud`` (rad/s², m/s²), ``(..., nv)``.
    /// Prescribed joints do not accelerate; see ``hybrid_dynamics`` where they do.
    #[pyo3(signature = (q, u, tau, *, out=None))]
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        tau: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let arguments = [q_of(q), u_of(u), tau_of(tau)];
        map(self, py, arguments, &[self.arm().nv()], out, |arm, work, [q, u, tau], ud| {
            ud.fill(0.0);
            self.accelerations(arm, work, [q, u, tau], ud)
        })
    }

    /// Forces and accelerations where some joints are prescribed: of ``tau`` the entries of free
    /// joints are taken, of ``ud`` those of prescribed joints; both come back complete.
    ///
    /// Returns ``(tau, ud)``, each ``(..., nv)``; ``out`` is ``(..., 2, nv)``.
    #[pyo3(signature = (q, u, tau, ud, *, out=None))]
    fn hybrid_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        tau: &Any<'py>,
        ud: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let n = self.arm().nv();
        let arguments = [q_of(q), u_of(u), tau_of(tau), ud_of(ud)];
        let both = map(self, py, arguments, &[2, n], out, |arm, work, [q, u, tau, ud], both| {
            let (forces, rates) = both.split_at_mut(n);
            rates.copy_from_slice(ud);
            self.accelerations(arm, work, [q, u, tau], rates)?;
            forces.copy_from_slice(&work.tau);
            Ok(())
        })?;
        named(py, "HybridDynamics", &both, 1)
    }

    /// The forces that a motion needs, without external loads: ``tau = M ud + bias`` (N m, N).
    ///
    /// q: configuration, ``(..., nq)``; u: velocities and ud: accelerations, ``(..., nv)``.
    /// Returns ``tau``, ``(..., nv)``.
    #[pyo3(signature = (q, u, ud, *, out=None))]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        ud: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let arguments = [q_of(q), u_of(u), ud_of(ud)];
        map(self, py, arguments, &[self.arm().nv()], out, |arm, work, [q, u, ud], tau| {
            rnea::rnea_into(arm, work.rnea(arm), q, u, ud, tau);
            Ok(())
        })
    }

    /// The mass matrix ``M(q)`` (kg m², kg m, kg), ``(..., nv, nv)``.
    #[pyo3(signature = (q, *, out=None))]
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let n = self.arm().nv();
        map(self, py, [q_of(q)], &[n, n], out, |arm, work, [q], mass| {
            crba::crba_into(arm, work.crba(arm), q, mass);
            crba::mirror(mass, n);
            Ok(())
        })
    }

    /// ``coriolis + gravity + elastic + damping``: the forces at zero acceleration (N m, N),
    /// ``(..., nv)``.
    #[pyo3(signature = (q, u, *, out=None))]
    fn bias<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        self.forces_of(py, q, u, out, |arm, work, q, u, force| {
            terms::bias_into(arm, work.rnea(arm), q, u, force);
        })
    }

    /// The forces of velocity alone (N m, N), ``(..., nv)``.
    #[pyo3(signature = (q, u, *, out=None))]
    fn coriolis<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        self.forces_of(py, q, u, out, |arm, work, q, u, force| {
            terms::coriolis_into(arm, work.rnea(arm), q, u, force);
        })
    }

    /// What drives dampers and friction (N m, N), ``(..., nv)``.
    #[pyo3(signature = (q, u, *, out=None))]
    fn damping<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        self.forces_of(py, q, u, out, |arm, work, q, u, force| {
            terms::damping_into(arm, work.passive(arm), q, u, force);
        })
    }

    /// What holds the arm against gravity (N m, N), ``(..., nv)``.
    #[pyo3(signature = (q, *, out=None))]
    fn gravity<'py>(&self, py: Python<'py>, q: &Any<'py>, out: Option<&Any<'py>>) -> Answer<'py> {
        map(self, py, [q_of(q)], &[self.arm().nv()], out, |arm, work, [q], force| {
            terms::gravity_into(arm, work.rnea(arm), q, force);
            Ok(())
        })
    }

    /// What holds springs, bent links and the energies of force elements (N m, N), ``(..., nv)``.
    #[pyo3(signature = (q, *, out=None))]
    fn elastic<'py>(&self, py: Python<'py>, q: &Any<'py>, out: Option<&Any<'py>>) -> Answer<'py> {
        map(self, py, [q_of(q)], &[self.arm().nv()], out, |arm, work, [q], force| {
            terms::elastic_into(arm, work.passive(arm), q, force);
            Ok(())
        })
    }

    /// The matrix ``C`` with ``C u = coriolis`` and ``dM/dt - 2 C`` skew-symmetric,
    /// ``(..., nv, nv)``.
    #[pyo3(signature = (q, u, *, out=None))]
    fn coriolis_matrix<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let n = self.arm().nv();
        map(self, py, [q_of(q), u_of(u)], &[n, n], out, |arm, work, [q, u], matrix| {
            coriolis::coriolis_matrix_into(arm, work.coriolis(arm), q, u, matrix);
            Ok(())
        })
    }

    /// Kinetic, potential and elastic energy (J) as ``Energies(kinetic, potential, elastic)``, each
    /// ``(...)``; ``out`` is ``(..., 3)``.
    #[pyo3(signature = (q, u, *, out=None))]
    fn energy<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let all = map(self, py, [q_of(q), u_of(u)], &[3], out, |arm, work, [q, u], all| {
            let (kinematics, passive) = work.energies(arm);
            let moving = kinematics.move_with(arm, q, u, u);
            let own = energies(arm, passive, &moving, q, u);
            all.copy_from_slice(&[own.kinetic, own.potential, own.elastic]);
            Ok(())
        })?;
        named(py, "Energies", &all, 0)
    }

    /// Momenta in world axes, about the world's origin, as ``Momenta(linear, angular)`` (kg m/s,
    /// kg m²/s), each ``(..., 3)``; ``out`` is ``(..., 2, 3)``.
    #[pyo3(signature = (q, u, *, out=None))]
    fn momentum<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let both = map(self, py, [q_of(q), u_of(u)], &[2, 3], out, |arm, work, [q, u], both| {
            let moving = work.kinematics(arm).move_with(arm, q, u, u);
            let own = momenta(arm, &moving);
            both[..3].copy_from_slice(&own.linear.to_array());
            both[3..].copy_from_slice(&own.angular.to_array());
            Ok(())
        })?;
        named(py, "Momenta", &both, 1)
    }

    /// Where power comes from and goes (W) as ``Power(motors, loads, dampers)``, each ``(...)``.
    ///
    /// tau: forces of the motors; loads: generalised forces of external loads, by default none, both
    /// ``(..., nv)``. ``out`` is ``(..., 3)``.
    #[pyo3(signature = (q, u, tau, loads=None, *, out=None))]
    fn power<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        tau: &Any<'py>,
        loads: Option<&Any<'py>>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let none = PyArray1::<f64>::zeros(py, self.arm().nv(), false).into_any();
        let loads = arguments::loads(loads.unwrap_or(&none));
        let arguments = [q_of(q), u_of(u), tau_of(tau), loads];
        let all = map(self, py, arguments, &[3], out, |arm, work, [q, u, tau, loads], all| {
            let own = Power::new(arm, work.passive(arm), [q, u], tau, loads);
            all.copy_from_slice(&[own.motors, own.loads, own.dampers]);
            Ok(())
        })?;
        named(py, "Power", &all, 0)
    }

    /// The derivatives of forward dynamics as ``ForwardDerivatives(by_q, by_u, by_tau)``, each
    /// ``(..., nv, nv)``; ``by_q`` is in the directions of the velocities.
    ///
    /// ud: accelerations of prescribed joints, by default zero. ``out`` is ``(..., 3, nv, nv)``.
    #[pyo3(signature = (q, u, tau, ud=None, *, out=None))]
    fn forward_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        tau: &Any<'py>,
        ud: Option<&Any<'py>>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let n = self.arm().nv();
        let rest = PyArray1::<f64>::zeros(py, n, false).into_any();
        let arguments = [q_of(q), u_of(u), tau_of(tau), ud_of(ud.unwrap_or(&rest))];
        let all =
            map(self, py, arguments, &[3, n, n], out, |arm, work, [q, u, tau, ud], matrices| {
                // also checks that there are accelerations at all
                let mut reached = ud.to_vec();
                self.accelerations(arm, work, [q, u, tau], &mut reached)?;
                let (by_q, more) = matrices.split_at_mut(n * n);
                let (by_u, by_tau) = more.split_at_mut(n * n);
                let work = work.derivatives(arm);
                forward_derivatives_into(work, q, u, tau, ud, [by_q, by_u, by_tau]);
                Ok(())
            })?;
        named(py, "ForwardDerivatives", &all, 2)
    }

    /// The derivatives of inverse dynamics as ``InverseDerivatives(by_q, by_u, by_ud)``, each
    /// ``(..., nv, nv)``; ``by_q`` is in the directions of the velocities, ``by_ud`` the mass matrix.
    ///
    /// ``out`` is ``(..., 3, nv, nv)``.
    #[pyo3(signature = (q, u, ud, *, out=None))]
    fn inverse_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        ud: &Any<'py>,
        out: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let n = self.arm().nv();
        let arguments = [q_of(q), u_of(u), ud_of(ud)];
        let all = map(self, py, arguments, &[3, n, n], out, |arm, work, [q, u, ud], matrices| {
            let (by_q, more) = matrices.split_at_mut(n * n);
            let (by_u, by_ud) = more.split_at_mut(n * n);
            inverse_derivatives_into(work.derivatives(arm), q, u, ud, by_q, by_u);
            crba::crba_into(arm, work.crba(arm), q, by_ud);
            crba::mirror(by_ud, n);
            Ok(())
        })?;
        named(py, "InverseDerivatives", &all, 2)
    }
}

impl Arm {
    /// Forces that depend on configuration and velocities.
    fn forces_of<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: &Any<'py>,
        out: Option<&Any<'py>>,
        compute: impl Fn(&Model, &mut Work, &[f64], &[f64], &mut [f64]) + Sync,
    ) -> Answer<'py> {
        let core = [self.arm().nv()];
        map(self, py, [q_of(q), u_of(u)], &core, out, |arm, work, [q, u], force| {
            compute(arm, work, q, u, force);
            Ok(())
        })
    }

    /// The accelerations, those of prescribed joints given in `ud`, and all forces in `work.tau`.
    ///
    /// Whether every coordinate has inertia is looked at in the first state of an arm, which shows
    /// what lacks it by construction, and wherever an answer is suspicious: the full check takes
    /// longer than the recursion.
    fn accelerations(
        &self,
        arm: &Model,
        work: &mut Work,
        [q, u, tau]: [&[f64]; 3],
        ud: &mut [f64],
    ) -> Result<(), EvaluationError> {
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
