"""Shared memory: a fusion that loses, since its blocks take so much that few of them fit.

The claim: two kernels, one that walks from row to row and writes what it sees, and one that
counts the numbers of each walker into bins, move every row three times; fused, once.  By the
bytes the one kernel is three times as fast, however many bins there are.  But the walk waits
for memory at every step (``walking``), and what it gets is warps at once × 128 bytes /
latency.  Each lane counts into bins of its own, 32 · 4 bytes of shared memory a bin and warp:
no atomics and no bank conflicts, and the more bins, the fewer blocks fit a multiprocessor.
The second kernel alone does not mind: it knows its addresses and reads ahead.

How many bins there are is said at the launch, so every point runs the same machine code, with
the same registers.  What is left to blame is what a step does with more bins; so the kernel
with the fewest bins is given the shared memory of each of the others, touches none of it, and
must be as slow as they are.  That is the control of the cause.

The way out is measured beside it: a lane counts at most as far as there are steps, so a byte
a bin will do, and four times as many blocks fit.

Counts are whole numbers, so nothing is rounded and no output may differ.  A kernel that leaves
out the last step is the control of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from demos import profiling, walking
from demos.failures import Unsupported
from demos.inspection import RESERVED_SHARED, limits_of, occupancy
from demos.nvrtc import Kernel
from demos.problem import Buffers, Call, Problem, Variant, empty
from demos.rounds import Timings
from demos.run import Run
from demos.walking import (
    ALONE,
    CROWDED,
    HEAD,
    LANES,
    ONE,
    THREADS,
    TWO,
    WARPS,
    Costs,
    Expected,
    grid_of,
)

FEW = 4
SWEEP = (FEW, 8, 16, 32, 64, 96, 128)
"""Bins."""
NARROW = "one kernel, counts of a byte"
ODD = (37, 7)
"""Walkers and steps of the small check: no whole blocks, and no whole reads ahead."""
SECONDS = 0.5
REACH = 4.0
"""The bins divide [-4, 4); what lies beyond is counted at the ends."""
WORD, BYTE = 4, 1
MOST_IN_A_BYTE = 255
AHEAD = 8
"""Rows that the second kernel has asked for while it works on as many."""
WORK = 27
"""Instructions a row: the load, the next row, which bin, one more in it, the loop (on
Hopper)."""


# 1. The kernels.

BINS = (
    HEAD
    + f"#define AHEAD {AHEAD}\n"
    + r"""
#ifndef COUNT
#define COUNT int
#endif
extern __shared__ int room[];

// A column of bins for each lane, so that no two lanes meet in one: not in a bank either.
__device__ __forceinline__ COUNT* emptied(int bins) {
    COUNT* own = (COUNT*)room + (threadIdx.x >> 5) * bins * 32;
    #pragma unroll 4
    for (int b = 0; b < bins; ++b) own[b * 32 + lane()] = 0;
    return own;
}

__device__ __forceinline__ void take(COUNT* own, int word, int bins) {
    float place = __fmul_rn(__fadd_rn(__int_as_float(word), 4.0f), bins * 0.125f);
    int bin = min(max((int)place, 0), bins - 1);
    if (lane() < 31) own[bin * 32 + lane()] += 1;
}

__device__ __forceinline__ void add_up(const COUNT* own, int* y, int bins) {
    __syncwarp();
    for (int b = lane(); b < bins; b += 32) {
        int sum = 0;
        #pragma unroll 4
        for (int l = 0; l < 32; ++l) sum += own[b * 32 + ((l + lane()) & 31)];
        y[b] = sum;
    }
}
"""
)

APART = (
    BINS
    + r"""
extern "C" __global__ void __launch_bounds__(256)
count(const int* __restrict__ seen, int* __restrict__ y, int walkers, int steps, int bins) {
    int w = walker();
    if (w >= walkers) return;
    COUNT* own = emptied(bins);
    const int* from = seen + at(w);
    long long apart = 32LL * walkers;
    int word[AHEAD];
    #pragma unroll
    for (int u = 0; u < AHEAD; ++u) word[u] = u < steps ? from[u * apart] : 0;
    #pragma unroll 1
    for (int s = 0; s < steps; s += AHEAD) {
        int later[AHEAD];
        from += AHEAD * apart;
        #pragma unroll
        for (int u = 0; u < AHEAD; ++u) later[u] = s + AHEAD + u < steps ? from[u * apart] : 0;
        #pragma unroll
        for (int u = 0; u < AHEAD; ++u) if (s + u < steps) take(own, word[u], bins);
        #pragma unroll
        for (int u = 0; u < AHEAD; ++u) word[u] = later[u];
    }
    add_up(own, y + (long long)w * bins, bins);
}
"""
)
"""The second of two kernels: it has asked for the next rows while it works on these."""

FUSED = (
    BINS
    + r"""
