"""FSRS-6 against fsrs-rs, its authors' own implementation, and the rules it must keep."""

from __future__ import annotations

import csv
import itertools
import random
from datetime import UTC, datetime
from math import isclose
from pathlib import Path

import fsrs_rs_python as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.memory import fsrs
from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Memory, Rating, Review
from quizapp.memory.schedule import ScheduleSettings, replay

SINGLE_PRECISION = 1e-3
"""fsrs-rs computes in float32; over 40 reviews its rounding adds up to a few parts in 10,000."""

ratings = st.sampled_from(Rating)
gaps = st.one_of(st.integers(0, 3), st.integers(0, 60), st.integers(0, 4000))
histories = st.lists(st.tuples(gaps, ratings), min_size=1, max_size=40)
weight_vectors = st.tuples(
    *(st.floats(low, high, allow_nan=False) for low, high in fsrs.WEIGHT_RANGES)
)
memories = st.builds(Memory, st.floats(0.001, 36500), st.floats(1, 10))


def ours(history, weights=fsrs.DEFAULT_WEIGHTS):
    memory = None
    for gap, rating in history:
        memory = fsrs.next_memory(memory, gap, rating, weights)
    return memory


def theirs(history, model):
    reviews = [oracle.FSRSReview(int(rating), gap) for gap, rating in history]
    return model.memory_state(oracle.FSRSItem(reviews))


DEFAULT = oracle.FSRS(list(fsrs.DEFAULT_WEIGHTS))


def assert_same(mine, other):
    assert isclose(mine.stability, other.stability, rel_tol=SINGLE_PRECISION), (
        mine,
        other.stability,
    )
    assert isclose(mine.difficulty, other.difficulty, rel_tol=SINGLE_PRECISION, abs_tol=1e-3)


def test_the_defaults_are_the_published_ones():
    assert len(oracle.DEFAULT_PARAMETERS) == len(fsrs.DEFAULT_WEIGHTS) == 21
    for mine, published in zip(fsrs.DEFAULT_WEIGHTS, oracle.DEFAULT_PARAMETERS, strict=True):
        assert isclose(mine, published, rel_tol=1e-6)


@given(histories)
@settings(max_examples=300)
def test_any_history_ends_where_fsrs_rs_ends(history):
    assert_same(ours(history), theirs(history, DEFAULT))


def test_three_thousand_seeded_histories_end_where_fsrs_rs_ends():
    source = random.Random(20261201)
    for _ in range(3000):
        history = [
            (source.choice((0, 0, 1, 2, source.randint(0, 30), source.randint(0, 1500))), rating)
            for rating in source.choices(list(Rating), (2, 2, 5, 1), k=source.randint(1, 30))
        ]
        assert_same(ours(history), theirs(history, DEFAULT))


def test_every_step_from_any_state_gives_fsrs_rs_s_four_outcomes():
    source = random.Random(6)
    for _ in range(2000):
        memory = Memory(10 ** source.uniform(-2, 4.5), source.uniform(1, 10))
        elapsed = source.choice((0, 1, source.randint(0, 100), source.randint(0, 5000)))
        state = oracle.MemoryState(memory.stability, memory.difficulty)
        outcomes = DEFAULT.next_states(state, 0.9, elapsed)
        for rating in Rating:
            other = getattr(outcomes, rating.name.lower()).memory
            assert_same(fsrs.next_memory(memory, elapsed, rating), other)


def test_other_weights_agree_with_fsrs_rs_too():
    source = random.Random(21)
    for _ in range(100):
        weights = [weight * source.uniform(0.8, 1.25) for weight in fsrs.DEFAULT_WEIGHTS]
        weights = [
            min(max(weight, low), high)
            for weight, (low, high) in zip(weights, fsrs.WEIGHT_RANGES, strict=True)
        ]
        model = oracle.FSRS(weights)
        for _ in range(10):
            history = [(source.randint(0, 40), source.choice(list(Rating))) for _ in range(10)]
            assert_same(ours(history, weights), theirs(history, model))


@given(st.floats(0.01, 30_000), st.floats(*fsrs.RETENTION_RANGE))
def test_intervals_agree_with_fsrs_rs(stability, retention):
    """Its release 0.9.3 caps stability alone; ours, like its later sources, the interval too."""
    expected = min(DEFAULT.next_interval(stability, retention, 3), 36_500.0)
    assert isclose(fsrs.interval(stability, retention), expected, rel_tol=1e-4)


def test_hard_on_the_same_day_does_not_shrink_stability():
    """srs-benchmark 343, py-fsrs PR 155."""
    for stability in (0.5, 2.3065, 30.0, 1000.0):
        after = fsrs.next_memory(Memory(stability, 5.0), 0, Rating.HARD)
        assert after.stability == stability


