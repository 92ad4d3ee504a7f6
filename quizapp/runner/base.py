"""What runs a demo, wherever it is."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from quizapp.proof.protocol import DemoInfo, Event, Failed


class Runner(Protocol):
    """Runs demos one at a time."""

    name: str
    """Where: ``local``, ``ssh:HOST``, ``record``."""

    def run(
        self, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of one run, ``hello`` and ``device`` among them.

        The last one is ``done`` or ``error``: whatever goes wrong is an event and never an
        exception.  Closing the generator cancels the run.
        """
        ...

    async def demos(self) -> tuple[DemoInfo, ...]:
        """Return the demos there are; :class:`UnavailableError` where there is no worker."""
        ...

    async def close(self) -> None:
        """End whatever was started."""
        ...


class UnavailableError(Exception):
    """No worker can be had; told in one line, and what to do about it."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(f"{failed.message}; {failed.remedy}" if failed.remedy else failed.message)
        self._failed = failed

    def of(self, run: str) -> Failed:
        """Return it as the end of a run."""
        return replace(self._failed, run=run)
