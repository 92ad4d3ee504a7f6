"""Siblings apart, new among due."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from quizapp.memory.spacing import apart, spread

words = st.lists(st.text("abc", min_size=1, max_size=2), max_size=30)


def first_letter(word: str) -> str:
    return word[0]


def test_one_of_each_group_then_the_others_in_turns():
    items = ["a1", "a2", "a3", "b1", "c1", "b2", "b3"]
    assert apart(items, first_letter, ()) == (["a1", "b1", "c1"], ["a2", "b2", "a3", "b3"])


def test_what_was_seen_today_has_had_its_turn():
    items = ["a1", "a2", "b1"]
    assert apart(items, first_letter, {"a"}) == (["b1"], ["a1", "a2"])


@given(words, st.sets(st.sampled_from("abc")))
def test_nothing_is_lost_and_no_group_comes_twice_in_a_round(items, seen):
    first, others = apart(items, first_letter, seen)
    assert Counter(first + others) == Counter(items)
    groups = [first_letter(item) for item in first]
    assert len(groups) == len(set(groups))
    assert seen.isdisjoint(groups)


def test_few_stand_evenly_among_many():
    assert "".join(spread("........", "nn")) == "..n...n..."
    assert "".join(spread("", "nn")) == "nn"
    assert "".join(spread("...", "")) == "..."
    assert "".join(spread(".", "nnn")) == "nnn."


@given(st.integers(0, 40), st.integers(0, 40))
def test_spreading_keeps_both_orders(many, few):
    due, new = [f"d{n}" for n in range(many)], [f"n{n}" for n in range(few)]
    mixed = list(spread(due, new))
    assert [item for item in mixed if item[0] == "d"] == due
    assert [item for item in mixed if item[0] == "n"] == new
