"""What one call launches: kernels by name and number, and what they occupy.

On a GPU the profiler's own record is read, the same for Triton, CUDA C++, generated and
library kernels.  On a CPU the operations that torch dispatches are counted, and the kernels
that torch.compile generated.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from demos.compiling import Compiled
from demos.device import Machine
from demos.inspection import occupancy
from demos.problem import Call

CALLS = 3
ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
NO_WORK = ("empty", "view", "as_strided", "reshape", "detach", "alias", "slice", "resize_", "t")


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel, and how often one call launches it."""

    name: str
    launches: int
    seconds: float = 0.0
    """Of all its launches in one call, by the profiler."""
    registers: int = 0
    """A thread."""
    spills: int = 0
    """Bytes a thread."""
    shared: int = 0
    """Bytes a block."""
    threads: int = 0
    """A block."""
    occupancy: float = 0.0

    def fields(self) -> dict[str, Any]:
        """The fields of the ``kernel`` event."""
        return asdict(self)


def launches(call: Call, machine: Machine, known: Sequence[Any] = ()) -> list[Launch]:
    """What one call launches; ``known`` are Triton functions or the like, to tell spills."""
    call()
    if machine.kind == "cpu":
        return _on_cpu(call, known)
    torch.cuda.synchronize()
    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], acc_events=True
    ) as profiler:
        for _ in range(CALLS):
            call()
        torch.cuda.synchronize()
    return _from_trace(_trace(profiler), machine, _spills(known))


def total(found: Iterable[Launch]) -> int:
    """Launches in one call, of all kernels together."""
    return sum(launch.launches for launch in found)


def exported(profiler: Any) -> list[dict[str, Any]]:
    """All events of the profiler's record; times are microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        events: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    return events


def _trace(profiler: Any) -> list[dict[str, Any]]:
    return [event for event in exported(profiler) if event.get("cat") in ON_DEVICE]


def _from_trace(
    events: list[dict[str, Any]], machine: Machine, spills: dict[str, int]
) -> list[Launch]:
    """Group the profiler's kernels by name, in the order of their first launch."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in sorted(events, key=lambda event: float(event["ts"])):
        groups[event["name"]].append(event)
    return [_launch(name, group, machine, spills) for name, group in groups.items()]


def _launch(
    name: str, group: list[dict[str, Any]], machine: Machine, spills: dict[str, int]
) -> Launch:
    facts = group[0].get("args", {})
    threads = 1
    for side in facts.get("block", [1]):
        threads *= int(side)
    registers = int(facts.get("registers per thread", 0))
    shared = int(facts.get("shared memory", 0))
    return Launch(
        name=name,
        launches=round(len(group) / CALLS),
        seconds=sum(float(event.get("dur", 0)) for event in group) / 1e6 / CALLS,
        registers=registers,
        spills=spills.get(name, 0),
        shared=shared,
        threads=threads,
        occupancy=occupancy(machine.capability, registers, shared, threads) if registers else 0.0,
    )


def _spills(known: Sequence[Any]) -> dict[str, int]:
    """Spilled bytes a thread by name, of Triton functions that ran here and CUDA C++ kernels."""
    found: dict[str, int] = {}
    for kernel in known:
        if hasattr(kernel, "spills"):
            found[kernel.name] = kernel.spills
        for caches in getattr(kernel, "device_caches", {}).values():
            for compiled in caches[0].values():
                found[compiled.name] = 4 * int(getattr(compiled, "n_spills", 0) or 0)
    return found


def _on_cpu(call: Call, known: Sequence[Any]) -> list[Launch]:
    with profile(activities=[ProfilerActivity.CPU], acc_events=True) as profiler:
        call()
    counts: dict[str, int] = defaultdict(int)
    for event in profiler.events():
        if event.name.startswith("aten::") and _does_work(event):
            counts[event.name] += 1
    generated = [k for k in known if isinstance(k, Compiled) and k.generated]
    found = [Launch(name, count) for name, count in counts.items()]
    return found + [Launch(f"generated for {k.name}", k.generated) for k in generated]


def _does_work(event: Any) -> bool:
    """Whether it is an operation of its own and not a part of another, nor bookkeeping."""
    parent = event.cpu_parent
    if parent is not None and parent.name.startswith("aten::"):
        return False
    name = event.name.removeprefix("aten::")
    return not any(name == idle or name.startswith(f"{idle}_") for idle in NO_WORK)
