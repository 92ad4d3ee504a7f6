"""What changes bits: the trees, the kernels as machine code and in the interpreter, a run."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from demos import inspection
from demos import same_output as same
from demos.catalogue import find
from demos.problem import Buffers

TRITON = tuple(map(int, triton.__version__.split(".")[:2]))
ONE = {"x": "*fp32", "y": "*fp32", "rows": "i32:16", "a": "fp32", "b": "fp32"}
TREES = (same.NEIGHBOURS, same.HALVES)

INTERPRETED = """
import json, torch
from dataclasses import replace
from demos import same_output as s
from demos.problem import Buffers
for rows, width in ((1, 256), (17, 64), (37, 32)):
    b = Buffers(s.problem(rows, width), torch.device("cpu"))
    b.draw(rows)

    def given(bind):
        b.poison(float("nan"))
        y = bind(b)()
        assert all(bool(guard.isnan().all()) for guard in b.guards())
        return (b.y if y is None else y).clone()

    alike = []
    for order in (s.NEIGHBOURS, s.HALVES, s.IN_TURN):
        way = replace(s.UNCHANGED, order=order)
        alike.append(torch.equal(given(s.one_kernel(way)), given(s.operations(way))))
    alike.append(torch.equal(given(s.two_kernels(s.UNCHANGED)), given(s.one_kernel(s.UNCHANGED))))
    # The interpreter cuts off where hardware rounds to bfloat16, so torch is only near.
    rounded = replace(s.UNCHANGED, rounded=True)
    one, two, near = (given(f(rounded)) for f in (s.one_kernel, s.two_kernels, s.operations))
    alike += [torch.equal(one, two), torch.allclose(one, near, rtol=0.1, atol=0.1)]
    print(json.dumps(alike))
