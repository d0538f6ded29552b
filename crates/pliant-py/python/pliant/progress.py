"""How far a run is, on one line."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from pliant.pages import in_notebook

Progress: TypeAlias = Callable[[float, float, int], Any]

StudyProgress: TypeAlias = Callable[[int, int], Any]

PATIENCE = 2.0
"""Nothing is shown before this time (s)."""

OFTEN = 0.2
"""The time between two lines (s)."""

WIDTH = 30


class ProgressLine:
    """A bar on standard error, written over itself."""

    def __init__(self, stream: Any = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.start = time.monotonic()
        self.next = PATIENCE
        self.shown = 0

    def __call__(self, now: float, end: float, steps: int) -> None:
        self.show(now, end, 0.0, lambda _: f"t = {now:.3f} of {end:g} s, {steps} steps")

    def show(
        self, now: float, end: float, before: float, words: Callable[[float], str]
    ) -> None:
        """Writes the line, if it is time; its words are told the time since the start (s), and
        the time left follows from what is done since then."""
        elapsed = time.monotonic() - self.start
        if elapsed < self.next:
            return
        self.next = elapsed + OFTEN
        part = min(max(now / end, 0.0), 1.0) if end > 0 else 1.0
        left = elapsed * (end - now) / (now - before) if now > before else float("inf")
        full = int(part * WIDTH)
        bar = "█" * full + " " * (WIDTH - full)
        line = f"{100 * part:3.0f}% |{bar}| {words(elapsed)}, {_time(left)} left"
        self.stream.write("\r" + line.ljust(self.shown))
        self.stream.flush()
        self.shown = len(line)

    def close(self) -> None:
        """Removes the line."""
        if self.shown:
            self.stream.write("\r" + " " * self.shown + "\r")
            self.stream.flush()
            self.shown = 0


class StudyLine(ProgressLine):
    """The same of a study: runs done, all of them, and those that were done before."""

    def __call__(self, done: float, every: float, before: int) -> None:
        def words(elapsed: float) -> str:
            return f"{done:.0f} of {every:.0f} runs, {(done - before) / elapsed:.3g} runs/s"

        self.show(done, every, before, words)


def _time(seconds: float) -> str:
    if seconds == float("inf"):
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def progress_line(wanted: bool | Progress | None) -> Progress | None:
    """What to call with the progress of a run, if anything."""
    if callable(wanted):
        return wanted
    return ProgressLine() if is_shown(wanted) else None


def study_line(wanted: bool | StudyProgress | None) -> Progress | None:
    """What to call with the progress of a study, if anything."""
    if callable(wanted):
        told = wanted
        return lambda done, every, _: told(int(done), int(every))
    return StudyLine() if is_shown(wanted) else None


def is_shown(wanted: bool | None) -> bool:
    """Whether progress is shown; where nothing is said, in terminals and notebooks."""
    if wanted is None:
        return bool(sys.stderr is not None and (sys.stderr.isatty() or in_notebook()))
    return wanted


class Watch:
    """Looks after a run: shows its progress, and lets Ctrl-C end it between two steps.

    Ctrl-C is noted rather than raised, since it would else end a Python law in the middle of a
    tick, from where no run can go on. The second one is raised at once.
    """

    def __init__(self, line: Progress | None) -> None:
        self.line = line
        self.is_pressed = False
        self.before: Any = None

    def __enter__(self) -> Watch:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            self.before = signal.signal(signal.SIGINT, self.press)
        return self

    def __exit__(self, *_: object) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        close = getattr(self.line, "close", None)
        if close is not None:
            close()

    def press(self, number: int, frame: Any) -> None:
        """Ctrl-C."""
        if self.is_pressed:
            raise KeyboardInterrupt
        self.is_pressed = True

    def __call__(self, now: float, end: float, steps: int) -> None:
        if self.is_pressed:
            raise KeyboardInterrupt
        if self.line is not None:
            self.line(now, end, steps)
