"""What a session asks next, and what answers, skips and undo change."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from quizapp.memory.model import Rating
from quizapp.memory.queue import Counts, DoneToday, Limits, plan
from quizapp.memory.session import AGAIN_AFTER, Session, start

AGAIN, GOOD = Rating.AGAIN, Rating.GOOD


def drive(session: Session, ratings: list[Rating]) -> tuple[Session, list[str]]:
    asked = []
    for rating in ratings:
        key = session.next()
        if key is None:
            break
        asked.append(key)
        session = session.answered(key, rating)
    return session, asked


def test_the_plan_is_asked_in_its_order_and_then_the_session_is_over(session_of):
    session, asked = drive(session_of("a", "b", "c"), [GOOD, Rating.HARD, Rating.EASY])
    assert asked == ["a", "b", "c"]
    assert session.next() is None


def test_again_returns_after_a_few_others(session_of):
    session = session_of(*"abcdefgh")
    _, asked = drive(session, [AGAIN] + [GOOD] * 8)
    assert asked == [*"abcde", "a", *"fgh"]
    assert asked.index("a", 1) == AGAIN_AFTER + 1


def test_again_returns_at_once_when_nothing_else_is_left(session_of):
    session, asked = drive(session_of("a"), [AGAIN, AGAIN, GOOD])
    assert asked == ["a", "a", "a"]
    assert session.next() is None


def test_two_that_were_forgotten_take_turns(session_of):
    _, asked = drive(session_of("a", "b"), [AGAIN] * 4 + [GOOD] * 2)
    assert asked == ["a", "b"] * 3


@given(st.integers(1, 12), st.lists(st.sampled_from([AGAIN, GOOD]), max_size=30))
def test_every_prompt_is_asked_until_it_is_recalled_and_then_never_again(number, ratings):
    keys = [f"k{n}" for n in range(number)]
    session, asked = drive(Session(pending=tuple(keys)), ratings + [GOOD] * 100)
    assert session.next() is None
    given_to = zip(asked, ratings + [GOOD] * 100, strict=False)
    recalled = [key for key, rating in given_to if rating == GOOD]
    assert sorted(recalled) == sorted(keys)


@given(st.lists(st.sampled_from([AGAIN, GOOD]), max_size=12), st.sampled_from(Rating))
def test_undo_asks_the_same_prompt_again_and_leaves_the_others_as_they_were(ratings, rating):
    before, _ = drive(Session(pending=tuple("abcdef")), ratings)
    key = before.next()
    if key is None:
        return
    undone = before.answered(key, rating).undo(key)
    assert undone.next() == key
    after = undone.answered(key, rating)
    assert after == before.answered(key, rating)


def test_undo_of_an_earlier_session_s_review_brings_that_prompt_up(session_of):
    session = session_of("a", "b").undo("z")
    assert session.next() == "z"
    assert session.answered("z", GOOD).next() == "a"


def test_undo_of_again_takes_back_its_return(session_of):
    session, _ = drive(session_of("a", "b"), [AGAIN])
    session = session.undo("a").answered("a", GOOD)
    assert session.learning == ()
    assert session.pending == ("b",)


def test_a_skipped_prompt_is_not_asked_again_and_is_remembered(session_of):
    session, asked = drive(session_of("a", "b").skip("a"), [GOOD, GOOD])
    assert asked == ["b"]
    assert session.skipped == ("a",)


def test_a_forgotten_prompt_can_be_skipped_too(session_of):
    session, _ = drive(session_of("a"), [AGAIN])
    assert session.skip("a").next() is None


def test_taken_follow_ups_are_asked_at_once_in_their_order(session_of):
    session = session_of("a/main", "b/main", "a/2").take(["a/1", "a/2", "a/1"], new=["a/1"])
    _, asked = drive(session, [GOOD] * 9)
    assert asked == ["a/1", "a/2", "a/main", "b/main"]
    assert session.counts == Counts(due=3, new=1, learning=0)


def test_a_taken_follow_up_that_was_forgotten_returns_like_any_other(session_of):
    session = session_of(*"abcdef").take(["x"])
    _, asked = drive(session, [AGAIN] + [GOOD] * 9)
    assert asked == ["x", *"abcd", "x", *"ef"]


def test_counts_fall_with_every_answer_and_again_moves_to_learning():
    session = Session(pending=("a", "b", "c"), new=frozenset("ab"))
    assert session.counts == Counts(due=1, new=2, learning=0)
    assert session.answered("a", AGAIN).counts == Counts(due=1, new=1, learning=1)
    assert session.answered("a", GOOD).counts == Counts(due=1, new=1, learning=0)


def test_a_plan_of_nothing_is_over_at_once():
    session = start(plan([], {}, date(2026, 12, 1), Limits(), DoneToday()))
    assert session.next() is None
    assert session.counts.total == 0


def test_a_session_made_again_goes_on_where_the_last_one_was_dropped(study, make_deck):
    whole, pieces = (study(make_deck(9, 1), Limits(new_per_day=9)) for _ in range(2))
    asked = whole.sit()
    resumed = [key for _ in range(9) for key in pieces.sit(most=1)]
    assert resumed == asked
    assert pieces.plan().counts.total == 0


def test_after_a_restart_what_was_forgotten_today_waits_behind_a_few_others(study, make_deck):
    user = study(make_deck(9, 1), Limits(new_per_day=9))
    assert user.sit(AGAIN, most=1) == ["a/main"]
    asked = user.sit()
    assert asked.index("a/main") == AGAIN_AFTER


def test_a_user_who_was_sure_and_wrong_is_asked_again_at_the_very_end():
    session = Session(pending=tuple("abcdefgh"))
    session = session.answered("a", GOOD, misled=True).answered("b", AGAIN)
    asked = []
    while (key := session.next()) is not None:
        asked.append(key)
        session = session.answered(key, GOOD)
    assert asked == [*"cdef", "b", *"gh", "a"]
