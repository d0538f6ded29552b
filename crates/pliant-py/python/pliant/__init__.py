"""Robot arms whose links bend: model, simulate, control.

SI units and radians throughout. Spatial vectors have the linear part first,
quaternions are ``(w, x, y, z)``. Functions of states take arrays ``(..., n)``,
whose leading axes broadcast as in NumPy, or dictionaries by names of coordinates.
"""

from pliant._pliant import Actuator, Arm, Beam, Builder, Joint, Link, Material, Section
from pliant.errors import (
    ArgumentError,
    BuildError,
    DtypeError,
    DynamicsError,
    FileError,
    PliantError,
    Problem,
    ShapeError,
)
from pliant.tuples import (
    Energies,
    Equilibrium,
    ForwardDerivatives,
    HybridDynamics,
    InverseDerivatives,
    Modes,
    Momenta,
    Power,
    Reach,
    StateSpace,
)

__all__ = [
    "Actuator",
    "ArgumentError",
    "Arm",
    "Beam",
    "BuildError",
    "Builder",
    "DtypeError",
    "DynamicsError",
    "Energies",
    "Equilibrium",
    "FileError",
    "ForwardDerivatives",
    "HybridDynamics",
    "InverseDerivatives",
    "Joint",
    "Link",
    "Material",
    "Modes",
    "Momenta",
    "PliantError",
    "Power",
    "Problem",
    "Reach",
    "Section",
    "ShapeError",
    "StateSpace",
]
