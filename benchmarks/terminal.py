"""A real terminal to drive a program in: a pty with every byte timed, and a screen.

For benchmarks and for the end-to-end tests; POSIX only.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte

_DROPPED = ("COLUMNS", "LINES", "NO_COLOR", "TEXTUAL", "PYTHONDONTWRITEBYTECODE")


class Terminal:
    """A program running in a pty of ``columns`` × ``rows`` cells."""

    def __init__(
        self,
        argv: Sequence[str],
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> None:
        self.started = time.perf_counter()
        self.chunks: list[tuple[float, bytes]] = []
        """What the program wrote, with the time it arrived (``perf_counter`` seconds)."""
        self.status: int | None = None
        """Exit status once it has ended, as ``subprocess`` gives it: negative for a signal."""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._fed = 0
        self._ended = False
        environment = {k: v for k, v in os.environ.items() if k not in _DROPPED}
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        environment |= env or {}
        self.pid, self._fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child
            if cwd:
                os.chdir(cwd)
            os.execvpe(argv[0], list(argv), environment)
        self.resize(columns, rows)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window; the program is told."""
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, size)
        self._screen.resize(rows, columns)

    def send(self, text: str | bytes) -> float:
        """Type; returns the time just before."""
        data = text.encode() if isinstance(text, str) else text
        now = time.perf_counter()
        os.write(self._fd, data)
        return now

    def pump(self, timeout: float) -> bool:
        """Wait up to ``timeout`` seconds for output; tells whether some came."""
        if self._ended:
            return False
        ready, _, _ = select.select([self._fd], [], [], timeout)
        if not ready:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            data = b""
        if not data:
            self._ended = True
            return False
        self.chunks.append((time.perf_counter(), data))
        return True

    @property
    def text(self) -> str:
        """The screen as it stands, a line a row, without trailing blanks."""
        for _, data in self.chunks[self._fed :]:
            self._stream.feed(data)
        self._fed = len(self.chunks)
        # Not pyte's own `display`: it fails where half of a wide character was overwritten.
        rows = (self._screen.buffer[y] for y in range(self._screen.lines))
        columns = range(self._screen.columns)
        return "\n".join("".join(row[x].data for x in columns).rstrip() for row in rows)

    @property
    def output(self) -> bytes:
        """Every byte written so far."""
        return b"".join(data for _, data in self.chunks)

    def wait_for(self, shown: str | Callable[[str], bool], timeout: float = 15.0) -> str:
        """Wait until the screen shows that text, or satisfies that test; returns the screen."""
        found = shown if callable(shown) else lambda text: shown in text
        deadline = time.perf_counter() + timeout
        while not found(self.text):
            left = deadline - time.perf_counter()
            if left <= 0 or self._ended:
                what = "the condition" if callable(shown) else repr(shown)
                raise TimeoutError(f"{what} never showed; the screen is\n{self.text}")
            self.pump(min(left, 0.25))
        return self.text

    def wait_bytes(self, needle: bytes, start: int = 0, timeout: float = 15.0) -> float:
        """Return when the output from chunk ``start`` on first held ``needle``."""
        seen, index = b"", start
        deadline = time.perf_counter() + timeout
        while True:
            for when, data in self.chunks[index:]:
                seen, index = seen + data, index + 1
                if needle in seen:
                    return when
            left = deadline - time.perf_counter()
            if left <= 0 or self._ended:
                raise TimeoutError(f"{needle!r} never came; the screen is\n{self.text}")
            self.pump(min(left, 0.25))

    def settle(self, quiet: float = 0.15, timeout: float = 5.0) -> str:
        """Wait until nothing has come for ``quiet`` seconds; returns the screen."""
        deadline = time.perf_counter() + timeout
        while time.perf_counter() < deadline and self.pump(quiet):
            pass
        return self.text

    def wait_exit(self, timeout: float = 15.0) -> int:
        """Wait for the program to end; returns its status."""
        deadline = time.perf_counter() + timeout
        while self.status is None:
            self.pump(0.005)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.perf_counter() > deadline:
                raise TimeoutError(f"still running; the screen is\n{self.text}")
        while self.pump(0.0):
            pass
        return self.status

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the program, if it still runs."""
        if self.status is None:
            os.kill(self.pid, how)
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self._ended = True
