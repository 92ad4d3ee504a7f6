"""Bias and GELU after a matrix product: in kernels of their own, or in the product's epilogue.

The claim: a kernel for the bias and one for the GELU each read and write the whole result,
4 bytes an element in 16 bits.  In the epilogue they cost nothing, for the result is in the
registers there.  With M · N results of depth K, F FLOP/s and BW bytes/s the product takes
2MNK / F and the two kernels 8MN / BW, so the gain is 1 + 4F / (K · BW): much where K is
small, and less and less the deeper the product.  So is the depth from which it hardly pays
foretold.

What could refute it: an epilogue that is not free (a kernel with one may be another, slower
kernel), and a vendor's library that does not fuse what it seems to: the number of kernels is
read from the profiler.  The strongest rival is two kernels: the library adds the bias itself.

The four ways to one kernel: the vendor's epilogue (cuBLASLt, by way of torch), what
torch.compile makes of it, and a product written in Triton with the epilogue in it; whether
that is a gain depends on how near it comes to the library's product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import torch
import torch.nn.functional as F  # noqa: N812
import triton
import triton.language as tl

from demos import profiling
from demos.bootstrap import Estimate
from demos.compiling import compiled
from demos.problem import Buffers, Call, Problem, Variant, empty, normal
from demos.rounds import Timings
from demos.run import Run

DEPTHS = (256, 512, 1024, 2048, 4096, 8192)
DEEP = DEPTHS[-1]
ODD = (300, 264, 136)
"""Rows, columns and depth of the small check: no multiples of a tile."""
SECONDS = 1.0
LITTLE = 0.1
"""The gain from which on it hardly pays."""
ROOT = tl.constexpr(math.sqrt(2 / math.pi))
GROUP = tl.constexpr(8)
"""Tiles of rows that are worked on together, so that their columns are in the cache."""


# 1. The kernel.


@triton.jit
def gelu(x):  # type: ignore[no-untyped-def]
    """GELU by tanh: x (1 + tanh u) / 2 = x / (1 + exp(-2u))."""
    return x / (1.0 + tl.exp((x + 0.044715 * x * x * x) * ROOT * -2.0))


@triton.jit
def product(  # type: ignore[no-untyped-def]
    x,
    w,
    bias,
    y,
    rows,
    columns,
    depth,
    EVEN: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    DEPTH: tl.constexpr,
):
    """y = gelu(x w + bias), a tile of y a program."""
    tall, wide = tl.cdiv(rows, ROWS), tl.cdiv(columns, COLUMNS)
    number = tl.program_id(0)
    first = number // (wide * GROUP) * GROUP
    height = tl.minimum(tall - first, GROUP)
    row = (first + number % (wide * GROUP) % height) * ROWS + tl.arange(0, ROWS)
    column = number % (wide * GROUP) // height * COLUMNS + tl.arange(0, COLUMNS)
    step = tl.arange(0, DEPTH)
    left = x + (row % rows)[:, None] * depth + step[None, :]
    right = w + step[:, None] * columns + (column % columns)[None, :]
    total = tl.zeros([ROWS, COLUMNS], tl.float32)
    for done in range(0, depth, DEPTH):
        if EVEN:
            a, b = tl.load(left), tl.load(right)
        else:
            a = tl.load(left, mask=(step < depth - done)[None, :], other=0.0)
            b = tl.load(right, mask=(step < depth - done)[:, None], other=0.0)
        total = tl.dot(a, b, total, input_precision="ieee")
        left += DEPTH
        right += DEPTH * columns
    total += tl.load(bias + column % columns).to(tl.float32)[None, :]
    at = row.to(tl.int64)[:, None] * columns + column[None, :]
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    tl.store(y + at, gelu(total).to(y.dtype.element_ty), mask=inside)


# 2. The counts, functions of the size.


def result_bytes(rows: int, columns: int, item: int) -> int:
    """One pass over the result."""
    return rows * columns * item


def one_bytes(rows: int, columns: int, depth: int, item: int) -> int:
    """Both factors and the bias read once, the result written once."""
    return item * (rows * depth + depth * columns + columns) + result_bytes(rows, columns, item)


def two_bytes(rows: int, columns: int, depth: int, item: int) -> int:
    """And the GELU reads and writes the result."""
    return one_bytes(rows, columns, depth, item) + 2 * result_bytes(rows, columns, item)


def three_bytes(rows: int, columns: int, depth: int, item: int) -> int:
    """And so does the bias."""
    return one_bytes(rows, columns, depth, item) + 4 * result_bytes(rows, columns, item)


def flops(rows: int, columns: int, depth: int, item: int) -> int:  # noqa: ARG001
    """The product's; what comes after it is left out."""
    return 2 * rows * columns * depth


