"""Answers of several parts, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.errors import ShapeError

if TYPE_CHECKING:
    import control

Array = NDArray[np.float64]


class Energies(NamedTuple):
    """Energies of an arm (J), each of the leading shape of the states."""

    kinetic: Array
    """``u @ M @ u / 2``, armature included."""
    potential: Array
    """Of gravity, zero at the world's origin."""
    elastic: Array
    """Of springs and bent links."""

    @property
    def total(self) -> Array:
        """The sum of all three (J)."""
        return self.kinetic + self.potential + self.elastic


class Momenta(NamedTuple):
    """Momenta in world axes, about the world's origin, ``(..., 3)``."""

    linear: Array
    """kg m/s."""
    angular: Array
    """kg m²/s."""


class Power(NamedTuple):
    """Power that goes into an arm (W), each of the leading shape of the states."""

    motors: Array
    """``tau @ u``."""
    loads: Array
    """Of external loads."""
    dampers: Array
    """Of dampers and friction, at most zero."""

    @property
    def total(self) -> Array:
        """The rate of the total energy (W)."""
        return self.motors + self.loads + self.dampers


class HybridDynamics(NamedTuple):
    """Forces and accelerations of all joints, ``(..., nv)``."""

    tau: Array
    """N m, N."""
    ud: Array
    """rad/s², m/s²."""


class ForwardDerivatives(NamedTuple):
    """The derivatives of the accelerations, ``(..., nv, nv)``."""

    by_q: Array
    """By the configuration, in the directions of the velocities."""
    by_u: Array
    """By the velocities."""
    by_tau: Array
    """By the forces: the inverse of the mass matrix."""


class InverseDerivatives(NamedTuple):
    """The derivatives of the forces, ``(..., nv, nv)``."""

    by_q: Array
    """By the configuration, in the directions of the velocities."""
    by_u: Array
    """By the velocities."""
    by_ud: Array
    """By the accelerations: the mass matrix."""


class Equilibrium(NamedTuple):
    """An arm at rest under its loads."""

    q: Array
    """The configuration, ``(..., nq)``."""
    forces: Array
    """What motors and brakes hold (N m, N), ``(..., nv)``."""
    residual: Array
    """The largest force that remained on a coordinate that moves (N, N m)."""
    stable: NDArray[np.bool_]
    """Whether the arm would stay there."""


class Modes(NamedTuple):
    """Small vibrations about a configuration, from the slowest mode to the fastest."""

    q: Array
    """The configuration they are about, ``(..., nq)``."""
    squared: Array
    """``omega**2`` (1/s²), ``(..., modes)``; negative where the arm would leave the posture."""
    damping_ratio: Array
    """``(..., modes)``."""
    shapes: Array
    """Over all velocities, with ``x @ M @ x = 1``, ``(..., modes, nv)``."""
    shares: Array
    """The part of the kinetic energy on each velocity, ``(..., modes, nv)``."""
    asymmetry: Array
    """How unsymmetric the tangent stiffness was, relative to its largest entry."""

    @property
    def frequency(self) -> Array:
        """The natural frequencies (rad/s), ``(..., modes)``; 0 where a mode is none or unstable."""
        return np.sqrt(np.maximum(self.squared, 0.0))

    @property
    def hertz(self) -> Array:
        """The natural frequencies (Hz), ``(..., modes)``."""
        return self.frequency / (2.0 * np.pi)


class StateSpace(NamedTuple):
    """``dx/dt = A x + B u``, ``y = C x + D u``, in SI units; matrices ``(..., rows, columns)``."""

    A: Array
    """``(..., states, states)``."""
    B: Array
    """``(..., states, inputs)``."""
    C: Array
    """``(..., outputs, states)``."""
    D: Array
    """``(..., outputs, inputs)``."""
    states: list[str]
    """Names of the states."""
    inputs: list[str]
    """Names of the inputs."""
    outputs: list[str]
    """Names of the outputs."""
    state_units: list[str]
    """Units of the states."""
    input_units: list[str]
    """Units of the inputs."""
    output_units: list[str]
    """Units of the outputs."""
    q: Array
    """The configuration it is about, ``(..., nq)``."""

    @property
    def poles(self) -> NDArray[np.complex128]:
        """The eigenvalues of ``A`` (1/s), ascending by size, ``(..., states)``."""
        poles = np.linalg.eigvals(self.A).astype(np.complex128)
        return np.take_along_axis(poles, np.argsort(np.abs(poles), axis=-1), axis=-1)

    def response(self, frequency: Array) -> NDArray[np.complex128]:
        """``C (i w - A)^-1 B + D`` at frequencies (rad/s), ``(frequencies, outputs, inputs)``."""
        at = 1j * np.atleast_1d(np.asarray(frequency, dtype=np.float64))[:, None, None]
        states = np.linalg.solve(at * np.eye(self.A.shape[-1]) - self.A, self.B.astype(complex))
        return np.asarray(self.C @ states + self.D, dtype=np.complex128)

    def to_control(self) -> control.StateSpace:
        """The same as a python-control ``StateSpace``, with its names; points in them, which
        python-control has not, become underscores."""
        import control

        if self.A.ndim != 2:
            message = f"A has the shape {self.A.shape}, and python-control takes one system"
            raise ShapeError(message, help="linearise about one state")
        names = {
            key: [name.replace(".", "_") for name in getattr(self, key)]
            for key in ("states", "inputs", "outputs")
        }
        return control.StateSpace(self.A, self.B, self.C, self.D, **names)


class Reach(NamedTuple):
    """Postures in which a frame reaches a goal, the nearest to the asked one first."""

    q: Array
    """The postures (rad, m), ``(solutions, nq)``."""
    position_error: Array
    """What is left to the goal (m), ``(solutions,)``."""
    angle_error: Array
    """What is left to the attitude (rad), ``(solutions,)``."""
    closed_form: bool
    """Whether these are all; otherwise searches found them, and there may be more."""
    beyond_limits: int
    """How many more the closed form has, which leave the limits of the joints."""
    redundancy: int
    """How many joints more than needed move the frame."""
    singular: bool
    """Whether infinitely many postures reach the goal, since axes are in line there."""
