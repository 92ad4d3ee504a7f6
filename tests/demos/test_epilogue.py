"""The epilogue: its counts and its model, its kernel as machine code and in the interpreter."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from demos import epilogue, inspection
from demos.problem import Buffers

SIGNATURE = {
    **dict.fromkeys(("x", "w", "bias", "y"), "*bf16"),
    **dict.fromkeys(("rows", "columns", "depth"), "i32:16"),
}
TILES = {
    80: {"ROWS": 128, "COLUMNS": 128, "DEPTH": 32},
    90: {"ROWS": 128, "COLUMNS": 256, "DEPTH": 64},
    100: {"ROWS": 128, "COLUMNS": 256, "DEPTH": 64},
}

INTERPRETED = """
import json, torch
from demos import gate, epilogue as e
from demos.problem import Buffers
for dtype in (torch.float32, torch.float16):  # bfloat16 products are wrong in the interpreter
    for rows, columns, depth in ((1, 8, 8), (130, 140, 40), (257, 16, 64)):
        b = Buffers(e.problem(rows, columns, depth, dtype), torch.device("cpu"))
        b.draw(rows)
        errors = []
        for variant in (e.THREE, e.TWO, e.ONE):
            findings = gate.Findings()
            outputs = gate.once(b, variant.bind(b), float("nan"), findings)
            assert not findings.faults, findings.faults
            errors.append(gate.error_of(b, outputs).relative)
        print(json.dumps([str(dtype), rows, errors]))
"""


@pytest.mark.parametrize(("capability", "opcode"), [(80, "HMMA"), (90, "HGMMA"), (100, "UTCHMMA")])
def test_the_product_is_on_tensor_cores_and_the_epilogue_spills_nothing(
    capability: int, opcode: str
) -> None:
    found = inspection.triton_kernel(
        epilogue.product,
        SIGNATURE,
        {"EVEN": True, **TILES[capability]},
        capability,
        num_warps=8,
        num_stages=3,
        enable_fp_fusion=True,
    )
    assert found.count(opcode) > 0
    assert found.spills == 0
    assert found.shared <= inspection.LIMITS[capability].shared - inspection.RESERVED_SHARED


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 6
    for dtype, count, (three, two, one) in rows:
        limit = 1e-6 if "32" in dtype else 1e-3
        assert max(two, one) <= max(2 * three, limit), (dtype, count)


def test_the_definition_has_the_gelu_of_the_vendor_on_a_gpu() -> None:
    """By tanh; torch's call has that by erf on a CPU, so the two differ there."""
    buffers = Buffers(epilogue.problem(16, 16, 16, torch.float32), torch.device("cpu"))
    buffers.draw(1)
    inputs = (buffers.x, buffers.w, buffers.bias)
    epilogue.vendor_epilogue(buffers)()
    by_erf = torch.nn.functional.gelu(buffers.x @ buffers.w + buffers.bias)
    torch.testing.assert_close(buffers.y, by_erf)
    assert not torch.equal(epilogue.activated(*inputs), by_erf)
    torch.testing.assert_close(epilogue.activated(*inputs), by_erf, atol=1e-3, rtol=1e-2)


@pytest.mark.parametrize("size", [(1, 8, 8), (300, 264, 136), (8192, 8192, 512)])
def test_counts_follow_the_tensors(size: tuple[int, int, int]) -> None:
    task = epilogue.problem(*size)
    one, two, three = (
        f(**task.size) for f in (epilogue.one_bytes, epilogue.two_bytes, epilogue.three_bytes)
    )
    result = task.outputs["y"].bytes
    assert one == task.compulsory_bytes
    assert (two - one, three - two) == (2 * result, 2 * result)
    rows, columns, depth = size
    assert epilogue.flops(**task.size) == 2 * rows * columns * depth


def test_the_model_is_the_formula_where_the_product_is_bound_by_arithmetic() -> None:
    model = epilogue.Model(rate=7.5e14, bandwidth=4.2e12)
    task = epilogue.problem(8192, 8192, 8192)
    formula = 1 + 4 * 7.5e14 / (8192 * 4.2e12)
    assert model.gain(task, 4) == pytest.approx(formula)
    assert model.gain(task, 2) - 1 == pytest.approx((formula - 1) / 2)
    depth = model.depth_for(0.1, 4, item=2)
    assert 1 + 4 * 7.5e14 / (depth * 4.2e12) == pytest.approx(1.1)


def test_the_model_knows_a_product_bound_by_memory() -> None:
    """A depth of 8 does next to nothing: all that is left is passes over the result."""
    model = epilogue.Model(rate=7.5e14, bandwidth=4.2e12)
    assert model.gain(epilogue.problem(8192, 8192, 8), 4) == pytest.approx(5, rel=0.01)


def test_the_crossing_is_found_between_two_depths() -> None:
    inverse = {depth: 700 / depth for depth in (256, 1024, 4096, 16384)}
    assert epilogue.crossing(inverse, 0.1) == pytest.approx(7000)
    assert epilogue.crossing({256: 2.0, 512: 1.0}, 0.1) is None
    assert epilogue.crossing({256: 0.5, 512: -0.1}, 0.1) == 512


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "epilogue",
        {"rows": 64, "columns": 48, "depth": 16},
        {"ODD": [30, 24, 20], "DEPTHS": [16, 32], "DEEP": 32, "SECONDS": 0.001},
        perhaps={"little_gain_depth"},
    )
