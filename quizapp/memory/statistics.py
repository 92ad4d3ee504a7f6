"""What the log shows: retention, streak, time, reviews a day, how scores were kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise

from quizapp.memory.history import Event
from quizapp.memory.rating import ROUNDING, Thresholds

_DAY = timedelta(days=1)


class Period(StrEnum):
    """What a figure is gathered over."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    def start(self, day: date) -> date:
        """Return the first day of the period a day lies in; weeks begin on Monday."""
        if self is Period.MONTH:
            return day.replace(day=1)
        return day - timedelta(days=day.weekday()) if self is Period.WEEK else day


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    passed: int
    total: int

    @property
    def rate(self) -> float | None:
        """The share; ``None`` of nothing."""
        return self.passed / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Retention:
    """True retention of a period: how often memory held when it was tested."""

    young: Share
    mature: Share

    @property
    def all(self) -> Share:
        """Both together."""
        return Share(self.young.passed + self.mature.passed, self.young.total + self.mature.total)


def retention(events: Iterable[Event]) -> Retention:
    """Return the true retention: first answers of a day, prompts known before that day.

    First reviews and repetitions within the day test no memory of the past and are left out.
    """
    tested = [event for event in events if event.tests_memory]
    return Retention(
        young=_share(event for event in tested if not event.mature),
        mature=_share(event for event in tested if event.mature),
    )


def retention_over_time(events: Iterable[Event], period: Period) -> dict[date, Retention]:
    """Return the true retention of each period with a tested memory, by its first day."""
    tested = (event for event in events if event.tests_memory)
    groups = _grouped(tested, lambda event: period.start(event.day))
    return {start: retention(groups[start]) for start in sorted(groups)}


@dataclass(frozen=True, slots=True)
class Streak:
    """Study days in a row."""

    current: int
    """Up to today, or to yesterday as long as today can still be added."""
    longest: int
    today: bool
    """Whether today has been added."""


def streak(days: Collection[date], today: date) -> Streak:
    """Return the streak over the study days with a review; days to come do not count."""
    studied = sorted(day for day in set(days) if day <= today)
    longest = run = 0
    previous: date | None = None
    for day in studied:
        run = run + 1 if previous is not None and day - previous == _DAY else 1
        longest, previous = max(longest, run), day
    alive = previous is not None and today - previous <= _DAY
    return Streak(run if alive else 0, longest, previous == today)


@dataclass(frozen=True, slots=True)
class DayTotal:
    """A study day's work."""

    reviews: int
    new: int
    """Of them, first reviews of a prompt."""
    seconds: float


def day_totals(events: Iterable[Event]) -> dict[date, DayTotal]:
    """Return the work of each study day with a review: the heat map and the time spent."""
    groups = _grouped(events, lambda event: event.day)
    return {day: _total(groups[day]) for day in sorted(groups)}


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """The answers whose recall score lies in a band, and what became of them."""

    low: float
    high: float
    """The band holds ``low`` and not ``high``; the last one holds 1."""
    answers: int
    next_time: Share
    """How many of them were recalled at the next review on a later day."""


def score_bands(events: Sequence[Event], thresholds: Thresholds) -> tuple[ScoreBand, ...]:
    """Return, for each of the rating's score bands, how well its answers were kept.

    This is how a user sees whether the score means anything: the bands should be kept better
    from left to right.
    """
    edges = (0.0, thresholds.again_below, thresholds.hard_below, thresholds.good_below, 1.0)
    following = _next_tests(events)
    answers: list[int] = [0, 0, 0, 0]
    kept: list[list[Event]] = [[], [], [], []]
    for event, later in zip(events, following, strict=True):
        if event.review.score is None:
            continue
        band = sum(event.review.score + ROUNDING >= edge for edge in edges[1:4])
        answers[band] += 1
        if later is not None:
            kept[band].append(later)
    return tuple(
        ScoreBand(low, high, number, _share(later))
        for (low, high), number, later in zip(pairwise(edges), answers, kept, strict=True)
    )


def _share(events: Iterable[Event]) -> Share:
    passed = [event.passed for event in events]
    return Share(sum(passed), len(passed))


def _total(events: list[Event]) -> DayTotal:
    # A clock that went back during an answer gives negative seconds; they are no time gained.
    seconds = sum(max(0.0, event.review.seconds) for event in events)
    return DayTotal(len(events), sum(event.elapsed is None for event in events), seconds)


def _grouped(events: Iterable[Event], key: Callable[[Event], date]) -> dict[date, list[Event]]:
    groups: dict[date, list[Event]] = {}
    for event in events:
        groups.setdefault(key(event), []).append(event)
    return groups


def _next_tests(events: Sequence[Event]) -> list[Event | None]:
    """Return, for each event, the next of its prompt that tests memory, if it comes next."""
    upcoming: dict[str, Event] = {}
    found: list[Event | None] = []
    for event in reversed(events):
        later = upcoming.get(event.review.prompt)
        found.append(later if later is not None and later.tests_memory else None)
        upcoming[event.review.prompt] = event
    return found[::-1]
