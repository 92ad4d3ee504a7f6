"""The machine: no question twice, no negative time, every path ends, resuming is replaying."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.interview import events, machine
from quizapp.interview.codec import decode, encode
from quizapp.interview.events import Manner, Why
from quizapp.interview.machine import MoveError
from quizapp.interview.options import Languages, Level, Options, Style
from quizapp.interview.questions import Role
from quizapp.interview.state import Fate, Phase
from tests.interview.world import TEXTS, Act, Interview, act, material, replayed, to_the_end

GOOD = "the intermediates stay in registers and the flops do not change"

options = st.builds(
    Options,
    length=st.integers(1, 6),
    languages=st.sampled_from(Languages),
    level=st.sampled_from(Level),
    style=st.sampled_from(Style),
    seed=st.integers(0, 2**53 - 1),
    decks=st.sampled_from([(), ("test",), ("other",)]),
)
names = st.one_of(
    st.sampled_from(
        [
            "bell",
            "speak",
            "spoken",
            "skip",
            "prove",
            "pause",
            "resume",
            "tick",
            "hint",
            "end",
            "pass",
        ]
    ),
    st.builds(
        lambda name, n: f"{name}:{n}",
        st.sampled_from(["draft", "answer", "answer"]),
        st.integers(0, len(TEXTS) - 1),
    ),
)
acts = st.lists(st.tuples(names, st.floats(-20, 90)), max_size=40)


def interview(made: Options | None = None) -> Interview:
    made = made or Options(decks=("test",), length=1)
    return Interview(made, material(made))


@given(options, acts)
def test_no_question_is_asked_twice(made: Options, done: list[Act]) -> None:
    one = interview(made)
    act(one, done)
    to_the_end(one)
    asked = [turn.question.prompt for turn in one.state.turns]
    assert len(asked) == len(set(asked))
    assert len({turn.question.uuid for turn in one.state.turns}) == len(asked)


@given(options, acts)
def test_time_is_never_negative_and_stands_in_a_pause(made: Options, done: list[Act]) -> None:
    one = interview(made)
    act(one, done)
    for turn in one.state.turns:
        assert turn.seconds >= 0
        assert turn.first_word is None or 0 <= turn.first_word <= turn.seconds
    for ahead in (-3600, 0, 3600):
        shown = machine.reading(one.state, one.at + timedelta(seconds=ahead))
        assert min(shown.seconds, shown.left, shown.over) >= 0
        assert not (shown.left and shown.over)
        if one.state.phase is not Phase.ANSWERING:
            turn = one.state.turn
            assert shown.seconds == (turn.seconds if turn else 0)


@given(options, acts)
def test_every_path_ends(made: Options, done: list[Act]) -> None:
    one = interview(made)
    act(one, done)
    left = to_the_end(one)
    slots = len(one.first.plan)
    # A round has a main question, its follow-ups, a calculation and a proof; each may be asked
    # again once, and be ticked.
    assert left <= slots * (made.demands.follow_ups + 3) * 3 + 1
    assert one.state.summary is not None
    assert all(turn.fate is not Fate.OPEN for turn in one.state.turns)


@given(options, acts, st.data())
def test_resuming_from_the_log_is_going_on(
    made: Options, done: list[Act], data: st.DataObject
) -> None:
    one = interview(made)
    act(one, done)
    assert replayed(one) == one.state
    # As the store has it: JSON and back.
    stored = [decode(event.at, *encode(event.what)) for event in one.log]
    assert stored == one.log
    # A program that ended anywhere, and started again an hour later.
    cut = data.draw(st.integers(0, len(done)))
    first = interview(made)
    act(first, done[:cut])
    second = interview(made)
    second.state, second.log = machine.fold(first.first, first.log), list(first.log)
    second.at = first.at + timedelta(hours=1)
    broken = first.state.phase is Phase.ANSWERING
    if broken:
        last = first.state.at
        assert last is not None
        second.at = last
        second.happen(events.Paused())
        second.at += timedelta(hours=1)
        second.happen(events.Resumed())
    act(second, done[cut:])
    assert second.state.turns == _rounded(one, second)


def _rounded(one: Interview, other: Interview) -> tuple[object, ...]:
    """The turns of one, with the other's times where they differ by rounding alone."""
    assert len(one.state.turns) == len(other.state.turns)
    pairs = zip(one.state.turns, other.state.turns, strict=True)
    for mine, its in pairs:
        assert mine.seconds == pytest.approx(its.seconds, abs=1e-3)
        assert mine.first_word == pytest.approx(its.first_word, abs=1e-3)
    return tuple(
        replace(mine, seconds=its.seconds, first_word=its.first_word)
        for mine, its in zip(one.state.turns, other.state.turns, strict=True)
    )


@given(options)
def test_the_same_seed_asks_the_same(made: Options) -> None:
    one, other = interview(made), interview(made)
    to_the_end(one)
    to_the_end(other)
    assert one.log == other.log


