"""Today's queue: what is due, what is new, what waits, and in which order they are asked.

* **Due** prompts come in the order of retrievability, the weakest first.  All came due at the
  same desired retention, so the lower it is by now, the more overdue the prompt is *measured by
  its own memory*: a day late matters to a three-day memory and not to a three-year one.  With
  one decay for all, retrievability falls with t / S alone, and sorting by that needs no power.
* **New** prompts come in the order of cards and, on a card, in the order of study, its answer
  first; at most so many a day, those already learned today among them.  They are spread evenly
  among the due ones: behind them, a short session would never reach a new prompt.
* **Siblings** (prompts of one card) give each other away, so of each card one prompt a day is
  asked; the others follow when nothing else is left, in turns, card after card.
* **Learning** prompts were answered Again today and are still to be recalled; no limit holds
  them back.  :class:`quizapp.memory.session.Session` says when they return.

What the limits, a suspension or a prerequisite hold back is listed, and :func:`more` offers it.
Nothing here writes a date: planning twice, or not studying, moves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import chain
from operator import attrgetter

from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Review, Schedule
from quizapp.memory.schedule import is_due, is_learning
from quizapp.memory.spacing import apart, spread

_STUDY_ORDER = attrgetter("card_order", "position")
_card = attrgetter("card")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A prompt of the library, as far as the queue must know it."""

    key: str
    card: str
    position: int = 0
    """Its place on the card in the order of study; the answer is 0."""
    card_order: int = 0
    """The card's place in the library."""
    suspended: bool = False
    waits: bool = False
    """Its card is to be studied after one that is not learned yet (:func:`waiting_cards`)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a day may bring."""

    new_per_day: int = 10
    reviews_per_day: int = 200


@dataclass(frozen=True, slots=True)
class DoneToday:
    """What the study day has brought so far; each prompt counts once."""

    new: int = 0
    """Prompts reviewed today for the first time ever."""
    reviews: int = 0
    """Other prompts reviewed today."""
    cards: frozenset[str] = frozenset()
    """Cards of all of them."""


class Hold(StrEnum):
    """Why a prompt that could be asked is not in today's queue."""

    REVIEW_LIMIT = "review-limit"
    NEW_LIMIT = "new-limit"
    WAITS = "waits"
    """New, and its card comes after one that is not learned yet."""
    SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class Counts:
    """The figures of a plan or of what is left of a session."""

    due: int
    new: int
    learning: int

    @property
    def total(self) -> int:
        """All that is left to ask, each prompt once."""
        return self.due + self.new + self.learning


@dataclass(frozen=True, slots=True)
class Plan:
    """A study day's queue."""

    day: date
    due: tuple[str, ...]
    """Keys of the due prompts within the limit, one of each card first."""
    new: tuple[str, ...]
    """Keys of the new prompts within the limit, one of each card first."""
    learning: tuple[str, ...]
    """Keys of the prompts answered Again today."""
    order: tuple[str, ...]
    """``due`` and ``new`` in the order they are to be asked."""
    held_back: Mapping[Hold, tuple[str, ...]]
    """Keys by reason, in the order they would be asked; every reason is there."""

    @property
    def counts(self) -> Counts:
        """How many prompts today's queue has of each sort."""
        return Counts(len(self.due), len(self.new), len(self.learning))


def plan(
    prompts: Sequence[Candidate],
    schedules: Mapping[str, Schedule],
    day: date,
    limits: Limits,
    done: DoneToday,
) -> Plan:
    """Return the queue of a study day; ``schedules`` has an entry for every reviewed prompt.

    A key that stands twice in ``prompts`` is one prompt.
    """
    sorted_out = _sort_out(prompts, schedules, day)
    first, others = apart(sorted_out.due, _card, done.cards)
    due, due_over = _cut([*first, *others], limits.reviews_per_day - done.reviews)
    taken = {candidate.card for candidate in chain(due, sorted_out.learning)}
    new_first, new_others = apart(sorted_out.new, _card, done.cards | taken)
    new, new_over = _cut([*new_first, *new_others], limits.new_per_day - done.new)
    order = chain(
        spread(due[: len(first)], new[: len(new_first)]),
        due[len(first) :],
        new[len(new_first) :],
    )
    return Plan(
        day,
        due=_keys(due),
        new=_keys(new),
        learning=_keys(sorted_out.learning),
        order=_keys(order),
        held_back={
            Hold.REVIEW_LIMIT: _keys(due_over),
            Hold.NEW_LIMIT: _keys(new_over),
            Hold.WAITS: _keys(sorted_out.waiting),
            Hold.SUSPENDED: _keys(sorted_out.suspended),
        },
    )


