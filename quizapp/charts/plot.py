"""Several series of points over two axes, joined by dotted lines, cell-exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from quizapp.charts.scale import Axis, Scale
from quizapp.text.cells import cell_width, clip, pad
from quizapp.text.spans import Line, Role, Span, joined
from quizapp.text.wrap import wrap

MARKERS = "●○▲△■□◆◇"
ASCII_MARKERS = "ox+*#%&="
SEVERAL, ASCII_SEVERAL = "◎", "@"
"""Where points of several series fall into one cell."""
DOT, ASCII_DOT = "·", "."
APART = 3
"""Cells between two entries of the legend."""
LEAST_HEIGHT = 3
LEAST_ROOM = 12
"""Cells of width under which the points get the room of the labels at their left."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot."""

    label: str
    points: tuple[tuple[float, float], ...]
    role: Role = Role.BAR


class Cell(NamedTuple):
    """What is drawn in a cell: a point over a line, the first line over the later ones."""

    text: str
    role: Role
    series: int
    """-1 where several meet."""


Cells = dict[tuple[int, int], Cell]
"""By row and column."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the cells are."""

    x: Scale
    y: Scale
    width: int
    height: int

    def column(self, x: float) -> int:
        return round(self.x.share(x) * (self.width - 1))

    def row(self, y: float) -> int:
        """Rows are counted from the top."""
        return self.height - 1 - round(self.y.share(y) * (self.height - 1))


def plot(
    series: Sequence[Series],
    x: Axis,
    y: Axis,
    width: int,
    height: int = 10,
    several: str = "",
    ascii_only: bool = False,
) -> list[Line]:
    """Return the plot in lines of at most ``width`` cells, ``height`` of them over the x axis.

    The x axis names the points themselves, as many as there is room for, the y axis round
    values; ``several`` is the legend's word for a cell that holds points of several series.
    ``ValueError`` for a number that has no place on its axis.
    """
    drawn = [one for one in series if one.points]
    if not drawn or width < 2:
        return []
    xs = sorted({point[0] for one in drawn for point in one.points})
    heights = Scale.over([point[1] for one in drawn for point in one.points], y.log)
    height = max(LEAST_HEIGHT, height)
    ticks = {}
    rows = _Frame(heights, heights, 2, height)
    for tick in heights.ticks(max(3, height // 2)):
        ticks[rows.row(tick)] = y.shown(tick)
    gutter = max(cell_width(text) for text in (*ticks.values(), ""))
    if width - gutter - 1 < LEAST_ROOM:
        gutter = 0
    frame = _Frame(Scale.over(xs, x.log), heights, width - gutter - 1, height)
    cells = _cells(drawn, frame, ascii_only)
    return [
        *wrap((Span(y.label, Role.MUTED),), width),
        *_rows(cells, frame, ticks, gutter, ascii_only),
        *_foot(xs, frame, x, gutter, ascii_only),
        *_legend(drawn, cells, width, several, ascii_only),
    ]


def _cells(
    series: Sequence[Series], frame: _Frame, ascii_only: bool
) -> dict[tuple[int, int], Cell]:
    cells: dict[tuple[int, int], Cell] = {}
    dot = ASCII_DOT if ascii_only else DOT
    for number, one in enumerate(series):
        for at in _line(one, frame):
            cells.setdefault(at, Cell(dot, one.role, number))
    points: Cells = {}
    for number, one in enumerate(series):
        marker = _marker(number, ascii_only)
        for px, py in one.points:
            at = frame.row(py), frame.column(px)
            if at in points and points[at].series != number:
                points[at] = Cell(ASCII_SEVERAL if ascii_only else SEVERAL, Role.STRONG, -1)
            else:
                points[at] = Cell(marker, one.role, number)
    return cells | points


def _line(one: Series, frame: _Frame) -> Iterator[tuple[int, int]]:
    """Yield the cells between neighbouring points, one a column."""
    points = sorted(one.points)
    for (x1, y1), (x2, y2) in pairwise(points):
        start, end = frame.column(x1), frame.column(x2)
        first, last = frame.y.share(y1), frame.y.share(y2)
        for column in range(start + 1, end):
            share = first + (last - first) * (column - start) / (end - start)
            yield frame.height - 1 - round(share * (frame.height - 1)), column


def _marker(number: int, ascii_only: bool) -> str:
    markers = ASCII_MARKERS if ascii_only else MARKERS
    return markers[number % len(markers)]


def _rows(
    cells: Cells,
    frame: _Frame,
    ticks: dict[int, str],
    gutter: int,
    ascii_only: bool,
) -> Iterator[Line]:
    tick, wall = "||" if ascii_only else "┤│"
    blank = Cell(" ", Role.TEXT, -1)
    for row in range(frame.height):
        label = pad(ticks.get(row, ""), gutter, right=True) if gutter else ""
        edge = Span(label + (tick if row in ticks else wall), Role.MUTED)
        line = (cells.get((row, column), blank) for column in range(frame.width))
        yield joined((edge, *(Span(cell.text, cell.role) for cell in line)))


def _foot(
    xs: Sequence[float], frame: _Frame, axis: Axis, gutter: int, ascii_only: bool
) -> Iterator[Line]:
    corner, tick, floor = "++-" if ascii_only else "└┴─"
    named = dict(_named(xs, frame, axis))
    marks = "".join(tick if column in named else floor for column in range(frame.width))
    yield (Span(" " * gutter + corner + marks, Role.MUTED),)
    labels = ""
    for start, text in sorted(named.values()):
        labels += " " * (start - cell_width(labels)) + text
    yield (Span(" " * (gutter + 1) + labels, Role.MUTED),)
    whole = gutter + 1 + frame.width
    yield (Span(pad(axis.label, whole, right=True), Role.MUTED),)


def _named(xs: Sequence[float], frame: _Frame, axis: Axis) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield the columns that are named, with where the name starts: the last, then the others."""
    taken = frame.width + 1
    for value in reversed(xs):
        column, text = frame.column(value), axis.shown(value)
        size = cell_width(text)
        start = min(max(0, column - size // 2), frame.width - size)
        if start >= 0 and start + size < taken:
            taken = start
            yield column, (start, text)


def _legend(
    series: Sequence[Series],
    cells: Cells,
    width: int,
    several: str,
    ascii_only: bool,
) -> Iterator[Line]:
    entries = [(_marker(n, ascii_only), one.role, one.label) for n, one in enumerate(series)]
    mark = ASCII_SEVERAL if ascii_only else SEVERAL
    if several and any(cell.text == mark for cell in cells.values()):
        entries.append((mark, Role.STRONG, several))
    spans: list[Span] = []
    used = 0
    for marker, role, label in entries:
        name = clip(label, max(0, width - 2))
        size = cell_width(marker) + 1 + cell_width(name)
        if spans and used + APART + size > width:
            yield joined(spans)
            spans, used = [], 0
        apart = APART if spans else 0
        spans += (Span(" " * apart), Span(f"{marker} ", role), Span(name))
        used += apart + size
    yield joined(spans)
