"""Controllers and their laws.

A number of each joint is one for all joints, or a dictionary by name. Laws act on the joints of
the scenario's plan, in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pliant._pliant import Arm, ControlContext, EstimatorContext
from pliant.signals import SignalLike

PerJoint: TypeAlias = float | Mapping[str, float]


@dataclass
class Pid:
    """``τ = k e + d ė + i ∫e``, with the forces that the plan needs if ``feedforward``."""

    stiffness: PerJoint
    """``k`` (N m/rad, N/m)."""
    damping: PerJoint
    """``d`` (N m s/rad, N s/m)."""
    integral: PerJoint = 0.0
    """``i`` (N m/(rad s), N/(m s))."""
    feedforward: bool = True
    """Whether it adds the forces that the plan needs by its model."""


@dataclass
class GravityPd:
    """``τ = k e + d ė + g(q)``: a spring and a damper with gravity compensation."""

    stiffness: PerJoint
    """``k`` (N m/rad, N/m)."""
    damping: PerJoint
    """``d`` (N m s/rad, N s/m)."""


@dataclass
class _Updates:
    update_period: float | None = field(default=None, kw_only=True)
    """Matrices of the model are computed anew after this time (s)."""
    update_change: float | None = field(default=None, kw_only=True)
    """Or when they have changed by this part."""
    update_distance: float | None = field(default=None, kw_only=True)
    """Or when a joint has strayed by this much (rad, m)."""
    update_along_plan: float | None = field(default=None, kw_only=True)
    """Or they are those of the plan, one set for each period (s)."""
    update_cells: int | None = field(default=None, kw_only=True)
    """Or those of the nearest of so many places for each joint."""


@dataclass
class ComputedTorque(_Updates):
    """``τ = M(q) (r̈ + K_v ė + K_p e) + h(q, q̇)``."""

    stiffness: PerJoint
    """``K_p`` (1/s²)."""
    damping: PerJoint
    """``K_v`` (1/s)."""


@dataclass
class Decoupling:
    """King's decoupling of joints and bending."""

    stiffness: PerJoint
    """``K_p`` (1/s²)."""
    damping: PerJoint
    """``K_v`` (1/s)."""
    update_period: float | None = None
    """The time between two computations of the matrices (s)."""


@dataclass
class Composite:
    """King's composite control: computed torque and a regulator of the vibrations."""

    stiffness: PerJoint
    """``K_p`` (1/s²)."""
    damping: PerJoint
    """``K_v`` (1/s)."""
    damping_ratio: float | None = None
    """Of every vibration that the joints move well; 0.5 unless a weight is given."""
    bending_weight: float | None = None
    """Of the squared modal coordinates (1/m², 1/rad²)."""
    rate_weight: float | None = None
    """Of their squared rates (s²/m², s²/rad²)."""
    input_weight: float | None = None
    """Of the squared accelerations (s⁴/rad², s⁴/m²)."""
    gains_period: float = 0.05
    """The time between two sets of gains (s)."""
    guard: float | None = None
    """The smallest allowed determinant of ``H22 - H21 F``, relative to its size elsewhere; below it
    the run ends."""


@dataclass
class Pseudolink:
    """King's composite control with joints that are led by their pseudolinks."""

    stiffness: PerJoint
    """``K_p`` (1/s²)."""
    damping: PerJoint
    """``K_v`` (1/s)."""
    rows: Sequence[str] | None = None
    """The joints that are led so; ``None`` for all."""
    bending_weight: float | None = None
    """Of the squared modal coordinates (1/m², 1/rad²)."""
    rate_weight: float | None = None
    """Of their squared rates (s²/m², s²/rad²)."""
    input_weight: float | None = None
    """Of the squared accelerations (s⁴/rad², s⁴/m²)."""
    gains_period: float = 0.05
    """The time between two sets of gains (s)."""
    guard: float | None = None
    """The smallest allowed determinant of ``H22 - H21 F``, relative to its size elsewhere; below it
    the run ends."""


@dataclass
class _Horizon(_Updates):
    horizon: float
    """The time to go at the start of each window (s)."""
    gains_period: float | None = None
    """The time between two sets of gains (s); ``None`` for the sampling period."""
    window: Literal["fixed", "receding"] = "fixed"
    """The time to go: the rest of the current window, or always the whole horizon."""
    aim: Literal["end", "present"] = "end"
    """The target: the reference at the end of the time to go, or the current one, extrapolated
    with its acceleration."""


@dataclass
class EnergyTorque(_Horizon):
    """Akmehmet's minimum-energy computed torque."""

    as_printed: bool = False
    """Whether the end of a window replaces the present in (3.11), as in Table 5.2."""


