"""An answer beside its points: what is ticked, what may have been said, and what it comes to.

A pure value and its lines; the review screen holds one and draws it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quizapp.cards.model import Point, PromptKind
from quizapp.memory.model import Rating
from quizapp.recall.calculations import Verdict
from quizapp.recall.grading import parts_of
from quizapp.recall.matching import Finding
from quizapp.recall.score import point_credit
from quizapp.services.review import Outcome, Revealed
from quizapp.store.values import Mode
from quizapp.text.cells import cell_width, safe
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap
from quizapp.tui.words import Words

FULL, HALF, MAYBE, BLANK = "✓", "◐", "?", "·"
CORE = "★"
RATING_SPANS = 5
"""Spans that :func:`rating_lines` makes of each rating."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """What the user says was said: parts of points, and false statements."""

    parts: frozenset[str]
    false: frozenset[str] = frozenset()
    cursor: int = 0
    """Which row is chosen: the points first, then the false statements."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line that can be ticked."""

    id: str
    point: Point | None
    """``None`` for a false statement."""


def rows(revealed: Revealed) -> list[Row]:
    """Return what can be ticked, in order."""
    points = [Row(point.id, point) for point in revealed.asked.prompt.points]
    return points + [Row(id_, None) for id_ in revealed.grade.flagged]


def toggled(ticks: Ticks, row: Row) -> Ticks:
    """Return the ticks with one row changed: all of a point, or nothing of it."""
    if row.point is None:
        return replace(ticks, false=ticks.false ^ {row.id})
    ids = frozenset(part.id for part in parts_of(row.point))
    said = point_credit(row.point, ticks.parts) >= 1
    return replace(ticks, parts=ticks.parts - ids if said else ticks.parts | ids)


@dataclass(frozen=True, slots=True)
class Appraisal:
    """Everything that is shown once an answer is revealed."""

    revealed: Revealed
    ticks: Ticks
    outcome: Outcome

    def lines(self, words: Words, width: int) -> tuple[list[Line], dict[int, int]]:
        """Return the lines, and which row each line belongs to."""
        drawn: list[Line] = []
        owners: dict[int, int] = {}
        drawn += self._heading(words, width)
        for number, row in enumerate(rows(self.revealed)):
            if row.point is None and not any(
                owner >= len(self.revealed.asked.prompt.points) for owner in owners.values()
            ):
                drawn += [(), (Span(words.false_heading, Role.WARN),)]
            block = list(self._row(number, row, width))
            owners |= dict.fromkeys(range(len(drawn), len(drawn) + len(block)), number)
            drawn += block
        drawn += [(), *self._own(words, width)]
        return drawn, owners

    def _heading(self, words: Words, width: int) -> Iterator[Line]:
        judgement = self.revealed.judgement
        if judgement is not None:
            role = Role.GOOD if judgement.verdict is Verdict.RIGHT else Role.BAD
            text = {
                Verdict.RIGHT: words.right,
                Verdict.NEAR: words.near,
                Verdict.MAGNITUDE: words.magnitude,
                Verdict.SHIFTED: words.shifted,
                Verdict.SLIP: words.slip.format(means=judgement.means),
                Verdict.WRONG: words.wrong,
                Verdict.UNREAD: judgement.problem,
            }[judgement.verdict]
            exercise = self.revealed.asked.exercise
            shown = f" = {exercise.shown}" if exercise else ""
            yield from wrap((Span(safe(text), role), Span(shown, Role.STRONG)), width)
            yield ()
        elif self.revealed.answer.mode is Mode.SPOKEN:
            yield (Span(words.said_aloud, Role.MUTED),)
            yield ()

    def _row(self, number: int, row: Row, width: int) -> Iterator[Line]:
        chosen = number == self.ticks.cursor
        mark, role = self._mark(row)
        text = row.point.text if row.point else self._false_text(row.id)
        core = CORE if row.point and row.point.core else " "
        label = f"{number + 1}" if number < 9 else " "
        head = (
            Span(f"{label} ", Role.KEY if chosen else Role.MUTED),
            Span(f"{mark} ", role),
            Span(f"{core} ", Role.WARN),
        )
        emphasis = Role.STRONG if chosen else Role.TEXT
        if self.revealed.asked.prompt.kind is PromptKind.CALCULATION:
            text = self.revealed.asked.exercise.shown if self.revealed.asked.exercise else text
        for line_number, line in enumerate(wrap((Span(flat(text), emphasis),), width - 6)):
            yield (*head, *line) if line_number == 0 else (Span("      "), *line)
        for line in wrap(said, width - 6) if (said := self._said(row)) else ():
            yield (Span("      "), *line)

    def _mark(self, row: Row) -> tuple[str, Role]:
        if row.point is None:
            return (FULL, Role.BAD) if row.id in self.ticks.false else (MAYBE, Role.WARN)
        share = point_credit(row.point, self.ticks.parts)
        if share >= 1:
            return FULL, Role.GOOD
        if share > 0:
            return HALF, Role.WARN
        ids = {part.id for part in parts_of(row.point)}
        return (MAYBE, Role.WARN) if ids & self.revealed.grade.suggested else (BLANK, Role.MUTED)

    def _said(self, row: Row) -> list[Span]:
        """Return the user's own words for a row, those that made it so among them."""
        grade = self.revealed.grade
        findings = (
            [grade.false.get(row.id)]
            if row.point is None
            else [grade.parts.get(part.id) for part in parts_of(row.point)]
        )
        return quoted(self.revealed.answer.text, [f for f in findings if f is not None and f.end])

    def _false_text(self, id_: str) -> str:
        card = self.revealed.asked.card
        return next((s.text for s in card.false_statements if s.id == id_), id_)

    def _own(self, words: Words, width: int) -> Iterator[Line]:
        answer = self.revealed.answer
        if answer.mode is Mode.GAVE_UP and not answer.text:
            yield (Span(words.gave_up, Role.MUTED),)
            return
        if not answer.text:
            return
        yield (Span(words.your_answer, Role.SUBHEADING),)
        for row in answer.text.split("\n"):
            yield from wrap((Span(safe(row), Role.MUTED),), width)


