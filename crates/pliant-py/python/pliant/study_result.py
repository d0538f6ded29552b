"""Tables of studies: a row for each run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant import _pliant
from pliant.errors import ArgumentError, ResultError
from pliant.result import _unknown

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from pliant.scenario import Scenario
    from pliant.study import Study


class StudyColumn(NamedTuple):
    """A column of the table of a study."""

    name: str
    """Its key in a result."""
    unit: str
    """Of its numbers; ``"1"`` for those without one, empty for texts."""
    role: str
    """``"index"``, ``"parameter"``, ``"choice"`` (a parameter that is a text), ``"figure"``, or
    ``"words"``: how the run ended, and why."""


class SobolIndex(NamedTuple):
    """Which part of the variance of a figure a parameter causes; each with the least and the most
    that it may be, with 95 %."""

    first: float
    """Alone (first order)."""
    first_range: tuple[float, float]
    """Where that lies."""
    total: float
    """With all others (total)."""
    total_range: tuple[float, float]
    """Where that lies."""


@dataclass(frozen=True)
class OptimalTrial:
    """One of the best trials of an optimisation, in SI units."""

    index: int
    """Its row."""
    parameters: dict[str, float]
    """The values of the parameters, by name."""
    goals: dict[str, float]
    """What is made small or large, by name."""
    constraints: dict[str, float]
    """Each constraint and its slack: by how much the larger side exceeds the smaller one."""


class StudyResult:
    """A study that has ended: ``result["payload"]`` is a column of its table, over the runs.

    Numbers are in SI units; a figure that a run does not have is NaN.
    """

    def __init__(self, folder: Path | None, summary: dict[str, Any]) -> None:
        self.folder = folder
        """Where its files are, if it has any."""
        self.summary = summary
        """What ``summary.json`` says: how the runs ended and why, the range of each figure with the
        runs that have the least and the most."""
        self._bytes: bytes | None = None

    def _in_memory(self) -> StudyResult:
        """The same without its folder, which will be gone."""
        self._bytes = self.parquet
        _ = self._read
        self.folder = None
        return self

    @staticmethod
    def load(folder: str | os.PathLike[str]) -> StudyResult:
        """Opens the folder of a study that has ended."""
        place = Path(folder)
        try:
            summary = json.loads((place / "summary.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            help = "a study that was killed goes on with Study.run(folder, resume=True)"
            raise ResultError(f"{place} has no summary of a study: {error}", help=help) from error
        result = StudyResult(place, summary)
        _ = result._read
        return result

    @cached_property
    def _read(self) -> tuple[str, dict[str, StudyColumn], dict[str, NDArray[Any]]]:
        if self.folder is None:
            raise ResultError("the result has lost its table", help="run the study again")
        text, told = _pliant.study_table(self.folder)
        columns, arrays = {}, {}
        for name, unit, role, cells in told:
            columns[name] = StudyColumn(name, unit, role)
            array = np.array(cells, dtype=object) if isinstance(cells, list) else cells
            array.flags.writeable = False
            arrays[name] = array
        return text, columns, arrays

    @cached_property
    def _study(self) -> Study:
        from pliant.study import Study

        name = "study" if self.folder is None else self.folder.name.removesuffix("-study")
        study = Study.parse(self._read[0], name=name)
        return study.dry() if str(self.summary["study"]).startswith("dry-") else study

    @property
    def study(self) -> Study:
        """The study, with its scenario and arm inside."""
        return self._study

    @property
    def columns(self) -> list[StudyColumn]:
        """The columns of the table."""
        return list(self._read[1].values())

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._read[1])

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        return {column.name: column.unit for column in self.columns}

    @property
    def parquet(self) -> bytes:
        """The bytes of ``table.parquet``."""
        if self._bytes is not None or self.folder is None:
            return self._bytes or b""
        return (self.folder / "table.parquet").read_bytes()

    def table(self) -> dict[str, NDArray[Any]]:
        """All columns by name: arrays of numbers, and of texts as objects; read-only."""
        return dict(self._read[2])

    def row(self, index: int) -> dict[str, Any]:
        """What a run has, by the names of the columns."""
        if not 0 <= index < len(self):
            help = f"give a number from 0 to {len(self) - 1}"
            raise ArgumentError(f"the study has no run {index}", help=help)
        return {name: cells[index : index + 1].tolist()[0] for name, cells in self.table().items()}

    def series(self, index: int) -> dict[str, NDArray[np.float64]]:
        """The channels of a run that are kept over ``"time"`` (s), by name; empty arrays of a run
        that was not made. The file is looked at once, by the first call."""
        self.row(index)
        return self._series.of_run(index)

    @cached_property
    def _series(self) -> _pliant.StudySeries:
        if self.folder is None or not self.study.series:
            help = 'series = ["…"] in the study names channels; run_one(index) has all of a run'
            raise ResultError("the study keeps no series", help=help)
        return _pliant.StudySeries.open(self.folder)

    def __getstate__(self) -> dict[str, Any]:
        # an open file stays in its process
        return {name: one for name, one in self.__dict__.items() if name != "_series"}

    def scenario(self, index: int) -> Scenario:
        """The scenario of a run, also of a trial of an optimisation: ``scenario(index).run()`` has
        the figures of its row. Raises as :meth:`Study.scenario`."""
        row, study = self.row(index), self.study
        trial = [row[one.name] for one in study.parameters] if study.optimises else None
        scenario: Scenario = study._checked.scenario(index, trial)
        return scenario

    @property
    def best(self) -> list[OptimalTrial]:
        """The best trial of an optimisation, or the front of two figures, from the best of the first
        to the best of the second; empty where no trial keeps all constraints, and of a sweep."""
        optimum = self.summary.get("optimum", {"goals": [], "best": []})
        names = [goal["name"] for goal in optimum["goals"]]
        return [
            OptimalTrial(
                trial["index"],
                dict(trial["parameters"]),
                dict(zip(names, trial["goals"], strict=True)),
                {text: slack for text, slack in trial["constraints"]},
            )
            for trial in optimum["best"]
        ]

    def __getitem__(self, name: str) -> NDArray[Any]:
        found = self._read[2].get(name)
        if found is None:
            raise KeyError(_unknown(name, self.names, "column"))
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._read[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read[1])

    def __len__(self) -> int:
        return int(self.summary["rows"])

    @property
    def statuses(self) -> dict[str, int]:
        """How many runs ended in which way: completed, stopped, failed, refused, excluded, …"""
        return dict(self.summary["statuses"])

    @property
    def missing(self) -> dict[str, int]:
        """How many of the runs that ended have no number as a figure, such as a settling time where
        nothing came to rest; figures that all of them have are left out. What the summary says of a
        figure, its range and its Sobol indices, is of the others."""
        ranges = self.summary["figures"]
        return {one["name"]: one["missing"] for one in ranges if one.get("missing", 0) > 0}

    @property
    def sobol(self) -> dict[str, dict[str, SobolIndex]]:
        """Sobol indices of each figure and parameter, of studies whose design is sensitivity:
        ``result.sobol["tip.settling_time"]["payload"].total``."""
        all: dict[str, dict[str, SobolIndex]] = {}
        for one in self.summary.get("sensitivities", []):
            (first, *first_range), (total, *total_range) = one["first"], one["total"]
            index = SobolIndex(
                first, (first_range[0], first_range[1]), total, (total_range[0], total_range[1])
            )
            all.setdefault(one["figure"], {})[one["parameter"]] = index
        return all

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame with the index of the run as index; units are in ``attrs``."""
        import pandas

        frame = pandas.DataFrame(self.table()).set_index("index")
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        import polars

        table = self.table()
        return polars.DataFrame({k: v.tolist() if v.dtype == object else v for k, v in table.items()})

    def to_pyarrow(self) -> pyarrow.Table:
        """A pyarrow table, read from the bytes of ``table.parquet``; units are in its metadata."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(BytesIO(self.parquet))

    def __repr__(self) -> str:
        ended = ", ".join(f"{count} {how}" for how, count in self.statuses.items())
        without = "".join(f", {count} without {name}" for name, count in [*self.missing.items()][:3])
        if len(self.missing) > 3:
            without += f" and {len(self.missing) - 3} more figures"
        where = "" if self.folder is None else f", in {self.folder}"
        return f"<pliant.StudyResult: {ended}{without}, {len(self.names)} columns{where}>"
