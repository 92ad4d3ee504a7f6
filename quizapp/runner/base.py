"""What runs a demo, wherever it is."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Protocol

from quizapp.proof.protocol import Event


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

    async def close(self) -> None:
        """End whatever was started."""
        ...
