"""Retention, streak, time and score bands from small logs worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.memory.days import StudyCalendar
from quizapp.memory.history import walk
from quizapp.memory.model import Rating, Review
from quizapp.memory.rating import Thresholds
from quizapp.memory.schedule import ScheduleSettings, replay
from quizapp.memory.statistics import (
    DayTotal,
    Period,
    Share,
    Streak,
    day_totals,
    retention,
    retention_over_time,
    score_bands,
    streak,
)

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
TODAY = date(2026, 12, 1)
SETTINGS = ScheduleSettings(calendar=StudyCalendar(UTC, 4), fuzz=False)
AGAIN, HARD, GOOD, EASY = Rating


def review(day: float, rating: Rating, prompt: str = "a/main", **more: object) -> Review:
    return Review(prompt, NOON + timedelta(days=day), rating, **more)


def test_events_know_what_the_scheduler_knew():
    first, failed, again, later = walk(
        [review(0, GOOD), review(2, AGAIN), review(2.1, GOOD), review(5, GOOD)], SETTINGS
    )
    assert (first.elapsed, first.interval, first.predicted) == (None, 0, None)
    assert (failed.elapsed, failed.interval, failed.lapse) == (2, 2, True)
    assert failed.predicted == pytest.approx(0.9, abs=0.02)
    assert (again.elapsed, again.interval, again.predicted, again.lapse) == (0, 0, 1.0, False)
    assert later.elapsed == 3


def test_events_and_replay_agree_on_the_lapses():
    log = [review(3 * n, AGAIN if n % 3 == 2 else GOOD) for n in range(12)]
    lapses = sum(event.lapse for event in walk(log, SETTINGS))
    assert lapses == replay(log, SETTINGS)["a/main"].lapses == 4


def test_true_retention_leaves_out_first_reviews_and_repetitions_within_the_day():
    log = [
        *(review(0, AGAIN), review(0.01, GOOD)),
        *(review(2, AGAIN), review(2.01, AGAIN), review(2.02, GOOD)),
        review(4, HARD),
    ]
    assert retention(walk(log, SETTINGS)).all == Share(passed=1, total=2)


def test_retention_tells_mature_from_young_by_the_last_interval():
    log = [review(0, EASY), review(8, EASY), review(70, AGAIN)]
    intervals = [event.interval for event in walk(log, SETTINGS)]
    assert intervals[1] < 21 <= intervals[2]
    found = retention(walk(log, SETTINGS))
    assert (found.young, found.mature) == (Share(1, 1), Share(0, 1))
    assert found.all.rate == 0.5


def test_retention_of_nothing_is_no_number():
    assert retention([]).all.rate is None


def test_retention_over_time_groups_by_day_week_and_month():
    log = [review(0, GOOD), review(5, GOOD), review(6, AGAIN), review(31, GOOD)]
    events = walk(log, SETTINGS)
    by_week = retention_over_time(events, Period.WEEK)
    assert {start: found.all for start, found in by_week.items()} == {
        date(2026, 11, 30): Share(1, 1),
        date(2026, 12, 7): Share(0, 1),
        date(2026, 12, 28): Share(1, 1),
    }
    assert list(retention_over_time(events, Period.MONTH)) == [date(2026, 12, 1), date(2027, 1, 1)]
    assert len(retention_over_time(events, Period.DAY)) == 3


def days_ago(*numbers: int) -> set[date]:
    return {TODAY - timedelta(days=number) for number in numbers}


@pytest.mark.parametrize(
    ("studied", "expected"),
    [
        ((), Streak(0, 0, False)),
        ((0,), Streak(1, 1, True)),
        ((0, 1, 2), Streak(3, 3, True)),
        ((1, 2), Streak(2, 2, False)),
        ((2, 3, 4), Streak(0, 3, False)),
        ((0, 2, 3, 4), Streak(1, 3, True)),
        ((0, -3), Streak(1, 1, True)),
    ],
)
def test_a_streak_lives_until_the_day_has_ended(studied, expected):
    assert streak(days_ago(*studied), TODAY) == expected


def test_a_streak_follows_study_days_and_not_midnight():
    """23:50 and the 00:20 after it are one day; 03:50 the next night is the second."""
    log = [review(0.49, GOOD), review(0.51, GOOD), review(1.65, GOOD)]
    days = {event.day for event in walk(log, SETTINGS)}
    assert streak(days, TODAY + timedelta(days=1)) == Streak(2, 2, True)


@given(st.sets(st.integers(0, 60)))
def test_the_longest_streak_is_at_least_the_current_one(numbers):
    found = streak(days_ago(*numbers), TODAY)
    assert 0 <= found.current <= found.longest <= len(numbers)
    assert found.today == (0 in numbers)


def test_day_totals_count_reviews_new_prompts_and_time():
    log = [
        review(0, GOOD, seconds=40.0),
        review(0.1, GOOD, "b/main", seconds=20.5),
        review(2, GOOD, seconds=10.0),
    ]
    assert day_totals(walk(log, SETTINGS)) == {
        TODAY: DayTotal(reviews=2, new=2, seconds=60.5),
        TODAY + timedelta(days=2): DayTotal(reviews=1, new=0, seconds=10.0),
    }


def test_score_bands_tell_how_answers_were_kept():
    log = [
        *(review(0, AGAIN, score=0.3), review(0.1, GOOD, score=0.9)),
        review(3, AGAIN, score=0.59),
        review(0, HARD, "b/main", score=0.7),
        review(3, GOOD, "b/main", score=0.95),
        review(9, EASY, "b/main", score=1.0),
        review(0, GOOD, "c/main"),
    ]
    bands = score_bands(walk(log, SETTINGS), Thresholds())
    assert [(band.low, band.high) for band in bands] == [
        (0.0, 0.6),
        (0.6, 0.8),
        (0.8, 0.95),
        (0.95, 1.0),
    ]
    assert [band.answers for band in bands] == [2, 1, 1, 2]
    assert [band.next_time for band in bands] == [
        Share(0, 0),
        Share(1, 1),
        Share(0, 1),
        Share(1, 1),
    ]
