"""Machine code: what cuobjdump says, and how many warps fit."""

from __future__ import annotations

import pytest

from demos import kernels
from demos.inspection import Machinery, blocks, crowding, occupancy, triton_kernel, usage_of

USAGE = """
Resource usage:
 Common:
  GLOBAL:0
 Function other:
  REG:8 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:900 TEXTURE:0
 Function chain:
  REG:40 STACK:16 SHARED:2048 LOCAL:0 CONSTANT[0]:924 TEXTURE:0 SURFACE:0 SAMPLER:0
"""


def test_usage_is_of_the_function_asked_for() -> None:
    found = usage_of(USAGE, "chain")
    assert (found["REG"], found["STACK"], found["SHARED"], found["LOCAL"]) == (40, 16, 2048, 0)
    with pytest.raises(ValueError, match="no function link"):
        usage_of(USAGE, "link")


@pytest.mark.parametrize(
    ("capability", "registers", "shared", "threads", "share"),
    [
        (90, 32, 0, 256, 1.0),
        (90, 33, 0, 256, 0.75),  # 1,280 registers a warp: 6 blocks of 8 warps of 64
        (90, 255, 0, 256, 0.125),  # one block of 8 warps
        (90, 32, 100 * 1024, 256, 0.25),  # two blocks by shared memory
        (80, 16, 0, 32, 0.5),  # 32 blocks of one warp
        (86, 32, 0, 1024, 32 / 48),
        (103, 32, 0, 256, 1.0),  # an unknown member of a known family
    ],
)
def test_occupancy(
    capability: int, registers: int, shared: int, threads: int, share: float
) -> None:
    assert occupancy(capability, registers, shared, threads) == pytest.approx(share)


def test_opcodes_are_counted_whole() -> None:
    sass = "FFMA R1, R2 ; FFMA2 R1, R2 ; FFMA.FTZ R3 ; LDG.E.128 R4 ; LDG.E R5 ; HFMA2.MMA R6 ;"
    found = Machinery("k", 1, 0, 0, 32, 1.0, sass)
    assert found.count("FFMA") == 2
    assert found.contractions == 3
    assert found.count("LDG.E.128") == 1
    assert found.count("LDG.E") == 2


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_harness_own_kernels_compile(capability: int) -> None:
    types = {"source": "*fp32", "target": "*fp32"}
    block = {"BLOCK": 1024}
    copy = triton_kernel(kernels.copy, {**types, "count": "i32"}, block, capability)
    assert copy.spills == 0
    chain = triton_kernel(
        kernels.multiply_add, {**types, "steps": "i32"}, block, capability, enable_fp_fusion=True
    )
    assert chain.contractions > 0
    assert triton_kernel(kernels.nothing, {"pointer": "*fp32"}, {}, capability).registers > 0


def test_a_known_multiple_of_16_makes_wide_loads() -> None:
    """A launch tells Triton so of 4096; the same row of unknown width is loaded piecemeal."""
    from demos import reductions

    def wide(kind: str) -> bool:
        types = {"x": "*bf16", "y": "*bf16", "width": kind}
        return ".128" in triton_kernel(reductions.softmax_row, types, {"BLOCK": 4096}, 90).sass

    assert wide("i32:16")
    assert not wide("i32")


@pytest.mark.parametrize("capability", [80, 86, 89, 90, 100])
@pytest.mark.parametrize("wanted", [1, 2, 3, 4])
def test_crowding_leaves_room_for_so_many_blocks_and_a_kibibyte_less_for_more(
    capability: int, wanted: int
) -> None:
    shared = crowding(capability, wanted)
    assert blocks(capability, 16, shared, 256) == wanted
    assert blocks(capability, 16, shared - 1024, 256) > wanted
