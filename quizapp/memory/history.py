"""The log with what the scheduler knew at each review: the ground of all statistics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from quizapp.memory.days import elapsed_days
from quizapp.memory.model import Rating, Review, Schedule
from quizapp.memory.schedule import ScheduleSettings, advance, retrievability

MATURE_DAYS = 21
"""A prompt is mature when its last interval was that long; Anki's boundary, to compare with."""


@dataclass(frozen=True, slots=True)
class Event:
    """A review and the state it found."""

    review: Review
    day: date
    """Its study day."""
    elapsed: int | None
    """Study days since the prompt's review before; ``None`` if it was the first."""
    interval: int
    """Days for which the review before had scheduled it; 0 if learning or new."""
    predicted: float | None
    """FSRS's probability of recall; ``None`` at the first review."""
    lapse: bool
    """It was Again on a prompt that had been learned."""

    @property
    def passed(self) -> bool:
        """Whether the prompt was recalled: FSRS counts Hard as recalled."""
        return self.review.rating != Rating.AGAIN

    @property
    def tests_memory(self) -> bool:
        """Whether at least a night lies before it, so that it says something of retention."""
        return bool(self.elapsed)

    @property
    def mature(self) -> bool:
        """Whether the prompt was mature when it was asked."""
        return self.interval >= MATURE_DAYS


def walk(reviews: Iterable[Review], settings: ScheduleSettings) -> list[Event]:
    """Return an event for every review, in the order of the log; undone reviews left out."""
    schedules: dict[str, Schedule] = {}
    events: list[Event] = []
    for review in reviews:
        before = schedules.get(review.prompt)
        after = advance(before, review, settings)
        schedules[review.prompt] = after
        events.append(_event(review, before, after, settings))
    return events


def _event(
    review: Review, before: Schedule | None, after: Schedule, settings: ScheduleSettings
) -> Event:
    if before is None:
        return Event(review, after.last, None, 0, None, lapse=False)
    return Event(
        review,
        day=after.last,
        elapsed=elapsed_days(before.last, after.last),
        interval=(before.due - before.last).days,
        predicted=retrievability(before, after.last, settings),
        lapse=after.lapses > before.lapses,
    )
