"""The CUDA graph: its counts and its costs, its kernel as machine code and in the interpreter."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import triton
from torch.utils._python_dispatch import TorchDispatchMode

from demos import cuda_graph, inspection
from demos.problem import Buffers

TRITON = tuple(map(int, triton.__version__.split(".")[:2]))
SIGNATURE = {"x": "*fp32", "y": "*fp32", "count": "i32", "a": "fp32", "b": "fp32"}

INTERPRETED = """
import json, torch
from demos import cuda_graph as c
from demos.catalogue import find
from demos.problem import Buffers
for count in (1, 1023, 1024, 1025, 4099):
    b = Buffers(c.problem(count), torch.device("cpu"))
    b.draw(count)
    want = c.repeated(b.x.double())
    b.poison(float("nan"))
    c.operations(b)()
    many = b.y.clone()
    b.poison(float("nan"))
    c.one_kernel(b)()
    clean = all(bool(guard.isnan().all()) for guard in b.guards())
    error = float((b.y.double() - want).abs().max())
    print(json.dumps([count, torch.equal(many, b.y), error, clean]))
"""

COSTS = cuda_graph.Costs(
    bandwidth=4e12,
    host=5e-6,
    host_triton=1e-5,
    host_graph=8e-6,
    empty=1e-6,
    in_graph=2e-6,
)


def compiled(capability: int, fusion: bool) -> inspection.Machinery:
    constants = {"PAIRS": cuda_graph.PAIRS, "BLOCK": cuda_graph.BLOCK}
    return inspection.triton_kernel(
        cuda_graph.chain, SIGNATURE, constants, capability, enable_fp_fusion=fusion
    )


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_kernel_rounds_every_operation_and_spills_nothing(capability: int) -> None:
    if capability >= 100 and TRITON < (3, 9):
        pytest.skip("the ptxas of this Triton contracts packed operations whatever it is told")
    found = compiled(capability, fusion=False)
    assert found.contractions == 0
    assert found.spills == 0
    assert found.occupancy >= 0.5


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_control_is_contracted(capability: int) -> None:
    assert compiled(capability, fusion=True).contractions > 0


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == [1, 1023, 1024, 1025, 4099]
    for _, same, error, clean in rows:
        assert same
        assert error < 1e-5
        assert clean


@pytest.mark.parametrize("elements", [1, 1000, 2**28])
def test_counts_follow_the_code(elements: int) -> None:
    task = cuda_graph.problem(elements)
    assert cuda_graph.one_bytes(elements) == task.compulsory_bytes
    assert cuda_graph.many_bytes(elements) == 20 * task.compulsory_bytes
    assert {v.counted_flops(task) for v in cuda_graph.VARIANTS} == {20 * elements}


def test_as_many_operations_are_dispatched_as_are_counted_each_one_read_and_one_write() -> None:
    class Counting(TorchDispatchMode):
        passes: list[int]

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            given = kwargs or {}
            tensors = [t for t in (*args, given.get("out")) if isinstance(t, torch.Tensor)]
            self.passes.append(len(tensors))
            return func(*args, **given)

    buffers = Buffers(cuda_graph.problem(100), torch.device("cpu"))
    buffers.draw(1)
    call = cuda_graph.operations(buffers)
    with Counting() as counting:
        counting.passes = []
        call()
    assert counting.passes == [2] * cuda_graph.OPERATIONS


def test_a_small_chain_costs_launches_and_a_graph_one_of_them() -> None:
    assert COSTS.eager() == pytest.approx(20 * 5e-6)
    assert COSTS.graph() == pytest.approx(20 * 2e-6)
    assert COSTS.fused() == 1e-5
    assert COSTS.fused_graph() == 8e-6


def test_a_large_chain_costs_bytes_whoever_launches_it() -> None:
    task = cuda_graph.problem(2**28)
    many, one = COSTS.memory(task, 20), COSTS.memory(task, 1)
    assert one == pytest.approx(2 * 2**30 / 4e12 + 1e-6)
    assert many == pytest.approx(20 * one)


def test_the_gain_ends_where_the_bytes_take_as_long_as_the_host() -> None:
    elements = round(COSTS.pays_until())
    each = cuda_graph.one_bytes(elements) / COSTS.bandwidth
    assert each * cuda_graph.WORTH_IT == pytest.approx(COSTS.host)


def test_launches_are_told_from_what_else_the_host_calls() -> None:
    names = [
        "aten::mul",
        "cudaLaunchKernel",
        "cudaLaunchKernelExC",
        "cuLaunchKernelEx",
        "cudaGraphLaunch",
        "cudaDeviceSynchronize",
        "cudaStreamIsCapturing",
    ]
    events = [SimpleNamespace(name=name) for name in names]
    assert cuda_graph.count_launches(events) == 4


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "cuda_graph",
        {"elements": 2000},
        {"ODD": 1001, "SMALL": 64, "SWEEP": [128], "SWEEP_SECONDS": 0.001, "QUEUED": 3},
        perhaps={"graph_pays_until"},
    )
