"""What each part of a page holds; lines that a part does not understand are given back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quizapp.cards.importing.lines import (
    PageLine,
    bare,
    cells,
    is_question,
    is_rule,
    item,
    paragraphs,
)
from quizapp.cards.model import Case, Concept, FollowUp, Point, Source

TERM = 40
"""Characters beyond which a line is a definition and no term."""
_PAIR = re.compile(r"^(?:\*\*|__)?(.{1,60}?)(?:\*\*|__)?\s*(?:[:：]|\s[—–-]\s|——)\s*(?:\*\*)?(.+)$")
_ENDS = ("。", ".", "；", ";", "，", ",", "！", "!")
_HEADS = re.compile(
    r"情况|场景|结果|原因|situation|result|case|why|reason|outcome|when", re.IGNORECASE
)


@dataclass(slots=True)
class Read:
    """What came of a part."""

    concepts: list[Concept] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    follow_ups: list[FollowUp] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    left: list[PageLine] = field(default_factory=list)
    """Lines that were not understood."""


def concepts(lines: Sequence[PageLine]) -> Read:
    """Read a glossary: ``term: definition``, or a term and its definition on the next line."""
    read = Read()
    pairs: list[tuple[str, list[str]]] = []
    waiting = False
    for line in lines:
        if not line.text:
            continue
        text = bare(line.text)
        pair = _PAIR.match(item(line.text) or line.text)
        if not waiting and pair and len(pair[1].strip("*_ ")) <= TERM:
            pairs.append((pair[1].strip("*_ "), [pair[2].strip()]))
        elif not waiting and len(text) <= TERM and not text.endswith(_ENDS):
            pairs.append((text, []))
            waiting = True
        elif pairs:
            pairs[-1][1].append(text)
            waiting = False
        else:
            read.left.append(line)
    ids = Ids("concept")
    read.concepts = [Concept(ids.make(term), term, "\n\n".join(text)) for term, text in pairs]
    return read


def cases(lines: Sequence[PageLine]) -> Read:
    """Read a table of situation, result and reason."""
    read = Read()
    ids = Ids("case")
    rows = 0
    for line in lines:
        if not line.text:
            continue
        row = cells(line)
        if row is None or not 2 <= len(row) <= 3:
            read.left.append(line)
            continue
        if is_rule(row):
            continue
        rows += 1
        if rows == 1 and all(_HEADS.search(cell) for cell in row):
            continue
        situation, result, *reason = row
        read.cases.append(Case(ids.make(""), situation, result, reason[0] if reason else ""))
    return read


def points(lines: Sequence[PageLine]) -> Read:
    """Read the must-hit points: one a line, or one an item with the lines that continue it."""
    read = Read()
    texts: list[str] = []
    listed = any(item(line.text) is not None for line in lines)
    for line in lines:
        if not line.text:
            continue
        own = item(line.text)
        if own is None and listed and texts and line.raw[:1].isspace():
            texts[-1] += f" {line.text}"
        else:
            texts.append(own if own is not None else line.text)
    read.points = [Point(f"P{number}", text) for number, text in enumerate(texts, 1)]
    return read


def follow_ups(lines: Sequence[PageLine]) -> Read:
    """Read questions, each with the lines below it as its answer."""
    read = Read()
    found: list[tuple[str, list[list[str]]]] = []
    marked = any(line.text.startswith("#") for line in lines if not line.code)
    for line in lines:
        if not line.text:
            if found and found[-1][1] and found[-1][1][-1]:
                found[-1][1].append([])
            continue
        asks = line.text.startswith("#") if marked else is_question(bare(line.text))
        if asks and not line.code:
            found.append((re.sub(r"^(?:Q|问)\s*[:：]\s*", "", bare(line.text)), [[]]))
        elif found:
            blocks = found[-1][1] or [[]]
            blocks[-1].append(line.raw if line.code else line.text)
        else:
            read.left.append(line)
    read.follow_ups = [
        FollowUp(f"followup-{number}", question, _joined(blocks))
        for number, (question, blocks) in enumerate(found, 1)
    ]
    return read


def sources(lines: Sequence[PageLine]) -> Read:
    """Read the sources: one a line, or several parted by dots."""
    read = Read()
    for line in lines:
        text = item(line.text) or line.text
        read.sources += [
            Source(piece.strip()) for piece in re.split(r"\s*·\s+|\s+·\s*", text) if piece.strip()
        ]
    return read


def prose(lines: Sequence[PageLine]) -> str:
    """Return lines as Markdown, blank lines and code blocks kept."""
    return "\n\n".join(
        "\n".join(line.raw if line.code else line.text for line in run)
        for run in paragraphs(list(lines))
    )


def _joined(blocks: Sequence[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block)


class Ids:
    """Makes ids of terms, each once: ``kernel-fusion``, or a number where a term has no letters."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._made: set[str] = set()

    def make(self, term: str) -> str:
        """Return a new id for a term."""
        base = slug(term) or f"{self._kind}-{len(self._made) + 1}"
        made, number = base, 2
        while made in self._made:
            made, number = f"{base}-{number}", number + 1
        self._made.add(made)
        return made


def slug(text: str) -> str:
    """Return a text as an id: lower-case letters, digits and hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:40].strip("-")
