"""Splits Markdown into the rows of its tables and whatever stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.cards.outline import Line

_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Row:
    """One row below a table's head."""

    line: int
    cells: tuple[str, ...]


def rows(lines: Sequence[Line]) -> Iterator[Row | Line]:
    """Yield the rows of all tables, and every line that is in none of them."""
    run: list[Line] = []
    for line in lines:
        if "|" in line.text and not line.code:
            run.append(line)
            continue
        yield from _table(run)
        run = []
        yield line
    yield from _table(run)


def _table(run: Sequence[Line]) -> Iterator[Row | Line]:
    """Yield the rows of consecutive lines with bars, or the lines if they are no table."""
    if len(run) < 2 or not _DELIMITER.fullmatch(run[1].text):
        yield from run
        return
    for line in run[2:]:
        yield Row(line.number, cells(line.text))


def cells(text: str) -> tuple[str, ...]:
    """Split a row into its cells; ``\\|`` is a bar within one."""
    found = _BAR.split(text.strip())
    if not found[0].strip():
        found = found[1:]
    if found and not found[-1].strip():
        found = found[:-1]
    return tuple(cell.replace("\\|", "|").strip() for cell in found)


def row(texts: Sequence[str]) -> str:
    """Write cells as a row that :func:`cells` reads back."""
    inside = (" ".join(text.split("\n")).strip().replace("|", "\\|") for text in texts)
    return f"| {' | '.join(inside)} |"
