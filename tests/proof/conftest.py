"""Runs to judge, built from events."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quizapp.proof.protocol import Device, Done, Event, Started, Variant
from quizapp.proof.run import RunResult, folded

H200 = Device("cuda", "NVIDIA H200", {"torch": "2.11.0", "triton": "3.6.0"}, {})
STARTED = Started(
    "r1",
    "chain",
    "A chain",
    (Variant("three", "Three kernels", baseline=True), Variant("one", "One kernel")),
    {},
    0,
    "2026-03-02T12:00:00Z",
    "d1",
)
DONE = Done("r1", 3.0)

RunOf = Callable[..., RunResult]


@pytest.fixture
def run_of() -> RunOf:
    """Return a run that ended well after the given events."""

    def run(*events: Event, device: Device = H200, end: Event = DONE) -> RunResult:
        return folded([device, STARTED, *events, end])

    return run