@given(memories, st.integers(0, 5000), weight_vectors)
def test_only_again_can_shrink_stability_and_ratings_come_in_order(memory, elapsed, weights):
    """fsrs4anki 71, anki 3712: Hard longer than Good."""
    after = [fsrs.next_memory(memory, elapsed, rating, weights).stability for rating in Rating]
    assert after[0] <= memory.stability * (1 + 1e-12)
    assert all(low <= high * (1 + 1e-12) for low, high in itertools.pairwise(after))
    assert after[1] >= memory.stability


@given(st.lists(st.tuples(gaps, ratings), min_size=1, max_size=200), weight_vectors)
def test_states_stay_in_range(history, weights):
    memory = ours(history, weights)
    assert 0.001 <= memory.stability <= 36_500
    assert 1 <= memory.difficulty <= 10


def test_a_hundred_on_time_easies_reach_the_cap_and_stay():
    memory = fsrs.next_memory(None, 0, Rating.EASY)
    for _ in range(100):
        memory = fsrs.next_memory(memory, round(fsrs.interval(memory.stability, 0.9)), Rating.EASY)
    assert memory.stability == 36_500


@given(memories, st.floats(0, 10_000), st.floats(0, 10_000))
def test_recall_starts_sure_and_fades(memory, a, b):
    early, late = sorted((a, b))
    assert fsrs.retrievability(memory, 0) == 1
    assert 0 < fsrs.retrievability(memory, late) <= fsrs.retrievability(memory, early) <= 1


def test_recall_is_ninety_percent_after_the_stability():
    for stability in (0.01, 1.0, 365.0):
        assert isclose(fsrs.retrievability(Memory(stability, 5.0), stability), 0.9)


@given(st.floats(0.01, 1000), st.floats(*fsrs.RETENTION_RANGE))
def test_the_interval_is_when_recall_is_what_was_desired(stability, retention):
    days = fsrs.interval(stability, retention)
    if days < 36_500:
        assert isclose(fsrs.retrievability(Memory(stability, 5.0), days), retention, rel_tol=1e-9)


def test_a_clock_that_went_back_counts_as_the_same_day():
    """AnkiDroid 4516."""
    memory = Memory(5.0, 5.0)
    assert fsrs.next_memory(memory, -3, Rating.GOOD) == fsrs.next_memory(memory, 0, Rating.GOOD)
    assert fsrs.retrievability(memory, -3) == 1


@pytest.mark.parametrize("retention", [0, -1, 0.69, 0.995, 1.0, float("nan")])
def test_a_desired_retention_without_a_schedule_is_refused(retention):
    with pytest.raises(ValueError, match=r"desired retention is .* from 0\.7 to 0\.99"):
        fsrs.interval(10.0, retention)


def test_weights_out_of_range_are_refused_by_name():
    weights = list(fsrs.DEFAULT_WEIGHTS)
    weights[15] = 1.2
    with pytest.raises(ValueError, match=r"w15 is 1\.2; it must lie from 0 to 1"):
        fsrs.check_weights(weights)
    weights[15] = float("nan")
    with pytest.raises(ValueError, match="w15"):
        fsrs.check_weights(weights)
    with pytest.raises(ValueError, match="21 weights, not 19"):
        fsrs.check_weights(weights[:19])


def test_weights_in_single_precision_are_accepted():
    assert fsrs.check_weights(oracle.DEFAULT_PARAMETERS)
    at_the_edge = [*fsrs.DEFAULT_WEIGHTS[:20], 0.800000011920929]
    assert fsrs.check_weights(at_the_edge)


def test_a_real_log_of_12580_reviews_ends_where_fsrs_rs_ends(shared: Path):
    """Replayed through the schedule, with study days from 04:00."""
    with (shared / "facts" / "review_log.csv").open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["review_time"])
    log = [
        Review(
            row["card_id"],
            datetime.fromisoformat(row["review_time"]).astimezone(UTC),
            Rating(int(row["review_rating"])),
        )
        for row in rows
    ]
    assert len(log) == 12_580
    calendar = StudyCalendar(UTC, 4)
    by_card: dict[str, list[oracle.FSRSReview]] = {}
    last = {}
    for review in log:
        day = calendar.day(review.at)
        gap = (day - last.get(review.prompt, day)).days
        by_card.setdefault(review.prompt, []).append(oracle.FSRSReview(int(review.rating), gap))
        last[review.prompt] = day
    schedules = replay(log, ScheduleSettings(calendar=calendar))
    expected = DEFAULT.memory_state_batch(
        [oracle.FSRSItem(reviews) for reviews in by_card.values()]
    )
    assert len(schedules) == len(expected)
    for prompt, state in zip(by_card, expected, strict=True):
        assert_same(schedules[prompt].memory, state)
        assert schedules[prompt].reviews == len(by_card[prompt])
