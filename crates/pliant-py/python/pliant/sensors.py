"""Sensors. Noise and resolution are in the unit of what is measured, times in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass
class Encoder:
    """Measures a coordinate (rad, m)."""

    name: str
    """Also that of its channel."""
    coordinate: str
    """By name."""
    period: float
    """The sampling period (s)."""
    delay: float = 0.0
    """How late its measurements are (s)."""
    noise: float = 0.0
    """The standard deviation of its noise."""
    resolution: float = 0.0
    """The quantisation step; zero for none."""


@dataclass
class StrainGauge:
    """Measures the strain along a link on its surface; tension is positive."""

    name: str
    """Also that of its channel."""
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
    delay: float = 0.0
    """How late its measurements are (s)."""
    noise: float = 0.0
    """The standard deviation of its noise."""
    resolution: float = 0.0
    """The quantisation step; zero for none."""


@dataclass
class Accelerometer:
    """Measures the acceleration of a frame minus gravity, in its own axes (m/s²)."""

    name: str
    """Also that of its channel."""
    frame: str
    """By name."""
    period: float
    """The sampling period (s)."""
    delay: float = 0.0
    """How late its measurements are (s)."""
    noise: float = 0.0
    """The standard deviation of its noise."""
    resolution: float = 0.0
    """The quantisation step; zero for none."""


@dataclass
class PositionSensor:
    """Measures the position of a frame in the world (m)."""

    name: str
    """Also that of its channel."""
    frame: str
    """By name."""
    period: float
    """The sampling period (s)."""
    delay: float = 0.0
    """How late its measurements are (s)."""
    noise: float = 0.0
    """The standard deviation of its noise."""
    resolution: float = 0.0
    """The quantisation step; zero for none."""


Sensor: TypeAlias = Encoder | StrainGauge | Accelerometer | PositionSensor
