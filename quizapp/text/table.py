"""Tables of any text in any width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from quizapp.text.spans import Line, Role, Span, line_width
from quizapp.text.wrap import wrap

GAP = 2
"""Cells between columns."""
NARROWEST = 8
"""Cells under which a column is not worth reading: the table is stacked instead."""


def table_lines(rows: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Lay a table out, the first row being its head, in lines of at most ``width`` cells."""
    if not rows:
        return []
    columns = max(map(len, rows))
    whole = [[*row, *[()] * (columns - len(row))] for row in rows]
    widths = _widths(whole, width - GAP * (columns - 1))
    if widths is None:
        return list(_stacked(whole, width))
    return list(_grid(whole, widths))


def _widths(rows: Sequence[Sequence[Line]], room: int) -> list[int] | None:
    """Return the columns' widths: as wide as they like to be, or cut down from the widest."""
    wanted = [max(1, *(line_width(cell) for cell in column)) for column in zip(*rows, strict=True)]
    if sum(wanted) <= room:
        return wanted
    if room < NARROWEST * len(wanted):
        return None
    share = room // len(wanted)
    narrow = [w if w <= share else 0 for w in wanted]
    left = room - sum(narrow)
    wide = [i for i, w in enumerate(narrow) if not w]
    total = sum(wanted[i] for i in wide)
    for i in wide:
        narrow[i] = max(NARROWEST, left * wanted[i] // total)
    return narrow if sum(narrow) <= room else None


def _grid(rows: Sequence[Sequence[Line]], widths: Sequence[int]) -> Iterator[Line]:
    for number, row in enumerate(rows):
        cells = [
            wrap(_headed(cell) if number == 0 else cell, width)
            for cell, width in zip(row, widths, strict=True)
        ]
        tall = any(len(cell) > 1 for cell in cells)
        for pieces in zip_longest(*cells, fillvalue=()):
            yield _row(pieces, widths)
        if number == 0:
            yield (Span("─" * (sum(widths) + GAP * (len(widths) - 1)), Role.MUTED),)
        elif tall and number < len(rows) - 1:
            yield ()


def _row(pieces: Sequence[Line], widths: Sequence[int]) -> Line:
    spans: list[Span] = []
    for column, (piece, width) in enumerate(zip(pieces, widths, strict=True)):
        spans += piece
        if column < len(widths) - 1:
            spans.append(Span(" " * (width - line_width(piece) + GAP)))
    return tuple(spans)


def _stacked(rows: Sequence[Sequence[Line]], width: int) -> Iterator[Line]:
    """Yield each row as a paragraph a cell, the column's head before it."""
    head, *body = rows
    for number, row in enumerate(body):
        if number:
            yield ()
        for title, cell in zip(head, row, strict=True):
            label = (*_headed(title), Span(": ", Role.MUTED)) if title else ()
            yield from wrap((*label, *cell), width, indent=2)


def _headed(cell: Line) -> Line:
    return tuple(Span(span.text, Role.STRONG) for span in cell)
