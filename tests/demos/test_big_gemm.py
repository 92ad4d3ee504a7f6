"""The product pulled out of the library: its models, its tiles as machine code, its values."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from demos import big_gemm, epilogue, inspection
from demos.big_gemm import Line, Model
from demos.bootstrap import Estimate
from demos.rounds import AGAIN, Timings

SIGNATURE = {
    **dict.fromkeys(("x", "w", "bias", "y"), "*bf16"),
    **dict.fromkeys(("rows", "columns", "depth"), "i32:16"),
}
OPCODES = {80: "HMMA", 90: "HGMMA"}

INTERPRETED = """
import json, torch
from demos import gate, big_gemm as g
from demos.problem import Buffers
for dtype in (torch.float32, torch.float16):  # bfloat16 products are wrong in the interpreter
    for rows, columns, depth in ((1, 8, 8), (130, 140, 40), (3, 2056, 64)):
        b = Buffers(g.problem(rows, columns, depth, dtype), torch.device("cpu"))
        b.draw(rows)
        errors = []
        for variant in (g.TWO, g.PASS, *(tile.variant() for tile in g.tiles_for(80))):
            findings = gate.Findings()
            outputs = gate.once(b, variant.bind(b), float("nan"), findings)
            assert not findings.faults, findings.faults
            errors.append(gate.error_of(b, outputs).relative)
        print(json.dumps([str(dtype), rows, errors]))
