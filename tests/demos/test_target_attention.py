"""Target attention: its counts, its order of sums, its kernels as machine code, and values."""

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
from demos import target_attention as ta
from demos.problem import Buffers

TRITON = tuple(map(int, triton.__version__.split(".")[:2]))
ONE = {
    "q": "*fp32",
    "k": "*fp32",
    "v": "*fp32",
    "lengths": "*i32",
    "y": "*fp32",
    "history": "i32",
    "scale": "fp32",
}
SIX = {
    "multiply_query": {
        "q": "*fp32",
        "k": "*fp32",
        "product": "*fp32",
        "rows": "i32",
        "history": "i32",
    },
    "sum_width": {"product": "*fp32", "scores": "*fp32", "rows": "i32"},
    "scale_and_mask": {
        "scores": "*fp32",
        "lengths": "*i32",
        "masked": "*fp32",
        "rows": "i32",
        "history": "i32",
        "scale": "fp32",
    },
    "softmax_history": {"masked": "*fp32", "weights": "*fp32", "history": "i32"},
    "multiply_weights": {"weights": "*fp32", "v": "*fp32", "product": "*fp32", "rows": "i32"},
    "sum_history": {"product": "*fp32", "y": "*fp32", "history": "i32"},
}

INTERPRETED = """
import json, torch
from demos import target_attention as ta
from demos.problem import Buffers
for history, width, arrays, tile in (
    (1, 16, 2, ta.Tile(8, 1)),
    (50, 32, 2, ta.Tile(16, 1)),
    (64, 16, 1, ta.Tile(32, 1)),
    (33, 16, 1, ta.Tile(64, 1, keep=True)),
    (5, 8, 2, ta.Tile(1, 1)),
):
    b = Buffers(ta.problem(5, history, width, arrays), torch.device("cpu"))
    b.draw(history)
    b.lengths[0], b.lengths[1] = 1, history
    want = ta.attended(b.q.double(), b.k.double(), ta.values_of(b).double(), b.lengths)
    found = []
    for bind in (ta.six_kernels(tile), ta.one_kernel(tile)):
        b.poison(float("nan"))
        bind(b)()
        assert all(bool(guard.isnan().all()) for guard in b.guards())
        found.append(b.y.clone())
    six, one = found
    error = float((one.double() - want).norm() / want.norm())
    print(json.dumps([torch.equal(six, one), error]))
"""


def constants(tile: ta.Tile, history: int, width: int) -> dict[str, Any]:
    return {
        "ROWS": tile.rows,
        "TILES": tile.tiles(history),
        "WIDTH": width,
        "KEEP": tile.keep,
    }


def compiled_one(
    tile: ta.Tile, history: int, width: int, capability: int = 90, **options: Any
) -> inspection.Machinery:
    return inspection.triton_kernel(
        ta.attention,
        ONE,
        constants(tile, history, width),
        capability,
        num_warps=tile.warps,
        **options,
    )


def skip_if_packed_operations_are_contracted(capability: int) -> None:
    if capability >= 100 and TRITON < (3, 9):
        pytest.skip("the ptxas of this Triton contracts packed operations whatever it is told")


@pytest.mark.parametrize("capability", [80, 90, 100])
@pytest.mark.parametrize("name", SIX)
def test_the_six_round_every_operation(name: str, capability: int) -> None:
    skip_if_packed_operations_are_contracted(capability)
    function = getattr(ta, name)
    given = {"ROWS": 32, "WIDTH": 64, "BLOCK": 256}
    own = {key: value for key, value in given.items() if key in function.arg_names}
    found = inspection.triton_kernel(function, SIX[name], own, capability)
    assert found.contractions == 0
    assert found.spills == 0


@pytest.mark.parametrize("capability", [80, 90, 100])
@pytest.mark.parametrize("warps", ta.WARPS)
def test_the_one_rounds_every_operation_at_every_number_of_warps(
    warps: int, capability: int
) -> None:
    skip_if_packed_operations_are_contracted(capability)
    found = compiled_one(ta.Tile(16, warps), 200, 64, capability)
    assert found.contractions == 0
    assert found.spills == 0


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_control_is_contracted(capability: int) -> None:
    found = compiled_one(ta.Tile(16, 2), 200, 64, capability, enable_fp_fusion=True)
    assert found.contractions > 0


