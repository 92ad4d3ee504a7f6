"""A run as far as it has come: events folded into one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from quizapp.proof.protocol import (
    Ceiling,
    Chain,
    Check,
    DemoInfo,
    Device,
    Done,
    Event,
    Failed,
    Hello,
    Kernel,
    Measurement,
    Metric,
    Prediction,
    Progress,
    Started,
)

MeasurementKey = tuple[str, tuple[tuple[str, str], ...], str]
"""Variant, point of a sweep, clock."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """Everything a run has said so far."""

    hello: Hello | None = None
    device: Device | None = None
    started: Started | None = None
    progress: Progress | None = None
    ceilings: Mapping[str, Ceiling] = field(default_factory=dict)
    predictions: Mapping[str, Prediction] = field(default_factory=dict)
    """By the metric, or ``time:VARIANT``."""
    measurements: Mapping[MeasurementKey, Measurement] = field(default_factory=dict)
    """The latest of each variant, point and clock."""
    kernels: tuple[Kernel, ...] = ()
    checks: tuple[Check, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    chains: Mapping[str, Chain] = field(default_factory=dict)
    """The latest of each name, best first."""
    done: Done | None = None
    failed: Failed | None = None

    @property
    def finished(self) -> bool:
        """Whether nothing more will come."""
        return self.done is not None or self.failed is not None

    @property
    def digest(self) -> str:
        """Hash of the demo's sources, as the run told it, or the worker; empty if neither did."""
        if self.started is None or self.started.digest:
            return self.started.digest if self.started else ""
        offered = self.hello.demos if self.hello else ()
        return next((demo.digest for demo in offered if demo.name == self.started.demo), "")

    def unusual_params(self, demos: Iterable[DemoInfo] = ()) -> dict[str, Any]:
        """Return the run's parameters that are not the demo's defaults on that kind of device.

        The defaults are the worker's own word; where a run comes without it, that of ``demos``.
        """
        offered = self.hello.demos if self.hello else demos
        if self.started is None or self.device is None:
            return {}
        own = (demo.params for demo in offered if demo.name == self.started.demo)
        defaults = next(own, {}).get(self.device.kind)
        if not isinstance(defaults, Mapping):
            return {}
        given = self.started.params.items()
        return {name: value for name, value in given if value != defaults.get(name, value)}

    def times(self, clock: str) -> list[Measurement]:
        """Return the times outside a sweep by one clock, in the order of the variants."""
        found = [m for m in self.measurements.values() if m.clock == clock and not m.point]
        order = [variant.name for variant in self.started.variants] if self.started else []
        return sorted(
            found, key=lambda m: order.index(m.variant) if m.variant in order else len(order)
        )


def fold(result: RunResult, event: Event) -> RunResult:
    """Return the result with one more event in it."""
    match event:
        case Hello():
            return replace(result, hello=event)
        case Device():
            return replace(result, device=event)
        case Started():
            return RunResult(hello=result.hello, device=result.device, started=event)
        case Progress():
            return replace(result, progress=event)
        case Ceiling():
            return replace(result, ceilings={**result.ceilings, event.name: event})
        case Prediction():
            return replace(result, predictions={**result.predictions, event.metric: event})
        case Measurement():
            key = measurement_key(event)
            return replace(result, measurements={**result.measurements, key: event})
        case Kernel():
            return replace(result, kernels=(*result.kernels, event))
        case Check():
            return replace(result, checks=(*result.checks, event))
        case Metric():
            return replace(result, metrics={**result.metrics, event.name: event})
        case Chain():
            return replace(result, chains={**result.chains, event.name: event})
        case Done():
            return replace(result, done=event)
        case Failed():
            return replace(result, failed=event)


def measurement_key(event: Measurement) -> MeasurementKey:
    """Return what a later measurement must share to take this one's place."""
    point = tuple(sorted((name, str(value)) for name, value in event.point.items()))
    return event.variant, point, event.clock


def folded(events: Iterable[Event]) -> RunResult:
    """Return what a whole sequence of events comes to."""
    return reduce(fold, events, RunResult())
