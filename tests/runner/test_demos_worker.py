"""The runners with the demos' own worker, which has torch in it."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from quizapp.proof.protocol import Device, Done, Event, Hello, Metric, Progress, Started
from quizapp.runner.base import Runner
from quizapp.runner.local import LocalRunner
from quizapp.runner.ssh import SshRunner
from tests.runner import sshd
from tests.runner.driving_runners import failure, gone, is_running, pid_in
from tests.runner.sshd import Sshd

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    yield from sshd.running(tmp_path_factory.mktemp("sshd"))


@pytest.fixture(autouse=True)
def _self_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOS_SELFTEST", "1")


async def all_of(runner: Runner, demo: str) -> list[Event]:
    """Run a demo to its end; importing torch takes its time."""
    async with asyncio.timeout(300), aclosing(runner.run(demo)) as events:
        return [event async for event in events]


async def cancelled_run(runner: Runner) -> int:
    """Begin a run that has no end, cancel it, and return its worker."""
    async with asyncio.timeout(300), aclosing(runner.run("_slow")) as events:
        async for event in events:
            if isinstance(event, Hello):
                pid = event.pid
            if isinstance(event, Progress):
                break
    return pid


async def survived_accidents(runner: Runner) -> None:
    """Hold a runner to what the worker's accidents must and must not do to it."""
    names = [info.name for info in await runner.demos()]
    assert "elementwise" in names
    noisy = await all_of(runner, "_noise")
    assert {Hello, Device, Started, Metric, Done} <= {type(event) for event in noisy}
    pid = pid_in(noisy)
    assert await cancelled_run(runner) == pid
    memory = await all_of(runner, "_memory")
    assert failure(memory).kind == "memory"
    assert pid_in(memory) == pid
    crash = failure(await all_of(runner, "_crash"))
    assert crash.kind == "crashed"
    assert "SIGSEGV" in crash.message
    again = await all_of(runner, "_noise")
    assert isinstance(again[-1], Done)
    assert not is_running(pid)
    await runner.close()
    await gone(pid_in(again))


async def test_the_local_worker_survives_its_accidents() -> None:
    await survived_accidents(LocalRunner())


async def test_a_worker_over_ssh_survives_its_accidents(server: Sshd) -> None:
    python = f"DEMOS_SELFTEST=1 {sys.executable}"
    await survived_accidents(SshRunner(sshd.HOST, python, options=server.options))


async def test_a_demo_that_hears_no_cancel_is_ended() -> None:
    runner = LocalRunner()
    async with asyncio.timeout(300), aclosing(runner.run("_hang")) as events:
        async for event in events:
            if isinstance(event, Hello):
                pid = event.pid
            if isinstance(event, Progress):
                break
    await gone(pid)
    await runner.close()


async def test_a_python_without_torch_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    runner = LocalRunner()
    failed = failure(await all_of(runner, "elementwise"))
    await runner.close()
    assert (failed.kind, failed.message) == ("missing", "torch is not installed")
    assert failed.remedy == "pip install 'quizapp[demos]'"
