"""FSRS-6: how a memory changes with a review, and when it will have faded.

Source: "The Algorithm" on the wiki of open-spaced-repetition's awesome-fsrs, and fsrs-rs,
whose choices we follow where the page leaves one open.  With S the stability in days, D the
difficulty, t the days since the last review, G the rating 1 to 4 and w the 21 weights::

    R(t, S) = (1 + f t / S) ^ -w20          f = 0.9 ^ (-1 / w20) - 1,  so that R(S, S) = 0.9
    I(r, S) = S / f (r ^ (-1 / w20) - 1)    the t at which R = r

    first      S = w[G - 1]                 D = D0(G) = w4 - exp(w5 (G - 1)) + 1
    same day   S' = S exp(w17 (G - 3 + w18)) S ^ -w19, and S' >= S unless Again
    Again      S' = w11 D ^ -w12 ((S + 1) ^ w13 - 1) exp(w14 (1 - R)), at most S / exp(w17 w18)
    otherwise  S' = S (1 + exp(w8) (11 - D) S ^ -w9 (exp(w10 (1 - R)) - 1) h e)
               h = w15 for Hard, e = w16 for Easy, else 1
    always     D' = w7 D0(4) + (1 - w7) (D - w6 (G - 3) (10 - D) / 9)

S stays within 0.001 and 36,500 days, D within 1 and 10.  Days are whole study days: a second
review on one study day has t = 0, however many hours lie between.  That Hard, too, never
shrinks S on the same day is fsrs-rs's and the benchmark's rule; the page says Good and Easy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, isfinite
from math import pow as power

from quizapp.memory.model import Memory, Rating

DEFAULT_WEIGHTS = (
    *(0.212, 1.2931, 2.3065, 8.2956),  # w0-w3: first stability, by rating
    *(6.4133, 0.8334, 3.0194, 0.001),  # w4-w7: difficulty
    *(1.8722, 0.1666, 0.796),  # w8-w10: stability after recall
    *(1.4835, 0.0614, 0.2629, 1.6483),  # w11-w14: stability after a lapse
    *(0.6014, 1.8729),  # w15 Hard, w16 Easy
    *(0.5425, 0.0912, 0.0658),  # w17-w19: same day
    0.1542,  # w20: decay
)
"""The published defaults, fitted by the authors of FSRS to the reviews of many users."""

STABILITY_RANGE = (0.001, 36_500.0)
"""Days."""
DIFFICULTY_RANGE = (1.0, 10.0)
RETENTION_RANGE = (0.70, 0.99)
"""Below 0.70 most of a day is relearning; above 0.99 nearly everything is due every day."""

WEIGHT_RANGES = (
    *((0.001, 100.0),) * 4,
    *((1.0, 10.0), (0.001, 4.0), (0.001, 4.0), (0.001, 0.75)),
    *((0.0, 4.5), (0.0, 0.8), (0.001, 3.5)),
    *((0.001, 5.0), (0.001, 0.25), (0.001, 0.9), (0.0, 4.0)),
    *((0.0, 1.0), (1.0, 6.0)),
    *((0.0, 2.0), (0.0, 2.0), (0.0, 0.8)),
    (0.1, 0.8),
)
"""Lowest and highest of each weight: what fsrs-rs's fit can give, and nothing else is sane."""


