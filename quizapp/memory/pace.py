"""How long a review takes, from the user's own log: a load is minutes and not a number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from quizapp.memory.history import Event

LONGEST = 600.0
"""Seconds; a review that took longer was an interruption, and counts as that long."""
ENOUGH = 5
"""Timed reviews of a sort from which its median is taken."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Typical seconds of one review; the defaults hold until the log knows better."""

    new: float = 150.0
    passed: float = 45.0
    failed: float = 90.0
    """With what it takes to read the answer again."""

    def expected(self, recall: float) -> float:
        """Return the seconds of a review that is recalled with that probability."""
        return recall * self.passed + (1 - recall) * self.failed


def pace(events: Iterable[Event], default: Pace | None = None) -> Pace:
    """Return the median seconds of the timed reviews of each sort."""
    fallback = default or Pace()
    new: list[float] = []
    passed: list[float] = []
    failed: list[float] = []
    for event in events:
        if event.review.seconds > 0:
            sort = new if event.elapsed is None else passed if event.passed else failed
            sort.append(min(event.review.seconds, LONGEST))
    return Pace(
        _median(new, fallback.new),
        _median(passed, fallback.passed),
        _median(failed, fallback.failed),
    )


def _median(seconds: list[float], default: float) -> float:
    return median(seconds) if len(seconds) >= ENOUGH else default
