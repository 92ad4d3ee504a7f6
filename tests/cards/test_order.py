"""The order in which cards are studied."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quizapp.cards.order import study_order

NAMES = st.sampled_from("abcdefgh")
GRAPHS = st.dictionaries(NAMES, st.lists(NAMES, max_size=3).map(tuple), max_size=8)


def test_a_card_comes_behind_those_it_comes_after() -> None:
    assert study_order({"a": ("c",), "b": (), "c": ("b",)}) == ("b", "c", "a")


def test_the_card_most_others_build_on_is_first() -> None:
    given_order = {"alone": (), "base": (), "mid": ("base",), "top": ("mid",)}
    assert study_order(given_order) == ("base", "mid", "alone", "top")


def test_cards_of_equal_rank_keep_the_order_given() -> None:
    assert study_order({"z": (), "a": (), "m": ()}) == ("z", "a", "m")


def test_own_cards_are_first_but_for_what_they_build_on() -> None:
    cards = {"base": (), "mid": ("base",), "mine": (), "next": ("mid",)}
    assert study_order(cards, {"mine", "next"}) == ("mine", "base", "mid", "next")


def test_what_is_no_card_holds_nobody_up() -> None:
    assert study_order({"a": ("gone",), "b": ()}) == ("a", "b")


def test_a_circle_is_entered_where_it_was_given_first() -> None:
    assert study_order({"a": ("b",), "b": ("a",), "c": ("a",)}) == ("a", "b", "c")


def test_a_card_after_itself_is_no_circle() -> None:
    assert study_order({"a": ("a",), "b": ()}) == ("a", "b")


@given(GRAPHS)
def test_every_card_stands_once_and_none_before_its_prerequisites(
    after: dict[str, tuple[str, ...]],
) -> None:
    order = study_order(after)
    assert sorted(order) == sorted(after)
    for number, card in enumerate(order):
        missing = [each for each in after[card] if each in order[number + 1 :]]
        # Only a circle may be entered with a prerequisite missing.
        for each in missing:
            assert _leads(each, card, after) or _circle_open(number, order, after)


def _leads(start: str, goal: str, after: dict[str, tuple[str, ...]]) -> bool:
    seen, ways = {start}, [start]
    while ways:
        for each in after.get(ways.pop(), ()):
            if each == goal:
                return True
            if each not in seen:
                seen.add(each)
                ways.append(each)
    return False


def _circle_open(number: int, order: tuple[str, ...], after: dict[str, tuple[str, ...]]) -> bool:
    """Tell whether nothing was ready, so that any card had to be taken."""
    left = order[number:]
    return all(any(each in left and each != card for each in after[card]) for card in left)
