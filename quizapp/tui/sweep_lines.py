"""A run's sweep as a plot: what becomes of the variants as one size grows."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.charts.plot import Series, plot
from quizapp.charts.scale import Axis, short
from quizapp.proof.protocol import Measurement
from quizapp.proof.run import RunResult
from quizapp.proof.sweep import Sweep, sweeps
from quizapp.text.cells import safe
from quizapp.text.spans import Line, Role
from quizapp.tui.words import Words

HEIGHT = 8
MOST_WIDTH = 100
DECADE = 10.0
"""Ratio of the ends from which an axis is logarithmic."""
ROLES = (Role.BAR, Role.WARN, Role.GOOD, Role.BAD, Role.ACCENT, Role.MARK)


def sweep_plots(result: RunResult, clock: str, words: Words, width: int) -> Iterator[Line]:
    """Yield a plot of each sweep.

    Of two variants or more: how many times as fast as the baseline each of the others is.  Of
    one: what it gets done in a second, FLOPs if it counts any, else bytes.
    """
    for sweep in sweeps(result, clock):
        series, label = _series(result, sweep, words)
        values = [y for one in series for _, y in one.points]
        if not values:
            continue
        log = max(values) / min(values) >= DECADE
        yield from plot(
            series,
            Axis(_over(sweep)),
            Axis(label, short, log),
            min(width, MOST_WIDTH),
            HEIGHT,
            words.sweep_several,
        )
        yield ()


def _over(sweep: Sweep) -> str:
    point = sweep.spots[0][1].point
    fixed = [f"{name} {value}" for name, value in point.items() if name != sweep.over]
    return safe(", ".join([sweep.over, *fixed]))


def _series(result: RunResult, sweep: Sweep, words: Words) -> tuple[list[Series], str]:
    names = sweep.variants
    if len(names) == 1:
        return _rates(sweep, names[0], words)
    order = result.started.variants if result.started else ()
    marked = (v.name for v in order if v.baseline and v.name in names)
    base = next(marked, names[0] if names else "")
    reference = dict(sweep.curve(base))
    found = []
    for number, name in enumerate(name for name in names if name != base):
        points = tuple(
            (size, reference[size] / seconds)
            for size, seconds in sweep.curve(name)
            if size in reference
        )
        found.append(Series(safe(name), points, ROLES[number % len(ROLES)]))
    return found, safe(words.sweep_times.format(other=base))


def _rates(sweep: Sweep, name: str, words: Words) -> tuple[list[Series], str]:
    counted = [time for _, spot in sweep.spots for time in spot.times if time.variant == name]
    flops = all(time.flops for time in counted)
    points = tuple((size, _rate(time, flops)) for size, time in _timed(sweep, name))
    unit = "FLOP/s" if flops else "B/s" if all(time.bytes for time in counted) else "1/s"
    return [Series(safe(name), points)], words.sweep_rate.format(unit=unit)


def _timed(sweep: Sweep, name: str) -> Iterator[tuple[float, Measurement]]:
    for size, spot in sweep.spots:
        for time in spot.times:
            if time.variant == name:
                yield size, time


def _rate(time: Measurement, flops: bool) -> float:
    return (time.flops if flops else time.bytes or 1) / time.seconds
