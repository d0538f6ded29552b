# The native half; its docstrings are in the module.
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.tuples import (
    CantileverComparison,
    Deflection,
    DhTable,
    Energies,
    Equilibrium,
    ForwardDerivatives,
    HybridDynamics,
    InverseDerivatives,
    LinkForces,
    Modes,
    Momenta,
    Power,
    Reach,
    Sizing,
    StateSpace,
    Vibrations,
)

__version__: str

_Array: TypeAlias = NDArray[np.float64]
_State: TypeAlias = ArrayLike | Mapping[str, ArrayLike]
_Path: TypeAlias = str | os.PathLike[str]
_Settings: TypeAlias = Mapping[str, Any] | Sequence[str]
_Axes: TypeAlias = Literal["world", "own"]
_Held: TypeAlias = Literal["locked", "free", "spring"]
_Joints: TypeAlias = _Held | Mapping[str, _Held] | None
_Loads: TypeAlias = Mapping[str, Sequence[float] | NDArray[Any]] | None
_Three: TypeAlias = Sequence[float] | NDArray[Any]
_Matrix: TypeAlias = Sequence[Sequence[float]] | NDArray[Any]
_Pose: TypeAlias = _Three | _Matrix

@final
class Arm:
    def ode(self, inputs: Callable[[float, Any, Any], Any] | None = None) -> Ode: ...
    @staticmethod
    def load(path: _Path, *, set: _Settings | None = None) -> Arm: ...
    @staticmethod
    def parse(text: str) -> Arm: ...
    @staticmethod
    def from_urdf(
        path: _Path,
        *,
        bend: Mapping[str, Mapping[str, Any]] | None = None,
        merge_fixed: bool = False,
        floating: bool = False,
        set: _Settings | None = None,
    ) -> Arm: ...
    @property
    def name(self) -> str: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def coordinate_names(self) -> list[str]: ...
    @property
    def velocity_names(self) -> list[str]: ...
    @property
    def coordinate_units(self) -> list[str]: ...
    @property
    def link_names(self) -> list[str]: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def parents(self) -> list[str | None]: ...
    @property
    def frame_names(self) -> list[str]: ...
    @property
    def tip(self) -> str | None: ...
    @property
    def limits(self) -> _Array: ...
    @property
    def total_mass(self) -> float: ...
    @property
    def gravity_vector(self) -> _Array: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def span(self) -> float | None: ...
    @property
    def hash(self) -> str: ...
    def neutral(self) -> _Array: ...
    def to_toml(self) -> str: ...
    def drawing(self, q: _State | None = None) -> str: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...
    def forward_dynamics(
        self, q: _State, u: _State, tau: _State, *, out: _Array | None = None
    ) -> _Array: ...
    def hybrid_dynamics(
        self, q: _State, u: _State, tau: _State, ud: _State, *, out: _Array | None = None
    ) -> HybridDynamics: ...
    def inverse_dynamics(
        self, q: _State, u: _State, ud: _State, *, out: _Array | None = None
    ) -> _Array: ...
    def mass_matrix(self, q: _State, *, out: _Array | None = None) -> _Array: ...
    def bias(self, q: _State, u: _State, *, out: _Array | None = None) -> _Array: ...
    def coriolis(self, q: _State, u: _State, *, out: _Array | None = None) -> _Array: ...
    def coriolis_matrix(self, q: _State, u: _State, *, out: _Array | None = None) -> _Array: ...
    def damping(self, q: _State, u: _State, *, out: _Array | None = None) -> _Array: ...
    def gravity(self, q: _State, *, out: _Array | None = None) -> _Array: ...
    def elastic(self, q: _State, *, out: _Array | None = None) -> _Array: ...
    def energy(self, q: _State, u: _State, *, out: _Array | None = None) -> Energies: ...
    def momentum(self, q: _State, u: _State, *, out: _Array | None = None) -> Momenta: ...
    def power(
        self,
        q: _State,
        u: _State,
        tau: _State,
        loads: _State | None = None,
        *,
        out: _Array | None = None,
    ) -> Power: ...
    def forward_derivatives(
        self,
        q: _State,
        u: _State,
        tau: _State,
        ud: _State | None = None,
        *,
        out: _Array | None = None,
    ) -> ForwardDerivatives: ...
    def inverse_derivatives(
        self, q: _State, u: _State, ud: _State, *, out: _Array | None = None
    ) -> InverseDerivatives: ...
    def pose(self, q: _State, frame: str, *, out: _Array | None = None) -> _Array: ...
    def frames(self, q: _State, *, out: _Array | None = None) -> _Array: ...
    def jacobian(
        self, q: _State, frame: str, *, axes: _Axes = "world", out: _Array | None = None
    ) -> _Array: ...
    def twist(
        self, q: _State, u: _State, frame: str, *, axes: _Axes = "world", out: _Array | None = None
    ) -> _Array: ...
    def frame_acceleration(
        self,
        q: _State,
        u: _State,
        ud: _State,
        frame: str,
        *,
        axes: _Axes = "world",
        out: _Array | None = None,
    ) -> _Array: ...
    def load_forces(
        self,
        q: _State,
        frame: str,
        wrench: ArrayLike,
        *,
        axes: _Axes = "world",
        out: _Array | None = None,
    ) -> _Array: ...
    def static_equilibrium(
        self, q: _State | None = None, *, joints: _Joints = None, loads: _Loads = None
    ) -> Equilibrium: ...
    def tangent_stiffness(
        self, q: _State | None = None, *, joints: _Joints = None, loads: _Loads = None
    ) -> _Array: ...
    def modes(
        self,
        q: _State | None = None,
        *,
        joints: _Joints = None,
        loads: _Loads = None,
        as_given: bool = False,
        errors: bool = False,
    ) -> Modes: ...
    def modes_page(
        self, q: _State | None = None, *, joints: _Joints = None, as_given: bool = False
    ) -> str: ...
    def show_modes(
        self, q: _State | None = None, *, joints: _Joints = None, as_given: bool = False
    ) -> None: ...
    def vibrations(
        self,
        q: _State,
        u: _State | None = None,
        ud: _State | None = None,
        *,
        joints: Literal["prescribed", "free"] = "prescribed",
        times: Sequence[float] | NDArray[Any] | None = None,
    ) -> Vibrations: ...
    def deflection(
        self, q: _State, frame: str, *, undeformed: _State | None = None
    ) -> Deflection: ...
    def internal_forces(
        self,
        q: _State,
        u: _State | None = None,
        ud: _State | None = None,
        *,
        loads: _Loads = None,
    ) -> dict[str, LinkForces]: ...
    def out_of_range(
        self, q: _State, u: _State | None = None, *, loads: _Loads = None
    ) -> list[str]: ...
    def sizing(
        self,
        link: str,
        q: _State | None = None,
        *,
        bandwidth: float,
        moment: float | None = None,
    ) -> Sizing: ...
    def check_beam(self, link: str) -> list[CantileverComparison]: ...
    def denavit_hartenberg(
        self, frame: str | None = None, *, convention: Literal["standard", "modified"] = "standard"
    ) -> DhTable: ...
    def linearise(
        self,
        q: _State | None = None,
        u: _State | None = None,
        ud: _State | None = None,
        *,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        joints: _Joints = None,
        as_given: bool = False,
    ) -> StateSpace: ...
    def reach(
        self,
        position: _Three,
        attitude: _Matrix | None = None,
        *,
        frame: str | None = None,
        near: _State | None = None,
        sag: bool = False,
        hold: Sequence[str] | None = None,
        starts: int = 60,
        seed: int = 0,
    ) -> Reach: ...

