"""The worker: requests on standard input, events on what was standard output.

One thread reads requests and answers ``list``, ``cancel`` and ``stop`` at once, even in the
middle of a run; the main thread runs demos one after the other.  When standard input ends, the
process ends, whatever it is doing: whoever started it is gone.
"""

from __future__ import annotations

import os
import platform
import queue
import signal
import sys
import threading
from typing import Any

from demos.catalogue import entries
from demos.execution import Host
from demos.failures import explain
from demos.wire import MAX_LINE, BadRequestError, Wire, event, request

STOPPED = 0


class Worker:
    """Answers requests until the input ends."""

    def __init__(self) -> None:
        self._wire = Wire()
        self._host = Host(self._wire.send)
        self._waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._cancelled: set[str] = set()

    def serve(self) -> None:
        """Say hello, load torch, then run what is asked for; never returns."""
        python = platform.python_version()
        self._wire.send(event("hello", demos=_demos(), pid=os.getpid(), python=python))
        threading.Thread(target=self._read, daemon=True, name="requests").start()
        self._load()
        while True:
            self._run(self._waiting.get())

    def _load(self) -> None:
        """Learn the device before it is asked for; what is wrong is said by the first run."""
        try:
            self._host.machine()
        except Exception as error:  # noqa: BLE001 - the worker lives, and each run tells
            print(explain(error).message, file=sys.stderr)

    def _run(self, asked: dict[str, Any]) -> None:
        run = str(asked["run"])
        self._host.run(
            run,
            str(asked.get("demo", "")),
            asked.get("params") or {},
            seed=asked.get("seed", 0),
            kind=str(asked.get("device", "")),
            cancelled=lambda: run in self._cancelled,
        )
        self._cancelled.discard(run)

    def _read(self) -> None:
        try:
            while line := sys.stdin.buffer.readline(MAX_LINE + 1):
                self._take(line)
        finally:
            os._exit(STOPPED)

    def _take(self, line: bytes) -> None:
        """Understand one request line, or say what is wrong with it."""
        try:
            asked = request(line)
            match asked["type"]:
                case "run":
                    _validate(asked)
                    self._waiting.put(asked)
                case "cancel":
                    self._cancelled.add(str(asked.get("run")))
                case "list":
                    self._wire.send(event("list", demos=_demos()))
                case "stop":
                    os._exit(STOPPED)
        except BadRequestError as error:
            self._wire.send(
                event("error", run=error.run, kind="protocol", message=str(error), remedy="")
            )


def serve() -> None:
    """Be a worker.  Ctrl+C belongs to whoever started it, who ends the input instead."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Worker().serve()
    except BrokenPipeError:
        os._exit(STOPPED)


def _validate(asked: dict[str, Any]) -> None:
    run = asked.get("run")
    if not isinstance(run, str) or not run:
        raise BadRequestError("a run request names its run")
    if not isinstance(asked.get("params") or {}, dict):
        raise BadRequestError("the params of a run are an object", run)
    seed = asked.get("seed", 0)
    if not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise BadRequestError("the seed of a run is a whole number from 0 to 4294967295", run)


def _demos() -> list[dict[str, Any]]:
    return [entry.describe() for entry in entries()]
