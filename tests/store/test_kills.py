"""Whatever kills the program, and whenever, the history is sound and whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS = 100
"""Of each of two histories' programs; they wait for the disk most of the time."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_case_21_two_hundred_kills_leave_a_sound_history(tmp_path: Path) -> None:
    programs = []
    for seed in ("11", "12"):
        (tmp_path / seed).mkdir()
        killing = str(Path(__file__).with_name("killing.py"))
        programs.append(
            subprocess.Popen(
                [sys.executable, killing, str(tmp_path / seed), str(KILLS), seed],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
    said = [program.communicate(timeout=600) for program in programs]
    assert [program.returncode for program in programs] == [0, 0], said
    for result in (json.loads(stdout) for stdout, _ in said):
        assert result["faults"] == []
        assert result["kills"] == KILLS
        assert result["reviews"] >= KILLS, "the kills must fall among answers"
        assert result["migrated"] == 2, "every old history was migrated in spite of the kills"
        assert result["copies"] >= 4
