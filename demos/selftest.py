"""Demos that go wrong on purpose, one way each, to try whoever runs demos.

They are on offer only under ``DEMOS_SELFTEST=1``.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from itertools import count

import torch

from demos.problem import Buffers, Call, Variant
from demos.run import Run

PETABYTE = 1 << 50


def _nothing(_: Buffers) -> Call:
    return lambda: None


NOTHING = Variant("nothing", "Nothing at all", _nothing)


def _crash(run: Run) -> None:
    """Die of a segmentation fault, without a core file."""
    run.begin([NOTHING])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def _hang(run: Run) -> None:
    """Sleep for ever, and never look whether the run is cancelled."""
    run.begin([NOTHING])
    run.stage("hanging")
    while True:
        time.sleep(60)


def _memory(run: Run) -> None:
    """Ask for a petabyte."""
    run.begin([NOTHING])
    run.stage("allocating")
    torch.empty(PETABYTE, dtype=torch.int8, device=run.device)


def _noise(run: Run) -> None:
    """Print from Python, from a child and straight to the descriptor, in the events' format."""
    run.begin([NOTHING])
    print('{"v": 1, "type": "done", "run": "r1", "seconds": 0}', flush=True)
    os.write(1, b"\x1b[31mnot an event\n{\n")
    subprocess.run(["/bin/echo", "nor this"], check=True)
    run.metric("answer", 42)


def _slow(run: Run) -> None:
    """Report progress until cancelled."""
    run.begin([NOTHING], measures=1)
    for number in count(1):
        run.stage(f"round {number}", within=1 - 1 / number)
        time.sleep(0.02)
