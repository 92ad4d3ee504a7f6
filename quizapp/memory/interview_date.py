"""What to study today so that most is known on the day of the interview.

Due dates serve a memory that has no end: they ask a prompt when it is about to fade, and a
prompt that is well known on the day of the interview may never come due before it, while a
backlog keeps every new one out.  With a date, each prompt has a *gain*: by how much studying it
today raises its probability of recall on that date.  Divided by the seconds it costs, the gain
says which minute is best spent; prompts are taken in that order until the minutes are used up.

The gain is the expectation over today's outcome: recalled (Good) with FSRS's probability, or
forgotten and learned again within the day.  A prompt never seen is expected to be forgotten at
first, and counts as unknown on the date unless it is studied.

The rule weighs today alone and not the days until the interview, so it is not the best possible;
asked again each day, it gets most of what can be had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from quizapp.memory import fsrs
from quizapp.memory.days import elapsed_days
from quizapp.memory.forecast import expected_known
from quizapp.memory.model import Memory, Rating, Schedule
from quizapp.memory.pace import Pace
from quizapp.memory.schedule import ScheduleSettings, retrievability


@dataclass(frozen=True, slots=True)
class Choice:
    """A prompt and what studying it today is worth."""

    prompt: str
    gain: float
    """Rise of its probability of recall on the interview day; may be below zero."""
    seconds: float
    """Expected cost."""

    @property
    def rate(self) -> float:
        """Gain per second."""
        return self.gain / self.seconds


@dataclass(frozen=True, slots=True)
class InterviewPlan:
    """A day's study on the way to an interview."""

    choices: tuple[Choice, ...]
    """In the order to study them."""
    without: float
    """Mean recall on the interview day if nothing more is studied, today or later."""
    expected: float
    """The same after today's study."""

    @property
    def minutes(self) -> float:
        """Expected duration."""
        return sum(choice.seconds for choice in self.choices) / 60


def choose(
    prompts: Iterable[str],
    schedules: Mapping[str, Schedule],
    today: date,
    interview: date,
    minutes: float,
    settings: ScheduleSettings,
    pace: Pace,
) -> InterviewPlan:
    """Return what to study in the minutes left today; ``ValueError`` if the interview is past.

    The schedules' due dates play no part, and studying by this plan keeps them correct.
    """
    if interview < today:
        raise ValueError(f"the interview was on {interview}; choose today or a day to come")
    keys = tuple(dict.fromkeys(prompts))
    valued = [value(key, schedules.get(key), today, interview, settings, pace) for key in keys]
    valued.sort(key=lambda choice: -choice.rate)
    chosen = tuple(_affordable(valued, minutes * 60))
    known = (schedules[key] for key in keys if key in schedules)
    left = expected_known(known, interview, settings)
    before = left / len(keys) if keys else 0.0
    gained = sum(choice.gain for choice in chosen) / len(keys) if keys else 0.0
    return InterviewPlan(chosen, before, before + gained)


def value(
    prompt: str,
    schedule: Schedule | None,
    today: date,
    interview: date,
    settings: ScheduleSettings,
    pace: Pace,
) -> Choice:
    """Return what studying one prompt today is worth on the interview day."""
    weights, ahead = settings.weights, elapsed_days(today, interview)
    if schedule is None:
        learned = _relearned(None, 0, weights)
        return Choice(prompt, fsrs.retrievability(learned, ahead, weights), pace.new)
    elapsed = elapsed_days(schedule.last, today)
    recall = fsrs.retrievability(schedule.memory, elapsed, weights)
    passed = fsrs.next_memory(schedule.memory, elapsed, Rating.GOOD, weights)
    failed = _relearned(schedule.memory, elapsed, weights)
    studied = recall * fsrs.retrievability(passed, ahead, weights)
    studied += (1 - recall) * fsrs.retrievability(failed, ahead, weights)
    left = retrievability(schedule, interview, settings)
    return Choice(prompt, studied - left, pace.expected(recall))


def _relearned(memory: Memory | None, elapsed: int, weights: tuple[float, ...]) -> Memory:
    forgotten = fsrs.next_memory(memory, elapsed, Rating.AGAIN, weights)
    return fsrs.next_memory(forgotten, 0, Rating.GOOD, weights)


def _affordable(choices: Iterable[Choice], seconds: float) -> Iterator[Choice]:
    """Yield the choices that gain until the time is used up; the last may run over it."""
    for choice in choices:
        if seconds <= 0 or choice.gain <= 0:
            return
        seconds -= choice.seconds
        yield choice
