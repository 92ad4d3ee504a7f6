"""A child process that speaks lines: never the terminal's reader, never left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Mapping, Sequence

from quizapp.proof.protocol import MAX_LINE

KEPT_LINES = 200
"""Of what the child says on its standard error."""
GRACE = 2.0
"""Seconds between asking, terminating and killing."""


class LineTooLongError(ValueError):
    """The child wrote a line beyond :data:`~quizapp.proof.protocol.MAX_LINE`."""


class Child:
    """A running child, in a process group of its own.

    Its standard input is a pipe, whose end means stop: a child that inherited the terminal
    would eat the keys that are typed for us, and one without the pipe would outlive us.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, argv: Sequence[str], env: Mapping[str, str], cwd: str) -> Child:
        """Start a program; ``OSError`` if it cannot be."""
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            limit=MAX_LINE,
            start_new_session=True,
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.returncode is None

    @property
    def said(self) -> list[str]:
        """The last lines of its standard error."""
        return list(self._said)

    async def write(self, line: str) -> None:
        """Send a line; a child that is gone is noticed when it is read from."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()

    async def read(self) -> bytes:
        """Return its next line, empty at the end; :class:`LineTooLongError` for one without end."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readline()
        except ValueError as error:
            raise LineTooLongError(str(error)) from None

    async def end(self) -> None:
        """Close its input, then terminate, then kill it with all it has started."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            if await self._gone(GRACE if number != signal.SIGKILL else None):
                break
        self._signal(signal.SIGKILL)
        self._listener.cancel()

    async def status(self) -> int:
        """Wait for its end; returns its exit code, negative for a signal."""
        code = await self._process.wait()
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(asyncio.shield(self._listener), 0.5)
        return code

    async def _gone(self, seconds: float | None) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._process.wait()), seconds)
        return not self.alive

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while True:
            try:
                line = await self._process.stderr.readline()
            except ValueError:
                continue
            if not line:
                return
            self._said.append(line.decode(errors="replace").rstrip())
