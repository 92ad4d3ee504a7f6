"""A home with the test cards, and the program as a user types it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CARDS = ROOT / "tests" / "data" / "cards"
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    shutil.copytree(CARDS, folder / "data" / "cards")
    (folder / "config.toml").write_text('time_zone = "UTC"\n', encoding="utf-8")
    return folder


@pytest.fixture
def quizapp(home: Path, tmp_path: Path) -> Command:
    def run(*arguments: str, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"QUIZAPP_HOME": str(home), "PYTHONPATH": str(ROOT)} | env
        return subprocess.run(
            [sys.executable, "-m", "quizapp", *arguments],
            capture_output=True,
            text=True,
            check=False,
            input=text,
            cwd=tmp_path,
            env=environment,
        )

    return run