@dataclass(frozen=True, slots=True)
class Model:
    """What the gain should be, of two measured ceilings."""

    rate: float
    """Of the library's product, FLOP/s."""
    bandwidth: float

    def product(self, task: Problem) -> float:
        """Seconds of the product: FLOPs or bytes, whichever takes longer."""
        return max(flops(**task.size) / self.rate, one_bytes(**task.size) / self.bandwidth)

    def gain(self, task: Problem, passes: int) -> float:
        """Of the epilogue over as many more passes over the result."""
        return 1 + passes * task.outputs["y"].bytes / self.bandwidth / self.product(task)

    def depth_for(self, gain: float, passes: int, item: int) -> float:
        """Depth at which that much is left: gain = passes · item · F / (2 K · BW)."""
        return passes * item * self.rate / (2 * gain * self.bandwidth)


# 3. The variants.


def three_kernels(b: Buffers) -> Call:
    """Product, bias, GELU."""

    def call() -> None:
        torch.mm(b.x, b.w, out=b.t)
        torch.add(b.t, b.bias, out=b.u)
        torch.ops.aten.gelu.out(b.u, approximate="tanh", out=b.y)

    return call


def two_kernels(b: Buffers) -> Call:
    """The library's product with its bias, and GELU."""

    def call() -> None:
        torch.addmm(b.bias, b.x, b.w, out=b.t)
        torch.ops.aten.gelu.out(b.t, approximate="tanh", out=b.y)

    return call


def vendor_epilogue(b: Buffers) -> Call:
    """One call of the vendor's library (on a GPU its GELU is by tanh)."""

    def call() -> None:
        torch._addmm_activation(b.bias, b.x, b.w, use_gelu=True, out=b.y)

    return call


def one_kernel(b: Buffers) -> Call:
    """A product written in Triton, with the epilogue in it."""
    (rows, depth), columns = b.x.shape, b.w.shape[1]
    tile = tile_for(b.device)
    grid = (triton.cdiv(rows, tile["ROWS"]) * triton.cdiv(columns, tile["COLUMNS"]),)
    given = (b.x, b.w, b.bias, b.y, rows, columns, depth, depth % tile["DEPTH"] == 0)

    def call() -> None:
        product[grid](*given, **tile, enable_fp_fusion=True)

    return call


def tile_for(device: torch.device) -> dict[str, int]:
    """The greatest tile of the result that leaves room for three steps of the factors."""
    if device.type == "cuda" and torch.cuda.get_device_capability(device)[0] in (9, 10):
        return {"ROWS": 128, "COLUMNS": 256, "DEPTH": 64, "num_warps": 8, "num_stages": 3}
    return {"ROWS": 128, "COLUMNS": 128, "DEPTH": 32, "num_warps": 8, "num_stages": 3}


