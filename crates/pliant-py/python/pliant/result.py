"""Results of runs: channels by name as arrays, and what became of the run."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant import _pliant, pages
from pliant.errors import ResultError

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas
    import polars
    import pyarrow

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Channel:
    """What is recorded over time."""

    name: str
    """Its key in a result."""
    unit: str
    """Of its values."""
    role: str
    """What it is: position, velocity, command, …"""


@dataclass(frozen=True)
class EventRecord:
    """An event that occurred."""

    time: float
    """(s)."""
    name: str
    """Of the event, or of the coordinate at its limit."""
    what: str
    """What happened, in words."""
    value: float
    """Of the quantity, or of the coordinate at its limit."""


class Result:
    """A run: ``result["upper"]`` is a channel over ``result.time``.

    Arrays are views of one block of memory, read-only.
    """

    def __init__(
        self,
        *,
        summary_text: str | None,
        channels_text: str,
        columns: Sequence[str],
        time: Array,
        values: Array,
        scenario: str,
        folder: str | os.PathLike[str] | None,
        why: str | None = None,
        warnings: Sequence[str] | None = None,
    ) -> None:
        self._summary_text = summary_text
        self._channels_text = channels_text
        self._columns = list(columns)
        self.time = time
        """The times of the rows (s), shape (rows,)."""
        self.values = values
        """All channels, shape (rows, channels)."""
        self.time.flags.writeable = False
        self.values.flags.writeable = False
        self.scenario = scenario
        """The text of the scenario as it was run."""
        self.folder = None if folder is None else Path(folder)
        """Where its files are, if it has any."""
        told = json.loads(channels_text)
        self.channels = tuple(
            Channel(name, one["unit"], one["role"]) for name, one in _named(told)
        )
        """What was recorded."""
        self._index = {channel.name: k for k, channel in enumerate(self.channels)}
        self.summary: dict[str, Any] = {} if summary_text is None else json.loads(summary_text)
        """What ``summary.json`` says: how it ended, what it took, drifts, tracking, extremes."""
        # as a program is told, where the summary speaks of keys of files
        self._why, self._warnings = why, warnings

    @property
    def names(self) -> list[str]:
        """The names of the channels."""
        return [channel.name for channel in self.channels]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each channel."""
        return {channel.name: channel.unit for channel in self.channels}

    @property
    def status(self) -> str:
        """``"completed"``, ``"stopped"`` by an event, ``"failed"``, ``"interrupted"``, or
        ``"unknown"`` where a run was killed."""
        status: str = self.summary.get("ended", {}).get("how", "unknown")
        return status

    @property
    def why(self) -> str | None:
        """Why it ended, if not at its end."""
        why: str | None = self.summary.get("ended", {}).get("why")
        return self._why or why

    @property
    def end_time(self) -> float:
        """When it ended (s)."""
        ended = self.summary.get("ended", {}).get("at")
        return float(ended if ended is not None else self.time[-1] if len(self.time) else 0.0)

    @property
    def warnings(self) -> list[str]:
        """What is doubtful."""
        return list(self.summary.get("warnings", []) if self._warnings is None else self._warnings)

    @property
    def events(self) -> list[EventRecord]:
        """The events that occurred, in order."""
        return [
            EventRecord(float(one["time"]), one["name"], one["what"], float(one["value"]))
            for one in self.summary.get("events", [])
        ]

    def __getitem__(self, name: str) -> Array:
        index = self._index.get(name)
        if index is None:
            raise KeyError(_unknown(name, self.names))
        channel: Array = self.values[:, index]
        return channel

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self.time)

    def select(self, *patterns: str) -> list[str]:
        """The names of channels that fit patterns with stars, ``"*.position.x"``."""
        return [n for n in self.names if any(fnmatchcase(n, pattern) for pattern in patterns)]

    def __repr__(self) -> str:
        where = "" if self.folder is None else f", in {self.folder}"
        return (
            f"<pliant.Result: {self.status} at t = {self.end_time:g} s, "
            f"{len(self)} rows of {len(self.channels)} channels{where}>"
        )

    # -- tables

    def _table(self) -> dict[str, Array]:
        table = {"t [s]": self.time}
        for column, channel in zip(self._columns, self.channels, strict=True):
            table[column] = self[channel.name]
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame with the time (s) as index and a column for each channel."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=self.names, copy=False)
        frame.index = pandas.Index(self.time, name="time")
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame: the time (s) and a column for each channel."""
        import polars

        columns = {"time": self.time, **{name: self[name] for name in self.names}}
        return polars.DataFrame({k: np.ascontiguousarray(v) for k, v in columns.items()})

    def to_pyarrow(self) -> pyarrow.Table:
        """A pyarrow table with the columns of ``result.parquet``: names with their units."""
        import pyarrow

        columns = self._table()
        kind = pyarrow.float64()
        schema = pyarrow.schema([pyarrow.field(k, kind, nullable=False) for k in columns])
        arrays = [pyarrow.array(np.ascontiguousarray(v), kind) for v in columns.values()]
        return pyarrow.Table.from_arrays(arrays, schema=schema)

    # -- files

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes it into a folder, with the bytes of a run into it."""
        if self._summary_text is None:
            raise ResultError("the run was killed and has no summary", help="run it again")
        _pliant.save_result(
            folder,
            force,
            self._summary_text,
            self._channels_text,
            self.time,
            self.values,
            self.scenario,
        )

    def page(self) -> str:
        """The report as one HTML page, with the arm in 3-D and plots."""
        if self.folder is not None:
            return _pliant.report_page([self.folder])
        with tempfile.TemporaryDirectory() as folder:
            # the page is called after it
            place = Path(folder) / str(self.summary.get("more", {}).get("arm", "run"))
            self.save(place)
            return _pliant.report_page([place])

    def _repr_html_(self) -> str:
        return pages.frame(self.page(), "report of a run")

    def show(self) -> None:
        """Shows the report: in a notebook below the cell, elsewhere in the browser."""
        pages.show(self.page(), "report of a run")

    def plot(self, *names: str, **options: Any) -> matplotlib.figure.Figure:
        """Draws channels over time with matplotlib, in the style of ``pliant plot``.

        names: channels, or patterns with stars; without any the coordinates. Channels of one unit
        share a panel.
        """
        from pliant.plotting import plot

        return plot(self, *names, **options)

    # -- pickling

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for derived in ("channels", "_index", "summary"):
            del state[derived]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            summary_text=state["_summary_text"],
            channels_text=state["_channels_text"],
            columns=state["_columns"],
            time=state["time"],
            values=state["values"],
            scenario=state["scenario"],
            folder=state["folder"],
            why=state["_why"],
            warnings=state["_warnings"],
        )


def load_result(path: str | os.PathLike[str]) -> Result:
    """Opens the folder of a run, also of one that was killed."""
    return Result(**_pliant.load_result(path))


def _named(told: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in told:
        yield one["name"], one


def _unknown(name: str, known: Sequence[str], what: str = "channel") -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), known, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else f"; there are {', '.join(known)}"
    return f"no {what} {name!r}{hint}"
