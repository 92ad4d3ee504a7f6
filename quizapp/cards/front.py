"""The front matter of one card file as values; what the file does not say is ``None``.

A card's machine data may be spread over its two language files, so a file's own share of it
must be told from the defaults.  Each field says how the two shares become one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from quizapp.cards.model import Lang


class Share(StrEnum):
    """How the values of both language files become one."""

    AGREE = "agree"
    """Given in one file or the same in both."""
    JOIN = "join"
    """Wordings of both files together."""
    WORDS = "words"
    """Each file's own, in its language; the other's only if it has none."""
    BY_ID = "by id"
    """Records under ids, each of them merged."""


def _agree() -> Any:
    return field(default=None, metadata={"share": Share.AGREE})


def _join() -> Any:
    return field(default=(), metadata={"share": Share.JOIN})


def _words() -> Any:
    return field(default=None, metadata={"share": Share.WORDS})


def _by_id() -> Any:
    return field(default_factory=dict, metadata={"share": Share.BY_ID})


@dataclass(frozen=True, slots=True)
class PartData:
    """What a file says of one part of a point."""

    accept: tuple[tuple[str, ...], ...] = _join()
    reject: tuple[str, ...] = _join()
    say: tuple[str, ...] = _join()


@dataclass(frozen=True, slots=True)
class PointData:
    """What a file says of one point, besides its text."""

    weight: float | None = _agree()
    core: bool | None = _agree()
    needs: str | None = _agree()
    parts: Mapping[str, PartData] = _by_id()


@dataclass(frozen=True, slots=True)
class FalseData:
    """What a file says of one common false statement."""

    text: str | None = _words()
    against: tuple[str, ...] | None = _agree()
    match: tuple[tuple[str, ...], ...] = _join()
    reject: tuple[str, ...] = _join()
    say: tuple[str, ...] = _join()


@dataclass(frozen=True, slots=True)
class VariableData:
    """What a file says of one variable of a calculation."""

    unit: str | None = _agree()
    choices: tuple[float, ...] | None = _agree()


@dataclass(frozen=True, slots=True)
class SlipData:
    """What a file says of one slip; its formula is its id."""

    means: str | None = _words()


@dataclass(frozen=True, slots=True)
class CalculationData:
    """What a file says of one hand calculation."""

    ask: str | None = _words()
    formula: str | None = _agree()
    unit: str | None = _agree()
    tolerance: float | None = _agree()
    variables: Mapping[str, VariableData] = _by_id()
    solution: str | None = _words()
    slips: Mapping[str, SlipData] = _by_id()


@dataclass(frozen=True, slots=True)
class ClaimData:
    """What a file says of one claim."""

    says: str | None = _words()
    demo: str | None = _agree()
    holds: str | None = _agree()
    on: tuple[str, ...] | None = _agree()
    unmeasurable: str | None = _words()


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """All that stands between the ``---`` lines of a file."""

    id: str
    lang: Lang
    deck: str | None = _agree()
    tags: tuple[str, ...] | None = _words()
    after: tuple[str, ...] | None = _agree()
    points: Mapping[str, PointData] = _by_id()
    false: Mapping[str, FalseData] = _by_id()
    calculations: Mapping[str, CalculationData] = _by_id()
    claims: Mapping[str, ClaimData] = _by_id()
