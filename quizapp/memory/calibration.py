"""Whether FSRS's predictions come true: predicted against actual recall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt

from quizapp.memory.history import Event
from quizapp.memory.statistics import Share


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Reviews of similar predicted recall."""

    low: float
    high: float
    """Lowest and highest prediction in it."""
    predicted: float
    """Mean."""
    actual: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far FSRS's predictions were right; the first review of a day each."""

    bins: tuple[CalibrationBin, ...]
    """From the lowest prediction to the highest, with equally many reviews."""
    log_loss: float | None
    """Mean; ``None`` without a tested memory."""
    rmse: float | None
    """Of the bins' predicted against actual recall, by their number of reviews."""


def calibration(events: Iterable[Event], bins: int = 10) -> Calibration:
    """Return predicted against actual recall."""
    tested = sorted(
        (event.predicted, event.passed)
        for event in events
        if event.predicted is not None and event.tests_memory
    )
    count = min(bins, len(tested))
    edges = [len(tested) * number // count for number in range(count + 1)] if count else []
    found = tuple(_bin(tested[start:end]) for start, end in pairwise(edges))
    return Calibration(found, _log_loss(tested), _rmse(found))


def _bin(tested: Sequence[tuple[float, bool]]) -> CalibrationBin:
    predictions = [predicted for predicted, _ in tested]
    return CalibrationBin(
        predictions[0],
        predictions[-1],
        sum(predictions) / len(predictions),
        Share(sum(passed for _, passed in tested), len(tested)),
    )


def _log_loss(tested: Sequence[tuple[float, bool]]) -> float | None:
    if not tested:
        return None
    losses = (
        -log(min(max(predicted if passed else 1 - predicted, 1e-9), 1.0))
        for predicted, passed in tested
    )
    return sum(losses) / len(tested)


def _rmse(bins: Sequence[CalibrationBin]) -> float | None:
    reviews = sum(found.actual.total for found in bins)
    if not reviews:
        return None
    squares = (
        found.actual.total * (found.predicted - found.actual.passed / found.actual.total) ** 2
        for found in bins
    )
    return sqrt(sum(squares) / reviews)
