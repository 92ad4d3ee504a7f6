"""The local worker: kept warm, and every accident of it survived and told."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from quizapp.proof.protocol import Device, Done, Failed, Hello, Metric, Progress, Started
from quizapp.runner import local as local_module
from quizapp.runner.base import UnavailableError
from quizapp.runner.local import LocalRunner
from tests.runner.driving_runners import FAKE, events_of, failure, gone, is_running, pid_in

Local = Callable[..., LocalRunner]
ROOT = Path(__file__).resolve().parents[2]


async def test_a_run_is_its_events_from_hello_to_done(local: Local) -> None:
    events = await events_of(local(), params={"n": 2}, seed=7)
    assert [type(event) for event in events] == [Hello, Device, Started, Metric, Done]
    started = events[2]
    assert isinstance(started, Started)
    assert (started.demo, started.params, started.seed) == ("chain", {"n": 2}, 7)


async def test_the_second_run_has_the_same_worker_and_hears_of_it(local: Local) -> None:
    runner = local()
    first, second = await events_of(runner), await events_of(runner)
    assert pid_in(first) == pid_in(second)
    assert [type(event) for event in second] == [Hello, Device, Started, Metric, Done]


async def test_demos_are_listed_by_the_worker_that_runs_them(local: Local) -> None:
    runner = local()
    (info,) = await runner.demos()
    assert (info.name, info.digest) == ("chain", "d1")
    events = await events_of(runner)
    assert isinstance(events[0], Hello)
    assert events[0].demos == (info,)
    assert await runner.demos() == (info,)


async def test_the_worker_ends_with_the_runner(local: Local) -> None:
    runner = local()
    pid = pid_in(await events_of(runner))
    assert is_running(pid)
    await runner.close()
    assert not is_running(pid)
    await runner.close()


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("crash", "ended by SIGSEGV: about to crash"),
        ("killed", "ended by SIGKILL: about to crash"),
        ("exit", "ended with code 3: RuntimeError: [red]no luck[/red]"),
        ("cut-off", 'ended with code 4: {"v": 1, "type": "metric", "ru'),
        ("no-start", "ended with code 1: ImportError: broken installation"),
    ],
)
async def test_a_crash_is_told_with_its_signal_or_code_and_last_words(
    local: Local, mode: str, words: str
) -> None:
    failed = failure(await events_of(local(mode)))
    assert failed.kind == "crashed"
    assert failed.message.endswith(words)
    assert failed.remedy


async def test_after_a_crash_the_next_run_has_a_new_worker(local: Local, tmp_path: Path) -> None:
    log = tmp_path / "starts"
    runner = local("exit", log=log)
    for _ in range(2):
        assert failure(await events_of(runner)).kind == "crashed"
    assert len(set(log.read_text().split())) == 2


async def test_silence_is_a_hang_and_ends_the_worker(local: Local) -> None:
    events = await events_of(local("hang", silence=0.3))
    failed = failure(events)
    assert failed.kind == "hung"
    assert "0.3 s" in failed.message
    assert not is_running(pid_in(events))


@pytest.mark.parametrize("mode", ["no-hello", "endless-noise"])
async def test_noise_and_waiting_for_hello_are_silence_too(local: Local, mode: str) -> None:
    runner = local(mode, silence=0.5)
    assert failure(await events_of(runner)).kind == "hung"


async def test_whoever_ignores_everything_is_killed_with_its_children(local: Local) -> None:
    events = await events_of(local("stubborn", silence=0.5))
    stage = next(event.stage for event in events if isinstance(event, Progress))
    assert failure(events).kind == "hung"
    await gone(pid_in(events), int(stage.removeprefix("child ")))


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("huge-line", "more than 1048576 bytes"),
        ("endless-line", "more than 1048576 bytes"),
        ("garbage", "metric.run: text was expected"),
    ],
)
async def test_what_is_no_protocol_ends_the_run_with_its_reason(
    local: Local, mode: str, reason: str
) -> None:
    events = await events_of(local(mode))
    failed = failure(events)
    assert failed.kind == "protocol"
    assert reason in failed.message
    await gone(pid_in(events))


@pytest.mark.parametrize("mode", ["noise", "stale"])
async def test_prints_and_the_rest_of_earlier_runs_are_no_events(local: Local, mode: str) -> None:
    events = await events_of(local(mode))
    assert [type(event) for event in events] == [Hello, Device, Started, Metric, Done]


async def test_a_flood_of_events_leaves_others_their_turn(local: Local) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    events = await events_of(local("flood"))
    counting.cancel()
    assert sum(isinstance(event, Progress) for event in events) == 2000
    assert turns > 2000 / 64


async def test_what_it_said_is_kept_within_bounds(local: Local) -> None:
    runner = local("chatty")
    failed = failure(await events_of(runner))
    assert "line 4999 y" in failed.message
    assert len(failed.message) < 3000


async def test_an_output_that_ends_before_the_process_is_an_end(local: Local) -> None:
    events = await events_of(local("closed-output"))
    assert failure(events).kind == "crashed"
    await gone(pid_in(events))


async def test_closing_the_events_cancels_the_run_and_keeps_the_worker(local: Local) -> None:
    runner = local("slow")
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


async def test_cancelling_the_task_cancels_the_run(local: Local) -> None:
    runner = local("slow")
    seen = asyncio.Event()
    pids = []

    async def watch() -> None:
        async with aclosing(runner.run("chain")) as events:
            async for event in events:
                if isinstance(event, Hello):
                    pids.append(event.pid)
                if isinstance(event, Progress):
                    seen.set()

    task = asyncio.create_task(watch())
    await asyncio.wait_for(seen.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert is_running(pids[0])
    async with asyncio.timeout(60), aclosing(runner.run("chain")) as events:
        async for event in events:
            if isinstance(event, Progress):
                assert event.stage == "step 1"
                break


async def test_a_worker_that_does_not_hear_cancel_is_ended(local: Local) -> None:
    runner = local("hang")
    async with asyncio.timeout(60), aclosing(runner.run("chain")) as events:
        async for event in events:
            if isinstance(event, Hello):
                pid = event.pid
            if isinstance(event, Started):
                break
    await gone(pid)


async def test_closing_the_runner_ends_a_run_as_cancelled(local: Local) -> None:
    runner = local("slow")
    last = None
    async with asyncio.timeout(60), aclosing(runner.run("chain")) as events:
        async for event in events:
            last = event
            if isinstance(event, Started):
                closing = asyncio.create_task(runner.close())
    await closing
    assert isinstance(last, Failed)
    assert last.kind == "cancelled"


async def test_runs_wait_for_one_another(local: Local) -> None:
    runner = local()
    both = await asyncio.gather(events_of(runner), events_of(runner))
    for events in both:
        assert len({event.run for event in events if not isinstance(event, Hello | Device)}) == 1
        assert isinstance(events[-1], Done)


@pytest.mark.parametrize(("mode", "kept"), [("failing", False), ("unsupported", True)])
async def test_a_failure_that_may_have_damaged_the_worker_ends_it(
    local: Local, mode: str, kept: bool
) -> None:
    events = await events_of(local(mode))
    assert is_running(pid_in(events)) is kept


async def test_edited_demos_are_run_by_a_new_worker(
    local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "demos"
    package.mkdir()
    (package / "chain.py").write_text("N = 1")
    monkeypatch.setattr(local_module, "demos_folder", lambda: package)
    runner = local()
    first = pid_in(await events_of(runner))
    assert pid_in(await events_of(runner)) == first
    (package / "chain.py").write_text("N = 2")
    assert pid_in(await events_of(runner)) != first
    await gone(first)


NEIGHBOURLY = """
import importlib.util, pathlib, runpy, sys
def main(arguments):
    assert arguments == ["worker"]
    assert __package__ == "demos"
    assert importlib.util.find_spec("neighbour") is None
    assert importlib.util.find_spec("demos.chain") is not None
    sys.argv = ["worker", "good"]
    runpy.run_path(str(pathlib.Path(__file__).with_name("fake_worker.py")), run_name="__main__")
