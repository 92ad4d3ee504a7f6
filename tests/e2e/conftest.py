"""The real program in a real terminal, with two short cards and a home of its own."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the short cards, in English."""
    folder = tmp_path / "home"
    shutil.copytree(ROOT / "tests" / "data" / "cards", folder / "data" / "cards")
    (folder / "config.toml").write_text('time_zone = "UTC"\n', encoding="utf-8")
    return folder


@pytest.fixture
def started(home: Path) -> Iterator[Callable[..., Terminal]]:
    """Start the program; whatever still runs after the test is ended."""
    terminals: list[Terminal] = []

    def start(*arguments: str, **settings: object) -> Terminal:
        environment = {"QUIZAPP_HOME": str(home), "PYTHONPATH": str(ROOT)}
        environment |= settings.pop("env", {})  # type: ignore[arg-type]
        terminal = Terminal(
            [sys.executable, "-m", "quizapp", *arguments],
            env=environment,
            cwd=str(home),
            **settings,  # type: ignore[arg-type]
        )
        terminals.append(terminal)
        return terminal

    yield start
    for terminal in terminals:
        terminal.kill()
