"""Case 24: an exam date.  The rule against due dates, over simulated weeks."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from statistics import mean

import pytest

from quizapp.memory.days import StudyCalendar
from quizapp.memory.interview_date import choose, value
from quizapp.memory.model import Memory, Rating, Review, Schedule
from quizapp.memory.pace import Pace
from quizapp.memory.queue import Candidate, DoneToday, Limits, plan
from quizapp.memory.schedule import ScheduleSettings, advance, retrievability

SETTINGS = ScheduleSettings(calendar=StudyCalendar(UTC, 4))
PACE = Pace(new=150.0, passed=45.0, failed=90.0)
FIRST = date(2026, 12, 1)
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
INTERVIEW = FIRST + timedelta(days=28)
DAY = timedelta(days=1)
KEYS = [f"c{number:03}/main" for number in range(100)]
PROMPTS = [Candidate(key, key.partition("/")[0], 0, number) for number, key in enumerate(KEYS)]

Schedules = dict[str, Schedule]
Policy = Callable[[Schedules, date, float], Iterable[str]]


def due_first(schedules: Schedules, day: date, minutes: float) -> Iterable[str]:
    limits = Limits(new_per_day=9999, reviews_per_day=9999)
    planned = plan(PROMPTS, schedules, day, limits, DoneToday())
    return (*planned.due, *planned.new)


def by_gain(schedules: Schedules, day: date, minutes: float) -> Iterator[str]:
    chosen = choose(KEYS, schedules, day, INTERVIEW, minutes, SETTINGS, PACE).choices
    return (choice.prompt for choice in chosen)


def study(schedules: Schedules, key: str, day: date, source: random.Random) -> float:
    """Ask one prompt as a user with FSRS's memory would answer; returns the seconds."""
    known = key in schedules
    passed = known and source.random() < retrievability(schedules[key], day, SETTINGS)
    at = datetime.combine(day, time(12), UTC)
    for rating in [Rating.GOOD] if passed else [Rating.AGAIN, Rating.GOOD]:
        schedules[key] = advance(schedules.get(key), Review(key, at, rating), SETTINGS)
    return PACE.passed if passed else PACE.failed if known else PACE.new


def recalls(
    policy: Policy, minutes: float, seed: int, days_off: Collection[int] = ()
) -> list[float]:
    """Return each prompt's recall on the interview day after 28 days by a policy, weakest first.

    What one day runs over its minutes is taken from the next, so that every policy has the same.
    """
    source, schedules, left = random.Random(seed), {}, 0.0
    for number in sorted(set(range(28)) - set(days_off)):
        day, left = FIRST + timedelta(days=number), left + minutes * 60
        for key in policy(schedules, day, left / 60):
            if left <= 0:
                break
            left -= study(schedules, key, day, source)
    return sorted(
        retrievability(schedules[key], INTERVIEW, SETTINGS) if key in schedules else 0.0
        for key in KEYS
    )


def average(policy: Policy, minutes: float, days_off: Collection[int] = ()) -> float:
    return mean(mean(recalls(policy, minutes, seed, days_off)) for seed in range(3))


@pytest.mark.parametrize(("minutes", "better_by"), [(8, 0.10), (14, 0.10), (20, 0.02), (40, 0.03)])
def test_case_24_more_is_known_on_the_day_than_by_due_dates(minutes, better_by):
    assert average(by_gain, minutes) > average(due_first, minutes) + better_by


def test_case_24_the_weakest_tenth_is_not_given_up():
    ours, theirs = (mean(recalls(policy, 14, seed=5)[:10]) for policy in (by_gain, due_first))
    assert ours > 0.5 > theirs


def test_case_24_days_off_cost_less_than_by_due_dates():
    week_off = range(10, 17)
    assert average(by_gain, 14, week_off) > average(due_first, 14, week_off) + 0.05


def schedule(stability: float, ago: int) -> Schedule:
    last = FIRST - timedelta(days=ago)
    return Schedule("a/main", Memory(stability, 5.0), last, last + timedelta(days=1), 3, 0)


def choose_from(schedules: Schedules, minutes: float, interview: date = INTERVIEW):
    return choose(schedules or KEYS, schedules, FIRST, interview, minutes, SETTINGS, PACE)


def test_the_order_is_by_gain_per_second_and_ends_with_the_minutes():
    schedules = {
        key: replace(schedule(1.5**number, number + 1), prompt=key)
        for number, key in enumerate(KEYS[:15])
    }
    found = choose_from(schedules, 3)
    rates = [choice.rate for choice in found.choices]
    assert rates == sorted(rates, reverse=True)
    assert found.minutes - found.choices[-1].seconds / 60 < 3 <= found.minutes
    assert {choice.prompt for choice in choose_from(schedules, 999).choices} == set(schedules)


def test_what_is_known_for_years_waits_for_what_fades():
    fading, firm = schedule(2.0, 3), schedule(3000.0, 3)
    gains = [value("a/main", s, FIRST, INTERVIEW, SETTINGS, PACE).gain for s in (fading, firm)]
    assert gains[0] > 0.1
    assert 0 <= gains[1] < 0.01


def test_expected_recall_rises_with_the_minutes():
    schedules = {key: replace(schedule(2.0, 3), prompt=key) for key in KEYS[:40]}
    found = [choose_from(schedules, minutes) for minutes in (0, 5, 15, 60)]
    expected = [plan_.expected for plan_ in found]
    assert expected == sorted(set(expected))
    assert (
        expected[0]
        == found[0].without
        == pytest.approx(retrievability(schedule(2.0, 3), INTERVIEW, SETTINGS))
    )
    assert found[0].choices == ()


def test_the_expectation_comes_true_when_one_day_is_studied():
    source = random.Random(8)
    schedules = {key: replace(schedule(5.0, 6), prompt=key) for key in KEYS}
    expected = choose_from(schedules, 999).expected
    for key in KEYS:
        study(schedules, key, FIRST, source)
    actual = mean(retrievability(schedules[key], INTERVIEW, SETTINGS) for key in KEYS)
    assert actual == pytest.approx(expected, abs=0.04)


def test_on_the_day_itself_the_least_known_comes_first():
    schedules = {
        "a/main": schedule(9.0, 1),
        "b/main": replace(schedule(1.0, 9), prompt="b/main"),
    }
    found = choose_from(schedules, 1, interview=FIRST)
    assert found.choices[0].prompt == "b/main"


def test_an_interview_that_is_past_is_refused_and_no_prompts_are_no_plan():
    with pytest.raises(ValueError, match="the interview was on 2026-11-30"):
        choose_from({}, 10, interview=FIRST - timedelta(days=1))
    nothing = choose([], {}, FIRST, INTERVIEW, 10, SETTINGS, PACE)
    assert (nothing.choices, nothing.without, nothing.expected) == ((), 0.0, 0.0)


def test_due_dates_stay_correct_beside_the_plan():
    """Studying early by the plan is an ordinary review."""
    schedules = {"a/main": advance(None, Review("a/main", NOON - DAY, Rating.GOOD), SETTINGS)}
    (key,) = (choice.prompt for choice in choose_from(schedules, 5).choices)
    assert schedules[key].due > FIRST
    after = advance(schedules[key], Review(key, NOON, Rating.GOOD), SETTINGS)
    assert after.due > schedules[key].due
