"""The roofline: how long a kernel takes, from its FLOPs a byte alone; and where the knee is.

The claim: a kernel that reads an element, does k multiply-adds on it and writes it takes
max(8 n / BW, 2 k n / F): the memory and the arithmetic work at the same time, so only the
slower of the two counts.  The intensity is 2 k / 8 FLOP a byte.  Below the knee, F / BW,
more arithmetic costs nothing; above it more bytes would not.  Two measured ceilings foretell
every time; at the knee itself both are busy, and the roof is a bound.

What F is, is the trap.  A rate on a data sheet is one of multiply-adds.  The same FLOPs as
multiplications and additions, each rounded by itself, are twice as many instructions, so the
roof is half as high and the knee at half the intensity: the same kernel compiled without
contraction is the control here.

What could refute it: a kernel with too little in flight to keep either side busy, and a limit
that is in neither ceiling.  Power is one: a matrix product of zeros has the same FLOPs and
bytes as one of random numbers, and switches fewer transistors.  How much faster it is, is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
import triton
import triton.language as tl

from demos import kernels
from demos.bootstrap import Estimate
from demos.problem import Buffers, Call, Problem, Variant, empty, filled, normal, uniform
from demos.run import Run

FLOAT = 4
"""Bytes."""
ADDED = tl.constexpr(0.25)
BLOCK = 1024
"""Elements a program."""
FEWEST, MOST = 1, 2048
"""Multiply-adds an element, at both ends of the sweep: 0.25 and 512 FLOP a byte."""
APART = 16
"""How many times as much work, for the growth of the time at either end."""
ODD = 100_003
ODD_STEPS = 5
OCTAVE = 2
"""Within this factor of the knee neither side of the roof is claimed."""
SECONDS = 0.4
SIDE = 8192
"""Of the matrices; half of it on a small GPU."""
REPEATS = 16
"""Products in a row, for the power to settle."""


# 1. The kernel.


@triton.jit
def steps_on(x, y, count, steps, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = x after so many steps v ← v · x / 2 + ¼; each waits for the one before."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at, mask=inside, other=0.0)
    factor = value * 0.5
    for _ in range(steps):
        value = value * factor + ADDED
    tl.store(y + at, value, mask=inside)


# 2. The counts, functions of the size.


def moved_bytes(elements: int, steps: int) -> int:  # noqa: ARG001
    """One read and one write of every element, however much is done to it."""
    return 2 * FLOAT * elements


def flops(elements: int, steps: int) -> int:
    """A multiplication and an addition a step, whether they are one instruction or two."""
    return 2 * steps * elements


def intensity(steps: float) -> float:
    """FLOP a byte."""
    return 2 * steps / (2 * FLOAT)


def steps_at(flops_a_byte: float) -> float:
    """Multiply-adds an element that have this intensity."""
    return flops_a_byte * FLOAT


@dataclass(frozen=True, slots=True)
class Roof:
    """The model: two measured ceilings."""

    rate: float
    """FLOP/s."""
    bandwidth: float

    @property
    def knee(self) -> float:
        """FLOP a byte from which on the arithmetic takes longer."""
        return self.rate / self.bandwidth

    def seconds(self, elements: int, steps: int) -> float:
        """The slower of the two."""
        memory = moved_bytes(elements, steps) / self.bandwidth
        return max(memory, flops(elements, steps) / self.rate)

    def growth(self, elements: int, fewer: int, more: int) -> float:
        """How many times as long the greater work takes."""
        return self.seconds(elements, more) / self.seconds(elements, fewer)


# 3. The variants.


def stepped(contracted: bool) -> Callable[[Buffers], Call]:
    """One launch, with or without contraction of multiplication and addition."""

    def bind(b: Buffers) -> Call:
        count, steps = b.x.numel(), b.problem.size["steps"]
        grid = (triton.cdiv(count, BLOCK),)

        def call() -> None:
            steps_on[grid](b.x, b.y, count, steps, BLOCK, enable_fp_fusion=contracted)

        return call

    return bind


def repeated(product: Callable[[Buffers], Call]) -> Callable[[Buffers], Call]:
    """A product so often in a row."""

    def bind(b: Buffers) -> Call:
        once = product(b)

        def call() -> None:
            for _ in range(REPEATS):
                once()

        return call

    return bind


def products_flops(side: int) -> int:
    """Of all the products in a row."""
    return REPEATS * 2 * side**3


ADDS = Variant(
    "multiply-add", "Multiply-adds", stepped(True), moved_bytes, flops, kernels=(steps_on,)
)
TWOS = Variant(
    "multiply, add",
    "Multiplications and additions",
    stepped(False),
    moved_bytes,
    flops,
    baseline=True,
    kernels=(steps_on,),
)
COPY = Variant(
    "copy", "A plain copy by torch", lambda b: lambda: b.y.copy_(b.x), moved_bytes, unchecked=True
)
TRITON_COPY = Variant(
    "Triton copy",
    "A plain copy by Triton",
    lambda b: lambda: kernels.copied(b.x, b.y),
    moved_bytes,
    unchecked=True,
)
PRODUCT = Variant(
    "product",
    "bf16 products of random numbers",
    repeated(lambda b: lambda: torch.mm(b.a, b.b, out=b.y)),
    flops=products_flops,
    baseline=True,
)
ZEROS = Variant(
    "product of zeros",
    "bf16 products of zeros",
    repeated(lambda b: lambda: torch.mm(b.no_a, b.no_b, out=b.nothing)),
    flops=products_flops,
    unchecked=True,
)


# 4. The problems, at any size.


def problem(elements: int, steps: int) -> Problem:
    """So many steps on numbers in [0, 1), for which they converge."""
    return Problem(
        inputs={"x": uniform(elements)},
        outputs={"y": empty(elements)},
        reference=lambda x: stepped_at_once(x, steps),
        size={"elements": elements, "steps": steps},
        sliced=("x",),
    )


def stepped_at_once(x: torch.Tensor, steps: int) -> torch.Tensor:
    """The closed form of the steps: a geometric series, f^k (x - r) + r with r = ¼ / (1 - f)."""
    factor = x / 2
    rest = ADDED.value / (1 - factor)
    return factor**steps * (x - rest) + rest


def products_of(side: int) -> Problem:
    """A matrix product of normally distributed numbers, and one of zeros."""
    shape, dtype = (side, side), torch.bfloat16
    return Problem(
        inputs={
            **{name: normal(*shape, dtype=dtype) for name in ("a", "b")},
            **{name: filled(*shape, value=0.0, dtype=dtype) for name in ("no_a", "no_b")},
        },
        outputs={"y": empty(*shape, dtype=dtype)},
        scratch={"nothing": empty(*shape, dtype=dtype)},
        reference=lambda a, b, no_a, no_b: a @ b,  # noqa: ARG005
        size={"side": side},
        sliced=("a",),
    )


# 5. The story.


def demo(run: Run) -> None:
    """Predict the whole curve and its knee from two ceilings, and measure it."""
    elements = run.params["elements"]
    run.begin([ADDS, TWOS, COPY, TRITON_COPY, PRODUCT, ZEROS], measures=2 + len(powers()))
    roof = Roof(run.ceiling("fp32 fma"), run.ceiling("copy bandwidth"))
    _predict(run, roof, elements)
    odd = [problem(ODD, ODD_STEPS), problem(BLOCK - 1, FEWEST)]
    run.gate([*odd, problem(elements, MOST)], [ADDS, TWOS], yardstick=TWOS)
    at_knee = min(MOST, max(FEWEST, round(steps_at(roof.knee))))
    curves: dict[str, dict[int, Estimate]] = {ADDS.name: {}, TWOS.name: {}}
    for steps in sorted({*powers(), at_knee}):
        copies = [COPY, TRITON_COPY] if steps == FEWEST else []
        times = run.measure(
            problem(elements, steps),
            [TWOS, ADDS, *copies],
            point={"intensity": intensity(steps)},
            again=ADDS,
            seconds=SECONDS,
        )
        for name, curve in curves.items():
            curve[steps] = times[name]
        if copies:
            copied = (ADDS.name, *(copy.name for copy in copies))
            share = times.combined(lambda t, *copy: min(copy) / t, *copied)
            run.metric("copy_share", share, "", note=f"{FEWEST} multiply-add an element")
    _conclude(run, roof, elements, curves, at_knee)
    _weigh_zeros(run)


def powers() -> list[int]:
    """Multiply-adds an element, each twice the one before."""
    return [FEWEST << k for k in range((MOST // FEWEST).bit_length())]


def _predict(run: Run, roof: Roof, elements: int) -> None:
    run.predict("knee", roof.knee, "FLOP/B", "F / BW")
    run.predict("knee_uncontracted", roof.knee / 2, "FLOP/B", "F / 2 BW: twice the instructions")
    words = "max(8 n / BW, 2 k n / F), of the greater work over the lesser"
    below, above = _ends()
    run.predict("growth_below", roof.growth(elements, *below), "×", words)
    run.predict("growth_above", roof.growth(elements, *above), "×", words)
    run.predict("excess_at_knee", 1, "×", "memory and arithmetic at the same time")
    run.predict("rate_over_ceiling", 1, "", "above the knee only the arithmetic counts")
    run.predict("zeros_speedup", 1, "×", "the same FLOPs and the same bytes")


def _ends() -> tuple[tuple[int, int], tuple[int, int]]:
    """The least work and a multiple of it, the same multiple of which is the most."""
    return (FEWEST, FEWEST * APART), (MOST // APART, MOST)


def _conclude(
    run: Run,
    roof: Roof,
    elements: int,
    curves: Mapping[str, Mapping[int, Estimate]],
    at_knee: int,
) -> None:
    adds, twos = curves[ADDS.name], curves[TWOS.name]
    knee, knee_of_twos = knee_of(adds), knee_of(twos)
    where = "where the flat and the steep part meet"
    run.metric("knee", knee, "FLOP/B", control=knee_of_twos, note=where)
    run.metric("knee_uncontracted", knee_of_twos, "FLOP/B", control=knee, note=where)
    below, above = (over(adds[more], adds[fewer]) for fewer, more in _ends())
    work = f"time for {APART} times the work"
    run.metric("growth_below", below, "×", control=above, note=f"{work}, below the knee")
    run.metric("growth_above", above, "×", control=below, note=f"{work}, above the knee")
    excess = adds[at_knee] / roof.seconds(elements, at_knee)
    run.metric("excess_at_knee", excess, "×", note=f"over the roof, at {at_knee} multiply-adds")
    rate = flops(elements, MOST) / adds[MOST]
    rate_of_twos = flops(elements, MOST) / twos[MOST]
    run.metric("rate", rate, "FLOP/s", control=rate_of_twos)
    control = rate_of_twos / roof.rate
    run.metric("rate_over_ceiling", rate / roof.rate, "", control=control)
    memory = roof.seconds(elements, 0)
    run.metric(
        "curve_error",
        worst(adds, roof.knee, lambda steps: roof.seconds(elements, steps)),
        "",
        control=worst(adds, roof.knee, lambda _: memory),
        note="greatest deviation from the roof, an octave off the knee; control: from bytes alone",
    )


def _weigh_zeros(run: Run) -> None:
    """What no count of FLOPs and bytes knows."""
    task = products_of(SIDE if run.machine.multiprocessors >= 80 else SIDE // 2)
    run.gate(task, [PRODUCT], yardstick=PRODUCT)
    times = run.measure(task, [PRODUCT, ZEROS], seconds=2 * SECONDS, clocks=("device",))
    gain = times.ratio(PRODUCT.name, ZEROS.name)
    run.metric("zeros_speedup", gain, "×", control=times.noise, note=f"{REPEATS} products in a row")


def knee_of(curve: Mapping[int, Estimate]) -> Estimate:
    """Intensity at which the time of the least work and the rate of the most work meet."""
    fewest, most = min(curve), max(curve)
    return over(curve[fewest], curve[most]) * intensity(most)


def worst(curve: Mapping[int, Estimate], knee: float, expected: Callable[[int], float]) -> float:
    """Greatest deviation of a curve from what was expected, an octave or more off the knee."""
    return max(
        abs(time.value / expected(steps) - 1)
        for steps, time in curve.items()
        if abs(math.log2(intensity(steps) / knee)) >= math.log2(OCTAVE)
    )


def over(one: Estimate, other: Estimate) -> Estimate:
    """The ratio of two times that were not measured in the same rounds: the widest interval."""
    return Estimate(one.value / other.value, one.low / other.high, one.high / other.low)
