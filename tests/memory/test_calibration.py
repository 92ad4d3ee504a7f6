"""Predicted against actual recall."""

from __future__ import annotations

import csv
import random
from datetime import UTC, date, datetime, timedelta
from math import log
from pathlib import Path

import pytest

from quizapp.memory.calibration import calibration
from quizapp.memory.days import StudyCalendar
from quizapp.memory.history import Event, walk
from quizapp.memory.model import Rating, Review
from quizapp.memory.schedule import ScheduleSettings

DAY = date(2026, 12, 1)


def event(predicted: float, passed: bool, elapsed: int | None = 3) -> Event:
    rating = Rating.GOOD if passed else Rating.AGAIN
    review = Review("a/main", datetime(2026, 12, 1, tzinfo=UTC), rating)
    return Event(review, DAY, elapsed, 3, predicted, lapse=not passed)


def test_nothing_is_calibrated_by_nothing():
    found = calibration([event(1.0, True, elapsed=0)])
    assert (found.bins, found.log_loss, found.rmse) == ((), None, None)


def test_one_bin_by_hand():
    found = calibration([event(0.8, True), event(0.6, False)], bins=1)
    (only,) = found.bins
    assert (only.low, only.high, only.predicted) == (0.6, 0.8, pytest.approx(0.7))
    assert only.actual.rate == 0.5
    assert found.log_loss == pytest.approx(-(log(0.8) + log(0.4)) / 2)
    assert found.rmse == pytest.approx(0.2)


def test_bins_hold_equally_many_in_order():
    found = calibration([event(n / 100, n % 2 == 0) for n in range(1, 100)], bins=10)
    assert {bin_.actual.total for bin_ in found.bins} == {9, 10}
    assert sum(bin_.actual.total for bin_ in found.bins) == 99
    lows = [bin_.low for bin_ in found.bins]
    assert lows == sorted(lows)


def test_a_certain_prediction_that_fails_costs_much_and_not_infinity():
    found = calibration([event(1.0, False)])
    assert found.log_loss == pytest.approx(-log(1e-9))


def test_true_predictions_calibrate_and_shifted_ones_do_not():
    source = random.Random(7)
    chances = [source.uniform(0.5, 1.0) for _ in range(5000)]
    outcomes = [source.random() < chance for chance in chances]
    right = calibration(map(event, chances, outcomes))
    wrong = calibration(map(event, [chance - 0.3 for chance in chances], outcomes))
    assert right.rmse < 0.03
    assert wrong.rmse == pytest.approx(0.3, abs=0.03)
    assert right.log_loss < wrong.log_loss


def test_a_real_log_is_predicted_better_than_by_its_average(shared: Path):
    with (shared / "facts" / "review_log.csv").open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["review_time"])
    reviews = [
        Review(
            row["card_id"],
            datetime.fromisoformat(row["review_time"]).astimezone(UTC),
            Rating(int(row["review_rating"])),
        )
        for row in rows
    ]
    events = walk(reviews, ScheduleSettings(calendar=StudyCalendar(UTC, 4)))
    outcomes = [item.passed for item in events if item.tests_memory]
    average = sum(outcomes) / len(outcomes)
    by_average = -(average * log(average) + (1 - average) * log(1 - average))
    found = calibration(events)
    assert sum(bin_.actual.total for bin_ in found.bins) == len(outcomes)
    assert found.log_loss < by_average
    assert timedelta(0) < events[-1].review.at - events[0].review.at