"""


async def test_the_demos_are_imported_and_nothing_from_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "demos"
    package.mkdir(parents=True)
    for name in ("__init__.py", "chain.py", "../neighbour.py"):
        (package / name).write_text("")
    (package / "cli.py").write_text(NEIGHBOURLY)
    shutil.copy(FAKE, package)
    monkeypatch.setattr(local_module, "demos_folder", lambda: package)
    monkeypatch.chdir(package.parent)
    runner = LocalRunner()
    events = await events_of(runner)
    await runner.close()
    assert isinstance(events[-1], Done), events[-1]


async def test_missing_torch_is_told_with_the_command_that_brings_it(local: Local) -> None:
    worker = [str(FAKE), "no-torch"]
    own, other = LocalRunner(worker=worker), local("no-torch")
    failed = failure(await events_of(own))
    await own.close()
    assert (failed.kind, failed.message) == ("missing", "torch is not installed")
    assert failed.remedy == "pip install 'quizapp[demos]'"
    failed = failure(await events_of(other))
    assert failed.remedy == f"{sys.executable} -m pip install torch triton"
    assert failure(await events_of(local("no-compiler"))).remedy == "install g++"


async def test_a_python_that_is_none_is_told_with_the_setting_to_mend(tmp_path: Path) -> None:
    for python in ("no-such-python", str(tmp_path), "~/no/such/python"):
        runner = LocalRunner(python)
        events = await events_of(runner)
        assert len(events) == 1
        assert failure(events).kind == "missing"
        assert "cannot be started" in failure(events).message
        assert "demo_python" in failure(events).remedy
        with pytest.raises(UnavailableError, match="cannot be started"):
            await runner.demos()


async def test_a_worker_that_cannot_start_lists_no_demos(local: Local) -> None:
    with pytest.raises(UnavailableError, match="broken installation"):
        await local("no-start").demos()


async def test_the_worker_has_no_terminal(local: Local) -> None:
    events = await events_of(local())
    pid = pid_in(events)
    stdin = os.readlink(f"/proc/{pid}/fd/0")
    assert stdin.startswith(("pipe:", "socket:"))
    assert os.getsid(pid) == pid != os.getsid(0)


PARENT = """
import asyncio, sys
from quizapp.proof.protocol import Hello, Started
from quizapp.runner.local import LocalRunner

async def main():
    runner = LocalRunner(worker=sys.argv[1:])
    async for event in runner.run("chain"):
        if isinstance(event, Hello):
            pid = event.pid
        if isinstance(event, Started):
            print(pid, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("mode", ["slow", "good"])
async def test_a_killed_parent_leaves_no_worker(mode: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(FAKE), mode],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert parent.stdout is not None
    with parent:
        worker = int(await asyncio.to_thread(parent.stdout.readline))
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    await gone(worker)
