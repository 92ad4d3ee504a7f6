"""Reads a study page: a title, then parts under headings in Chinese or English, in any order.

The page's own wording is kept.  A line that is not understood is told, and kept in the card
under a heading of its own, so nothing of a page is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from quizapp.cards.importing import parts
from quizapp.cards.importing.lines import (
    PageLine,
    Part,
    bare,
    heading,
    is_plain,
    is_question,
    page_lines,
)
from quizapp.cards.kinds import Lang
from quizapp.cards.model import Card, Case, Concept, FollowUp, Section

UNREAD = {Lang.EN: "Not understood", Lang.ZH: "未能识别"}
"""The heading under which lines are kept that no part understood."""
TITLE_LINES = 3
"""At most so many lines make a title, the later ones questions."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader of the page should know."""

    line: int
    """From 1; 0 for the page as a whole."""
    text: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A card, and what was not understood of its page."""

    card: Card
    notes: tuple[Note, ...]


@dataclass(slots=True)
class _Block:
    part: Part | None
    title: str
    lines: list[PageLine]
    number: int
    """Line of its heading."""


def import_page(text: str, name: str) -> Imported:
    """Read a page; ``name`` becomes the card's id.  No text raises."""
    lines = page_lines(text)
    title, rest = _title(lines)
    blocks = _blocks(rest)
    lang = _language(text)
    reader = _Reader(lang)
    for block in blocks:
        reader.take(block)
    if not title:
        reader.note(0, "the page has no title; the name is used")
    return reader.imported(parts.slug(name) or "page", title or name.strip() or "page")


def _title(lines: list[PageLine]) -> tuple[str, list[PageLine]]:
    """Split off the first line, and the questions that go on from it."""
    start = next((i for i, line in enumerate(lines) if line.text), None)
    if start is None or lines[start].code:
        return "", lines
    found = heading(lines[start])
    if found is not None and found[0] is not None and not is_question(lines[start].text):
        return "", lines
    titles = [bare(lines[start].text)]
    end = start + 1
    while end < len(lines) and len(titles) < TITLE_LINES:
        text = lines[end].text
        if text and not (is_question(text) and heading(lines[end]) is None):
            break
        if text:
            titles.append(bare(text))
        end += 1
    return " ".join(titles), lines[end:]


def _blocks(lines: list[PageLine]) -> list[_Block]:
    blocks = [_Block(None, "", [], 0)]
    for line in lines:
        found = heading(line)
        if found is None:
            blocks[-1].lines.append(line)
            continue
        part, title, behind = found
        blocks.append(_Block(part, title, [], line.number))
        if behind:
            blocks[-1].lines.append(PageLine(line.number, behind, raw=behind))
    return [block for block in blocks if block.title or any(line.text for line in block.lines)]


def _language(text: str) -> Lang:
    """Take a page for Chinese if every tenth of its characters is Han."""
    visible = [character for character in text if not character.isspace()]
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    return Lang.ZH if han * 10 > len(visible) else Lang.EN


class _Reader:
    def __init__(self, lang: Lang) -> None:
        self._lang = lang
        self._read = parts.Read()
        self._prose: dict[Part, list[str]] = {}
        self._extra: list[Section] = []
        self._notes: list[Note] = []
        self._seen: set[Part] = set()

    def note(self, line: int, text: str) -> None:
        """Tell something."""
        self._notes.append(Note(line, text))

    def take(self, block: _Block) -> None:
        """Read one block."""
        if block.part is None:
            self._keep(block)
            return
        if block.part in self._seen:
            self.note(block.number, f"{block.title!r}: a second part of its kind; joined")
        self._seen.add(block.part)
        if not any(line.text for line in block.lines):
            self.note(block.number, f"{block.title!r}: nothing stands under this heading")
        match block.part:
            case Part.CONCEPTS:
                self._add(parts.concepts(block.lines))
            case Part.CASES:
                self._add(parts.cases(block.lines))
            case Part.POINTS:
                self._add(parts.points(block.lines))
            case Part.FOLLOW_UPS:
                self._add(parts.follow_ups(block.lines))
            case Part.SOURCES:
                self._add(parts.sources(block.lines))
            case part:
                self._prose.setdefault(part, []).append(parts.prose(block.lines))
        self._tell_heading(block)

    def imported(self, id_: str, title: str) -> Imported:
        """Return the card."""
        read = self._read
        for number, point in enumerate(read.points, 1):
            read.points[number - 1] = replace(point, id=f"P{number}")
        self._tell_missing()
        card = Card(
            id=id_,
            lang=self._lang,
            title=title,
            concepts=tuple(_unique(read.concepts)),
            diagram=self._text(Part.DIAGRAM),
            answer=self._text(Part.ANSWER),
            by_hand=self._text(Part.BY_HAND),
            cases=tuple(_unique(read.cases)),
            points=tuple(read.points),
            follow_ups=tuple(_unique(read.follow_ups)),
            sources=tuple(read.sources),
            extra=tuple(_merged(self._extra)),
        )
        return Imported(card, tuple(sorted(self._notes, key=lambda note: note.line)))

    def _text(self, part: Part) -> str:
        return "\n\n".join(text for text in self._prose.get(part, []) if text)

    def _add(self, read: parts.Read) -> None:
        own = self._read
        own.concepts += read.concepts
        own.cases += read.cases
        own.points += read.points
        own.follow_ups += read.follow_ups
        own.sources += read.sources
        self._leave(read.left)

    def _keep(self, block: _Block) -> None:
        """Keep a block whose heading says nothing to us, as it is."""
        if block.title:
            self.note(block.number, f"{block.title!r}: no such part is known; kept as it is")
            self._extra.append(Section(block.title, parts.prose(block.lines)))
        else:
            self._leave([line for line in block.lines if line.text])

    def _leave(self, lines: Sequence[PageLine]) -> None:
        for line in lines:
            self.note(line.number, f"not understood, kept as it is: {line.text[:80]}")
        if lines:
            self._extra.append(Section(UNREAD[self._lang], parts.prose(lines)))

    def _tell_heading(self, block: _Block) -> None:
        """A heading that says more than its part is told, since the card has its own."""
        if block.part is not None and not is_plain(block.part, block.title):
            self.note(block.number, f"{block.title!r}: read as the part {block.part}")

    def _tell_missing(self) -> None:
        for part in (Part.ANSWER, Part.POINTS):
            if part not in self._seen:
                self.note(0, f"the page has no {part.value}; write it into the card")


def _merged(sections: Sequence[Section]) -> list[Section]:
    merged: dict[str, list[str]] = {}
    for section in sections:
        merged.setdefault(section.heading, []).append(section.text)
    return [Section(title, "\n\n".join(filter(None, texts))) for title, texts in merged.items()]


Identified = TypeVar("Identified", Concept, Case, FollowUp)


def _unique(items: Sequence[Identified]) -> Iterator[Identified]:
    """Yield the items, those whose id was used before under a new one."""
    seen: set[str] = set()
    for item in items:
        made, number = item.id, 2
        while made in seen:
            made, number = f"{item.id}-{number}", number + 1
        seen.add(made)
        yield replace(item, id=made)
