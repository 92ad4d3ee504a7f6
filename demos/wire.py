"""The protocol between a worker and whoever started it: JSON, one object a line.

Requests (``run``, ``list``, ``cancel``, ``stop``) come in, events go out.  Every object carries
``v`` and ``type``.  Times are seconds, sizes bytes, rates per second; there is no NaN and no
infinity, and no line is longer than :data:`MAX_LINE`.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

VERSION = 1
MAX_LINE = 1 << 20
MAX_TEXT = 4000

Event = dict[str, Any]
Sink = Callable[[Event], None]
"""Takes the events of a run as they happen."""


class BadRequestError(ValueError):
    """A request line that cannot be understood; the text says why."""

    def __init__(self, message: str, run: str = "") -> None:
        super().__init__(message)
        self.run = run
        """The run that it was about, where that could be read."""


def event(kind: str, /, **fields: Any) -> Event:
    """An event as it goes over the wire."""
    return {"v": VERSION, "type": kind, **fields}


def encode(message: Mapping[str, Any]) -> bytes:
    """One line; raises ``ValueError`` for NaN, infinity or a line too long."""
    line = json.dumps(_bounded(message), allow_nan=False, ensure_ascii=False).encode() + b"\n"
    if len(line) > MAX_LINE:
        raise ValueError(f"an event of {len(line)} bytes is too long for the wire")
    return line


def request(line: bytes) -> dict[str, Any]:
    """Read one request line; raises :class:`BadRequestError`."""
    if len(line) > MAX_LINE:
        raise BadRequestError("the request is too long")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"the request is not JSON: {error}") from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadRequestError("the request is not an object with a type")
    if message.get("v") != VERSION:
        text = f"protocol version {message.get('v')!r}; this worker speaks {VERSION}"
        raise BadRequestError(text, str(message.get("run", "")))
    return message


class Wire:
    """A private duplicate of standard output, for events alone.

    Descriptor 1 itself is pointed at standard error, so that nothing that C code, Triton or
    a stray ``print`` writes can end up between the events.
    """

    def __init__(self) -> None:
        self._descriptor = os.dup(1)
        os.set_inheritable(self._descriptor, False)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: Event) -> None:
        """Write one event, whole, from any thread."""
        line = memoryview(encode(message))
        with self._lock:
            while line:
                line = line[os.write(self._descriptor, line) :]


def _bounded(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= MAX_TEXT else value[: MAX_TEXT - 1] + "…"
    if isinstance(value, Mapping):
        return {str(key): _bounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_bounded(item) for item in value]
    return value
