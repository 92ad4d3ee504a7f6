"""What the interview's screens show, as lines: choices, the clock, ticks, a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TypeVar

from quizapp.cards.model import Point
from quizapp.interview.events import Proved
from quizapp.interview.machine import Reading
from quizapp.interview.markdown import share
from quizapp.interview.options import Languages, Level, Options, Style
from quizapp.interview.state import Turn
from quizapp.interview.wording import Wording
from quizapp.proof.verdict import Verdict
from quizapp.recall.grading import parts_of
from quizapp.recall.score import point_credit
from quizapp.services.interview import Listed
from quizapp.text.cells import pad, safe
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap
from quizapp.tui.appraisal import BLANK, CORE, FULL, HALF, MAYBE, Row, Ticks, flat

T = TypeVar("T")

LENGTHS = tuple(range(1, 11))
SECONDS = (20.0, 30.0, 45.0, 60.0, 90.0)
CHOICES = ("decks", "length", "languages", "level", "style", "seconds", "count")
"""What can be chosen, in the order shown."""
VERDICTS = {
    Verdict.PROVED.value: Role.GOOD,
    Verdict.REFUTED.value: Role.BAD,
    Verdict.BROKEN.value: Role.BAD,
}


def changed(options: Options, choice: int, step: int, decks: Sequence[str]) -> Options:
    """Return the options with one choice moved on, round and round."""
    match CHOICES[choice]:
        case "decks":
            ways: Sequence[tuple[str, ...]] = [(), *((deck,) for deck in decks)]
            return replace(options, decks=_moved(ways, options.decks, step))
        case "length":
            return replace(options, length=_moved(LENGTHS, options.length, step))
        case "languages":
            return replace(options, languages=_moved(tuple(Languages), options.languages, step))
        case "level":
            return replace(options, level=_moved(tuple(Level), options.level, step))
        case "style":
            return replace(options, style=_moved(tuple(Style), options.style, step))
        case "seconds":
            return replace(options, seconds=_moved(SECONDS, options.seconds, step))
        case _:
            return replace(options, count=not options.count)


def _moved(ways: Sequence[T], now: T, step: int) -> T:
    return ways[(ways.index(now) + step) % len(ways)] if now in ways else ways[0]


@dataclass(frozen=True, slots=True)
class Chooser:
    """The choices of a new interview and the interviews there were, one of them chosen."""

    options: Options
    decks: tuple[str, ...]
    past: tuple[Listed, ...]
    cursor: int = 0
    """A choice, or after the last one an interview."""

    @property
    def count(self) -> int:
        """How many rows can be chosen."""
        return len(CHOICES) + len(self.past)

    @property
    def interview(self) -> Listed | None:
        """The interview that is chosen; ``None`` while a choice is."""
        place = self.cursor - len(CHOICES)
        return self.past[place] if place >= 0 else None

    def lines(self, texts: Wording, width: int, zone: tzinfo) -> tuple[list[Line], int]:
        """Return the lines, and which of them is chosen."""
        drawn: list[Line] = [(Span(texts.how_to_choose, Role.MUTED),), ()]
        place = 0
        for number, (label, value, note) in enumerate(self._choices(texts)):
            if number == self.cursor:
                place = len(drawn)
            drawn += _choice(number == self.cursor, label, value, note, width)
        drawn += [(), (Span(texts.past, Role.SUBHEADING),)]
        if not self.past:
            drawn.append((Span(f"  {texts.no_past}", Role.MUTED),))
        for number, one in enumerate(self.past, len(CHOICES)):
            if number == self.cursor:
                place = len(drawn)
            drawn.append(_interview(number == self.cursor, one, texts, zone))
        return drawn, place

    def _choices(self, texts: Wording) -> Iterator[tuple[str, str, str]]:
        options = self.options
        yield texts.choose_decks, ", ".join(options.decks) or texts.all_decks, ""
        yield texts.choose_length, str(options.length), ""
        yield texts.choose_languages, texts.languages[options.languages], ""
        level, style = options.level, options.style
        yield texts.choose_level, texts.levels[level], texts.level_notes[level]
        yield texts.choose_style, texts.styles[style], texts.style_notes[style]
        yield texts.choose_seconds, f"{options.seconds:g}", ""
        yield texts.choose_count, texts.yes if options.count else texts.no, ""


def _choice(chosen: bool, label: str, value: str, note: str, width: int) -> list[Line]:
    ends = ("◂ ", " ▸") if chosen else ("  ", "  ")
    line = (
        Span("▸ " if chosen else "  ", Role.ACCENT),
        Span(pad(label, 22), Role.STRONG if chosen else Role.TEXT),
        Span(ends[0], Role.KEY),
        Span(safe(value), Role.STRONG if chosen else Role.ACCENT),
        Span(ends[1], Role.KEY),
    )
    notes = wrap((Span(note, Role.MUTED),), max(20, width - 26)) if note else []
    return [line, *((Span(" " * 26), *each) for each in notes)]


def _interview(chosen: bool, one: Listed, texts: Wording, zone: tzinfo) -> Line:
    when = f"{one.at.astimezone(zone):%Y-%m-%d %H:%M}"
    if one.options is None:
        told, role = texts.unreadable, Role.WARN
    elif one.summary is None:
        told, role = texts.not_over, Role.WARN
    else:
        told, role = share(one.summary.total, texts), Role.GOOD
    kind = texts.levels[one.options.level] if one.options else ""
    return (
        Span("▸ " if chosen else "  ", Role.ACCENT),
        Span(f"{when}  ", Role.STRONG if chosen else Role.TEXT),
        Span(pad(told, 8) if one.summary else told, role),
        Span(f"  {kind}", Role.MUTED),
    )


def clock_line(turn: Turn, reading: Reading, sure: bool, texts: Wording) -> Line:
    """Return the visible clock, the goal, and whether the candidate is sure."""
    if turn.spoke:
        clock = Span(texts.spoken, Role.ACCENT)
    elif reading.over > 0:
        clock = Span(texts.time_over.format(seconds=int(reading.over)), Role.WARN)
    else:
        # Rounded up: a clock that shows 0 s has rung.
        clock = Span(texts.time_left.format(seconds=-int(-reading.left // 1)), Role.STRONG)
    calculated = turn.question.exercise is not None
    goal = "" if calculated else f" · {texts.goal.format(count=len(turn.question.goal))}"
    return (
        clock,
        Span(goal, Role.MUTED),
        Span(f" · {texts.sure if sure else texts.not_sure}", Role.GOOD if sure else Role.MUTED),
    )


def gauge(reading: Reading, limit: float, width: int) -> Line:
    """Return the time that is left as a bar."""
    share_left = reading.left / limit if limit else 0.0
    full = round(share_left * width)
    role = Role.GOOD if share_left > 0.34 else Role.WARN
    return (Span("━" * full, role), Span("─" * (width - full), Role.MUTED))


def tick_rows(turn: Turn) -> list[Row]:
    """Return what can be ticked: the points, then the false statements to ask about."""
    flagged = turn.heard.flagged if turn.heard else ()
    points = [Row(point.id, point) for point in turn.question.points]
    return points + [Row(s.id, None) for s in turn.question.false_statements if s.id in flagged]


def tick_lines(
    turn: Turn, ticks: Ticks, texts: Wording, width: int
) -> tuple[list[Line], dict[int, int]]:
    """Return an answer beside its points, and which row each line belongs to."""
    drawn: list[Line] = [*wrap((Span(texts.tick_heading, Role.MUTED),), width), ()]
    owners: dict[int, int] = {}
    asked_false = False
    for number, row in enumerate(tick_rows(turn)):
        if row.point is None and not asked_false:
            asked_false = True
            drawn += [(), (Span(texts.false, Role.WARN),)]
        block = list(_tick(turn, ticks, number, row, width))
        owners |= dict.fromkeys(range(len(drawn), len(drawn) + len(block)), number)
        drawn += block
    if turn.text:
        drawn += [(), (Span(texts.your_answer, Role.SUBHEADING),)]
        for line in turn.text.split("\n"):
            drawn += wrap((Span(safe(line), Role.MUTED),), width)
    return drawn, owners


def _tick(turn: Turn, ticks: Ticks, number: int, row: Row, width: int) -> Iterator[Line]:
    chosen = number == ticks.cursor
    mark, role = _mark(turn, ticks, row)
    text = row.point.text if row.point else _false_text(turn, row.id)
    label = f"{number + 1}" if number < 9 else " "
    head = (
        Span(f"{label} ", Role.KEY if chosen else Role.MUTED),
        Span(f"{mark} ", role),
        Span(f"{CORE if row.point and row.point.core else ' '} ", Role.WARN),
    )
    emphasis = Role.STRONG if chosen else Role.TEXT
    for place, line in enumerate(wrap((Span(flat(text), emphasis),), width - 6)):
        yield (*head, *line) if place == 0 else (Span("      "), *line)
    words = _words(turn, row)
    for line in wrap((Span(f"“{safe(words)}”", Role.MUTED),), width - 6) if words else ():
        yield (Span("      "), *line)


def _mark(turn: Turn, ticks: Ticks, row: Row) -> tuple[str, Role]:
    if row.point is None:
        return (FULL, Role.BAD) if row.id in ticks.false else (MAYBE, Role.WARN)
    credit = point_credit(row.point, ticks.parts)
    if credit >= 1:
        return FULL, Role.GOOD
    if credit > 0:
        return HALF, Role.WARN
    suggested = set(turn.heard.suggested if turn.heard else ())
    return (MAYBE, Role.WARN) if suggested & _ids(row.point) else (BLANK, Role.MUTED)


def _ids(point: Point) -> set[str]:
    return {part.id for part in parts_of(point)}


def _words(turn: Turn, row: Row) -> str:
    evidence = turn.heard.evidence if turn.heard else {}
    ids = [part.id for part in parts_of(row.point)] if row.point else [row.id]
    return " … ".join(dict.fromkeys(evidence[id_] for id_ in ids if id_ in evidence))


def _false_text(turn: Turn, id_: str) -> str:
    return next((s.text for s in turn.question.false_statements if s.id == id_), id_)


def proof_lines(proved: Proved, texts: Wording, width: int) -> list[Line]:
    """Return what a run or a record said about the claim."""
    verdict = texts.proof_verdicts.get(proved.verdict, proved.verdict)
    where = " · ".join(filter(None, (safe(proved.device), proved.source, proved.day)))
    lines = wrap(
        (
            Span(verdict, VERDICTS.get(proved.verdict, Role.WARN)),
            Span(f" · {where}", Role.MUTED),
        ),
        width,
    )
    return [*lines, *wrap((Span(safe(proved.text)),), width)] if proved.text else list(lines)
