"""The clocks: what is inside the window, and which samples are thrown away."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import pytest
import torch

from demos import clocks
from demos.clocks import CpuClock, GpuClock, Lane, sets_for


class Device:
    """Stands for the GPU: says how far it was when the host had queued everything."""

    def __init__(self, fast_for: int) -> None:
        self.fast_for = fast_for
        """So many samples reach the window before the host has filled it."""
        self.spins: list[int] = []
        self.log: list[str] = []

    def event(self, enable_timing: bool) -> Any:
        device = self

        class Event:
            def record(self) -> None:
                device.log.append("event")

            def query(self) -> bool:
                device.fast_for -= 1
                return device.fast_for >= 0

            def elapsed_time(self, other: Any) -> float:
                return 6.0

        return Event()


@pytest.fixture
def gpu(machine: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    def made(fast_for: int) -> tuple[GpuClock, Device]:
        device = Device(fast_for)
        monkeypatch.setattr(clocks, "_EVENT", device.event)
        monkeypatch.setattr(clocks, "_SYNCHRONIZE", lambda: device.log.append("wait"))
        monkeypatch.setattr(torch.cuda, "_sleep", device.spins.append)
        return GpuClock(dataclasses.replace(machine, l2_bytes=4096)), device

    return made


def test_device_time_is_between_events_around_the_calls_alone(gpu: Any) -> None:
    clock, device = gpu(0)
    lane = Lane([lambda n=n: device.log.append(f"call {n}") or n for n in range(3)])
    sample = clock.sample(lane, "device")
    assert device.log == ["event", "call 0", "call 1", "call 2", "event", "wait"]
    assert sample.seconds == pytest.approx(0.002)
    assert sample.last == 2
    assert len(device.spins) == 1


def test_a_sample_with_gaps_is_taken_again_behind_a_longer_spin(gpu: Any) -> None:
    clock, device = gpu(2)
    lane = Lane([lambda: None])
    clock.sample(lane, "device")
    assert device.spins[1] == pytest.approx(2 * device.spins[0], abs=2)
    assert device.spins[2] == pytest.approx(4 * device.spins[0], abs=4)
    assert not lane.gaps
    clock.sample(lane, "device")
    assert device.spins[3] == device.spins[2]


def test_calls_that_wait_for_the_device_are_marked_and_not_retried_for_ever(gpu: Any) -> None:
    clock, device = gpu(10**9)
    lane = Lane([lambda: None])
    clock.sample(lane, "device")
    assert lane.gaps
    assert len(device.spins) < 20


def test_only_a_cold_lane_evicts_the_cache(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, _ = gpu(0)
    evicted: list[int] = []
    monkeypatch.setattr(torch, "sum", lambda *_, **__: evicted.append(1))
    clock.sample(Lane([lambda: None], cold=False), "call")
    assert not evicted
    clock.sample(Lane([lambda: None]), "call")
    assert evicted


def test_cpu_time_is_of_one_call() -> None:
    sample = CpuClock().sample(Lane([lambda: time.sleep(0.002) or "last"] * 5), "call")
    assert sample.seconds >= 0.002
    assert sample.last == "last"


def test_sets_outgrow_the_cache_within_bounds(machine: Any) -> None:
    small = dataclasses.replace(machine, l2_bytes=60 << 20, memory_bytes=16 << 30)
    clock = GpuClock.__new__(GpuClock)
    assert sets_for(small, clock, 1 << 30, 2 << 30) == 1
    assert sets_for(small, clock, 20 << 20, 40 << 20) == 9
    assert sets_for(small, clock, 1024, 2048) == clock.most_sets
    assert sets_for(small, clock, 1 << 20, 2 << 30) == 2  # by memory


def test_replaced_timers_are_noticed_and_put_back() -> None:
    assert clocks.timers_intact()
    time.perf_counter = float
    try:
        assert not clocks.timers_intact()
    finally:
        clocks.restore_timers()
    assert clocks.timers_intact()
    assert time.perf_counter() > 0
