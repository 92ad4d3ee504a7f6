"""`quizapp mock`, typed line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

GOOD = "the intermediates stay in registers and the flops do not change"
FAST = ("--plain", "--seed", "3", "--length", "1", "--deck", "test")


def ids(quizapp: Command) -> list[str]:
    return [row["id"] for row in json.loads(quizapp("mock", "list", "--json").stdout)]


def test_a_whole_interview_with_its_report(quizapp: Command) -> None:
    lines = [GOOD, "", "", "/skip", "/skip", "12 ms", "", "r", ""]
    done = quizapp("mock", *FAST, text="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    assert "── 1/1 · Question · 30 s ──" in done.stdout
    assert "1 [x] Intermediates stay in registers. (core)" in done.stdout
    assert "Question: 100 %" in done.stdout
    assert "Prove it." in done.stdout
    assert "Mock interview ·" in done.stdout
    assert "What to study next" in done.stdout
    (id_,) = ids(quizapp)
    again = quizapp("mock", "report")
    assert again.stdout.strip() in done.stdout
    assert f"quizapp mock report {id_[:8]}" in done.stdout
    assert json.loads(quizapp("stats", "--json").stdout)["today"]["done"] >= 2


def test_an_interview_that_ends_with_its_input_is_resumed_with_the_draft(quizapp: Command) -> None:
    done = quizapp("mock", *FAST, text=f"{GOOD}\n")
    assert done.returncode == 0
    assert "Nothing is lost" in done.stdout
    assert "not over" in quizapp("mock", "list").stdout
    again = quizapp("mock", "resume", "--plain", text="\n\n\n/end\n\n")
    assert again.returncode == 0, again.stderr
    assert f"> {GOOD}" in again.stdout
    assert "Question: 100 %" in again.stdout
    assert "Ended early" in again.stdout
    assert quizapp("mock", "resume", "--plain").stderr.startswith(
        "quizapp: there is no interview to go on"
    )


def test_live_keeps_the_ticks_for_the_end(quizapp: Command) -> None:
    lines = [GOOD, "", "/end", "", "", "", ""]
    done = quizapp("mock", *FAST, "--live", "--no-count", text="\n".join(lines) + "\n")
    assert done.stdout.index("Noted.") < done.stdout.index("Model answer")
    assert json.loads(quizapp("stats", "--json").stdout)["today"]["done"] == 0


def test_false_statements_are_asked_and_never_counted_unasked(quizapp: Command) -> None:
    said = "the intermediates stay in registers, with fewer flops"
    lines = [said, "", "f9", "f1", "", "/end"]
    done = quizapp("mock", *FAST, text="\n".join(lines) + "\n\n")
    assert "f1 [?] Fusion reduces the FLOPs." in done.stdout
    assert "f9 is none of these" in done.stdout
    assert "You said something false" in done.stdout
    unconfirmed = [said, "", "", "/end"]
    other = quizapp("mock", *FAST, text="\n".join(unconfirmed) + "\n\n")
    assert "You said something false" not in other.stdout


def test_a_calculation_wants_a_number(quizapp: Command) -> None:
    lines = [GOOD, "", "", "/skip", "/skip", "", "no idea", "", "", "/idk", ""]
    done = quizapp("mock", *FAST, text="\n".join(lines) + "\n\n")
    assert done.stdout.count("I need a number.") == 4
    assert "Right answer" in done.stdout


def test_in_chinese(quizapp: Command) -> None:
    lines = ["中间结果留在寄存器里，计算量不变", "", "", "/end"]
    done = quizapp("mock", *FAST, "--lang", "zh", text="\n".join(lines) + "\n")
    assert "主问题：100 %" in done.stdout
    assert "模拟面试 ·" in done.stdout
    assert "The " not in done.stdout


def test_the_report_as_files(quizapp: Command, tmp_path: Path) -> None:
    quizapp("mock", *FAST, text=f"{GOOD}\n\n\n/end\n")
    (id_,) = ids(quizapp)
    done = quizapp("mock", "report", id_[:6], "--markdown", "r.md", "--html", "r.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# Mock interview")
    assert "<h1>Mock interview" in (tmp_path / "r.html").read_text(encoding="utf-8")
    made = json.loads(quizapp("mock", "report", "--json").stdout)
    assert made["summary"]["main"] == 1
    bad = quizapp("mock", "report", "--html", "no/such/place.html")
    assert (
        bad.stderr == "quizapp: no/such/place.html cannot be written: No such file or directory\n"
    )
    told = quizapp("mock", "replay", id_).stdout
    assert "answered" in told
    assert "ended-early" in told
    assert quizapp("mock", "regrade", id_).stdout == "in all: 100% → 100%\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--plain", "--deck", "none"], "quizapp: there is no deck none; there are"),
        (["report"], "quizapp: there is no interview that is over; begin one"),
        (["report", "zz"], "quizapp: there is no interview zz; `quizapp mock list` shows them"),
        (["--seed", str(2**60)], "quizapp: the seed is"),
    ],
)
def test_what_is_wrong_is_one_line(quizapp: Command, arguments: list[str], line: str) -> None:
    done = quizapp("mock", *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1
