"""Medians, ratios and their intervals."""

from __future__ import annotations

import random
from statistics import median

import pytest

from demos.bootstrap import Estimate, combined, interval, ratio


def test_interval_of_the_median_by_the_binomial_distribution() -> None:
    """For 15 samples the 4th smallest and largest: P(Binomial(15, ½) < 4) = 1.8 %."""
    known = interval([float(i) for i in range(1, 16)])
    assert (known.low, known.value, known.high) == (4.0, 8.0, 12.0)


def test_few_samples_give_all_of_them() -> None:
    known = interval([3.0, 1.0, 2.0])
    assert (known.low, known.value, known.high) == (1.0, 2.0, 3.0)
    with pytest.raises(ValueError, match="no samples"):
        interval([])


def test_interval_holds_the_median_as_often_as_it_says() -> None:
    draw = random.Random(1)
    held = 0
    for _ in range(1000):
        known = interval([draw.expovariate(1.0) for _ in range(25)])
        held += known.low <= 0.6931 <= known.high
    assert 930 <= held <= 990


def test_ratio_of_paired_rounds_is_not_fooled_by_drift() -> None:
    """The machine gets three times slower; the ratio in every round stays 2."""
    slow = [2.0 * (1 + i / 10) for i in range(20)]
    fast = [1.0 * (1 + i / 10) for i in range(20)]
    known = ratio(slow, fast)
    assert known.value == pytest.approx(2)
    assert known.high - known.low < 1e-9
    assert interval(slow).spread > 0.2


def test_ratio_interval_holds_the_true_ratio_as_often_as_it_says() -> None:
    draw = random.Random(2)
    held = 0
    for _ in range(200):
        over = [draw.gauss(3.0, 0.3) for _ in range(20)]
        under = [draw.gauss(1.0, 0.1) for _ in range(20)]
        known = ratio(over, under, resamples=200)
        held += known.low <= 3.0 <= known.high
    assert 176 <= held <= 200


def test_combined_is_the_formula_of_the_medians_and_repeats_itself() -> None:
    a, b, c = [1.0, 2.0, 3.0], [4.0, 5.0, 9.0], [2.0, 2.0, 2.0]
    known = combined(lambda x, y, z: (x + y) / z, a, b, c)
    assert known.value == (median(a) + median(b)) / 2
    assert known == combined(lambda x, y, z: (x + y) / z, a, b, c)
    with pytest.raises(ValueError, match="same number"):
        combined(lambda x, y: x, a, b[:2])


def test_arithmetic_keeps_the_interval_in_order() -> None:
    known = Estimate(2.0, 1.0, 4.0)
    assert known * 3 == Estimate(6.0, 3.0, 12.0)
    assert known / 2 == Estimate(1.0, 0.5, 2.0)
    assert 4 / known == Estimate(2.0, 1.0, 4.0)
    assert Estimate.exact(5).spread == 0
