"""Which chain to fuse: the ranking on made-up times, and the whole story on a CPU."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from demos import advising, chains, fuse_advice, recording
from demos.advising import PRODUCT
from demos.catalogue import find
from demos.chains import Kind
from demos.recording import Spent

SMALL = {"tokens": 64, "width": 128, "batch": 16}
BANDWIDTH, LAUNCH, RIDGE = 1e10, 1e-6, 15.0


@pytest.fixture(scope="module")
def made() -> recording.Recording:
    from demos import device

    machine = device.machine("cpu")
    module, inputs = fuse_advice.make_module(**SMALL, device=machine.device)
    return recording.record(lambda: module(*inputs), machine)


def surveyed(made: recording.Recording, seconds: float = 1e-4) -> advising.Survey:
    """Every kernel takes as long as any other, but for products."""
    times = {Kind.VIEW: 0.0, Kind.FUSABLE: seconds, Kind.BARRIER: 50 * seconds}
    took = [Spent(times[op.kind], (op.name,)) for op in made.graph.ops]
    ranked = advising.rank(made.graph, took, BANDWIDTH, LAUNCH, RIDGE)
    return advising.Survey(made, took, BANDWIDTH, LAUNCH, RIDGE, ranked)


def test_the_module_has_the_chains_that_people_write(made: recording.Recording) -> None:
    found = surveyed(made).candidates
    told = {one.operators for one in found}
    assert ("silu", "mul") in told
    assert ("mul", "add") in told
    assert ("add", "pow", "mean", "add", "rsqrt", "mul", "mul") in told
    assert ("mul", "sum", "mul", "masked_fill", "softmax", "mul", "sum") in told
    assert ("clamp_min", "log1p", "sub", "mul", "clamp") in told
    assert len(found) == 8


def test_bytes_of_the_chains_follow_from_the_sizes(made: recording.Recording) -> None:
    by_name = {one.operators: one.chain for one in surveyed(made).candidates}
    tokens, width, batch, size = *SMALL.values(), 4
    hidden = 11 * width // 4
    silu = by_name["silu", "mul"]
    assert (silu.bytes_in, silu.bytes_out) == (2 * size * tokens * hidden, size * tokens * hidden)
    last = by_name["mul", "add"]
    assert last.bytes_in == size * (2 * tokens * width + width)
    assert last.bytes_out == size * tokens * width
    dense = by_name["clamp_min", "log1p", "sub", "mul", "clamp"]
    assert dense.bytes_in == size * (batch * fuse_advice.DENSE + 2 * fuse_advice.DENSE)
    history = size * batch * fuse_advice.HISTORY * fuse_advice.ITEM
    attention = next(c for names, c in by_name.items() if "softmax" in names)
    item = size * batch * fuse_advice.ITEM
    assert attention.bytes_in == history + item + batch * fuse_advice.HISTORY, "history once"
    assert attention.bytes_out == item


def test_gains_are_time_less_bytes_over_bandwidth_best_first(made: recording.Recording) -> None:
    found = surveyed(made).candidates
    assert [one.name for one in found] == [str(n) for n in range(1, len(found) + 1)]
    for one in found:
        seconds = 1e-4 * len(one.operators)
        fused = max(one.chain.bytes / BANDWIDTH, LAUNCH)
        assert one.gain == pytest.approx(seconds - fused)
        assert one.repeats == 1
    gains = [one.total_gain for one in found]
    assert gains == sorted(gains, reverse=True)


def test_the_product_is_first_by_bytes_and_last_by_the_rule(made: recording.Recording) -> None:
    found = surveyed(made)
    one = advising.product(found)
    assert one is not None
    assert one.name == PRODUCT
    assert one.gain == 0 < min(other.gain for other in found.candidates)
    assert advising.by_bytes_alone(found, one) > max(o.gain for o in found.candidates)


def test_layers_count_as_often_as_they_are_there(machine: Any) -> None:
    x, w = torch.randn(8, 8), torch.randn(8, 8)

    def call() -> torch.Tensor:
        y = x
        for _ in range(3):
            y = torch.relu(y @ w) + 1
        return y

    made = recording.record(call, machine)
    took = [Spent(1e-3, ("k",)) for _ in made.graph.ops]
    (one,) = advising.rank(made.graph, took, BANDWIDTH, LAUNCH, 15.0)
    assert one.repeats == 3
    assert one.total_gain == pytest.approx(3 * (2e-3 - LAUNCH))
    assert one.share == pytest.approx(one.total_gain / 9e-3)
    assert one.place.startswith("test_fuse_advice.py:")


class Known:
    """A checked chain whose samples are given."""

    def __init__(self, *pairs: tuple[float, float]) -> None:
        self.pairs = list(pairs)


def test_an_interval_of_a_formula_of_gains() -> None:
    sure = [Known((5, 1), (5, 1), (5, 1)), Known((3, 2), (3, 2), (3, 2))]
    exact = fuse_advice.resampled(sure, lambda gains: gains[0] - gains[1])  # type: ignore[arg-type]
    assert (exact.value, exact.low, exact.high) == (3, 3, 3)
    unsure = [Known((5, 1), (9, 1), (7, 1))]
    wide = fuse_advice.resampled(unsure, sum)  # type: ignore[arg-type]
    assert wide.low < wide.value == 6 < wide.high


def test_places() -> None:
    assert [fuse_advice.place([3.0, 9.0, 1.0], n) for n in range(3)] == [2, 1, 3]


@pytest.mark.slow
def test_a_whole_run_on_the_cpu(worker: Any) -> None:
    worker.run("fuse_advice", params={**SMALL, "chains": 3}, device="cpu")
    events = worker.until("done", "error")
    assert events[-1]["type"] == "done", events[-1]
    entry = find("fuse_advice")
    assert entry is not None
    metrics = {event["name"]: event for event in events if event["type"] == "metric"}
    assert set(metrics) == set(entry.metrics)
    assert all(event["passed"] for event in events if event["type"] == "check")
    told = {event["name"]: event for event in events if event["type"] == "chain"}
    assert list(told) == ["1", "2", "3", PRODUCT]
    gains = [told[name]["gain"] for name in "123"]
    assert gains == sorted(gains, reverse=True)
    for one in told.values():
        assert one["low"] <= one["measured"] <= one["high"]
        assert one["operators"]
        assert one["seconds"] > 0
    ranked = [told[name]["measured"] for name in "123"]
    assert metrics["spearman"]["value"] == chains.spearman([3, 2, 1], ranked)
    assert metrics["spearman"]["control"] == chains.shuffled_spearman(3)
    first = next(n for n, event in enumerate(events) if event["type"] == "measurement")
    assert all(event["type"] != "prediction" for event in events[first:])