def activated(x: torch.Tensor, w: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """The definition: the reference, and what torch.compile is given."""
    return F.gelu(x @ w + bias, approximate="tanh")


THREE = Variant(
    "three kernels", "Product, bias, GELU", three_kernels, three_bytes, flops, baseline=True
)
TWO = Variant(
    "two kernels", "Product with bias, GELU", two_kernels, two_bytes, flops, baseline=True
)
VENDOR = Variant("vendor epilogue", "The vendor's epilogue", vendor_epilogue, one_bytes, flops)
ONE = Variant(
    "one kernel",
    "One Triton kernel",
    one_kernel,
    bytes=one_bytes,
    flops=flops,
    kernels=(product,),
)
ALONE = Variant(
    "product alone",
    "The product, and nothing after it",
    lambda b: lambda: torch.mm(b.x, b.w, out=b.y),
    flops=flops,
    unchecked=True,
)


def by_compiler() -> Variant:
    """The definition under torch.compile."""
    function = compiled(activated)
    return Variant(
        "torch.compile",
        "What torch.compile makes of the definition",
        lambda b: function.bind(b.x, b.w, b.bias),
        flops=flops,
        kernels=(function,),
    )


# 4. The problem, at any size.


def problem(rows: int, columns: int, depth: int, dtype: torch.dtype = torch.bfloat16) -> Problem:
    """Factors such that the products are normally distributed around 0."""
    return Problem(
        inputs={
            "x": normal(rows, depth, dtype=dtype),
            "w": normal(depth, columns, dtype=dtype, std=depth**-0.5),
            "bias": normal(columns, dtype=dtype),
        },
        outputs={"y": empty(rows, columns, dtype=dtype)},
        scratch={name: empty(rows, columns, dtype=dtype) for name in ("t", "u")},
        reference=activated,
        size={"rows": rows, "columns": columns, "depth": depth, "item": dtype.itemsize},
        sliced=("x",),
    )


# 5. The story.


def demo(run: Run) -> None:
    """Predict the gain at every depth, and from which depth on it hardly pays."""
    rows, columns, headline = (run.params[name] for name in ("rows", "columns", "depth"))
    tasks = {depth: problem(rows, columns, depth) for depth in sorted({*DEPTHS, headline})}
    compiler = by_compiler()
    variants = [THREE, TWO, VENDOR, compiler, ONE]
    run.begin([*variants, ALONE], measures=len(tasks))
    model = Model(run.ceiling("bf16 gemm"), run.ceiling("copy bandwidth"))
    _predict(run, model, tasks, headline)
    run.gate([problem(*ODD), tasks[headline]], variants, yardstick=THREE)
    _count_kernels(run, tasks[headline], compiler)
    gains: dict[int, Estimate] = {}
    for depth, task in tasks.items():
        point = {} if depth == headline else {"depth": depth}
        times = run.measure(task, [*variants, ALONE], point=point, seconds=SECONDS)
        gains[depth] = times.ratio(THREE.name, VENDOR.name)
        if depth in (headline, DEEP):
            _conclude(run, times, model, task, "" if depth == headline else "_deep")
    _judge(run, model, tasks, gains)


def _predict(run: Run, model: Model, tasks: Mapping[int, Problem], headline: int) -> None:
    words = "1 + passes · bytes of the result / BW / max(FLOPs / F, bytes / BW)"
    for depth, suffix in ((headline, ""), (DEEP, "_deep")):
        run.predict(f"speedup{suffix}", model.gain(tasks[depth], 4), "×", words)
        run.predict(f"over_two{suffix}", model.gain(tasks[depth], 2), "×", words)
    item = tasks[headline].size["item"]
    run.predict("little_gain_depth", model.depth_for(LITTLE, 4, item), "", "K = 4 F / (0.1 BW)")
    run.predict(
        f"time:{VENDOR.name}", model.product(tasks[headline]), "s", "max(FLOPs/F, bytes/BW)"
    )


def _count_kernels(run: Run, task: Problem, compiler: Variant) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    for metric, variant in (
        ("kernels_unfused", THREE),
        ("kernels_two", TWO),
        ("kernels_fused", VENDOR),
        ("kernels_compiled", compiler),
        ("kernels_triton", ONE),
    ):
        if found := run.kernels(task, variant):
            run.metric(metric, profiling.total(found), "kernels")


def _conclude(run: Run, times: Timings, model: Model, task: Problem, suffix: str) -> None:
    noise = times.noise
    speedup = times.ratio(THREE.name, VENDOR.name)
    expected = model.gain(task, 4)
    run.metric(f"speedup{suffix}", speedup, "×", control=noise)
    run.metric(f"speedup_over_prediction{suffix}", speedup / expected, "", control=noise / expected)
    run.metric(f"over_two{suffix}", times.ratio(TWO.name, VENDOR.name), "×", control=noise)
    compiler = times.ratio("torch.compile", VENDOR.name)
    run.metric(f"over_compiled{suffix}", compiler, "×", control=noise)
    triton_gain = times.ratio(THREE.name, ONE.name)
    run.metric(f"triton_speedup{suffix}", triton_gain, "×", control=noise)
    run.metric(
        f"epilogue_cost{suffix}",
        times.combined(lambda one, alone: one / alone - 1, VENDOR.name, ALONE.name),
        "",
        control=times.combined(lambda three, alone: three / alone - 1, THREE.name, ALONE.name),
        note="time of the vendor's epilogue over the product alone, less 1: 0 if it is free",
    )


def _judge(
    run: Run, model: Model, tasks: Mapping[int, Problem], gains: Mapping[int, Estimate]
) -> None:
    """The whole curve against the formula, and against a gain that would not know the depth."""

    def worst(expected: Callable[[int], float]) -> float:
        return max(abs(gain.value / expected(depth) - 1) for depth, gain in gains.items())

    first = min(gains)
    run.metric(
        "curve_error",
        worst(lambda depth: model.gain(tasks[depth], 4)),
        "",
        control=worst(lambda _: gains[first].value),
        note="greatest deviation of a gain from the formula; control: from the first depth's gain",
    )
    depth = crossing({depth: gain.value - 1 for depth, gain in gains.items()}, LITTLE)
    if depth is not None:
        run.metric("little_gain_depth", depth, "", note=f"where {LITTLE:.0%} is left of the gain")


def crossing(gains: Mapping[int, float], level: float) -> float | None:
    """Depth at which a falling gain passes ``level``, straight between depths in logarithms."""
    points = sorted(gains.items())
    for (shallow, high), (deep, low) in pairwise(points):
        if high >= level > low:
            if low <= 0:
                return float(deep)
            share = math.log(high / level) / math.log(high / low)
            return float(shallow * (deep / shallow) ** share)
    return None
