"""From a claim and a run to a verdict, with the numbers it rests on.

A claim is proved only if its terms hold over the whole measured interval, every output was
right, and each negative control, put in the measured number's place, fails: a predicate that
its control satisfies too would prove anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from quizapp.cards.model import Claim
from quizapp.proof.predicate import Interval, Predicate, Term, Truth, both, parse
from quizapp.proof.run import RunResult

POSSIBLE = "possible"
"""Name of the check that a time is not below what the hardware allows."""
FINDINGS = frozenset({"bit-identical"})
"""Checks of a property and not of being right: claims speak of them through a metric."""


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
    UNREADABLE = "unreadable"
    """The card's predicate is none."""


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
    """The negative control's number for the metric."""
    control_truth: Truth | None = None
    """What the term makes of the controls; it has to fail."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and what it rests on."""

    claim: str
    verdict: Verdict
    why: Why
    terms: tuple[TermResult, ...] = ()
    detail: str = ""
    """More about the reason: the failed check, the missing metric, the source's caveat."""
    device: str = ""
    """Name of the device it was judged on."""


def judge(claim: Claim, run: RunResult | None) -> Judgement:
    """Return what a run says about a claim; without a run, whether one could say anything."""
    judgement = _judged(claim, run)
    device = run.device if run else None
    return replace(judgement, device=device.name) if device else judgement


def _judged(claim: Claim, run: RunResult | None) -> Judgement:
    if claim.unmeasurable:
        return Judgement(
            claim.id, Verdict.NOT_MEASURABLE, Why.UNMEASURABLE, detail=claim.unmeasurable
        )
    if not claim.demo:
        return Judgement(claim.id, Verdict.NOT_MEASURABLE, Why.NO_CLAIM)
    try:
        predicate = parse(claim.holds)
    except ValueError as error:
        return Judgement(claim.id, Verdict.BROKEN, Why.UNREADABLE, detail=str(error))
    if run is None or run.started is None or run.started.demo != claim.demo:
        return _not_here(claim, Why.NOT_FINISHED, run.failed.message if run and run.failed else "")
    if claim.on and (run.device is None or run.device.kind not in claim.on):
        return _not_here(claim, Why.DEVICE, ", ".join(claim.on))
    if fault := _fault(run):
        why, detail = fault
        return Judgement(claim.id, Verdict.BROKEN, why, _terms(predicate, run), detail)
    if run.done is None:
        return _not_here(claim, Why.NOT_FINISHED, run.failed.message if run.failed else "")
    return _measured(claim, predicate, run)


def _measured(claim: Claim, predicate: Predicate, run: RunResult) -> Judgement:
    missing = sorted(predicate.metrics - run.metrics.keys())
    if missing:
        return _not_here(claim, Why.NO_METRIC, ", ".join(missing))
    terms = _terms(predicate, run)
    if passing := _passing_controls(predicate, terms, run):
        detail = ", ".join(passing)
        return Judgement(claim.id, Verdict.BROKEN, Why.CONTROL, terms, detail)
    match both(*(term.truth for term in terms)):
        case Truth.HOLDS:
            return Judgement(claim.id, Verdict.PROVED, Why.HOLDS, terms)
        case Truth.FAILS:
            return Judgement(claim.id, Verdict.REFUTED, Why.FAILS, terms)
        case Truth.STRADDLES:
            return Judgement(claim.id, Verdict.UNDECIDED, Why.STRADDLES, terms)


def _not_here(claim: Claim, why: Why, detail: str) -> Judgement:
    return Judgement(claim.id, Verdict.NOT_MEASURABLE_HERE, why, detail=detail)


def _fault(run: RunResult) -> tuple[Why, str] | None:
    """Return what makes every number of the run worthless."""
    for check in run.checks:
        detail = f"{check.variant}: {check.name}: {check.detail}"
        if check.control and check.passed:
            return Why.CONTROL, detail
        if not (check.control or check.passed or check.name in FINDINGS):
            return Why.IMPOSSIBLE if check.name == POSSIBLE else Why.INCORRECT, detail
    if run.failed is not None and run.failed.kind == "incorrect":
        return Why.INCORRECT, run.failed.message
    return None


def _terms(predicate: Predicate, run: RunResult) -> tuple[TermResult, ...]:
    """Judge those terms whose metrics the run gave."""
    known = [term for term in predicate.terms if term.metrics <= run.metrics.keys()]
    return tuple(_term(term, run) for term in known)


def _term(term: Term, run: RunResult) -> TermResult:
    metric = run.metrics[term.metric]
    measured, controls = {}, {}
    for name in term.metrics:
        number = run.metrics[name]
        measured[name] = Interval(number.value, number.low, number.high)
        if number.control is not None:
            controls[name] = Interval(number.control, number.control, number.control)
    return TermResult(
        metric=term.metric,
        bound=term.text,
        truth=term.truth(measured),
        value=metric.value,
        low=metric.low,
        high=metric.high,
        unit=metric.unit,
        control=metric.control,
        control_truth=term.truth(measured | controls) if controls else None,
    )


def _passing_controls(
    predicate: Predicate, results: tuple[TermResult, ...], run: RunResult
) -> list[str]:
    """Return the metrics whose controls do not fail what the predicate says of the metric.

    Several terms about one metric belong together: ``x >= 2 and x <= 3`` is one range.
    """
    passing = []
    for name in sorted(predicate.metrics):
        if run.metrics[name].control is not None:
            about = zip(predicate.terms, results, strict=True)
            truths = [
                result.control_truth
                for term, result in about
                if name in term.metrics and result.control_truth is not None
            ]
            if both(*truths) is not Truth.FAILS:
                passing.append(name)
    return passing
