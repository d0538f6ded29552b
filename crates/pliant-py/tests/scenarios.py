"""Scenarios that several tests run."""

from pathlib import Path
from typing import Any

import pliant

ROOT = Path(__file__).parents[3]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))

PENDULUM = """
name = "pendulum"
[[link]]
name = "bob"
joint = { kind = "revolute", axis = "y" }
body = { mass = "2 kg", com = ["0.5 m", 0, 0] }
"""

TWO_LINK = """
name = "two link"
[[link]]
name = "upper"
joint = { kind = "revolute", axis = "y" }
body = { mass = "4 kg", com = ["0.5 m", 0, 0], inertia = { xx = 0.02, yy = 0.4, zz = 0.4 } }
[[link]]
name = "fore"
parent = "upper"
placement = { position = ["1 m", 0, 0] }
joint = { kind = "revolute", axis = "y" }
body = { mass = "2 kg", com = ["0.4 m", 0, 0], inertia = { xx = 0.01, yy = 0.2, zz = 0.2 } }
"""


def pendulum(duration: float = 1.0, **more: Any) -> pliant.Scenario:
    """A pendulum that falls from the horizontal."""
    return pliant.Scenario(pliant.Arm.parse(PENDULUM), duration, **more)


def follower(law: Any, duration: float = 1.0, **more: Any) -> pliant.Scenario:
    """A pendulum whose controller follows a plan at 1 kHz on the full state."""
    known: dict[str, Any] = {"full_state": True, "period": 1e-3} | more
    return pendulum(
        duration,
        plan=pliant.JointsPlan([[0.0], [0.8]], [0.6]),
        controllers=[pliant.Controller("servo", law, **known)],
    )