@final
class Material:
    def __new__(
        cls,
        *,
        young: float,
        shear: float,
        density: float,
        strength: float | None = None,
        name: str = "own",
    ) -> Material: ...
    @staticmethod
    def named(name: str) -> Material: ...
    @staticmethod
    def laminate(
        angles: Sequence[float] | NDArray[Any],
        *,
        along: float = 181e9,
        across: float = 10.3e9,
        shear: float = 7.17e9,
        poisson: float = 0.28,
        density: float = 1600.0,
        strength: float = 1.5e9,
    ) -> Material: ...
    @property
    def name(self) -> str: ...
    @property
    def young(self) -> float: ...
    @property
    def shear(self) -> float: ...
    @property
    def density(self) -> float: ...
    @property
    def strength(self) -> float | None: ...

@final
class Section:
    @staticmethod
    def round(diameter: float, material: Material | str) -> Section: ...
    @staticmethod
    def tube(diameter: float, wall: float, material: Material | str) -> Section: ...
    @staticmethod
    def rectangle(height: float, width: float, material: Material | str) -> Section: ...
    @staticmethod
    def box(height: float, width: float, wall: float, material: Material | str) -> Section: ...
    @staticmethod
    def i(
        height: float, width: float, web: float, flange: float, material: Material | str
    ) -> Section: ...
    @staticmethod
    def given(
        *,
        rho_a: float,
        ei_y: float,
        ei_z: float,
        gj: float,
        ea: float,
        kga_y: float | None = None,
        kga_z: float | None = None,
        rho_i_y: float = 0.0,
        rho_i_z: float = 0.0,
    ) -> Section: ...

