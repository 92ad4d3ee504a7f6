"""Replay of a log and planning of a large library, against the least that could do each.

* Replay, in reviews a second: our schedules (study days, memory, fuzz, due date) beside the
  bare FSRS-6 step, and fsrs-rs taking the same steps one by one from Python.
* Planning 100,000 prompts: our queue beside filtering and sorting the same prompts by their due
  date.  A library of that size should open in well under half a second.

Every pair is timed in turns in one run; the ratio is what can be compared between machines.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from quizapp.memory import fsrs
from quizapp.memory.calibration import calibration
from quizapp.memory.days import StudyCalendar
from quizapp.memory.forecast import forecast
from quizapp.memory.history import walk
from quizapp.memory.model import Memory, Rating, Review, Schedule
from quizapp.memory.pace import Pace
from quizapp.memory.queue import Candidate, DoneToday, Limits, more, plan
from quizapp.memory.schedule import ScheduleSettings, replay
from quizapp.memory.session import start

TODAY = date(2026, 12, 1)
SETTINGS = ScheduleSettings(calendar=StudyCalendar(UTC, 4))
PROMPTS = 100_000
REVIEWS = 20_000
PER_PROMPT = 10
ROUNDS = 7

Steps = list[list[tuple[int, Rating]]]


def histories() -> Steps:
    """Days since the review before and rating, for each prompt."""
    source = random.Random(1)
    ratings = source.choices(list(Rating), (1, 1, 7, 1), k=REVIEWS)
    pairs = [(source.randint(0, 40), rating) for rating in ratings]
    return [pairs[n : n + PER_PROMPT] for n in range(0, REVIEWS, PER_PROMPT)]


def log_of(steps: Steps) -> list[Review]:
    """The same as a log, in the order of time."""
    reviews = []
    for number, history in enumerate(steps):
        at = datetime(2025, 1, 1, 12, tzinfo=UTC) + timedelta(seconds=number)
        for gap, rating in history:
            at += timedelta(days=gap, seconds=1)
            reviews.append(Review(f"c{number}/main", at, rating, seconds=30.0))
    return sorted(reviews, key=lambda review: review.at)


def library() -> tuple[list[Candidate], dict[str, Schedule]]:
    """100,000 prompts on 10,000 cards; half are known, about a tenth is due."""
    source = random.Random(2)
    prompts = [
        Candidate(f"c{n // 10}/{n % 10}", f"c{n // 10}", n % 10, n // 10) for n in range(PROMPTS)
    ]
    schedules = {
        prompt.key: Schedule(
            prompt.key,
            Memory(source.uniform(1, 300), source.uniform(1, 10)),
            TODAY - timedelta(days=source.randint(1, 90)),
            TODAY + timedelta(days=source.randint(-20, 90)),
            3,
            0,
        )
        for prompt in prompts[::2]
    }
    source.shuffle(prompts)
    return prompts, schedules


def bare_steps(steps: Steps) -> None:
    """FSRS-6 and nothing else, in Python."""
    for history in steps:
        memory = None
        for gap, rating in history:
            memory = fsrs.next_memory(memory, gap, rating)


def reference_steps(steps: Steps) -> Callable[[], None] | None:
    """The same through fsrs-rs, a call for each review; ``None`` where it is not installed."""
    try:
        import fsrs_rs_python as reference
    except ModuleNotFoundError:
        return None
    model = reference.FSRS(list(fsrs.DEFAULT_WEIGHTS))
    names = {rating: rating.name.lower() for rating in Rating}

    def run() -> None:
        for history in steps:
            memory = None
            for gap, rating in history:
                memory = getattr(model.next_states(memory, 0.9, gap), names[rating]).memory

    return run


def plain_sort(prompts: list[Candidate], schedules: dict[str, Schedule]) -> list[str]:
    """What a queue without any rule costs: due ones by date, then new ones in order."""
    due = [
        (schedule.due, prompt.key)
        for prompt in prompts
        if (schedule := schedules.get(prompt.key)) is not None and schedule.due <= TODAY
    ]
    new = [
        (prompt.card_order, prompt.position, prompt.key)
        for prompt in prompts
        if prompt.key not in schedules
    ]
    return [*(key for _, key in sorted(due)), *(key for *_, key in sorted(new))]


def in_turns(tasks: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median seconds of each task, measured in turns."""
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            began = time.perf_counter()
            task()
            taken[name].append(time.perf_counter() - began)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def report_replay() -> None:
    """Reviews a second, and the statistics over the same log."""
    steps = histories()
    log = log_of(steps)
    tasks: dict[str, Callable[[], object]] = {
        "replay to schedules": lambda: replay(log, SETTINGS),
        "log to statistics": lambda: calibration(walk(log, SETTINGS)),
        "bare FSRS-6 step": lambda: bare_steps(steps),
    }
    reference = reference_steps(steps)
    if reference:
        tasks["fsrs-rs, step by step"] = reference
    seconds = in_turns(tasks)
    base = seconds["bare FSRS-6 step"]
    for name, taken in seconds.items():
        print(f"{name:<24}{REVIEWS / taken:>12,.0f} reviews/s {taken / base:7.2f} x the bare step")


def report_planning() -> None:
    """The queue of a large library, what comes after it, one answer, and the forecast."""
    prompts, schedules = library()
    limits, wide, none = Limits(), Limits(PROMPTS, PROMPTS), DoneToday()
    today = plan(prompts, schedules, TODAY, limits, none)
    session = start(plan(prompts, schedules, TODAY, wide, none))
    first = session.pending[0]
    seconds = in_turns(
        {
            "plain filter and sort": lambda: plain_sort(prompts, schedules),
            "plan, usual limits": lambda: plan(prompts, schedules, TODAY, limits, none),
            "plan, no limits": lambda: plan(prompts, schedules, TODAY, wide, none),
            "more": lambda: more(prompts, schedules, today, 20, none),
            "an answer, no limits": lambda: session.answered(first, Rating.GOOD).next(),
            "forecast, 30 days": lambda: forecast(schedules.values(), TODAY, 30, SETTINGS, Pace()),
        }
    )
    base = seconds["plain filter and sort"]
    for name, taken in seconds.items():
        print(f"{name:<24}{taken * 1e3:>12.1f} ms        {taken / base:7.2f} x the plain sort")


def main() -> None:
    """Print both tables."""
    report_replay()
    print(f"{PROMPTS:,} prompts")
    report_planning()


if __name__ == "__main__":
    main()
