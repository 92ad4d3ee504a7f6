"""Splits Markdown into headed blocks by lines, so that every line lands in exactly one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.cards.problems import Report

# A heading of the file stands in the first column: an indented one belongs to a list item.
_HEADING = re.compile(r"(#{1,3})(?:[ \t]+(.*))?")
_FENCE = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})(.*)")
_ID = re.compile(r"\{#([A-Za-z0-9._-]+)\}$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file."""

    number: int
    text: str
    code: int = 0
    """Number of the line that opens the fenced block this line is in, for nothing in it is
    structure; 0 outside."""

    @property
    def blank(self) -> bool:
        """Tell whether there is nothing but white space."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Block:
    """A heading and the lines up to the next one; without a heading, the lines before the first."""

    level: int
    """0 without a heading."""
    heading: str
    line: int
    lines: tuple[Line, ...]


def scan(text: str, first_line: int, report: Report | None = None) -> tuple[Line, ...]:
    """Number the lines and mark fenced code; a fence that is never closed is ordinary text."""
    lines = text.split("\n")
    closers = _closers(lines)
    fence, opened = "", 0
    found = []
    for i, line in enumerate(lines):
        inside = opened if fence else 0
        if fence:
            if _closes(line, fence):
                fence = ""
        elif (match := _FENCE.match(line)) is not None:
            fence, opened = match[1], first_line + i
            if closers[i + 1].get(fence[0], 0) < len(fence):
                if report is not None:
                    report.error(
                        first_line + i,
                        f"the code block opened with {fence} is never closed",
                        f"add a line {fence} where it ends",
                    )
                fence = ""
            inside = opened if fence else 0
        found.append(Line(first_line + i, line, inside))
    return tuple(found)


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(fence) and set(stripped) == {fence[0]}


def _closers(lines: Sequence[str]) -> list[dict[str, int]]:
    """For each line, the longest closing fence of either sort from there on."""
    longest: dict[str, int] = {}
    found = [longest]
    for line in reversed(lines):
        stripped = line.strip()
        if stripped and set(stripped) in ({"`"}, {"~"}):
            longest = longest | {stripped[0]: max(len(stripped), longest.get(stripped[0], 0))}
        found.append(longest)
    return found[::-1]


def heading(line: Line) -> tuple[int, str] | None:
    """Return level and text of the heading that a line is, or ``None``."""
    match = None if line.code else _HEADING.fullmatch(line.text)
    return (len(match[1]), (match[2] or "").strip()) if match else None


def split(lines: Sequence[Line], *levels: int) -> Iterator[Block]:
    """Split at the headings of these levels; the lines before the first come first, if any."""
    level, text, number = 0, "", lines[0].number if lines else 1
    gathered: list[Line] = []
    for line in lines:
        found = heading(line)
        if found is None or found[0] not in levels:
            gathered.append(line)
            continue
        if level or gathered:
            yield Block(level, text, number, tuple(gathered))
        (level, text), number, gathered = found, line.number, []
    if level or gathered:
        yield Block(level, text, number, tuple(gathered))


def escape(text: str, levels: tuple[int, ...]) -> str:
    """Put a backslash before what would be read as a heading of the file or an open fence."""
    return "\n".join(_escaped(line, levels) for line in scan(text, 1))


def _escaped(line: Line, levels: tuple[int, ...]) -> str:
    if line.code:
        return line.text
    found = heading(line)
    if found is not None and found[0] in levels:
        return f"\\{line.text}"
    fence = _FENCE.match(line.text)
    if fence is not None:
        return f"{line.text[: fence.start(1)]}\\{line.text[fence.start(1) :]}"
    return line.text


def text_of(lines: Sequence[Line]) -> str:
    """Return the text of lines without blank ones at its ends."""
    start, end = 0, len(lines)
    while start < end and lines[start].blank:
        start += 1
    return "\n".join(line.text for line in lines[start:end]).rstrip()


def first_line(lines: Sequence[Line]) -> int:
    """Return the number of the first line that is not blank."""
    return next((line.number for line in lines if not line.blank), lines[0].number if lines else 1)


def split_id(text: str) -> tuple[str, str]:
    """Split ``text {#id}`` into text and id; the id is empty if there is none."""
    stripped = text.rstrip()
    match = _ID.search(stripped)
    return (stripped[: match.start()].rstrip(), match[1]) if match else (stripped, "")