"""


@pytest.mark.parametrize("capability", OPCODES)
@pytest.mark.parametrize("number", range(3))
def test_every_tile_is_on_tensor_cores_and_spills_nothing(number: int, capability: int) -> None:
    tile = big_gemm.tiles_for(capability)[number]
    found = inspection.triton_kernel(
        epilogue.product,
        SIGNATURE,
        {"EVEN": True, "ROWS": tile.rows, "COLUMNS": tile.columns, "DEPTH": tile.depth},
        capability,
        num_warps=tile.warps,
        num_stages=tile.stages,
        enable_fp_fusion=True,
    )
    assert found.count(OPCODES[capability]) > 0
    assert found.spills == 0
    assert found.shared <= inspection.LIMITS[capability].shared - inspection.RESERVED_SHARED
    blocks = round(found.occupancy * inspection.LIMITS[capability].warps / tile.warps)
    assert blocks >= (1, 2, 4)[number], found.registers


@pytest.mark.parametrize("capability", [80, 86, 89, 90, 100, 120])
def test_three_steps_of_every_tile_fit_in_shared_memory(capability: int) -> None:
    for tile in big_gemm.tiles_for(capability):
        step = 2 * tile.depth * (tile.rows + tile.columns)
        limits = inspection.LIMITS[capability]
        assert tile.stages * step <= limits.shared - inspection.RESERVED_SHARED


def test_the_pass_spills_nothing_and_moves_16_bytes() -> None:
    for capability in (80, 90):
        found = inspection.triton_kernel(
            big_gemm.bias_and_gelu,
            {**dict.fromkeys(("t", "bias", "y"), "*bf16"), "columns": "i32:16"},
            {"BLOCK": big_gemm.BLOCK},
            capability,
            enable_fp_fusion=True,
        )
        assert found.spills == 0
        assert found.count("LDG.E.128") > 0
        assert found.count("STG.E.128") > 0


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 6
    for dtype, count, (two, *others) in rows:
        limit = 1e-6 if "32" in dtype else 1e-3
        assert max(others) <= max(2 * two, limit), (dtype, count)


def test_counts_follow_the_tensors() -> None:
    task = big_gemm.problem(300, 264, 136)
    size = {name: task.size[name] for name in ("rows", "columns", "item")}
    assert big_gemm.pass_bytes(**size) == 2 * task.outputs["y"].bytes
    more = big_gemm.PASS.counted_bytes(task) - big_gemm.tiles_for(90)[0].variant().counted_bytes(
        task
    )
    assert more == big_gemm.pass_bytes(**size)


def lines(efficiency: float, fixed: float = 0.0) -> Model:
    """A library at 750 TFLOP/s and a pass at 4.2 TB/s over 8192 × 8192 results of 16 bits."""
    step = 2 * 8192**2 / 7.5e14
    own = Line(fixed, step / efficiency)
    return Model((Line(0.0, step),), (own,), big_gemm.pass_bytes(8192, 8192, 2) / 4.2e12)


@pytest.mark.parametrize("efficiency", [0.5, 0.8, 0.9])
def test_the_lines_cross_where_the_formula_says_if_nothing_is_fixed(efficiency: float) -> None:
    model = lines(efficiency)
    formula = big_gemm.formula_depth(7.5e14, 4.2e12, efficiency, item=2)
    assert model.efficiency == pytest.approx(efficiency)
    assert model.crossover(32) == pytest.approx(formula, rel=0.01)
    assert model.gain(formula) == pytest.approx(1)
    assert model.gain(formula / 2) > 1 > model.gain(formula * 2)


def test_the_formula_at_an_efficiency_of_four_fifths() -> None:
    """2 F / BW · 4 for two bytes an element."""
    assert big_gemm.formula_depth(7.5e14, 4.2e12, 0.8, item=2) == pytest.approx(1428.6, abs=0.1)
    assert big_gemm.formula_depth(7.5e14, 4.2e12, 1.0, item=2) == math.inf


def test_a_fixed_part_brings_the_crossing_nearer() -> None:
    plain, late = lines(0.8).crossover(32), lines(0.8, fixed=30e-6).crossover(32)
    assert plain is not None
    assert late is not None
    assert late < plain / 1.5
    assert lines(1.02).crossover(32) is None


def test_a_line_goes_through_its_points() -> None:
    line = Line.through({384: 10.0, 6144: 100.0})
    assert line.at(384) == pytest.approx(10)
    assert line.at(6144) == pytest.approx(100)
    assert line.at(0) == line.fixed


def test_the_fastest_on_either_side_counts() -> None:
    step = 1e-7
    model = Model((Line(0, step), Line(5e-5, step)), (Line(9e-5, step), Line(0, 2 * step)), 4e-5)
    assert model.gain(100) == pytest.approx((1e-5 + 4e-5) / 2e-5)
    assert model.gain(10_000) == pytest.approx((1e-3 + 4e-5) / (1e-3 + 9e-5))


def test_signs_are_counted_on_both_sides() -> None:
    model = lines(0.8)  # it loses from 1429 on
    assert model.signs({256: 1.5, 1024: 1.1, 2048: 0.9, 8192: 0.8}) == 4
    assert model.signs({256: 0.9, 1024: 1.1, 2048: 1.1, 8192: 0.8}) == 2


def test_the_gain_of_several_is_that_of_the_fastest() -> None:
    times = Timings(("device",), "a")
    times.samples["device"] = {
        name: [seconds] * 8 for name, seconds in {"a": 3.0, "b": 2.0, "c": 4.0, "d": 1.6}.items()
    } | {f"a{AGAIN}": [3.0] * 8}
    found = big_gemm.gain_of(times, ["a", "b"], ["c", "d"])
    assert found == Estimate.exact(2.0 / 1.6)


def test_the_depths_that_are_known_are_not_measured() -> None:
    assert not set(big_gemm.KNOWN) & set(big_gemm.DEPTHS)
    assert {big_gemm.SHALLOW, big_gemm.DEEP} <= set(big_gemm.DEPTHS)


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    crossings = {
        f"crossover{formula}{tile}"
        for formula in ("", "_over_formula")
        for tile in ("", "_large", "_medium", "_small")
    }
    rehearsed(
        "big_gemm",
        {"rows": 32, "columns": 24},
        {
            "ODD": [30, 24, 20],
            "DEPTHS": [16, 32],
            "SHALLOW": 16,
            "DEEP": 32,
            "KNOWN": [24, 48],
            "SECONDS": 0.001,
            "TRIES": 1,
        },
        perhaps=crossings,
    )
