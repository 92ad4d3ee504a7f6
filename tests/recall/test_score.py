"""The recall score: shares, half credits, deductions each with its reason."""

from __future__ import annotations

import pytest

from quizapp.cards.model import FalseStatement, Part, Point
from quizapp.recall.score import Cause, score

POINTS = [
    Point("P1", "", core=True, needs="P1a", parts=(Part("P1a"), Part("P1b"))),
    Point("P4", "", core=True, needs="P4a and P4b", parts=(Part("P4a"), Part("P4b"))),
    Point("P6", "", weight=0.5),
]


def test_the_weighted_share_of_what_was_said() -> None:
    found = score(POINTS, {"P1a", "P4a"})
    assert found.value == pytest.approx((1 + 0.5) / 2.5)
    assert found.said == "1.5 / 3"
    assert (found.core_points, found.core_missed) == (2, 0)
    assert found.missed == ("P6",)


def test_everything_and_nothing() -> None:
    assert score(POINTS, {"P1a", "P4a", "P4b", "P6"}).value == 1.0
    assert score(POINTS, {"P1a", "P4a", "P4b", "P6"}).deductions == ()
    assert score(POINTS, {"P1b"}).value == 0.0


def test_a_false_statement_voids_its_point_and_costs_a_little_more() -> None:
    lie = FalseStatement("X1", "", against=("P1",))
    found = score(POINTS, {"P1a", "P4a", "P4b", "P6"}, [lie])
    assert found.value == pytest.approx(1.5 / 2.5 - 0.05)
    assert found.core_missed == 1
    causes = {deduction.id: deduction.cause for deduction in found.deductions}
    assert causes == {"P1": Cause.CONTRADICTED, "X1": Cause.FALSE}


def test_false_statements_cost_at_most_so_much() -> None:
    lies = [FalseStatement(f"X{n}", "") for n in range(10)]
    assert score(POINTS, {"P1a", "P4a", "P4b", "P6"}, lies).value == pytest.approx(0.85)


@pytest.mark.parametrize("hit", [set(), {"P1a"}, {"P4b", "P6"}, {"P1a", "P4a", "P4b", "P6"}])
def test_no_deduction_without_a_reason(hit: set[str]) -> None:
    found = score(POINTS, hit)
    assert found.value == pytest.approx(1 - sum(d.amount for d in found.deductions))


def test_what_was_hinted_counts_half_and_says_so() -> None:
    found = score(POINTS, {"P1a", "P4a", "P4b", "P6"}, hints={"P1a", "P4b", "P4c"})
    assert found.credits == {"P1": 0.5, "P4": 0.75, "P6": 1.0}
    assert {(d.id, d.cause) for d in found.deductions} == {
        ("P1", Cause.HINTED),
        ("P4", Cause.HINTED),
    }
    assert found.value == pytest.approx(1 - sum(d.amount for d in found.deductions))


def test_there_is_no_share_of_nothing() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        score([], set())
