"""The worker, as a process: what it survives, and how it ends."""

from __future__ import annotations

import signal
from typing import Any

DONE = ("done", "error")


def test_hello_comes_first_and_lists_the_demos(worker: Any) -> None:
    hello = worker.event()
    assert hello["type"] == "hello"
    assert hello["v"] == 1
    assert hello["pid"] == worker.process.pid
    names = {demo["name"]: demo for demo in hello["demos"]}
    assert {"name", "title", "devices", "metrics", "digest", "params"} <= set(names["elementwise"])
    assert "_crash" in names


def test_device_is_told_once(worker: Any) -> None:
    worker.run("_noise", "a")
    worker.run("_noise", "b")
    events = worker.until("done") + worker.until("done")
    devices = [event for event in events if event["type"] == "device"]
    assert len(devices) == 1
    assert devices[0]["versions"]["torch"]


def test_prints_of_a_demo_go_to_standard_error(worker: Any) -> None:
    worker.run("_noise")
    events = worker.until(*DONE)
    assert [e["type"] for e in events if "run" in e] == ["started", "metric", "done"]
    assert events[-2]["value"] == 42
    assert worker.end() == 0
    assert "nor this" in worker.errors


def test_lack_of_memory_is_an_error_and_the_worker_lives(worker: Any) -> None:
    worker.run("_memory", "big")
    error = worker.until(*DONE)[-1]
    assert (error["type"], error["run"], error["kind"]) == ("error", "big", "memory")
    assert "tried to allocate" in error["message"]
    assert "smaller" in error["remedy"]
    worker.run("_noise", "next")
    assert worker.until(*DONE)[-1]["type"] == "done"


def test_crash_ends_the_process_by_its_signal_after_started(worker: Any) -> None:
    worker.run("_crash")
    events = worker.until(*DONE)
    assert events[-1]["type"] == "started"
    assert worker.process.wait(60) == -signal.SIGSEGV


def test_cancel_stops_a_run_and_the_worker_lives(worker: Any) -> None:
    worker.run("_slow", "long")
    worker.until("progress")
    worker.send("cancel", run="another")
    worker.send("cancel", run="long")
    error = worker.until(*DONE)[-1]
    assert (error["run"], error["kind"]) == ("long", "cancelled")
    worker.run("_noise", "next")
    assert worker.until(*DONE)[-1]["type"] == "done"


def test_a_run_that_waits_can_be_cancelled_before_it_begins(worker: Any) -> None:
    worker.run("_slow", "first")
    worker.run("_slow", "second")
    worker.until("started")
    worker.send("cancel", run="second")
    worker.send("cancel", run="first")
    ended = [worker.until(*DONE)[-1], worker.until(*DONE)[-1]]
    assert [(e["run"], e["kind"]) for e in ended] == [
        ("first", "cancelled"),
        ("second", "cancelled"),
    ]


def test_a_run_that_hangs_hears_no_cancel_but_lists_and_dies_when_killed(worker: Any) -> None:
    worker.run("_hang")
    worker.until("progress")
    worker.send("cancel", run="r1")
    worker.send("list")
    assert worker.until("list")[-1]["demos"]
    worker.process.kill()
    assert worker.event() is None


def test_end_of_input_ends_a_worker_in_the_middle_of_a_run(worker: Any) -> None:
    worker.run("_hang")
    worker.until("progress")
    assert worker.end() == 0
    assert worker.event() is None


def test_stop_ends_a_worker_in_the_middle_of_a_run(worker: Any) -> None:
    worker.run("_hang")
    worker.until("progress")
    worker.send("stop")
    assert worker.process.wait(60) == 0
    assert worker.event() is None


def test_what_cannot_be_understood_is_told_or_ignored(worker: Any) -> None:
    worker.until("hello")
    worker.write(b"not json\n")
    worker.send("surprise", unknown=1)
    worker.write(b'{"v": 2, "type": "run", "run": "r9", "demo": "_noise"}\n')
    worker.send("run", demo="_noise")
    worker.run("_noise", "r8", seed=-1)
    worker.run("_noise", "r7", params=[1])
    worker.send("list")
    errors = [event for event in worker.until("list") if event["type"] == "error"]
    assert {error["kind"] for error in errors} == {"protocol"}
    assert [error["run"] for error in errors] == ["", "r9", "", "r8", "r7"]
    assert "version 2" in errors[1]["message"]


def test_an_unknown_demo_or_parameter_is_an_error_with_a_remedy(worker: Any) -> None:
    worker.run("nope", "a")
    assert "no demo 'nope'" in worker.until(*DONE)[-1]["message"]
    worker.run("elementwise", "b", params={"size": 3})
    assert "elements, sweep" in worker.until(*DONE)[-1]["message"]
    worker.run("elementwise", "c", params={"elements": "many"})
    assert "whole number" in worker.until(*DONE)[-1]["message"]
