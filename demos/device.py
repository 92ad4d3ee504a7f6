"""The machine that is measured: what it is, what it is doing, and what it could at most do.

Nothing is ever set here: no clock, no power limit, no mode.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import torch

from demos.failures import NoRoom, Unsupported

WITNESSED = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu")


@dataclass(frozen=True, slots=True)
class Machine:
    """A device and its fixed facts."""

    device: torch.device
    name: str
    l2_bytes: int
    """The last cache before memory: L2 of a GPU, L3 of a CPU."""
    memory_bytes: int
    multiprocessors: int
    """Of a GPU; threads that torch uses on a CPU."""
    capability: int = 0
    """E.g. 90; 0 for a CPU."""
    peak_bandwidth: float | None = None
    """By memory clock and bus width, bytes a second; only a bound, never a prediction."""
    uuid: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """``cuda`` or ``cpu``."""
        return str(self.device.type)

    @property
    def slug(self) -> str:
        """The name for a file: ``nvidia-h200``."""
        words = "".join(c.lower() if c.isalnum() else " " for c in self.name).split()
        return "-".join(words)[:60] or self.kind

    def fields(self) -> dict[str, Any]:
        """The fields of the ``device`` event."""
        return {
            "kind": self.kind,
            "name": self.name,
            "versions": self.versions,
            "details": {
                "multiprocessors" if self.capability else "threads": self.multiprocessors,
                "l2_bytes": self.l2_bytes,
                "memory_bytes": self.memory_bytes,
                "capability": self.capability,
                "peak_bandwidth": self.peak_bandwidth,
            },
        }


def machine(kind: str = "") -> Machine:
    """The device to measure: the GPU if there is one, or what ``kind`` asks for."""
    if kind not in ("", "cuda", "cpu"):
        raise Unsupported(f"no such kind of device: {kind}", "say cuda or cpu")
    if kind == "cuda" and not torch.cuda.is_available():
        raise Unsupported("torch sees no CUDA device", "run on a machine with a GPU, or on cpu")
    return _gpu() if kind != "cpu" and torch.cuda.is_available() else _cpu()


def witness(machine: Machine) -> dict[str, Any]:
    """What the machine is doing at this moment: clocks, power, heat; load of a CPU."""
    if machine.kind == "cpu":
        return {"load": os.getloadavg()[0]}
    seen = dict(_smi(machine.uuid, int(time.monotonic() / 2)))
    return {**seen, "other processes": other_processes(machine)} if seen else {}


def other_processes(machine: Machine) -> int:
    """How many other processes compute on the GPU, as far as can be seen.

    This one is among those listed, under a number that in a container is not its own.
    """
    if machine.kind == "cpu":
        return 0
    return max(0, len(_run_smi("--query-compute-apps=pid", machine.uuid)) - 1)


def need_room(machine: Machine, wanted: int) -> None:
    """Raise :class:`NoRoom` where a CPU's memory is too small.

    A GPU refuses by itself; a CPU promises, and then has the process killed.
    """
    free = _available() if machine.kind == "cpu" else None
    if free is not None and wanted > free:
        text = f"not enough memory: {wanted / 2**30:.1f} GiB wanted, {free / 2**30:.1f} GiB free"
        raise NoRoom(text, "close other programs, or choose a smaller size")


def _available() -> int | None:
    """Bytes that can be had without swapping; ``None`` where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return next((int(kibibytes) * 1024 for kibibytes in found), None)


def _gpu() -> Machine:
    index = torch.cuda.current_device()
    facts = torch.cuda.get_device_properties(index)
    uuid = f"GPU-{facts.uuid}" if hasattr(facts, "uuid") else ""
    driver = _run_smi("--query-gpu=driver_version", uuid)
    return Machine(
        device=torch.device("cuda", index),
        name=facts.name,
        l2_bytes=facts.L2_cache_size,
        memory_bytes=facts.total_memory,
        multiprocessors=facts.multi_processor_count,
        capability=10 * facts.major + facts.minor,
        peak_bandwidth=_peak_bandwidth(facts),
        uuid=uuid,
        versions=_versions(cuda=str(torch.version.cuda), driver=driver[0] if driver else ""),
    )


def _cpu() -> Machine:
    return Machine(
        device=torch.device("cpu"),
        name=_cpu_name(),
        l2_bytes=_last_cache(),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        multiprocessors=torch.get_num_threads(),
        versions=_versions(),
    )


def _versions(**more: str) -> dict[str, str]:
    try:
        import triton

        more["triton"] = triton.__version__
    except ImportError:
        pass
    return {"python": sys.version.split()[0], "torch": str(torch.__version__), **more}


def _peak_bandwidth(facts: Any) -> float | None:
    """Two transfers a memory clock, over the width of the bus; None where torch cannot tell."""
    clock = getattr(facts, "memory_clock_rate", 0)
    width = getattr(facts, "memory_bus_width", 0)
    return 2.0 * clock * 1e3 * width / 8 if clock and width else None


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def _last_cache() -> int:
    path = Path("/sys/devices/system/cpu/cpu0/cache/index3/size")
    try:
        text = path.read_text(encoding="ascii").strip()
        return int(text.removesuffix("K")) * 1024
    except (OSError, ValueError):
        return 32 << 20


@cache
def _smi(uuid: str, _when: int) -> tuple[tuple[str, float | str], ...]:
    """The witnessed values; asked at most every two seconds, since asking costs 50 ms."""
    lines = _run_smi("--query-gpu=" + ",".join(WITNESSED), uuid)
    values = lines[0].split(",") if lines else []
    return tuple(zip(WITNESSED, map(_number, values), strict=False))


def _run_smi(query: str, uuid: str) -> list[str]:
    command = ["nvidia-smi", query, "--format=csv,noheader,nounits"]
    if uuid:
        command.append(f"--id={uuid}")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.strip().splitlines()


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text.strip()
