"""Medians, ratios of medians, and how far to trust them.

Variants are timed in rounds, every variant once a round, so the samples of one round share
its weather.  Resampling whole rounds keeps that pairing: a slow round slows numerator and
denominator together and cancels.  Intervals are of 95 %.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from statistics import median

RESAMPLES = 2000
SEED = 20_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured number and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Estimate:
        """A number that was counted, not measured."""
        return cls(value, value, value)

    def __mul__(self, factor: float) -> Estimate:
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Estimate:
        return self * (1 / divisor)

    def __rtruediv__(self, dividend: float) -> Estimate:
        return Estimate(dividend / self.value, dividend / self.high, dividend / self.low)

    @property
    def spread(self) -> float:
        """Half the interval over the value: 0.01 means known to one per cent."""
        return (self.high - self.low) / 2 / abs(self.value) if self.value else 0.0


def interval(samples: Sequence[float]) -> Estimate:
    """The median of ``samples`` and its interval.

    The interval is between two order statistics, from the binomial distribution: exact for
    any distribution of the samples.  Under six samples it is all of them.
    """
    ordered = sorted(samples)
    if not ordered:
        raise ValueError("no samples")
    rank = _rank(len(ordered))
    return Estimate(median(ordered), ordered[rank], ordered[-1 - rank])


def ratio(over: Sequence[float], under: Sequence[float], resamples: int = RESAMPLES) -> Estimate:
    """The ratio of two medians, paired by round."""
    return combined(lambda a, b: a / b, over, under, resamples=resamples)


def combined(
    formula: Callable[..., float], *columns: Sequence[float], resamples: int = RESAMPLES
) -> Estimate:
    """``formula`` of the columns' medians, with its interval from resampled rounds.

    All columns have one sample a round, in the same order of rounds.
    """
    rounds = len(columns[0])
    if rounds == 0 or any(len(column) != rounds for column in columns):
        raise ValueError("every column needs the same number of samples, at least one")
    value = formula(*map(median, columns))
    draw = random.Random(SEED).choices
    numbers = range(rounds)
    replicates = []
    for _ in repeat(None, resamples):
        chosen = draw(numbers, k=rounds)
        medians = (median([column[i] for i in chosen]) for column in columns)
        replicates.append(formula(*medians))
    replicates.sort()
    tail = int(resamples * 0.025)
    return Estimate(value, replicates[tail], replicates[-1 - tail])


@cache
def _rank(count: int) -> int:
    """Index of the greatest k-th smallest with P(Binomial(count, ½) < k) ≤ 2.5 %."""
    below, rank = 0.0, 0
    while rank < count // 2:
        below += math.comb(count, rank) / 2**count
        if below > 0.025:
            break
        rank += 1
    return max(0, rank - 1)