extern "C" __global__ void __launch_bounds__(256)
fused(const int* __restrict__ table, int* __restrict__ y, int walkers, int steps, int bins) {
    int w = walker();
    if (w >= walkers) return;
    COUNT* own = emptied(bins);
    int word = table[at(w)];
    #pragma unroll 1
    for (int s = 0; s < steps; ++s) {
        int later = s + 1 < steps ? table[at(next_of(word))] : 0;
        take(own, word, bins);
        word = later;
    }
    add_up(own, y + (long long)w * bins, bins);
}
"""
)
"""The one kernel: it too asks for the next row before it works on this one."""


# 2. The counts, functions of the size.


def block_bytes(bins: int, item: int = WORD) -> int:
    """Shared memory of a block: a column of bins for each of its lanes."""
    return bins * LANES * WARPS * item


def two_bytes(walkers: int, steps: int, bins: int) -> int:
    """Every row read, written and read back, and the counts."""
    rows = walking.walk_bytes(walkers, steps) + walking.table_bytes(walkers, steps)
    return rows + walkers * bins * WORD


def one_bytes(walkers: int, steps: int, bins: int) -> int:
    """Every row read, and the counts."""
    return walking.table_bytes(walkers, steps) + walkers * bins * WORD


@dataclass(frozen=True, slots=True)
class Model:
    """What both ways should take, by Little's law and by nothing but bytes."""

    costs: Costs

    def fused(self, task: Problem, blocks: int) -> float:
        """Seconds of the one kernel, so many blocks of which fit a multiprocessor."""
        walkers, steps = task.size["walkers"], task.size["steps"]
        return self.costs.walking(walkers, steps, blocks, WORK, one_bytes(**task.size))

    def two(self, task: Problem, walk_blocks: int, count_blocks: int) -> float:
        """Seconds of the two."""
        walkers, steps = task.size["walkers"], task.size["steps"]
        return self.costs.walking(
            walkers, steps, walk_blocks, WORK, walking.walk_bytes(walkers, steps)
        ) + self.costs.streaming(walkers * steps, count_blocks, WORK, AHEAD, one_bytes(**task.size))

    def fused_by_bytes(self, task: Problem) -> float:
        """Seconds of the one kernel, were it bound by its bytes."""
        return one_bytes(**task.size) / self.costs.random


# 3. The variants.


@dataclass(frozen=True, slots=True)
class Kernels:
    """All there are; the same for every number of bins."""

    walk: Kernel
    count: Kernel
    fused: Kernel
    narrow: Kernel
    """As ``fused``, with counts of a byte."""

    def blocks(self, bins: int) -> int:
        """Of the one kernel, on a multiprocessor at once, as the driver says."""
        return self.fused.blocks(THREADS, block_bytes(bins))


def kernels_for(bins: int) -> Kernels:
    """Compile them, to be launched with up to so many bins."""
    most = block_bytes(bins)
    return Kernels(
        walking.walk_kernel(),
        walking.compiled(APART, "count", shared=most),
        walking.compiled(FUSED, "fused", shared=most),
        walking.compiled(FUSED, "fused", "-DCOUNT=unsigned char", shared=most),
    )


def two_kernels(walk: Kernel, count: Kernel) -> Variant:
    """The walk, and then the counts."""

    def bind(b: Buffers) -> Call:
        walkers, steps, bins = b.problem.size.values()
        grid = grid_of(walkers)

        def call() -> None:
            walk(grid, (THREADS,), b.table, b.seen, walkers, steps)
            given = (b.seen, b.y, walkers, steps, bins)
            count(grid, (THREADS,), *given, shared=block_bytes(bins))

        return call

    return Variant(
        TWO,
        "The walk, then the counts",
        bind,
        bytes=two_bytes,
        baseline=True,
        kernels=(walk, count),
    )


