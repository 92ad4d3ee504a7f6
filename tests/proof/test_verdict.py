"""Verdicts: what proves, what refutes, and what proves nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.cards.model import Claim
from quizapp.proof.predicate import Truth
from quizapp.proof.protocol import Check, Device, Done, Failed, Metric, Started
from quizapp.proof.run import RunResult, folded
from quizapp.proof.verdict import Verdict, Why, judge

RunOf = Callable[..., RunResult]


def claim(holds: str = "speedup in [2.8, 3.1]", **more: object) -> Claim:
    return Claim(**{"id": "faster", "says": "…", "demo": "chain", "holds": holds, **more})  # type: ignore[arg-type]


def metric(
    value: float, name: str = "speedup", spread: float = 0.05, control: float | None = None
) -> Metric:
    return Metric("r1", name, value, value - spread, value + spread, "×", control)


@pytest.mark.parametrize(
    ("value", "verdict", "why"),
    [
        (3.0, Verdict.PROVED, Why.HOLDS),
        (3.09, Verdict.UNDECIDED, Why.STRADDLES),
        (2.0, Verdict.REFUTED, Why.FAILS),
    ],
)
def test_the_interval_decides(run_of: RunOf, value: float, verdict: Verdict, why: Why) -> None:
    judgement = judge(claim(), run_of(metric(value)))
    assert (judgement.verdict, judgement.why) == (verdict, why)
    assert judgement.device == "NVIDIA H200"
    (term,) = judgement.terms
    assert (term.metric, term.bound, term.value) == ("speedup", "in [2.8, 3.1]", value)
    assert (term.low, term.high, term.unit) == (value - 0.05, value + 0.05, "×")


def test_one_failing_term_refutes_whatever_the_others_say(run_of: RunOf) -> None:
    run = run_of(metric(3.09), metric(2, "kernels", 0))
    judgement = judge(claim("speedup in [2.8, 3.1] and kernels == 1"), run)
    assert judgement.verdict is Verdict.REFUTED
    assert [term.truth for term in judgement.terms] == [Truth.STRADDLES, Truth.FAILS]


def test_what_no_demo_measures_is_not_measurable(run_of: RunOf) -> None:
    source = claim("", demo="", unmeasurable="the source's own model")
    assert judge(source, run_of()).why is Why.UNMEASURABLE
    assert judge(source, None).detail == "the source's own model"
    assert judge(claim("", demo=""), None).verdict is Verdict.NOT_MEASURABLE


def test_another_kind_of_device_cannot_judge(run_of: RunOf) -> None:
    here = run_of(metric(3.0), device=Device("cpu", "some CPU", {}, {}))
    judgement = judge(claim(on=("cuda",)), here)
    assert (judgement.verdict, judgement.why) == (Verdict.NOT_MEASURABLE_HERE, Why.DEVICE)
    assert (judgement.detail, judgement.device) == ("cuda", "some CPU")
    assert judge(claim(on=("cuda", "cpu")), here).verdict is Verdict.PROVED


def test_a_run_without_the_number_cannot_judge(run_of: RunOf) -> None:
    judgement = judge(claim("speedup > 2 and kernels == 1"), run_of(metric(3.0)))
    assert (judgement.verdict, judgement.why) == (Verdict.NOT_MEASURABLE_HERE, Why.NO_METRIC)
    assert judgement.detail == "kernels"


@pytest.mark.parametrize("kind", ["unsupported", "cancelled", "crashed", "memory", "lost"])
def test_a_run_that_did_not_end_well_judges_nothing(run_of: RunOf, kind: str) -> None:
    run = run_of(metric(3.0), end=Failed("r1", kind, "what happened"))
    judgement = judge(claim(), run)
    assert (judgement.verdict, judgement.why) == (Verdict.NOT_MEASURABLE_HERE, Why.NOT_FINISHED)
    assert judgement.detail == "what happened"


def test_a_run_under_way_and_no_run_judge_nothing() -> None:
    started = Started("r1", "chain", "", (), {}, 0, "")
    for run in (None, RunResult(), folded([started, metric(3.0)])):
        assert judge(claim(), run).why is Why.NOT_FINISHED


def test_another_demos_run_judges_nothing() -> None:
    other = folded([Started("r1", "softmax", "", (), {}, 0, ""), metric(3.0), Done("r1", 1)])
    assert judge(claim(), other).why is Why.NOT_FINISHED


def test_a_failed_correctness_check_breaks_every_claim(run_of: RunOf) -> None:
    wrong = Check("r1", "one", "correct", False, "error 0.3")
    judgement = judge(claim(), run_of(metric(3.0), wrong))
    assert (judgement.verdict, judgement.why) == (Verdict.BROKEN, Why.INCORRECT)
    assert judgement.detail == "one: correct: error 0.3"
    assert judgement.terms[0].value == 3.0


def test_a_run_that_ended_for_a_wrong_output_is_broken(run_of: RunOf) -> None:
    judgement = judge(claim(), run_of(end=Failed("r1", "incorrect", "one: writes nothing")))
    assert (judgement.verdict, judgement.why) == (Verdict.BROKEN, Why.INCORRECT)
    assert judgement.detail == "one: writes nothing"


def test_an_impossible_time_is_called_so(run_of: RunOf) -> None:
    check = Check("r1", "one", "possible", False, "impossible: 1e-6 s, memory needs 4e-4 s")
    end = Failed("r1", "incorrect", "one: impossible")
    assert judge(claim(), run_of(metric(3.0), check, end=end)).why is Why.IMPOSSIBLE


def test_differing_bits_refute_their_own_claim_alone(run_of: RunOf) -> None:
    check = Check("r1", "one", "bit-identical", False, "7 of 9 elements differ", 7, 9)
    run = run_of(metric(3.0), metric(7, "differing", 0), check)
    assert judge(claim(), run).verdict is Verdict.PROVED
    assert judge(claim("differing == 0"), run).verdict is Verdict.REFUTED


def test_a_control_check_must_not_pass(run_of: RunOf) -> None:
    control = Check("r1", "contracted", "bit-identical", True, "0 of 9 differ", 0, 9, control=True)
    judgement = judge(claim(), run_of(metric(3.0), control))
    assert (judgement.verdict, judgement.why) == (Verdict.BROKEN, Why.CONTROL)
    failing = Check("r1", "contracted", "bit-identical", False, "7 differ", 7, 9, control=True)
    assert judge(claim(), run_of(metric(3.0), failing)).verdict is Verdict.PROVED


def test_a_predicate_that_the_control_satisfies_proves_nothing(run_of: RunOf) -> None:
    judgement = judge(claim("speedup > 0.9"), run_of(metric(3.0, control=1.0)))
    assert (judgement.verdict, judgement.why) == (Verdict.BROKEN, Why.CONTROL)
    assert judgement.detail == "speedup"
    assert judgement.terms[0].control_truth is Truth.HOLDS
    assert judge(claim("speedup > 2"), run_of(metric(3.0, control=1.0))).verdict is Verdict.PROVED


def test_each_control_must_fail_its_own_term(run_of: RunOf) -> None:
    run = run_of(metric(6, "unfused", control=2), metric(2, "fused", control=2.01))
    judgement = judge(claim("unfused > 5 and fused in [1.9, 2.1]"), run)
    assert judgement.verdict is Verdict.BROKEN
    assert judgement.detail == "fused"


def test_terms_about_one_metric_are_one_range_for_its_control(run_of: RunOf) -> None:
    both_ends = claim("speedup >= 2.8 and speedup <= 3.1")
    assert judge(both_ends, run_of(metric(3.0, control=1.0))).verdict is Verdict.PROVED
    assert judge(both_ends, run_of(metric(3.0, control=2.9))).verdict is Verdict.BROKEN


def test_controls_of_both_sides_are_put_in_together(run_of: RunOf) -> None:
    text = "fused < 0.5 * unfused"
    measured = metric(2, "fused", control=6), metric(6, "unfused", control=6)
    judgement = judge(claim(text), run_of(*measured))
    assert judgement.verdict is Verdict.PROVED
    assert judgement.terms[0].control_truth is Truth.FAILS
    weak = metric(2, "fused", control=2), metric(6, "unfused", control=6)
    assert judge(claim(text), run_of(*weak)).verdict is Verdict.BROKEN


def test_a_control_that_may_pass_is_no_control(run_of: RunOf) -> None:
    run = run_of(metric(2, "fused", control=2.95), metric(6, "unfused", spread=0.2))
    judgement = judge(claim("fused < 0.5 * unfused"), run)
    assert judgement.terms[0].control_truth is Truth.STRADDLES
    assert judgement.verdict is Verdict.BROKEN


def test_a_predicate_that_is_none_is_the_cards_fault(run_of: RunOf) -> None:
    judgement = judge(claim("speedup ~ 3"), run_of(metric(3.0)))
    assert (judgement.verdict, judgement.why) == (Verdict.BROKEN, Why.UNREADABLE)
    assert "character 9" in judgement.detail


@given(st.floats(-10, 10), st.floats(0, 3), st.floats(-10, 10), st.floats(0, 3), st.floats(-10, 10))
def test_no_verdict_is_better_than_its_interval(
    value: float, spread: float, low: float, width: float, control: float
) -> None:
    started = Started("r1", "chain", "", (), {}, 0, "")
    run = folded([started, metric(value, spread=spread, control=control), Done("r1", 1)])
    judgement = judge(claim(f"speedup in [{low!r}, {low + width!r}]"), run)
    inside = low <= value - spread and value + spread <= low + width
    outside = value + spread < low or value - spread > low + width
    if low <= control <= low + width:
        assert judgement.verdict is Verdict.BROKEN
    elif inside:
        assert judgement.verdict is Verdict.PROVED
    else:
        assert judgement.verdict is (Verdict.REFUTED if outside else Verdict.UNDECIDED)
