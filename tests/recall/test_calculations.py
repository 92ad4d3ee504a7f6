"""Hand calculations: drawn again the same, slips told from the truth, units read as written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.cards.model import Calculation, Slip, Variable
from quizapp.recall.calculations import CalculationError, Verdict, draw, judge, problems

TIME = Calculation(
    "time",
    "{n} kernels move {size} at {bandwidth}.",
    "2 * n * size / bandwidth",
    "s",
    0.05,
    (
        Variable("n", "", (2.0, 3.0, 4.0)),
        Variable("size", "GB", (1.0, 2.0)),
        Variable("bandwidth", "GB/s", (2000.0, 4000.0)),
    ),
    "It is {result}.",
    (Slip("n * size / bandwidth", "counts the writes only"),),
)


def test_a_seed_draws_the_same_exercise() -> None:
    assert draw(TIME, 5) == draw(TIME, 5)
    assert len({draw(TIME, seed).question for seed in range(40)}) > 4


@given(st.integers(0, 2**48))
def test_the_right_answer_is_right_in_any_unit(seed: int) -> None:
    exercise = draw(TIME, seed)
    for text in (
        f"{exercise.result * 1e3:.4g} ms",
        f"{exercise.result * 1e6:.4g} us",
        f"about {exercise.result * 1e6:.6g} µs",
        exercise.shown,
    ):
        assert judge(exercise, text).verdict is Verdict.RIGHT


@given(st.integers(0, 2**48))
def test_a_slip_is_named_and_never_taken_for_right(seed: int) -> None:
    exercise = draw(TIME, seed)
    found = judge(exercise, f"{exercise.wrong[0].value * 1e3:.6g} ms")
    assert (found.verdict, found.means) == (Verdict.SLIP, "counts the writes only")
    assert found.credit == 0


def test_the_power_of_ten_and_the_digits_are_judged_apart() -> None:
    exercise = draw(TIME, 1)
    assert judge(exercise, f"{exercise.result:.4g} ms").verdict is Verdict.SHIFTED
    assert judge(exercise, f"{exercise.result * 1.1e3:.4g} ms").verdict is Verdict.NEAR


@pytest.mark.parametrize("text", ["", "no idea", "[/b]", "1 2 3", "12 apples"])
def test_what_is_no_number_is_asked_again(text: str) -> None:
    found = judge(draw(TIME, 1), text)
    assert found.verdict is Verdict.UNREAD
    assert found.problem


@given(st.text(max_size=60))
def test_no_answer_raises(text: str) -> None:
    judge(draw(TIME, 3), text)


def test_a_template_whose_slip_cannot_be_told_apart_is_refused() -> None:
    hopeless = Calculation(
        "x", "", "n", "", 0.05, (Variable("n", "", (1.0,)),), "", (Slip("n * 1.01", "near"),)
    )
    with pytest.raises(CalculationError, match="widen the choices"):
        draw(hopeless, 0)
    assert problems(hopeless)


def test_a_formula_that_speaks_of_an_unknown_is_refused() -> None:
    with pytest.raises(CalculationError, match="speaks of m"):
        draw(Calculation("x", "", "m + 1", "", 0.05), 0)


def test_a_variable_without_values_is_refused_by_name() -> None:
    empty = Calculation("x", "", "n", "", 0.05, (Variable("n", "", ()),))
    with pytest.raises(CalculationError, match="n has no values to draw from"):
        draw(empty, 0)
    assert problems(empty)
