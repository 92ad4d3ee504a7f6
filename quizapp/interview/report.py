"""What an interview came to, as data: every deduction with its reason, and what to study next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from quizapp.interview.events import Manner, Summary
from quizapp.interview.options import Options
from quizapp.interview.questions import Role
from quizapp.interview.scoring import Lost, Mark, Reason, confirmed_false, mark, summary
from quizapp.interview.state import Challenge, Fate, State, Turn
from quizapp.recall.score import point_credit

STUDY = 5
"""Prompts that a report proposes to study next, at most."""
WELL = 0.8
"""A mark from which a question need not be studied next."""
FEWEST_WORDS = 8
"""Of an answer whose pace says anything."""
FEWEST_SECONDS = 3.0
"""The same of its time: what is pasted was not typed at any pace."""

_WORD = re.compile(r"[^\W\d_㐀-鿿]+(?:['’-][^\W\d_㐀-鿿]+)*|\d[\d.,]*|[㐀-鿿]")
_FILLER = re.compile(
    r"\b(?:u+m+|u+h+|e+r+m*|h+m+|you know|i mean|sort of|kind of|basically)\b"
    r"|嗯+|呃+|额(?=[,，、 ])|那个(?=[,，、 ])|就是说|怎么说呢",
    re.IGNORECASE,
)


class Said(StrEnum):
    """What became of a point."""

    SAID = "said"
    PARTLY = "partly"
    MISSED = "missed"
    CONTRADICTED = "contradicted"
    """Something false was said against it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A point, what became of it, and the candidate's words beside the card's."""

    point: str
    text: str
    """The card's line."""
    core: bool
    said: Said
    words: str
    """The candidate's own; empty if nothing was heard for it."""
    lost: tuple[Lost, ...]
    """What was taken off for it."""


@dataclass(frozen=True, slots=True)
class FalseLine:
    """A false statement that the candidate agreed to have said."""

    id: str
    text: str
    """As it stands on the card."""
    words: str
    lost: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How an answer was given, of what was written down."""

    seconds: float
    limit: float
    """To the bell."""
    first_word: float | None
    """Seconds to the first typed word."""
    words: int
    """Latin words, numbers and Chinese characters."""
    a_minute: float | None
    """``None`` where the answer is too short, or was not written as it was given."""
    fillers: int

    @property
    def over(self) -> float:
        """Seconds after the bell."""
        return max(0.0, self.seconds - self.limit)


@dataclass(frozen=True, slots=True)
class Answered:
    """One question of the report."""

    turn: Turn
    mark: Mark
    lines: tuple[Line, ...]
    """Missed core points first, then what was missed, then what was said."""
    false: tuple[FalseLine, ...]
    pace: Pace

    @property
    def whole(self) -> tuple[Lost, ...]:
        """What was taken off the question and belongs to no point."""
        return tuple(lost for lost in self.mark.lost if not lost.id)

    @property
    def sure_but_wrong(self) -> bool:
        """The candidate was sure, and less than half of it was there."""
        return self.turn.sure and self.mark.value < 0.5


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier interview, to compare with."""

    at: datetime
    summary: Summary


@dataclass(frozen=True, slots=True)
class Report:
    """The whole report."""

    id: str
    at: datetime
    options: Options
    summary: Summary
    over: bool
    ended_early: bool
    questions: tuple[Answered, ...]
    dropped: int
    """Questions that the end of the interview left without an answer; they count for nothing."""
    proofs: tuple[Challenge, ...]
    earlier: tuple[Earlier, ...]
    """Newest first."""
    study: tuple[str, ...]
    """Prompt keys, what was missed most first."""


def report(state: State, at: datetime, earlier: Sequence[Earlier] = ()) -> Report:
    """Return what an interview has come to; ``at`` is when it began."""
    done = [t for t in state.turns if t.fate in (Fate.ANSWERED, Fate.SKIPPED)]
    answered = tuple(_answered(turn) for turn in done)
    return Report(
        id=state.id,
        at=at,
        options=state.options,
        summary=state.summary or summary(state),
        over=state.summary is not None,
        ended_early=state.ended_early,
        questions=answered,
        dropped=len(state.turns) - len(done),
        proofs=state.challenges,
        earlier=tuple(earlier),
        study=_study(answered),
    )


def _study(answered: Sequence[Answered]) -> tuple[str, ...]:
    weak = [(one.mark.value, n, one) for n, one in enumerate(answered) if one.mark.value < WELL]
    return tuple(one.turn.question.prompt for _, _, one in sorted(weak, key=lambda w: w[:2]))[
        :STUDY
    ]


def _answered(turn: Turn) -> Answered:
    marked = mark(turn)
    lines = sorted(_lines(turn, marked), key=_order)
    return Answered(turn, marked, tuple(lines), tuple(_false(turn, marked)), pace(turn))


def _order(line: Line) -> tuple[int, bool]:
    left = (Said.CONTRADICTED, Said.MISSED, Said.PARTLY, Said.SAID)
    rank = left.index(line.said)
    missed = rank < left.index(Said.PARTLY)
    return (0 if missed and line.core else 1 + rank, not line.core)


def _lines(turn: Turn, marked: Mark) -> Iterator[Line]:
    if turn.question.role is Role.CALCULATION:
        return
    evidence = turn.heard.evidence if turn.heard else {}
    against = {
        id_ for s in turn.question.false_statements if s.id in turn.false for id_ in s.against
    }
    for point in turn.question.points:
        credit = point_credit(point, turn.said)
        said = Said.SAID if credit >= 1 else Said.PARTLY if credit else Said.MISSED
        parts = [part.id for part in point.parts] or [point.id]
        words = (evidence[part] for part in parts if part in evidence and part in turn.said)
        yield Line(
            point.id,
            point.text,
            point.core,
            Said.CONTRADICTED if point.id in against else said,
            " … ".join(dict.fromkeys(words)),
            tuple(lost for lost in marked.lost if lost.id == point.id),
        )


def _false(turn: Turn, marked: Mark) -> Iterator[FalseLine]:
    evidence = turn.heard.evidence if turn.heard else {}
    for statement in confirmed_false(turn):
        own = (lost for lost in marked.lost if lost.id == statement.id)
        lost = sum(each.amount for each in own if each.reason is Reason.FALSE)
        yield FalseLine(statement.id, statement.text, evidence.get(statement.id, ""), lost)


def pace(turn: Turn) -> Pace:
    """Return how fast an answer came; of a spoken one that nobody wrote down only its seconds."""
    count = len(_WORD.findall(turn.text))
    written = turn.manner in (Manner.TYPED, Manner.TRANSCRIBED)
    calculated = turn.question.role is Role.CALCULATION
    fair = written and not calculated and count >= FEWEST_WORDS
    fair = fair and turn.seconds >= FEWEST_SECONDS
    return Pace(
        seconds=turn.seconds,
        limit=turn.question.seconds,
        first_word=turn.first_word,
        words=count,
        a_minute=60 * count / turn.seconds if fair else None,
        fillers=len(_FILLER.findall(turn.text)),
    )
