"""From a scored answer to one of FSRS's four ratings, with the reasons that held it down.

The bands are stricter than instinct because FSRS counts Hard as *recalled*: what was half
forgotten must be Again.

====== =============================================================================
Again  score below 0.60, or not one core point, or gave up
Hard   score below 0.80, or a core point missed, or a confirmed false claim, or a hint
       used, or more than twice the target time
Good   score below 0.95, or over the target time, or not sure, or one of the first two
       reviews
Easy   none of these
====== =============================================================================

So a rating below Easy always has its reason, and the user sees it: nothing is deducted in
silence.  The user may then move the proposal by one step (:func:`allowed`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from quizapp.memory.model import Rating

ROUNDING = 1e-9
"""Weighted shares such as 0.1 + 0.7 fall short of 0.8 by an ulp; that is no lower score."""


class Reason(StrEnum):
    """Why a rating is not higher; the interface has the words for it."""

    GAVE_UP = "gave-up"
    LOW_SCORE = "low-score"
    """Below :attr:`Thresholds.again_below`."""
    NO_CORE_POINT = "no-core-point"
    PARTIAL_SCORE = "partial-score"
    """Below :attr:`Thresholds.hard_below`."""
    CORE_POINT_MISSED = "core-point-missed"
    FALSE_CLAIM = "false-claim"
    HINT = "hint"
    OVERTIME = "overtime"
    """Over :attr:`Thresholds.overtime_factor` times the target."""
    INCOMPLETE = "incomplete"
    """Below :attr:`Thresholds.good_below`."""
    OVER_TARGET = "over-target"
    NOT_SURE = "not-sure"
    TOO_NEW = "too-new"
    """Fewer than :attr:`Thresholds.easy_after` reviews before this one."""


CAPS = {
    Reason.GAVE_UP: Rating.AGAIN,
    Reason.LOW_SCORE: Rating.AGAIN,
    Reason.NO_CORE_POINT: Rating.AGAIN,
    Reason.PARTIAL_SCORE: Rating.HARD,
    Reason.CORE_POINT_MISSED: Rating.HARD,
    Reason.FALSE_CLAIM: Rating.HARD,
    Reason.HINT: Rating.HARD,
    Reason.OVERTIME: Rating.HARD,
    Reason.INCOMPLETE: Rating.GOOD,
    Reason.OVER_TARGET: Rating.GOOD,
    Reason.NOT_SURE: Rating.GOOD,
    Reason.TOO_NEW: Rating.GOOD,
}
"""The highest rating that each reason leaves."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the proposed rating changes; ``ValueError`` unless they are in order."""

    again_below: float = 0.60
    hard_below: float = 0.80
    good_below: float = 0.95
    overtime_factor: float = 2.0
    """Times the target time that is still not Hard."""
    easy_after: int = 2
    """Reviews that must have gone before an Easy."""

    def __post_init__(self) -> None:
        if not 0 <= self.again_below < self.hard_below < self.good_below <= 1:
            raise ValueError(
                "0 <= again_below < hard_below < good_below <= 1 must hold, and they are "
                f"{self.again_below:g}, {self.hard_below:g}, {self.good_below:g}"
            )
        if not self.overtime_factor >= 1:
            raise ValueError(f"overtime_factor is {self.overtime_factor:g}; it must be at least 1")
        if self.easy_after < 0:
            raise ValueError(f"easy_after is {self.easy_after}; it must not be negative")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one answer, after the user's corrections of the ticks."""

    score: float
    """Recall score, 0 to 1."""
    core_points: int = 0
    """Core points of the prompt; with none the rules about them do not apply."""
    core_missed: int = 0
    """Those of them that got no credit; half a credit costs score, not more."""
    false_claims: int = 0
    """Confirmed by the user; a mere suspicion changes nothing."""
    hints: int = 0
    seconds: float | None = None
    """Time taken; ``None`` if it was not timed."""
    target_seconds: float | None = None
    gave_up: bool = False
    sure: bool = False
    """The user said so before the answer was shown, or asked for Easy."""
    earlier_reviews: int = 0

    def __post_init__(self) -> None:
        if not -ROUNDING <= self.score <= 1 + ROUNDING:
            raise ValueError(f"the recall score is {self.score:g}; it must lie from 0 to 1")
        if not 0 <= self.core_missed <= self.core_points:
            raise ValueError(f"{self.core_missed} of {self.core_points} core points missed")


@dataclass(frozen=True, slots=True)
class Proposal:
    """The rating an answer deserves."""

    rating: Rating
    reasons: tuple[Reason, ...]
    """All that speaks against a higher rating, the gravest first; empty for Easy alone."""

    @property
    def decisive(self) -> tuple[Reason, ...]:
        """The reasons without which the rating would have been higher."""
        return tuple(reason for reason in self.reasons if CAPS[reason] == self.rating)


def propose(evidence: Evidence, thresholds: Thresholds | None = None) -> Proposal:
    """Return the rating for an answer and why it is not higher."""
    limits = thresholds or Thresholds()
    found = (
        *_effort(evidence),
        *_score(evidence, limits),
        *_core(evidence),
        *_time(evidence, limits),
        *_confidence(evidence, limits),
    )
    reasons = tuple(sorted(found, key=list(Reason).index))
    return Proposal(min((CAPS[reason] for reason in reasons), default=Rating.EASY), reasons)


def allowed(proposed: Rating) -> tuple[Rating, ...]:
    """Return the ratings that the user may give instead: the proposal and its neighbours."""
    return tuple(rating for rating in Rating if abs(rating - proposed) <= 1)


def _effort(evidence: Evidence) -> Iterator[Reason]:
    if evidence.gave_up:
        yield Reason.GAVE_UP
    if evidence.false_claims:
        yield Reason.FALSE_CLAIM
    if evidence.hints:
        yield Reason.HINT


def _score(evidence: Evidence, limits: Thresholds) -> Iterator[Reason]:
    score = evidence.score + ROUNDING
    if score < limits.again_below:
        yield Reason.LOW_SCORE
    elif score < limits.hard_below:
        yield Reason.PARTIAL_SCORE
    elif score < limits.good_below:
        yield Reason.INCOMPLETE


def _core(evidence: Evidence) -> Iterator[Reason]:
    if not evidence.core_missed:
        return
    if evidence.core_missed == evidence.core_points:
        yield Reason.NO_CORE_POINT
    else:
        yield Reason.CORE_POINT_MISSED


def _time(evidence: Evidence, limits: Thresholds) -> Iterator[Reason]:
    if evidence.seconds is None or evidence.target_seconds is None:
        return
    if evidence.seconds > evidence.target_seconds * limits.overtime_factor:
        yield Reason.OVERTIME
    elif evidence.seconds > evidence.target_seconds:
        yield Reason.OVER_TARGET


def _confidence(evidence: Evidence, limits: Thresholds) -> Iterator[Reason]:
    if not evidence.sure:
        yield Reason.NOT_SURE
    if evidence.earlier_reviews < limits.easy_after:
        yield Reason.TOO_NEW
