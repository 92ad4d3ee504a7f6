"""Demos over a real ssh connection to this machine."""

from __future__ import annotations

import ast
import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from quizapp.proof.protocol import Device, Done, Hello, Metric, Progress, Started
from quizapp.runner import ssh as ssh_module
from quizapp.runner.base import UnavailableError
from quizapp.runner.ssh import SshRunner
from tests.runner import sshd
from tests.runner.driving_runners import FAKE, events_of, failure, gone, is_running, pid_in
from tests.runner.sshd import HOST, Sshd

CLI = """
import pathlib, runpy, sys
def main(arguments):
    assert arguments == ["worker"], arguments
    sys.argv = ["worker", {mode!r}]
    runpy.run_path(str(pathlib.Path(__file__).with_name("fake_worker.py")), run_name="__main__")
"""

Remote = Callable[..., SshRunner]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    yield from sshd.running(tmp_path_factory.mktemp("sshd"))


@pytest.fixture
async def remote(server: Sshd, tmp_path: Path) -> AsyncIterator[Remote]:
    """Return a maker of runners whose remote worker is the fake one in a mode."""
    made: list[SshRunner] = []

    def make(
        mode: str = "good",
        python: str = sys.executable,
        options: list[str] | None = None,
        silence: float = 30.0,
    ) -> SshRunner:
        folder = tmp_path / mode / "demos"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text("")
        (folder / "cli.py").write_text(CLI.format(mode=mode))
        shutil.copy(FAKE, folder)
        runner = SshRunner(HOST, python, silence, options or server.options, folder)
        made.append(runner)
        return runner

    yield make
    for runner in made:
        await runner.close()


def kept_versions(server: Sshd) -> dict[str, float]:
    """Return the versions of the demos that are there, and when they came."""
    folders = (server.cache / "quizapp").glob("*")
    return {folder.name: folder.stat().st_mtime_ns for folder in folders}


async def test_a_run_over_there_is_the_same_events(remote: Remote) -> None:
    runner = remote()
    assert runner.name == "ssh:box"
    first = await events_of(runner, params={"n": 2}, seed=7)
    assert [type(event) for event in first] == [Hello, Device, Started, Metric, Done]
    second = await events_of(runner)
    assert pid_in(first) == pid_in(second)
    (info,) = await runner.demos()
    assert info.name == "chain"


async def test_the_demos_are_sent_once_and_again_when_they_change(
    remote: Remote, server: Sshd
) -> None:
    before = kept_versions(server)
    await events_of(remote("stale"))
    once = kept_versions(server)
    (name,) = once.keys() - before.keys()
    assert name.startswith("demos-")
    runner = remote("stale")
    assert isinstance((await events_of(runner))[-1], Done)
    assert kept_versions(server) == once
    assert runner._folder is not None
    (runner._folder / "more.py").write_text("N = 1")
    assert isinstance((await events_of(runner))[-1], Done)
    assert len(kept_versions(server).keys() - once.keys()) == 1


async def test_the_remote_process_ends_with_the_runner(remote: Remote) -> None:
    runner = remote()
    pid = pid_in(await events_of(runner))
    assert is_running(pid)
    await runner.close()
    await gone(pid)


async def test_cancelling_keeps_the_remote_worker_warm(remote: Remote) -> None:
    runner = remote("slow")
    pids = []
    for _ in range(2):
        async with asyncio.timeout(60), aclosing(runner.run("chain")) as events:
            async for event in events:
                if isinstance(event, Hello):
                    pids.append(event.pid)
                if isinstance(event, Progress):
                    break
    assert pids[0] == pids[1]
    assert is_running(pids[0])


