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
KEPT_WIDTH = 2000
"""Characters of each."""
MOMENT = 0.3
"""Seconds in which a child whose input has ended may leave by itself."""
GRACE = 2.0
"""Seconds between asking and terminating, and between terminating and killing."""
BURST = 64
"""Lines read in a row before others get their turn."""


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
        self._exit = asyncio.create_task(process.wait())
        self._reads = 0
        self._ending = False

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
    def pid(self) -> int:
        """The process, and its group."""
        return self._process.pid

    @property
    def said(self) -> list[str]:
        """The last lines of what it said besides the protocol."""
        return list(self._said)

    def note(self, line: bytes) -> None:
        """Keep a line that is not for the protocol."""
        self._said.append(line.decode(errors="replace").rstrip()[:KEPT_WIDTH])

    def forget(self) -> None:
        """Forget what was said: it belongs to what has been."""
        self._said.clear()

    async def write(self, data: bytes) -> None:
        """Send bytes; a child that is gone is noticed when it is read from."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(data)
            await self._process.stdin.drain()

    async def read(self) -> bytes:
        """Return its next line, empty at the end; :class:`LineTooLongError` for one without end."""
        assert self._process.stdout is not None
        if self._ending:  # what is left is being read by end()
            return b""
        self._reads += 1
        if self._reads % BURST == 0:
            await asyncio.sleep(0)
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise LineTooLongError(f"a line of more than {MAX_LINE} bytes") from None
        if line and not line.endswith(b"\n"):  # cut off in the middle
            self.note(line)
            return b""
        return line

    async def end(self) -> None:
        """Close its input, then terminate, then kill it with all it has started."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._ending = True
        draining = asyncio.create_task(self._drain())
        try:
            if not await self._gone(MOMENT):
                self._signal(signal.SIGTERM)
                await self._gone(GRACE)
            self.kill()
            await self._gone(GRACE)
        except asyncio.CancelledError:
            self.kill()
            raise
        finally:
            self._listener.cancel()
            draining.cancel()

    def kill(self) -> None:
        """Kill it at once, with all it has started."""
        self._signal(signal.SIGKILL)

    async def status(self) -> int:
        """Return the exit code, negative for a signal, of a child whose output has ended."""
        if not await self._gone(GRACE):
            await self.end()
        await asyncio.wait({self._listener}, timeout=MOMENT)
        code = self._process.returncode
        return -signal.SIGKILL if code is None else code

    async def _drain(self) -> None:
        """Read on to the end: while a pipe is full, asyncio does not see its process end."""
        assert self._process.stdout is not None
        with contextlib.suppress(RuntimeError):  # a run is reading, and does it
            while await self._process.stdout.read(MAX_LINE):
                pass

    async def _gone(self, seconds: float) -> bool:
        await asyncio.wait({self._exit}, timeout=seconds)
        return not self.alive

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while True:
            try:
                line = await self._process.stderr.readline()
            except ValueError:  # too long to keep
                continue
            if not line:
                return
            self.note(line)
