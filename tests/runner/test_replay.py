"""A record, played as if it were measured now."""

from __future__ import annotations

from datetime import UTC, datetime

from quizapp.proof.protocol import DemoInfo, Device, Done, Event, Metric, Started
from quizapp.proof.record import Record
from quizapp.runner.replay import ReplayRunner
from tests.runner.driving_runners import events_of

EVENTS: tuple[Event, ...] = (
    Device("cuda", "NVIDIA H200", {}, {}),
    Started("run", "chain", "A chain", (), {}, 0, "2026-03-02T12:00:00Z", "d1"),
    Metric("run", "speedup", 3.0, 2.9, 3.1, "×"),
    Done("run", 3.0),
)


def record(events: tuple[Event, ...] = EVENTS) -> Record:
    return Record("made by", datetime(2026, 3, 2, tzinfo=UTC), "NVIDIA H200", {}, "d1", events)


async def test_a_record_plays_its_events_again_and_again() -> None:
    runner = ReplayRunner(record())
    for _ in range(2):
        assert tuple(await events_of(runner)) == EVENTS
    await runner.close()


async def test_a_pause_between_events_changes_none() -> None:
    assert tuple(await events_of(ReplayRunner(record(), pause=0.001))) == EVENTS


async def test_a_record_offers_the_demo_that_was_run() -> None:
    info = DemoInfo("chain", "A chain", ("cuda",), ("speedup",), "d1")
    assert await ReplayRunner(record()).demos() == (info,)
    assert await ReplayRunner(record(())).demos() == ()