@final
class Beam:
    def __new__(
        cls,
        length: float,
        section: Section | Sequence[tuple[float, Section]],
        *,
        y: int = 0,
        z: int = 0,
        twist: int = 0,
        axial: int = 0,
        shapes: str = "loaded",
        elements: int | None = None,
        load: tuple[float, float, _Three] | None = None,
        hinge_y: float | None = None,
        hinge_z: float | None = None,
        pinned: bool = False,
        root: _Pose | None = None,
        rigid_root: float = 0.0,
        rigid_tip: float = 0.0,
        segments: int = 1,
        damping: float | Sequence[float] | None = None,
        damping_mass: float = 0.0,
        damping_stiffness: float = 0.0,
        shear: bool | None = None,
        foreshortening: bool = True,
        slides: tuple[float, float] | None = None,
        slide_prescribed: bool = False,
        slide_damping: float = 0.0,
        slide_armature: float = 0.0,
    ) -> Beam: ...
    @property
    def mass(self) -> float: ...

@final
class Joint:
    @staticmethod
    def fixed() -> Joint: ...
    @staticmethod
    def revolute(axis: _Three) -> Joint: ...
    @staticmethod
    def prismatic(axis: _Three) -> Joint: ...
    @staticmethod
    def cylindrical(axis: _Three) -> Joint: ...
    @staticmethod
    def universal(first: _Three, second: _Three) -> Joint: ...
    @staticmethod
    def planar() -> Joint: ...
    @staticmethod
    def spherical() -> Joint: ...
    @staticmethod
    def free() -> Joint: ...
    @property
    def kind(self) -> str: ...

@final
class Actuator:
    def __new__(
        cls,
        *,
        force: float = ...,
        speed: float = ...,
        rotor_inertia: float = 0.0,
        gear: float = 1.0,
        stiffness: float | None = None,
        damping: float = 0.0,
        viscous: float = 0.0,
        coulomb: float = 0.0,
        coulomb_speed: float = 0.0,
    ) -> Actuator: ...

@final
class Link:
    def __new__(
        cls,
        name: str,
        *,
        joint: Joint | None = None,
        joint_name: str | None = None,
        parent: str | None = None,
        placement: _Pose | None = None,
        at: float | str | None = None,
        outboard: _Pose | None = None,
        body: tuple[float, _Three, _Matrix] | None = None,
        tip_body: tuple[float, _Three, _Matrix] | None = None,
        payload: tuple[float, _Three] | None = None,
        beam: Beam | None = None,
        stiffness: float | Sequence[float] | None = None,
        rest: float | Sequence[float] | None = None,
        damping: float | Sequence[float] | None = None,
        armature: float | Sequence[float] | None = None,
        limits: Sequence[tuple[float, float] | None] | None = None,
        actuator: Actuator | None = None,
        prescribed: bool = False,
        frames: Mapping[str, _Pose] | None = None,
        root_frames: Mapping[str, _Pose] | None = None,
        section_frames: Mapping[str, tuple[float, _Pose]] | None = None,
        tip_frame: str | None = None,
        dh: Sequence[float] | NDArray[Any] | None = None,
        dh_moves: Literal["theta", "d"] = "theta",
        dh_convention: Literal["standard", "modified"] = "standard",
    ) -> Link: ...
    @property
    def name(self) -> str: ...

