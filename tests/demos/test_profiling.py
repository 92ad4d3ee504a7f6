"""Launches, read from a trace as the profiler writes it for a GPU."""

from __future__ import annotations

import dataclasses
from typing import Any

from demos.profiling import CALLS, _from_trace, _spills, total


def traced(name: str, ts: int, **args: Any) -> dict[str, Any]:
    facts = {"registers per thread": 32, "shared memory": 0, "block": [128, 1, 1], **args}
    return {"cat": "kernel", "name": name, "ts": ts, "dur": 10.0, "args": facts}


def test_kernels_are_grouped_by_name_in_the_order_of_their_launch(machine: Any) -> None:
    gpu = dataclasses.replace(machine, capability=90)
    events = []
    for call in range(CALLS):
        events += [traced("add", 100 * call + 3), traced("mul", 100 * call + 1)]
        events += [traced("add", 100 * call + 5)]
    found = _from_trace(events, gpu, {"mul": 64})
    assert [(one.name, one.launches, one.spills) for one in found] == [
        ("mul", 1, 64),
        ("add", 2, 0),
    ]
    assert total(found) == 3
    assert found[0].threads == 128
    assert found[0].occupancy == 1.0
    assert abs(found[1].seconds - 20e-6) < 1e-12


def test_a_copy_has_no_registers_and_no_occupancy(machine: Any) -> None:
    copy = {"cat": "gpu_memcpy", "name": "Memcpy DtoD", "ts": 1, "dur": 5.0, "args": {}}
    (found,) = _from_trace([copy] * CALLS, machine, {})
    assert (found.launches, found.registers, found.occupancy) == (1, 0, 0.0)


def test_spills_are_asked_of_triton_functions_and_of_cuda_kernels() -> None:
    class Compiled:
        name, n_spills = "chain", 4

    class Function:
        def __init__(self) -> None:
            self.device_caches = {0: ({"key": Compiled()}, {}, None, None, None)}

    class Kernel:
        name, spills = "cuda chain", 24

    assert _spills([Function(), Kernel()]) == {"chain": 16, "cuda chain": 24}
