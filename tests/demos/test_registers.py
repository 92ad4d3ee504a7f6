"""Registers: machine code for three GPUs, values off a GPU, counts, model, and the story."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
import torch

from demos import gate, inspection, nvrtc, reductions, registers, walking
from demos.problem import Buffers
from tests.demos.emulation import Emulated, loop_of

CPU = torch.device("cpu")
GPUS = [80, 90, 100]


def compiled(name: str, capability: int, count: int, *options: str) -> inspection.Machinery:
    source = {"bank": registers.APART, "fused": registers.FUSED}[name]
    flags = (*nvrtc.EXACT, f"-DR={count}", *options)
    cubin = nvrtc.compile_cubin(source, name, capability, flags)
    return inspection.machinery(cubin, name, capability, registers.THREADS)


def outputs_of(variant: Any, size: tuple[int, int, int], name: str = "y") -> torch.Tensor:
    """What it writes at an odd size, held to the gate."""
    buffers = Buffers(registers.problem(*size), CPU)
    buffers.draw(5)
    findings = gate.Findings()
    found = gate.once(buffers, variant.bind(buffers), float("nan"), findings)
    if name == "y":
        gate.inspect_outputs(buffers, found, findings)
        gate.judge(findings, gate.Error(1e-6, 1e-5))
    assert not findings.faults, findings.faults
    return getattr(buffers, name).clone()


def emulated(count: int) -> registers.Bank:
    with mock.patch.object(walking, "Kernel", Emulated):
        return registers.bank_of(walking.walk_kernel(), count, 90)


@pytest.mark.parametrize("capability", GPUS)
def test_more_accumulators_leave_room_for_fewer_warps_and_nothing_is_spilled(
    capability: int,
) -> None:
    found = {count: compiled("fused", capability, count) for count in (8, 32, 64, 96, 128, 192)}
    shares = [kernel.occupancy for kernel in found.values()]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert shares[-2:] == [0.125, 0.125]  # a single block of 8 warps
    for count, kernel in found.items():
        assert kernel.spills == 0
        assert count < kernel.registers < count + 20
        assert kernel.contractions == count  # one multiply-add each, in the loop and nowhere else


@pytest.mark.parametrize("capability", GPUS)
@pytest.mark.parametrize("count", [8, 128])
def test_the_second_kernel_works_on_rows_it_has_asked_for_and_spills_nothing(
    capability: int, count: int
) -> None:
    found = compiled("bank", capability, count)
    assert found.spills == 0
    assert found.contractions == registers.AHEAD * count


def test_the_instructions_a_row_are_as_many_as_the_model_says() -> None:
    for count in (8, 128):
        found = loop_of(compiled("fused", 90, count).sass)
        assert found == pytest.approx(count + registers.FUSED_WORK, abs=3)
        found = loop_of(compiled("bank", 90, count).sass)
        assert found / registers.AHEAD == pytest.approx(count + registers.BANK_WORK, abs=3)


@pytest.mark.parametrize("capability", GPUS)
def test_held_to_fewer_registers_it_spills(capability: int) -> None:
    found = compiled("fused", capability, 128, f"-DBLOCKS={registers.CAP_BLOCKS}")
    assert found.registers <= registers.CAP
    assert found.spills >= 128 * 4 - registers.CAP * 4
    assert found.occupancy == registers.CAP_BLOCKS * walking.WARPS / 64


@pytest.mark.parametrize("capability", GPUS)
def test_the_control_of_the_bits_rounds_twice(capability: int) -> None:
    assert compiled("fused", capability, 8, "-DROUND_TWICE").contractions == 0


@pytest.mark.slow
def test_a_row_of_the_softmax_does_not_fit_few_warps() -> None:
    def spills(warps: int) -> int:
        types = {"x": "*fp32", "y": "*fp32", "width": "i32:16"}
        block = {"BLOCK": registers.WIDTH}
        return inspection.triton_kernel(
            reductions.softmax_row, types, block, 90, num_warps=warps, enable_fp_fusion=True
        ).spills

    assert spills(registers.FEW_WARPS) > 2 * spills(registers.ENOUGH_WARPS)


@pytest.mark.parametrize("size", [(1, 1, 3), (37, 7, 8), (9, 9, 20), (8, 4, 8)])
def test_both_ways_and_the_crowded_one_give_the_same_bits(size: tuple[int, int, int]) -> None:
    bank = emulated(size[2])
    two, one = (outputs_of(variant, size) for variant in bank.pair)
    assert gate.differing(two, one) == 0
    spare = outputs_of(registers.crowded(bank.fused, 1024), size, "spare")
    assert gate.differing(two, spare) == 0


def test_rounding_twice_changes_bits() -> None:
    size = (37, 7, 8)
    with mock.patch.object(walking, "Kernel", Emulated):
        twice = walking.compiled(registers.FUSED, "fused", "-DR=8", "-DROUND_TWICE")
    differing = gate.differing(
        outputs_of(registers.one_kernel(twice), size), outputs_of(emulated(8).pair[1], size)
    )
    assert differing > 37 * 31 / 10


@pytest.mark.parametrize("size", [(1, 1, 8), (37, 7, 8), (67584, 64, 128)])
def test_counts_follow_the_tensors(size: tuple[int, int, int]) -> None:
    task = registers.problem(*size)
    rows, result = task.inputs["table"].bytes, task.outputs["y"].bytes
    assert task.scratch["seen"].bytes == rows
    assert registers.one_bytes(**task.size) == rows + result == task.compulsory_bytes
    assert registers.two_bytes(**task.size) == 3 * rows + result
    walkers, steps, count = size
    assert registers.flops(**task.size) == walkers * 32 * (steps * count * 2 + count)


MODEL = registers.Model(
    walking.Costs(latency=4e-7, random=3e12, copy=4e12, issue=5e-10, multiprocessors=132)
)


def test_the_model_by_hand_for_an_h200s_multiprocessors() -> None:
    """67,584 walkers are 8 turns of 8 blocks on 132 multiprocessors, or 64 turns of one."""
    task = registers.problem(67584, 64, 128)
    assert MODEL.fused(task, 8) == pytest.approx(8 * 64 * 16 * 143 * 5e-10)  # the work of 16 warps
    assert MODEL.fused(task, 1) == pytest.approx(64 * 64 * 4e-7)
    few = registers.problem(67584, 64, 8)
    assert MODEL.fused(few, 8) == pytest.approx(8 * 64 * 4e-7)
    rows = 67584 * 64
    walk, bank = 2 * rows * 128 / 3e12, rows * 142 * 5e-10 / (132 * 4)
    assert MODEL.two(task, 8, 1) == pytest.approx(walk + bank)
    assert MODEL.two(few, 8, 8) == pytest.approx(walk + rows * 128 / 4e12)


def test_by_bytes_the_number_of_accumulators_does_not_matter() -> None:
    seconds = {MODEL.fused_by_bytes(registers.problem(67584, 64, n)) for n in (8, 128)}
    assert len(seconds) == 1
    task = registers.problem(67584, 64, 128)
    ratio = registers.two_bytes(**task.size) / registers.one_bytes(**task.size)
    assert ratio == pytest.approx(3, rel=0.02)


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "registers",
        {"accumulators": 24, "turns": 1, "steps": 5},
        {
            "SWEEP": [8, 16, 24, 40],
            "ODD": [5, 3],
            "SECONDS": 0.001,
            "WIDTH": 64,
            "SOFTMAX_ROWS": 4,
            "SOFTMAX_ODD": [3, 20],
        },
        perhaps={"losing_from", "kernels_unfused", "kernels_fused"},
    )
