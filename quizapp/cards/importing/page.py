"""Reads a study page: a title, then parts under headings in Chinese or English, in any order.

The page's own wording is kept.  A line that is not understood is told, and kept in the card
under a heading of its own; at the end every word of the page is accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quizapp.cards.importing import headings
from quizapp.cards.importing.accounting import missing, texts
from quizapp.cards.importing.drafting import Drafter, slug
from quizapp.cards.importing.headings import Block
from quizapp.cards.importing.lines import PageLine, bare, is_question, page_lines
from quizapp.cards.importing.notes import Note
from quizapp.cards.kinds import Lang
from quizapp.cards.model import Card

TITLE_LINES = 3
"""At most so many lines make a title."""
LONGEST_TITLE = 60
"""Characters beyond which the second line of a page is an introduction."""
LONGEST_FRONT = 40
"""Lines."""
_KEY = re.compile(r"[\w-]+\s*:|\s|$|- |#")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}")


@dataclass(frozen=True, slots=True)
class Imported:
    """A card, and what was not understood of its page."""

    card: Card
    notes: tuple[Note, ...]
    """By line."""


def import_page(text: str, name: str) -> Imported:
    """Read a page; ``name`` becomes the card's id.  No text raises."""
    front, below = _front(page_lines(text))
    lines = [line for line in below if line.code or not _RULE.fullmatch(line.text)]
    title, rest = _title(lines)
    blocks = headings.blocks(rest)
    blocks[0].lines[:0] = front
    drafter = Drafter(language(text))
    for block in blocks:
        drafter.take(block)
    if not title:
        drafter.note(0, "the page has no title; its name is used")
    if not slug(name):
        drafter.note(0, f"{name!r} has no letters or digits for an id; the card is called page")
    card = drafter.card(slug(name) or "page", title or " ".join(name.split()) or "page")
    notes = [*drafter.notes, *_lost(_content(lines, rest, blocks), card, drafter)]
    return Imported(card, tuple(sorted(notes, key=lambda note: note.line)))


def language(text: str) -> Lang:
    """Take a page for Chinese if every tenth of its characters is Han."""
    visible = sum(not character.isspace() for character in text)
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    return Lang.ZH if han * 10 > visible else Lang.EN


def _front(lines: list[PageLine]) -> tuple[list[PageLine], list[PageLine]]:
    """Split off a front matter, as note-taking programs write it; it is not for us to read."""
    ends = [i for i, line in enumerate(lines[:LONGEST_FRONT]) if line.text == "---"]
    if len(ends) < 2 or ends[0] or not all(_KEY.match(x.raw) for x in lines[1 : ends[1]]):
        return [], lines
    return lines[1 : ends[1]], lines[ends[1] + 1 :]


def _title(lines: list[PageLine]) -> tuple[str, list[PageLine]]:
    """Split off the title: the first line, and what goes on with it right below."""
    start = next((i for i, line in enumerate(lines) if line.text), None)
    if start is None or lines[start].code:
        return "", lines
    first = headings.recognise(lines[start])
    if first is not None and first.place is not None and (first.exact or first.level > 1):
        return "", lines
    titles = [bare(lines[start].text)]
    end = start + 1
    while end < len(lines) and len(titles) < TITLE_LINES and _goes_on(lines, start, end):
        if lines[end].text:
            titles.append(bare(lines[end].text))
        end += 1
    return " ".join(titles), lines[end:]


def _goes_on(lines: Sequence[PageLine], start: int, end: int) -> bool:
    line = lines[end]
    if not line.text:
        return True
    if line.code or headings.recognise(line) is not None:
        return False
    below = lines[end + 1] if end + 1 < len(lines) else None
    alone = below is None or not below.text or headings.recognise(below) is not None
    plain = headings.recognise(lines[start]) is None and end == start + 1
    short = len(line.text) <= LONGEST_TITLE and not line.text.endswith(("。", "."))
    return is_question(line.text) or (plain and alone and short)


def _content(
    lines: Sequence[PageLine], rest: Sequence[PageLine], blocks: Sequence[Block]
) -> list[PageLine]:
    """Return the lines whose words must be kept: all but the headings that name a part."""
    title = lines[: len(lines) - len(rest)]
    found = [*title]
    for block in blocks:
        if block.heading is not None and not block.heading.exact:
            found.append(PageLine(block.number, block.heading.title))
        found += block.lines
    return found


def _lost(lines: Sequence[PageLine], card: Card, drafter: Drafter) -> list[Note]:
    """Tell the words that no part took up; with these, nothing of a page is lost."""
    return [
        Note(line.number, f"not in the card: {words}", "")
        for line, words in missing(lines, [*texts(card), *drafter.told])
    ]
