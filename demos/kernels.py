"""Kernels that the harness itself needs: copy, multiply-add in registers, nothing."""

from __future__ import annotations

import torch

from demos.optional import tl, triton
from demos.problem import Call


@triton.jit
def copy(source, target, count, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """target = source."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(target + at, tl.load(source + at, mask=inside), mask=inside)


@triton.jit
def multiply_add(source, target, steps, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """Repeated v = v * v + c: every step waits for the one before, elements are independent."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(source + at)
    factor = value * 0.5
    for _ in range(steps):
        value = value * factor + 0.25
    tl.store(target + at, value)


@triton.jit
def nothing(pointer):  # type: ignore[no-untyped-def]
    """Launched for the launch alone."""


def copied(source: torch.Tensor, target: torch.Tensor) -> None:
    """Copy by Triton, 1024 elements a program."""
    count = source.numel()
    copy[(triton.cdiv(count, 1024),)](source, target, count, 1024, enable_fp_fusion=False)


def multiply_added(source: torch.Tensor, target: torch.Tensor, steps: int) -> None:
    """``steps`` multiply-adds on each element; the element count is a multiple of 1024."""
    grid = (source.numel() // 1024,)
    multiply_add[grid](source, target, steps, 1024, num_warps=4, enable_fp_fusion=True)


def nothing_on(device: torch.device) -> Call:
    """A call that launches one kernel that does nothing."""
    pointer = torch.zeros(1, device=device)
    return lambda: nothing[(1,)](pointer, enable_fp_fusion=False)
