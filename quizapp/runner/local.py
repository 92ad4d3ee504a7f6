"""Demos on this machine, in a process of their own."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from quizapp.proof.protocol import Failed
from quizapp.runner.base import UnavailableError
from quizapp.runner.failures import INSTALL, lacks_torch
from quizapp.runner.process import Child
from quizapp.runner.sources import demos_folder, parcel, version
from quizapp.runner.worker import SILENCE, WorkerRunner

BOOTSTRAP = """\
import sys
from importlib.util import module_from_spec, spec_from_file_location
folder = sys.argv.pop()
sys.path[:] = [place for place in sys.path if place]
spec = spec_from_file_location(
    "demos", folder + "/__init__.py", submodule_search_locations=[folder])
sys.modules["demos"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["demos"])
from demos.cli import main
sys.exit(main(["worker"]))
"""
"""Imports the demos from their folder and nothing else from beside it.

Their neighbours in site-packages belong to the Python that runs this program; another Python,
put on that path, would take its torch's dependencies from there.
"""


class LocalRunner(WorkerRunner):
    """A worker on this machine."""

    name = "local"

    def __init__(
        self, python: str = "", silence: float = SILENCE, worker: Sequence[str] = ()
    ) -> None:
        """Take the Python that has torch, and what it runs if not the demos' worker."""
        super().__init__(silence)
        self._own = not python
        self._python = _absolute(python) if python else sys.executable
        self._worker = tuple(worker)
        self._folder: Path | None = None

    def _sources(self) -> str:
        self._folder = demos_folder()
        return version(parcel(self._folder))

    async def _start(self) -> Child:
        arguments = self._worker or ("-c", BOOTSTRAP, str(self._folder))
        try:
            return await Child.start([self._python, *arguments], os.environ, tempfile.gettempdir())
        except OSError as error:
            message = f"{self._python} cannot be started: {error.strerror or error}"
            failed = Failed("", "missing", message, "mend the setting demo_python")
            raise UnavailableError(failed) from None

    def _advise(self, failed: Failed) -> Failed:
        if not lacks_torch(failed):
            return failed
        other = f"{self._python} -m pip install torch triton"
        return replace(failed, remedy=INSTALL if self._own else other)


def _absolute(python: str) -> str:
    """Return a path that is right in any folder; a bare name is looked up as a command."""
    expanded = os.path.expanduser(python)
    return os.path.abspath(expanded) if os.sep in expanded else expanded
