"""The limits of this device, measured: what predictions are made of.

All on random data, by the clocks that the demos are measured by, best of the ways known here.
Every run measures its own.  The best value seen is kept in the user's cache folder with its
date, by device, driver and torch: a device that is far from it today is shared, hot or broken,
and whoever reads the run should know.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import torch

from demos.clocks import Clock, Lane, clock_for
from demos.device import Machine
from demos.failures import Unsupported
from demos.problem import Call

SAMPLES = 15
QUEUED = 200
"""Launches in a row; a stream takes about a thousand before the host has to wait."""


@dataclass(frozen=True, slots=True)
class Found:
    """A measured ceiling."""

    value: float
    unit: str
    at: str
    """When it was measured, UTC."""

    def beats(self, other: Found) -> bool:
        """Whether this is the better one: the shorter time, the higher rate."""
        return (self.value < other.value) == (self.unit == "s")


class Ceilings:
    """Measures each ceiling when it is first asked for; ``file`` keeps the best ever seen."""

    def __init__(self, machine: Machine, file: Path | None = None) -> None:
        self._machine, self._file = machine, file
        self._clock: Clock | None = None
        self._found: dict[str, Found] = {}
        self._best: dict[str, Found] = _read(file).get(_key(machine), {}) if file else {}

    def get(self, name: str) -> Found:
        """The ceiling of that name; raises :class:`Unsupported` where there is none."""
        if name not in self._found:
            unit, measure = _known(name, self._machine)
            self._clock = self._clock or clock_for(self._machine)
            value = measure(self._machine, self._clock)
            at = datetime.now(UTC).isoformat(timespec="seconds")
            self._found[name] = Found(value, unit, at)
        return self._found[name]

    def best(self, name: str) -> Found:
        """The best that was ever seen of a ceiling on this device, now included."""
        found = self.get(name)
        before = self._best.get(name)
        if before is None or found.beats(before):
            self._best[name] = found
            if self._file:
                _keep(self._file, _key(self._machine), self._best)
        return self._best[name]


def copy_bandwidth(machine: Machine, clock: Clock) -> float:
    """Bytes read and written a second by the fastest copy of a tensor far bigger than the cache."""
    count = copied_bytes(machine) // 4
    source = torch.randn(count, device=machine.device)
    target = torch.empty_like(source)
    ways: list[Call] = [lambda: target.copy_(source)]
    if machine.kind == "cuda":
        from demos import kernels

        ways.append(lambda: kernels.copied(source, target))
    return 2 * 4 * count / min(_seconds(way, clock, cold=False) for way in ways)


def copied_bytes(machine: Machine) -> int:
    """Size of the copied tensor: 1 GiB on a GPU, 256 MiB on a CPU, less if memory is short."""
    wanted = 1 << 30 if machine.kind == "cuda" else 1 << 28
    return min(wanted, machine.memory_bytes // 16)


def fp32_fma(machine: Machine, clock: Clock) -> float:
    """FLOP a second of a kernel that does nothing but multiply-add in registers."""
    from demos import kernels

    count, steps = 1 << 22, 4096
    source = torch.rand(count, device=machine.device)
    target = torch.empty_like(source)
    seconds = _seconds(lambda: kernels.multiply_added(source, target, steps), clock)
    return 2 * steps * count / seconds


def bf16_gemm(machine: Machine, clock: Clock) -> float:
    """FLOP a second of the library's bf16 matrix product of random matrices."""
    side = 8192 if machine.multiprocessors >= 80 else 4096
    a, b = (torch.randn(side, side, device=machine.device, dtype=torch.bfloat16) for _ in range(2))
    out = torch.empty_like(a)
    return 2 * side**3 / _seconds(lambda: torch.mm(a, b, out=out), clock)


def launch(machine: Machine, clock: Clock) -> float:
    """Seconds the host needs to issue one tiny torch operation."""
    tiny = torch.zeros(1, device=machine.device)
    lane = Lane([lambda: torch.add(tiny, 1.0, out=tiny)] * QUEUED, cold=False)
    return median(clock.sample(lane, "call").seconds for _ in range(SAMPLES))


def empty_kernel(machine: Machine, clock: Clock) -> float:
    """Seconds from one kernel that does nothing to the next, on the device, back to back."""
    from demos import kernels

    lane = Lane([kernels.nothing_on(machine.device)] * QUEUED, cold=False)
    return median(clock.sample(lane, "device").seconds for _ in range(SAMPLES))


KNOWN: dict[str, tuple[str, tuple[str, ...], Callable[[Machine, Clock], float]]] = {
    "copy bandwidth": ("B/s", ("cuda", "cpu"), copy_bandwidth),
    "fp32 fma": ("FLOP/s", ("cuda",), fp32_fma),
    "bf16 gemm": ("FLOP/s", ("cuda",), bf16_gemm),
    "launch": ("s", ("cuda", "cpu"), launch),
    "empty kernel": ("s", ("cuda",), empty_kernel),
}
"""Name → unit, kinds of device, how to measure it."""


def _known(name: str, machine: Machine) -> tuple[str, Callable[[Machine, Clock], float]]:
    unit, kinds, measure = KNOWN.get(name, ("", (), launch))
    if machine.kind not in kinds:
        raise Unsupported(f"no ceiling {name!r} on {machine.kind}")
    return unit, measure


def _seconds(call: Call, clock: Clock, cold: bool = True) -> float:
    lane = Lane([call], cold=cold)
    clock.sample(lane, clock.names[0])
    samples = SAMPLES if "device" in clock.names else SAMPLES // 2
    return median(clock.sample(lane, clock.names[0]).seconds for _ in range(samples))


def _key(machine: Machine) -> str:
    versions = machine.versions
    return " | ".join((machine.name, versions.get("driver", ""), versions.get("torch", "")))


def _read(file: Path) -> dict[str, dict[str, Found]]:
    """What was seen before; nothing where the file is not there or holds something else."""
    try:
        stored: Any = json.loads(file.read_text(encoding="utf-8"))
        return {
            device: {name: Found(**found) for name, found in ceilings.items()}
            for device, ceilings in stored.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep(file: Path, key: str, best: dict[str, Found]) -> None:
    """File it, whole or not at all; a folder that cannot be written costs only the memory."""
    stored = {**_read(file), key: best}
    plain = {
        device: {name: asdict(found) for name, found in ceilings.items()}
        for device, ceilings in stored.items()
    }
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(plain, indent=1), encoding="utf-8")
        partial.replace(file)
