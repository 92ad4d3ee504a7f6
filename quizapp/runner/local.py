"""Demos on this machine, in a process of their own."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from quizapp.proof.protocol import Failed
from quizapp.runner.process import Child
from quizapp.runner.worker import INSTALL, SILENCE, WorkerRunner


class LocalRunner(WorkerRunner):
    """A worker on this machine."""

    name = "local"

    def __init__(
        self, python: str = "", silence: float = SILENCE, worker: tuple[str, ...] = ()
    ) -> None:
        super().__init__(silence)
        self._python = python or sys.executable
        self._worker = worker or ("-m", "demos", "worker")

    async def _start(self) -> Child:
        folder = demos_parent()
        paths = [str(folder), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        return await Child.start([self._python, *self._worker], environment, str(Path.home()))

    def _cannot_start(self, run: str, error: OSError) -> Failed:
        return Failed(
            run,
            "missing",
            f"{self._python} cannot be started: {error.strerror or error}",
            f"mend the setting demo_python, or {INSTALL}",
        )


def demos_parent() -> Path:
    """Return the folder that holds the ``demos`` package, for a Python that lacks quizapp."""
    spec = importlib.util.find_spec("demos")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]).parent if places else Path.cwd()
