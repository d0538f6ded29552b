"""Studies: a scenario that is run many times, each time with other values of some of its numbers."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pliant._pliant import CheckedStudy, StudyJournal
from pliant.engines import Task, engine_of
from pliant.errors import ArgumentError, ExecutorError, StudyInterrupted, _warn
from pliant.executors import Drive
from pliant.progress import Progress, StudyProgress, Watch, study_line
from pliant.result import Result
from pliant.scenario import Scenario
from pliant.study_result import StudyResult


@dataclass
class Parameter:
    """A value of a scenario, or of its arm, that changes from run to run: one of ``values``, from
    ``low`` to ``high``, or normal with ``mean`` and ``deviation``.

    Numbers are in SI units and radians; texts carry their unit, ``"250 g"``.
    """

    path: str | Sequence[str]
    """The value that it changes, by keys and names with points between them, as scenario files have
    it: ``"arm.link.fore.payload.mass"``; or several, which get the same value."""
    values: Sequence[float | str | bool] | None = None
    """The values; those that are no numbers, such as kinds of controllers, are listed so."""
    low: float | str | None = None
    """The least value."""
    high: float | str | None = None
    """The largest value."""
    count: int | None = None
    """How many values a grid or a list has from ``low`` to ``high``, both among them."""
    scale: Literal["linear", "logarithmic"] | None = None
    """Whether values between ``low`` and ``high`` are evenly spread, or their logarithms; linear."""
    mean: float | str | None = None
    """Of a normal distribution."""
    deviation: float | str | None = None
    """The standard deviation of a normal distribution."""
    name: str | None = None
    """Its name in the table and in constraints; the path, if there is none."""

    def _keys(self) -> dict[str, Any]:
        """As study files have it."""
        keys = {"low": "from", "high": "to"}
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        if not isinstance(self.path, str):
            given["paths"] = list(given.pop("path"))
        return {keys.get(k, k): value for k, value in given.items() if value is not None}


class StudyParameter(NamedTuple):
    """What changes from run to run, as a study has it."""

    name: str
    """Its column in the table."""
    unit: str
    """Of its numbers; ``"1"`` for those without one, empty for texts."""
    paths: tuple[str, ...]
    """The values of the scenario that it changes."""
    choices: tuple[str, ...]
    """The texts that it has, if it is no number."""


class StudyFigure(NamedTuple):
    """What a study keeps of each run."""

    name: str
    """Its column in the table."""
    label: str
    """The same in words."""
    unit: str
    """``"1"`` for ratios and counts."""
    lower_is_better: bool | None
    """``None`` where neither is."""


class Study:
    """A scenario that is run many times, each time with other values of some of its numbers.

    The arm and everything else that files can say are inside of it, so that it is the same on every
    machine; Python functions and objects are refused by name. A row of its table depends on the
    study and on its own number alone.

    design: all combinations of the values, the last parameter fastest (``"grid"``), the first of
    each, then the second (``"list"``), or ``runs`` draws: independent (``"random"``), evenly spread
    (``"sobol"``), or those of Sobol indices (``"sensitivity"``), from ``seed`` on.
    figures: what is kept of each run, by names or with stars, ``"*.settling_time"``; by default
    settling times, errors, efforts, peaks and the drift of energy.
    series: channels that are kept over time, ``"fore.tip.position.*"``.
    shapes: those of links that bend are found for each arm, or stay those of the scenario's arm.
    constraints: expressions of the parameters in SI units, ``"outer - 2 * wall > 1e-3"``; of an
    optimisation also of figures.
    set: values that the scenario lacks, ``{"arm.link.fore.payload": "{ mass = 0.1 }"}``.
    optimise: instead of a design, the table of study files that says what is to be small or large,
    ``{"minimise": "mass"}``; :meth:`Study.optimise` then chooses the parameters from ``low`` to
    ``high``.
    """

    def __init__(
        self,
        scenario: Scenario,
        parameters: Parameter | Sequence[Parameter],
        *,
        design: Literal["grid", "list", "random", "sobol", "sensitivity"] | None = None,
        runs: int | None = None,
        seed: int | None = None,
        figures: Sequence[str] | None = None,
        series: Sequence[str] = (),
        shapes: Literal["rebuilt", "nominal"] | None = None,
        constraints: Sequence[str] = (),
        set: Mapping[str, float | str] | Sequence[str] = (),
        optimise: Mapping[str, Any] | None = None,
        name: str = "study",
    ) -> None:
        if not isinstance(scenario, Scenario):
            help = "give a pliant.Scenario; Study.load reads a study file"
            raise ArgumentError(f"scenario is {scenario!r}", help=help)
        listed = [parameters] if isinstance(parameters, Parameter) else list(parameters)
        for one in listed:
            if not isinstance(one, Parameter):
                help = 'list pliant.Parameter("PATH", [1.0, 2.0])'
                raise ArgumentError(f"parameters has {one!r}", help=help)
        if design is None and optimise is None:
            design = "grid"
        keys: dict[str, Any] = {"design": design, "runs": runs, "seed": seed, "shapes": shapes}
        keys["figures"], keys["series"] = figures, series
        keys["set"] = [f"{k}={value}" for k, value in set.items()] if isinstance(set, Mapping) else set
        keys["constraint"] = [{"expression": one} for one in constraints]
        keys["parameter"] = [one._keys() for one in listed]
        keys["optimise"] = None if optimise is None else dict(optimise)
        kept = {k: list(v) if isinstance(v, tuple) else v for k, v in keys.items()}
        kept = {k: v for k, v in kept.items() if v is not None and v != []}
        self._become(CheckedStudy.of_scenario(scenario.text(), kept), name)

    def _become(self, checked: CheckedStudy, name: str) -> None:
        self._checked = checked
        self.name = name
        """What dashboards call it."""

    @staticmethod
    def _of(checked: CheckedStudy, name: str) -> Study:
        study = Study.__new__(Study)
        study._become(checked, name)
        return study

    @staticmethod
    def load(
        path: str | os.PathLike[str], set: Mapping[str, Any] | Sequence[str] | None = None
    ) -> Study:
        """Reads a study file.

        set: values of keys in place of those of the file, ``{"runs": 4096}``; those below
        ``scenario`` are for the scenario, ``{"scenario.duration": "1 s"}``.
        """
        return Study._of(CheckedStudy.load(path, set), Path(path).stem)

    @staticmethod
    def parse(
        text: str,
        folder: str | os.PathLike[str] = ".",
        *,
        set: Mapping[str, Any] | Sequence[str] | None = None,
        name: str = "study",
    ) -> Study:
        """Reads the text of a study file.

        folder: from where the path of its scenario is.
        set: as in :meth:`Study.load`.
        """
        return Study._of(CheckedStudy.parse(text, folder, set), name)

    def dry(self) -> Study:
        """The same with empty runs: shows what planning and writing it costs."""
        return Study._of(self._checked.dry(), self.name)

    @property
    def optimises(self) -> bool:
        """Whether it is an optimisation, for :meth:`Study.optimise` instead of :meth:`Study.run`."""
        return self._checked.optimises

    @property
    def count(self) -> int:
        """How many runs it has; an optimisation the most that it may have."""
        return self._checked.count

    @property
    def parameters(self) -> list[StudyParameter]:
        """What changes from run to run."""
        told = self._checked.parameters
        return [StudyParameter(name, unit, tuple(p), tuple(c)) for name, unit, p, c in told]

    @property
    def figures(self) -> list[StudyFigure]:
        """What is kept of each run."""
        return [StudyFigure(*one) for one in self._checked.figures]

    @property
    def series(self) -> dict[str, str]:
        """The channels that are kept over time, and their units; few studies have any."""
        return dict(self._checked.series)

    @property
    def text(self) -> str:
        """The study as it is run, with its scenario and arm inside: ``study.toml`` of its folder."""
        return self._checked.text

    @property
    def identity(self) -> str:
        """The SHA-256 of its text, and ``dry-`` before it if its runs are empty: rows with another
        identity are refused."""
        return self._checked.identity

    @property
    def warnings(self) -> list[str]:
        """What is doubtful about it, its scenario and its arm."""
        return list(self._checked.warnings)

    def values(self, index: int) -> dict[str, float | str]:
        """The values of the parameters in a run (SI units), by name; those of a trial of an
        optimisation are in its table."""
        return self._checked.values(index)

    def scenario(self, index: int) -> Scenario:
        """The scenario of one run; that of a trial of an optimisation is :meth:`StudyResult.scenario`.
        Raises ``FileError`` where the values allow none, and ``ScenarioError`` where the run has the
        shapes of another arm (``shapes="nominal"``)."""
        scenario: Scenario = self._checked.scenario(index, None)
        return scenario

    def run_one(
        self, index: int, folder: str | os.PathLike[str] | None = None, **options: Any
    ) -> Result:
        """One run alone, with all its channels and its report, and the figures of its row.

        options: as in :meth:`Scenario.run`.
        """
        return self.scenario(index).run(folder, **options)

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        executor: Any = None,
        threads: int | None = None,
        force: bool = False,
        resume: bool = False,
        progress: bool | StudyProgress | None = None,
    ) -> StudyResult:
        """Does all runs: on the cores of this machine, or on what ``executor`` names.

        folder: where ``table.parquet`` and ``summary.json`` go, with the bytes of ``pliant sweep``;
        without one the table is kept in memory, and there can be no series. Rows are on the disk a few seconds after they were
        computed.
        executor: ``"ray"``, the cluster that ``ray.init`` has connected this process to, or else
        one of this machine; a ``Client`` of Dask, or ``"dask"`` for the one that is there, or else
        one of this machine; anything with the interface of ``concurrent.futures``, such as
        ``ProcessPoolExecutor(4)``; or a function that makes one, and makes another where it breaks.
        threads: how many runs are done at once on this machine, by default as many as it has cores;
        of an executor that does not tell, how many workers it has.
        force: replace an earlier study in the folder; other files stay.
        resume: take up the study in the folder, which was killed or interrupted.
        progress: show how far it is, or a function ``f(done, all)`` to call; ``None`` for
        terminals and notebooks, after two seconds.

        A run that fails is a row with its reason. Ctrl-C raises ``StudyInterrupted``, and what an
        executor cannot do ``ExecutorError``; what is done is in their ``folder``, and
        ``run(folder, resume=True)`` goes on. A chunk whose worker dies is done again, and told as a
        ``PliantWarning``.
        """
        if self.optimises:
            message = "the study is an optimisation: it has a table [optimise]"
            raise ArgumentError(message, help="call optimise instead of run")
        check_threads(threads)
        task = Task(self.identity, self.text, f"pliant {self.name}", threads)
        # before the folder, so that nothing is left where there is no such executor
        engine = None if executor is None else engine_of(executor, task)

        def does(journal: StudyJournal, watch: Watch) -> list[str]:
            if engine is not None:
                return Drive(journal, self.count, engine).run(watch)
            return ended(journal.run(threads, watch))

        # what an executor does takes no memory here
        here = threads if engine is None else 1
        try:
            return self._in_folder(folder, does, here, force, resume, progress)
        finally:
            if engine is not None:
                engine.close()

    def optimise(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        threads: int | None = None,
        force: bool = False,
        resume: bool = False,
        progress: bool | StudyProgress | None = None,
    ) -> StudyResult:
        """Seeks the parameters for which a figure is best, or the front of two figures, on the cores
        of this machine. The table has a row for each trial, and ``result.best`` the best ones.

        folder: as in :meth:`Study.run`, with the bytes of ``pliant optimise``.
        threads: how many trials are computed at once, by default as many as the machine has cores;
        trials follow from each other, so that the table is the same.
        force, resume, progress: as in :meth:`Study.run`; ``f(done, most)`` is told how many trials
        there are, and how many there may be.
        """
        if not self.optimises:
            message = "the study is a sweep: it does not say what is to be small or large"
            help = 'give optimise={"minimise": "FIGURE"}, in a file a table [optimise]; or call run'
            raise ArgumentError(message, help=help)
        check_threads(threads)

        def does(journal: StudyJournal, watch: Watch) -> list[str]:
            return ended(journal.run(threads, watch))

        return self._in_folder(folder, does, threads, force, resume, progress)

    def _in_folder(
        self,
        folder: str | os.PathLike[str] | None,
        does: Callable[[StudyJournal, Watch], list[str]],
        threads: int | None,
        force: bool,
        resume: bool,
        progress: bool | StudyProgress | None,
    ) -> StudyResult:
        """Has all that is missing done in a folder, or in one that goes again."""
        if folder is None and (force or resume):
            word = "force" if force else "resume"
            raise ArgumentError(f"{word}=True is of a folder, and there is none", help="name it")
        if folder is None and self.series:
            message = "the study keeps series, which are in a file of its folder"
            raise ArgumentError(message, help="name a folder")
        _warn(self.warnings)
        place = Path(tempfile.mkdtemp(prefix="pliant-study-") if folder is None else folder)
        is_kept = folder is not None
        try:
            journal = StudyJournal.open(place, self._checked, force, resume, threads)
            try:
                summary = self._run_into(journal, place, does, study_line(progress))
            except BaseException:
                # what is done in a folder that nobody named is not thrown away
                is_kept = is_kept or journal.done > 0
                raise
            finally:
                journal.close()
            result = StudyResult(place, summary)
            return result if is_kept else result._in_memory()
        finally:
            if not is_kept:
                shutil.rmtree(place, ignore_errors=True)

    def _run_into(
        self,
        journal: StudyJournal,
        folder: Path,
        does: Callable[[StudyJournal, Watch], list[str]],
        line: Progress | None,
    ) -> dict[str, Any]:
        if (why := journal.unlocked) is not None:
            _warn([f"nothing keeps others out of {folder}, which cannot be locked: {why}"])
        if (lost := journal.lost) is not None:
            _warn([f"{lost} is no longer in {folder}: its runs are done again"])
        try:
            with Watch(line) as watch:
                losses = does(journal, watch)
        except KeyboardInterrupt:
            message = f"interrupted{self._kept(journal, folder)}"
            raise StudyInterrupted(message, folder=folder) from None
        except ExecutorError as error:
            error.folder = folder
            error.args = (f"{error.args[0]}{self._kept(journal, folder)}",)
            raise
        summary: dict[str, Any] = json.loads(journal.finish())
        _warn(losses)
        return summary

    def _kept(self, journal: StudyJournal, folder: Path) -> str:
        if journal.done == 0:
            return " before any run was done"
        of, call = ("", "optimise") if self.optimises else (f" of {self.count}", "run")
        return (
            f"; the rows of {journal.done}{of} runs are in {folder}, and "
            f"{call}({str(folder)!r}, resume=True) goes on"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __reduce__(self) -> tuple[Any, tuple[str, bool, str]]:
        return _again, (self.text, self._checked.is_dry, self.name)

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.parameters)
        return f"<pliant.Study: {self.name}, {self.count} runs over {names}>"


def check_threads(threads: int | None) -> None:
    """Refuses numbers of threads that are none."""
    if threads is not None and not 0 < threads < 65536:
        raise ArgumentError(f"threads is {threads}", help="give 1 or more")


def ended(early: BaseException | None) -> list[str]:
    """Raises what ended a study early; else nothing was lost."""
    if early is not None:
        raise early
    return []


def _again(text: str, is_dry: bool, name: str) -> Study:
    study = Study.parse(text, name=name)
    return study.dry() if is_dry else study
