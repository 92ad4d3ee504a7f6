"""From the log of reviews to due dates: the same log always gives the same dates.

What a rating does to the date:

* **Again**, and only Again, keeps the prompt on the same study day: it comes back later in
  the session (:mod:`quizapp.memory.queue` says when).  So ``due == last`` marks a prompt that
  is being learned or relearned, and nothing else does.
* **Hard, Good, Easy** send it to tomorrow at the earliest: FSRS's interval at the desired
  retention, at most the maximum interval, fuzzed.  Again ≤ Hard ≤ Good ≤ Easy always holds.

Fuzz keeps prompts that were learned together from coming back together for ever.  It draws
evenly from ``interval ± (1 + 5 %)`` days, rounded; intervals under 2.5 days are left alone.
Success must not bring a prompt back sooner than the last time: where the interval has grown
the draw stays above the last one, and where it has not (the last was fuzzed upwards) the draw
comes as near to the last one as its range allows.  The draw is a hash of the prompt's key and
its number of reviews: nothing global, nothing that differs between two replays.

A schedule is a function of the log *and* of the settings: after a change of settings the
schedules are rebuilt by :func:`replay`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import blake2b
from math import floor

from quizapp.memory import fsrs
from quizapp.memory.days import StudyCalendar, elapsed_days
from quizapp.memory.model import Memory, Rating, Review, Schedule

UNFUZZED_BELOW = 2.5
"""Days."""


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """What due dates depend on besides the reviews; ``ValueError`` when out of range."""

    desired_retention: float = 0.9
    """Retrievability at which a prompt comes due."""
    maximum_interval: int = 3650
    """Days."""
    calendar: StudyCalendar = field(default_factory=StudyCalendar)
    weights: tuple[float, ...] = fsrs.DEFAULT_WEIGHTS
    fuzz: bool = True

    def __post_init__(self) -> None:
        fsrs.check_retention(self.desired_retention)
        object.__setattr__(self, "weights", fsrs.check_weights(self.weights))
        if not 1 <= self.maximum_interval <= fsrs.STABILITY_RANGE[1]:
            raise ValueError(
                f"maximum interval is {self.maximum_interval} days; it must lie from 1 to 36500"
            )


@dataclass(frozen=True, slots=True)
class Preview:
    """What a rating would do to a prompt's due date."""

    days: int
    """From the study day of the review; 0 means later today."""
    due: date


def replay(reviews: Iterable[Review], settings: ScheduleSettings) -> dict[str, Schedule]:
    """Return the schedule of every prompt in the log, by its key.

    The reviews are taken in the order of the log, whatever their times say.
    """
    schedules: dict[str, Schedule] = {}
    for review in reviews:
        schedules[review.prompt] = advance(schedules.get(review.prompt), review, settings)
    return schedules


def advance(schedule: Schedule | None, review: Review, settings: ScheduleSettings) -> Schedule:
    """Return a prompt's schedule after one more review; ``None`` if it was its first."""
    if schedule is not None and schedule.prompt != review.prompt:
        raise ValueError(f"a review of {review.prompt} cannot advance {schedule.prompt}")
    day = settings.calendar.day(review.at)
    memory = _memory(schedule, day, review.rating, settings)
    days = _days(schedule, memory, review, settings)
    if review.misled or (review.rating != Rating.AGAIN and _is_for_tomorrow(schedule, day)):
        days = 1
    return Schedule(
        prompt=review.prompt,
        memory=memory,
        last=day,
        due=day + timedelta(days=days),
        reviews=(schedule.reviews if schedule else 0) + 1,
        lapses=(schedule.lapses if schedule else 0) + _is_lapse(schedule, day, review.rating),
    )


def preview(
    prompt: str, schedule: Schedule | None, now: datetime, settings: ScheduleSettings
) -> dict[Rating, Preview]:
    """Return what each rating, given now, would do: exactly what :func:`advance` will do."""
    outcomes: dict[Rating, Preview] = {}
    for rating in Rating:
        after = advance(schedule, Review(prompt, now, rating), settings)
        outcomes[rating] = Preview((after.due - after.last).days, after.due)
    return outcomes


def is_learning(schedule: Schedule) -> bool:
    """Tell whether the last rating was Again, so that the prompt is still to be (re)learned."""
    return schedule.due == schedule.last


def is_due(schedule: Schedule, day: date) -> bool:
    """Tell whether a prompt is due on a study day.

    A last review that lies more than a day ahead was logged by a wrong clock (one day ahead
    may be a flight westwards): the prompt is due, or it would be lost until that date.
    """
    return schedule.due <= day or (schedule.last - day).days > 1


def retrievability(schedule: Schedule, day: date, settings: ScheduleSettings) -> float:
    """Return the probability of recall on a study day."""
    return fsrs.retrievability(schedule.memory, elapsed_days(schedule.last, day), settings.weights)


def _memory(
    schedule: Schedule | None, day: date, rating: Rating, settings: ScheduleSettings
) -> Memory:
    if schedule is None:
        return fsrs.next_memory(None, 0, rating, settings.weights)
    elapsed = elapsed_days(schedule.last, day)
    return fsrs.next_memory(schedule.memory, elapsed, rating, settings.weights)


def _is_lapse(schedule: Schedule | None, day: date, rating: Rating) -> bool:
    """Again on what had been learned before the day.

    Failing again while relearning is the same lapse, and what is crammed and forgotten within
    a day had not been learned.
    """
    return (
        rating == Rating.AGAIN
        and schedule is not None
        and not is_learning(schedule)
        and schedule.last < day
    )


def _is_for_tomorrow(schedule: Schedule | None, day: date) -> bool:
    """Tell whether a prompt was reviewed today and set for tomorrow.

    Asked once more on the same day, it stays there: what is still in mind proves nothing.
    """
    return schedule is not None and schedule.last == day and schedule.due == day + timedelta(days=1)


def _days(
    schedule: Schedule | None, memory: Memory, review: Review, settings: ScheduleSettings
) -> int:
    if review.rating == Rating.AGAIN:
        return 0
    stability = memory.stability
    if schedule is None:
        # Fitted first stabilities need not rise with the rating; the dates must.
        stability = max(settings.weights[Rating.HARD - 1 : review.rating])
    ideal = fsrs.interval(stability, settings.desired_retention, settings.weights)
    previous = (schedule.due - schedule.last).days if schedule else 0
    low, high = fuzz_bounds(ideal, previous, settings.maximum_interval)
    if not settings.fuzz:
        return min(max(round(ideal), 1), settings.maximum_interval)
    reviews = schedule.reviews if schedule else 0
    return low + floor((high - low + 1) * _draw(review.prompt, reviews))


def fuzz_bounds(ideal: float, previous: int, maximum: int) -> tuple[int, int]:
    """Return the fewest and most days that an ideal interval may be fuzzed to.

    ``previous`` is the last interval in days, 0 if there was none.  Both bounds rise with
    ``ideal``, so that a longer interval never ends up the shorter one.
    """
    ideal = min(max(ideal, 1.0), float(maximum))
    spread = 1.0 + 0.05 * ideal if ideal >= UNFUZZED_BELOW else 0.0
    low, high = round(ideal - spread), round(ideal + spread)
    high = min(high, maximum)
    floor_days = previous + 1 if round(ideal) > previous else min(previous, high)
    return max(low, floor_days), high


def _draw(prompt: str, reviews: int) -> float:
    """Return a number from 0 up to 1 that this prompt always has at this review."""
    digest = blake2b(f"{prompt}#{reviews}".encode(), digest_size=6).digest()
    return int.from_bytes(digest) / (1 << 48)