"""


def constants(order: int, rounded: bool, width: int) -> dict[str, Any]:
    return {
        "ORDER": order,
        "ROUND": rounded,
        "ROWS": same.TILE // width,
        "WIDTH": width,
        "LEVELS": width.bit_length() - 1,
    }


def compiled(
    order: int = same.NEIGHBOURS,
    rounded: bool = False,
    capability: int = 90,
    warps: int = same.WARPS,
    contracted: bool = False,
) -> inspection.Machinery:
    return inspection.triton_kernel(
        same.sum_of_multiplied,
        ONE,
        constants(order, rounded, same.WIDTH["cuda"]),
        capability,
        num_warps=warps,
        enable_fp_fusion=contracted,
    )


def skip_if_packed_operations_are_contracted(capability: int) -> None:
    if capability >= 100 and TRITON < (3, 9):
        pytest.skip("the ptxas of this Triton contracts packed operations whatever it is told")


@pytest.mark.parametrize("capability", [80, 90, 100])
@pytest.mark.parametrize("order", [same.NEIGHBOURS, same.HALVES, same.IN_TURN])
def test_every_order_rounds_every_operation(order: int, capability: int) -> None:
    skip_if_packed_operations_are_contracted(capability)
    for rounded in (False, True):
        found = compiled(order, rounded, capability)
        assert found.contractions == 0
        assert found.spills == 0


@pytest.mark.parametrize("warps", same.OTHER_WARPS)
def test_so_it_does_at_every_number_of_warps(warps: int) -> None:
    found = compiled(warps=warps)
    assert (found.contractions, found.spills) == (0, 0)


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_control_is_contracted(capability: int) -> None:
    assert compiled(capability=capability, contracted=True).contractions > 0


@pytest.mark.parametrize("capability", [80, 90])
def test_only_what_is_to_be_rounded_is(capability: int) -> None:
    """A compiler could have taken the conversion there and back for nothing."""
    assert "F2F" not in compiled(capability=capability).sass
    assert re.search(r"\bF2F", compiled(rounded=True, capability=capability).sass)


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_two_kernels_round_every_operation(capability: int) -> None:
    skip_if_packed_operations_are_contracted(capability)
    width = same.WIDTH["cuda"]
    shape = {k: v for k, v in constants(0, False, width).items() if k not in ("ORDER", "ROUND")}
    for kind in ("*fp32", "*bf16"):
        first = inspection.triton_kernel(
            same.multiply_and_add,
            {"x": "*fp32", "t": kind, "count": "i32:16", "a": "fp32", "b": "fp32"},
            {"BLOCK": same.TILE},
            capability,
        )
        second = inspection.triton_kernel(
            same.sum_rows, {"t": kind, "y": "*fp32", "rows": "i32:16"}, shape, capability
        )
        for found in (first, second):
            assert (found.contractions, found.spills) == (0, 0)


@pytest.mark.parametrize("order", TREES)
def test_every_sum_is_of_two_numbers(order: int) -> None:
    """What makes the order independent of the layout: nothing is left for it to choose."""
    given = constants(order, False, same.WIDTH["cuda"])
    types = {name: kind.removesuffix(":16") for name, kind in ONE.items()}
    types |= dict.fromkeys(given, "constexpr")
    function = same.sum_of_multiplied
    source = ASTSource(
        fn=function,
        signature={name: types[name] for name in function.arg_names},
        constexprs={(function.arg_names.index(name),): value for name, value in given.items()},
    )
    target, options = GPUTarget("cuda", 90, 32), {"enable_fp_fusion": False}
    text = triton.compile(source, target=target, options=options).asm["ttir"]
    lengths = [
        int(re.findall(r"\d+", shape)[int(axis)])
        for axis, shape in re.findall(
            r'"tt\.reduce"\(.*?axis = (\d+).*?\}\) : \(tensor<([\dx]+)xf32', text, re.S
        )
    ]
    assert lengths == [2] * given["LEVELS"]


def test_kernels_in_the_interpreter_have_the_bits_of_the_trees_in_torch(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows == [[True] * 6] * 3


def test_orders_of_four_numbers() -> None:
    """Powers far enough apart that each order gives another sum."""
    t = torch.tensor([[2.0**24, 1.0, -(2.0**24), 1.0]])
    neighbours, halves, in_turn = (float(same.summed(t, order)) for order in range(3))
    assert neighbours == (2.0**24 + 0) + (-(2.0**24) + 1.0)
    assert halves == 2.0
    assert in_turn == 1.0


def test_counts_follow_the_tensors() -> None:
    task = same.problem(1000, 64)
    assert same.one_bytes(**task.size) == task.compulsory_bytes
    more = same.two_bytes(**task.size) - same.one_bytes(**task.size)
    assert more == 2 * task.scratch["t"].bytes


@pytest.mark.parametrize("width", [64, 256])
def test_the_error_of_rounding_is_foretold(width: int) -> None:
    torch.manual_seed(1)
    exact = torch.randn(4000, width, dtype=torch.float64) * same.A + same.B
    error = (exact.bfloat16().double().sum(1) - exact.sum(1)).norm() / exact.sum(1).norm()
    assert same.rounding_error(width) == pytest.approx(float(error), rel=0.05)


def test_a_power_of_two_leaves_nothing_to_contract() -> None:
    buffers = Buffers(same.problem(500, 64), torch.device("cpu"))
    buffers.draw(2)
    plain, contracted = (v.bind(buffers) for v in same.ways_for(cuda=False).doubled)
    assert torch.equal(plain(), contracted())
    ways = same.ways_for(cuda=False)
    two, changed = (v.bind(buffers) for v in (ways.two, ways.changed["contraction"]))
    assert not torch.equal(two(), changed())


def test_a_whole_run_on_the_cpu(worker: Any) -> None:
    worker.run("same_output", params={"rows": 700}, device="cpu")
    events = worker.until("done", "error")
    assert events[-1]["type"] == "done", events[-1]
    metrics = {event["name"]: event for event in events if event["type"] == "metric"}
    entry = find("same_output")
    assert entry is not None
    times = {"speedup", "speedup_over_bytes", "cost_of_exactness", "over_compiled"}
    assert set(metrics) == set(entry.metrics) - times
    for name in ("differing", "differing_doubled", "differing_rounded_alike"):
        assert metrics[name]["value"] == 0 < metrics[name]["control"]
    assert metrics["error_in_turn"]["value"] > metrics["error"]["value"]
    assert metrics["error_rounding"]["value"] == pytest.approx(
        same.rounding_error(same.WIDTH["cpu"]), rel=0.2
    )
    for event in events:
        if event["type"] == "check":
            assert event["passed"] != event.get("control", False), event


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "same_output",
        {"rows": 40},
        {"ODD": 7, "SIXTEEN": 999, "WIDTH": {"cuda": 32}, "TILE": 512},
        perhaps=set(),
    )
