"""Attention in three kernels (product, softmax, product) or in one that never stores the scores.

The claim: unfused, a matrix of length × length scores a head is written, read, written again
as weights and read again, and memory grows by its square.  The one kernel walks over the keys
with a running maximum and a running sum (online softmax), so that the scores live and die in
registers: memory grows with the length alone, and the time is that of the two products.
The arithmetic is not less, by a single multiplication; it is a little more.

What could refute it: short lengths, whose scores fit in the cache.  And the result has other
bits, since the sums go in another order and the weights are rounded before they are divided
by their sum; the claim is only that the error against float64 is no greater.

The Triton kernel here is the plain one of the papers, without the overlap of the library's;
how much that is worth is one of the results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F  # noqa: N812
import triton
import triton.language as tl
from torch.nn.attention import SDPBackend, sdpa_kernel

from demos import profiling
from demos.compiling import compiled
from demos.problem import Buffers, Call, Problem, Variant, empty, normal
from demos.rounds import Timings
from demos.run import Run

WIDTH = {"cuda": 128, "cpu": 64}
DTYPE = {"cuda": torch.bfloat16, "cpu": torch.float32}
ODD = 500
"""A length that no tile divides."""
SHORTEST = {"cuda": 1024, "cpu": 256}
SECONDS = {"cuda": 1.5, "cpu": 1.5}
ROWS, COLUMNS = 128, 64
"""Queries a program, and keys a step."""
WARPS, STAGES = 8, 3
"""Warps a program, and most steps whose keys and values are on their way at a time."""
LOG2_E = 1 / math.log(2)


# 1. The kernel.


@triton.jit
def attend(  # type: ignore[no-untyped-def]
    q,
    k,
    v,
    y,
    length,
    scale,
    EVEN: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    """y = softmax(q kᵀ · scale) v for some queries of one head; ``scale`` is for powers of two."""
    start = tl.program_id(1).to(tl.int64) * length * WIDTH
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    place = tl.arange(0, WIDTH)[None, :]
    at = start + row[:, None] * WIDTH + place
    query = tl.load(q + at, mask=(row < length)[:, None], other=0.0)
    greatest = tl.full([ROWS], -float("inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    found = tl.zeros([ROWS, WIDTH], tl.float32)
    for first in range(0, length, COLUMNS):
        here = start + (first + column)[:, None] * WIDTH + place
        if EVEN:
            keys = tl.load(k + here)
            values = tl.load(v + here)
        else:
            inside = (first + column < length)[:, None]
            keys = tl.load(k + here, mask=inside, other=0.0)
            values = tl.load(v + here, mask=inside, other=0.0)
        scores = tl.dot(query, tl.trans(keys), input_precision="ieee") * scale
        if not EVEN:
            scores = tl.where((first + column < length)[None, :], scores, -float("inf"))
        above = tl.maximum(greatest, tl.max(scores, 1))
        power = tl.exp2(scores - above[:, None])
        shrink = tl.exp2(greatest - above)
        total = total * shrink + tl.sum(power, 1)
        weights = power.to(values.dtype)
        found = tl.dot(weights, values, found * shrink[:, None], input_precision="ieee")
        greatest = above
    found /= total[:, None]
    tl.store(y + at, found.to(y.dtype.element_ty), mask=(row < length)[:, None])


# 2. The counts, functions of the size.


def tensors_bytes(heads: int, length: int, width: int, item: int) -> int:
    """Queries, keys and values read once, the result written once."""
    return 4 * heads * length * width * item


def unfused_bytes(heads: int, length: int, width: int, item: int) -> int:
    """That, and the scores and the weights, each written and read."""
    return tensors_bytes(heads, length, width, item) + 4 * heads * length**2 * item


def flops(heads: int, length: int, width: int, item: int) -> int:  # noqa: ARG001
    """Two products; the softmax is left out."""
    return 2 * 2 * heads * length**2 * width


# 3. The variants.


def three_kernels(b: Buffers) -> Call:
    """Product with its scale, softmax, product, into memory that is already there."""
    transposed, scale = b.k.transpose(1, 2), b.q.shape[-1] ** -0.5

    def call() -> None:
        torch.baddbmm(b.scores, b.q, transposed, beta=0, alpha=scale, out=b.scores)
        torch.softmax(b.scores, -1, out=b.weights)
        torch.bmm(b.weights, b.v, out=b.y)

    return call


def one_kernel(b: Buffers) -> Call:
    """One launch."""
    heads, length, width = b.q.shape
    grid = (triton.cdiv(length, ROWS), heads)
    given = (b.q, b.k, b.v, b.y, length, width**-0.5 * LOG2_E)
    shape = (length % COLUMNS == 0, width, ROWS, COLUMNS)
    stages = STAGES if b.device.type == "cpu" else stages_for(_shared(b.device), width)
    options = {"num_warps": WARPS, "num_stages": stages, "enable_fp_fusion": True}

    def call() -> None:
        attend[grid](*given, *shape, **options)

    return call


def stages_for(shared: int, width: int) -> int:
    """As many steps ahead as shared memory has room for, beside the queries, in 16 bits."""
    rows = shared // (2 * width)
    return max(1, min(STAGES, (rows - ROWS) // (2 * COLUMNS)))


def _shared(device: torch.device) -> int:
    """Bytes that one block may have."""
    return int(torch.cuda.get_device_properties(device).shared_memory_per_block_optin)


def library(b: Buffers) -> Call:
    """Torch's attention, whichever of its kernels it takes."""
    q, k, v = b.q[None], b.k[None], b.v[None]
    return lambda: F.scaled_dot_product_attention(q, k, v)[0]


