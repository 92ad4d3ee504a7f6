"""An element-wise chain, y = relu(x·a + b): three kernels, or one.

The claim: three kernels take every element through memory six times (each reads it and
writes it), one kernel twice.  Nothing else changes: the same multiplication, addition and
comparison for each element, in the same order, so not one bit of the result.  Memory is the
only thing that is busy, so the time should follow the bytes: a third.

What could refute it: an intermediate that stays in the cache (small sizes do), launches that
cost more than the bytes (smaller ones), and a compiler that contracts x·a + b into one
multiply-add with one rounding.  The last is the control here: it *must* change bits, and
with a = 2 it would not, since multiplying by a power of two never rounds.

On a CPU the three are torch operations that write into given memory, and the one is
torch.compile's; a fresh allocation for each result would cost more than the computation.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from demos import kernels, nvrtc, profiling
from demos.compiling import compiled
from demos.optional import tl, triton
from demos.problem import Buffers, Call, Problem, Variant, empty, normal
from demos.rounds import Timings
from demos.run import Run

A, B = 1.1, 0.3
FLOAT = 4
"""Bytes."""
BLOCK = 1024
"""Elements a program."""
SMALL = 2**12
ODD = 1_000_003
SWEEP = {"cuda": [2**k for k in range(14, 28, 2)], "cpu": [2**16, 2**20, 2**23]}
SWEEP_SECONDS = {"cuda": 0.3, "cpu": 1.0}


# 1. The kernels, one for each operation ...


@triton.jit
def multiply(x, y, count, a, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = x · a."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(y + at, tl.load(x + at, mask=inside) * a, mask=inside)


@triton.jit
def add(x, y, count, b, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = x + b."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(y + at, tl.load(x + at, mask=inside) + b, mask=inside)


@triton.jit
def relu(x, y, count, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = x where it is positive, else 0."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at, mask=inside)
    tl.store(y + at, tl.where(value > 0, value, 0.0), mask=inside)


# ... and one for all of them.


@triton.jit
def chain(x, y, count, a, b, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = relu(x · a + b); the intermediates never leave the registers."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at, mask=inside) * a + b
    tl.store(y + at, tl.where(value > 0, value, 0.0), mask=inside)


CUDA_CHAIN = r"""
extern "C" __global__ void chain(const float4* x, float4* y, const float* x_tail, float* y_tail,
                                 int quads, int tail, float a, float b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) {
        float4 v = x[i];
        v.x = fmaxf(v.x * a + b, 0.0f);
        v.y = fmaxf(v.y * a + b, 0.0f);
        v.z = fmaxf(v.z * a + b, 0.0f);
        v.w = fmaxf(v.w * a + b, 0.0f);
        y[i] = v;
    }
    if (i < tail) y_tail[i] = fmaxf(x_tail[i] * a + b, 0.0f);
}
"""


# 2. The counts, functions of the size.


def three_bytes(elements: int) -> int:
    """Three kernels, each one read and one write of every element."""
    return 3 * 2 * FLOAT * elements


def one_bytes(elements: int) -> int:
    """One read and one write of every element."""
    return 2 * FLOAT * elements


def flops(elements: int) -> int:
    """A multiplication, an addition and a comparison for every element, however they are cut."""
    return 3 * elements


# 3. The variants.


def three_kernels(b: Buffers) -> Call:
    """Three launches with two intermediates in memory."""
    count = b.x.numel()
    grid = (triton.cdiv(count, BLOCK),)

    def call() -> None:
        multiply[grid](b.x, b.t, count, A, BLOCK, enable_fp_fusion=False)
        add[grid](b.t, b.u, count, B, BLOCK, enable_fp_fusion=False)
        relu[grid](b.u, b.y, count, BLOCK, enable_fp_fusion=False)

    return call


def three_operations(b: Buffers) -> Call:
    """Eager torch, each operation into memory that is already there."""

    def call() -> None:
        torch.mul(b.x, A, out=b.t)
        torch.add(b.t, B, out=b.u)
        torch.clamp_min(b.u, 0.0, out=b.y)

    return call


def one_kernel(b: Buffers) -> Call:
    """One launch; every operation rounds as it does alone."""
    return _one(b, contracted=False)


def contracted_kernel(b: Buffers) -> Call:
    """The same kernel, but the compiler may make one multiply-add of x·a + b."""
    return _one(b, contracted=True)


def _one(b: Buffers, contracted: bool) -> Call:
    count = b.x.numel()
    grid = (triton.cdiv(count, BLOCK),)

    def call() -> None:
        chain[grid](b.x, b.y, count, A, B, BLOCK, enable_fp_fusion=contracted)

    return call


def written(x: torch.Tensor, y: torch.Tensor) -> None:
    """The chain as torch.compile is given it; it writes straight into ``y``."""
    y.copy_(torch.relu(x * A + B))


def cuda_kernel(kernel: nvrtc.Kernel) -> Variant:
    """Four elements a thread, so that every load and store is of 16 bytes."""

    def bind(b: Buffers) -> Call:
        quads, tail = divmod(b.x.numel(), 4)
        x_tail, y_tail = b.x[4 * quads :], b.y[4 * quads :]
        grid = (triton.cdiv(max(quads, 1), 256),)

        def call() -> None:
            kernel(grid, (256,), b.x, b.y, x_tail, y_tail, quads, tail, A, B)

        return call

    return Variant(
        "CUDA C++", "One CUDA C++ kernel", bind, bytes=one_bytes, flops=flops, kernels=(kernel,)
    )


def copied(b: Buffers) -> Call:
    """The least that any kernel can do: read every element once, write every element once."""
    return lambda: b.y.copy_(b.x)


def copied_by_triton(b: Buffers) -> Call:
    """The same by the plainest kernel."""
    return lambda: kernels.copied(b.x, b.y)


OPERATIONS = Variant(
    "three torch ops",
    "Three torch operations with out=",
    three_operations,
    bytes=three_bytes,
    flops=flops,
    baseline=True,
)
THREE = Variant(
    "three kernels",
    "Three Triton kernels",
    three_kernels,
    bytes=three_bytes,
    flops=flops,
    baseline=True,
    kernels=(multiply, add, relu),
)
ONE = Variant(
    "one kernel", "One Triton kernel", one_kernel, bytes=one_bytes, flops=flops, kernels=(chain,)
)
CONTRACTED = Variant(
    "contracted", "One Triton kernel with multiply-add", contracted_kernel, unchecked=True
)
COPY = Variant("copy", "A plain copy by torch", copied, bytes=one_bytes, unchecked=True)
TRITON_COPY = Variant(
    "Triton copy", "A plain copy by Triton", copied_by_triton, bytes=one_bytes, unchecked=True
)


def compiled_chain(cpu: bool) -> Variant:
    """The chain under torch.compile."""
    function = compiled(written, cpu=cpu)
    return Variant(
        "torch.compile",
        "One kernel by torch.compile",
        lambda b: function.bind(b.x, b.y),
        bytes=one_bytes,
        flops=flops,
        kernels=(function,),
    )


# 4. The problem, at any size.


def problem(elements: int) -> Problem:
    """The chain on so many normally distributed numbers."""
    return Problem(
        inputs={"x": normal(elements)},
        outputs={"y": empty(elements)},
        scratch={"t": empty(elements), "u": empty(elements)},
        reference=lambda x: torch.relu(x * A + B),
        size={"elements": elements},
        sliced=("x",),
    )


# 5. The story.


def demo(run: Run) -> None:
    """Predict a third of the time and no changed bit, and measure both."""
    sweep = _sweep(run)
    if run.cuda:
        compiled_one, written_one = compiled_chain(cpu=False), cuda_kernel(_cuda_chain())
        three, one, copies = THREE, ONE, [COPY, TRITON_COPY]
        variants = [THREE, OPERATIONS, ONE, compiled_one, written_one]
        exact = [OPERATIONS, ONE, written_one]
    else:
        three, one, copies = OPERATIONS, compiled_chain(cpu=True), [COPY]
        variants, exact = [OPERATIONS, one], [one]
    run.begin([*variants, *copies], measures=1 + len(sweep))
    full = problem(run.params["elements"])
    expected = _predict(run, full, three, one)
    run.gate([problem(ODD), full], variants, yardstick=three)
    _compare_bits(run, full, three, exact)
    _count_kernels(run, full, three, one)
    times = run.measure(full, [three, *(v for v in variants if v is not three), *copies])
    _conclude(run, times, expected, three, one, copies)
    for elements in sweep:
        _measure_small(run, elements, three, one)


def _sweep(run: Run) -> list[int]:
    """The sizes below the full one; the smallest is always among them."""
    wanted = SWEEP[run.device.type] if run.params["sweep"] else []
    return [SMALL, *(elements for elements in wanted if elements < run.params["elements"])]


def _cuda_chain() -> nvrtc.Kernel:
    return nvrtc.Kernel(CUDA_CHAIN, "chain")


def _predict(run: Run, full: Problem, three: Variant, one: Variant) -> float:
    """From bytes, the copy bandwidth and the cost of a launch, all measured here."""
    bandwidth = run.ceiling("copy bandwidth")
    start = run.ceiling("empty kernel") if run.cuda else 0.0
    slow = three.counted_bytes(full) / bandwidth + 3 * start
    fast = one.counted_bytes(full) / bandwidth + start
    launches = (" + 3 L", " + L") if run.cuda else ("", "")
    run.predict(f"time:{three.name}", slow, "s", f"6 N s / BW{launches[0]}")
    run.predict(f"time:{one.name}", fast, "s", f"2 N s / BW{launches[1]}")
    run.predict("passes_unfused", 6, "passes", "3 kernels, each one read and one write")
    run.predict("passes_fused", 2, "passes", "one read and one write")
    run.predict("differing", 0, "elements", "the same operations in the same order")
    return run.predict("speedup", slow / fast, "×", "time of three over time of one")


def _compare_bits(run: Run, full: Problem, three: Variant, exact: Sequence[Variant]) -> None:
    """Every way against the three; with contraction, which must be seen to differ."""
    differing = sum(run.identical(full, three, other).differing for other in exact)
    against: float | None = None
    if run.cuda:
        against = run.identical(full, three, CONTRACTED, control=True).differing
    run.metric("differing", differing, "elements", control=against)


def _count_kernels(run: Run, full: Problem, three: Variant, one: Variant) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    for metric, variant in (("kernels_unfused", three), ("kernels_fused", one)):
        if found := run.kernels(full, variant):
            run.metric(metric, profiling.total(found), "kernels")


def _conclude(
    run: Run,
    times: Timings,
    expected: float,
    three: Variant,
    one: Variant,
    copies: Sequence[Variant],
) -> None:
    size = {"elements": run.params["elements"]}
    speedup = times.ratio(three.name, one.name)
    run.metric("speedup", speedup, "×", control=times.noise)
    run.metric("speedup_over_prediction", speedup / expected, "", control=times.noise / expected)
    names = [copy.name for copy in copies]
    run.metric(
        "passes_unfused",
        times.combined(lambda t, *copy: 2 * t / min(copy), three.name, *names),
        "passes",
        note="its time × the copy's bandwidth / the array's bytes",
    )
    run.metric(
        "passes_fused",
        times.combined(lambda t, *copy: 2 * t / min(copy), one.name, *names),
        "passes",
        note="its time × the copy's bandwidth / the array's bytes",
    )
    run.metric(
        "copy_share",
        times.combined(lambda t, *copy: min(copy) / t, one.name, *names),
        "",
        control=times.combined(lambda t, *copy: min(copy) / t, three.name, *names),
        note="the fastest copy's time over its time",
    )
    run.metric("bytes_unfused_over_fused", three_bytes(**size) / one_bytes(**size), "×")
    run.metric(
        "flops_unfused_over_fused",
        three.counted_flops(problem(**size)) / one.counted_flops(problem(**size)),
        "×",
    )


def _measure_small(run: Run, elements: int, three: Variant, one: Variant) -> None:
    """One size of the sweep; the smallest shows launches and not bytes."""
    times = run.measure(
        problem(elements),
        [three, one],
        point={"elements": elements},
        seconds=SWEEP_SECONDS[run.device.type],
    )
    if elements == SMALL:
        run.metric(
            "small_speedup",
            times.called_ratio(three.name, one.name),
            "×",
            control=times.called_noise,
            note=f"as called, {elements} elements: launches, not bytes",
        )
