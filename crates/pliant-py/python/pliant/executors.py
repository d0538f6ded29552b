"""The runs of a study on an executor: chunk by chunk, none lost, none twice.

Chunks have as many runs as take about two seconds, by the time of those before. Twice as many as
there are workers are on their way, so that none waits and a study of a million runs is no million
futures. Rows come back as bytes of a Parquet file that knows its study, its version and its
checksum; they are on the disk before the next chunk is looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from pliant._pliant import StudyJournal, __version__
from pliant.chunks import Rows
from pliant.engines import Engine
from pliant.errors import ExecutorError, PliantError

CHUNK = 2.0
"""How long the runs of a chunk should take (s)."""

LONGEST = 2.0 * CHUNK
"""A chunk ends after so long (s) in any case, where a run does not last longer."""

MOST_RUNS = 8192
"""A chunk has at most so many runs, which take a few megabytes."""

FIRST_RUNS = 4
"""The first chunks have so many, before it is known how long they take."""

AHEAD = 2
"""So many chunks for each worker are on their way."""

TRIES = 4
"""A chunk is lost at most so often with its worker."""

SAME = f"see that pliant {__version__} is installed where the workers are; then go on with resume=True"

AGAIN = "make a new one, and go on with resume=True"

OFTEN = 0.1
"""How often it is looked whether to stop (s)."""


@dataclass(frozen=True)
class Chunk:
    """Runs that are to be done, from ``first`` to before ``end``."""

    first: int
    end: int
    has_text: bool = False
    """Whether the study goes with it in any case."""
    losses: int = 0
    """How often it was lost."""


class Drive:
    """A study on its way."""

    def __init__(self, journal: StudyJournal, every: int, engine: Engine) -> None:
        self.journal, self.every, self.engine = journal, every, engine
        self.before = self.done = journal.done
        self.waiting = deque(Chunk(first, end) for first, end in journal.missing())
        self.flying: dict[int, tuple[Chunk, int, Any]] = {}
        self.arrived: SimpleQueue[int] = SimpleQueue()
        self.numbers = count()
        self.seconds_per_run: float | None = None
        self.reasons: list[str] = []

    def run(self, watch: Callable[[float, float, int], None]) -> list[str]:
        """Does all that is missing; gives warnings of what was lost meanwhile. ``watch`` is told how
        many runs are done, how many there are, how many were done before, and may raise."""
        try:
            while self.waiting or self.flying:
                watch(self.done, self.every, self.before)
                self.fill()
                try:
                    number = self.arrived.get(timeout=OFTEN)
                except Empty:
                    continue
                chunk, generation, future = self.flying.pop(number)
                try:
                    rows: Rows | None = future.result()
                except Exception as error:
                    # Ctrl-C kills the workers of a pool too
                    watch(self.done, self.every, self.before)
                    self.failed(chunk, generation, error)
                else:
                    self.take(chunk, rows)
                finally:
                    self.engine.forget(future)
            watch(self.done, self.every, self.before)
        except BaseException:
            self.leave()
            raise
        if not self.reasons:
            return []
        count = len(self.reasons)
        lost = "a chunk was" if count == 1 else f"{count} chunks were"
        return [f"{lost} lost with a worker and done again: {self.reasons[-1]}"]

    def fill(self) -> None:
        """Submits chunks, as many as should be on their way."""
        try:
            workers = self.engine.workers()
        except PliantError:
            raise
        except Exception as error:
            raise ExecutorError(
                f"the executor does not answer: {told(error)}", help=AGAIN
            ) from error
        while self.waiting and len(self.flying) < AHEAD * workers:
            chunk = self.next(workers)
            generation = self.engine.generation
            try:
                future = self.engine.submit(chunk.first, chunk.end, LONGEST, chunk.has_text)
            except PliantError:
                raise
            except Exception as error:
                if not self.engine.is_lost(error):
                    raise ExecutorError(
                        f"the executor takes no work: {told(error)}", help=AGAIN
                    ) from error
                self.failed(chunk, generation, error)
                return
            number = next(self.numbers)
            self.flying[number] = chunk, generation, future
            future.add_done_callback(lambda _, number=number: self.arrived.put(number))

    def next(self, workers: int) -> Chunk:
        """The next chunk; towards the end they get smaller, so that no worker waits long."""
        left = self.every - self.done
        left -= sum(chunk.end - chunk.first for chunk, _, _ in self.flying.values())
        wished = FIRST_RUNS
        if self.seconds_per_run is not None:
            wished = int(min(CHUNK / max(self.seconds_per_run, 1e-9), MOST_RUNS))
        wished = max(min(wished, -(-left // (2 * workers))), 1)
        chunk = self.waiting.popleft()
        if chunk.end - chunk.first <= wished:
            return chunk
        self.waiting.appendleft(replace(chunk, first=chunk.first + wished))
        return replace(chunk, end=chunk.first + wished)

    def take(self, chunk: Chunk, rows: Rows | None) -> None:
        """Writes down what a worker has brought; the rest of its chunk is done again."""
        if rows is None:
            self.waiting.appendleft(replace(chunk, has_text=True))
            return
        try:
            first, end, content, seconds = rows
        except (TypeError, ValueError) as error:
            raise ExecutorError(
                f"a worker brought {type(rows).__name__} instead of rows", help=SAME
            ) from error
        if end < chunk.end:
            self.waiting.appendleft(replace(chunk, first=end))
        if end > first:
            self.journal.accept(first, end, content)
            self.done = self.journal.done
            now, known = seconds / (end - first), self.seconds_per_run
            self.seconds_per_run = now if known is None else 0.5 * (known + now)

    def failed(self, chunk: Chunk, generation: int, error: Exception) -> None:
        """A chunk that brought nothing: its worker is gone, or its work went wrong."""
        reason = told(error)
        runs = f"the runs {chunk.first} to {chunk.end - 1}"
        if not self.engine.is_lost(error):
            raise ExecutorError(
                f"a worker could not do {runs}: {reason}",
                help=SAME,
            ) from error
        self.engine.renew(generation, reason)
        if chunk.losses + 1 >= TRIES:
            raise ExecutorError(
                f"{runs} were lost {TRIES} times with their worker: {reason}",
                help="see why workers die (often memory), then go on with resume=True",
            ) from error
        self.reasons.append(reason)
        self.waiting.appendleft(replace(chunk, losses=chunk.losses + 1))

    def leave(self) -> None:
        """Keeps what is there already, and calls the rest off."""
        for chunk, _, future in self.flying.values():
            try:
                if future.done():
                    self.take(chunk, future.result())
                else:
                    future.cancel()
            except Exception:
                # what ended the study is told, not what came after it
                continue
            finally:
                self.engine.forget(future)
        self.flying.clear()


def told(error: BaseException) -> str:
    """An error in a line."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException):
        error = cause
    lines = str(error).strip().splitlines()
    name = type(error).__name__
    return f"{name}: {lines[0]}" if lines else name
