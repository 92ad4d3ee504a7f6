"""Due dates from the log alone: replay, fuzz, preview, Again, lapses."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.memory import fsrs
from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Memory, Rating, Review, Schedule
from quizapp.memory.schedule import (
    ScheduleSettings,
    advance,
    fuzz_bounds,
    is_due,
    is_learning,
    preview,
    replay,
    retrievability,
)

SETTINGS = ScheduleSettings(calendar=StudyCalendar(ZoneInfo("Asia/Shanghai"), 4))
NOON = datetime(2026, 12, 1, 4, tzinfo=UTC)
TODAY = date(2026, 12, 1)

ratings = st.sampled_from(Rating)
prompts = st.sampled_from(["fusion/main", "fusion/case-1", "roofline/main"])
logs = st.lists(
    st.tuples(prompts, st.timedeltas(timedelta(0), timedelta(days=90)), ratings), max_size=40
)
weight_vectors = st.tuples(*(st.floats(low, high) for low, high in fsrs.WEIGHT_RANGES))


def log(*steps: tuple[str, timedelta, Rating]) -> list[Review]:
    reviews, at = [], NOON
    for prompt, gap, rating in steps:
        at += gap
        reviews.append(Review(prompt, at, rating))
    return reviews


def after(*steps: tuple[int, Rating], settings: ScheduleSettings = SETTINGS) -> Schedule:
    """Schedule of one prompt after (days since the review before, rating)."""
    reviews = log(*(("fusion/main", timedelta(days=days), rating) for days, rating in steps))
    return replay(reviews, settings)["fusion/main"]


@given(logs)
def test_step_by_step_and_replay_agree(steps):
    reviews, schedules = log(*steps), {}
    for review in reviews:
        schedules[review.prompt] = advance(schedules.get(review.prompt), review, SETTINGS)
    assert schedules == replay(reviews, SETTINGS)


@given(logs)
def test_the_same_log_always_gives_the_same_dates(steps):
    """fsrs4anki-helper 343."""
    reviews = log(*steps)
    random.seed(1)
    first = replay(reviews, SETTINGS)
    random.seed(2)
    assert replay(reviews, SETTINGS) == first


def test_another_process_gives_the_same_dates():
    """The draw must not hang on Python's hash, which differs from process to process."""
    program = (
        "from quizapp.memory.schedule import *\n"
        "from datetime import UTC, datetime\n"
        "at = datetime(2026, 12, 1, 4, tzinfo=UTC)\n"
        "log = [Review(f'card/{n}', at, Rating.EASY) for n in range(50)]\n"
        "print([s.due.toordinal() for s in replay(log, ScheduleSettings()).values()])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(set(eval(outputs.pop()))) > 1


@given(logs)
def test_what_one_prompt_does_leaves_the_others_alone(steps):
    """RemNote 606: done on A shows on B."""
    reviews = log(*steps)
    whole = replay(reviews, SETTINGS)
    for prompt, schedule in whole.items():
        own = [review for review in reviews if review.prompt == prompt]
        assert replay(own, SETTINGS) == {prompt: schedule}


def test_a_review_of_another_prompt_is_refused():
    with pytest.raises(ValueError, match="cannot advance"):
        advance(after((0, Rating.GOOD)), Review("other/main", NOON, Rating.GOOD), SETTINGS)


def test_again_stays_today_and_nothing_else_does():
    assert after((0, Rating.AGAIN)).due == TODAY
    for rating in (Rating.HARD, Rating.GOOD, Rating.EASY):
        assert after((0, rating)).due > TODAY
        assert after((0, Rating.AGAIN), (0, rating)).due > TODAY


@given(st.lists(st.tuples(st.integers(0, 400), ratings), min_size=1, max_size=15))
def test_due_on_the_day_of_the_last_review_means_again(steps):
    """obsidian-spaced-repetition 1646: a card that never leaves."""
    schedule = after(*steps)
    assert is_learning(schedule) == (steps[-1][1] == Rating.AGAIN)


def test_failing_again_while_relearning_is_the_same_lapse():
    assert after((0, Rating.AGAIN), (0, Rating.AGAIN)).lapses == 0
    learned = ((0, Rating.GOOD), (3, Rating.AGAIN))
    assert after(*learned).lapses == 1
    assert after(*learned, (0, Rating.AGAIN), (1, Rating.AGAIN)).lapses == 1
    assert after(*learned, (0, Rating.GOOD), (1, Rating.AGAIN)).lapses == 2


@given(
    st.none() | st.lists(st.tuples(st.integers(0, 900), ratings), min_size=1, max_size=8),
    st.integers(0, 900),
    weight_vectors,
    st.sampled_from(["fusion/main", "a/b", "roofline/case-1"]),
    st.booleans(),
)
@settings(max_examples=300)
def test_the_preview_is_what_will_happen_and_hard_is_never_longer_than_good(
    steps, gap, weights, prompt, fuzz
):
    """fsrs4anki 71, anki 3712."""
    chosen = replace(SETTINGS, weights=weights, fuzz=fuzz)
    reviews = log(*((prompt, timedelta(days=d), rating) for d, rating in steps or ()))
    schedule = replay(reviews, chosen).get(prompt)
    now = (reviews[-1].at if reviews else NOON) + timedelta(days=gap)
    shown = preview(prompt, schedule, now, chosen)
    for rating, outcome in shown.items():
        happened = advance(schedule, Review(prompt, now, rating), chosen)
        assert outcome.due == happened.due
        assert outcome.due - happened.last == timedelta(days=outcome.days)
    assert list(shown) == list(Rating)
    assert shown[Rating.AGAIN].days == 0
    assert all(shorter.days <= longer.days for shorter, longer in pairwise(shown.values()))
    assert shown[Rating.HARD].days >= 1
    assert shown[Rating.EASY].days <= chosen.maximum_interval


def test_first_stabilities_out_of_order_still_give_dates_in_order():
    weights = (0.2, 9.0, 3.0, 5.0, *fsrs.DEFAULT_WEIGHTS[4:])
    shown = preview("a/b", None, NOON, replace(SETTINGS, weights=weights, fuzz=False))
    assert [outcome.days for outcome in shown.values()] == [0, 9, 9, 9]


def test_the_smallest_fuzz_respects_the_last_interval():
    """anki 2694: an interval that grew from 10 to 11 days must not be fuzzed down to 9."""
    assert fuzz_bounds(11.0, previous=10, maximum=3650) == (11, 13)
    assert fuzz_bounds(11.0, previous=0, maximum=3650) == (9, 13)


def test_an_interval_fuzzed_upwards_is_not_taken_back_by_success():
    """anki 4431: 3 days fuzzed to 4, then 3.2 days fuzzed to 3."""
    assert fuzz_bounds(3.2, previous=4, maximum=3650) == (4, 4)


@given(st.floats(0, 4000), st.integers(0, 4000), st.integers(1, 4000))
def test_fuzz_stays_within_its_documented_bounds(ideal, previous, maximum):
    low, high = fuzz_bounds(ideal, previous, maximum)
    assert 1 <= low <= high <= maximum
    wanted = min(max(ideal, 1), maximum)
    assert high <= wanted + 1 + wanted / 20 + 0.5
    if not previous:
        assert low >= wanted - 1 - wanted / 20 - 0.5
    if wanted < 2.5 and not previous:
        assert low == high == round(wanted)


@given(st.floats(0, 4000), st.floats(0, 4000), st.integers(0, 4000), st.integers(1, 4000))
def test_fuzz_keeps_the_order_of_intervals(a, b, previous, maximum):
    shorter, longer = sorted((a, b))
    for less, more in zip(
        fuzz_bounds(shorter, previous, maximum),
        fuzz_bounds(longer, previous, maximum),
        strict=True,
    ):
        assert less <= more


@given(st.lists(st.sampled_from([Rating.HARD, Rating.GOOD, Rating.EASY]), max_size=12))
def test_success_on_time_never_shortens_the_interval(passes):
    schedule, intervals = None, []
    at = NOON
    for rating in passes:
        schedule = advance(schedule, Review("fusion/main", at, rating), SETTINGS)
        intervals.append((schedule.due - schedule.last).days)
        at += schedule.due - schedule.last
    assert intervals == sorted(intervals)


def test_fuzz_spreads_what_was_learned_together():
    reviews = [Review(f"card/{n}", NOON, Rating.EASY) for n in range(400)]
    days = {schedule.due - TODAY for schedule in replay(reviews, SETTINGS).values()}
    assert days == {timedelta(days=d) for d in (7, 8, 9, 10)}
    plain = replay(reviews, replace(SETTINGS, fuzz=False))
    assert {schedule.due - TODAY for schedule in plain.values()} == {timedelta(days=8)}


def test_the_longest_interval_is_the_setting():
    steps = [(0, Rating.EASY), *((400, Rating.EASY) for _ in range(6))]
    capped = replace(SETTINGS, maximum_interval=365)
    schedule = after(*steps, settings=capped)
    assert schedule.due - schedule.last == timedelta(days=365)


def test_a_higher_desired_retention_asks_earlier():
    steps = (0, Rating.GOOD), (3, Rating.GOOD), (9, Rating.GOOD)
    dates = [
        after(*steps, settings=replace(SETTINGS, desired_retention=r, fuzz=False)).due
        for r in (0.7, 0.8, 0.9, 0.97)
    ]
    assert dates == sorted(dates, reverse=True)
    assert len(set(dates)) == 4


def test_reviews_over_midnight_are_one_study_day_and_the_next_comes_tomorrow():
    """hashcards 95."""
    late = datetime(2026, 12, 1, 23, 50, tzinfo=ZoneInfo("Asia/Shanghai"))
    reviews = [
        Review("fusion/main", late, Rating.AGAIN),
        Review("fusion/main", late + timedelta(minutes=30), Rating.HARD),
    ]
    schedule = replay(reviews, SETTINGS)["fusion/main"]
    assert schedule.last == TODAY
    assert schedule.due == TODAY + timedelta(days=1)
    same_day = fsrs.next_memory(fsrs.next_memory(None, 0, Rating.AGAIN), 0, Rating.HARD)
    assert schedule.memory == same_day


def test_daylight_saving_moves_no_due_date():
    """AnkiDroid 3770, 5912: the nights of the change count as one day each."""
    zone = ZoneInfo("America/New_York")
    local = replace(SETTINGS, calendar=StudyCalendar(zone, 2), fuzz=False)
    for day in (datetime(2026, 3, 7, 22), datetime(2026, 10, 31, 22)):
        first = Review("a/b", day.replace(tzinfo=zone).astimezone(UTC), Rating.GOOD)
        schedule = advance(None, first, local)
        assert schedule.due == day.date() + timedelta(days=2)
        next_morning = (day + timedelta(hours=10)).replace(tzinfo=zone).astimezone(UTC)
        second = advance(schedule, Review("a/b", next_morning, Rating.GOOD), local)
        assert second.memory == fsrs.next_memory(schedule.memory, 1, Rating.GOOD)


def test_a_clock_that_goes_back_counts_as_the_same_day():
    """AnkiDroid 4516."""
    schedule = after((0, Rating.GOOD))
    earlier = Review("fusion/main", NOON - timedelta(days=2), Rating.GOOD)
    again = advance(schedule, earlier, SETTINGS)
    assert again.memory == fsrs.next_memory(schedule.memory, 0, Rating.GOOD)
    assert again.last == TODAY - timedelta(days=2)
    assert again.due > again.last


def test_a_review_logged_by_a_clock_years_ahead_does_not_lose_the_prompt():
    ahead = advance(None, Review("a/b", NOON + timedelta(days=1500), Rating.GOOD), SETTINGS)
    assert is_due(ahead, TODAY)
    assert retrievability(ahead, TODAY, SETTINGS) == 1
    mended = advance(ahead, Review("a/b", NOON, Rating.GOOD), SETTINGS)
    assert mended.last == TODAY
    assert not is_due(mended, TODAY)


def test_due_from_its_date_on():
    schedule = Schedule("a/b", Memory(3, 5), TODAY, TODAY + timedelta(days=3), 1, 0)
    due = [is_due(schedule, TODAY + timedelta(days=days)) for days in range(5)]
    assert due == [False, False, False, True, True]


@pytest.mark.parametrize(
    "wrong",
    [
        {"desired_retention": 0.0},
        {"maximum_interval": 0},
        {"maximum_interval": 40_000},
        {"weights": (1.0, 2.0)},
    ],
)
def test_settings_without_a_schedule_are_refused(wrong):
    with pytest.raises(ValueError, match=r"must lie|has 21 weights"):
        ScheduleSettings(**wrong)


def test_sure_and_wrong_comes_back_tomorrow_whatever_the_rating():
    learned = after((0, Rating.GOOD), (3, Rating.GOOD), (20, Rating.EASY))
    for rating in Rating:
        review = Review(learned.prompt, NOON + timedelta(days=90), rating, misled=True)
        wrong = advance(learned, review, SETTINGS)
        assert wrong.due == wrong.last + timedelta(days=1)
        assert wrong.memory == advance(learned, replace(review, misled=False), SETTINGS).memory


def test_what_is_asked_once_more_on_the_day_stays_for_tomorrow():
    learned = after((0, Rating.GOOD), (3, Rating.GOOD), (20, Rating.EASY))
    wrong = Review(learned.prompt, NOON + timedelta(days=90), Rating.HARD, misled=True)
    right = Review(learned.prompt, NOON + timedelta(days=90, hours=1), Rating.GOOD)
    again = advance(advance(learned, wrong, SETTINGS), right, SETTINGS)
    assert again.due == again.last + timedelta(days=1)
