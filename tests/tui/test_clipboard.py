from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input

from quizapp.tui import clipboard
from quizapp.tui.app import QuizApp
from quizapp.tui.clipboard import Kept, keep
from tests.tui.driving import press, settle

TEXT = "合并访存 [/b] coalescing\n"


def refuse(text: str) -> None:
    raise RuntimeError("there is no clipboard here")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a program within a tmux of its own, in its default configuration."""
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux")
    socket = tmp_path / "socket"
    outside = {key: value for key, value in os.environ.items() if not key.startswith("TMUX")}
    server = ("tmux", "-S", str(socket), "-f", os.devnull)
    subprocess.run([*server, "new-session", "-d", "sleep 60"], check=True, env=outside)
    yield outside | {"TMUX": f"{socket},1,0"}
    subprocess.run([*server, "kill-server"], check=False, env=outside)


def test_report_10_in_a_default_tmux_the_buffer_has_the_text(tmux: dict[str, str]) -> None:
    assert keep(TEXT, tmux, refuse) is Kept.TMUX
    shown = subprocess.run(["tmux", "show-buffer"], env=tmux, capture_output=True, check=True)
    assert shown.stdout.decode() == TEXT


def test_a_tmux_that_is_gone_is_not_said_to_have_it(tmp_path: Path) -> None:
    environ = {"TMUX": f"{tmp_path / 'none'},1,0", "PATH": os.environ["PATH"]}
    assert keep(TEXT, environ, refuse) is Kept.UNKNOWN


def test_the_system_s_clipboard_is_believed_where_it_is_the_user_s() -> None:
    copied: list[str] = []
    assert keep(TEXT, {}, copied.append) is Kept.CLIPBOARD
    assert copied == [TEXT]
    far = {"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}
    assert keep(TEXT, far, copied.append) is Kept.UNKNOWN
    assert copied == [TEXT]
    assert keep(TEXT, far | {"DISPLAY": "localhost:10.0"}, copied.append) is Kept.CLIPBOARD


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (Kept.CLIPBOARD, "Copied."),
        (Kept.TMUX, "Copied to tmux's buffer: paste with the prefix and ]."),
        (Kept.UNKNOWN, "The terminal was asked to copy; it does not say whether it did."),
    ],
)
async def test_report_10_copying_says_what_is_known(
    app: QuizApp, monkeypatch: pytest.MonkeyPatch, kept: Kept, said: str
) -> None:
    asked: list[str] = []

    def stand_in(text: str, _: object) -> Kept:
        asked.append(text)
        return kept

    monkeypatch.setattr(clipboard, "keep", stand_in)
    async with app.run_test() as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"fused")
        app.screen.query_one("#find", Input).select_all()
        await press(pilot, "ctrl+c")
        assert asked == ["fused"]
        assert [note.message for note in app._notifications] == [said]
        assert app.is_running
