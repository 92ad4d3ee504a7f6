"""Whatever kills the program, and whenever, the history is sound and whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS = 200


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_case_21_two_hundred_kills_leave_a_sound_history(tmp_path: Path) -> None:
    killing = Path(__file__).with_name("killing.py")
    done = subprocess.run(
        [sys.executable, str(killing), str(tmp_path), str(KILLS), "11"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)
    assert result["faults"] == []
    assert result["kills"] == KILLS
    assert result["reviews"] >= KILLS, "the kills must fall among answers"
    assert result["migrated"] == 4, "every old history was migrated in spite of the kills"
    assert result["copies"] >= 8
