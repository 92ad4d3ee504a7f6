"""Tells the story of a demo for a GPU on a machine without one, and prints its events.

``TRITON_INTERPRET=1 python tests/demos/rehearsal.py NAME PARAMS CONSTANTS``, the last two in
JSON: sizes must be small, since Triton's interpreter runs the kernels.  Times mean nothing here;
that every step works, in its order and with the names of the catalogue, does.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from functools import partial
from typing import Any
from unittest import mock

import torch

from demos import catalogue, ceilings, clocks, device, epilogue, params, rounds, walking
from demos import run as running
from demos.wire import encode
from tests.demos.emulation import Emulated

SECONDS = 1e-5
RATES = {"B/s": 1e10, "FLOP/s": 1e12, "s": SECONDS}


class BothClocks(clocks.CpuClock):
    """Wall time, under the names of a GPU's two clocks."""

    names: tuple[str, ...] = ("device", "call")
    most_sets = 2


class Assumed:
    """Ceilings of a machine that is not there."""

    def get(self, name: str) -> ceilings.Found:
        return ceilings.Found(RATES[ceilings.KNOWN[name][0]], ceilings.KNOWN[name][0], "")

    best = get


class Uncompiled:
    """What torch.compile would be given, as it is: compiling takes longer than the rest."""

    generated = 1

    def __init__(self, function: Any, **_: Any) -> None:
        self.name, self._function = function.__name__, function

    def bind(self, *args: Any) -> Any:
        return lambda: self._function(*args)


def rehearse(name: str, given: dict[str, Any], constants: dict[str, Any]) -> None:
    entry = catalogue.find(name)
    assert entry is not None
    module = importlib.import_module(f"demos.{name}")
    for constant, value in constants.items():
        assert hasattr(module, constant)
        setattr(module, constant, value)
    machine = device.machine("cpu")
    run = running.Run(
        "rehearsal",
        entry,
        machine,
        params.settled(entry, "cuda", given),
        seed=1,
        sink=lambda event: print(encode(event).decode(), end=""),
        ceilings_of=Assumed(),
    )
    clock = {"clock_for": lambda _: BothClocks()}
    usual = {**clock, "compiled": Uncompiled, "Kernel": Emulated}
    own = {k: v for k, v in usual.items() if hasattr(module, k)}
    with (
        contextlib.ExitStack() as substituted,
        mock.patch.multiple(running, **clock),
        mock.patch.multiple(walking, **clock, Kernel=Emulated),
        mock.patch.multiple(rounds, FEWEST={"cpu": 2}, SECONDS={"cpu": 0.01}),
        mock.patch.object(running.Run, "cuda", True),
    ):
        for attribute, value in {**own, **SUBSTITUTES.get(name, {})}.items():
            substituted.enter_context(mock.patch.object(module, attribute, value))
        module.demo(run)


SUBSTITUTES: dict[str, dict[str, Any]] = {
    "cuda_graph": {"captured": lambda call: call, "launches_of": lambda _: 1},
    # The interpreter's products of bfloat16 are wrong.
    "epilogue": {"problem": partial(epilogue.problem, dtype=torch.float16)},
    "big_gemm": {"problem": partial(epilogue.problem, dtype=torch.float16)},
}
"""What takes the place of a function that cannot do without a GPU."""


if __name__ == "__main__":
    rehearse(sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3]))