async def test_a_lost_connection_is_told_and_leaves_nothing_there(
    remote: Remote, server: Sshd
) -> None:
    runner = remote("slow")
    events = []
    async with asyncio.timeout(60), aclosing(runner.run("chain")) as running:
        async for event in running:
            events.append(event)
            if isinstance(event, Progress) and event.stage == "step 1":
                server.cut()
    failed = failure(events)
    assert failed.kind == "lost"
    assert "the connection to box was lost" in failed.message
    await gone(pid_in(events))
    assert isinstance((await events_of(remote()))[-1], Done)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("crash", "the demo process on box ended by SIGSEGV"),
        ("exit", "the demo process on box ended with code 3: RuntimeError: [red]no luck[/red]"),
    ],
)
async def test_a_crash_over_there_is_no_lost_connection(
    remote: Remote, mode: str, words: str
) -> None:
    failed = failure(await events_of(remote(mode)))
    assert failed.kind == "crashed"
    assert words in failed.message


async def test_silence_over_there_is_a_hang_that_leaves_nothing(remote: Remote) -> None:
    events = await events_of(remote("hang", silence=1))
    assert failure(events).kind == "hung"
    await gone(pid_in(events))


async def test_an_unreachable_host_is_told(remote: Remote, server: Sshd) -> None:
    options = server.options_with(port=sshd.free_port())
    failed = failure(await events_of(remote(options=options)))
    assert failed.kind == "lost"
    assert "box cannot be reached" in failed.message
    assert "Connection refused" in failed.message
    with pytest.raises(UnavailableError, match="cannot be reached"):
        await remote(options=options).demos()


async def test_a_refused_login_is_told_without_a_prompt(remote: Remote, server: Sshd) -> None:
    failed = failure(await events_of(remote(options=server.options_with("other_key"))))
    assert "box refuses the login" in failed.message
    assert "without a password" in failed.remedy


async def test_an_unknown_host_key_is_told_without_a_prompt(remote: Remote, server: Sshd) -> None:
    failed = failure(await events_of(remote(options=server.options_with(known="unknown"))))
    assert "the key of box is not known here" in failed.message


async def test_a_host_without_that_python_is_told(remote: Remote) -> None:
    failed = failure(await events_of(remote(python="no-such-python")))
    assert failed.kind == "missing"
    assert "box has no no-such-python" in failed.message


async def test_a_host_whose_python_is_too_old_is_told(
    remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "remote.py"
    text = ssh_module.PROGRAM.read_text().replace("OLDEST = (3, 11)", "OLDEST = (9, 9)")
    program.write_text(text)
    monkeypatch.setattr(ssh_module, "PROGRAM", program)
    failed = failure(await events_of(remote()))
    assert failed.kind == "missing"
    assert "the demos need 9.9 or newer" in failed.message
    assert "newer Python of box" in failed.remedy


def test_an_old_python_can_read_the_program_that_refuses_it() -> None:
    assert ast.parse(ssh_module.PROGRAM.read_text(), feature_version=(3, 6)).body


async def test_missing_torch_over_there_is_told_with_its_command(remote: Remote) -> None:
    failed = failure(await events_of(remote("no-torch")))
    assert (failed.kind, failed.message) == ("missing", "box: torch is not installed")
    assert failed.remedy == f"on box: {sys.executable} -m pip install torch triton"


async def test_a_talkative_login_is_read_past(remote: Remote) -> None:
    python = f"echo Welcome; echo '  [not json'; {sys.executable}"
    events = await events_of(remote(python=python))
    assert isinstance(events[-1], Done)


async def test_a_cache_that_cannot_be_written_is_told(remote: Remote, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    python = f"XDG_CACHE_HOME={tmp_path / 'file'} {sys.executable}"
    failed = failure(await events_of(remote(python=python)))
    assert failed.kind == "failed"
    assert "the demos cannot be kept there" in failed.message


async def test_a_host_is_never_an_option(tmp_path: Path) -> None:
    runner = SshRunner(f"-oProxyCommand=touch {tmp_path / 'made'}", folder=tmp_path)
    assert failure(await events_of(runner)).kind == "lost"
    assert not (tmp_path / "made").exists()


async def test_a_machine_without_ssh_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    failed = failure(await events_of(SshRunner(HOST, folder=tmp_path)))
    assert failed.kind == "missing"
    assert failed.remedy == "install the OpenSSH client"
