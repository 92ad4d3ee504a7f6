"""What a study day asks, in which order, and what it holds back."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Memory, Rating, Review, Schedule
from quizapp.memory.queue import (
    Candidate,
    DoneToday,
    Hold,
    Limits,
    done_today,
    more,
    plan,
    waiting_cards,
)
from quizapp.memory.schedule import ScheduleSettings, retrievability

TODAY = date(2026, 12, 1)
WIDE = Limits(new_per_day=9999, reviews_per_day=9999)
NOTHING = DoneToday()


def known(key: str, stability: float, ago: int, due_in: int = 0) -> Schedule:
    last = TODAY - timedelta(days=ago)
    return Schedule(key, Memory(stability, 5.0), last, TODAY + timedelta(days=due_in), 3, 0)


def by_key(*schedules: Schedule) -> dict[str, Schedule]:
    return {schedule.prompt: schedule for schedule in schedules}


def one_each(*keys: str) -> list[Candidate]:
    return [Candidate(key, key.partition("/")[0], 0, n) for n, key in enumerate(keys)]


def test_the_weakest_memory_comes_first_and_not_the_oldest_date():
    schedules = by_key(
        known("years/main", 1000.0, ago=1100, due_in=-100), known("days/main", 3.0, ago=5)
    )
    planned = plan(one_each(*schedules), schedules, TODAY, WIDE, NOTHING)
    assert planned.due == ("days/main", "years/main")


@given(st.lists(st.tuples(st.floats(0.01, 36_500), st.integers(1, 4000)), max_size=30))
def test_due_prompts_come_in_the_order_of_retrievability(memories):
    schedules = by_key(
        *(known(f"c{n}/main", stability, ago) for n, (stability, ago) in enumerate(memories))
    )
    planned = plan(one_each(*schedules), schedules, TODAY, WIDE, NOTHING)
    recalls = [retrievability(schedules[key], TODAY, ScheduleSettings()) for key in planned.due]
    assert recalls == sorted(recalls)


def test_what_is_not_due_is_not_asked():
    schedules = by_key(known("a/main", 9.0, ago=2, due_in=1))
    planned = plan(one_each("a/main"), schedules, TODAY, WIDE, NOTHING)
    assert planned.order == ()
    assert planned.counts.total == 0


def test_new_prompts_come_in_card_order_with_the_answer_first(make_deck):
    prompts = make_deck(cards=3, prompts=3)
    random.Random(4).shuffle(prompts)
    planned = plan(prompts, {}, TODAY, WIDE, NOTHING)
    mains, ones, twos = ([f"{card}/{place}" for card in "abc"] for place in ("main", 1, 2))
    assert list(planned.new) == [*mains, *ones, *twos]


def test_a_deck_of_one_card_is_learned_from_its_answer_on(make_deck):
    planned = plan(make_deck(cards=1, prompts=17), {}, TODAY, Limits(new_per_day=3), NOTHING)
    assert planned.order == ("a/main", "a/1", "a/2")
    assert len(planned.held_back[Hold.NEW_LIMIT]) == 14


def test_the_new_limit_counts_what_was_new_today_already(make_deck):
    prompts = make_deck(cards=9, prompts=1)
    limits = Limits(new_per_day=5)
    assert len(plan(prompts, {}, TODAY, limits, NOTHING).new) == 5
    assert len(plan(prompts, {}, TODAY, limits, DoneToday(new=3)).new) == 2
    assert plan(prompts, {}, TODAY, limits, DoneToday(new=7)).new == ()


def test_the_review_limit_keeps_the_weakest_and_lists_the_others():
    schedules = by_key(*(known(f"c{n}/main", 10.0, ago=10 + n) for n in range(6)))
    limits = Limits(reviews_per_day=4)
    planned = plan(one_each(*schedules), schedules, TODAY, limits, DoneToday(reviews=1))
    assert planned.due == ("c5/main", "c4/main", "c3/main")
    assert planned.held_back[Hold.REVIEW_LIMIT] == ("c2/main", "c1/main", "c0/main")


def test_due_siblings_wait_until_every_other_card_was_asked(make_deck):
    prompts = make_deck(cards=2, prompts=3)
    schedules = by_key(
        known("a/main", 1.0, ago=9), known("a/1", 1.0, ago=8), known("b/main", 1.0, ago=1)
    )
    planned = plan(prompts, schedules, TODAY, Limits(new_per_day=0), NOTHING)
    assert planned.order == ("a/main", "b/main", "a/1")


def test_a_new_follow_up_waits_when_its_card_is_due_today(make_deck):
    prompts = make_deck(cards=2, prompts=2)
    schedules = by_key(known("a/main", 1.0, ago=2))
    planned = plan(prompts, schedules, TODAY, Limits(new_per_day=2), NOTHING)
    assert planned.new == ("b/main", "a/1")
    assert planned.order == ("b/main", "a/main", "a/1")


def test_a_new_follow_up_waits_when_its_answer_was_done_today(make_deck):
    prompts = make_deck(cards=2, prompts=2)
    schedules = by_key(known("a/main", 2.0, ago=0, due_in=2))
    done = DoneToday(new=1, cards=frozenset("a"))
    planned = plan(prompts, schedules, TODAY, Limits(new_per_day=2), done)
    assert planned.new == ("b/main",)
    assert planned.held_back[Hold.NEW_LIMIT] == ("a/1", "b/1")


def test_new_prompts_stand_among_the_due_ones(make_deck):
    prompts = make_deck(cards=8, prompts=1)
    schedules = by_key(*(known(f"{card}/main", 1.0, ago=9) for card in "abcdef"))
    planned = plan(prompts, schedules, TODAY, WIDE, NOTHING)
    assert [key in planned.new for key in planned.order] == [
        *(False, False, True),
        *(False, False, True),
        *(False, False),
    ]


def test_again_today_is_learning_and_under_no_limit(make_deck):
    schedules = by_key(known("a/main", 0.5, ago=0))
    none = Limits(new_per_day=0, reviews_per_day=0)
    planned = plan(make_deck(1, 1), schedules, TODAY, none, DoneToday(new=1))
    assert planned.learning == ("a/main",)
    assert (planned.due, planned.counts.total) == ((), 1)
    tomorrow = plan(make_deck(1, 1), schedules, TODAY + timedelta(days=1), WIDE, NOTHING)
    assert (tomorrow.learning, tomorrow.due) == ((), ("a/main",))


def test_suspended_prompts_are_listed_and_not_asked(make_deck):
    prompts = [replace(prompt, suspended=True) for prompt in make_deck(2, 1)]
    schedules = by_key(known("a/main", 1.0, ago=9))
    planned = plan(prompts, schedules, TODAY, WIDE, NOTHING)
    assert planned.order == ()
    assert planned.held_back[Hold.SUSPENDED] == ("a/main", "b/main")
    assert more(prompts, schedules, planned, 9, NOTHING) == ()


def test_cards_wait_for_their_prerequisites_but_reviews_do_not(make_deck):
    prompts = [replace(prompt, waits=prompt.card == "b") for prompt in make_deck(2, 2)]
    schedules = by_key(known("b/1", 1.0, ago=9))
    planned = plan(prompts, schedules, TODAY, WIDE, NOTHING)
    assert planned.due == ("b/1",)
    assert planned.new == ("a/main", "a/1")
    assert planned.held_back[Hold.WAITS] == ("b/main",)


def test_prerequisites_are_met_once_their_answers_were_recalled():
    after = {"fusion": ["roofline", "gone"], "roofline": [], "attention": ["fusion"]}
    answers = {card: f"{card}/main" for card in after}
    assert waiting_cards(after, answers, ()) == {"fusion", "attention"}
    assert waiting_cards(after, answers, {"roofline/main"}) == {"attention"}


def test_done_today_counts_each_prompt_once_and_knows_new_from_known():
    calendar = StudyCalendar(UTC, 4)
    at = datetime(2026, 12, 1, 12, tzinfo=UTC)
    yesterday = datetime(2026, 12, 1, 3, tzinfo=UTC)
    reviews = [
        Review("a/main", yesterday, Rating.GOOD),
        Review("a/main", at, Rating.AGAIN),
        Review("a/main", at, Rating.GOOD),
        Review("b/main", at, Rating.AGAIN),
        Review("b/main", at, Rating.GOOD),
    ]
    schedules = {
        "a/main": Schedule("a/main", Memory(1, 5), TODAY, TODAY, reviews=3, lapses=0),
        "b/main": Schedule("b/main", Memory(1, 5), TODAY, TODAY, reviews=2, lapses=0),
    }
    done = done_today(reviews, schedules, TODAY, calendar)
    assert done == DoneToday(new=1, reviews=1, cards=frozenset({"a", "b"}))


def test_more_offers_the_soonest_due_then_the_new_beyond_the_limit(make_deck):
    prompts = make_deck(cards=5, prompts=1)
    schedules = by_key(
        known("a/main", 9.0, ago=2, due_in=5),
        known("b/main", 9.0, ago=2, due_in=1),
        known("c/main", 2.0, ago=0, due_in=1),
    )
    planned = plan(prompts, schedules, TODAY, Limits(new_per_day=0), NOTHING)
    offered = more(prompts, schedules, planned, 10, NOTHING)
    assert offered == ("b/main", "a/main", "d/main", "e/main"), "c was reviewed today"
    assert more(prompts, schedules, planned, 2, NOTHING) == offered[:2]


def test_more_begins_with_what_the_review_limit_held_back(make_deck):
    schedules = by_key(known("a/main", 1.0, ago=9), known("b/main", 9.0, ago=1, due_in=8))
    planned = plan(make_deck(2, 1), schedules, TODAY, Limits(reviews_per_day=0), NOTHING)
    assert more(make_deck(2, 1), schedules, planned, 5, NOTHING) == ("a/main", "b/main")


@given(st.randoms(use_true_random=False), st.integers(0, 12), st.integers(0, 12))
def test_a_plan_is_the_same_in_any_order_of_input_and_asks_nothing_twice(source, new, reviews):
    prompts = [Candidate(f"{c}/{p}", c, p, n) for n, c in enumerate("abcd") for p in range(4)]
    schedules = by_key(
        *(
            known(prompt.key, source.uniform(0.1, 50), ago := source.randint(0, 60), -(ago // 2))
            for prompt in source.sample(prompts, 9)
        )
    )
    limits = Limits(new, reviews)
    planned = plan(prompts, schedules, TODAY, limits, NOTHING)
    assert plan(prompts[::-1], schedules, TODAY, limits, NOTHING) == planned
    everything = [*planned.order, *planned.learning]
    held = [key for keys in planned.held_back.values() for key in keys]
    assert len(set(everything)) == len(everything)
    assert set(planned.order) == set(planned.due) | set(planned.new)
    assert set(everything).isdisjoint(held)
    assert len(planned.due) <= reviews
    assert len(planned.new) <= new


def test_three_weeks_bring_every_prompt_in_and_keep_siblings_apart(study, make_deck):
    user = study(make_deck(cards=12, prompts=4), Limits(new_per_day=3))
    for _ in range(21):
        planned = user.plan()
        lead = [key for key in planned.order if key in planned.due or key in planned.new]
        cards = [key.partition("/")[0] for key in lead]
        others = len(cards) - len(set(cards))
        assert len(set(cards[: len(cards) - others])) == len(cards) - others
        user.sit()
        user.sleep()
    assert len(user.schedules) == 48
