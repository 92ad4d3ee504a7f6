"""Credit for a point, held against the rules that people labelled answers by."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizapp.cards.needs import NeedsError, credit, names

PARTS = ("P1a", "P1b")


@pytest.mark.parametrize(
    ("needs", "hit", "share"),
    [
        ("", {"P1a"}, 0.5),
        ("", {"P1a", "P1b"}, 1),
        ("  ", set(), 0),
        ("P1a", {"P1a"}, 1),
        ("P1a", {"P1b"}, 0),
        ("P4a and P4b", {"P4b"}, 0.5),
        ("P3a or P3b", {"P3b"}, 1),
        ("P2a and (P2b or P1a)", {"P1a", "P2a"}, 1),
        ("P2a and (P2b or P1a)", {"P2b", "P1a"}, 0.5),
        ("P2a then (P2b or P1a)", {"P2b", "P1a"}, 0),
        ("P2a then (P2b or P1a)", {"P2a"}, 0.5),
        ("a and b or c", {"c"}, 1),
        ("a and (b or c)", {"c"}, 0.5),
        ("2 of P5a, P5b, P5c", {"P5c"}, 0.5),
        ("2 of P5a, P5b, P5c", {"P5a", "P5b", "P5c"}, 1),
        ("a and (2 of b, c, d)", {"b", "d"}, 0.5),
        ("F1.1", {"F1.1"}, 1),
    ],
)
def test_credit_is_the_share_of_what_is_needed(needs: str, hit: set[str], share: float):
    assert credit(needs, PARTS, hit) == share


def test_a_point_without_parts_has_nothing_to_be_hit():
    assert credit("", (), {"P1"}) == 0


def test_names_are_the_parts_an_expression_speaks_of():
    assert names("P2a then (P2b or 1 of P1a, x)") == {"P2a", "P2b", "P1a", "x"}
    assert names(" ") == frozenset()


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        ("a and", "the expression ends"),
        ("(a", "')' is missing"),
        ("a b", "'b' is not expected"),
        ("a & b", "'&' is not understood"),
        ("3 of a, b", "a number from 1 to 2"),
        ("0 of a", "a number from 1 to 1"),
        ("x of a, b", "a number from 1 to 2"),
        ("or a", "not 'or'"),
        ("(" * 30 + "a", "nested too deeply"),
        ("a or " * 200, "longer than"),
    ],
)
def test_what_cannot_be_read_says_why(needs: str, message: str):
    with pytest.raises(NeedsError, match=message.replace("(", r"\(").replace(")", r"\)")):
        names(needs)


expressions = st.recursive(
    st.sampled_from("abcd"),
    lambda inner: (
        st.tuples(inner, st.sampled_from([" and ", " or ", " then "]), inner).map(
            lambda three: f"({''.join(three)})"
        )
        | st.lists(st.sampled_from("abcd"), min_size=2, max_size=4).map(
            lambda some: f"(2 of {', '.join(some)})"
        )
    ),
    max_leaves=8,
)


@given(expressions, st.sets(st.sampled_from("abcd")), st.sampled_from("abcd"))
def test_saying_more_never_costs_credit(needs: str, hit: set[str], more: str):
    before, after = credit(needs, "", hit), credit(needs, "", hit | {more})
    assert 0 <= before <= after + 1e-12 <= 1 + 1e-9
    assert credit(needs, "", names(needs)) == pytest.approx(1)


@given(st.text(max_size=30))
@example("2 of")
@example("²of a")
def test_any_text_is_read_or_refused(needs: str):
    with suppress(NeedsError):
        assert 0 <= credit(needs, (), {"a"}) <= 1


RULES = {
    "P1": "P1a",
    "P2": "P2a then (P2b or P1a)",
    "P3": "P3a or P3b",
    "P4": "P4a and P4b",
    "P5": "2 of P5a, P5b, P5c",
    "P6": "2 of P6a, P6b, P6c",
}


def test_the_rules_give_the_credit_that_people_gave(shared: Path):
    lines = (shared / "facts" / "answers.jsonl").read_text("utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    judged = [
        (
            point,
            credit(RULES[point], (), {part for part, hit in answer["parts"].items() if hit}),
            given,
        )
        for answer in answers
        for point, given in answer["credit"].items()
        if point in RULES
    ]
    assert len(judged) > 200
    assert [each for each in judged if each[1] != each[2]] == []
