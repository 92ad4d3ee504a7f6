"""Splits Markdown into the items of its lists and whatever stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.cards.outline import Line, split_id, text_of

_MARKER = re.compile(r"( {0,3}(?:[-*+]|\d{1,9}[.)]))(?:([ \t]+)(.*)|)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A list item without its marker and indentation, or the text between two lists."""

    line: int
    lines: tuple[Line, ...]
    item: bool

    @property
    def text(self) -> str:
        """The text; of an item with its id, if it has one."""
        text = text_of(self.lines)
        return text.lstrip() if self.item else text

    def identified(self) -> tuple[str, str]:
        """Return text and id; the id stands at the end of the item, else of its first line."""
        text, id_ = split_id(self.text)
        first, newline, rest = text.partition("\n")
        if not id_ and newline:
            first, id_ = split_id(first)
            text = f"{first}\n{rest}" if id_ else text
        return text, id_


def chunks(lines: Sequence[Line]) -> Iterator[Chunk]:
    """Split lines into items and the text between them; blank ends are left out."""
    gathered: list[Line] = []
    offset = 0
    for line in lines:
        marked = None if _same_code(line, gathered) else _marker(line, offset)
        if marked is None and _continues(line, gathered, offset):
            gathered.append(_dedented(line, offset))
            continue
        yield from _chunk(gathered, offset)
        gathered, offset = [line if marked is None else marked[0]], marked[1] if marked else 0
    yield from _chunk(gathered, offset)


def _chunk(lines: list[Line], offset: int) -> Iterator[Chunk]:
    if offset or not all(line.blank for line in lines):
        number = next((line.number for line in lines if not line.blank), lines[0].number)
        yield Chunk(number, tuple(lines), bool(offset))


def _marker(line: Line, offset: int) -> tuple[Line, int] | None:
    """Return the first line of an item and the indentation its other lines need."""
    match = _MARKER.fullmatch(line.text)
    if match is None or (offset and _indentation(line.text) >= offset):
        return None
    space = len((match[2] or " ").expandtabs(4))
    width = len(match[1]) + (space if space <= 4 else 1)
    return Line(line.number, match[3] or "", line.code), width


def _continues(line: Line, gathered: Sequence[Line], offset: int) -> bool:
    if not gathered:
        return False
    if not offset or line.blank or _same_code(line, gathered):
        return True
    # A line right below the item's text goes on with it however it is indented.
    return _indentation(line.text) >= offset or not gathered[-1].blank


def _same_code(line: Line, gathered: Sequence[Line]) -> bool:
    return bool(line.code and gathered and gathered[-1].code == line.code)


def _indentation(text: str) -> int:
    expanded = text.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def _dedented(line: Line, offset: int) -> Line:
    start, column = 0, 0
    while start < len(line.text) and column < offset and line.text[start] in " \t":
        column += 1 if line.text[start] == " " else 4 - column % 4
        start += 1
    return Line(line.number, line.text[start:], line.code)
