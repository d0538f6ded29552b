"""Arms of the tests."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pliant

ROOT = Path(__file__).parents[3]
ROBOTS = ROOT / "robots"
Array = NDArray[np.float64]


def two_link() -> pliant.Arm:
    """King's two flexible links."""
    return pliant.Arm.load(ROBOTS / "king-two-link.toml")


def puma() -> pliant.Arm:
    """A rigid arm of six joints."""
    return pliant.Arm.load(ROBOTS / "puma-560.toml")


def crane() -> pliant.Arm:
    """The boom of the first page of the library."""
    tube = pliant.Section.tube(0.03, 0.002, "aluminium")
    boom = pliant.Link(
        "boom",
        joint=pliant.Joint.revolute([0, 0, 1]),
        beam=pliant.Beam(2.0, tube, y=2),
        payload=(3.0, [0, 0, 0]),
        frames={"hand": [0, 0, 0]},
    )
    return pliant.Builder("crane", gravity=[0, -9.81, 0]).link(boom).build()


def states(arm: pliant.Arm, shape: tuple[int, ...] = (), seed: int = 0) -> tuple[Array, Array, Array]:
    """Random states without large deflections: configuration, velocities, forces."""
    rng = np.random.default_rng(seed)
    q = arm.neutral() + 0.01 * rng.normal(size=(*shape, arm.nq))
    return q, rng.normal(size=(*shape, arm.nv)), rng.normal(size=(*shape, arm.nv))