@pytest.mark.parametrize("arrays", [1, 2])
@pytest.mark.parametrize("shape", ta.shapes(2**13).values(), ids=str)
def test_no_tile_that_is_tried_spills(shape: tuple[int, int, int], arrays: int) -> None:
    _, history, width = shape
    for tile in ta.tiles_to_try(history, width, arrays):
        found = compiled_one(tile, history, width)
        assert (found.spills, found.contractions) == (0, 0), tile
        assert found.occupancy >= 0.25, tile


@pytest.mark.parametrize(
    ("function", "signature", "given"),
    [
        (ta.attention, ONE, constants(ta.Tile(16, 1), 200, 64)),
        (ta.attention, ONE, constants(ta.Tile(256, 8, keep=True), 200, 64)),
        (ta.sum_width, SIX["sum_width"], {"ROWS": 32, "WIDTH": 64}),
        (ta.softmax_history, SIX["softmax_history"], {"BLOCK": 256}),
        (ta.sum_history, SIX["sum_history"], {"ROWS": 16, "WIDTH": 64}),
    ],
)
def test_every_sum_is_of_two_numbers(
    function: Any, signature: dict[str, str], given: dict[str, Any]
) -> None:
    """What makes the order independent of the layout: nothing is left for it to choose.

    One sum is longer: that which picks a tile's weights out of zeros.
    """
    types = {**signature, **dict.fromkeys(given, "constexpr")}
    source = ASTSource(
        fn=function,
        signature={name: types[name] for name in function.arg_names},
        constexprs={(function.arg_names.index(name),): value for name, value in given.items()},
    )
    target, options = GPUTarget("cuda", 90, 32), {"enable_fp_fusion": False}
    text = triton.compile(source, target=target, options=options).asm["ttir"]
    lengths = [
        int(re.findall(r"\d+", shape)[int(axis)])
        for axis, body, shape in re.findall(
            r'"tt\.reduce"\(.*?axis = (\d+).*?\((.*?)\}\) : \(tensor<([\dx]+)xf32', text, re.S
        )
        if "addf" in body
    ]
    assert lengths
    longer = [length for length in lengths if length > 2]
    picks = function is ta.attention and not given["KEEP"]
    assert longer == ([given["TILES"]] if picks else [])


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 5
    for same, error in rows:
        assert same
        assert error < 1e-6


@pytest.mark.parametrize("arrays", [1, 2])
def test_library_variants_are_right(arrays: int) -> None:
    buffers = Buffers(ta.problem(*ta.ODD, arrays=arrays), torch.device("cpu"))
    buffers.draw(1)
    doubles = (buffers.q.double(), buffers.k.double(), ta.values_of(buffers).double())
    want = ta.attended(*doubles, buffers.lengths).float()
    for variant in (ta.OPERATIONS, ta.PRODUCTS, ta.LIBRARY):
        buffers.poison(float("nan"))
        returned = variant.bind(buffers)()
        torch.testing.assert_close(buffers.y if returned is None else returned, want)


def test_the_byte_bounds_are_those_of_the_arrays() -> None:
    """Six arrays and a little, over two or one: 3.05 and 6.1 at a history of 200."""
    size = {"batch": 8192, "history": 200, "width": 64}
    separate = ta.six_bytes(**size, arrays=2) / ta.one_bytes(**size, arrays=2)
    same = ta.six_bytes(**size, arrays=1) / ta.one_bytes(**size, arrays=1)
    assert separate == pytest.approx(3.04, abs=0.02)
    assert same == pytest.approx(6.05, abs=0.05)


@pytest.mark.parametrize(("shape"), [(1, 1, 8), (37, 50, 32), (8192, 128, 64)])
@pytest.mark.parametrize("arrays", [1, 2])
def test_counts_follow_the_code(shape: tuple[int, int, int], arrays: int) -> None:
    task = ta.problem(*shape, arrays=arrays)
    assert ta.one_bytes(**task.size) == task.compulsory_bytes
    batch, history, width = shape
    stored = sum(spec.bytes for spec in task.scratch.values())
    read_twice = 4 * batch * history * width * (2 - arrays)
    written_and_read = 2 * stored
    assert ta.six_bytes(**task.size) == task.compulsory_bytes + written_and_read + read_twice


def test_a_tile_covers_the_history() -> None:
    for shape in ta.shapes(2**13).values():
        for arrays in (1, 2):
            for tile in ta.tiles_to_try(*shape[1:], arrays):
                assert tile.rows * tile.tiles(shape[1]) >= shape[1]
                assert tile.warps in ta.WARPS
                assert not tile.keep or (tile.tiles(shape[1]) == 1 and arrays == 1)
