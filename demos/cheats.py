"""Variants that win by not doing the work, one of each kind that has fooled a benchmark.

The gate and the check after the timing have to catch every one, and let :data:`HONEST` pass;
the tests try that on a CPU, ``selfcheck`` on the device at hand.  All pretend to compute
y = relu(x · a + b) of :mod:`demos.elementwise`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import torch

from demos.elementwise import A, B
from demos.problem import Buffers, Call, Variant

BLOCK = 1024
PATIENCE = 12
"""Calls for which the cheat that drifts is honest."""


class Lazy(torch.Tensor):
    """A tensor that could put its computation off until somebody looks."""


def answer(x: torch.Tensor) -> torch.Tensor:
    """What is asked for."""
    return torch.relu(x * A + B)


def honest(b: Buffers) -> Call:
    """Does the work."""
    return lambda: b.y.copy_(answer(b.x))


def honest_new(b: Buffers) -> Call:
    """Does the work and returns a new tensor."""
    return lambda: answer(b.x)


def idle(_: Buffers) -> Call:
    """Never writes its output."""
    return lambda: None


def constant(b: Buffers) -> Call:
    """Writes zeros."""
    return lambda: b.y.zero_()


def no_tail(b: Buffers) -> Call:
    """Forgets the last block that is not full."""
    whole = b.x.numel() // BLOCK * BLOCK

    def call() -> None:
        b.y[:whole].copy_(answer(b.x[:whole]))

    return call


def accumulating(b: Buffers) -> Call:
    """Adds to what the output held."""
    return lambda: b.y.add_(answer(b.x))


def overwriting(b: Buffers) -> Call:
    """Uses its input as scratch."""
    return lambda: b.y.copy_(b.x.mul_(A).add_(B).relu_())


def aliasing(b: Buffers) -> Call:
    """Gives its input back as its output."""
    return lambda: b.x.mul_(A).add_(B).relu_()


def cached_by_shape(b: Buffers) -> Call:
    """Computes once for each shape."""
    return _cached(b, lambda: tuple(b.x.shape))


def cached_by_address(b: Buffers) -> Call:
    """Computes once for each address of its input."""
    return _cached(b, b.x.data_ptr)


def kept_output(b: Buffers) -> Call:
    """Returns one tensor that it keeps, computed at the first call."""
    kept: list[torch.Tensor] = []

    def call() -> torch.Tensor:
        if not kept:
            kept.append(answer(b.x))
        return kept[0]

    return call


def lazy(b: Buffers) -> Call:
    """Returns a subclass of a tensor."""
    return lambda: answer(b.x).as_subclass(Lazy)


def half(b: Buffers) -> Call:
    """Computes in half precision."""
    return lambda: b.y.copy_(answer(b.x.half()).float())


def out_of_bounds(b: Buffers) -> Call:
    """Writes one element after its output."""
    after = torch.as_strided(b.y, (1,), (1,), b.y.storage_offset() + b.y.numel())

    def call() -> None:
        b.y.copy_(answer(b.x))
        after.fill_(0.0)

    return call


def drifting(b: Buffers) -> Call:
    """Does the work while it is checked, and stops when it is timed."""
    calls = iter(range(PATIENCE))

    def call() -> None:
        if next(calls, None) is not None:
            b.y.copy_(answer(b.x))

    return call


def patched_timer(b: Buffers) -> Call:
    """Does the work, and replaces the function that tells the time."""

    def call() -> None:
        b.y.copy_(answer(b.x))
        time.perf_counter = _stopped

    return call


def other_thread(b: Buffers) -> Call:
    """Leaves the work to a thread that nobody waits for."""

    def work() -> None:
        time.sleep(0.02)
        b.y.copy_(answer(b.x))

    return lambda: threading.Thread(target=work, daemon=True).start()


def side_stream(b: Buffers) -> Call:
    """Leaves the work to a stream that nobody waits for."""
    stream = torch.cuda.Stream()

    def call() -> None:
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)
            b.y.copy_(answer(b.x))

    return call


HONEST = (
    Variant("honest", "Does the work", honest),
    Variant("honest, new", "Does the work in new memory", honest_new),
)

CHEATS = tuple(
    Variant(bind.__name__, (bind.__doc__ or "").rstrip("."), bind)
    for bind in (
        idle,
        constant,
        no_tail,
        accumulating,
        overwriting,
        aliasing,
        cached_by_shape,
        cached_by_address,
        kept_output,
        lazy,
        half,
        out_of_bounds,
        drifting,
        patched_timer,
        other_thread,
    )
)

GPU_CHEATS = (Variant("side_stream", "Leaves the work to another stream", side_stream),)


def _cached(b: Buffers, key: Callable[[], Any]) -> Call:
    known: dict[Any, torch.Tensor] = {}

    def call() -> None:
        if key() not in known:
            known[key()] = answer(b.x)
        b.y.copy_(known[key()])

    return call


def _stopped() -> float:
    return 0.0
