"""What is asked: main questions by seed, follow-ups by what was left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.cards.model import PromptKind
from quizapp.interview import planning
from quizapp.interview.options import Languages, Level, Options
from quizapp.interview.planning import follow_up, plan
from quizapp.interview.questions import Choice, Role
from tests.interview.test_machine import GOOD, acts, interview, options
from tests.interview.world import Act, act, material


@given(options)
def test_a_plan_repeats_nothing_and_keeps_to_the_decks(made: Options) -> None:
    slots = plan(made, material(made))
    assert 0 < len(slots) <= made.length
    assert len({slot.prompt for slot in slots}) == len(slots)
    decks = {material(made).asks[slot.card].deck for slot in slots}
    assert not made.decks or decks <= set(made.decks)
    proofs = sum(bool(slot.claim) for slot in slots)
    assert made.demands.proofs is None or proofs <= made.demands.proofs


def test_different_cards_come_before_more_of_the_same() -> None:
    for seed in range(20):
        slots = plan(Options(length=2, seed=seed), material())
        assert {slot.card for slot in slots} == {"fusion-short", "streams"}


def test_what_was_missed_last_comes_first_more_often() -> None:
    known = material(missed_last={"streams/main": 1.0})
    first = Counter(plan(Options(seed=seed), known)[0].prompt for seed in range(300))
    # Weight 2 against 1: two of three.
    assert 170 <= first["streams/main"] <= 230


def test_what_is_suspended_is_never_asked() -> None:
    known = material(left_out=frozenset({"streams/main", "fusion-short/main"}))
    asked = {slot.prompt for slot in plan(Options(length=50), known)}
    assert asked
    assert not asked & known.left_out


def test_no_cards_make_no_plan() -> None:
    assert plan(Options(decks=("none",)), material()) == ()


@given(options, acts)
def test_a_follow_up_is_never_covered_already_and_they_are_few(
    made: Options, done: list[Act]
) -> None:
    one = interview(made)
    act(one, done)
    per_round: Counter[int] = Counter()
    for turn in one.state.turns:
        if turn.question.role is Role.FOLLOW_UP:
            per_round[turn.question.round] += 1
            assert turn.question.kind is PromptKind.FOLLOW_UP
            assert turn.question.choice is not None
            assert turn.question.choice.rank > 0
    assert all(count <= made.demands.follow_ups for count in per_round.values())


@given(st.floats(0.1, 5), st.floats(0.01, 1), st.booleans(), st.floats(0, 1), st.floats(0.01, 1))
def test_a_rank_grows_with_each_of_its_factors(
    weight: float, missed: float, false: bool, last: float, more: float
) -> None:
    choice = Choice(weight, missed, false, last)
    assert replace(choice, weight=weight + more).rank > choice.rank
    assert replace(choice, missed=missed + more).rank > choice.rank
    assert replace(choice, last=last + more).rank > choice.rank
    assert replace(choice, false=True).rank >= choice.rank


def test_the_follow_up_asked_is_the_one_of_highest_rank() -> None:
    one = interview(Options(decks=("test",), length=1, level=Level.SENIOR))
    one.answer(GOOD)
    one.accept()
    asked = one.state.turns[-1].question
    assert asked.role is Role.FOLLOW_UP
    before = replace(one.state, turns=one.state.turns[:-1])
    chosen = follow_up(before, 0, one.known)
    assert chosen is not None
    assert (asked.prompt, asked.choice) == chosen
    # What it missed last time raises another above it, if there is another.
    left_out = replace(one.known, left_out=frozenset({asked.prompt}))
    other = follow_up(before, 0, left_out)
    assert other is None or other[1].rank <= chosen[1].rank


@pytest.mark.parametrize("covered", [True, False])
def test_a_follow_up_covered_by_the_answer_is_not_asked(covered: bool) -> None:
    one = interview(Options(decks=("other",), length=1))
    card = one.known.answers["streams"]
    (follow,) = card.follow_ups
    one.answer(f"{card.answer} {follow.answer}" if covered else card.answer)
    one.accept()
    roles = [turn.question.role for turn in one.state.turns]
    assert roles == [Role.MAIN] + [Role.FOLLOW_UP] * (not covered)


@pytest.mark.parametrize(
    ("languages", "asks", "answers"),
    [
        (Languages.EN, "en", "en"),
        (Languages.ZH, "zh", "zh"),
        (Languages.EN_ZH, "en", "zh"),
        (Languages.ZH_EN, "zh", "en"),
    ],
)
def test_question_and_rubric_are_each_in_their_language(
    languages: Languages, asks: str, answers: str
) -> None:
    made = Options(decks=("test",), length=1, languages=languages)
    one = interview(made)
    question = one.state.turns[0].question
    assert (made.languages.asks, made.languages.answers) == (asks, answers)
    card = one.known.asks[question.card]
    assert question.text == card.title
    assert card.lang == asks
    assert question.reference == one.known.answers[question.card].answer
    assert one.known.answers[question.card].lang == answers


def test_a_calculation_has_the_same_values_in_both_languages() -> None:
    known = material(Options(languages=Languages.EN_ZH))
    (key,) = [f"fusion-short/{c.id}" for c in known.asks["fusion-short"].calculations[:1]]
    one, other = planning.exercise(key, 7, known), planning.exercise(key, 7, known, answers=True)
    assert one is not None
    assert other is not None
    assert (one.values, one.result) == (other.values, other.result)