@final
class Builder:
    def __new__(
        cls,
        name: str,
        *,
        gravity: _Three | None = None,
        lenient: bool = False,
        total_mass: float | None = None,
    ) -> Builder: ...
    def link(self, link: Link) -> Builder: ...
    def build(self) -> Arm: ...

@final
class ControlContext:
    @property
    def t(self) -> float: ...
    @property
    def since(self) -> float | None: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def q(self) -> _Array: ...
    @property
    def u(self) -> _Array: ...
    @property
    def reference(self) -> _Array: ...
    @property
    def reference_rate(self) -> _Array: ...
    @property
    def reference_acceleration(self) -> _Array: ...
    @property
    def limits(self) -> _Array: ...
    @property
    def model_q(self) -> _Array: ...
    @property
    def model_u(self) -> _Array: ...

@final
class EstimatorContext:
    @property
    def t(self) -> float: ...
    @property
    def since(self) -> float | None: ...
    @property
    def measured(self) -> _Array: ...
    @property
    def forces(self) -> _Array: ...
    @property
    def reference(self) -> _Array: ...
    @property
    def reference_rate(self) -> _Array: ...
    @property
    def model_q(self) -> _Array: ...
    @property
    def model_u(self) -> _Array: ...

@final
class Ode:
    def __new__(cls, arm: Arm, inputs: Callable[[float, Any, Any], Any] | None = None) -> Ode: ...
    def __call__(self, t: float, y: _Array) -> _Array: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, Any]]: ...
    @property
    def arm(self) -> Arm: ...

def load_scenario(path: _Path, set: Any = None) -> Any: ...
def scenario_text(scenario: Any) -> str: ...
def check_scenario(scenario: Any) -> list[str]: ...
def closed_loop(
    scenario: Any, time: float, inputs: Sequence[str], outputs: Sequence[str]
) -> Any: ...
def run_scenario(
    scenario: Any,
    folder: _Path | None,
    force: bool,
    resume: bool,
    report: bool,
    progress: Callable[[float, float, int], Any] | None,
) -> tuple[dict[str, Any], BaseException | None, BaseException | None]: ...
def load_result(folder: _Path) -> dict[str, Any]: ...
def save_result(
    folder: _Path,
    force: bool,
    summary_text: str,
    channels_text: str,
    time: _Array,
    values: _Array,
    scenario: str,
) -> None: ...
def report_page(folders: Sequence[_Path]) -> str: ...

@final
class CheckedStudy:
    @staticmethod
    def load(path: _Path, set: _Settings | None) -> CheckedStudy: ...
    @staticmethod
    def parse(text: str, folder: _Path, set: _Settings | None) -> CheckedStudy: ...
    @staticmethod
    def of_scenario(scenario: str, keys: dict[str, Any]) -> CheckedStudy: ...
    def dry(self) -> CheckedStudy: ...
    @property
    def is_dry(self) -> bool: ...
    @property
    def optimises(self) -> bool: ...
    @property
    def text(self) -> str: ...
    @property
    def identity(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def parameters(self) -> list[tuple[str, str, list[str], list[str]]]: ...
    @property
    def figures(self) -> list[tuple[str, str, str, bool | None]]: ...
    @property
    def series(self) -> list[tuple[str, str]]: ...
    def values(self, index: int) -> dict[str, float | str]: ...
    def scenario(self, index: int, trial: Sequence[float] | None) -> Any: ...
    def run_chunk(self, first: int, end: int, longest: float) -> tuple[int, int, bytes]: ...

@final
class StudyJournal:
    @staticmethod
    def open(
        path: _Path, study: CheckedStudy, force: bool, resume: bool, threads: int | None
    ) -> StudyJournal: ...
    @property
    def lost(self) -> str | None: ...
    def close(self) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def unlocked(self) -> str | None: ...
    def missing(self) -> list[tuple[int, int]]: ...
    def accept(self, first: int, end: int, bytes: bytes) -> bool: ...
    def run(
        self, threads: int | None, progress: Callable[[float, float, int], Any]
    ) -> BaseException | None: ...
    def finish(self) -> str: ...

@final
class StudySeries:
    @staticmethod
    def open(path: _Path) -> StudySeries: ...
    def of_run(self, index: int) -> dict[str, _Array]: ...

def study_table(path: _Path) -> tuple[str, list[tuple[str, str, str, Any]]]: ...
