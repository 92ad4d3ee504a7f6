"""Rounds: interleaved, stopped when known well enough, checked again afterwards."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from demos import cheats
from demos.clocks import Lane, Sample
from demos.elementwise import OPERATIONS, problem
from demos.problem import Variant
from demos.rounds import AGAIN, FEWEST, MOST, WARM_UPS, Session

HONEST = cheats.HONEST[0]
COPY = Variant("other", "Another", cheats.honest, bytes=lambda elements: 8 * elements)


class Scripted:
    """A clock whose samples are given; it makes the calls."""

    names = ("device", "call")
    most_sets = 2

    def __init__(self, noise: float = 0.0, factor: float = 1.0) -> None:
        self.order: list[int] = []
        self._noise, self._factor, self._number = noise, factor, 0

    def sample(self, lane: Lane, name: str) -> Sample:
        self.order.append(id(lane))
        self._number += 1
        last = None
        for call in lane.calls:
            last = call()
        drift = 1 + self._noise * (self._number % 7)
        return Sample(self._factor * drift * (1.0 if name == "device" else 2.0), last)


def session(machine: Any, clock: Scripted, *variants: Variant) -> Session:
    return Session(problem(1000), variants, variants[0], clock, machine, seed=1)


def test_every_variant_once_a_round_in_changing_order(machine: Any) -> None:
    clock = Scripted(noise=0.5)
    timed = session(machine, clock, HONEST, COPY)
    list(timed.rounds(1e9, ("device",)))
    rounds = clock.order[3 * WARM_UPS :]
    parts = [tuple(rounds[i : i + 3]) for i in range(0, len(rounds), 3)]
    assert len(parts) == MOST["cpu"]
    assert all(len(set(part)) == 3 for part in parts)
    assert len(set(parts)) > 3


def test_rounds_end_when_the_intervals_are_narrow(machine: Any) -> None:
    timed = session(machine, Scripted(), HONEST, COPY)
    list(timed.rounds(1e9, ("device", "call")))
    assert len(timed.timings.samples["device"]["honest"]) == FEWEST["cpu"]


def test_rounds_end_when_the_time_is_up_but_not_before_the_fewest(machine: Any) -> None:
    timed = session(machine, Scripted(noise=0.5), HONEST)
    list(timed.rounds(1e-9, ("device",)))
    assert len(timed.timings.samples["device"]["honest"]) == FEWEST["cpu"]


def test_timings_are_by_the_first_clock_and_as_called(machine: Any) -> None:
    timed = session(machine, Scripted(), HONEST, COPY)
    list(timed.rounds(1.0, ("device", "call")))
    times = timed.timings
    assert times["honest"].value == 1.0
    assert times.called("honest").value == 2.0
    assert times.ratio("honest", "other").value == 1.0
    assert times.noise.value == times.called_noise.value == 1.0
    assert times.combined(lambda a, b: a + b, "honest", "other").value == 2.0
    with pytest.raises(KeyError, match="nobody"):
        times["nobody"]


def test_the_summary_leaves_the_second_name_out_and_counts_bytes(machine: Any) -> None:
    timed = session(machine, Scripted(), COPY)
    list(timed.rounds(1.0, ("device",)))
    (line,) = timed.summary(final=True)
    assert line["variant"] == "other"
    assert AGAIN not in line["variant"]
    assert line["bytes"] == 8000
    assert len(line["samples"]) == line["rounds"]
    assert "samples" not in next(timed.summary(final=False))


def test_recheck_passes_the_honest_and_skips_the_unchecked(machine: Any) -> None:
    free = dataclasses.replace(COPY, name="free", unchecked=True)
    timed = session(machine, Scripted(), OPERATIONS, HONEST, free)
    list(timed.rounds(1.0, ("device",)))
    found = {variant.name: findings.faults for variant, findings in timed.recheck()}
    assert found == {"three torch ops": [], "honest": []}


@pytest.mark.parametrize(("factor", "count"), [(1e-3, 0), (1e-8, 2)])
def test_times_beyond_the_hardware_are_impossible(machine: Any, factor: float, count: int) -> None:
    fast = dataclasses.replace(machine, peak_bandwidth=1e9, l2_bytes=1024)
    timed = session(fast, Scripted(factor=factor), HONEST)
    list(timed.rounds(1.0, ("device",)))
    assert len(list(timed.impossible())) == count


def test_what_fits_in_the_cache_is_never_called_impossible(machine: Any) -> None:
    fast = dataclasses.replace(machine, peak_bandwidth=1e9, l2_bytes=1 << 20)
    timed = session(fast, Scripted(factor=1e-9), HONEST)
    list(timed.rounds(1.0, ("device",)))
    assert not list(timed.impossible())
