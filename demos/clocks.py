"""Two clocks: what the device did, and what a caller waits for.

The *device* clock puts events around the calls while a spin kernel holds the GPU back until
all of them are queued, so no gap of the host's is inside the window.  If the GPU reached the
window before the host had filled it, the sample is taken again behind a longer spin.

The *call* clock is wall time of the same calls in a row, ending with one synchronisation.
A CPU has only this one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from demos.device import Machine
from demos.problem import Call

# Kept from before any demo runs: a variant that patches the timers changes nothing here.
_NOW = time.perf_counter
_EVENT = torch.cuda.Event
_SYNCHRONIZE = torch.cuda.synchronize
_TIMERS = (time.perf_counter, torch.cuda.Event, torch.cuda.synchronize)

SPIN_SECONDS = 100e-6
LONGEST_SPIN = 0.1
CYCLES_A_SECOND = 1.5e9
COLD = 3
"""A sample is cold if this many times the cache has passed since its data was touched."""


def timers_intact() -> bool:
    """Whether nobody has replaced the functions that tell the time."""
    return (time.perf_counter, torch.cuda.Event, torch.cuda.synchronize) == _TIMERS


def restore_timers() -> None:
    """Put the functions that tell the time back in place."""
    time.perf_counter, torch.cuda.Event, torch.cuda.synchronize = _TIMERS


@dataclass(slots=True)
class Lane:
    """One variant being timed: its calls, one for each set of buffers."""

    calls: Sequence[Call]
    cold: bool = True
    """Evict the cache before each sample."""
    spin: float = SPIN_SECONDS
    gaps: bool = False
    """The host cannot be kept out of the window, e.g. since the calls wait for the device."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: time of one call, and what the last call gave."""

    seconds: float
    last: Any


class Clock(Protocol):
    """Takes samples."""

    names: tuple[str, ...]
    """The clocks there are, the one that ratios are made of first."""
    most_sets: int
    """Most sets of buffers worth rotating over."""

    def sample(self, lane: Lane, name: str) -> Sample:
        """Time the lane's calls by the clock of that name."""


class GpuClock:
    """Both clocks of a GPU."""

    names: tuple[str, ...] = ("device", "call")
    most_sets = 16

    def __init__(self, machine: Machine) -> None:
        count = max(1, COLD * machine.l2_bytes // 4)
        self._other = torch.ones(count, dtype=torch.float32, device=machine.device)
        self._sum = torch.empty((), dtype=torch.float32, device=machine.device)

    def sample(self, lane: Lane, name: str) -> Sample:
        """Time the lane's calls by ``device`` or ``call``."""
        return self._device(lane) if name == "device" else self._call(lane)

    def _device(self, lane: Lane) -> Sample:
        while True:
            start, stop = _EVENT(enable_timing=True), _EVENT(enable_timing=True)
            self._evict(lane)
            torch.cuda._sleep(int(lane.spin * CYCLES_A_SECOND))
            start.record()
            last = _all(lane.calls)
            stop.record()
            queued_in_time = not start.query()
            _SYNCHRONIZE()
            if not queued_in_time and not lane.gaps:
                lane.spin *= 2
                lane.gaps = lane.spin > LONGEST_SPIN
                continue
            return Sample(start.elapsed_time(stop) / 1e3 / len(lane.calls), last)

    def _call(self, lane: Lane) -> Sample:
        self._evict(lane)
        _SYNCHRONIZE()
        start = _NOW()
        last = _all(lane.calls)
        _SYNCHRONIZE()
        return Sample((_NOW() - start) / len(lane.calls), last)

    def _evict(self, lane: Lane) -> None:
        """Fill the cache with something else, by reading: no dirty lines are left behind."""
        if lane.cold:
            torch.sum(self._other, dim=0, out=self._sum)


class CpuClock:
    """Wall time of calls on a CPU."""

    names: tuple[str, ...] = ("call",)
    most_sets = 4

    def sample(self, lane: Lane, name: str) -> Sample:  # noqa: ARG002 - there is only one
        """Time the lane's calls."""
        start = _NOW()
        last = _all(lane.calls)
        return Sample((_NOW() - start) / len(lane.calls), last)


def clock_for(machine: Machine) -> Clock:
    """The clock of this machine."""
    return GpuClock(machine) if machine.kind == "cuda" else CpuClock()


def sets_for(machine: Machine, clock: Clock, touched: int, footprint: int) -> int:
    """How many sets of buffers a sample rotates over: enough to outgrow the cache, bounded.

    ``touched`` bytes of a set's ``footprint`` are read or written by every variant.
    """
    enough = math.ceil(COLD * machine.l2_bytes / max(1, touched))
    room = int(0.25 * machine.memory_bytes / max(1, footprint))
    return max(1, min(enough, clock.most_sets, room))


def _all(calls: Sequence[Call]) -> Any:
    last = None
    for call in calls:
        last = call()
    return last
