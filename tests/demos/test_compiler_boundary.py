"""What a compiler cannot see into: its counts, its kernels in the interpreter, a run on the CPU."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from demos import compiler_boundary as boundary
from demos import inspection
from demos.catalogue import find
from demos.problem import Buffers
from demos.profiling import Launch

INTERPRETED = """
import json, torch
from demos import compiler_boundary as c
from demos.problem import Buffers
differing = []
for elements in (1, 1023, 1025):
    b = Buffers(c.problem(elements), torch.device("cpu"))
    b.draw(elements)
    y = torch.full_like(b.x, float("nan"))
    c.scale_all[(-(-elements // c.BLOCK),)](b.x, b.scale, y, elements, c.BLOCK)
    differing.append(int((y != b.x * b.scale).sum()))
far = []
for bags in (1, 15, 37):
    b = Buffers(c.bag_problem(bags), torch.device("cpu"))
    b.draw(bags)
    y = torch.full((bags, c.WIDTH), float("nan"))
    grid = (-(-bags // c.BAGS),)
    c.scaled_bag[grid](b.table, b.ids, b.scale, y, bags, c.LENGTH, c.WIDTH, c.BAGS)
    exact = torch.relu(b.table.double()[b.ids].sum(1) * b.scale.double())
    far.append(float((y - exact).abs().max() / exact.abs().max()))
print(json.dumps([differing, far]))
"""


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    differing, far = json.loads(done.stdout)
    assert differing == [0, 0, 0]
    assert max(far) < 1e-6


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_kernels_spill_nothing(capability: int) -> None:
    scale = inspection.triton_kernel(
        boundary.scale_all,
        {"v": "*fp32", "scale": "*fp32", "y": "*fp32", "count": "i32:16"},
        {"BLOCK": boundary.BLOCK},
        capability,
    )
    bag = inspection.triton_kernel(
        boundary.scaled_bag,
        {"table": "*fp32", "ids": "*i64", "scale": "*fp32", "y": "*fp32", "bags": "i32:16"},
        {"LENGTH": boundary.LENGTH, "WIDTH": boundary.WIDTH, "BAGS": boundary.BAGS},
        capability,
    )
    assert (scale.spills, bag.spills) == (0, 0)
    assert scale.count("FFMA") == 0


def test_every_way_has_the_same_values_and_the_control_has_not() -> None:
    b = Buffers(boundary.problem(1001), torch.device("cpu"))
    b.draw(3)
    expected = boundary.clean(b.x, b.scale)
    for case in boundary.CASES:
        if not case.triton:
            assert torch.equal(case.function(b.x, b.scale), expected), case.name
    assert not torch.equal(boundary.rewritten(b.x, b.scale), expected)
    torch.testing.assert_close(boundary.rewritten(b.x, b.scale), expected)


def test_the_bags_agree() -> None:
    b = Buffers(boundary.bag_problem(9), torch.device("cpu"))
    b.draw(4)
    args = (b.table, b.ids, b.offsets, b.scale)
    torch.testing.assert_close(boundary.library_bag(*args), boundary.gathered_bag(*args))


@pytest.mark.parametrize("case", [c for c in boundary.CASES if not c.triton], ids=lambda c: c.key)
def test_graphs_are_counted(case: boundary.Case) -> None:
    b = Buffers(boundary.problem(64), torch.device("cpu"))
    b.draw(5)
    assert boundary.graphs_of(case.function, b.x, b.scale) == case.graphs


def test_counts_follow_the_tensors() -> None:
    task = boundary.problem(1000)
    assert boundary.chain_bytes(2)(**task.size) == 2 * task.outputs["y"].bytes
    bags = boundary.bag_problem(1000)
    one, two = (boundary.bag_bytes(kernels)(**bags.size) for kernels in (1, 2))
    assert two - one == 2 * bags.outputs["y"].bytes
    gathered = boundary.LENGTH * bags.outputs["y"].bytes
    assert one == gathered + bags.inputs["ids"].bytes + bags.outputs["y"].bytes


def test_a_copy_to_the_host_is_no_kernel() -> None:
    found = [Launch("triton_poi_fused", 2), Launch("Memcpy DtoH (Device -> Pageable)", 1)]
    assert boundary.kernels_of(found) == 2


def test_a_whole_run_on_the_cpu(worker: Any) -> None:
    worker.run("compiler_boundary", params={"elements": 2**14, "bags": 64}, device="cpu")
    events = worker.until("done", "error")
    assert events[-1]["type"] == "done", events[-1]
    metrics = {event["name"]: event for event in events if event["type"] == "metric"}
    entry = find("compiler_boundary")
    assert entry is not None
    assert set(metrics) <= set(entry.metrics)
    assert metrics["differing"]["value"] == 0 < metrics["differing"]["control"]
    for case in boundary.CASES:
        if not case.triton:
            assert metrics[f"graphs_{case.key}"]["value"] == case.graphs
    for event in events:
        if event["type"] == "check":
            assert event["passed"] != event.get("control", False), event
