"""The language of claims, and what an interval makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.proof.predicate import Interval, Truth, both, parse

HOLDS, FAILS, STRADDLES = Truth.HOLDS, Truth.FAILS, Truth.STRADDLES


def interval(*ends: float) -> Interval:
    return Interval(sum(ends) / len(ends), min(ends), max(ends))


def truth(text: str, **metrics: Interval) -> Truth:
    return both(*(term.truth(metrics) for term in parse(text).terms))


@pytest.mark.parametrize(
    ("text", "ends", "expected"),
    [
        ("x > 3", (3.1, 4), HOLDS),
        ("x > 3", (3, 4), STRADDLES),
        ("x > 3", (2, 3), FAILS),
        ("x > 3", (3, 3), FAILS),
        ("x >= 3", (3, 4), HOLDS),
        ("x >= 3", (2, 3), STRADDLES),
        ("x >= 3", (2, 2.9), FAILS),
        ("x < 3", (2, 2.9), HOLDS),
        ("x < 3", (2, 3), STRADDLES),
        ("x < 3", (3, 4), FAILS),
        ("x <= 3", (2, 3), HOLDS),
        ("x <= 3", (3, 4), STRADDLES),
        ("x <= 3", (3.1, 4), FAILS),
        ("x == 0", (0, 0), HOLDS),
        ("x == 0", (0, 1), STRADDLES),
        ("x == 0", (1, 1), FAILS),
        ("x in [2.6, 3.1]", (2.6, 3.1), HOLDS),
        ("x in [2.6, 3.1]", (2.5, 3), STRADDLES),
        ("x in [2.6, 3.1]", (2, 4), STRADDLES),
        ("x in [2.6, 3.1]", (3.2, 4), FAILS),
        ("x in [-1, 1e-3]", (-0.5, -0.5), HOLDS),
    ],
)
def test_an_interval_holds_fails_or_straddles(
    text: str, ends: tuple[float, float], expected: Truth
) -> None:
    assert truth(text, x=interval(*ends)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", HOLDS),
        ("b < a", FAILS),
        ("a <= 0.5 * b", HOLDS),
        ("a < 0.4 * b", STRADDLES),
        ("a > -1 * b", HOLDS),
        ("a < 0.5 * b and b < a", FAILS),
        ("a < 0.4 * b and b > a", STRADDLES),
    ],
)
def test_metrics_are_compared_with_metrics(text: str, expected: Truth) -> None:
    assert truth(text, a=interval(3.9, 4.1), b=interval(10, 10.5)) is expected


finite = st.floats(-1e6, 1e6)


@given(finite, finite, finite, st.sampled_from(["<", "<=", ">", ">=", "=="]))
def test_what_holds_for_an_interval_holds_for_each_number_in_it(
    one: float, other: float, bound: float, sign: str
) -> None:
    whole = truth(f"x {sign} {bound!r}", x=interval(one, other))
    ends = {truth(f"x {sign} {bound!r}", x=interval(end)) for end in (one, other)}
    assert STRADDLES not in ends
    if whole is STRADDLES:
        # Equality may be met within the interval alone.
        assert ends == {HOLDS, FAILS} or sign == "=="
    else:
        assert ends == {whole}


@given(finite, finite, finite, finite)
def test_a_range_is_its_two_ends(one: float, other: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    x = interval(one, other)
    pair = truth(f"x >= {low!r} and x <= {high!r}", x=x)
    assert truth(f"x in [{low!r}, {high!r}]", x=x) is pair


def test_metrics_of_both_sides_are_named() -> None:
    predicate = parse("fused < 0.6 * unfused and kernels == 1 and a >= b")
    assert predicate.metrics == {"fused", "unfused", "kernels", "a", "b"}
    assert predicate.terms[0].metrics == {"fused", "unfused"}


def test_a_term_keeps_its_right_side_as_written() -> None:
    predicate = parse("rate>=2039000000.5 and  t <  1.50 *  u  and k in [ 2.60,3.10 ]")
    assert [term.text for term in predicate.terms] == [
        ">=2039000000.5", "< 1.50 * u", "in [ 2.60,3.10 ]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "wanted"),
    [
        ("", "at its end", "the name of a metric"),
        ("speedup", "at its end", "<, <=, >, >=, == or in"),
        ("speedup = 3", "character 9", "=="),
        ("speedup > ", "at its end", "a number"),
        ("speedup > fast and", "at its end", "the name of a metric"),
        ("3 < speedup", "character 1", "the name of a metric"),
        ("speedup > 3 or kernels == 1", "character 13", "`and`"),
        ("speedup > 3 4", "character 13", "`and`"),
        ("speedup > and", "character 11", "the name of a metric"),
        ("and > 3", "character 1", "the name of a metric"),
        ("speedup in [3, 2]", "character 16", "a number from 3 up"),
        ("speedup in [3; 2]", "character 14", "a metric, a number"),
        ("speedup in [3 2]", "character 15", "a comma"),
        ("speedup in [a, b]", "character 13", "a number"),
        ("speedup in (2, 3)", "character 12", "a metric, a number"),
        ("speedup in [2, 3", "at its end", "]"),
        ("speedup > 2 *", "at its end", "the name of a metric"),
        ("speedup > 1e999", "character 11", "a finite number"),
        ("加速 > 3", "character 1", "a metric"),
    ],
)
def test_what_cannot_be_read_says_where_and_what_may_stand_there(
    text: str, place: str, wanted: str
) -> None:
    with pytest.raises(ValueError) as caught:
        parse(text)
    message = str(caught.value)
    assert repr(text) in message
    assert place in message
    assert wanted in message.partition("expected")[2]


@given(st.text(max_size=40) | st.text("x<>=*[],. and in 0123456789", max_size=40))
def test_any_text_is_a_predicate_or_a_value_error(text: str) -> None:
    try:
        terms = parse(text).terms
    except ValueError:
        return
    assert terms
