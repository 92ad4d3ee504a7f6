"""The two descriptions of the protocol, the worker's and the application's, say the same."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from demos import catalogue, ceilings, cheats, wire
from demos.bootstrap import Estimate
from demos.catalogue import Entry
from demos.elementwise import OPERATIONS, problem
from demos.execution import Host
from demos.run import Run
from quizapp.proof import codec, protocol, record

ENTRY = Entry("trial", "A trial", ("speedup",), ("cpu",), module="demos.selftest")
CHAIN = {
    "name": "1",
    "operators": ["mul", "add"],
    "kernels": ["k"],
    "place": "net.py:3",
    "repeats": 1,
    "seconds": 3e-3,
    "bytes_in": 8,
    "bytes_out": 8,
    "fused_seconds": 1e-3,
    "gain": 2e-3,
    "share": 0.1,
    "module_seconds": 0.02,
    "measured": None,
    "low": None,
    "high": None,
    "speedup": None,
    "note": "",
}
ONLY_OURS = {"witness", "list", "record"}
"""Types that the application does not know, and so passes over."""


@pytest.fixture
def told(machine: Any, monkeypatch: pytest.MonkeyPatch) -> list[wire.Event]:
    """Every event there is, as a worker sends them."""
    monkeypatch.setenv("DEMOS_SELFTEST", "1")
    monkeypatch.setitem(ceilings.KNOWN, "launch", ("s", ("cpu",), lambda *_: 3e-6))
    events = [wire.event("hello", pid=1, python="3", demos=[e.describe() for e in catalogue.DEMOS])]
    host = Host(events.append)
    run = Run("r", ENTRY, machine, {"elements": 8}, 0, events.append)
    run.begin([OPERATIONS])
    run.ceiling("launch")
    run.own_ceiling("latency", "s", lambda: 1e-6)
    run.predict("speedup", 3.0, "×", "6 over 2")
    run.gate(problem(100), [OPERATIONS, cheats.HONEST[0]], yardstick=OPERATIONS)
    run.identical(problem(100), OPERATIONS, cheats.HONEST[0])
    run.kernels(problem(100), OPERATIONS)
    run.measure(problem(100), [OPERATIONS], point={"elements": 100}, seconds=0.01)
    run.chain(**CHAIN)
    run.metric("speedup", Estimate(2.0, 1.9, 2.1), "×", control=1.0, note="a note")
    assert host.run("n", "_noise", {}, kind="cpu") is None
    assert host.run("m", "_memory", {}, kind="cpu") is not None
    return events


def test_version_and_longest_line() -> None:
    assert (wire.VERSION, wire.MAX_LINE) == (protocol.VERSION, protocol.MAX_LINE)


def test_the_application_understands_every_event(told: list[wire.Event]) -> None:
    kinds = set()
    for event in told:
        understood = codec.decode(wire.encode(event))
        if event["type"] not in ONLY_OURS:
            assert isinstance(understood, codec.TYPES[event["type"]])
            kinds.add(event["type"])
    assert kinds == set(codec.TYPES)


def test_the_worker_leaves_no_field_of_an_event_to_its_default(told: list[wire.Event]) -> None:
    for event in told:
        if event["type"] not in ONLY_OURS:
            names = {field.name for field in fields(codec.TYPES[event["type"]])}
            assert names <= set(event), event["type"]


@pytest.mark.parametrize("kind", ["run", "list", "cancel", "stop"])
def test_the_worker_understands_every_request(kind: str) -> None:
    line = codec.encode_request(kind, run="r1", demo="d", params={"n": 1}, seed=3)
    assert wire.request(line.encode()) == json.loads(line)


@pytest.mark.parametrize(
    "path", sorted((catalogue.FOLDER / "records").glob("*.jsonl")), ids=lambda path: path.stem
)
def test_records_are_read_whole(path: Path) -> None:
    text = path.read_text("utf-8")
    found = record.parse(text)
    ours = [one for line in text.splitlines() if (one := json.loads(line))["type"] in ONLY_OURS]
    assert len(found.events) == len(text.splitlines()) - len(ours)
    assert isinstance(found.events[-1], protocol.Done)
    assert found.result.metrics