def library_flash(b: Buffers) -> Call:
    """Torch's attention, by its FlashAttention."""
    q, k, v = b.q[None], b.k[None], b.v[None]

    def call() -> torch.Tensor:
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            return F.scaled_dot_product_attention(q, k, v)[0]

    return call


def attended(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The definition, as torch.compile is given it."""
    return torch.softmax(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, -1) @ v


THREE = Variant(
    "three kernels",
    "Product, softmax, product",
    three_kernels,
    bytes=unfused_bytes,
    flops=flops,
    baseline=True,
)
ONE = Variant(
    "one kernel",
    "One Triton kernel with online softmax",
    one_kernel,
    bytes=tensors_bytes,
    flops=flops,
    kernels=(attend,),
)
LIBRARY = Variant("SDPA", "Torch's attention", library, bytes=tensors_bytes, flops=flops)
FLASH = Variant("flash", "Torch's FlashAttention", library_flash, bytes=tensors_bytes, flops=flops)


def by_compiler(cpu: bool) -> Variant:
    """The definition under torch.compile."""
    function = compiled(attended, cpu=cpu)
    return Variant(
        "torch.compile",
        "What torch.compile makes of the definition",
        lambda b: function.bind(b.q, b.k, b.v),
        flops=flops,
        kernels=(function,),
    )


# 4. The problem, at any size.


def problem(heads: int, length: int, width: int, dtype: torch.dtype) -> Problem:
    """Every query of every head looks at every key of it."""
    return Problem(
        inputs={name: normal(heads, length, width, dtype=dtype) for name in ("q", "k", "v")},
        outputs={"y": empty(heads, length, width, dtype=dtype)},
        scratch={name: empty(heads, length, length, dtype=dtype) for name in ("scores", "weights")},
        reference=_head_by_head,
        size={"heads": heads, "length": length, "width": width, "item": dtype.itemsize},
    )


def _head_by_head(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """All scores in float64 at once would not fit everywhere."""
    return torch.stack([attended(*one) for one in zip(q, k, v, strict=True)])


# 5. The story.


def demo(run: Run) -> None:
    """Predict time and growth of memory from bytes and FLOPs, and measure them over lengths."""
    kind = run.device.type
    heads, longest = run.params["heads"], run.params["length"]
    tasks = {n: problem(heads, n, WIDTH[kind], DTYPE[kind]) for n in _lengths(kind, longest)}
    compiler = by_compiler(cpu=not run.cuda)
    variants = [THREE, FLASH, LIBRARY, compiler, *([ONE] if run.cuda else [])]
    run.begin(variants, measures=len(tasks))
    _predict(run, tasks[longest])
    short = tasks[min(tasks)]
    odd = problem(2, ODD, WIDTH[kind], DTYPE[kind])
    run.gate([odd, short], variants, yardstick=THREE)
    found, itself = (
        run.identical(short, THREE, other, control=other is FLASH) for other in (FLASH, THREE)
    )
    run.metric("differing_share", found.differing / found.of, "", control=itself.differing)
    if run.cuda:
        _grow(run, list(tasks.values()))
        _count_kernels(run, tasks[longest])
    for length, task in tasks.items():
        point = {} if length == longest else {"length": length}
        times = run.measure(task, variants, point=point, seconds=SECONDS[kind])
        if length in (longest, min(tasks)):
            _conclude(run, task, times, variants, "" if length == longest else "_short")


def _lengths(kind: str, longest: int) -> list[int]:
    """The shortest, then four times as long each, and the longest."""
    lengths, length = [], SHORTEST[kind]
    while length < longest:
        lengths.append(length)
        length *= 4
    return [*lengths, longest]


def _predict(run: Run, task: Problem) -> None:
    """From bytes and, where there is a ceiling for it, the rate of the library's products."""
    run.predict("flops_unfused_over_fused", 1, "×", "the same two products")
    bandwidth = run.ceiling("copy bandwidth")
    if not run.cuda:
        return
    run.predict("memory_growth_unfused", 4, "×", "scores: twice the length, four times the memory")
    run.predict("memory_growth_fused", 2, "×", "result: twice the length, twice the memory")
    products = flops(**task.size) / run.ceiling("bf16 gemm")
    slow = products + 4 * task.scratch["scores"].bytes / bandwidth
    run.predict("time:three kernels", slow, "s", "FLOPs / F + 4 passes over the scores / BW")
    run.predict("time:flash", products, "s", "FLOPs / F: as fast as a plain product at best")
    run.predict("speedup", slow / products, "×", "1 + time of the passes / time of the products")


def _grow(run: Run, tasks: Sequence[Problem]) -> None:
    """Memory that a call needs beside its inputs, at the shortest and the longest."""
    shortest, longest = tasks[0], tasks[-1]
    doublings = math.log2(longest.size["length"] / shortest.size["length"])
    growth, most = {}, {}
    for name, attention in (("unfused", attended), ("fused", _library)):
        least, most[name] = (_extra_bytes(run, task, attention) for task in (shortest, longest))
        growth[name] = (most[name] / least) ** (1 / doublings)
    run.metric("memory_growth_unfused", growth["unfused"], "×", note="for twice the length")
    run.metric(
        "memory_growth_fused",
        growth["fused"],
        "×",
        control=growth["unfused"],
        note="for twice the length",
    )
    run.metric("memory_unfused_over_fused", most["unfused"] / most["fused"], "×")


def _library(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return F.scaled_dot_product_attention(q[None], k[None], v[None])


def _extra_bytes(run: Run, task: Problem, attention: Callable[..., torch.Tensor]) -> int:
    run.stage("weighing memory")
    heads, length, width, _ = task.size.values()
    drawn = [torch.randn(heads, length, width, device=run.device) for _ in "qkv"]
    inputs = [tensor.to(task.outputs["y"].dtype) for tensor in drawn]
    del drawn
    attention(*inputs)  # whatever a first call sets up is not counted
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    attention(*inputs)
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def _count_kernels(run: Run, task: Problem) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    for side, variant in (("unfused", THREE), ("fused", ONE)):
        if found := run.kernels(task, variant):
            run.metric(f"kernels_{side}", profiling.total(found), "kernels")


def _conclude(
    run: Run, task: Problem, times: Timings, variants: Sequence[Variant], suffix: str
) -> None:
    noise, names = times.noise, [variant.name for variant in variants]
    run.metric(f"speedup{suffix}", times.ratio(THREE.name, FLASH.name), "×", control=noise)
    compiler = times.ratio("torch.compile", FLASH.name)
    run.metric(f"over_compiled{suffix}", compiler, "×", control=noise)
    if ONE.name in names:
        kernel = times.ratio(THREE.name, ONE.name)
        run.metric(f"kernel_speedup{suffix}", kernel, "×", control=noise)
        libraries = (FLASH.name, LIBRARY.name, ONE.name)
        run.metric(
            f"kernel_over_library{suffix}",
            times.combined(lambda *t: min(t[:-1]) / t[-1], *libraries),
            "×",
            note="the library's fastest over the plain Triton kernel",
        )
    if not suffix:
        arithmetic = THREE.counted_flops(task) / FLASH.counted_flops(task)
        run.metric("flops_unfused_over_fused", arithmetic, "×")
        run.metric("rate", times.combined(lambda t: flops(**task.size) / t, FLASH.name), "FLOP/s")
