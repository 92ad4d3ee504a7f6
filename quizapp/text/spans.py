"""A line as pieces of text with roles; the interface gives each role its colours."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from quizapp.text.cells import cell_width


class Role(StrEnum):
    """What a piece of text is."""

    TEXT = "text"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"
    HEADING = "heading"
    SUBHEADING = "subheading"
    MUTED = "muted"
    """Less important than the rest: rules, marks, addresses."""
    LINK = "link"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    ACCENT = "accent"
    BAR = "bar"
    BASELINE = "baseline"
    MARK = "mark"
    """A predicted value in a chart."""
    CHOSEN = "chosen"
    """Where the cursor is."""
    KEY = "key"
    """A key to press."""


class Span(NamedTuple):
    """Text in one role; it holds no line ends and nothing that acts on a terminal."""

    text: str
    role: Role = Role.TEXT


Line = tuple[Span, ...]
"""One row of cells."""


def plain(line: Iterable[Span]) -> str:
    """Return the text of a line alone."""
    return "".join(span.text for span in line)


def line_width(line: Iterable[Span]) -> int:
    """Return the cells of a line."""
    return sum(cell_width(span.text) for span in line)


def cut(spans: Iterable[Span], start: int, end: int) -> Line:
    """Return the characters from ``start`` to ``end`` of a line, with their roles."""
    kept: list[Span] = []
    offset = 0
    for text, role in spans:
        if offset >= end:
            break
        if offset + len(text) > start:
            kept.append(Span(text[max(0, start - offset) : end - offset], role))
        offset += len(text)
    return joined(kept)


def joined(spans: Iterable[Span]) -> Line:
    """Return a line with neighbours of one role made one, and empty pieces left out."""
    merged: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        if merged and merged[-1].role == span.role:
            merged[-1] = Span(merged[-1].text + span.text, span.role)
        else:
            merged.append(span)
    return tuple(merged)
