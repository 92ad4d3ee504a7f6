"""The roofline: its counts and its model, its kernel as machine code and in the interpreter."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
import triton

from demos import inspection, roofline
from demos.bootstrap import Estimate

TRITON = tuple(map(int, triton.__version__.split(".")[:2]))
SIGNATURE = {"x": "*fp32", "y": "*fp32", "count": "i32:16", "steps": "i32"}

INTERPRETED = """
import json, torch
from demos import roofline as r
from demos.problem import Buffers
for count, steps in ((1, 1), (1023, 2), (1025, 7), (4099, 64)):
    b = Buffers(r.problem(count, steps), torch.device("cpu"))
    b.draw(count)
    b.poison(float("nan"))
    r.ADDS.bind(b)()
    want = b.x.double()
    for _ in range(steps):
        want = want * (b.x.double() / 2) + 0.25
    clean = all(bool(guard.isnan().all()) for guard in b.guards())
    print(json.dumps([clean, float((b.y.double() - want).abs().max())]))
"""


def compiled(capability: int, contracted: bool) -> inspection.Machinery:
    return inspection.triton_kernel(
        roofline.steps_on,
        SIGNATURE,
        {"BLOCK": roofline.BLOCK},
        capability,
        enable_fp_fusion=contracted,
    )


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_a_step_is_one_instruction_or_two(capability: int) -> None:
    """Counted in a loop of the same length: the machine code's loops differ by nothing else."""
    if capability >= 100 and TRITON < (3, 9):
        pytest.skip("the ptxas of this Triton contracts packed operations whatever it is told")
    one, two = compiled(capability, True), compiled(capability, False)
    assert one.contractions > 0
    assert two.contractions == 0
    adds = two.count("FADD") + 2 * two.count("FADD2")
    contracted = one.count("FFMA") + 2 * one.count("FFMA2")
    assert adds == contracted
    for found in (one, two):
        assert found.spills == 0
        assert found.occupancy >= 0.5
        assert found.count("LDG.E.128") == 2
        assert found.count("STG.E.128") == 2


def test_the_loop_is_arithmetic_and_little_else() -> None:
    """Else the rate would not be that of the arithmetic."""
    lines = compiled(90, True).sass.splitlines()
    start = next(i for i, line in enumerate(lines) if "FFMA" in line)
    end = max(i for i, line in enumerate(lines) if "FFMA" in line)
    body = [line for line in lines[start : end + 1] if ";" in line]
    assert sum("FFMA" in line for line in body) / len(body) > 0.8


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 4
    for clean, error in rows:
        assert clean
        assert error < 1e-6


@pytest.mark.parametrize("steps", [0, 1, 5, 64])
def test_the_closed_form_is_the_steps(steps: int) -> None:
    x = torch.rand(1000, dtype=torch.float64)
    want = x
    for _ in range(steps):
        want = want * (x / 2) + 0.25
    torch.testing.assert_close(roofline.stepped_at_once(x, steps), want, rtol=1e-12, atol=0)


def test_counts_follow_the_tensors() -> None:
    task = roofline.problem(1000, 7)
    assert roofline.moved_bytes(**task.size) == task.compulsory_bytes
    assert roofline.flops(**task.size) == 14 * 1000
    assert roofline.intensity(7) == roofline.flops(1000, 7) / roofline.moved_bytes(1000, 7)
    assert roofline.steps_at(roofline.intensity(7)) == 7


def test_the_model_is_flat_and_then_steep() -> None:
    roof = roofline.Roof(rate=60e12, bandwidth=4e12)
    assert roof.knee == 15
    steps = round(roofline.steps_at(roof.knee))
    assert steps == 60
    assert roof.growth(10**8, 1, steps) == 1
    assert roof.growth(10**8, steps, 4 * steps) == 4
    assert roof.seconds(10**9, 0) == pytest.approx(2e-3)


def curve_of(rate: float) -> dict[int, Estimate]:
    roof = roofline.Roof(rate, bandwidth=4e12)
    return {k: Estimate.exact(roof.seconds(10**8, k)) for k in roofline.powers()}


def test_the_knee_is_read_off_a_curve() -> None:
    assert roofline.knee_of(curve_of(60e12)).value == pytest.approx(15)
    assert roofline.knee_of(curve_of(30e12)).value == pytest.approx(7.5)


def test_the_worst_point_is_found_but_not_at_the_knee() -> None:
    roof = roofline.Roof(60e12, 4e12)
    curve = curve_of(60e12)

    def found() -> float:
        return roofline.worst(curve, roof.knee, lambda k: roof.seconds(10**8, k))

    assert found() == 0
    curve[64] = curve[64] * 1.4  # 16 FLOP a byte, at the knee
    assert found() == 0
    curve[4] = curve[4] * 1.1
    assert found() == pytest.approx(0.1)
    assert roofline.worst(curve, roof.knee, lambda _: roof.seconds(10**8, 0)) > 10


def test_a_ratio_of_times_apart_has_the_widest_interval() -> None:
    found = roofline.over(Estimate(2.0, 1.0, 3.0), Estimate(4.0, 2.0, 6.0))
    assert (found.value, found.low, found.high) == (0.5, 1 / 6, 1.5)


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "roofline",
        {"elements": 3000},
        {"MOST": 64, "APART": 4, "ODD": 1030, "SECONDS": 0.001, "SIDE": 32, "REPEATS": 2},
        perhaps=set(),
    )
