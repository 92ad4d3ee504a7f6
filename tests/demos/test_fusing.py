"""A chain taken out of its module: the same numbers, exactly its bytes, right both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from demos import chains, fusing, gate, recording
from demos.fusing import Region, dense
from demos.problem import Buffers, Variant

W = torch.randn(8, 8)


def gated(x: torch.Tensor) -> Any:
    y = x @ W
    y = F.silu(y) * y
    return y.add_(x)


def halves(x: torch.Tensor) -> Any:
    a, b = (x @ W).view(3, 4, 8).transpose(0, 1).chunk(2, -1)
    return torch.cat([-b, a], -1) + 1


def normed(x: torch.Tensor) -> Any:
    stream = x + 1
    return stream, F.layer_norm(stream.t(), (12,)), stream.t() * 2


def half_precision(x: torch.Tensor) -> Any:
    wide = x.bfloat16().float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).bfloat16()


def broadcast(x: torch.Tensor) -> Any:
    return (x[0].expand(5, 8) * x[:, :1].t()[:, :8].sum() + x[0]).exp()


NORM = torch.nn.BatchNorm2d(3).eval()


def batch_normed(x: torch.Tensor) -> Any:
    return F.relu(NORM(x.view(1, 3, 4, 8)), inplace=True)


WAYS = [gated, halves, normed, half_precision, broadcast, batch_normed]


def taken(machine: Any, way: Callable[[torch.Tensor], Any], rows: int = 12) -> Region:
    x = torch.randn(rows, 8)
    made = recording.record(lambda: way(x), machine)
    found = chains.find_chains(made.graph, 1e9)
    return Region(made, max(found, key=lambda chain: len(chain.kernels)), machine.device)


def judged(region: Region, variants: list[Variant]) -> list[list[str]]:
    buffers = Buffers(region.problem({}), region._device)
    limit = None
    faults = []
    for variant in variants:
        findings = gate.Findings()
        gate.trial(buffers, variant.bind(buffers), findings, (1, 2))
        limit = limit or gate.allowed(buffers.problem, findings.error)
        gate.judge(findings, limit)
        faults.append(findings.faults)
    return faults


@pytest.mark.parametrize("way", WAYS)
def test_the_problem_holds_exactly_the_chains_bytes(machine: Any, way: Any) -> None:
    region = taken(machine, way)
    assert region.problem({}).compulsory_bytes == region.chain.bytes


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch uses what it deprecates
@pytest.mark.parametrize("way", WAYS)
def test_one_by_one_and_compiled_pass_the_gate(machine: Any, way: Any) -> None:
    region = taken(machine, way)
    apart = region.one_by_one("apart", 0)
    assert judged(region, [apart, region.compiled("fused")]) == [[], []]


def test_a_wrong_answer_does_not_pass(machine: Any) -> None:
    region = taken(machine, gated)
    apart = region.one_by_one("apart", 0)

    def wrong(b: Buffers) -> Callable[[], None]:
        call = apart.bind(b)

        def run() -> None:
            call()
            b.out0.mul_(1.001)

        return run

    (_, faults) = judged(region, [apart, Variant("wrong", "", wrong)])
    assert faults


def test_inputs_are_the_recorded_numbers_scaled(machine: Any) -> None:
    region = taken(machine, halves)
    buffers = Buffers(region.problem({}), machine.device)
    buffers.draw(1)
    recorded = [region.recording.tensors[value] for value in region.chain.inputs]
    for view, want in zip(region._views(buffers.inputs), recorded, strict=True):
        assert view.shape == want.shape
        share = view / want
        assert float(share.min()) >= fusing.LEAST
        assert float(share.max()) <= fusing.MOST
    first = buffers.in0.clone()
    buffers.draw(2)
    assert not torch.equal(first, buffers.in0)


def test_numbers_that_cannot_be_compared_are_known(machine: Any) -> None:
    region = taken(machine, lambda x: x.masked_fill(x > 0, float("-inf")) + 1)
    assert not region.finite
    assert taken(machine, gated).finite


def test_dense_keeps_the_order_of_the_axes() -> None:
    x = torch.empty(4, 6, 8)
    assert dense(x).stride == x.stride()
    assert dense(x.transpose(0, 2)).stride == (1, 8, 48)
    left = x.chunk(2, -1)[0]
    assert (dense(left).stride, dense(left).count) == ((24, 4, 1), 96)
    wide = x[0].expand(3, 6, 8)
    assert (dense(wide).stride, dense(wide).count) == ((0, 8, 1), 48)


def test_the_order_in_memory_is_undone(machine: Any) -> None:
    x = torch.arange(24.0).view(2, 3, 4)
    for one in (x, x.transpose(0, 2), x[:, 1], x.permute(1, 2, 0)[1:], x[0].expand(5, 3, 4)):
        memory = fusing._in_memory_order(one)
        assert torch.equal(dense(one).of(memory), one)
