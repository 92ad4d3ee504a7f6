"""What only a real terminal shows: how it is left, and what is typed into it."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pty")
Started = Callable[..., Terminal]

LEFT_BEHIND = {
    "alternate screen": (b"\x1b[?1049h", b"\x1b[?1049l"),
    "mouse": (b"\x1b[?1000h", b"\x1b[?1000l"),
    "any motion": (b"\x1b[?1003h", b"\x1b[?1003l"),
    "bracketed paste": (b"\x1b[?2004h", b"\x1b[?2004l"),
    "focus": (b"\x1b[?1004h", b"\x1b[?1004l"),
    "hidden cursor": (b"\x1b[?25l", b"\x1b[?25h"),
}


def assert_clean(terminal: Terminal) -> None:
    output = terminal.output
    for what, (on, off) in LEFT_BEHIND.items():
        assert output.rfind(off) >= output.rfind(on), f"{what} is left on"


def modes(terminal: Terminal) -> list[object]:
    return termios.tcgetattr(terminal._fd)[:4]


@pytest.mark.parametrize("keys", ["q", "\x11", "\x03"], ids=["q", "ctrl+q", "ctrl+c"])
def test_leaving_restores_the_terminal(started: Started, keys: str) -> None:
    terminal = started()
    terminal.wait_for("10 new")
    terminal.send(keys)
    assert terminal.wait_exit() == 0
    assert_clean(terminal)


def test_ctrl_c_leaves_from_the_editor_and_keeps_what_is_typed(
    started: Started, home: Path
) -> None:
    terminal = started("review")
    terminal.wait_for("Type the answer")
    terminal.send("half of it")
    terminal.wait_for("half of it")
    terminal.send("\x03")
    assert terminal.wait_exit() == 0
    assert_clean(terminal)
    again = started("review")
    again.wait_for("half of it")
    with closing(sqlite3.connect(home / "data" / "quizapp.db")) as database:
        assert database.execute("SELECT count(*) FROM review").fetchone() == (0,)


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["SIGTERM", "SIGHUP"],
)
def test_report_7_a_signal_to_the_program_leaves_a_clean_terminal(
    started: Started, number: signal.Signals, status: int
) -> None:
    terminal = started()
    terminal.wait_for("10 new")
    os.kill(terminal.pid, number)
    assert terminal.wait_exit() == status
    assert_clean(terminal)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV])
def test_report_7_a_program_that_dies_leaves_a_clean_terminal(
    started: Started, number: signal.Signals
) -> None:
    terminal = started()
    terminal.wait_for("10 new")
    (child,) = children(terminal.pid)
    os.kill(child, number)
    assert terminal.wait_exit() == 128 + number
    assert_clean(terminal)
    assert f"ended by {number.name}".encode() in terminal.output


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [([], "10 new"), (["review"], "Type the answer")],
    ids=["today", "review"],
)
def test_the_program_ends_with_its_guard(
    started: Started, arguments: list[str], shown: str
) -> None:
    terminal = started(*arguments)
    terminal.wait_for(shown)
    (child,) = children(terminal.pid)
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.wait_exit()
    for _ in range(200):
        if not running(child):
            break
        terminal.pump(0.05)
    assert not running(child)


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_report_1_chinese_from_an_input_method_arrives_as_typed(started: Started) -> None:
    terminal = started("review")
    terminal.wait_for("Type the answer")
    terminal.send("中间结果留在寄存器里")
    terminal.wait_for("中 间 结 果".replace(" ", ""))
    assert b"\x1b[>1u" not in terminal.output, "the kitty protocol would break commits"
    assert b"\x1b[>25u" not in terminal.output


def test_report_12_a_demo_eats_no_keys(started: Started, home: Path) -> None:
    (home / "config.toml").write_text(
        f'time_zone = "UTC"\ndemo_python = "{home / "reader"}"\n', encoding="utf-8"
    )
    reader = home / "reader"
    reader.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'import sys; sys.stdin.read()'\n")
    reader.chmod(0o755)
    terminal = started()
    terminal.wait_for("10 new")
    terminal.send("c")
    terminal.send("\r")
    terminal.wait_for("Concepts")
    terminal.send("d")
    terminal.wait_for("Press r")
    terminal.send("r")
    terminal.wait_for("running")
    terminal.send("x")
    terminal.wait_for("was cancelled")
    terminal.send("q")
    assert terminal.wait_exit() == 0


def test_report_13_an_error_nobody_expected_is_one_line_and_a_status(
    started: Started, home: Path
) -> None:
    (home / "sitecustomize.py").write_text(
        "import quizapp.services.today as t\n"
        "async def overview(workspace):\n"
        "    raise RuntimeError('made up')\n"
        "t.overview = overview\n",
        encoding="utf-8",
    )
    path = os.pathsep.join([str(home), str(Path(__file__).resolve().parent.parent.parent)])
    terminal = started(env={"PYTHONPATH": path})
    assert terminal.wait_exit() == 70
    assert_clean(terminal)
    tail = terminal.output.decode()
    assert "quizapp: RuntimeError: made up; nothing you gave is lost" in tail
    assert "quizapp: RuntimeError: made up" in terminal.text, "and it is still there to be read"
    assert "Traceback" not in tail
    log = (home / "state" / "quizapp.log").read_text(encoding="utf-8")
    assert "RuntimeError: made up" in log


def test_without_a_terminal_it_says_what_works(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quizapp"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"QUIZAPP_HOME": str(home)},
    )
    assert done.returncode == 2
    assert "quizapp review --plain" in done.stderr


def test_resizing_keeps_up(started: Started) -> None:
    terminal = started()
    terminal.wait_for("10 new")
    terminal.resize(140, 45)
    terminal.settle()
    terminal.resize(60, 18)
    terminal.settle()
    assert "10 new" in terminal.text
    terminal.send("q")
    assert terminal.wait_exit() == 0


def test_report_6_it_ends_though_a_worker_s_thread_does_not(started: Started, home: Path) -> None:
    (home / "sitecustomize.py").write_text(
        "import time\n"
        "import quizapp.cards.search as s\n"
        "def search(*rest, **more):\n"
        "    while True:\n"
        "        time.sleep(0.01)\n"
        "s.search = search\n",
        encoding="utf-8",
    )
    path = os.pathsep.join([str(home), str(Path(__file__).resolve().parent.parent.parent)])
    terminal = started(env={"PYTHONPATH": path})
    terminal.wait_for("10 new")
    terminal.send("/")
    terminal.wait_for("Search cards")
    terminal.send("a")
    terminal.settle()
    terminal.send("\x11")
    terminal.wait_exit(timeout=12)
    assert_clean(terminal)


def test_a_card_is_edited_in_the_user_s_editor_and_read_again(started: Started, home: Path) -> None:
    editor = home / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^# Why/# Tell me why/' \"$1\"\n", encoding="utf-8")
    editor.chmod(0o755)
    terminal = started(env={"EDITOR": str(editor)})
    terminal.wait_for("10 new")
    terminal.send("/")
    terminal.wait_for("Search cards")
    terminal.send("fusion-short")
    terminal.wait_for("fusion-short ·")
    terminal.send("\r")
    terminal.wait_for("Several kernels are merged")
    terminal.send("o")
    terminal.wait_for("Tell me why is fusion [fast]")
    editor.write_text("#!/bin/sh\nsed -i 's/^lang: en/lang: fr/' \"$1\"\n", encoding="utf-8")
    terminal.send("o")
    # The path decides where the message breaks, and beside a line of it stands one of the card.
    words = re.compile(r"\bis\b.*\bno\b.*\blanguage\b.*\bof\b.*\bthe\b.*\bformat\b", re.DOTALL)
    terminal.wait_for(lambda text: words.search(text) is not None)
    terminal.send("q")
    assert terminal.wait_exit() == 0
    assert_clean(terminal)
