"""What the coming days will ask."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

import pytest

from quizapp.memory import fsrs
from quizapp.memory.days import StudyCalendar
from quizapp.memory.forecast import expected_known, forecast, retrievability_histogram
from quizapp.memory.history import walk
from quizapp.memory.model import Memory, Rating, Review, Schedule
from quizapp.memory.pace import Pace, pace
from quizapp.memory.schedule import ScheduleSettings, advance, is_due, retrievability

TODAY = date(2026, 12, 1)
SETTINGS = ScheduleSettings(calendar=StudyCalendar(UTC, 4), fuzz=False)


def due_in(days: int, stability: float = 1000.0, ago: int = 5) -> Schedule:
    last = TODAY - timedelta(days=ago)
    return Schedule("a/main", Memory(stability, 5.0), last, TODAY + timedelta(days=days), 3, 0)


def loads(schedules, days=7, pace_=None):
    return forecast(schedules, TODAY, days, SETTINGS, pace_ or Pace())


def test_overdue_prompts_are_due_today_and_later_ones_on_their_day():
    found = loads([due_in(-4), due_in(0), due_in(2), due_in(99)])
    assert [load.due for load in found] == [2, 0, 1, 0, 0, 0, 0]
    assert [load.day for load in found][:2] == [TODAY, TODAY + timedelta(days=1)]


def test_nothing_known_is_no_load():
    assert all(load.expected == load.minutes == 0 for load in loads([]))


def test_prompts_come_back_within_the_forecast():
    found = loads([due_in(0, stability=1.0, ago=1)], days=30)
    assert sum(load.due for load in found) == 1
    assert sum(load.expected for load in found) > 2


def test_minutes_weigh_what_is_likely_forgotten_more():
    fresh, faded = due_in(0, stability=1000.0, ago=1), due_in(0, stability=1.0, ago=900)
    one_day = Pace(passed=30.0, failed=120.0)
    (sure,), (unsure,) = loads([fresh], 1, one_day), loads([faded], 1, one_day)
    assert sure.minutes == pytest.approx(0.5, abs=0.01)
    recall = fsrs.retrievability(faded.memory, 900)
    assert unsure.minutes == pytest.approx((recall * 30 + (1 - recall) * 120) / 60)


def test_a_simulated_user_meets_the_forecast():
    """A thousand prompts, each recalled with the probability that FSRS says, over 20 days."""
    source = random.Random(3)
    schedules = {}
    for number in range(1000):
        last = datetime(2026, 12, 1, 12, tzinfo=UTC) - timedelta(days=source.randint(1, 15))
        key = f"c{number}/main"
        schedules[key] = advance(None, Review(key, last, Rating.GOOD), SETTINGS)
    found = loads(schedules.values(), days=20)
    asked = []
    for ahead in range(20):
        now = datetime(2026, 12, 1, 12, tzinfo=UTC) + timedelta(days=ahead)
        due = [s for s in schedules.values() if is_due(s, now.date())]
        asked.append(len(due))
        for schedule in due:
            passed = source.random() < retrievability(schedule, now.date(), SETTINGS)
            steps = [Rating.GOOD] if passed else [Rating.AGAIN, Rating.GOOD]
            for rating in steps:
                review = Review(schedule.prompt, now, rating)
                schedules[schedule.prompt] = advance(schedules[schedule.prompt], review, SETTINGS)
    assert found[0].due == asked[0]
    assert sum(load.expected for load in found) == pytest.approx(sum(asked), rel=0.05)


def test_the_histogram_counts_every_prompt_by_its_recall_today():
    schedules = [due_in(0, stability=5.0, ago=5), due_in(0, ago=0), due_in(0, 0.01, ago=3000)]
    counts = retrievability_histogram(schedules, TODAY, SETTINGS)
    assert sum(counts) == 3
    assert counts[9] == 2
    assert expected_known(schedules, TODAY, SETTINGS) == pytest.approx(
        sum(retrievability(schedule, TODAY, SETTINGS) for schedule in schedules)
    )


def log(*seconds: float, rating: Rating = Rating.GOOD) -> list[Review]:
    at = datetime(2026, 12, 1, 12, tzinfo=UTC)
    return [
        Review("a/main", at + timedelta(days=3 * n), rating if n else Rating.GOOD, taken)
        for n, taken in enumerate(seconds)
    ]


def test_the_pace_is_the_median_and_interruptions_count_as_ten_minutes():
    events = walk(log(0, 10, 20, 30, 40, 50_000), SETTINGS)
    assert pace(events).passed == 30
    assert pace(walk(log(0, *[50_000.0] * 5), SETTINGS)).passed == 600


def test_few_or_untimed_reviews_change_no_pace():
    assert pace(walk(log(0, 10, 20, 0, 0, 0), SETTINGS)) == Pace()


def test_forgotten_prompts_have_a_pace_of_their_own():
    events = walk(log(0, *[80.0] * 6, rating=Rating.AGAIN), SETTINGS)
    assert pace(events) == Pace(failed=80.0)
