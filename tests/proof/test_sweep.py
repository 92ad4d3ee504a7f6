"""Which size a run varied, and what each variant took there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quizapp.proof.protocol import Measurement, Started, Variant
from quizapp.proof.record import parse
from quizapp.proof.run import RunResult, folded
from quizapp.proof.sweep import spots, sweeps

RECORDS = Path(__file__).resolve().parents[2] / "demos" / "records"


def timed(variant: str, seconds: float, clock: str = "device", **point: Any) -> Measurement:
    return Measurement("r1", variant, seconds, seconds, seconds, 9, 0, 0, point, clock, True)


def run_of(*times: Measurement, **params: Any) -> RunResult:
    variants = (Variant("a", "A"), Variant("b", "B"))
    return folded([Started("r1", "chain", "", variants, params, 0, ""), *times])


def test_one_size_varied_is_a_sweep_in_the_order_of_the_size() -> None:
    times = [timed(v, n / 10, n=n, m=7) for n in (4, 1, 2) for v in ("b", "a")]
    (sweep,) = sweeps(run_of(*times), "device")
    assert sweep.over == "n"
    assert sweep.variants == ("b", "a")
    assert sweep.curve("a") == ((1, 0.1), (2, 0.2), (4, 0.4))
    assert sweeps(run_of(*times), "call") == ()


def test_the_whole_size_outside_the_points_belongs_to_it() -> None:
    times = [timed("a", n / 10, n=n) for n in (1, 2)]
    result = run_of(*times, timed("a", 0.8), timed("b", 0.1), n=8)
    (sweep,) = sweeps(result, "device")
    assert sweep.curve("a") == ((1, 0.1), (2, 0.2), (8, 0.8))
    assert sweep.variants == ("a",), "b was timed at one size only"
    assert sweeps(run_of(*times, timed("a", 0.8), m=8), "device") == ()


def test_one_size_varied_for_several_others_is_several_sweeps() -> None:
    times = [timed("a", n / m, n=n, m=m) for m in (1, 2) for n in (1, 2, 3)]
    first, second = sweeps(run_of(*times), "device")
    assert first.curve("a") == ((1, 1.0), (2, 2.0), (3, 3.0))
    assert second.curve("a") == ((1, 0.5), (2, 1.0), (3, 1.5))


@pytest.mark.parametrize(
    "sizes", [[1, 2], ["x", "y", "z"], [True, 2, 3], [0, 1, 2], [10**400, 1, 2]]
)
def test_few_values_or_no_sizes_are_no_sweep(sizes: list[Any]) -> None:
    assert sweeps(run_of(*(timed("a", 1.0, n=n) for n in sizes)), "device") == ()


def test_a_time_of_nothing_is_left_out() -> None:
    result = run_of(timed("a", 0.0, n=1), timed("a", 1.0, n=2), timed("b", 0.0))
    (spot,) = spots(result, "device")
    assert spot.point == {"n": 2}


def test_settings_that_differ_in_several_ways_are_spots_and_no_sweep() -> None:
    text = (RECORDS / "target_attention.nvidia-h200.jsonl").read_text(encoding="utf-8")
    result = parse(text).result
    assert sweeps(result, "device") == ()
    found = spots(result, "device")
    assert len(found) == 6
    assert all({time.variant for time in spot.times} >= {"six kernels", "SDPA"} for spot in found)


def test_the_recorded_chain_is_swept_up_to_its_full_size() -> None:
    text = (RECORDS / "elementwise.nvidia-h200.jsonl").read_text(encoding="utf-8")
    result = parse(text).result
    (sweep,) = sweeps(result, "device")
    assert sweep.over == "elements"
    assert sweep.variants == ("three kernels", "one kernel")
    assert result.started is not None
    assert sweep.spots[-1][0] == result.started.params["elements"]
