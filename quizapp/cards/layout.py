"""Lays a card's text out as Markdown: with ids for its file, without them for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.cards import outline, tables
from quizapp.cards.body import trailing_points
from quizapp.cards.model import Card, Case, Lang, Point
from quizapp.cards.sections import CASE_COLUMNS, HEADINGS, Place

_TOP = (1, 2)
_ANY = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the text of a card is laid out."""

    lang: Lang
    """Language of the headings."""
    ids: bool
    """Whether headings, points and cases end in their ``{#id}``."""

    def document(self, card: Card) -> str:
        """Return title and sections."""
        blocks = [f"# {_one_line(card.title)}"]
        blocks += [_block(section.text) for section in card.extra if not section.heading]
        for place, content in self._sections(card):
            if content:
                blocks += [f"## {HEADINGS[place][self.lang]}", content]
        for section in card.extra:
            if section.heading:
                blocks += [f"## {_one_line(section.heading)}", _block(section.text)]
        return _joined(blocks) + "\n"

    def _sections(self, card: Card) -> Iterator[tuple[Place, str]]:
        concepts = (self._headed(c.id, c.name, c.text, c.points) for c in card.concepts)
        follow_ups = (self._headed(f.id, f.question, f.answer, f.points) for f in card.follow_ups)
        yield Place.CONCEPTS, "\n\n".join(concepts)
        yield Place.DIAGRAM, _block(card.diagram)
        yield Place.ANSWER, _block(card.answer)
        yield Place.BY_HAND, _block(card.by_hand)
        yield Place.CASES, self._cases(card.cases)
        yield Place.POINTS, self._points(card.points)
        yield Place.FOLLOW_UPS, "\n\n".join(follow_ups)
        yield Place.SOURCES, "\n".join(_item(source.text, "") for source in card.sources)

    def _headed(self, id_: str, name: str, text: str, points: Sequence[Point]) -> str:
        heading = f"### {_one_line(name)}{self._mark(id_)}"
        return _joined([heading, _prose(text), self._points(points)])

    def _points(self, points: Sequence[Point]) -> str:
        return "\n".join(_item(point.text, self._mark(point.id)) for point in points)

    def _cases(self, cases: Sequence[Case]) -> str:
        if not cases:
            return ""
        rows = [CASE_COLUMNS[self.lang], ("---", "---", "---")]
        rows += [(f"{_one_line(c.situation)}{self._mark(c.id)}", c.result, c.reason) for c in cases]
        return "\n".join(tables.row([_one_line(cell) for cell in row]) for row in rows)

    def _mark(self, id_: str) -> str:
        return f" {{#{id_}}}" if self.ids else ""


def _joined(blocks: Sequence[str]) -> str:
    return "\n\n".join(block for block in blocks if block)


def _item(text: str, mark: str) -> str:
    lines = outline.scan(outline.escape(_lines(text).strip(), ()), 1)
    written = [line.text for line in lines]
    if mark and lines[-1].code:
        written.append(mark.strip())
    else:
        written[-1] += mark
    first, *rest = written
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _one_line(text: str) -> str:
    return " ".join(_lines(text).split("\n")).strip()


def _block(text: str, levels: tuple[int, ...] = _TOP) -> str:
    escaped = outline.escape(_lines(text), levels)
    return outline.text_of(outline.scan(escaped, 1))


def _prose(text: str) -> str:
    """Write a text that a list of points may follow, so that it does not end in one itself."""
    block = _block(text, _ANY)
    start, points = trailing_points(outline.scan(block, 1))
    if not points:
        return block
    lines = block.split("\n")
    for i in range(start, len(lines)):
        if outline.split_id(lines[i])[1]:
            cut = lines[i].rindex("{#")
            lines[i] = f"{lines[i][:cut]}{{\\#{lines[i][cut + 2 :]}"
    return "\n".join(lines)
