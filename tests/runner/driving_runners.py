"""Drive a runner to its end, and look whether anything is left running."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

from quizapp.proof.protocol import Event, Failed, Hello
from quizapp.runner.base import Runner

FAKE = Path(__file__).with_name("fake_worker.py")


def is_running(pid: int) -> bool:
    """Tell whether a process lives; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def gone(*pids: int) -> None:
    """Wait until the processes have ended; the test's time limit is this one's."""
    async with asyncio.timeout(60):
        while any(map(is_running, pids)):
            await asyncio.sleep(0.01)


async def events_of(runner: Runner, demo: str = "chain", **more: object) -> list[Event]:
    """Run a demo to its end."""
    async with asyncio.timeout(60), aclosing(runner.run(demo, **more)) as events:  # type: ignore[arg-type]
        return [event async for event in events]


def failure(events: list[Event]) -> Failed:
    """Return how a run failed."""
    assert isinstance(events[-1], Failed), events[-1]
    return events[-1]


def pid_in(events: list[Event]) -> int:
    """Return the worker's process."""
    return next(event.pid for event in events if isinstance(event, Hello))
