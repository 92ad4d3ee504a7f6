"""Horizontal bars with a label, a value, an interval and a predicted mark, cell-exact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.text.cells import cell_width, clip, pad
from quizapp.text.spans import Line, Role, Span, joined

EIGHTHS = " ▏▎▍▌▋▊▉█"
ASCII_FULL, ASCII_MARK = "#", "|"
MARK = "┃"
LEAST_LABEL, LEAST_BAR = 6, 8
"""Cells under which a label or a bar says nothing: the bar then has a line of its own."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart."""

    label: str
    value: float | None
    """``None`` while it is not known."""
    shown: str
    """The value as people read it, with its unit."""
    predicted: float | None = None
    role: Role = Role.BAR


def bars(rows: Sequence[Bar], width: int, ascii_only: bool = False) -> list[Line]:
    """Return one line a row, all bars on one scale from 0; ``ValueError`` for no number.

    The predicted value is a mark across the bar, drawn where the bar should end.  No line is
    wider than ``width``: where label, bar and value do not fit into one, each row takes two.
    """
    for row in rows:
        for number in (row.value, row.predicted):
            if number is not None and (not math.isfinite(number) or number < 0):
                raise ValueError(f"{row.label}: {number} cannot be drawn as a bar")
    longest = max((cell_width(row.label) for row in rows), default=0)
    value_width = max((cell_width(row.shown) for row in rows), default=0)
    top = max((n for row in rows for n in (row.value, row.predicted) if n), default=1.0)
    if min(longest, LEAST_LABEL) + LEAST_BAR + value_width + 2 > width:
        return [line for row in rows for line in _stacked(row, max(1, width), top, ascii_only)]
    label_width = min(longest, max(width // 3, LEAST_LABEL), width - value_width - LEAST_BAR - 2)
    room = width - label_width - value_width - 2
    return [
        joined(
            (
                Span(pad(row.label, label_width)),
                Span(" "),
                *_bar(row, room, top, ascii_only),
                Span(" "),
                Span(pad(row.shown, value_width, right=True), Role.STRONG),
            )
        )
        for row in rows
    ]


def _stacked(row: Bar, width: int, top: float, ascii_only: bool) -> Iterator[Line]:
    """Yield the label and the value, then the bar."""
    shown = clip(row.shown, width)
    label = pad(row.label, max(0, width - cell_width(shown) - 1))
    yield joined((Span(label), Span(" " if label else ""), Span(shown, Role.STRONG)))
    yield joined(_bar(row, width, top, ascii_only))


def _bar(row: Bar, room: int, top: float, ascii_only: bool) -> list[Span]:
    cells = _cells((row.value or 0.0) / top * room, room, ascii_only)
    spans = [Span(cell, row.role) for cell in cells]
    if row.predicted is not None:
        at = min(room - 1, max(0, round(row.predicted / top * room) - 1))
        spans[at] = Span(ASCII_MARK if ascii_only else MARK, Role.MARK)
    return spans


def _cells(length: float, room: int, ascii_only: bool) -> list[str]:
    if ascii_only:
        full = min(room, round(length))
        return [ASCII_FULL] * full + [" "] * (room - full)
    eighths = min(room * 8, round(length * 8))
    if length > 0:
        eighths = max(1, eighths)
    full, rest = divmod(eighths, 8)
    cells = ["█"] * full + ([EIGHTHS[rest]] if rest else [])
    return cells + [" "] * (room - len(cells))
