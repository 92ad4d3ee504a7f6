"""A demo worker over a pipe, kept alive between runs: torch is imported once."""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quizapp.proof.codec import ProtocolError, decode, encode_request
from quizapp.proof.protocol import DemoInfo, Device, Done, Event, Failed, Hello
from quizapp.runner import failures
from quizapp.runner.base import UnavailableError
from quizapp.runner.process import GRACE, Child, LineTooLongError

SILENCE = 180.0
"""Seconds without any event after which a worker counts as hung; compiling takes its time."""
HARMLESS = frozenset({"cancelled", "incorrect", "memory", "unsupported"})
"""Failures that leave the worker as good as before; after any other, the next run gets a new one.

A process whose GPU context is broken fails every later run, too.
"""


class WorkerRunner(ABC):
    """Runs demos on a worker that :meth:`_start` starts somewhere."""

    name: str

    def __init__(self, silence: float = SILENCE) -> None:
        self._silence = silence
        self._child: Child | None = None
        self._version = ""
        """Of the sources that the worker was started from."""
        self._known: dict[type[Event], Event] = {}
        """The worker's ``hello`` and ``device``: told once, and every run needs them."""
        self._numbers = itertools.count(1)
        self._turn = asyncio.Lock()
        self._closing = False

    async def run(
        self, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of one run; closing the generator cancels it."""
        run = f"r{next(self._numbers)}"
        asked = _request("run", run=run, demo=demo, params=dict(params or {}), seed=seed)
        async with self._turn:
            try:
                child = await self._alive()
            except UnavailableError as error:
                yield error.of(run)
                return
            last: Event | None = None
            try:
                for known in list(self._known.values()):
                    yield known
                await child.write(asked)
                while not isinstance(last, Done | Failed):
                    last = await self._next(run, child)
                    yield last
            finally:
                if isinstance(last, Done | Failed):
                    await self._settle(child, last)
                else:
                    await self._cancel(run, child)

    async def demos(self) -> tuple[DemoInfo, ...]:
        """Return the demos that the worker offers; it is started for it."""
        async with self._turn:
            child = await self._alive()
            while Hello not in self._known:
                event = await self._next("", child)
                if isinstance(event, Failed):
                    await self._settle(child, event)
                    raise UnavailableError(event)
            hello = self._known[Hello]
            assert isinstance(hello, Hello)
            return hello.demos

    async def close(self) -> None:
        """End the worker."""
        self._closing = True
        if self._child is not None:
            child, self._child = self._child, None
            await child.end()

    @abstractmethod
    async def _start(self) -> Child:
        """Start a worker; :class:`UnavailableError` if it cannot be."""

    @abstractmethod
    def _sources(self) -> str:
        """Return the version of what :meth:`_start` would start now."""

    def _explain(self, run: str, code: int, said: Sequence[str]) -> Failed:
        """Say why the worker's output has ended."""
        return failures.crashed(run, code, said)

    def _advise(self, failed: Failed) -> Failed:
        """Make a remedy fit the place where the worker is."""
        return failed

    async def _alive(self) -> Child:
        """Return a worker that runs the demos as they are now."""
        self._closing = False
        version = await asyncio.to_thread(self._sources)
        if self._child is not None and version != self._version:
            await self._child.end()
        if self._child is None or not self._child.alive:
            self._known = {}
            child = await self._start()
            if self._closing:  # meanwhile
                await child.end()
                raise UnavailableError(failures.cancelled(""))
            self._child, self._version = child, version
        else:
            self._child.forget()
        return self._child

    async def _next(self, run: str, child: Child) -> Event:
        """Return the next event of a run; what goes wrong with the worker is one, too."""
        try:
            async with asyncio.timeout(self._silence):
                return await self._event(run, child)
        except TimeoutError:
            return failures.hung(run, self._silence)
        except (ProtocolError, LineTooLongError) as error:
            return failures.nonsense(run, str(error))

    async def _event(self, run: str, child: Child) -> Event:
        """Read on to an event of this run, past prints and the rest of earlier runs."""
        while line := await child.read():
            if not line.lstrip().startswith(b"{"):
                child.note(line)
                continue
            event = decode(line)
            match event:
                case None:
                    continue
                case Hello() | Device():
                    self._known[type(event)] = event
                    return event
                case Failed(run=about) if about in (run, ""):
                    return self._advise(replace(event, run=run))
            if event.run == run:
                return event
        code = await child.status()
        return failures.cancelled(run) if self._closing else self._explain(run, code, child.said)

    async def _cancel(self, run: str, child: Child) -> None:
        """Ask the worker to stop the run; one that does not within a moment is ended."""
        try:
            async with asyncio.timeout(GRACE):
                await child.write(_request("cancel", run=run))
                event = await self._next(run, child)
                while not isinstance(event, Done | Failed):
                    event = await self._next(run, child)
        except TimeoutError:
            await child.end()
        except asyncio.CancelledError:
            child.kill()
            raise
        else:
            await self._settle(child, event)

    async def _settle(self, child: Child, last: Event) -> None:
        """Keep the worker warm, unless the run may have left it damaged."""
        if isinstance(last, Failed) and last.kind not in HARMLESS:
            await child.end()


def _request(kind: str, **values: Any) -> bytes:
    return encode_request(kind, **values).encode() + b"\n"
