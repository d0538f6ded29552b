"""Scenarios: what happens to an arm, as plain data; and their runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from pliant import _pliant
from pliant._pliant import Arm
from pliant.controllers import AnyController
from pliant.errors import RunError, RunInterrupted, _warn
from pliant.plans import Plan
from pliant.progress import Progress, Watch, progress_line
from pliant.result import Result
from pliant.sensors import Sensor
from pliant.signals import Event, Input, Prescribed, Record
from pliant.tuples import ClosedLoop


@dataclass
class Scenario:
    """An arm, its initial state, its inputs, its controllers, the duration and what is recorded.

    Everything is by name, as scenario files have it, in SI units and radians.
    """

    arm: Arm
    """What moves."""
    duration: float
    """(s)."""
    gravity: Sequence[float] | None = None
    """Another gravity than the arm's, world (m/s²)."""
    start: Literal["as given", "static equilibrium"] = "as given"
    """How the links are bent at the start."""
    initial: Mapping[str, float] = field(default_factory=dict)
    """Initial coordinates (rad, m); without any the arm starts where its plan begins."""
    rates: Mapping[str, float] = field(default_factory=dict)
    """Initial velocities (rad/s, m/s)."""
    tip: str | None = None
    """The frame whose motion is watched; ``None`` for the outermost one."""
    settling_band: float = 1e-3
    """The band within which that frame has settled (m)."""
    method: Literal[
        "auto", "dop853", "dopri5", "adams", "radau5", "rk4", "generalised-alpha"
    ] = "auto"
    """The integrator."""
    tolerance: float | None = None
    """The error allowed in each step; 1e-9 by default. Not for methods with a fixed step."""
    step: float | None = None
    """The step (s) of ``rk4`` and ``generalised-alpha``."""
    spectral_radius: float | None = None
    """Of ``generalised-alpha``, from 0 to 1."""
    fuse: bool = False
    """Round products and sums of the equations of motion together, in machine code: faster, with
    other numbers in the last digits."""
    record: Record = field(default_factory=Record)
    """What is recorded, and how often."""
    limits: Literal["report", "stop", "ignore"] = "report"
    """What happens at the limits of joints."""
    seed: int = 0
    """Of all noise."""
    inputs: Sequence[Input] = field(default_factory=list)
    """Forces of motors and loads on frames."""
    prescribed: Sequence[Prescribed] = field(default_factory=list)
    """Motions of prescribed coordinates."""
    sensors: Sequence[Sensor] = field(default_factory=list)
    """What is measured."""
    plan: Plan | None = None
    """The trajectory that controllers track."""
    controllers: Sequence[AnyController] = field(default_factory=list)
    """Their forces are added."""
    events: Sequence[Event] = field(default_factory=list)
    """Zero crossings to detect."""
    _origin: str | None = field(default=None, init=False, repr=False, compare=False)

    @staticmethod
    def load(
        path: str | os.PathLike[str], set: Mapping[str, Any] | Sequence[str] | None = None
    ) -> Scenario:
        """Reads a scenario file.

        set: values of keys in place of those of the file, ``{"duration": "10 s"}``.
        """
        scenario: Scenario = _pliant.load_scenario(path, set)
        return scenario

    def text(self) -> str:
        """The text of a scenario file that says the same, with the arm inside."""
        return _pliant.scenario_text(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a scenario file. Python functions and objects are refused by name."""
        Path(path).write_text(self.text(), encoding="utf-8")

    def check(self) -> list[str]:
        """What is doubtful about it; raises if it cannot be run."""
        return _pliant.check_scenario(self)

    def closed_loop(
        self,
        time: float = 0.0,
        *,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
    ) -> ClosedLoop:
        """The loop that its controllers close, linear near where the plan has the arm at a time (s), at
        rest. Noise, resolution, limits and dry friction are left out.

        inputs: beside the references of controllers, names as in ``Arm.linearise``; outputs: names
        as there or of sensors, by default joints and tip.
        """
        loop: ClosedLoop = _pliant.closed_loop(self, time, list(inputs), list(outputs))
        return loop

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        force: bool = False,
        resume: bool = False,
        report: bool = True,
        progress: bool | Progress | None = None,
        strict: bool = False,
        check: bool = True,
    ) -> Result:
        """Runs it, in memory or into a folder as ``pliant run`` does.

        force: replace results of an earlier run in the folder.
        resume: take up the run in the folder, which was killed or interrupted.
        report: also write ``report.html`` into the folder.
        progress: show how far it is, or a function ``f(time, end, steps)`` to call; ``None`` for
        terminals and notebooks, after two seconds.
        strict: raise where the run has warnings.
        check: raise where the motion could not be carried on; its rows are in ``.result``.

        Ctrl-C ends the run and raises ``RunInterrupted``; an exception of a Python function or
        object ends it and is raised as the cause of a ``RunError``. Both have the rows up to
        there in ``.result``.
        """
        with Watch(progress_line(progress)) as watch:
            parts, raised, interrupted = _pliant.run_scenario(
                self, folder, force, resume, report, watch
            )
        return _judged(Result(**parts), raised, interrupted, strict, check)

    def __repr__(self) -> str:
        usual = {one.name: one for one in fields(self)}
        shown = []
        for name in usual:
            value = getattr(self, name)
            if name.startswith("_") or name == "arm":
                continue
            if value is not None and value != [] and value != {}:
                shown.append(f"{name}={value!r}")
        return f"Scenario({self.arm.name!r}, {', '.join(shown)})"


def _judged(
    result: Result,
    raised: BaseException | None,
    interrupted: BaseException | None,
    strict: bool,
    check: bool,
) -> Result:
    told = result.warnings
    why = result.why or "the motion could not be carried on"
    if isinstance(raised, KeyboardInterrupt) and interrupted is None:
        interrupted = raised
    if interrupted is not None:
        if not isinstance(interrupted, KeyboardInterrupt):
            raise interrupted
        message = f"interrupted at t = {result.end_time:g} s; {len(result)} rows are in .result"
        raise RunInterrupted(message, result=result) from None
    if raised is not None:
        raise RunError(why, result=result) from raised
    if check and result.status == "failed":
        raise RunError(why, result=result)
    if strict and told:
        count = "a warning" if len(told) == 1 else f"{len(told)} warnings"
        listed = "; ".join(told)
        raise RunError(f"the run has {count}, and strict allows none: {listed}", result=result)
    _warn(told)
    return result


def run(
    path: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    force: bool = False,
    resume: bool = False,
    report: bool = True,
    progress: bool | Progress | None = None,
    strict: bool = False,
    check: bool = True,
) -> Result:
    """Runs a scenario file; see :meth:`Scenario.load` and :meth:`Scenario.run`."""
    return Scenario.load(path, set).run(
        folder,
        force=force,
        resume=resume,
        report=report,
        progress=progress,
        strict=strict,
        check=check,
    )


