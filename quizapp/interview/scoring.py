"""What answers come to: each question's recall score, and the interview's total.

The total is 60 % main questions as they stood at the bell, held against their goal (the core
points), 25 % follow-ups and 15 % calculations; what was not asked takes no share.  Nothing is
deducted without a reason that the report shows (:class:`Lost`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quizapp.cards.model import FalseStatement
from quizapp.interview.events import Manner, Summary
from quizapp.interview.questions import Role
from quizapp.interview.state import Fate, State, Turn
from quizapp.recall.calculations import Verdict
from quizapp.recall.score import Cause, Score, score

SHARES = {Role.MAIN: 0.60, Role.FOLLOW_UP: 0.25, Role.CALCULATION: 0.15}
"""Of the total."""


class Reason(StrEnum):
    """Why something was taken off."""

    MISSED = "missed"
    PARTLY = "partly"
    LATE = "late"
    """It was said after the bell."""
    HINTED = "hinted"
    CONTRADICTED = "contradicted"
    """Something false was said against it."""
    FALSE = "false"
    """Something false was said."""
    SKIPPED = "skipped"
    GAVE_UP = "gave-up"
    CALCULATION = "calculation"
    """The number is not right; the judgement says how."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What was taken off a question, and why."""

    id: str
    """Of the point or the false statement; empty for the whole question."""
    reason: Reason
    amount: float
    """Of the question's mark, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a question counts in the total."""

    value: float
    """0 to 1: of a main question its goal at the bell, of a follow-up all its points."""
    lost: tuple[Lost, ...]
    """Adds up to ``1 - value``."""
    whole: Score | None
    """All points, after overtime; ``None`` for a calculation."""


_REASONS = {
    Cause.MISSED: Reason.MISSED,
    Cause.PARTLY: Reason.PARTLY,
    Cause.CONTRADICTED: Reason.CONTRADICTED,
    Cause.FALSE: Reason.FALSE,
    Cause.HINTED: Reason.HINTED,
}


def whole_score(turn: Turn) -> Score:
    """Return the recall score of a whole answer; overtime is not in it."""
    return score(turn.question.points, turn.said, confirmed_false(turn), turn.hinted)


def mark(turn: Turn) -> Mark:
    """Return what a question counts, and what was taken off and why."""
    if turn.question.role is Role.CALCULATION:
        return _calculation(turn)
    whole = whole_score(turn)
    if turn.fate is not Fate.ANSWERED:
        return Mark(0.0, (Lost("", Reason.SKIPPED, 1.0),), whole)
    if turn.manner is Manner.GAVE_UP:
        return Mark(0.0, (Lost("", Reason.GAVE_UP, 1.0),), whole)
    if turn.question.role is not Role.MAIN:
        return Mark(whole.value, _scaled(whole, ()), whole)
    return _at_the_bell(turn, whole)


def summary(state: State) -> Summary:
    """Return what an interview came to."""
    counted = [turn for turn in state.turns if turn.fate is not Fate.DROPPED]
    shares = {role: _mean(counted, role) for role in SHARES}
    known = {role: value for role, value in shares.items() if value is not None}
    weight = sum(SHARES[role] for role in known)
    total = sum(SHARES[role] * value for role, value in known.items()) / weight if known else None
    return Summary(
        total,
        shares[Role.MAIN],
        shares[Role.FOLLOW_UP],
        shares[Role.CALCULATION],
        len(counted),
        sum(turn.seconds for turn in counted),
    )


def confirmed_false(turn: Turn) -> list[FalseStatement]:
    """Return the false statements that the candidate agreed to have said."""
    return [s for s in turn.question.false_statements if s.id in turn.false]


def _mean(turns: Iterable[Turn], role: Role) -> float | None:
    values = [mark(turn).value for turn in turns if turn.question.role is role]
    return sum(values) / len(values) if values else None


def _calculation(turn: Turn) -> Mark:
    judged = turn.heard.judgement if turn.heard else None
    if turn.fate is not Fate.ANSWERED or judged is None:
        return Mark(0.0, (Lost("", Reason.SKIPPED, 1.0),), None)
    if turn.manner is Manner.GAVE_UP:
        return Mark(0.0, (Lost("", Reason.GAVE_UP, 1.0),), None)
    lost = 1 - judged.credit
    wrong = (Lost("", Reason.CALCULATION, lost),) if judged.verdict is not Verdict.RIGHT else ()
    return Mark(judged.credit, wrong, None)


def _at_the_bell(turn: Turn, whole: Score) -> Mark:
    late = frozenset(turn.heard.late if turn.heard else ())
    goal, false = turn.question.goal, confirmed_false(turn)
    by_bell = score(goal, [part for part in turn.said if part not in late], false, turn.hinted)
    in_all = score(goal, turn.said, false, turn.hinted)
    after = [id_ for id_, credit in in_all.credits.items() if credit > by_bell.credits[id_]]
    return Mark(by_bell.value, _scaled(by_bell, after), whole)


def _scaled(result: Score, late: Collection[str]) -> tuple[Lost, ...]:
    """Return the deductions; together they are never more than there was to lose."""
    deductions: Sequence[tuple[str, Reason, float]] = [
        (d.id, Reason.LATE if _for_time(d.id, d.cause, late) else _REASONS[d.cause], d.amount)
        for d in result.deductions
    ]
    told = sum(amount for _, _, amount in deductions)
    factor = (1 - result.value) / told if told else 0.0
    return tuple(Lost(id_, reason, amount * factor) for id_, reason, amount in deductions)


def _for_time(id_: str, cause: Cause, late: Collection[str]) -> bool:
    return id_ in late and cause in (Cause.MISSED, Cause.PARTLY)
