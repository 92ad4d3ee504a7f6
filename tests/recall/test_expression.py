"""The formula language: arithmetic as Python's, errors with a column, nothing else reachable."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.recall.expression import MAX_LENGTH, ExpressionError, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 * n * size / bandwidth", 2 * 3 * 1.5 / 2039),
        ("-2 ** 2", -4),
        ("2 ** -1", 0.5),
        ("2 ** 3 ** 2", 512),
        ("10 - 4 - 3", 3),
        ("12 / 3 / 2", 2),
        ("-(n + 1) * -2", 8),
        ("+n - -n", 6),
        ("ceil(7 / 2) + floor(7 / 2)", 7),
        ("min(3, 1, 2) + max(4)", 5),
        ("sqrt(16) + log2(8) + abs(-1)", 8),
        ("round(2.5)", 3),
        (" 1_000 * 1.5e3 + .5 ", 1_500_000.5),
    ],
)
def test_evaluates(text: str, value: float) -> None:
    assert parse(text).evaluate({"n": 3, "size": 1.5, "bandwidth": 2039}) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "ends"),
        ("2 +", 4, "ends"),
        ("(2", 3, "missing"),
        ("2 3", 3, "not expected"),
        ("1 + $x", 5, "'$'"),
        ("1 + open(2)", 5, "no function open"),
        ("ceil(1, 2)", 1, "one value"),
        ("2 * missing", 5, "no variable missing"),
        ("1 / (n - 3)", 3, "division by zero"),
        ("sqrt(-1)", 1, "no value"),
        ("9 ** 9 ** 9", 3, "no value"),
        ("(" * 60 + "1" + ")" * 60, 41, "deeply"),
        ("1 +" * MAX_LENGTH, MAX_LENGTH + 1, "longer"),
        ("n.__class__", 2, "'.'"),
    ],
)
def test_errors_say_where(text: str, column: int, words: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(text).evaluate({"n": 3})
    assert raised.value.column == column
    assert words in str(raised.value)


def test_names_are_the_variables_and_not_the_functions() -> None:
    assert parse("max(a, b) * ceil(a)").names == {"a", "b"}


_LEAVES = st.integers(1, 99).map(str)
_FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(" ".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-{text}"),
    ),
    max_leaves=8,
)


@given(_FORMULAS)
def test_agrees_with_python_on_arithmetic(text: str) -> None:
    try:
        expected = eval(text, {"__builtins__": {}})
    except ZeroDivisionError:
        with pytest.raises(ExpressionError):
            parse(text).evaluate({})
        return
    assert math.isclose(parse(text).evaluate({}), expected, rel_tol=1e-9, abs_tol=1e-9)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_cleanly(text: str) -> None:
    with contextlib.suppress(ExpressionError):
        assert math.isfinite(parse(text).evaluate({}))
