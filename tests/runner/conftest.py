"""Runners with a fake worker, ended after each test."""

from __future__ import annotations

import resource
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from quizapp.runner.local import LocalRunner
from tests.runner.driving_runners import FAKE


@pytest.fixture(autouse=True)
def _no_core_files() -> None:
    """Let a crash leave no file behind."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


@pytest.fixture
async def local() -> AsyncIterator[Callable[..., LocalRunner]]:
    """Return a maker of runners whose worker is the fake one in a mode."""
    made: list[LocalRunner] = []

    def make(mode: str = "good", silence: float = 30.0, log: Path | None = None) -> LocalRunner:
        worker = [str(FAKE), mode, *([str(log)] if log else [])]
        runner = LocalRunner(sys.executable, silence, worker)
        made.append(runner)
        return runner

    yield make
    for runner in made:
        await runner.close()
