"""Three opinions of one answer: the grader's, the user's corrected ticks, the user's own rating.

They drift apart where the grader misses what the user says, where the user ticks what was not
said, and where a rating follows the mood instead of the ticks.  Each step is compared with the
one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizapp.memory.model import Rating


@dataclass(frozen=True, slots=True)
class Marks:
    """What the grader alone made of an answer; the points and the rating it comes to."""

    points: float
    """Sum of the points' credits."""
    rating: Rating


@dataclass(frozen=True, slots=True)
class Opinions:
    """One answer, judged three times."""

    automatic: Marks | None
    """``None`` where there was nothing to read: the answer was said aloud."""
    corrected: Marks
    """Of the user's ticks: the proposed rating."""
    own: Rating
    """The user's."""
    added: int = 0
    """Claims that the user ticked and the grader had not."""
    removed: int = 0
    """Claims that the grader had ticked and the user took away."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How often a later rating is the earlier one, above it, or below."""

    same: int
    higher: int
    lower: int
    mean: float | None
    """Mean step in ratings, positive upwards; ``None`` of nothing."""

    @property
    def total(self) -> int:
        """Answers that were compared."""
        return self.same + self.higher + self.lower


@dataclass(frozen=True, slots=True)
class Drift:
    """How far the three opinions lie apart over some answers."""

    answers: int
    read: int
    """Of them, answers that the grader could read."""
    automatic_points: float | None
    """Mean points of an answer that was read, as the grader ticked; ``None`` of nothing."""
    corrected_points: float | None
    """The same, as the user corrected them."""
    added: float | None
    """Claims that the user added to an answer, in the mean."""
    removed: float | None
    """Claims that the user took away from an answer, in the mean."""
    correction: Steps
    """The corrected ticks' rating against the grader's."""
    own: Steps
    """The user's own rating against the corrected ticks'."""


def drift(opinions: Iterable[Opinions]) -> Drift:
    """Compare the opinions of some answers."""
    every = list(opinions)
    read = [(each, each.automatic) for each in every if each.automatic is not None]
    return Drift(
        answers=len(every),
        read=len(read),
        automatic_points=_mean([automatic.points for _, automatic in read]),
        corrected_points=_mean([each.corrected.points for each, _ in read]),
        added=_mean([each.added for each, _ in read]),
        removed=_mean([each.removed for each, _ in read]),
        correction=_steps([each.corrected.rating - automatic.rating for each, automatic in read]),
        own=_steps([each.own - each.corrected.rating for each in every]),
    )


def _steps(steps: Sequence[int]) -> Steps:
    return Steps(
        sum(step == 0 for step in steps),
        sum(step > 0 for step in steps),
        sum(step < 0 for step in steps),
        _mean(steps),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
