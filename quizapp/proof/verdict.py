"""From a claim and a run to a verdict, with the numbers it rests on.

A claim is proved only if its terms hold over the whole measured interval, every output was
right, and the negative control, put in the measured number's place, fails: a predicate that
its control satisfies too would prove anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quizapp.cards.model import Claim
from quizapp.proof.predicate import Interval, Predicate, Term, Truth, both, parse
from quizapp.proof.protocol import Metric
from quizapp.proof.run import RunResult

IMPOSSIBLE = "possible"
"""Name of the check that a time is not below what the hardware allows."""


class Verdict(StrEnum):
    """What became of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    NOT_MEASURABLE = "not-measurable"
    NOT_MEASURABLE_HERE = "not-measurable-here"
    BROKEN = "broken"


class Why(StrEnum):
    """The reason for a verdict."""

    HOLDS = "holds"
    FAILS = "fails"
    STRADDLES = "straddles"
    UNMEASURABLE = "unmeasurable"
    DEVICE = "device"
    NO_METRIC = "no-metric"
    NOT_FINISHED = "not-finished"
    CONTROL = "control"
    INCORRECT = "incorrect"
    IMPOSSIBLE = "impossible"
    NO_CLAIM = "no-claim"


@dataclass(frozen=True, slots=True)
class TermResult:
    """One term of a predicate with the number that was measured."""

    metric: str
    bound: str
    """As it is written, e.g. ``in [2.6, 3.1]``."""
    truth: Truth
    value: float
    low: float
    high: float
    unit: str
    control: float | None = None
    """The negative control's number, which must not satisfy the term."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and what it rests on."""

    claim: str
    verdict: Verdict
    why: Why
    terms: tuple[TermResult, ...] = ()
    detail: str = ""
    """More about the reason: the failed check, the missing metric, the source's caveat."""


def judge(claim: Claim, run: RunResult | None) -> Judgement:
    """Return what a run says about a claim; without a run, whether one could say anything."""
    if claim.unmeasurable:
        return Judgement(
            claim.id, Verdict.NOT_MEASURABLE, Why.UNMEASURABLE, detail=claim.unmeasurable
        )
    if not claim.demo:
        return Judgement(claim.id, Verdict.NOT_MEASURABLE, Why.NO_CLAIM)
    if run is None or run.done is None:
        detail = run.failed.message if run and run.failed else ""
        return _not_here(claim, Why.NOT_FINISHED, detail)
    if claim.on and (run.device is None or run.device.kind not in claim.on):
        return _not_here(claim, Why.DEVICE, ", ".join(claim.on))
    return _measured(claim, parse(claim.holds), run)


def _measured(claim: Claim, predicate: Predicate, run: RunResult) -> Judgement:
    missing = sorted(predicate.metrics - run.metrics.keys())
    if missing:
        return _not_here(claim, Why.NO_METRIC, ", ".join(missing))
    intervals = {name: _interval(run.metrics[name]) for name in predicate.metrics}
    terms = tuple(_term(term, intervals, run) for term in predicate.terms)
    if fault := _fault(run):
        why, detail = fault
        return Judgement(claim.id, Verdict.BROKEN, why, terms, detail)
    if _control_passes(predicate, intervals, run):
        return Judgement(claim.id, Verdict.BROKEN, Why.CONTROL, terms)
    match both(*(term.truth for term in terms)):
        case Truth.HOLDS:
            return Judgement(claim.id, Verdict.PROVED, Why.HOLDS, terms)
        case Truth.FAILS:
            return Judgement(claim.id, Verdict.REFUTED, Why.FAILS, terms)
        case _:
            return Judgement(claim.id, Verdict.UNDECIDED, Why.STRADDLES, terms)


def _not_here(claim: Claim, why: Why, detail: str) -> Judgement:
    return Judgement(claim.id, Verdict.NOT_MEASURABLE_HERE, why, detail=detail)


def _interval(metric: Metric) -> Interval:
    return Interval(metric.value, metric.low, metric.high)


def _term(term: Term, intervals: dict[str, Interval], run: RunResult) -> TermResult:
    metric = run.metrics[term.metric]
    return TermResult(
        metric=term.metric,
        bound=term.text,
        truth=term.truth(intervals),
        value=metric.value,
        low=metric.low,
        high=metric.high,
        unit=metric.unit,
        control=metric.control,
    )


def _fault(run: RunResult) -> tuple[Why, str] | None:
    for check in run.checks:
        if check.passed == check.control:
            why = Why.IMPOSSIBLE if check.name == IMPOSSIBLE else Why.INCORRECT
            why = Why.CONTROL if check.control else why
            return why, f"{check.variant}: {check.name}: {check.detail}"
    return None


def _control_passes(predicate: Predicate, intervals: dict[str, Interval], run: RunResult) -> bool:
    """Tell whether the controls, in place of what was measured, satisfy the whole predicate."""
    controls = {
        name: run.metrics[name].control
        for name in predicate.metrics
        if run.metrics[name].control is not None
    }
    if not controls:
        return False
    swapped = intervals | {
        name: Interval(value, value, value) for name, value in controls.items() if value is not None
    }
    return both(*(term.truth(swapped) for term in predicate.terms)) is Truth.HOLDS