def test_the_draft_at_the_bell_is_kept_and_overtime_counts() -> None:
    one = interview()
    one.happen(events.Drafted("the intermediates stay in registers"), 20)
    assert not machine.bell_is_due(one.state, one.at + timedelta(seconds=9))
    assert machine.bell_is_due(one.state, one.at + timedelta(seconds=10))
    one.happen(events.Bell("the intermediates stay in registers"), 10)
    assert not machine.bell_is_due(one.state, one.at + timedelta(seconds=60))
    one.answer(GOOD, 15)
    turn = one.state.turns[0]
    assert turn.bell == "the intermediates stay in registers"
    assert (turn.seconds, turn.first_word) == (45, 20)
    assert turn.heard is not None
    assert turn.heard.ticked == ("P1a", "P2a")
    assert turn.heard.late == ("P2a",)


def test_a_vague_answer_gets_one_re_prompt_and_no_more() -> None:
    one = interview()
    one.answer("well, it is nicer this way")
    assert one.state.phase is Phase.ANSWERING
    assert one.state.turns[0].reprompts == (Why.VAGUE,)
    one.answer("it is just better I think")
    assert one.state.phase is Phase.TICKING
    assert one.state.turns[0].given == ("well, it is nicer this way", "it is just better I think")
    assert one.state.turns[0].seconds == 20


@pytest.mark.parametrize("text", [GOOD, "", "i don't know"])
def test_giving_up_is_never_called_vague(text: str) -> None:
    one = interview()
    one.happen(events.Answered(text, Manner.GAVE_UP), 3)
    assert one.state.turns[0].reprompts == ()
    assert one.state.turns[0].ticks is None
    assert len(one.state.turns) == 2


def test_passing_when_asked_again_keeps_the_first_answer() -> None:
    one = interview()
    one.answer("well, it is nicer this way")
    one.happen(events.Skipped(), 5)
    assert one.state.turns[0].fate is Fate.ANSWERED
    assert one.state.phase is Phase.TICKING


def test_live_shows_no_ticks_before_the_last_question() -> None:
    one = interview(Options(decks=("test",), length=1, style=Style.LIVE))
    while one.state.phase is not Phase.TICKING:
        if one.state.phase is Phase.PROVING:
            one.happen(events.Proved("proved", "record"))
            continue
        one.answer(GOOD)
    asked = [turn for turn in one.state.turns if turn.question.role is not Role.CALCULATION]
    assert one.state.done
    assert list(one.state.unticked) == asked
    for turn in asked:
        assert one.state.to_tick == turn
        one.accept()
    assert one.state.phase is Phase.OVER


def test_ending_early_takes_the_draft_and_drops_what_was_not_answered() -> None:
    one = interview(Options(length=2))
    one.happen(events.Drafted(GOOD), 5)
    one.happen(events.EndedEarly(), 2)
    (turn,) = one.state.turns
    assert (turn.text, turn.interrupted, turn.fate) == (GOOD, True, Fate.ANSWERED)
    one.accept()
    assert one.state.phase is Phase.OVER
    other = interview(Options(length=2))
    other.happen(events.EndedEarly(), 2)
    assert [turn.fate for turn in other.state.turns] == [Fate.DROPPED]
    assert other.state.summary is not None
    assert other.state.summary.total is None


def test_a_pause_takes_no_time() -> None:
    one = interview()
    one.happen(events.Paused(), 4)
    with pytest.raises(MoveError):
        one.happen(events.Drafted("x"), 600)
    one.happen(events.Resumed(), 600)
    one.answer(GOOD, 6)
    assert one.state.turns[0].seconds == 10


def test_writing_down_what_was_said_aloud_takes_no_time() -> None:
    one = interview()
    one.happen(events.Spoke(), 20)
    one.happen(events.Answered(GOOD, Manner.SUMMARISED), 60)
    assert one.state.turns[0].seconds == 20
    assert one.state.turns[0].first_word is None


def test_a_clock_that_is_set_back_takes_nothing_away() -> None:
    one = interview()
    one.happen(events.Drafted("the"), 10)
    one.happen(events.Drafted("the inter"), -3600)
    one.answer(GOOD, 5)
    assert one.state.turns[0].seconds == 15


def test_a_hint_is_the_beginning_of_a_core_point_and_is_shown_once() -> None:
    one = interview()
    act(one, [("hint", 1), ("hint", 1), ("hint", 1)])
    hints = one.state.turns[0].hints
    assert [hint.point for hint in hints] == ["P1", "P2"]
    assert hints[0].text.endswith("…")
    assert "registers" not in hints[0].text
    one.answer(GOOD)
    assert one.state.turns[0].hinted == {"P1a", "P2a"}


@settings(max_examples=20)
@given(st.sampled_from(["asked", "graded", "ticked", "proved", "finished", "regraded"]))
def test_what_is_not_possible_now_changes_nothing(kind: str) -> None:
    one = interview()
    question = one.state.turns[0].question
    impossible = {
        "asked": events.Asked(question),
        "graded": events.Graded(events.Heard()),
        "ticked": events.Ticked(0, ()),
        "proved": events.Proved("proved", "record"),
        "finished": events.Finished(events.Summary(None, None, None, None, 0, 0.0)),
        "regraded": events.Regraded((), events.Summary(None, None, None, None, 0, 0.0)),
    }
    before = one.state
    with pytest.raises(MoveError):
        one.happen(impossible[kind])
    assert one.state == before
