"""The exceptions of pliant: what is wrong, and what would be right."""

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class PliantError(Exception):
    """What pliant raises; each has its remedy in ``help``, or ``None``."""

    def __init__(self, message: str, *, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.help is None else f"{message}; {self.help}"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file, or doubtful about it."""

    severity: str
    """``"error"`` or ``"warning"``."""
    code: str
    """Which kind of fault; ``pliant explain CODE`` prints its page."""
    message: str
    """What is wrong, with the value seen."""
    line: int | None
    """The line of the file, counted from 1."""
    help: str | None
    """How to mend it."""


class FileError(PliantError):
    """An arm or scenario file that cannot be used.

    The message shows every problem with its line, as the command ``pliant`` prints it.
    """

    def __init__(
        self, message: str, *, help: str | None = None, problems: Sequence[Problem] = ()
    ) -> None:
        super().__init__(message, help=help)
        self.problems = list(problems)

    def __str__(self) -> str:
        return Exception.__str__(self)


class BuildError(PliantError):
    """A description that is no arm."""


class ArgumentError(PliantError, ValueError):
    """A number, a name or a word that a call cannot use."""


class ShapeError(ArgumentError):
    """An array of the wrong shape."""


class DtypeError(ArgumentError, TypeError):
    """An array of the wrong dtype, or no array at all."""


class DynamicsError(PliantError, ArithmeticError):
    """What has no answer, such as the accelerations of an arm without inertia."""


class ScenarioError(PliantError):
    """A scenario that cannot be run; the message names every fault with its place."""


class ResultError(PliantError):
    """Results that cannot be read or written."""


class RunError(PliantError):
    """A run that did not end well; its rows up to there are in ``result``.

    An exception of a Python function or object is its ``__cause__``.
    """

    def __init__(self, message: str, *, help: str | None = None, result: Any = None) -> None:
        super().__init__(message, help=help)
        self.result = result


class RunInterrupted(KeyboardInterrupt):
    """A run that Ctrl-C stopped; its rows up to there are in ``result``."""

    def __init__(self, message: str, *, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class ExecutorError(PliantError):
    """An executor that is not there, or whose workers fail. What is done of the study is kept in
    ``folder``, if there is one."""

    def __init__(self, message: str, *, help: str | None = None, folder: Any = None) -> None:
        super().__init__(message, help=help)
        self.folder = folder


class StudyInterrupted(KeyboardInterrupt):
    """A study that Ctrl-C stopped; what is done of it is kept in ``folder``."""

    def __init__(self, message: str, *, folder: Any = None) -> None:
        super().__init__(message)
        self.folder = folder


class PliantWarning(UserWarning):
    """Something doubtful about a scenario or a run."""


def _warn(messages: Sequence[str]) -> None:
    """Warns at the line outside of the package that led here."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "pliant":
        level, frame = level + 1, frame.f_back
    for message in messages:
        warnings.warn(message, PliantWarning, stacklevel=level)
