"""Shared memory: machine code for three GPUs, values off a GPU, counts, model, and the story."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
import torch

from demos import gate, inspection, nvrtc, walking
from demos import shared_memory as demo
from demos.problem import Buffers
from tests.demos.emulation import Emulated, loop_of

CPU = torch.device("cpu")
GPUS = [80, 90, 100]


def emulated(bins: int) -> demo.Kernels:
    with mock.patch.object(walking, "Kernel", Emulated):
        return demo.kernels_for(bins)


def outputs_of(variant: Any, size: tuple[int, int, int], name: str = "y") -> torch.Tensor:
    """What it writes at an odd size, held to the gate."""
    buffers = Buffers(demo.problem(*size), CPU)
    buffers.draw(5)
    findings = gate.Findings()
    found = gate.once(buffers, variant.bind(buffers), float("nan"), findings)
    if name == "y" and not variant.unchecked:
        gate.inspect_outputs(buffers, found, findings)
        gate.judge(findings, gate.NONE)
    assert not findings.faults, findings.faults
    return getattr(buffers, name).clone()


@pytest.mark.parametrize("capability", GPUS)
@pytest.mark.parametrize("count", ["int", "unsigned char"])
def test_registers_do_not_bound_the_blocks_of_the_one_kernel(capability: int, count: str) -> None:
    flags = (*nvrtc.EXACT, f"-DCOUNT={count}")
    cubin = nvrtc.compile_cubin(demo.FUSED, "fused", capability, flags)
    found = inspection.machinery(cubin, "fused", capability, walking.THREADS)
    assert found.spills == 0
    assert found.registers <= 32
    assert found.contractions == 0


def test_the_instructions_a_row_are_as_many_as_the_model_says() -> None:
    cubin = nvrtc.compile_cubin(demo.FUSED, "fused", 90)
    found = inspection.machinery(cubin, "fused", 90, walking.THREADS)
    loop = loop_of(found.sass, "LDG")
    assert loop == pytest.approx(demo.WORK, abs=3)


@pytest.mark.parametrize("capability", GPUS)
def test_the_second_kernel_spills_nothing(capability: int) -> None:
    cubin = nvrtc.compile_cubin(demo.APART, "count", capability)
    found = inspection.machinery(cubin, "count", capability, walking.THREADS)
    assert found.spills == 0
    assert found.occupancy >= 0.5


@pytest.mark.parametrize(
    ("capability", "blocks"),
    [(80, [8, 8, 8, 4, 2, 1, 1]), (90, [8, 8, 8, 6, 3, 2, 1]), (100, [8, 8, 8, 6, 3, 2, 1])],
)
def test_more_bins_leave_room_for_fewer_blocks(capability: int, blocks: list[int]) -> None:
    def held(bins: int) -> int:
        return inspection.blocks(capability, 32, demo.block_bytes(bins), walking.THREADS)

    assert [held(bins) for bins in demo.SWEEP] == blocks
    narrow = demo.block_bytes(128, demo.BYTE)
    assert inspection.blocks(capability, 32, narrow, walking.THREADS) >= 4


@pytest.mark.parametrize("size", [(1, 1, 4), (37, 7, 4), (9, 9, 33), (8, 8, 128)])
def test_every_way_counts_the_same(size: tuple[int, int, int]) -> None:
    kernels = emulated(size[2])
    two = outputs_of(demo.two_kernels(kernels.walk, kernels.count), size)
    assert (two.sum(1) == 31 * size[1]).all()
    assert torch.equal(two, outputs_of(demo.one_kernel(kernels.fused), size))
    assert torch.equal(two, outputs_of(demo.narrow(kernels.narrow), size))


def test_the_frugal_one_counts_into_few_bins_however_much_it_is_given() -> None:
    kernels, size = emulated(33), (37, 7, 33)
    few = outputs_of(demo.one_kernel(kernels.fused), (37, 7, demo.FEW))
    assert torch.equal(few, outputs_of(demo.frugal(kernels.fused), size, "spare"))
    assert torch.equal(few, outputs_of(demo.crowded(kernels.fused), size, "spare"))


def test_a_step_too_few_changes_every_walkers_counts() -> None:
    kernels, size = emulated(4), (37, 7, 4)
    right = outputs_of(demo.one_kernel(kernels.fused), size)
    short = outputs_of(demo.short(kernels.fused), size)
    assert ((right - short).sum(1) == 31).all()


@pytest.mark.parametrize("size", [(1, 1, 4), (37, 7, 33), (67584, 64, 128)])
def test_counts_follow_the_tensors(size: tuple[int, int, int]) -> None:
    task = demo.problem(*size)
    rows, result = task.inputs["table"].bytes, task.outputs["y"].bytes
    assert demo.one_bytes(**task.size) == rows + result == task.compulsory_bytes
    assert demo.two_bytes(**task.size) == 3 * rows + result
    assert demo.block_bytes(128) == 128 * 1024


MODEL = demo.Model(
    walking.Costs(latency=4e-7, random=3e12, copy=4e12, issue=5e-10, multiprocessors=132)
)


def test_the_model_by_hand_for_an_h200s_multiprocessors() -> None:
    """67,584 walkers are 8 turns of 8 blocks on 132 multiprocessors, or 64 turns of one."""
    task = demo.problem(67584, 64, 128)
    assert MODEL.fused(task, 8) == pytest.approx(8 * 64 * 4e-7)
    assert MODEL.fused(task, 3) == pytest.approx(22 * 64 * 4e-7)
    assert MODEL.fused(task, 1) == pytest.approx(64 * 64 * 4e-7)
    rows = 67584 * 64
    walk = 2 * rows * 128 / 3e12
    in_flight = rows * 4e-7 / (132 * 8 * demo.AHEAD)
    assert MODEL.two(task, 8, 1) == pytest.approx(walk + in_flight)
    reading = (rows * 128 + 67584 * 4 * 4) / 4e12
    assert MODEL.two(demo.problem(67584, 64, 4), 8, 4) == pytest.approx(walk + reading)


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "shared_memory",
        {"bins": 32, "turns": 1, "steps": 5},
        {"SWEEP": [4, 8, 16, 32], "ODD": [5, 3], "SECONDS": 0.001},
        perhaps={"losing_from", "kernels_unfused", "kernels_fused"},
    )
