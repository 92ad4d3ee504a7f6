"""Leeches are found, and there is a way out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from quizapp.memory.days import StudyCalendar
from quizapp.memory.history import Event, walk
from quizapp.memory.leech import Leech, LeechRule, find_leech
from quizapp.memory.model import Rating, Review
from quizapp.memory.schedule import ScheduleSettings

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SETTINGS = ScheduleSettings(calendar=StudyCalendar(UTC, 4))
RULE = LeechRule(lapses=3, misses=3)
AGAIN, HARD, GOOD, EASY = Rating


def events(*steps: tuple[float, Rating, str]) -> list[Event]:
    """Events of one prompt after (days since the first, rating, points missed)."""
    return walk(
        [
            Review("a/main", NOON + timedelta(days=day), rating, missed=tuple(missed.split()))
            for day, rating, missed in steps
        ],
        SETTINGS,
    )


def lapsing(times: int, start: float = 0) -> list[tuple[float, Rating, str]]:
    return [
        step
        for n in range(times)
        for step in ((start + 4 * n, GOOD, ""), (start + 4 * n + 2, AGAIN, ""))
    ]


def test_too_many_lapses_make_a_leech():
    assert find_leech(events(*lapsing(2)), RULE) is None
    assert find_leech(events(*lapsing(3)), RULE) == Leech(lapses=3)


def test_the_same_point_missed_thrice_makes_a_leech_that_says_which():
    steps = [(0, HARD, "p1 p2"), (3, HARD, "p2"), (9, HARD, "p2 p3")]
    assert find_leech(events(*steps[:2]), RULE) is None
    assert find_leech(events(*steps), RULE) == Leech(lapses=0, points=("p2",))


def test_other_points_missed_each_time_make_none():
    steps = [(0, HARD, "p1"), (3, HARD, "p2"), (9, HARD, "p3")]
    assert find_leech(events(*steps), RULE) is None


def test_repetitions_of_a_day_are_one_miss():
    steps = [(0, AGAIN, "p1"), (0.01, AGAIN, "p1"), (0.02, HARD, "p1"), (3, HARD, "p1")]
    assert find_leech(events(*steps), RULE) is None


def test_the_user_releases_a_leech_and_it_starts_anew():
    found = events(*lapsing(3))
    released = found[-1].review.at
    assert find_leech(found, RULE, released) is None
    relapsed = events(*lapsing(3), *lapsing(2, start=20))
    assert find_leech(relapsed, RULE, released) is None
    assert find_leech(events(*lapsing(3), *lapsing(3, start=20)), RULE, released) is not None


def test_a_leech_that_held_for_long_is_none_any_more():
    steps = [*lapsing(3), (11, GOOD, "")]
    day = 11
    history = events(*steps)
    while history[-1].interval < 21:
        assert find_leech(history, RULE) is not None
        day += 40
        steps.append((day, EASY, ""))
        history = events(*steps)
    assert find_leech(history, RULE) is None


def test_a_point_that_is_said_at_last_is_forgiven():
    steps = [(0, HARD, "p1"), (3, HARD, "p1"), (9, HARD, "p1"), (30, GOOD, "")]
    assert find_leech(events(*steps), RULE) is None
