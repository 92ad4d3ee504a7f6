"""A demo worker over a pipe, kept alive between runs: torch is imported once."""

from __future__ import annotations

import asyncio
import itertools
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from quizapp.proof.codec import ProtocolError, decode, encode_request
from quizapp.proof.protocol import Device, Done, Event, Failed, Hello
from quizapp.runner.process import GRACE, Child, LineTooLongError

SILENCE = 180.0
"""Seconds without any event after which a worker counts as hung; compiling takes its time."""


class WorkerRunner(ABC):
    """Runs demos on a worker that :meth:`_start` starts somewhere."""

    name: str

    def __init__(self, silence: float = SILENCE) -> None:
        self._silence = silence
        self._child: Child | None = None
        self._known: dict[type[Event], Event] = {}
        """The worker's ``hello`` and ``device``: told once, and every run needs them."""
        self._numbers = itertools.count(1)

    async def run(
        self, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of one run; closing the generator cancels it."""
        run = f"r{next(self._numbers)}"
        try:
            child = await self._alive()
        except OSError as error:
            yield self._cannot_start(run, error)
            return
        for event in self._known.values():
            yield event
        await child.write(
            encode_request("run", run=run, demo=demo, params=dict(params or {}), seed=seed)
        )
        finished = False
        try:
            while not finished:
                event = await self._next(run, child)
                finished = isinstance(event, Done | Failed)
                yield event
        finally:
            if not finished:
                await self._cancel(run, child)

    async def close(self) -> None:
        """End the worker."""
        if self._child is not None:
            child, self._child = self._child, None
            await child.end()

    @abstractmethod
    async def _start(self) -> Child:
        """Start a worker; ``OSError`` if it cannot be."""

    @abstractmethod
    def _cannot_start(self, run: str, error: OSError) -> Failed:
        """Say why there is no worker."""

    async def _alive(self) -> Child:
        if self._child is None or not self._child.alive:
            self._known = {}
            self._child = await self._start()
        return self._child

    async def _next(self, run: str, child: Child) -> Event:
        """Return the next event of a run; what goes wrong with the worker is one, too."""
        while True:
            try:
                line = await asyncio.wait_for(child.read(), self._silence)
                event = decode(line) if line else None
            except TimeoutError:
                return await self._give_up(child, self._hung(run))
            except (ProtocolError, LineTooLongError) as error:
                failed = Failed(run, "protocol", f"the demo process wrote {error}")
                return await self._give_up(child, failed)
            if not line:
                return await self._ended(run, child)
            if isinstance(event, Hello | Device):
                self._known[type(event)] = event
                return event
            if event is not None and event.run == run:
                return event

    async def _give_up(self, child: Child, failed: Failed) -> Failed:
        await child.end()
        return failed

    async def _ended(self, run: str, child: Child) -> Failed:
        code = await child.status()
        return self._crashed(run, code, child.said)

    def _hung(self, run: str) -> Failed:
        return Failed(
            run,
            "hung",
            f"nothing came from the demo process for {self._silence:g} s; it was ended",
            "run it again; if it hangs again, `quizapp demo` shows where",
        )

    def _crashed(self, run: str, code: int, said: list[str]) -> Failed:
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
        last = next((line for line in reversed(said) if line.strip()), "")
        message = f"the demo process ended {how}" + (f": {last}" if last else "")
        if "No module named 'torch'" in last:
            return Failed(run, "missing", "torch is not installed", INSTALL)
        remedy = "the system may be short of memory" if code == -signal.SIGKILL else ""
        return Failed(run, "crashed", message, remedy)

    async def _cancel(self, run: str, child: Child) -> None:
        """Ask the worker to stop the run; one that does not within a moment is ended."""
        await child.write(encode_request("cancel", run=run))
        try:
            async with asyncio.timeout(GRACE):
                while not isinstance(await self._next(run, child), Done | Failed):
                    pass
        except TimeoutError:
            await child.end()


INSTALL = "pip install 'quizapp[demos]'"
"""What to do where torch is missing."""
