"""The gate: every cheat is caught, honest variants pass, errors are derived and not chosen."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest
import torch

from demos import cheats, clocks, gate
from demos.catalogue import Entry
from demos.elementwise import OPERATIONS, problem
from demos.failures import Incorrect
from demos.problem import Buffers, Problem, Variant, empty, integers, normal
from demos.run import Run

ENTRY = Entry("trial", "A trial", ("speedup",), ("cpu",), module="demos.selftest")
ODD = 5_003


@pytest.fixture(autouse=True)
def _timers() -> Iterator[None]:
    yield
    clocks.restore_timers()


def examine(machine: Any, variant: Variant) -> list[dict[str, Any]]:
    """Gate and time a variant as a demo does; the checks that were told."""
    events: list[dict[str, Any]] = []
    run = Run("r", ENTRY, machine, {}, 0, events.append)
    run.begin([OPERATIONS, variant])
    task = problem(ODD)
    try:
        run.gate(task, [OPERATIONS, variant], yardstick=OPERATIONS)
        run.measure(task, [OPERATIONS, variant], seconds=0.05)
    except Incorrect as error:
        events.append({"type": "raised", "text": str(error)})
    return [event for event in events if event["type"] in ("check", "raised")]


@pytest.mark.parametrize("cheat", cheats.CHEATS, ids=lambda cheat: cheat.name)
def test_every_cheat_is_caught(machine: Any, cheat: Variant) -> None:
    told = examine(machine, cheat)
    assert told[-1]["type"] == "raised"
    assert told[-1]["text"].startswith(f"{cheat.name}: ")
    wrong = [check for check in told[:-1] if not check["passed"]]
    assert {check["variant"] for check in wrong} == {cheat.name}


@pytest.mark.parametrize("variant", cheats.HONEST, ids=lambda variant: variant.name)
def test_honest_variants_pass(machine: Any, variant: Variant) -> None:
    told = examine(machine, variant)
    assert len(told) == 4
    assert all(check["passed"] for check in told)


REASONS = {
    "idle": "never written",
    "out_of_bounds": "outside its output",
    "overwriting": "input x was modified",
    "aliasing": "shares memory with an input",
    "kept_output": "shares memory with an earlier output",
    "lazy": "not exactly a torch.Tensor",
    "half": "relative error",
    "patched_timer": "tell the time",
    "other_thread": "another thread",
}


@pytest.mark.parametrize("name", REASONS)
def test_a_cheat_is_named_by_what_it_did(machine: Any, name: str) -> None:
    cheat = next(cheat for cheat in cheats.CHEATS if cheat.name == name)
    assert REASONS[name] in examine(machine, cheat)[-1]["text"]


def test_only_the_check_after_the_timing_sees_the_one_that_drifts(machine: Any) -> None:
    drifting = next(cheat for cheat in cheats.CHEATS if cheat.name == "drifting")
    checks = [c for c in examine(machine, drifting)[:-1] if c["variant"] == "drifting"]
    assert [(c["name"], c["passed"]) for c in checks] == [
        ("correct", True),
        ("last timed output", False),
    ]


def test_an_output_that_comes_late_is_seen_whoever_writes_it() -> None:
    """By a thread that was there before, say: nothing shows but the output itself."""
    buffers = Buffers(problem(ODD), torch.device("cpu"))
    asked: SimpleQueue[bool] = SimpleQueue()

    def serve() -> None:
        while asked.get():
            time.sleep(0.002)
            buffers.y.copy_(cheats.answer(buffers.x))

    helper = threading.Thread(target=serve)
    helper.start()
    findings = gate.Findings()
    gate.trial(buffers, lambda: asked.put(True), findings)
    asked.put(False)
    helper.join()
    assert findings.faults


def test_wrong_number_shape_or_type_of_outputs() -> None:
    buffers = Buffers(problem(8), torch.device("cpu"))
    buffers.draw(1)
    for outputs, words in [
        ((torch.zeros(8), torch.zeros(8)), "gave 2 outputs of 1"),
        ((torch.zeros(9),), "(9,)"),
        ((torch.zeros(8, dtype=torch.float64),), "float64"),
    ]:
        findings = gate.Findings()
        gate.inspect_outputs(buffers, outputs, findings)
        assert words in findings.faults[0]


def test_bits_differ_for_signed_zero_and_not_for_nan() -> None:
    zero = torch.tensor([0.0, float("nan"), 1.0])
    minus = torch.tensor([-0.0, float("nan"), 1.0])
    assert gate.differing(zero, minus) == 1
    assert gate.differing(zero, zero.clone()) == 0
    assert gate.differing(zero, zero.double()) == 3


def test_error_allowed_is_twice_the_yardstick_between_a_rounding_and_the_cap() -> None:
    task = problem(8)
    assert gate.allowed(task, gate.Error(1e-6, 1e-6)).relative == 2e-6
    assert gate.allowed(task, gate.NONE).relative == torch.finfo(torch.float32).eps
    assert gate.allowed(task, gate.Error(1.0, 1.0)).relative == gate.CAPS[torch.float32]


def test_whole_number_outputs_have_to_be_exact() -> None:
    task = Problem(
        inputs={"x": integers(100, low=0, high=9)},
        outputs={"y": empty(100, dtype=torch.int32)},
        reference=lambda x: x + 1,
        size={},
    )
    buffers = Buffers(task, torch.device("cpu"))
    for step, faulty in ((1, False), (2, True)):

        def call(step: int = step) -> None:
            torch.add(buffers.x, step, out=buffers.y)

        findings = gate.Findings()
        gate.trial(buffers, call, findings)
        gate.judge(findings, gate.allowed(task, findings.error))
        assert bool(findings.faults) is faulty


def test_a_reference_cut_into_pieces_gives_the_same_error(monkeypatch: pytest.MonkeyPatch) -> None:
    buffers = Buffers(problem(1000), torch.device("cpu"))
    buffers.draw(5)
    outputs = (torch.relu(buffers.x * 1.1 + 0.3) * 1.5,)
    whole = gate.error_of(buffers, outputs)
    monkeypatch.setitem(gate.SLICE, "cpu", 64)
    assert gate.error_of(buffers, outputs).relative == pytest.approx(whole.relative)
    assert whole.relative == pytest.approx(0.5, rel=1e-3)


def test_several_outputs_are_each_judged() -> None:
    task = Problem(
        inputs={"x": normal(64)},
        outputs={"a": empty(64), "b": empty(64)},
        reference=lambda x: (x + 1, x + 2),
        size={},
    )
    buffers = Buffers(task, torch.device("cpu"))
    findings = gate.Findings()
    gate.trial(buffers, lambda: (buffers.x + 1, buffers.x + 3), findings)
    gate.judge(findings, gate.Error(1e-6, 1e-6))
    assert findings.faults
