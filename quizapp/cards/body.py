"""Reads what stands below the front matter: title, sections, and all that fits in none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizapp.cards import sections
from quizapp.cards.lists import Chunk, chunks
from quizapp.cards.model import Card, Case, Concept, FollowUp, Lang, Point, Section, Source
from quizapp.cards.outline import Block, Line, first_line, split, split_id, text_of
from quizapp.cards.problems import Report
from quizapp.cards.sections import Place
from quizapp.cards.tables import Row, rows


class BodyReader:
    """Reads one file's body, line by line into the fields of a card."""

    def __init__(self, id_: str, lang: Lang, report: Report) -> None:
        self._id = id_
        self._lang = lang
        self._report = report
        self._strays: list[str] = []
        self._extra: list[Section] = []
        self.lines: dict[tuple[str, ...], int] = {}

    def read(self, lines: Sequence[Line]) -> Card:
        """Return the card's text."""
        title = ""
        places: dict[Place, Block] = {}
        for block in split(lines, 1, 2):
            if block.level == 1 and not title:
                title = block.heading
                self.lines["section", "title"] = block.line
                self._stray(block.lines, "stands before the first section")
            elif not block.level:
                self._stray(block.lines, "stands before the title")
            else:
                self._section(block, places)
        if not title:
            line = lines[0].number if lines else 1
            self._report.error(line, "the card has no title", "add a line: # The main question")
        return self._card(title or self._id, places)

    def _section(self, block: Block, places: dict[Place, Block]) -> None:
        place = sections.recognise(block.heading)
        if not block.heading:
            self._stray(block.lines, "stands under an empty heading")
        elif place is None:
            self._unknown(block)
        elif place in places:
            self._report.error(
                block.line,
                f"the section {block.heading!r} stands twice, first on line {places[place].line}",
                "put both together; until then the second is shown as it is",
            )
            self._extra.append(Section(block.heading, text_of(block.lines)))
        else:
            places[place] = block
            self.lines["section", place] = block.line
            self._spelling(block)

    def _unknown(self, block: Block) -> None:
        like = sections.similar(block.heading)
        self._report.warn(
            block.line,
            f"{block.heading!r} is no section of the format",
            f"did you mean {like!r}? It is kept and shown as it is"
            if like
            else "it is kept and shown as it is",
        )
        self._extra.append(Section(block.heading, text_of(block.lines)))

    def _spelling(self, block: Block) -> None:
        """Point out a line that was surely meant as a heading: ``##Cases``."""
        for line in block.lines:
            text = line.text.strip()
            marks = len(text) - len(text.lstrip("#"))
            if not line.code and 1 <= marks <= 2 and sections.recognise(text):
                self._report.warn(
                    line.number,
                    f"{line.text!r} is not a heading",
                    "begin the line with ## and a space",
                )

    def _card(self, title: str, places: dict[Place, Block]) -> Card:
        body = {place: places[place].lines if place in places else () for place in Place}
        concepts = tuple(self._concepts(body[Place.CONCEPTS]))
        cases = tuple(self._cases(body[Place.CASES]))
        points = tuple(self._points(body[Place.POINTS]))
        follow_ups = tuple(self._follow_ups(body[Place.FOLLOW_UPS]))
        strays = "\n\n".join(self._strays)
        return Card(
            id=self._id,
            lang=self._lang,
            title=title,
            concepts=concepts,
            diagram=text_of(body[Place.DIAGRAM]),
            answer=text_of(body[Place.ANSWER]),
            by_hand=text_of(body[Place.BY_HAND]),
            cases=cases,
            points=points,
            follow_ups=follow_ups,
            sources=tuple(
                Source(text) for c in chunks(body[Place.SOURCES]) if (text := c.text.strip())
            ),
            extra=((Section("", strays),) if strays else ()) + tuple(self._extra),
        )

    def _concepts(self, lines: Sequence[Line]) -> Iterator[Concept]:
        for id_, name, text, points in self._headed(lines, "concept"):
            yield Concept(id_, name, text, points)

    def _follow_ups(self, lines: Sequence[Line]) -> Iterator[FollowUp]:
        for id_, question, answer, points in self._headed(lines, "followup"):
            yield FollowUp(id_, question, answer, points)

    def _headed(
        self, lines: Sequence[Line], kind: str
    ) -> Iterator[tuple[str, str, str, tuple[Point, ...]]]:
        """Read ``### Name {#id}``, a text, and a list of points at its end."""
        for number, block in enumerate((b for b in split(lines, 3) if self._is_headed(b)), 1):
            name, id_ = split_id(block.heading)
            if not name:
                self._report.error(block.line, "a heading is empty", "write the name after ###")
            text, points = self._text_and_points(block.lines)
            yield self._named(id_, block.line, f"{kind}-{number}"), name, text, points

    def _is_headed(self, block: Block) -> bool:
        if not block.level:
            self._stray(block.lines, "stands before the first ### heading of its section")
        return bool(block.level)

    def _text_and_points(self, lines: Sequence[Line]) -> tuple[str, tuple[Point, ...]]:
        """Take the items with ids at the very end of a text as its points."""
        start, points = trailing_points(lines)
        if points and start and points[0].line > lines[0].number:
            self._unmarked(lines[:start])
        found = tuple(self._point(chunk, "") for chunk in points)
        return text_of(lines[:start]), found

    def _unmarked(self, lines: Sequence[Line]) -> None:
        before = list(chunks(lines))
        if before and before[-1].item:
            self._report.warn(
                before[-1].line,
                "an item right before the points has no id, so that it is text",
                "give it an id, or put a sentence between it and the points",
            )

    def _points(self, lines: Sequence[Line]) -> Iterator[Point]:
        number = 0
        for chunk in chunks(lines):
            if chunk.item:
                number += 1
                yield self._point(chunk, f"P{number}")
            else:
                self._stray(chunk.lines, "stands between the points")

    def _point(self, chunk: Chunk, fallback: str) -> Point:
        text, id_ = chunk.identified()
        if not text:
            self._report.error(chunk.line, "a point has no text", "write it before its id")
        return Point(self._named(id_, chunk.line, fallback), text)

    def _cases(self, lines: Sequence[Line]) -> Iterator[Case]:
        around: list[Line] = []
        number = 0
        for found in rows(lines):
            if isinstance(found, Row):
                number += 1
                yield self._case(found, f"case-{number}")
            else:
                around.append(found)
        if any("|" in line.text for line in around):
            self._report.error(
                next(line.number for line in around if "|" in line.text),
                "this is not a table yet",
                "begin with a row of column names and a row |---|---|---|",
            )
        self._stray(around, "stands beside the table of cases")

    def _case(self, row: Row, fallback: str) -> Case:
        if len(row.cells) != 3:
            self._report.error(
                row.line,
                f"a row of the cases has {len(row.cells)} cells and not 3",
                "write situation, result and reason; a bar within a cell is \\|",
            )
        situation, result, *rest = (*row.cells, "", "", "")[: max(3, len(row.cells))]
        situation, id_ = split_id(situation)
        if not situation:
            self._report.error(row.line, "a case has no situation", "fill the first cell")
        return Case(
            self._named(id_, row.line, fallback), situation, result, " | ".join(rest).strip()
        )

    def _named(self, id_: str, line: int, fallback: str) -> str:
        """Register an id; a missing one is made up so that the card can be read meanwhile."""
        if not id_:
            self._report.error(
                line,
                "this has no id, and its history would be lost",
                f"end it with {{#{fallback}}}",
            )
            id_ = fallback
        first = self.lines.setdefault(("id", id_), line)
        if first != line:
            self._report.error(
                line, f"the id {id_} stands already on line {first}", "give it one of its own"
            )
        return id_

    def _stray(self, lines: Sequence[Line], where: str) -> None:
        text = text_of(lines)
        if text:
            self._strays.append(text)
            self._report.warn(
                first_line(lines), f"text {where}", "move it into a section; it is shown as it is"
            )


def trailing_points(lines: Sequence[Line]) -> tuple[int, list[Chunk]]:
    """Return the items with ids that end a text, and the index of the line they begin on."""
    found: list[Chunk] = []
    for chunk in reversed(list(chunks(lines))):
        if not chunk.item or not chunk.identified()[1]:
            break
        found.insert(0, chunk)
    first = found[0].lines[0].number if found else None
    start = next((i for i, line in enumerate(lines) if line.number == first), len(lines))
    return start, found
