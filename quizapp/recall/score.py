"""The recall score: the weighted share of a prompt's points that were said.

``S = sum(w_p * c_p) / sum(w_p)``, where a point's credit ``c_p`` is the share of what it needs
that was said, a part whose hint was shown counting half.  A false statement that the user
confirms sets the points it contradicts to 0 and takes 0.05 more, at most 0.15 in all.  Time is
not in the score; it only caps the rating.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quizapp.cards.model import FalseStatement, Point
from quizapp.cards.needs import credit

FALSE_COST = 0.05
FALSE_COST_MOST = 0.15


class Cause(StrEnum):
    """Why something was taken off."""

    MISSED = "missed"
    PARTLY = "partly"
    CONTRADICTED = "contradicted"
    """A false statement against the point was confirmed."""
    FALSE = "false"
    """A confirmed false statement of itself."""
    HINTED = "hinted"
    """A part was said after its hint was shown, and counts half."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """What was taken off, and why: nothing is deducted without one."""

    id: str
    """Of the point or the false statement."""
    cause: Cause
    amount: float
    """Of the score, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Score:
    """A recall score and how it came about."""

    value: float
    """0 to 1."""
    credits: Mapping[str, float]
    """By point."""
    core_points: int
    core_missed: int
    """Core points without any credit."""
    missed: tuple[str, ...]
    """Ids of the points without any credit."""
    deductions: tuple[Deduction, ...]

    @property
    def said(self) -> str:
        """The credits as people count them: ``4.5 / 6``."""
        return f"{round(sum(self.credits.values()), 1):g} / {len(self.credits)}"


def score(
    points: Sequence[Point],
    hit_parts: Collection[str],
    false_confirmed: Sequence[FalseStatement] = (),
    hints: Collection[str] = (),
) -> Score:
    """Score an answer by the parts that were said; a point without parts is its own part.

    ``hints`` are the parts whose hint was shown: they count half.

    ``ValueError`` without points: there would be nothing to have a share of.
    """
    if not points:
        raise ValueError("a score needs at least one point")
    against = {id_ for statement in false_confirmed for id_ in statement.against}
    full = {point.id: point_credit(point, hit_parts) for point in points}
    unaided = [part for part in hit_parts if part not in hints]
    earned = {point.id: (full[point.id] + point_credit(point, unaided)) / 2 for point in points}
    credits_ = {id_: 0.0 if id_ in against else value for id_, value in earned.items()}
    total = sum(point.weight for point in points)
    share = sum(point.weight * credits_[point.id] for point in points) / total
    cost = min(FALSE_COST_MOST, FALSE_COST * len(false_confirmed))
    core = [point for point in points if point.core]
    return Score(
        value=min(1.0, max(0.0, share - cost)),
        credits=credits_,
        core_points=len(core),
        core_missed=sum(credits_[point.id] == 0 for point in core),
        missed=tuple(point.id for point in points if credits_[point.id] == 0),
        deductions=(
            *_deductions(points, full, earned, credits_, total),
            *(
                Deduction(statement.id, Cause.FALSE, cost / len(false_confirmed))
                for statement in false_confirmed
            ),
        ),
    )


def point_credit(point: Point, hit_parts: Collection[str]) -> float:
    """Return the share of what a point needs that was said, 0 to 1."""
    if not point.parts:
        return float(point.id in hit_parts)
    return credit(point.needs, [part.id for part in point.parts], hit_parts)


def _deductions(
    points: Sequence[Point],
    full: Mapping[str, float],
    earned: Mapping[str, float],
    credits_: Mapping[str, float],
    total: float,
) -> list[Deduction]:
    found = []
    for point in points:
        share = point.weight / total
        hinted = full[point.id] - earned[point.id]
        lost = 1 - full[point.id]
        if credits_[point.id] < earned[point.id]:
            found.append(Deduction(point.id, Cause.CONTRADICTED, share))
            continue
        if hinted > 0:
            found.append(Deduction(point.id, Cause.HINTED, hinted * share))
        if lost > 0:
            cause = Cause.PARTLY if full[point.id] else Cause.MISSED
            found.append(Deduction(point.id, cause, lost * share))
    return found
