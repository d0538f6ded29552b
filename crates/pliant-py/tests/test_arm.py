"""Arms: where they come from and what they know of themselves."""

from pathlib import Path

import numpy as np

import pliant

ROBOTS = Path(__file__).parents[3] / "robots"


def test_an_arm_file_gives_its_mass_matrix() -> None:
    arm = pliant.Arm.load(ROBOTS / "king-two-link.toml")
    mass = arm.mass_matrix(arm.neutral())
    assert mass.shape == (arm.nv, arm.nv)
    np.testing.assert_array_equal(mass, mass.T)
    assert np.all(np.linalg.eigvalsh(mass) > 0)
