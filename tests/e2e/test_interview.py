"""A complete interview in a real terminal, in both languages, to its report."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pty")
Started = Callable[..., Terminal]

ENGLISH = {
    "answer": "the intermediates stay in registers and the flops do not change",
    "place": "giving the answer",
    "question": "Why is fusion",
    "ticked": "1 ✓ ★ Intermediates stay in registers.",
    "number": "how long at least?",
    "prove": "Prove it.",
    "report": ["Main questions  100 %", "nothing is taken off for it", "What to study next"],
}
CHINESE = {
    "answer": "中间结果留在寄存器里，计算量不变",
    "place": "作答",
    "question": "融合为什么快？",
    "ticked": "1 ✓ ★",
    "number": "至少",
    "prove": "请证明这一点。",
    "report": ["主问题  100 %", "跳过了，不扣分", "接下来学什么"],
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_complete_interview(started: Started, home: Path, lang: str) -> None:
    texts = ENGLISH if lang == "en" else CHINESE
    with (home / "config.toml").open("a", encoding="utf-8") as file:
        file.write(f'language = "{lang}"\n')
    terminal = started("mock", "--deck", "test", "--length", "1", "--seed", "5")
    terminal.wait_for(str(texts["question"]))
    terminal.send(str(texts["answer"]))
    terminal.wait_for(str(texts["answer"])[-6:])
    terminal.send("\x13")  # Ctrl+S: give
    terminal.wait_for(str(texts["ticked"]))
    terminal.send("\r")
    for _ in range(2):  # two follow-ups
        terminal.wait_for(str(texts["place"]))
        terminal.send("\x0e")  # Ctrl+N: skip
        terminal.settle()
    terminal.wait_for(str(texts["number"]))
    terminal.send("12 ms\x13")
    terminal.wait_for(str(texts["prove"]))
    terminal.send("\r")
    terminal.wait_for(str(texts["report"][0]))
    terminal.send("w")
    folder = home / "data" / "interviews"
    terminal.wait_for(lambda _: any(folder.glob("*.md")))
    terminal.settle()
    written = next(folder.glob("*.md")).read_text(encoding="utf-8")
    for part in texts["report"]:
        assert part.replace("  ", " | ") in written
    terminal.send("q")
    assert terminal.wait_exit() == 0


def drafted(home: Path) -> str:
    with closing(sqlite3.connect(home / "data" / "quizapp.db")) as database:
        rows = database.execute("SELECT text FROM interview_draft").fetchall()
    return "".join(text for (text,) in rows)


def test_killed_in_the_middle_it_goes_on(started: Started, home: Path) -> None:
    terminal = started("mock", "--deck", "test", "--length", "1", "--seed", "5")
    terminal.wait_for("Why is fusion")
    terminal.send("registers keep")
    terminal.wait_for("registers keep")
    terminal.wait_for(lambda _: drafted(home) == "registers keep")
    terminal.kill()
    again = started("mock", "resume")
    again.wait_for("Paused; the clock stands.")
    again.send("\r")
    again.wait_for("registers keep")
    again.send("q\x11")
    assert again.wait_exit() == 0
