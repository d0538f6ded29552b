"""Sensors. Noise and resolution are in the unit of what is measured, times in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass
class _Sensor:
    name: str
    """Also that of its channel."""
    delay: float = field(default=0.0, kw_only=True)
    """How late its measurements are (s)."""
    noise: float = field(default=0.0, kw_only=True)
    """The standard deviation of its noise."""
    resolution: float = field(default=0.0, kw_only=True)
    """The quantisation step; zero for none."""


@dataclass
class Encoder(_Sensor):
    """Measures a coordinate (rad, m)."""

    coordinate: str
    """By name."""
    period: float
    """The sampling period (s)."""


@dataclass
class StrainGauge(_Sensor):
    """Measures the strain along a link on its surface; tension is positive."""

    link: str
    """By name."""
    at: float
    """Distance from the root of the flexible part (m)."""
    period: float
    """The sampling period (s)."""
    y: float = 0.0
    """Distance from the axis along y (m)."""
    z: float = 0.0
    """Distance from the axis along z (m)."""


@dataclass
class _FrameSensor(_Sensor):
    frame: str
    """By name."""
    period: float
    """The sampling period (s)."""


@dataclass
class Accelerometer(_FrameSensor):
    """Measures the acceleration of a frame minus gravity, in its own axes (m/s²)."""


@dataclass
class PositionSensor(_FrameSensor):
    """Measures the position of a frame in the world (m)."""


Sensor: TypeAlias = Encoder | StrainGauge | Accelerometer | PositionSensor
