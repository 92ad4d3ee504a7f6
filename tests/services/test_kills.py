"""Whatever kills the program, no acknowledged answer is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS = 200


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_case_3_two_hundred_kills_lose_no_acknowledged_answer(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests" / "data" / "cards", tmp_path / "data" / "cards")
    (tmp_path / "config.toml").write_text('time_zone = "UTC"\n', encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            str(Path(__file__).with_name("killing.py")),
            str(tmp_path),
            str(KILLS),
            "7",
        ],
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
    assert result["cache_matches"] is True
    assert result["kills"] == KILLS
    assert result["rated"] >= KILLS, "the kills must fall into a session that is under way"
