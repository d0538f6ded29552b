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
    participation: Array
    """The part of the kinetic energy on each of ``parts``, ``(..., modes, parts)``; where parts move
    against each other it may be negative or exceed 1."""
    parts: list[str]
    """Joints, and links by the way they deform: ``"joint fore"``, ``"fore y"``, ``"fore twist"``."""
    error: Array | None
    """How far each frequency is above that of the same arm with many finite elements, as a part of
    it, ``(..., modes)``; ``None`` unless asked for."""

    @property
    def frequency(self) -> Array:
        """The natural frequencies (rad/s), ``(..., modes)``; 0 where a mode is none or unstable."""
        return np.sqrt(np.maximum(self.squared, 0.0))

    @property
    def hertz(self) -> Array:
        """The natural frequencies (Hz), ``(..., modes)``."""
        return self.frequency / (2.0 * np.pi)


class Vibrations(NamedTuple):
    """Vibrations of a moving arm, frozen at instants, from the lowest frequency."""

    eigenvalues: NDArray[np.complex128]
    """A conjugate pair for each mode, or two real ones (1/s), ``(..., modes, 2)``."""
    frequency: Array
    """Without speed and damping (rad/s), ``(..., modes)``; 0 where no spring acts."""
    energy: Array
    """In this shape (J), about the deflection that the motion holds, ``(..., modes)``."""
    action: Array
    """``energy / frequency`` (J s), which a slow change leaves as it is, ``(..., modes)``; NaN without
    a frequency."""
    shapes: Array
    """The rates of all velocities, ``(..., modes, nv)``."""


class Deflection(NamedTuple):
    """By how much the deformation of links moves a frame (m)."""

    world: Array
    """By all links and joints together, world axes, ``(..., 3)``."""
    own: Array
    """By its own link, in the axes of that link, ``(..., 3)``."""


class LinkForces(NamedTuple):
    """What the sections of a link carry, from its root outward, each ``(..., sections)``.

    The largest of them are those of NumPy: ``forces.moment.max(axis=-1)``.
    """

    place: Array
    """From the root of the part that bends (m); borders of stretches come twice, from either side."""
    axial: Array
    """Normal force (N)."""
    torque: Array
    """About x (N m)."""
    moment_y: Array
    """Bending moment about y (N m)."""
    moment_z: Array
    """Bending moment about z (N m)."""
    shear_y: Array
    """Shear force along y (N)."""
    shear_z: Array
    """Shear force along z (N)."""
    stress: Array
    """The largest equivalent stress (Pa); NaN where the section has no outline."""
    margin: Array
    """Strength over stress; NaN where the strength is not known."""

    @property
    def moment(self) -> Array:
        """The resultant bending moment (N m)."""
        return np.hypot(self.moment_y, self.moment_z)

    @property
    def shear(self) -> Array:
        """The resultant shear force (N)."""
        return np.hypot(self.shear_y, self.shear_z)


class Sizing(NamedTuple):
    """Whether a link is strong and stiff enough."""

    moment: float
    """The largest bending moment (N m)."""
    stress: float | None
    """The largest stress (Pa), where the section has an outline."""
    margin_of_strength: float | None
    """Strength over stress, where the strength is known; 1 is just enough."""
    frequency: float
    """Of the link and everything outboard, joints locked and everything inboard rigid (rad/s)."""
    margin_of_stiffness: float
    """That frequency over three times the bandwidth; 1 is just enough."""
    decides: str
    """``"strength"`` or ``"stiffness"``: the smaller margin."""
    scale_for_strength: float | None
    """By how much the cross-section, in all its dimensions, would be just strong enough."""
    scale_for_stiffness: float | None
    """By how much it would be just stiff enough; ``None`` where no size is."""
    radius: float | None
    """The outer radius at the root (m) of a round link or tube."""

    @property
    def radius_for_strength(self) -> float | None:
        """The smallest radius by strength (m)."""
        return _times(self.radius, self.scale_for_strength)

    @property
    def radius_for_stiffness(self) -> float | None:
        """The smallest radius by stiffness (m)."""
        return _times(self.radius, self.scale_for_stiffness)


def _times(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one * other


class CantileverComparison(NamedTuple):
    """A property of a clamped beam, from the textbook and from its shapes."""

    quantity: str
    """Such as ``"sag along y"``."""
    unit: str
    """Of both numbers."""
    textbook: float
    """The exact value."""
    computed: float | None
    """That of the shapes; ``None`` where there are too few."""
    judged: bool
    """Whether it decides if the shapes are sufficient."""

    @property
    def error(self) -> float | None:
        """The relative error of the shapes."""
        return None if self.computed is None else self.computed / self.textbook - 1.0


class DhTable(NamedTuple):
    """Denavit-Hartenberg rows from the ground to a frame: ``base @ A1 @ ... @ An @ tool`` is its pose."""

    base: Array
    """Frame 0 in the world, ``(4, 4)``."""
    rows: Array
    """``theta`` (rad), ``d`` (m), ``a`` (m), ``alpha`` (rad) in the neutral configuration,
    ``(joints, 4)``."""
    coordinates: list[str]
    """The coordinate of each row, by name."""
    variables: list[str]
    """What it adds to: ``"theta"`` or ``"d"``."""
    tool: Array
    """The frame in the last frame of the rows, ``(4, 4)``."""


class StateSpace(NamedTuple):
    """``dx/dt = A x + B u``, ``y = C x + D u``, in SI units; matrices ``(..., rows, columns)``.

    With a period ``A x + B u`` is the state a period later.
    """

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
    period: float | None = None
    """Of a system in steps (s)."""

    @property
    def poles(self) -> NDArray[np.complex128]:
        """The eigenvalues of ``A`` (1/s, or of a period), ascending by size, ``(..., states)``."""
        poles = np.linalg.eigvals(self.A).astype(np.complex128)
        return np.take_along_axis(poles, np.argsort(np.abs(poles), axis=-1), axis=-1)

    def response(self, frequency: Array) -> NDArray[np.complex128]:
        """``C (i w - A)^-1 B + D`` at frequencies (rad/s), ``(frequencies, outputs, inputs)``; with a
        period ``T`` it is ``exp(i w T)`` in place of ``i w``."""
        at = 1j * np.atleast_1d(np.asarray(frequency, dtype=np.float64))[:, None, None]
        if self.period is not None:
            at = np.exp(at * self.period)
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
        step = 0.0 if self.period is None else self.period
        return control.StateSpace(self.A, self.B, self.C, self.D, step, **names)


class GrowingMode(NamedTuple):
    """A motion of a loop that grows."""

    pole: complex
    """``z`` of a period, or ``s`` (1/s) where everything acts at every instant."""
    rate: float
    """How fast it grows (1/s)."""
    motor: str
    """The motor that takes most part, by name."""


class ClosedLoop(NamedTuple):
    """The loop that controllers close around an arm, linear near a posture of its plan."""

    system: StateSpace
    """From the references of controllers, and inputs that were asked for, to the outputs; in steps of
    the common period of all clocks, unless everything acts at every instant."""
    ticks: float
    """How often the fastest controller ticks in a period."""
    motors: list[str]
    """The motors that controllers drive, by name."""
    growing: list[GrowingMode]
    """What grows faster than it would with these motors held, the fastest first; none in a loop that
    is stable."""

    @property
    def spectral_radius(self) -> float | None:
        """``max |z|`` of one tick; ``None`` where everything acts at every instant."""
        if self.system.period is None:
            return None
        largest: float = np.abs(self.system.poles).max(initial=0.0)
        return float(largest ** (1.0 / self.ticks))


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
