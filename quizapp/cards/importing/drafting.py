"""Gathers the parts of a page into a card, and notes on what was not understood."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from quizapp.cards import sections
from quizapp.cards.importing import parts
from quizapp.cards.importing.asking import Question, questions
from quizapp.cards.importing.glossary import Term, glossary
from quizapp.cards.importing.headings import Block
from quizapp.cards.importing.lines import PageLine
from quizapp.cards.importing.notes import Note
from quizapp.cards.kinds import Lang
from quizapp.cards.model import MAIN, Card, Case, Concept, FollowUp, Point, Section, Source
from quizapp.cards.sections import Place

UNREAD = {Lang.EN: "Not understood", Lang.ZH: "未能识别"}
"""The heading under which lines are kept that no part understood."""
LONGEST_ID = 40


class Drafter:
    """Takes the blocks of a page one after another."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang
        self._terms: list[Term] = []
        self._cases: list[parts.CaseRow] = []
        self._points: list[str] = []
        self._questions: list[Question] = []
        self._sources: list[str] = []
        self._prose: dict[Place, list[str]] = {}
        self._extra: dict[str, list[str]] = {}
        self._seen: set[Place] = set()
        self.notes: list[Note] = []
        self.told: list[str] = []
        """Words of the page that stand in a note and not in the card."""

    def note(self, line: int, text: str, kept: str = "") -> None:
        """Tell something."""
        self.notes.append(Note(line, text, kept))

    def take(self, block: Block) -> None:
        """Read one block."""
        heading = block.heading
        if heading is None:
            self._leave([line for line in block.lines if line.text])
        elif heading.place is None:
            self.note(block.number, f"{heading.title!r}: no such part is known", heading.title)
            self._keep(heading.title, parts.prose(block.lines))
        else:
            self._announce(block, heading.place)
            self._take_part(heading.place, block.lines)

    def _announce(self, block: Block, place: Place) -> None:
        """Tell what is odd about a part's heading."""
        assert block.heading is not None
        title = block.heading.title
        if not block.heading.exact:
            kept = sections.HEADINGS[place][self._lang]
            self.told.append(title)
            self.note(block.number, f"{title!r}: read as the part {kept}", kept)
        if place in self._seen:
            self.note(block.number, f"{title!r}: a second part of its kind; joined to the first")
        if not any(line.text for line in block.lines):
            self.note(block.number, f"{title!r}: nothing stands under this heading")
        self._seen.add(place)

    def _take_part(self, place: Place, lines: list[PageLine]) -> None:
        readers: dict[Place, Callable[[list[PageLine]], None]] = {
            Place.CONCEPTS: self._take_concepts,
            Place.CASES: self._take_cases,
            Place.POINTS: self._take_points,
            Place.FOLLOW_UPS: self._take_questions,
            Place.SOURCES: lambda lines: self._sources.extend(parts.sources(lines)),
        }
        if reader := readers.get(place):
            reader(lines)
        else:
            read = parts.diagram if place is Place.DIAGRAM else parts.prose
            self._prose.setdefault(place, []).append(read(lines))

    def _take_concepts(self, lines: list[PageLine]) -> None:
        found = glossary(lines)
        self._terms += found.terms
        self._leave(found.left)
        for term in found.terms:
            if not any(line.text for line in term.meaning):
                self.note(term.line, f"{term.name!r}: a term without a meaning", term.name)

    def _take_cases(self, lines: list[PageLine]) -> None:
        found = parts.cases(lines)
        self._cases += found.rows
        for head in found.heads:
            self.told.append(head.text)
            self.note(head.number, f"column names that are not ours: {head.text}")
        self._leave(found.left)

    def _take_points(self, lines: list[PageLine]) -> None:
        found, left = parts.points(lines)
        self._points += found
        self._leave(left)

    def _take_questions(self, lines: list[PageLine]) -> None:
        found, left = questions(lines)
        self._questions += found
        self._leave(left)
        for question in found:
            if not any(line.text for line in question.answer):
                self.note(question.line, f"{question.text!r}: a question without an answer")

    def _leave(self, lines: Sequence[PageLine]) -> None:
        kept = UNREAD[self._lang]
        for line in lines:
            self.note(line.number, f"not understood: {line.text}", kept)
        if lines:
            self._keep(kept, parts.prose(lines))

    def _keep(self, title: str, text: str) -> None:
        self._extra.setdefault(title, []).append(text)

    def card(self, id_: str, title: str) -> Card:
        """Return the card."""
        for place in (Place.ANSWER, Place.POINTS):
            if place not in self._seen:
                name = sections.HEADINGS[place][self._lang]
                self.note(0, f"the page has no {name!r}; write it into the card")
        ids = _Ids()
        return Card(
            id=id_,
            lang=self._lang,
            title=title,
            concepts=tuple(
                Concept(ids.of(term.name, f"concept-{n}"), term.name, parts.prose(term.meaning))
                for n, term in enumerate(self._terms, 1)
            ),
            diagram=self._text(Place.DIAGRAM),
            answer=self._text(Place.ANSWER),
            by_hand=self._text(Place.BY_HAND),
            cases=tuple(Case(f"case-{n}", *row) for n, row in enumerate(self._cases, 1)),
            points=tuple(Point(f"P{n}", text) for n, text in enumerate(self._points, 1)),
            follow_ups=tuple(
                FollowUp(f"followup-{n}", question.text, parts.prose(question.answer))
                for n, question in enumerate(self._questions, 1)
            ),
            sources=tuple(Source(text) for text in self._sources),
            extra=tuple(Section(title, _joined(texts)) for title, texts in self._extra.items()),
        )

    def _text(self, place: Place) -> str:
        return _joined(self._prose.get(place, ()))


def _joined(texts: Sequence[str]) -> str:
    return "\n\n".join(text for text in texts if text)


class _Ids:
    """Makes ids of terms: none twice, and none of those that other prompts have."""

    def __init__(self) -> None:
        self._taken = {MAIN}
        self._used: Counter[str] = Counter()

    def of(self, term: str, fallback: str) -> str:
        """Return ``kernel-fusion``, or the fallback where a term has no Latin letters."""
        base = slug(term)
        if not base or re.fullmatch(r"(?:case|followup|concept)-\d+|\d+", base):
            base = fallback
        made = base
        while made in self._taken:
            self._used[base] += 1
            made = f"{base}-{self._used[base] + 1}"
        self._taken.add(made)
        return made


def slug(text: str) -> str:
    """Return a text as an id: lower-case letters, digits and hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:LONGEST_ID].strip("-")