@dataclass
class EnergyFeedback(_Horizon):
    """Akmehmet's adaptive minimum-energy feedback."""

    form: Literal["syst2", "syst3"] = "syst2"
    """The form of the model."""
    effort: Literal["ideal", "whole"] = "ideal"
    """The penalised effort: the force less that of the model at zero acceleration, or all of it."""
    penalty: PerJoint = 1.0
    """The weight of the effort of each joint, for ``"syst3"``."""


Law: TypeAlias = (
    Pid
    | GravityPd
    | ComputedTorque
    | Decoupling
    | Composite
    | Pseudolink
    | EnergyTorque
    | EnergyFeedback
)

OwnLaw: TypeAlias = Callable[[ControlContext], Any]
"""A Python function or object: called at each tick, it returns the forces of the joints
(N m, N), shape (joints,), or ``(forces, {"name": value})`` with its telemetry.

An object may have ``start()``, called when a run begins. What it remembers is pickled, so that a
run can be continued; a function must remember nothing.
"""


@dataclass
class Estimator:
    """A Kalman filter for what is not measured."""

    kind: Literal["kalman", "extended"]
    """Linear about the initial posture, or anew at every tick."""
    force_noise: PerJoint | None = None
    """Of unmodelled forces on each joint (N m, N)."""
    bending_noise: float = 0.1
    """Of modal coordinates, as accelerations (m/s², rad/s²)."""


OwnEstimator: TypeAlias = Callable[[EstimatorContext], Any]
"""A Python function or object: called at each tick, it returns the estimated ``(q, u)`` of the
controller's model, shapes (nq,) and (nv,). Objects may have ``start()`` and are pickled."""


@dataclass
class Controller:
    """A law with a model that follows the plan."""

    name: str
    """The prefix of its channels."""
    law: Law | OwnLaw
    """One of the library, or a Python function or object."""
    period: float | None = None
    """The sampling period (s); ``None`` to act at every instant, on the full state only."""
    sensors: Sequence[str] = ()
    """Encoders of the joints of the plan, and strain gauges with an estimator; any sensors with
    an estimator of one's own."""
    estimator: Estimator | OwnEstimator | None = None
    """Of what is not measured; ``None`` to take bending to be at rest."""
    full_state: bool = False
    """Whether it knows the state of the arm, which no sensor measures."""
    delay: float = 0.0
    """The delay of its forces (s)."""
    model: Arm | None = None
    """Its model of the arm; ``None`` for that of the scenario."""
    knows_loads: bool = False
    """Whether its model includes the loads of the scenario."""
    limits: PerJoint | None = None
    """The largest force of each motor, either way (N m, N)."""
    saturation: float | None = None
    """The fraction of the run for which a motor may saturate without a warning."""
    telemetry: Mapping[str, str] | None = None
    """Of a law of one's own: what it returns beside its forces, by name, with units."""


@dataclass
class PdJoint:
    """A joint on a spring and a damper to its target."""

    motor: str
    """The coordinate of the motor, by name."""
    stiffness: float
    """(N m/rad, N/m)."""
    damping: float
    """(N m s/rad, N s/m)."""
    target: SignalLike
    """Where the coordinate should be (rad, m)."""
    sensor: str | None = None
    """Its encoder, by name; ``None`` with the full state."""
    limit: float | None = None
    """The largest force, either way (N m, N)."""


@dataclass
class PdController:
    """Proportional-derivative control of joints, each to a target of its own."""

    name: str
    """The prefix of its channels."""
    joints: Sequence[PdJoint]
    """Each with its gains and its target."""
    period: float | None = None
    """The sampling period (s); ``None`` to act at every instant, on the full state only."""
    full_state: bool = False
    """Whether it knows the state of the arm, which no sensor measures."""
    delay: float = 0.0
    """The delay of its forces (s)."""


@dataclass
class StrainJoint:
    """A motor that feeds back a strain."""

    motor: str
    """The coordinate of the motor, by name."""
    sensor: str
    """Its strain gauge, by name."""
    stiffness: float
    """Force per strain, opposing it (N m, N)."""
    damping: float
    """Force per strain rate (N m s, N s)."""
    limit: float | None = None
    """The largest force, either way (N m, N)."""


@dataclass
class StrainController:
    """Feedback of strains, added to the forces of other controllers."""

    name: str
    """The prefix of its channels."""
    joints: Sequence[StrainJoint]
    """Each with its gains and its gauge."""
    period: float
    """The sampling period (s)."""
    delay: float = 0.0
    """The delay of its forces (s)."""


AnyController: TypeAlias = Controller | PdController | StrainController
