"""Tables of any text in any width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest

from quizapp.text.spans import Line, Role, Span, line_width, plain
from quizapp.text.wrap import longest_unit, wrap

GAP = 2
"""Cells between columns."""
NARROWEST = 8
"""Cells under which a column is not worth reading: the table is stacked instead."""
LONGEST_UNIT = 20
"""Cells up to which a column is kept wide enough for its longest word."""


class Align(StrEnum):
    """Where the text of a column stands."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


def table_lines(
    rows: Sequence[Sequence[Line]], width: int, aligns: Sequence[Align] = ()
) -> list[Line]:
    """Lay a table out, the first row being its head, in lines of at most ``width`` cells."""
    if not rows:
        return []
    columns = max(map(len, rows))
    whole = [[*row, *[()] * (columns - len(row))] for row in rows]
    aligned = [*aligns, *[Align.LEFT] * columns][:columns]
    widths = _widths(whole, width - GAP * (columns - 1))
    if widths is None:
        return list(_stacked(whole, width))
    return list(_grid(whole, widths, aligned))


def _widths(rows: Sequence[Sequence[Line]], room: int) -> list[int] | None:
    """Return the columns' widths: what they like, or no word split and the rest shared out."""
    columns = [*zip(*rows, strict=True)]
    wanted = [max(1, *map(line_width, column)) for column in columns]
    if sum(wanted) <= room:
        return wanted
    least = [
        min(w, max(NARROWEST, min(LONGEST_UNIT, max(longest_unit(plain(c)) for c in column))))
        for w, column in zip(wanted, columns, strict=True)
    ]
    spare = room - sum(least)
    if spare < 0:
        return None
    wishes = [w - n for w, n in zip(wanted, least, strict=True)]
    return [n + spare * wish // sum(wishes) for n, wish in zip(least, wishes, strict=True)]


def _grid(
    rows: Sequence[Sequence[Line]], widths: Sequence[int], aligns: Sequence[Align]
) -> Iterator[Line]:
    for number, row in enumerate(rows):
        cells = [
            wrap(_headed(cell) if number == 0 else cell, width)
            for cell, width in zip(row, widths, strict=True)
        ]
        tall = any(len(cell) > 1 for cell in cells)
        for pieces in zip_longest(*cells, fillvalue=()):
            yield _row(pieces, widths, aligns)
        if number == 0:
            yield (Span("─" * (sum(widths) + GAP * (len(widths) - 1)), Role.MUTED),)
        elif tall and number < len(rows) - 1:
            yield ()


def _row(pieces: Sequence[Line], widths: Sequence[int], aligns: Sequence[Align]) -> Line:
    spans: list[Span] = []
    for column, (piece, width, align) in enumerate(zip(pieces, widths, aligns, strict=True)):
        blanks = width - line_width(piece)
        before = {Align.LEFT: 0, Align.CENTER: blanks // 2, Align.RIGHT: blanks}[align]
        last = column == len(widths) - 1
        spans += (Span(" " * before), *piece)
        spans.append(Span("" if last else " " * (blanks - before + GAP)))
    return tuple(span for span in spans if span.text)


def _stacked(rows: Sequence[Sequence[Line]], width: int) -> Iterator[Line]:
    """Yield each row as a paragraph a cell, the column's head before it."""
    head, *body = rows
    if not body:
        yield from (line for title in head for line in wrap(_headed(title), width))
    for number, row in enumerate(body):
        if number:
            yield ()
        for title, cell in zip(head, row, strict=True):
            label = (*_headed(title), Span(": ", Role.MUTED)) if title else ()
            yield from wrap((*label, *cell), width, indent=2)


def _headed(cell: Line) -> Line:
    return tuple(Span(span.text, Role.STRONG) for span in cell)
