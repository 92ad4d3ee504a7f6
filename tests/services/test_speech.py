"""Speech to text by a command of the user's own, well-behaved and not."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path

import pytest

from quizapp.services import speech
from quizapp.services.errors import UserError
from quizapp.services.speech import Recording

LISTENS = """
import signal, sys, time
def stop(number, frame):
    print("registers keep it")
    sys.exit({status})
signal.signal(signal.SIGINT, stop)
print("ready", file=sys.stderr, flush=True)
open({flag!r}, "w").close()
while True:
    time.sleep(0.01)
"""


def command(folder: Path, code: str) -> str:
    file = folder / "hear.py"
    file.write_text(code, encoding="utf-8")
    return shlex.join([sys.executable, str(file)])


async def listening(folder: Path, status: int = 0) -> Recording:
    flag = folder / "ready"
    made = await Recording.begin(command(folder, LISTENS.format(status=status, flag=str(flag))))
    while not flag.exists():
        await asyncio.sleep(0.01)
    return made


@pytest.mark.parametrize("status", [0, 130])
async def test_what_it_prints_is_the_transcript(tmp_path: Path, status: int) -> None:
    recording = await listening(tmp_path, status)
    assert await recording.finish() == "registers keep it"


async def test_one_that_ended_by_itself_was_heard_too(tmp_path: Path) -> None:
    recording = await Recording.begin(command(tmp_path, "print('x' * 200_000)"))
    await asyncio.sleep(0.3)
    assert await recording.finish() == "x" * 200_000


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "there is no speech_command"),
        ("'open", "speech_command cannot be read"),
        ("/no/such/program", "/no/such/program cannot be started: No such file or directory"),
    ],
)
async def test_a_command_that_cannot_be_started_is_told(line: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        await Recording.begin(line)


async def test_one_that_heard_nothing_says_its_last_words(tmp_path: Path) -> None:
    code = "import sys; print('a', file=sys.stderr); sys.exit('no microphone')"
    recording = await Recording.begin(command(tmp_path, code))
    await asyncio.sleep(0.3)
    with pytest.raises(UserError, match="understood nothing: no microphone"):
        await recording.finish()


async def test_one_that_never_ends_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "LAST_SECONDS", 0.2)
    code = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)"
    recording = await Recording.begin(command(tmp_path, code))
    await asyncio.sleep(0.3)
    with pytest.raises(UserError, match=r"did not end within 0\.2 s"):
        await recording.finish()
    assert recording._process.returncode is not None


async def test_a_recording_can_be_dropped(tmp_path: Path) -> None:
    recording = await listening(tmp_path)
    await recording.drop()
    assert recording._process.returncode is not None
