"""The command line: exit statuses, one clear line for an error, JSON where a program reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from demos.cli import main

ROOT = Path(__file__).resolve().parents[2]


def test_an_unknown_demo_or_parameter_is_two_and_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "nope"]) == 2
    assert capsys.readouterr().err.startswith("demos: there is no demo 'nope'; there are: element")
    assert main(["run", "elementwise", "--params", "size=3"]) == 2
    assert "it has: elements, sweep" in capsys.readouterr().err
    assert main(["run", "elementwise", "--params", "elements"]) == 2
    assert "name=value" in capsys.readouterr().err


@pytest.mark.parametrize("seed", ["-1", "4294967296", "x"])
def test_a_seed_out_of_range_is_two(seed: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["run", "elementwise", "--seed", seed])
    assert left.value.code == 2


def test_the_list_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.split(maxsplit=3)[:3] == ["elementwise", "cuda,", "cpu"]


@pytest.mark.parametrize(("demo", "status", "word"), [("_memory", 4, "memory"), ("_noise", 0, "")])
def test_exit_status_of_a_run(python: Any, demo: str, status: int, word: str) -> None:
    done = python("-m", "demos", "run", demo, "--device", "cpu", DEMOS_SELFTEST="1")
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    if word:
        assert done.stderr.startswith(f"demos: {word}: ")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [("run", "elementwise"), ("all",), ("selfcheck",)])
def test_a_device_that_is_not_there_is_three(python: Any, words: tuple[str, ...]) -> None:
    done = python("-m", "demos", *words, "--device", "cuda", CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 3
    assert done.stderr == (
        "demos: unsupported: torch sees no CUDA device; run on a machine with a GPU, or on cpu\n"
    )


def test_a_torch_that_is_not_installed_is_three(python: Any) -> None:
    """As ``-S`` leaves the packages out that were installed beside Python."""
    for words in (("run", "elementwise"), ("all",)):
        done = python("-S", "-m", "demos", *words)
        assert done.returncode == 3
        assert done.stderr.startswith("demos: missing: torch is not installed; pip install torch")
        assert done.stderr.count("\n") == 1


def test_a_folder_for_records_that_cannot_be_is_told_before_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert main(["run", "elementwise", "--record", str(tmp_path / "file")]) == 1
    said = capsys.readouterr()
    assert said.err == f"demos: nothing can be recorded in {tmp_path / 'file'}: File exists\n"
    assert not said.out


def test_events_as_json_and_ctrl_c_as_cancelled() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "demos", "run", "_slow", "--json", "--device", "cpu"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "DEMOS_SELFTEST": "1"},
    )
    assert running.stdout is not None
    while json.loads(running.stdout.readline())["type"] != "progress":
        pass
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert json.loads(out.splitlines()[-1])["kind"] == "cancelled"
    assert err == "demos: cancelled: stopped\n"


def test_a_reader_that_leaves_is_no_traceback() -> None:
    shell = f"{sys.executable} -m demos run _slow --json --device cpu | head -1"
    done = subprocess.run(
        ["/bin/sh", "-c", shell],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "DEMOS_SELFTEST": "1"},
        timeout=60,
    )
    assert json.loads(done.stdout)["type"] == "device"
    assert "Traceback" not in done.stderr
