"""Studies that several tests run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scenarios import ROOT, pendulum

import pliant

COMMAND = Path(os.environ.get("PLIANT_COMMAND", ROOT / "target" / "release" / "pliant"))


def swings(count: int = 12, *, step: float = 1e-2) -> pliant.Study:
    """A pendulum of several masses, released at two angles. Runs take some 20 ms at a step (s) of
    1e-4, and less than a millisecond at the usual one."""
    scenario = pendulum(1.0, initial={"bob": 0.3}, method="rk4", step=step)
    mass = pliant.Parameter("arm.link.bob.mass", low="1 kg", high=3.0, count=count, name="mass")
    start = pliant.Parameter("initial.bob", [0.3, "20 deg"], name="start")
    figures = ["bob.max", "energy_drift", "end"]
    return pliant.Study(scenario, [mass, start], figures=figures, name="swings")


def swept(study: pliant.Study, folder: Path) -> bytes:
    """The table that the command makes of it; where that is not built, that of our own threads."""
    if not COMMAND.is_file():
        return study.run(folder).parquet
    folder.mkdir()
    file = folder / "swings.toml"
    file.write_text(study.text, encoding="utf-8")
    command = [str(COMMAND), "sweep", str(file), "-o", str(folder / "swept")]
    subprocess.run(command, capture_output=True, check=True)
    return (folder / "swept" / "table.parquet").read_bytes()
