"""What the coming days will ask, and how well the prompts are known today."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from quizapp.memory import fsrs
from quizapp.memory.model import Memory, Rating, Schedule
from quizapp.memory.pace import Pace
from quizapp.memory.schedule import ScheduleSettings, is_due, retrievability

NEGLIGIBLE = 0.002
"""A course of events less probable than that is not followed."""


@dataclass(frozen=True, slots=True)
class DayLoad:
    """What a day is expected to ask, if every day before is done and nothing new is learned."""

    day: date
    due: int
    """Prompts due by their schedules as they stand; overdue ones are due today."""
    expected: float
    """Those, and the ones that come back after reviews until then, with their probability."""
    minutes: float
    """For the expected ones, forgotten ones at the pace of forgotten ones."""


def forecast(
    schedules: Iterable[Schedule],
    today: date,
    days: int,
    settings: ScheduleSettings,
    pace: Pace,
) -> tuple[DayLoad, ...]:
    """Return the load of today and the days after it."""
    course = _Course(days, settings, pace)
    for schedule in schedules:
        ahead = 0 if is_due(schedule, today) else (schedule.due - today).days
        if ahead < days:
            course.due[ahead] += 1
            elapsed = max(0, (today - schedule.last).days + ahead)
            course.follow(schedule.memory, elapsed, ahead, 1.0)
    return tuple(
        DayLoad(
            today + timedelta(days=ahead),
            course.due[ahead],
            course.expected[ahead],
            course.seconds[ahead] / 60,
        )
        for ahead in range(days)
    )


def retrievability_histogram(
    schedules: Iterable[Schedule], day: date, settings: ScheduleSettings, bins: int = 10
) -> tuple[int, ...]:
    """Return how many prompts are recalled with which probability, in equal bins from 0 to 1."""
    counts = [0] * bins
    for schedule in schedules:
        recall = retrievability(schedule, day, settings)
        counts[min(int(recall * bins), bins - 1)] += 1
    return tuple(counts)


def expected_known(schedules: Iterable[Schedule], day: date, settings: ScheduleSettings) -> float:
    """Return how many of the prompts would be recalled on a day, if asked all at once."""
    return sum(retrievability(schedule, day, settings) for schedule in schedules)


class _Course:
    """Adds up the days' loads over the likely courses of events."""

    def __init__(self, days: int, settings: ScheduleSettings, pace: Pace) -> None:
        self.due = [0] * days
        self.expected = [0.0] * days
        self.seconds = [0.0] * days
        self._settings = settings
        self._pace = pace

    def follow(self, memory: Memory, elapsed: int, ahead: int, chance: float) -> None:
        """Add a review ``ahead`` days from today, and those that come of it."""
        weights = self._settings.weights
        recall = fsrs.retrievability(memory, elapsed, weights)
        self.expected[ahead] += chance
        self.seconds[ahead] += chance * self._pace.expected(recall)
        passed = fsrs.next_memory(memory, elapsed, Rating.GOOD, weights)
        self._after(passed, ahead, chance * recall)
        failed = fsrs.next_memory(memory, elapsed, Rating.AGAIN, weights)
        relearned = fsrs.next_memory(failed, 0, Rating.GOOD, weights)
        self._after(relearned, ahead, chance * (1 - recall))

    def _after(self, memory: Memory, ahead: int, chance: float) -> None:
        settings = self._settings
        ideal = fsrs.interval(memory.stability, settings.desired_retention, settings.weights)
        days = min(max(round(ideal), 1), settings.maximum_interval)
        if ahead + days < len(self.expected) and chance >= NEGLIGIBLE:
            self.follow(memory, days, ahead + days, chance)
