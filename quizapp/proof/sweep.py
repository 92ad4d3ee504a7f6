"""The times of a run over sizes: which size was varied, and what each variant took there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quizapp.proof.protocol import Measurement
from quizapp.proof.run import RunResult

LEAST_POINTS = 3
"""Sizes from which a curve can be read."""


@dataclass(frozen=True, slots=True)
class Spot:
    """All that was timed at one point, by one clock."""

    point: Mapping[str, Any]
    times: tuple[Measurement, ...]
    """In the order they were measured."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """One size varied while all others stood still."""

    over: str
    """Its name, e.g. ``elements``."""
    spots: tuple[tuple[float, Spot], ...]
    """By size, ascending."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that were timed at enough sizes, in the order they were measured."""
        names = [time.variant for _, spot in self.spots for time in spot.times]
        return tuple(n for n in dict.fromkeys(names) if names.count(n) >= LEAST_POINTS)

    def curve(self, variant: str) -> tuple[tuple[float, float], ...]:
        """Return a variant's sizes and seconds."""
        return tuple(
            (size, time.seconds)
            for size, spot in self.spots
            for time in spot.times
            if time.variant == variant
        )


def spots(result: RunResult, clock: str) -> tuple[Spot, ...]:
    """Return the points of a run with their times by one clock, in the order of measuring.

    Times outside a sweep are no point; a time of nothing is left out.
    """
    found: dict[tuple[tuple[str, str], ...], list[Measurement]] = {}
    for (_, key, own), measurement in result.measurements.items():
        if key and own == clock and measurement.seconds > 0:
            found.setdefault(key, []).append(measurement)
    return tuple(Spot(times[0].point, tuple(times)) for times in found.values())


def sweeps(result: RunResult, clock: str) -> tuple[Sweep, ...]:
    """Return the sweeps of a run; none where no size was varied alone, or at too few values.

    Where a parameter of the run has the name of the size, what was timed outside the points
    was timed at the parameter's value.
    """
    found = spots(result, clock)
    for name in _varied(found):
        groups: dict[str, dict[float, Spot]] = {}
        for spot in found:
            others = {key: value for key, value in spot.point.items() if key != name}
            groups.setdefault(repr(sorted(others.items())), {})[float(spot.point[name])] = spot
        if len(groups) == 1:
            _add_whole(result, clock, name, *groups.values())
        if all(len(group) >= LEAST_POINTS for group in groups.values()):
            return tuple(Sweep(name, tuple(sorted(g.items(), key=_size))) for g in groups.values())
    return ()


def _size(item: tuple[float, Spot]) -> float:
    return item[0]


def _varied(found: Sequence[Spot]) -> Iterator[str]:
    """Yield the names of the sizes that every point has, and not all the same."""
    for name in found[0].point if found else ():
        values = [spot.point.get(name) for spot in found]
        if all(_is_size(value) for value in values) and len(set(values)) > 1:
            yield name


def _is_size(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e18


def _add_whole(result: RunResult, clock: str, name: str, group: dict[float, Spot]) -> None:
    size = result.started.params.get(name) if result.started else None
    swept = {time.variant for spot in group.values() for time in spot.times}
    times = tuple(m for m in result.times(clock) if m.variant in swept and m.seconds > 0)
    if isinstance(size, int | float) and _is_size(size) and times:
        group.setdefault(float(size), Spot({name: size}, times))
