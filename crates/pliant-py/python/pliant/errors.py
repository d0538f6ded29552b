"""The exceptions of pliant: what is wrong, and what would be right."""

from collections.abc import Sequence
from dataclasses import dataclass


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