def check_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the weights; raise ``ValueError`` unless they are 21 numbers within their ranges.

    The ranges are what makes Again, Hard, Good and Easy come out in that order.
    """
    if len(weights) != len(DEFAULT_WEIGHTS):
        raise ValueError(f"FSRS-6 has {len(DEFAULT_WEIGHTS)} weights, not {len(weights)}")
    for number, (weight, (low, high)) in enumerate(zip(weights, WEIGHT_RANGES, strict=True)):
        slack = 1e-6 * high  # 0.8 in single precision is 0.80000001
        if not (isfinite(weight) and low - slack <= weight <= high + slack):
            raise ValueError(
                f"weight w{number} is {weight:g}; it must lie from {low:g} to {high:g}"
            )
    return tuple(float(weight) for weight in weights)


def check_retention(retention: float) -> float:
    """Return the desired retention; raise ``ValueError`` where no useful schedule follows."""
    low, high = RETENTION_RANGE
    if not low <= retention <= high:
        raise ValueError(
            f"desired retention is {retention:g}; it must lie from {low:g} to {high:g}"
        )
    return float(retention)


def next_memory(
    memory: Memory | None,
    elapsed_days: float,
    rating: Rating,
    weights: Sequence[float] = DEFAULT_WEIGHTS,
) -> Memory:
    """Return the memory after a review; ``None`` stands for a prompt never reviewed.

    A negative ``elapsed_days`` (a clock that went back) counts as the same day.
    """
    if memory is None:
        return Memory(
            _clamp(weights[rating - 1], STABILITY_RANGE),
            _clamp(_first_difficulty(rating, weights), DIFFICULTY_RANGE),
        )
    if elapsed_days <= 0:
        stability = _same_day(memory, rating, weights)
    elif rating == Rating.AGAIN:
        stability = _forgotten(memory, retrievability(memory, elapsed_days, weights), weights)
    else:
        stability = _recalled(
            memory, retrievability(memory, elapsed_days, weights), rating, weights
        )
    return Memory(
        _clamp(stability, STABILITY_RANGE), _next_difficulty(memory.difficulty, rating, weights)
    )


def retrievability(
    memory: Memory, elapsed_days: float, weights: Sequence[float] = DEFAULT_WEIGHTS
) -> float:
    """Return the probability of recall that many days after the last review."""
    decay = weights[20]
    faded = _factor(decay) * max(elapsed_days, 0.0) / memory.stability
    return power(1.0 + faded, -decay)


def interval(
    stability: float, desired_retention: float, weights: Sequence[float] = DEFAULT_WEIGHTS
) -> float:
    """Return the days, with their fraction, until retrievability is the desired retention."""
    check_retention(desired_retention)
    decay = weights[20]
    days = stability / _factor(decay) * (power(desired_retention, -1.0 / decay) - 1.0)
    return _clamp(days, (0.0, STABILITY_RANGE[1]))


@lru_cache(maxsize=32)
def _factor(decay: float) -> float:
    return power(0.9, -1.0 / decay) - 1.0


def _clamp(value: float, bounds: tuple[float, float]) -> float:
    low, high = bounds
    return low if value < low else high if value > high else value


def _same_day(memory: Memory, rating: Rating, w: Sequence[float]) -> float:
    growth = exp(w[17] * (rating - 3 + w[18])) * power(memory.stability, -w[19])
    if rating != Rating.AGAIN and growth < 1.0:
        return memory.stability
    return memory.stability * growth


def _forgotten(memory: Memory, recall: float, w: Sequence[float]) -> float:
    stability, difficulty = memory.stability, memory.difficulty
    left = w[11] * power(difficulty, -w[12]) * (power(stability + 1.0, w[13]) - 1.0)
    return min(left * exp(w[14] * (1.0 - recall)), stability / exp(w[17] * w[18]))


def _recalled(memory: Memory, recall: float, rating: Rating, w: Sequence[float]) -> float:
    scale = w[15] if rating == Rating.HARD else w[16] if rating == Rating.EASY else 1.0
    ease = exp(w[8]) * (11.0 - memory.difficulty) * power(memory.stability, -w[9])
    return memory.stability * (1.0 + ease * (exp(w[10] * (1.0 - recall)) - 1.0) * scale)


def _first_difficulty(rating: Rating, w: Sequence[float]) -> float:
    return w[4] - exp(w[5] * (rating - 1)) + 1.0


def _next_difficulty(difficulty: float, rating: Rating, w: Sequence[float]) -> float:
    moved = difficulty - w[6] * (rating - 3) * (10.0 - difficulty) / 9.0
    reverted = w[7] * _first_difficulty(Rating.EASY, w) + (1.0 - w[7]) * moved
    return _clamp(reverted, DIFFICULTY_RANGE)
