"""Axes: where a value lies between two ends, and the round values to name there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

STEPS = (1.0, 2.0, 5.0)
"""Multiples of a power of ten that are round enough to be named."""
BINARY = (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10))
DECIMAL = (("G", 1e9), ("M", 1e6), ("k", 1e3))


def short(value: float) -> str:
    """Return a size in few cells: ``64Ki`` for a multiple of 1024, else ``1.5k``, ``0.25``."""
    for unit, factor in BINARY:
        if value and value % factor == 0:
            return f"{value / factor:g}{unit}"
    for unit, scale in DECIMAL:
        if abs(value) >= scale:
            return f"{value / scale:.3g}{unit}"
    return f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a plot."""

    label: str
    shown: Callable[[float], str] = short
    """From a value to the text beside its tick."""
    log: bool = True


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to shares of an axis: 0 at its beginning, 1 at its end."""

    low: float
    high: float
    log: bool

    @classmethod
    def over(cls, values: Sequence[float], log: bool) -> Scale:
        """Return the scale that holds all values; ``ValueError`` for what has no place on it."""
        for value in values:
            if not math.isfinite(value) or (log and value <= 0):
                raise ValueError(f"{value} has no place on {'a logarithmic' if log else 'an'} axis")
        low, high = min(values), max(values)
        if low == high and log:
            low, high = low / 2, high * 2
        elif low == high:
            low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
        return cls(low, high, log)

    def share(self, value: float) -> float:
        """Return where a value lies."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """Return at most ``most`` round values within the scale, evenly chosen."""
        found = self._decades() if self.log else []
        if len(found) < 2:
            found = self._even(most)
        return thinned(found, most)

    def _decades(self) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        powers = [float(f"1e{n}") for n in range(first, last + 1)]
        for steps in ((1.0,), STEPS):
            values = [power * step for power in powers for step in steps]
            inside = [v for v in values if self.low <= v <= self.high]
            if len(inside) >= 3:
                return inside
        return inside

    def _even(self, most: int) -> list[float]:
        """Return multiples of a round step: 1, 2 or 5 times a power of ten."""
        power = 10.0 ** math.floor(math.log10((self.high - self.low) / max(1, most)))
        for step in (power * factor for factor in (*STEPS, 10.0, 20.0)):
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            if last - first < most:
                break
        return [n * step for n in range(first, last + 1)]


def thinned(values: Sequence[float], most: int) -> list[float]:
    """Return every n-th value, so that at most ``most`` are left."""
    stride = max(1, math.ceil(len(values) / max(1, most)))
    return list(values[::stride])
