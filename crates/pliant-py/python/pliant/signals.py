"""Functions of time: for motors, loads, prescribed joints, targets and plans.

Wherever one is expected, a number stands for :class:`Constant`, a text for :class:`Expression`
and a Python function for :class:`Function`. Values are in SI units and radians.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike


@dataclass
class Constant:
    """Always the same."""

    value: float
    """In the unit of what it drives."""


@dataclass
class Step:
    """One value before an instant, another from it on."""

    at: float
    """The instant (s)."""
    after: float
    """Its value from then on."""
    before: float = 0.0
    """Its value until then."""


@dataclass
class Ramp:
    """From one value to another along a straight line."""

    duration: float
    """How long it takes (s)."""
    to: float
    """Its value at the end."""
    start: float = 0.0
    """When it starts (s)."""
    from_: float = 0.0
    """Its value at the start."""


@dataclass
class Sine:
    """``offset + amplitude sin(2π frequency (t - start) + phase)``, constant before its start."""

    amplitude: float
    """In the unit of what it drives."""
    frequency: float
    """(Hz)."""
    phase: float = 0.0
    """At the start (rad)."""
    offset: float = 0.0
    """Its mean."""
    start: float = 0.0
    """(s)."""


@dataclass
class Chirp:
    """A sine whose frequency goes from one value to another, linearly in time, and stays there."""

    amplitude: float
    """In the unit of what it drives."""
    from_: float
    """The frequency at the start (Hz)."""
    to: float
    """The frequency at the end (Hz)."""
    duration: float
    """How long the sweep takes (s)."""
    phase: float = 0.0
    """At the start (rad)."""
    offset: float = 0.0
    """Its mean."""
    start: float = 0.0
    """When the sweep begins (s)."""


@dataclass
class Table:
    """Values at increasing times (s), constant before the first and after the last."""

    times: ArrayLike
    """Shape (points,) (s)."""
    values: ArrayLike
    """Shape (points,)."""
    interpolation: Literal["hold", "linear", "cubic"] | None = None
    """``None`` is linear for motors and loads, cubic for positions."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Table)
            and self.interpolation == other.interpolation
            and np.array_equal(np.asarray(self.times), np.asarray(other.times))
            and np.array_equal(np.asarray(self.values), np.asarray(other.values))
        )


@dataclass
class Expression:
    """An expression of the time ``t``, as in files: ``"10 * sin(2 * pi * t)"``."""

    expression: str
    """Of ``t`` (s), in the unit of what it drives."""


@dataclass
class Sum:
    """All of them together."""

    parts: Sequence[SignalLike]
    """Signals of one unit."""


@dataclass
class Function:
    """A Python function of the time (s).

    ``function(t)`` returns the value, or ``(value, rate, acceleration)``. Where derivatives are
    needed (prescribed joints and plans) and it returns the value alone, they are found from
    values at most 1 ms apart, on one side of every break.
    """

    function: Callable[[float], Any]
    """Of the time (s)."""
    breaks: Sequence[float] = ()
    """Instants (s) at which it is not smooth; steps land on them."""
    name: str | None = None
    """What messages call it; its own name by default."""


Signal: TypeAlias = Constant | Step | Ramp | Sine | Chirp | Table | Expression | Sum | Function
SignalLike: TypeAlias = Signal | float | str | Callable[[float], Any]


@dataclass
class Input:
    """The force of a motor (N m, N), or a load on a frame, as a function of time."""

    signal: SignalLike
    """How much of it: a force of the motor, or a factor of the load."""
    motor: str | None = None
    """The coordinate of the motor, by name."""
    frame: str | None = None
    """Or the loaded frame, by name."""
    force: Sequence[float] = (0.0, 0.0, 0.0)
    """On the frame (N)."""
    moment: Sequence[float] = (0.0, 0.0, 0.0)
    """About the frame's origin (N m)."""
    axes: Literal["world", "own"] = "world"
    """The axes of both."""


@dataclass
class Prescribed:
    """The motion of a prescribed coordinate."""

    coordinate: str
    """By name."""
    signal: SignalLike
    """Its motion over time."""
    gives: Literal["position", "rate", "acceleration"] = "position"
    """What the signal gives (rad, m; per s; per s²)."""


@dataclass
class Event:
    """A zero crossing to detect.

    ``quantity`` is an expression of the time ``t`` and of channels, or a function
    ``f(t, q, u)`` of time (s), coordinates (rad, m) and velocities (rad/s, m/s).
    """

    quantity: str | Callable[[float, Any, Any], float]
    """What crosses zero."""
    name: str | None = None
    """Its name; by default the expression, or the name of the function."""
    direction: Literal["rising", "falling", "both"] = "both"
    """Of the crossings."""
    action: Literal["report", "stop"] = "report"
    """Whether the run stops at the event, or only tells it."""


@dataclass
class Record:
    """What is recorded, and how often."""

    every: float = 0.01
    """The time between two rows (s)."""
    channels: Sequence[str] | None = field(default=None)
    """Groups, names, and names with a star; ``None`` for the usual ones."""
