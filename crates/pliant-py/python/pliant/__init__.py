"""Robot arms whose links bend: model, simulate, control.

SI units and radians throughout. Spatial vectors have the linear part first,
quaternions are ``(w, x, y, z)``.
"""

from pliant._pliant import Arm
from pliant.errors import ArgumentError, BuildError, FileError, PliantError, Problem, ShapeError

__all__ = [
    "ArgumentError",
    "Arm",
    "BuildError",
    "FileError",
    "PliantError",
    "Problem",
    "ShapeError",
]
