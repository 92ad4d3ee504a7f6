"""Plays a recorded run, so that every screen works without a GPU."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from quizapp.proof.protocol import DemoInfo, Event
from quizapp.proof.record import Record


class ReplayRunner:
    """A runner whose runs have been."""

    name = "record"

    def __init__(self, record: Record, pause: float = 0.0) -> None:
        self._record = record
        self._pause = pause
        """Seconds between two events."""

    async def run(
        self, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
    ) -> AsyncGenerator[Event, None]:
        """Yield the record's events, whatever is asked for."""
        del demo, params, seed
        for event in self._record.events:
            if self._pause:
                await asyncio.sleep(self._pause)
            yield event

    async def demos(self) -> tuple[DemoInfo, ...]:
        """Return the one demo that was run, as it was."""
        result = self._record.result
        if result.started is None:
            return ()
        kinds = (result.device.kind,) if result.device else ()
        started = result.started
        metrics = tuple(result.metrics)
        return (DemoInfo(started.demo, started.title, kinds, metrics, self._record.digest),)

    async def close(self) -> None:
        """Nothing was started."""
