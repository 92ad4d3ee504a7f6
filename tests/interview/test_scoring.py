"""What an interview comes to, and that nothing is deducted without a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from quizapp.interview import events
from quizapp.interview.events import Manner
from quizapp.interview.interviewer import regrade
from quizapp.interview.machine import apply
from quizapp.interview.options import Options
from quizapp.interview.questions import Role
from quizapp.interview.scoring import SHARES, Reason, mark, summary
from quizapp.interview.state import Fate, Phase
from tests.interview.test_machine import GOOD, acts, interview, options
from tests.interview.world import Act, act, to_the_end


@given(options, acts)
def test_every_deduction_has_a_reason_and_they_add_up(made: Options, done: list[Act]) -> None:
    one = interview(made)
    act(one, done)
    to_the_end(one)
    for turn in one.state.turns:
        found = mark(turn)
        assert 0 <= found.value <= 1
        assert sum(lost.amount for lost in found.lost) == pytest.approx(1 - found.value)
        assert all(lost.amount >= 0 for lost in found.lost)


@given(options, acts)
def test_the_total_is_the_weighted_mean_of_what_was_asked(made: Options, done: list[Act]) -> None:
    one = interview(made)
    act(one, done)
    to_the_end(one)
    told = summary(one.state)
    assert told == one.state.summary
    counted = [turn for turn in one.state.turns if turn.fate is not Fate.DROPPED]
    assert told.questions == len(counted)
    assert (told.total is None) == (not counted)
    values = [mark(turn).value for turn in counted]
    if told.total is not None:
        assert min(values) - 1e-9 <= told.total <= max(values) + 1e-9
    assert sum(SHARES.values()) == pytest.approx(1)


def test_what_came_after_the_bell_is_lost_to_time_and_to_nothing_else() -> None:
    one = interview()
    one.happen(events.Drafted("the flops do not change"), 20)
    one.happen(events.Bell("the flops do not change"), 10)
    one.answer(GOOD, 15)
    one.accept()
    found = mark(one.state.turns[0])
    assert [(lost.id, lost.reason) for lost in found.lost] == [("P1", Reason.LATE)]
    assert found.whole is not None
    assert found.whole.credits["P1"] == 1


def test_a_hint_halves_its_point_and_says_so() -> None:
    one = interview()
    act(one, [("hint", 1)])
    one.answer(GOOD)
    one.accept()
    lost = {item.id: item.reason for item in mark(one.state.turns[0]).lost}
    assert lost == {"P1": Reason.HINTED}


def test_a_false_statement_costs_only_when_the_candidate_confirms_it() -> None:
    kept, confirmed = interview(), interview()
    for one in (kept, confirmed):
        one.answer(GOOD + ", and it saves time with fewer flops")
        assert one.state.to_tick is not None
        assert one.state.to_tick.heard is not None
        assert one.state.to_tick.heard.flagged
    flagged = confirmed.state.turns[0].heard.flagged  # type: ignore[union-attr]
    kept.accept()
    confirmed.accept(flagged)
    assert all(lost.reason is not Reason.FALSE for lost in mark(kept.state.turns[0]).lost)
    assert Reason.FALSE in {lost.reason for lost in mark(confirmed.state.turns[0]).lost}
    assert mark(confirmed.state.turns[0]).value < mark(kept.state.turns[0]).value


@pytest.mark.parametrize(
    ("what", "reason"),
    [(events.Skipped(), Reason.SKIPPED), (events.Answered("", Manner.GAVE_UP), Reason.GAVE_UP)],
)
def test_passing_on_a_question_is_one_deduction(what: events.Happening, reason: Reason) -> None:
    one = interview()
    one.happen(what, 3)
    assert [(lost.id, lost.reason, lost.amount) for lost in mark(one.state.turns[0]).lost] == [
        ("", reason, 1.0)
    ]


@pytest.mark.parametrize(
    ("said", "corrected"),
    [(GOOD, ("P1a",)), ("the intermediates stay in registers", ("P1a", "P2a"))],
)
def test_regrading_keeps_the_candidates_own_ticks(said: str, corrected: tuple[str, ...]) -> None:
    one = interview()
    one.answer(said)
    one.happen(events.Ticked(0, corrected))
    to_the_end(one)
    assert one.state.phase is Phase.OVER
    again = regrade(one.state, one.known)
    after = apply(one.state, events.Event(one.at, again))
    assert after.turns[0].ticks == corrected
    assert after.summary == one.state.summary == summary(after)


def test_regrading_holds_the_answers_against_the_card_as_it_is_now() -> None:
    one = interview()
    one.answer(GOOD)
    one.accept()
    to_the_end(one)
    card = one.known.answers["fusion-short"]
    fewer = replace(card, points=tuple(p for p in card.points if p.id in ("P1", "P2")))
    known = replace(one.known, answers={**one.known.answers, "fusion-short": fewer})
    after = apply(one.state, events.Event(one.at, regrade(one.state, known)))
    turn = after.turns[0]
    assert [point.id for point in turn.question.points] == ["P1", "P2"]
    assert turn.question.role is Role.MAIN
    found = mark(turn)
    assert found.whole is not None
    assert found.whole.value == 1