def quoted(answer: str, findings: Sequence[Finding]) -> list[Span]:
    """Return the stretches of an answer that findings stand on, with their words highlighted."""
    spans: list[Span] = []
    words = sorted({place for finding in findings for place in finding.words})
    for start, end in _joined(sorted({(f.start, f.end) for f in findings})):
        spans.append(Span(" … " if spans else "“", Role.MUTED))
        at = start
        for first, last in _joined([(a, b) for a, b in words if start <= a and b <= end]):
            spans.append(Span(_even(answer[at:first]), Role.MUTED))
            spans.append(Span(_even(answer[first:last]), Role.STRONG))
            at = last
        spans.append(Span(_even(answer[at:end]), Role.MUTED))
    return [*spans, Span("”", Role.MUTED)] if spans else []


def _joined(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sorted stretches with those that overlap made one."""
    found: list[tuple[int, int]] = []
    for start, end in places:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _even(text: str) -> str:
    return safe(re.sub(r"\s+", " ", text))


def rating_lines(appraisal: Appraisal, words: Words, width: int) -> list[Line]:
    """Return the ratings with their next intervals, and why the proposed one is not higher."""
    outcome = appraisal.outcome
    spans: list[Span] = []
    for rating, key in zip(Rating, "ahge", strict=True):
        proposed = rating == outcome.proposal.rating
        on = rating in outcome.allowed
        when = words.interval_of(outcome.days(appraisal.revealed.previews[rating]))
        edge = ("▸", "◂") if proposed else (" ", " ")
        role = _rating_role(rating) if on else Role.MUTED
        spans += (
            Span(edge[0], Role.ACCENT),
            Span(f"{key} ", Role.KEY if on else Role.MUTED),
            Span(words.ratings[rating], role),
            Span(f" {when}", Role.MUTED),
            Span(edge[1] + " ", Role.ACCENT),
        )
    score = words.score.format(said=outcome.score.said)
    reasons = words.semicolon.join(words.reasons[r] for r in outcome.proposal.decisive)
    held = f" · {words.held_down.format(reasons=reasons)}" if reasons else ""
    lines = [tuple(spans), *wrap((Span(score + held, Role.MUTED),), width)]
    if outcome.misled:
        lines += wrap((Span(words.misled, Role.WARN),), width)
    return lines


def rating_at(lines: Sequence[Line], row: int, column: int) -> Rating | None:
    """Return the rating whose words are at a cell of :func:`rating_lines`."""
    if row != 0 or not lines:
        return None
    end = 0
    for number, span in enumerate(lines[0]):
        end += cell_width(span.text)
        if column < end:
            return list(Rating)[number // RATING_SPANS]
    return None


def _rating_role(rating: Rating) -> Role:
    return (Role.BAD, Role.WARN, Role.GOOD, Role.ACCENT)[rating - 1]


def flat(markdown: str) -> str:
    """Return a point's Markdown as one plain paragraph."""
    from quizapp.text.markdown import inline

    return "".join(span.text for span in inline(" ".join(markdown.split())))
