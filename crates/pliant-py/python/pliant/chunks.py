"""What workers do: some runs of a study, in any process on any machine."""

from __future__ import annotations

import time
from typing import TypeAlias

from pliant._pliant import CheckedStudy

Rows: TypeAlias = tuple[int, int, bytes, float]
"""The first run, the one behind the last, their rows as a Parquet file, how long they took (s)."""

KEPT = 4
"""A process remembers so many studies."""

_known: dict[str, CheckedStudy] = {}


def work(identity: str, text: str | None, first: int, end: int, longest: float) -> Rows | None:
    """Does the runs from ``first`` to before ``end``; after ``longest`` (s) the rest is left.

    ``None`` where this process has not met the study before, and no text says what it is.
    """
    study = _known.get(identity)
    if study is None:
        if text is None:
            return None
        study = CheckedStudy.parse(text, ".", None)
        if identity.startswith("dry-"):
            study = study.dry()
        while len(_known) >= KEPT:
            _known.pop(next(iter(_known)), None)
        _known[identity] = study
    begun = time.monotonic()
    return *study.run_chunk(first, end, longest), time.monotonic() - begun