def more(
    prompts: Sequence[Candidate],
    schedules: Mapping[str, Schedule],
    today: Plan,
    count: int,
    done: DoneToday,
) -> tuple[str, ...]:
    """Return what would come next, for a user who wants more than today's queue.

    First what is due beyond the limit, then what is due soonest (an early review is a real
    one: FSRS credits it for as little as it proves), then the new prompts beyond the limit,
    those that wait for another card last.  Never what was reviewed today already.
    """
    ahead = [
        candidate
        for candidate in prompts
        if not candidate.suspended
        and (schedule := schedules.get(candidate.key)) is not None
        and schedule.last != today.day
        and not is_due(schedule, today.day)
    ]
    ahead.sort(key=lambda candidate: _sooner(schedules[candidate.key], today.day))
    first, others = apart(ahead, _card, done.cards)
    held = today.held_back
    following = chain(
        held[Hold.REVIEW_LIMIT], _keys(first), _keys(others), held[Hold.NEW_LIMIT], held[Hold.WAITS]
    )
    return tuple(key for key, _ in zip(following, range(count), strict=False))


def done_today(
    reviews: Iterable[Review],
    schedules: Mapping[str, Schedule],
    day: date,
    calendar: StudyCalendar,
) -> DoneToday:
    """Return what the day has brought; ``reviews`` may hold other days' and no undone ones."""
    start, end = calendar.start(day), calendar.start(day + timedelta(days=1))
    today = Counter(review.prompt for review in reviews if start <= review.at < end)
    new = sum(key in schedules and schedules[key].reviews == times for key, times in today.items())
    cards = frozenset(key.rpartition("/")[0] for key in today)
    return DoneToday(new, len(today) - new, cards)


def waiting_cards(
    after: Mapping[str, Collection[str]], answers: Mapping[str, str], learned: Collection[str]
) -> frozenset[str]:
    """Return the cards whose prerequisites are not all learned.

    ``after`` gives the prerequisites of each card, ``answers`` the key of each card's main
    prompt, ``learned`` the keys recalled at least once.  A prerequisite that is not in the
    library holds nothing back.
    """
    open_cards = {card for card, key in answers.items() if key not in learned}
    return frozenset(card for card, earlier in after.items() if not open_cards.isdisjoint(earlier))


@dataclass(frozen=True, slots=True)
class _SortedOut:
    due: list[Candidate]
    new: list[Candidate]
    learning: list[Candidate]
    waiting: list[Candidate]
    suspended: list[Candidate]


def _sort_out(
    prompts: Sequence[Candidate], schedules: Mapping[str, Schedule], day: date
) -> _SortedOut:
    found = _SortedOut([], [], [], [], [])
    by_key = {candidate.key: candidate for candidate in prompts}
    for candidate in sorted(by_key.values(), key=_STUDY_ORDER):
        schedule = schedules.get(candidate.key)
        if candidate.suspended:
            found.suspended.append(candidate)
        elif schedule is None:
            (found.waiting if candidate.waits else found.new).append(candidate)
        elif is_due(schedule, day):
            today = schedule.last == day and is_learning(schedule)
            (found.learning if today else found.due).append(candidate)
    found.due.sort(key=lambda candidate: -_overdue(schedules[candidate.key], day))
    return found


def _overdue(schedule: Schedule, day: date) -> float:
    """Return t / S, with which retrievability falls."""
    return (day - schedule.last).days / schedule.memory.stability


def _sooner(schedule: Schedule, day: date) -> tuple[date, float]:
    return schedule.due, -_overdue(schedule, day)


def _cut(candidates: list[Candidate], count: int) -> tuple[list[Candidate], list[Candidate]]:
    count = max(0, count)
    return candidates[:count], candidates[count:]


def _keys(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(candidate.key for candidate in candidates)
