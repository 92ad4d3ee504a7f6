"""Small vertical charts: a sparkline of one row, columns of several, a calendar of shades."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from quizapp.text.cells import cell_width, pad
from quizapp.text.spans import Line, Role, Span, joined

RAMP = " ▁▂▃▄▅▆▇█"
ASCII_RAMP = " .:-=+*#@"
SHADES = ("·", "░", "▒", "▓", "█")
ASCII_SHADES = (".", "-", "+", "*", "#")


def sparkline(values: Sequence[float], ascii_only: bool = False) -> str:
    """Return one cell a value, from an empty cell for 0 to a full one for the greatest."""
    ramp = ASCII_RAMP if ascii_only else RAMP
    top = _top(values)
    return "".join(ramp[_level(value, top, len(ramp) - 1)] for value in values)


def columns(
    values: Sequence[float], labels: Sequence[str], height: int, ascii_only: bool = False
) -> list[Line]:
    """Return columns of ``height`` rows over their labels, each as wide as its label and a blank.

    A value above 0 is always seen.
    """
    ramp = ASCII_RAMP if ascii_only else RAMP
    steps = len(ramp) - 1
    top = _top(values)
    levels = [_level(value, top, steps * height) for value in values]
    widths = [max(2, cell_width(label)) for label in labels]
    lines = [
        joined(
            Span(ramp[min(steps, max(0, level - row * steps))] * width + " ", Role.BAR)
            for level, width in zip(levels, widths, strict=True)
        )
        for row in reversed(range(height))
    ]
    foot = joined(
        Span(pad(label, w) + " ", Role.MUTED) for label, w in zip(labels, widths, strict=True)
    )
    return [*lines, foot]


def calendar(
    counts: Mapping[date, int], today: date, weeks: int, ascii_only: bool = False
) -> list[Line]:
    """Return seven rows, Monday first, of the last ``weeks`` weeks: the darker, the more."""
    shades = ASCII_SHADES if ascii_only else SHADES
    start = today - timedelta(days=today.weekday() + 7 * (weeks - 1))
    top = max(counts.values(), default=0)
    rows: list[Line] = []
    for weekday in range(7):
        days = [start + timedelta(days=7 * week + weekday) for week in range(weeks)]
        cells = (" " if day > today else _shade(counts.get(day, 0), top, shades) for day in days)
        rows.append((Span("".join(cell + " " for cell in cells), Role.GOOD),))
    return rows


def _shade(count: int, top: int, shades: Sequence[str]) -> str:
    if count <= 0:
        return shades[0]
    return shades[max(1, math.ceil(count / top * (len(shades) - 1)))]


def _top(values: Sequence[float]) -> float:
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise ValueError("a column needs numbers from 0 up")
    return max(values, default=0.0)


def _level(value: float, top: float, steps: int) -> int:
    if value <= 0 or top <= 0:
        return 0
    return max(1, round(value / top * steps))
