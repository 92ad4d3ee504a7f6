"""The registry: no key means two things, none that terminals cannot send, words for all."""

from __future__ import annotations

import pytest
from textual.widgets import TextArea

from quizapp.cards.kinds import Lang, PromptKind
from quizapp.memory.model import Rating
from quizapp.memory.rating import Reason
from quizapp.proof.verdict import Verdict, Why
from quizapp.services import review
from quizapp.tui.actions import ACTIONS, Place, key_at, types_nothing
from quizapp.tui.words import words

UNSENDABLE = {
    "ctrl+enter", "alt+enter", "ctrl+h", "ctrl+i", "ctrl+m", "ctrl+@", "ctrl+slash",
    "ctrl+underscore", "ctrl+space",
}  # fmt: skip


@pytest.mark.parametrize("place", [place for place in Place if place is not Place.EVERYWHERE])
def test_a_key_means_one_thing_at_a_place(place: Place) -> None:
    keys = [
        key
        for action in ACTIONS
        if place in action.places or Place.EVERYWHERE in action.places
        for key in action.keys
    ]
    assert len(keys) == len(set(keys))


def test_report_9_no_action_hangs_on_a_key_that_tmux_cannot_send() -> None:
    for action in ACTIONS:
        assert not UNSENDABLE & set(action.keys), action.id


@pytest.mark.parametrize("place", [Place.ASK, Place.SIT])
def test_where_text_is_typed_no_key_is_the_editors_own(place: Place) -> None:
    editors = {key for binding in TextArea.BINDINGS for key in binding.key.split(",")}  # type: ignore[union-attr]
    for action in ACTIONS:
        if place in action.places:
            assert not editors & set(action.keys), action.id
            assert types_nothing(key_at(action, place)), action.id


@pytest.mark.parametrize("lang", list(Lang))
def test_everything_has_words(lang: Lang) -> None:
    texts = words(lang)
    assert set(texts.actions) == {action.id for action in ACTIONS}
    assert set(texts.places) == set(Place)
    assert set(texts.ratings) == set(Rating)
    assert set(texts.kinds) == set(PromptKind)
    assert set(texts.reasons) == {reason.value for reason in Reason}
    assert set(texts.verdicts) == {verdict.value for verdict in Verdict}
    assert set(texts.verdict_reasons) == {why.value for why in Why}
    for reason in review.Reason:
        assert getattr(texts, f"why_{reason.value.replace('-', '_')}")


def test_both_languages_fill_in_the_same_names() -> None:
    import string

    english, chinese = words(Lang.EN), words(Lang.ZH)
    for name in english._fields:
        here, there = getattr(english, name), getattr(chinese, name)
        if isinstance(here, str):
            fields = [{f for _, f, _, _ in string.Formatter().parse(t) if f} for t in (here, there)]
            assert fields[0] == fields[1], name


@pytest.mark.parametrize(
    ("days", "shown"), [(0, "today"), (1, "1 d"), (59, "59 d"), (90, "3.0 mo")]
)
def test_intervals_are_short(days: int, shown: str) -> None:
    assert words(Lang.EN).interval_of(days) == shown
