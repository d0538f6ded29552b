"""Answers of several parts, by name."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
