"""Trajectories that controllers track. Points are in metres and radians, times in seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from numpy.typing import ArrayLike

from pliant.controllers import PerJoint
from pliant.signals import SignalLike

Profile: TypeAlias = Literal["minimum-jerk", "parabolic", "trapezoid", "pulses"]


@dataclass
class Shaper:
    """An input shaper: its impulses leave no vibration behind."""

    kind: Literal["zv", "zvd", "ei"]
    """Zero vibration, zero vibration and derivative, or extra-insensitive."""
    modes: int = 1
    """Number of modes, from the lowest frequency that the command excites."""
    stiffness: PerJoint | None = None
    """Of the servos (N m/rad, N/m); ``None`` for that of the controller that tracks the plan."""
    damping: PerJoint | None = None
    """Of the servos (N m s/rad, N s/m); both or neither."""
    left: float = 0.05
    """For ``"ei"``: the part of the vibration that may be left."""
    period: float | None = None
    """The sampling period of the command (s)."""


@dataclass
class JointsPlan:
    """The joints move through configurations."""

    points: ArrayLike
    """Shape (points, joints) (rad, m)."""
    durations: Sequence[float]
    """Of each segment between two points (s)."""
    joints: Sequence[str] | None = None
    """The joints, in the order of the numbers; ``None`` for all with a motor."""
    shaper: Shaper | None = None
    """Shapes the motion; ``None`` for none."""
    start: float = 0.0
    """When it begins to move (s)."""
    profile: Profile = "minimum-jerk"
    """The velocity profile of each segment, from rest to rest."""
    accelerate: float | None = None
    """The acceleration time (s) of trapezoids and pulses."""
    blend: float | None = None
    """Or the duration (s) of parabolic blends at the intermediate points."""
    through: bool = False
    """Or whether the intermediate points are passed without a stop, with minimum jerk."""


@dataclass
class LinePlan:
    """A frame moves through points, on straight lines if it stops at each."""

    points: ArrayLike
    """Shape (points, 3), world (m)."""
    durations: Sequence[float]
    """Of each segment between two points (s)."""
    frame: str | None = None
    """By name; ``None`` for the tip of the scenario."""
    keep_attitude: bool = False
    """Whether it keeps its initial orientation."""
    attitudes: ArrayLike | None = None
    """Or its rotation matrices in the world, shape (1 or points, 3, 3)."""
    hold: Sequence[str] = ()
    """Joints that do not move."""
    near: Mapping[str, float] | None = None
    """Coordinates on the desired branch (rad, m)."""
    sag: bool = False
    """Whether the points are those of the arm with its static deflection."""
    start: float = 0.0
    """When it begins to move (s)."""
    profile: Profile = "minimum-jerk"
    """The velocity profile of each segment, from rest to rest."""
    accelerate: float | None = None
    """The acceleration time (s) of trapezoids and pulses."""
    blend: float | None = None
    """Or the duration (s) of parabolic blends at the intermediate points."""
    through: bool = False
    """Or whether the intermediate points are passed without a stop, with minimum jerk."""


@dataclass
class SignalPlan:
    """The joints move along functions of time."""

    signals: Sequence[SignalLike] | Callable[[float], Any]
    """One for each joint (rad, m); or one Python function of the time (s) for all, which returns
    positions of shape (joints,), or ``(positions, rates, accelerations)``."""
    joints: Sequence[str] | None = None
    """The joints, in the order of the signals; ``None`` for all with a motor."""
    end: float | None = None
    """When they have arrived (s); ``None`` for the end of the scenario."""
    breaks: Sequence[float] = ()
    """Of one function for all: instants (s) at which it is not smooth."""


Plan: TypeAlias = JointsPlan | LinePlan | SignalPlan
