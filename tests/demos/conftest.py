"""What the tests of the demos share: a machine, a worker, and where compiled code is kept."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 100
"""Seconds after which a test gives a child process up."""


@pytest.fixture(scope="session", autouse=True)
def _compiled_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache for the session: nothing of the user's is read or written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEMOS_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield


@pytest.fixture(scope="session")
def machine() -> Any:
    from demos import device

    return device.machine("cpu")


class Worker:
    """A worker process: requests go in, events come out."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "demos", "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "DEMOS_SELFTEST": "1"},
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, kind: str, **fields: Any) -> None:
        self.write(json.dumps({"v": 1, "type": kind, **fields}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def run(self, demo: str, run: str = "r1", **fields: Any) -> None:
        self.send("run", run=run, demo=demo, **fields)

    def event(self) -> dict[str, Any] | None:
        """The next event; ``None`` when the worker has closed its output."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except Empty:
            pytest.fail("the worker says nothing")
        return json.loads(line, parse_constant=pytest.fail) if line else None

    def until(self, *kinds: str) -> list[dict[str, Any]]:
        """Events up to the first of these kinds, or to the end."""
        found: list[dict[str, Any]] = []
        while (event := self.event()) is not None:
            found.append(event)
            if event["type"] in kinds:
                break
        return found

    def end(self) -> int:
        """End its input, and wait for it to go."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    @property
    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def remove(self) -> None:
        """Kill it, whatever it does, and close the pipes."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@pytest.fixture
def worker() -> Iterator[Worker]:
    started = Worker()
    yield started
    started.remove()


@pytest.fixture
def rehearsed(python: Any) -> Callable[..., None]:
    """Play a GPU demo's whole story without one, and hold it to its entry in the catalogue."""

    def check(name: str, params: Any, constants: Any, perhaps: set[str]) -> None:
        """``perhaps``: metrics that a story may leave out."""
        from demos.catalogue import find

        done = python(
            "tests/demos/rehearsal.py",
            name,
            json.dumps(params),
            json.dumps(constants),
            TRITON_INTERPRET="1",
            PYTHONPATH=".",
        )
        assert done.returncode == 0, done.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        entry = find(name)
        assert entry is not None
        given = {event["name"] for event in events if event["type"] == "metric"}
        assert given | perhaps == set(entry.metrics)
        foretold = {e["metric"] for e in events if e["type"] == "prediction"}
        assert {name for name in foretold if not name.startswith("time:")} <= set(entry.metrics)
        checks = [e for e in events if e["type"] == "check"]
        # The interpreter contracts nothing, so of a control nothing can be said.
        assert all(e["passed"] for e in checks if not e["control"])

    return check


@pytest.fixture
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python in the checkout: ``python("-m", "demos", "list")``."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **variables},
            timeout=PATIENCE,
        )

    return run
