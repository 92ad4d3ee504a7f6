"""The values that scheduling speaks in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum


class Rating(IntEnum):
    """FSRS's four grades; the numbers are FSRS's own."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True)
class Memory:
    """FSRS's state of one prompt after its last review."""

    stability: float
    """Days until retrievability falls to 90 %."""
    difficulty: float
    """1 to 10."""


@dataclass(frozen=True, slots=True)
class Review:
    """One review of one prompt, as the log tells it."""

    prompt: str
    """The prompt's key, ``card/id``."""
    at: datetime
    """Time-zone aware, UTC."""
    rating: Rating
    seconds: float = 0.0
    """Time taken; for the statistics, the schedule does not look at it."""
    score: float | None = None
    """Recall score, 0 to 1; ``None`` if the answer was only rated."""
    missed: tuple[str, ...] = ()
    """Ids of the points that got no credit."""
    misled: bool = False
    """The user was sure and wrong: worse than not knowing, and soon to be asked again."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A prompt's memory and when it is due; a function of its reviews and the settings."""

    prompt: str
    memory: Memory
    last: date
    """Study day of the last review."""
    due: date
    """Study day on which the prompt is due; equal to ``last`` after Again, and only then."""
    reviews: int
    lapses: int
    """How often Again was given to what had been learned before that day."""