def one_kernel(kernel: Kernel) -> Variant:
    """The bins in the shared memory of the block that walks."""
    return Variant(ONE, "Both in one", _fused(kernel), bytes=one_bytes, kernels=(kernel,))


def narrow(kernel: Kernel) -> Variant:
    """The same in a quarter of the memory."""
    bind = _fused(kernel, item=BYTE)
    return Variant(
        NARROW, "Both in one, a byte a bin and lane", bind, bytes=one_bytes, kernels=(kernel,)
    )


def frugal(kernel: Kernel) -> Variant:
    """Few bins, however many the problem asks for; writes beside the result."""
    return Variant(
        ALONE,
        f"Both in one, {FEW} bins",
        _fused(kernel, bins=FEW, output="spare"),
        bytes=one_bytes,
        kernels=(kernel,),
        unchecked=True,
    )


def crowded(kernel: Kernel) -> Variant:
    """The same with the shared memory of as many bins as the problem asks for."""
    return Variant(
        CROWDED,
        f"Both in one, {FEW} bins, crowded out by unused shared memory",
        _fused(kernel, bins=FEW, output="spare", padded=True),
        bytes=one_bytes,
        kernels=(kernel,),
        unchecked=True,
    )


def short(kernel: Kernel) -> Variant:
    """The control of the counts: the last step is left out."""
    return Variant(
        "a step short", "Both in one, one step too few", _fused(kernel, fewer=1), unchecked=True
    )


def _fused(
    kernel: Kernel,
    bins: int = 0,
    output: str = "y",
    item: int = WORD,
    padded: bool = False,
    fewer: int = 0,
) -> Callable[[Buffers], Call]:
    """``bins`` instead of the problem's; ``padded`` takes the problem's shared memory for them."""

    def bind(b: Buffers) -> Call:
        walkers, steps, asked = b.problem.size.values()
        own = bins or asked
        shared = block_bytes(asked if padded else own, item)
        grid, given = grid_of(walkers), (b.table, getattr(b, output), walkers, steps - fewer, own)

        def call() -> None:
            kernel(grid, (THREADS,), *given, shared=shared)

        return call

    return bind


# 4. The problem, at any size.


def problem(walkers: int, steps: int, bins: int) -> Problem:
    """A walk, and how many of a walker's 31 · steps numbers are in each bin."""

    def reference(table: torch.Tensor) -> torch.Tensor:
        total = torch.zeros(walkers, bins, dtype=torch.int32, device=table.device)
        one = torch.ones(walkers, LANES - 1, dtype=torch.int32, device=table.device)
        for values in walking.payloads(table, walkers, steps):
            place = (values[:, : LANES - 1] + REACH) * (bins / (2 * REACH))
            bin_ = place.int().clamp(0, bins - 1).long()
            total.scatter_add_(1, bin_, one)
        return total

    return Problem(
        inputs={"table": walking.cycle(walkers, steps)},
        outputs={"y": empty(walkers, bins, dtype=torch.int32)},
        scratch={
            "seen": walking.seen(walkers, steps),
            "spare": empty(walkers, FEW, dtype=torch.int32),
        },
        reference=reference,
        size={"walkers": walkers, "steps": steps, "bins": bins},
    )


# 5. The story.


def demo(run: Run) -> None:
    """Predict where fusing wins and where it loses, and measure both, and why."""
    most = run.params["bins"]
    _need(run, most)
    sweep = sorted({FEW, most, *(SWEEP if run.params["sweep"] else ())})
    sweep = [bins for bins in sweep if _fits(run, bins)]
    walkers, steps = walking.walkers_for(run), run.params["steps"]
    tasks = {bins: problem(walkers, steps, bins) for bins in sweep}
    kernels = kernels_for(max(sweep))
    two, one = two_kernels(kernels.walk, kernels.count), one_kernel(kernels.fused)
    variants = [two, one, crowded(kernels.fused)]
    headline = [*variants, frugal(kernels.fused), narrow(kernels.narrow)]
    run.begin(headline, measures=len(sweep))
    model = Model(walking.measured_costs(run, tasks[FEW]))
    expected = _predict(run, model, tasks, kernels)
    _check(run, tasks, two, one, headline[-1], short(kernels.fused))
    _count(run, tasks[most], kernels, two, one)
    found = {most: run.measure(tasks[most], headline, seconds=2 * SECONDS)}
    for bins in sweep:
        if bins != most:
            point = {"bins": bins}
            found[bins] = run.measure(tasks[bins], variants, point=point, seconds=SECONDS)
    walking.conclude(run, expected, found, FEW, most)
    _conclude_narrow(run, found[most])


