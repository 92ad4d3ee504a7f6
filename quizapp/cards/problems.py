"""What is wrong with a card file, told so that its author can mend it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Severity(StrEnum):
    """How much a problem matters."""

    ERROR = "error"
    """Something is missing or contradicts itself; ``quizapp check`` fails."""
    WARNING = "warning"
    """The card works, and its author surely meant something else."""
    HINT = "hint"
    """The card works and could do more."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, where, and what to do about it."""

    path: str
    line: int
    """From 1."""
    message: str
    """What is wrong, without a full stop."""
    remedy: str
    """What to do, without a full stop; may be empty."""
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        """Return ``path:line: message. Remedy`` in one line."""
        text = f"{self.path}:{self.line}: {self.message}"
        whole = f"{text}. {self.remedy[0].upper()}{self.remedy[1:]}" if self.remedy else text
        return " ".join(whole.split())


class Report:
    """Collects the problems of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._problems: list[Problem] = []

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what was found, in the order of the lines."""
        return tuple(sorted(self._problems, key=lambda problem: problem.line))

    def error(self, line: int, message: str, remedy: str) -> None:
        """Note something that must be mended."""
        self._problems.append(Problem(self.path, line, message, remedy, Severity.ERROR))

    def warn(self, line: int, message: str, remedy: str) -> None:
        """Note something that was surely meant otherwise."""
        self._problems.append(Problem(self.path, line, message, remedy, Severity.WARNING))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like this one, or an empty string."""
    return next(iter(get_close_matches(word, sorted(known), n=1, cutoff=0.6)), "")
