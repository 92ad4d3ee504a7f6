"""What every test shares: a fixed terminal, an empty home, the shared material if present."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The kitty protocol breaks input methods (see quizapp/__main__.py); Textual reads this at import.
os.environ["TEXTUAL_DISABLE_KITTY_KEY"] = "1"

# A loaded machine is slow, and slowness is no failure here: benchmarks measure speed.
settings.register_profile(
    "quizapp", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quizapp")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _plain_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path / "home"))
    for name in ("NO_COLOR", "COLUMNS", "LINES", "QUIZAPP_DEMO_PYTHON", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shared() -> Path:
    """The folder of facts and material beside the repository; the test skips where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared material is not beside this checkout")
    return folder