def _fits(run: Run, bins: int) -> bool:
    """Whether a block with so many bins fits a multiprocessor."""
    room = limits_of(run.machine.capability).shared
    return block_bytes(bins) + RESERVED_SHARED <= room


def _need(run: Run, bins: int) -> None:
    if not _fits(run, bins):
        room = limits_of(run.machine.capability).shared - RESERVED_SHARED
        most = room // block_bytes(1)
        raise Unsupported(
            f"{bins} bins need {block_bytes(bins)} bytes of shared memory, a block can have {room}",
            f"--params bins={most}",
        )
    if run.params["steps"] > MOST_IN_A_BYTE:
        text = f"counts of a byte go up to {MOST_IN_A_BYTE} steps"
        raise Unsupported(text, f"--params steps={MOST_IN_A_BYTE}")


def _predict(
    run: Run, model: Model, tasks: Mapping[int, Problem], kernels: Kernels
) -> dict[int, Expected]:
    """Every time, of the blocks that leave room for each other's shared memory."""
    walk_blocks = kernels.walk.blocks(THREADS)
    expected = {
        bins: Expected(
            model.two(task, walk_blocks, kernels.count.blocks(THREADS, block_bytes(bins))),
            model.fused(task, kernels.blocks(bins)),
            model.fused_by_bytes(task),
        )
        for bins, task in tasks.items()
    }
    most = run.params["bins"]
    walking.predict(run, expected, FEW, most)
    registers = kernels.fused.registers
    for name, bins in (("occupancy_few", FEW), ("occupancy", most)):
        shared = block_bytes(bins)
        share = occupancy(run.machine.capability, registers, shared, THREADS)
        run.predict(name, share, "", f"blocks of {shared} bytes and {registers} registers a thread")
    blocks = kernels.narrow.blocks(THREADS, block_bytes(most, BYTE))
    gain = expected[most].one / model.fused(tasks[most], blocks)
    run.predict("narrow_speedup", gain, "×", "a quarter of the shared memory, turns of more blocks")
    return expected


def _check(
    run: Run,
    tasks: Mapping[int, Problem],
    two: Variant,
    one: Variant,
    narrow_one: Variant,
    control: Variant,
) -> None:
    """Every number of bins at an odd size, both ends at the full one; every count compared."""
    differing, most = 0, run.params["bins"]
    for bins, task in tasks.items():
        variants = [two, one, narrow_one] if bins == most else [two, one]
        whole = [task] if bins in (FEW, most) else []
        run.gate([problem(*ODD, bins), *whole], variants, yardstick=two)
        differing += sum(run.identical(task, two, v).differing for v in variants[1:])
    against = run.identical(tasks[FEW], two, control, control=True).differing
    run.metric("differing", differing, "elements", control=against)


def _count(run: Run, task: Problem, kernels: Kernels, two: Variant, one: Variant) -> None:
    """What the blocks hold; how many are launched, where the profiler is allowed to see it."""
    for suffix, bins in (("_few", FEW), ("", run.params["bins"])):
        run.metric(f"shared{suffix}", block_bytes(bins), "B", note="a block")
        walking.tell_occupancy(run, f"occupancy{suffix}", kernels.blocks(bins))
    run.metric("registers", kernels.fused.registers, "registers", note="however many bins")
    for metric, variant in (("kernels_unfused", two), ("kernels_fused", one)):
        if launched := run.kernels(task, variant):
            run.metric(metric, profiling.total(launched), "kernels")
    run.metric("bytes_unfused_over_fused", two_bytes(**task.size) / one_bytes(**task.size), "×")


def _conclude_narrow(run: Run, times: Timings) -> None:
    """The way out."""
    noise = times.noise
    run.metric("narrow_speedup", times.ratio(ONE, NARROW), "×", control=noise)
    run.metric(
        "narrow_over_two",
        times.ratio(TWO, NARROW),
        "×",
        control=times.ratio(TWO, ONE),
        note="gain of fusing with a byte a bin; control: with four",
    )
