"""From a scored answer to a rating, and never a deduction without its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.memory.model import Rating
from quizapp.memory.rating import CAPS, Evidence, Reason, Thresholds, allowed, propose

PERFECT = Evidence(
    score=1.0,
    core_points=2,
    seconds=25,
    target_seconds=30,
    sure=True,
    earlier_reviews=2,
)

evidences = st.integers(0, 4).flatmap(
    lambda core: st.builds(
        Evidence,
        score=st.floats(0, 1),
        core_points=st.just(core),
        core_missed=st.integers(0, core),
        false_claims=st.integers(0, 2),
        hints=st.integers(0, 2),
        seconds=st.none() | st.floats(0, 200),
        target_seconds=st.none() | st.just(30.0),
        gave_up=st.booleans(),
        sure=st.booleans(),
        earlier_reviews=st.integers(0, 4),
    )
)


def test_everything_said_in_time_and_surely_is_easy():
    proposal = propose(PERFECT)
    assert proposal.rating == Rating.EASY
    assert proposal.reasons == ()


@pytest.mark.parametrize(
    ("change", "rating", "reason"),
    [
        ({"gave_up": True}, Rating.AGAIN, Reason.GAVE_UP),
        ({"score": 0.59}, Rating.AGAIN, Reason.LOW_SCORE),
        ({"core_missed": 2}, Rating.AGAIN, Reason.NO_CORE_POINT),
        ({"core_points": 1, "core_missed": 1}, Rating.AGAIN, Reason.NO_CORE_POINT),
        ({"score": 0.60}, Rating.HARD, Reason.PARTIAL_SCORE),
        ({"score": 0.79}, Rating.HARD, Reason.PARTIAL_SCORE),
        ({"core_missed": 1}, Rating.HARD, Reason.CORE_POINT_MISSED),
        ({"false_claims": 1}, Rating.HARD, Reason.FALSE_CLAIM),
        ({"hints": 1}, Rating.HARD, Reason.HINT),
        ({"seconds": 60.1}, Rating.HARD, Reason.OVERTIME),
        ({"score": 0.80}, Rating.GOOD, Reason.INCOMPLETE),
        ({"score": 0.94}, Rating.GOOD, Reason.INCOMPLETE),
        ({"seconds": 60.0}, Rating.GOOD, Reason.OVER_TARGET),
        ({"sure": False}, Rating.GOOD, Reason.NOT_SURE),
        ({"earlier_reviews": 1}, Rating.GOOD, Reason.TOO_NEW),
    ],
)
def test_each_shortcoming_alone_holds_the_rating_down_and_is_named(change, rating, reason):
    proposal = propose(replace(PERFECT, **change))
    assert proposal.rating == rating
    assert proposal.reasons == (reason,)


def test_each_reason_has_a_case_above():
    cases = next(
        mark for mark in test_each_shortcoming_alone_holds_the_rating_down_and_is_named.pytestmark
    )
    assert {case[2] for case in cases.args[1]} == set(Reason) == set(CAPS)


@pytest.mark.parametrize("score", [0.95, 1.0])
def test_easy_begins_at_its_threshold(score):
    assert propose(replace(PERFECT, score=score)).rating == Rating.EASY


def test_a_sum_that_falls_short_by_rounding_is_no_lower_score():
    assert 0.7 + 0.1 < 0.8
    assert propose(replace(PERFECT, score=0.7 + 0.1)).rating == Rating.GOOD


def test_without_core_points_the_core_rule_does_not_apply():
    proposal = propose(replace(PERFECT, core_points=0, core_missed=0, score=0.85))
    assert proposal.rating == Rating.GOOD


def test_an_untimed_answer_is_not_late():
    assert propose(replace(PERFECT, seconds=None)).rating == Rating.EASY
    assert propose(replace(PERFECT, seconds=999, target_seconds=None)).rating == Rating.EASY


@given(evidences)
def test_no_deduction_without_a_reason(evidence):
    proposal = propose(evidence)
    assert (proposal.rating == Rating.EASY) == (not proposal.reasons)
    assert bool(proposal.decisive) == (proposal.rating != Rating.EASY)
    assert all(CAPS[reason] >= proposal.rating for reason in proposal.reasons)
    caps = [CAPS[reason] for reason in proposal.reasons]
    assert caps == sorted(caps)


@given(evidences, st.floats(0, 1))
def test_a_better_score_never_lowers_the_rating(evidence, score):
    low, high = sorted((evidence.score, score))
    ratings = [propose(replace(evidence, score=score)).rating for score in (low, high)]
    assert ratings == sorted(ratings)


@given(evidences)
def test_a_hint_or_a_false_claim_is_never_good(evidence):
    assert propose(replace(evidence, hints=1)).rating <= Rating.HARD
    assert propose(replace(evidence, false_claims=1)).rating <= Rating.HARD


def test_the_user_moves_a_proposal_by_one_step():
    assert allowed(Rating.AGAIN) == (Rating.AGAIN, Rating.HARD)
    assert allowed(Rating.GOOD) == (Rating.HARD, Rating.GOOD, Rating.EASY)
    assert allowed(Rating.EASY) == (Rating.GOOD, Rating.EASY)


def test_thresholds_of_the_user_s_own_are_used():
    strict = Thresholds(again_below=0.7, hard_below=0.9, good_below=1.0, easy_after=0)
    assert propose(replace(PERFECT, score=0.65), strict).rating == Rating.AGAIN
    assert propose(replace(PERFECT, score=0.85), strict).rating == Rating.HARD
    assert propose(replace(PERFECT, earlier_reviews=0), strict).rating == Rating.EASY


@pytest.mark.parametrize(
    "wrong",
    [
        {"again_below": 0.9},
        {"again_below": -0.1},
        {"good_below": 1.1},
        {"hard_below": 0.95},
        {"again_below": float("nan")},
        {"overtime_factor": 0.5},
        {"easy_after": -1},
    ],
)
def test_thresholds_out_of_order_are_refused(wrong):
    with pytest.raises(ValueError, match="must"):
        Thresholds(**wrong)


def test_evidence_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="recall score"):
        replace(PERFECT, score=1.2)
    with pytest.raises(ValueError, match="3 of 2 core points"):
        replace(PERFECT, core_missed=3)
