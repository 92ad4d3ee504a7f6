"""Three opinions of an answer, and how far they lie apart."""

from __future__ import annotations

import pytest

from quizapp.memory.drift import Marks, Opinions, drift
from quizapp.memory.model import Rating

AGAIN, HARD, GOOD, EASY = Rating
READ = Opinions(Marks(2.0, AGAIN), Marks(4.5, GOOD), HARD, added=3, removed=1)
SPOKEN = Opinions(None, Marks(6.0, GOOD), EASY)
AGREED = Opinions(Marks(3.0, HARD), Marks(3.0, HARD), HARD)


def test_each_step_is_compared_with_the_one_before_it() -> None:
    found = drift([READ, SPOKEN, AGREED])
    assert (found.answers, found.read) == (3, 2)
    assert (found.automatic_points, found.corrected_points) == (2.5, 3.75)
    assert (found.added, found.removed) == (1.5, 0.5)
    steps = found.correction
    assert (steps.same, steps.higher, steps.lower, steps.mean) == (1, 1, 0, 1.0)
    steps = found.own
    assert (steps.same, steps.higher, steps.lower, steps.total) == (1, 1, 1, 3)
    assert steps.mean == pytest.approx(0.0)


def test_of_nothing_there_is_no_mean() -> None:
    found = drift([])
    assert (found.answers, found.automatic_points, found.own.mean) == (0, None, None)
    spoken = drift([SPOKEN])
    assert (spoken.read, spoken.added, spoken.correction.total, spoken.own.total) == (0, None, 0, 1)
