"""Writes a card as its Markdown file; the reader gives the same card back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quizapp.cards import outline, tables, yaml_text
from quizapp.cards.body import trailing_points
from quizapp.cards.front_text import front_tree
from quizapp.cards.model import Card, Case, Lang, Point
from quizapp.cards.sections import CASE_COLUMNS, HEADINGS, Place

_TOP = (1, 2)
_ANY = (1, 2, 3)


def write(card: Card) -> str:
    """Return the card as the text of its file, all machine data included.

    Texts are Markdown and are written as they are; a line that would be taken for the file's
    own structure gets the backslash that makes Markdown show it as it stands.
    """
    blocks = [f"---\n{yaml_text.dump(front_tree(card))}---", f"# {_one_line(card.title)}"]
    blocks += [_block(section.text) for section in card.extra if not section.heading]
    for place, content in _sections(card):
        if content:
            blocks += [f"## {HEADINGS[place][card.lang]}", content]
    for section in card.extra:
        if section.heading:
            blocks += [f"## {_one_line(section.heading)}", _block(section.text)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _sections(card: Card) -> Iterator[tuple[Place, str]]:
    yield Place.CONCEPTS, _headed((c.id, c.name, c.text, c.points) for c in card.concepts)
    yield Place.DIAGRAM, _block(card.diagram)
    yield Place.ANSWER, _block(card.answer)
    yield Place.BY_HAND, _block(card.by_hand)
    yield Place.CASES, _cases(card.cases, card.lang)
    yield Place.POINTS, _points(card.points)
    yield (
        Place.FOLLOW_UPS,
        _headed((f.id, f.question, f.answer, f.points) for f in card.follow_ups),
    )
    yield Place.SOURCES, "\n".join(_item(source.text, "") for source in card.sources)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _one_line(text: str) -> str:
    return " ".join(_lines(text).split("\n")).strip()


def _block(text: str, levels: tuple[int, ...] = _TOP) -> str:
    escaped = outline.escape(_lines(text), levels)
    return outline.text_of(outline.scan(escaped, 1))


def _headed(things: Iterable[tuple[str, str, str, Sequence[Point]]]) -> str:
    blocks = []
    for id_, name, text, points in things:
        blocks += [f"### {_one_line(name)} {{#{id_}}}", _prose(text), _points(points)]
    return "\n\n".join(block for block in blocks if block)


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


def _points(points: Sequence[Point]) -> str:
    return "\n".join(_item(point.text, point.id) for point in points)


def _item(text: str, id_: str) -> str:
    lines = outline.scan(outline.escape(_lines(text).strip(), ()), 1)
    written = [line.text for line in lines]
    if id_ and lines[-1].code:
        written.append(f"{{#{id_}}}")
    elif id_:
        written[-1] = f"{written[-1]} {{#{id_}}}"
    first, *rest = written
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def _cases(cases: Sequence[Case], lang: Lang) -> str:
    if not cases:
        return ""
    rows = [CASE_COLUMNS[lang], ("---", "---", "---")]
    rows += [(f"{_one_line(c.situation)} {{#{c.id}}}", c.result, c.reason) for c in cases]
    return "\n".join(tables.row([_one_line(cell) for cell in row]) for row in rows)
