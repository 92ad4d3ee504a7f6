"""A run: what it says, in which order, and what ends it."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from demos import cheats
from demos.bootstrap import Estimate
from demos.catalogue import Entry
from demos.elementwise import OPERATIONS, problem
from demos.failures import Cancelled, Incorrect, NoRoom
from demos.problem import Buffers, Call, Variant
from demos.run import Run

ENTRY = Entry("trial", "A trial", ("speedup",), ("cpu",), module="demos.selftest")
HONEST = cheats.HONEST[0]


def contracted(b: Buffers) -> Call:
    """As if multiplied and added with one rounding."""
    return lambda: b.y.copy_(torch.relu(b.x.double() * float(torch.tensor(1.1)) + 0.3))


OTHER_BITS = Variant("contracted", "Rounds once", contracted, unchecked=True)


@pytest.fixture
def told() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def run(machine: Any, told: list[dict[str, Any]]) -> Run:
    made = Run("r", ENTRY, machine, {"elements": 100}, 7, told.append)
    made.begin([OPERATIONS, HONEST], measures=2)
    return made


def test_nothing_is_said_before_begin(machine: Any, told: list[dict[str, Any]]) -> None:
    early = Run("r", ENTRY, machine, {}, 7, told.append)
    early.stage("importing")
    with pytest.raises(RuntimeError, match="before begin"):
        early.check("a", "b", True, "")
    assert not told


def test_started_names_variants_params_seed_and_digest(
    run: Run, told: list[dict[str, Any]], machine: Any
) -> None:
    (started,) = told
    assert started["type"] == "started"
    assert [variant["baseline"] for variant in started["variants"]] == [True, False]
    assert (started["params"], started["seed"]) == ({"elements": 100}, 7)
    assert started["at"].endswith("+00:00")


def test_predictions_come_before_the_first_measurement(run: Run) -> None:
    assert run.predict("speedup", 3, "×", "6 over 2") == 3
    run.measure(problem(100), [HONEST], seconds=0.01)
    with pytest.raises(RuntimeError, match="after the first measurement"):
        run.predict("speedup", 3, "×", "6 over 2")


def test_measuring_tells_progress_medians_and_checks_again(
    run: Run, told: list[dict[str, Any]]
) -> None:
    times = run.measure(problem(100), [OPERATIONS, HONEST], point={"elements": 100}, seconds=0.01)
    final = [e for e in told if e["type"] == "measurement" and e["final"]]
    assert {e["variant"] for e in final} == {"three torch ops", "honest"}
    assert final[0]["point"] == {"elements": 100}
    assert final[0]["low"] <= final[0]["seconds"] <= final[0]["high"]
    assert times["honest"].value > 0
    fractions = [e["fraction"] for e in told if e["type"] == "progress"]
    assert fractions == sorted(fractions)
    assert 0.3 < fractions[-1] <= 0.65
    checks = [e for e in told if e["type"] == "check"]
    assert [(e["name"], e["passed"]) for e in checks] == [("last timed output", True)] * 2


def test_progress_moves_before_the_first_measurement(run: Run, told: list[dict[str, Any]]) -> None:
    for number in range(30):
        run.stage(f"checking {number}")
    fractions = [e["fraction"] for e in told if e["type"] == "progress"]
    assert fractions == sorted(set(fractions))
    assert fractions[-1] < 0.3


def test_a_wrong_variant_ends_the_run_at_the_gate_and_all_checks_are_told(
    run: Run, told: list[dict[str, Any]]
) -> None:
    idle = cheats.CHEATS[0]
    with pytest.raises(Incorrect, match="idle"):
        run.gate([problem(10), problem(1000)], [OPERATIONS, idle, HONEST], yardstick=OPERATIONS)
    assert [e["passed"] for e in told if e["type"] == "check"] == [True, False, True] * 2


def test_bits_that_differ_are_counted_and_a_control_has_to_differ(
    run: Run, told: list[dict[str, Any]]
) -> None:
    same = run.identical(problem(5000), OPERATIONS, HONEST)
    assert (same.differing, same.of) == (0, 10_000)
    other = run.identical(problem(5000), OPERATIONS, OTHER_BITS, control=True)
    assert other.differing > 500
    last = told[-1]
    assert (last["passed"], last["control"], last["differing"]) == (False, True, other.differing)


def test_metrics_are_those_of_the_catalogue_and_finite(
    run: Run, told: list[dict[str, Any]]
) -> None:
    run.metric("speedup", Estimate(2.0, 1.9, 2.1), "×", control=Estimate(1.0, 0.9, 1.1))
    assert told[-1]["control"] == 1.0
    with pytest.raises(RuntimeError, match="catalogue"):
        run.metric("other", 1)
    with pytest.raises(RuntimeError, match="finite"):
        run.metric("speedup", float("nan"))


def test_a_cancelled_run_stops_at_its_next_stage(machine: Any) -> None:
    stop = [False]
    run = Run("r", ENTRY, machine, {}, 0, lambda _: None, lambda: stop[0])
    run.begin([HONEST])
    run.stage("going on")
    stop[0] = True
    with pytest.raises(Cancelled):
        run.measure(problem(100), [HONEST])


def test_a_size_that_memory_cannot_hold_is_refused_before_it_is_asked_for(run: Run) -> None:
    with pytest.raises(NoRoom, match="GiB wanted"):
        run.gate(problem(2**40), [OPERATIONS], yardstick=OPERATIONS)


def test_launches_of_three_operations(run: Run, told: list[dict[str, Any]]) -> None:
    found = run.kernels(problem(100), OPERATIONS)
    assert [(launch.name, launch.launches) for launch in found] == [
        ("aten::mul", 1),
        ("aten::add", 1),
        ("aten::clamp_min", 1),
    ]
    assert [e["name"] for e in told if e["type"] == "kernel"] == [one.name for one in found]
