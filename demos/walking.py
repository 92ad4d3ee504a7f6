"""A walk that waits for memory at every step: the stage that two demos fuse something with.

Rows of 128 bytes form one cycle in random order: 31 numbers, and which row is next.  A warp
reads a row, one word a lane, and only then knows the next: it has one row in flight, whatever
else it does.  What it gets out of memory is bound by Little's law, warps at once × 128 bytes /
latency, so a kernel that walks needs many warps.  That is what fusing it with a hungry stage
takes away.

Each warp starts at a row of its own, and all together walk the whole cycle once: every row is
read once, by one warp, and nothing is found in a cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import torch

from demos import inspection
from demos.clocks import Lane, clock_for
from demos.nvrtc import EXACT, Kernel
from demos.problem import Buffers, Call, Problem, Spec, empty
from demos.rounds import Timings
from demos.run import Run

LANES = 32
ROW = 4 * LANES
"""Bytes."""
THREADS = 256
WARPS = THREADS // LANES
"""A block; one walker each."""
SCHEDULERS = 4
"""Of a multiprocessor, each of which issues one warp's instruction a cycle."""
MOST_WARPS = 64
"""Of a multiprocessor, on the GPUs with most."""
GATHERED = 8
"""Rows that a warp of the measured gather has in flight."""
HOPS = 1024
"""Steps of the walk by which the latency is measured."""
SAMPLES = 15
TWO, ONE = "two kernels", "one kernel"
ALONE, CROWDED = "frugal", "frugal, crowded out"
"""The variants of both demos: the frugal one is the one kernel where it is asked for little."""


# 1. The kernels.

HEAD = r"""
__device__ __forceinline__ int thread() { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ __forceinline__ int walker() { return thread() >> 5; }
__device__ __forceinline__ int lane() { return (int)threadIdx.x & 31; }
__device__ __forceinline__ long long at(int row) { return (long long)row * 32 + lane(); }
__device__ __forceinline__ int next_of(int word) { return __shfl_sync(0xffffffffu, word, 31); }
"""
"""A walker is a warp; lane 31 holds which row is next."""

WALK = (
    HEAD
    + r"""
extern "C" __global__ void __launch_bounds__(256)
walk(const int* __restrict__ table, int* __restrict__ seen, int walkers, int steps) {
    int w = walker();
    if (w >= walkers) return;
    int row = w;
    long long to = at(w);
    #pragma unroll 1
    for (int s = 0; s < steps; ++s, to += 32LL * walkers) {
        int word = table[at(row)];
        row = next_of(word);
        seen[to] = word;
    }
}
"""
)
"""The walk alone: the rows in the order they are seen, step by step, all walkers of a step."""

CHASE = (
    HEAD
    + r"""
extern "C" __global__ void chase(const int* __restrict__ table, int* __restrict__ seen,
                                 int apart, int steps) {
    int row = (int)blockIdx.x * apart;
    #pragma unroll 1
    for (int s = 0; s < steps; ++s) row = next_of(table[at(row)]);
    if (lane() == 0) seen[blockIdx.x] = row;
}
"""
)
"""One warp a block, and nothing but the walk."""

GATHER = (
    HEAD
    + r"""
extern "C" __global__ void __launch_bounds__(256)
gather(const int* __restrict__ table, const int* __restrict__ ids, int* __restrict__ seen,
       int rows) {
    int first = walker() * 8;
    int word[8];
    #pragma unroll
    for (int u = 0; u < 8; ++u) word[u] = first + u < rows ? table[at(ids[first + u])] : 0;
    #pragma unroll
    for (int u = 0; u < 8; ++u) if (first + u < rows) seen[at(first + u)] = word[u];
}
"""
)
"""Rows in a random order that is known beforehand, eight in flight a warp."""


# 2. The counts, functions of the size.


def walk_bytes(walkers: int, steps: int) -> int:
    """Every row read, and written."""
    return 2 * table_bytes(walkers, steps)


def table_bytes(walkers: int, steps: int) -> int:
    """Every row once."""
    return walkers * steps * ROW


# 3. What it should cost.


@dataclass(frozen=True, slots=True)
class Costs:
    """Measured here before the demo, and what a stage should take of them."""

    latency: float
    """Seconds from one step of a walk to the next, when nobody else uses the memory."""
    random: float
    """Bytes a second of rows read in random order and written in order."""
    copy: float
    """Bytes a second of a plain copy."""
    issue: float
    """Seconds a scheduler takes for one warp's instruction."""
    multiprocessors: int

    def walking(self, walkers: int, steps: int, blocks: int, work: int, moved: int) -> float:
        """Seconds of a walk with ``work`` instructions a step, so many blocks at once.

        Turns of blocks, in each of which every step waits for memory, or for the other warps
        of its scheduler where those have more to do; never faster than the bytes ``moved``.
        """
        turns = math.ceil(math.ceil(walkers / WARPS) / (self.multiprocessors * blocks))
        sharing = math.ceil(blocks * WARPS / SCHEDULERS)
        step = max(self.latency, sharing * work * self.issue)
        return max(turns * steps * step, moved / self.random)

    def streaming(self, rows: int, blocks: int, work: int, ahead: int, moved: int) -> float:
        """Seconds of a stage that reads its rows in order, so many ahead of its work on them."""
        return max(
            moved / self.copy,
            rows * work * self.issue / (self.multiprocessors * SCHEDULERS),
            rows * self.latency / (self.multiprocessors * blocks * WARPS * ahead),
        )


# 4. The tensors.


def cycle(walkers: int, steps: int) -> Spec:
    """The table, (walkers · steps, 32) words: normally distributed floats, and the next row.

    Walker ``w`` starts at row ``w``; its other rows are anywhere, and after them comes the
    first row of the next walker.
    """

    def fill(table: torch.Tensor, generator: torch.Generator) -> None:
        device = table.device
        table.view(torch.float32).normal_(0.0, 1.0, generator=generator)
        count = walkers * (steps - 1)
        others = torch.randperm(count, generator=generator, device=device) + walkers
        starts = torch.arange(walkers, device=device)[:, None]
        order = torch.cat([starts, others.view(walkers, steps - 1)], 1).flatten()
        table[order, LANES - 1] = order.roll(-1).to(torch.int32)

    return Spec((walkers * steps, LANES), torch.int32, fill)


def seen(walkers: int, steps: int) -> Spec:
    """Room for the rows in the order they are seen, (steps, walkers, 32) words."""
    return empty(steps, walkers, LANES, dtype=torch.int32)


def payloads(table: torch.Tensor, walkers: int, steps: int) -> Iterator[torch.Tensor]:
    """What the walkers see step by step, by torch: (walkers, 32) floats, the last of a row 0."""
    row = torch.arange(walkers, device=table.device)
    for _ in range(steps):
        found = table[row]
        row = found[:, LANES - 1].long()
        found[:, LANES - 1] = 0
        yield found.view(torch.float32)


# 5. What the demos share of their stories.


def grid_of(walkers: int) -> tuple[int]:
    """The grid, a walker a warp."""
    return (math.ceil(walkers / WARPS),)


def walkers_for(run: Run) -> int:
    """As many as fill every multiprocessor ``turns`` times over, at full occupancy."""
    return int(run.params["turns"]) * run.machine.multiprocessors * MOST_WARPS


def measured_costs(run: Run, task: Problem) -> Costs:
    """Latency and bandwidth of random rows, both of the very table that will be walked."""
    walkers, steps = task.size["walkers"], task.size["steps"]
    clock = clock_for(run.machine)
    buffers = Buffers(task, run.device)
    buffers.draw(run.seed)
    chase, gather = Kernel(CHASE, "chase"), Kernel(GATHER, "gather")
    ends = torch.empty(run.machine.multiprocessors, dtype=torch.int32, device=run.device)

    def chased() -> None:
        apart = walkers // len(ends)  # so that no warp comes to where another one was
        chase((len(ends),), (LANES,), buffers.table, ends, apart, HOPS)

    rows = walkers * steps
    generator = torch.Generator(run.device).manual_seed(run.seed)
    ids = torch.randperm(rows, generator=generator, device=run.device).to(torch.int32)
    grid = (math.ceil(rows / (GATHERED * WARPS)),)

    def gathered() -> None:
        gather(grid, (THREADS,), buffers.table, ids, buffers.seen, rows)

    def seconds(call: Call) -> float:
        lane = Lane([call])
        clock.sample(lane, "device")
        return median(clock.sample(lane, "device").seconds for _ in range(SAMPLES))

    fma = run.ceiling("fp32 fma")
    processors = run.machine.multiprocessors
    return Costs(
        latency=run.own_ceiling("latency of a step", "s", lambda: seconds(chased) / HOPS),
        random=run.own_ceiling(
            "random rows", "B/s", lambda: (2 * ROW + 4) * rows / seconds(gathered)
        ),
        copy=run.ceiling("copy bandwidth"),
        issue=2 * LANES * SCHEDULERS * processors / fma,
        multiprocessors=processors,
    )


def walk_kernel() -> Kernel:
    """The walk alone."""
    return compiled(WALK, "walk")


def compiled(source: str, name: str, *options: str, shared: int = 0) -> Kernel:
    """A kernel that takes no part of the first cache from shared memory, however little it needs.

    All are so, for they are compared at the same bandwidth and not at the same cache.
    """
    kernel = Kernel(source, name, (*EXACT, *options))
    kernel.prefer_shared(shared)
    return kernel


@dataclass(frozen=True, slots=True)
class Expected:
    """Seconds foretold at one point."""

    two: float
    one: float
    by_bytes: float
    """Of the one kernel, were it bound by nothing but its bytes."""

    @property
    def gain(self) -> float:
        """Of fusing."""
        return self.two / self.one


def predict(run: Run, expected: Mapping[int, Expected], few: int, most: int) -> None:
    """The gain at both ends, where it ends, and that nothing but the occupancy counts."""
    two = "max(turns · steps · latency, bytes / BW) + max(bytes / BW, work)"
    one = "turns · steps · max(latency, work)"
    run.predict("speedup_few", expected[few].gain, "×", f"({two}) / ({one})")
    run.predict("speedup", expected[most].gain, "×", f"({two}) / ({one})")
    run.predict(f"time:{TWO}", expected[most].two, "s", two)
    run.predict(f"time:{ONE}", expected[most].one, "s", one)
    losing = crossing([(size, times.gain) for size, times in expected.items()])
    if losing is not None:
        run.predict("losing_from", losing, "", "where the two take as long as the one")
    run.predict("crowded_over_hungry", 1, "", "as many warps wait as long")
    run.predict("differing", 0, "elements", "the same operations in the same order")


def tell_occupancy(run: Run, name: str, blocks: int) -> None:
    """The share of a multiprocessor's warps that so many blocks are."""
    share = blocks * WARPS / inspection.limits_of(run.machine.capability).warps
    note = f"{blocks} blocks of {WARPS} warps on a multiprocessor, by the driver"
    run.metric(name, share, note=note)


def conclude(
    run: Run, expected: Mapping[int, Expected], found: Mapping[int, Timings], few: int, most: int
) -> None:
    """What both demos claim: gain and loss, how well foretold, and what is to blame."""
    for suffix, size in (("_few", few), ("", most)):
        gain, noise = found[size].ratio(TWO, ONE), found[size].noise
        foretold = expected[size].gain
        run.metric(f"speedup{suffix}", gain, "×", control=noise)
        run.metric(f"speedup{suffix}_over_prediction", gain / foretold, control=noise / foretold)

    def worst(seconds: Callable[[Expected], float]) -> float:
        return max(abs(t[ONE].value / seconds(expected[size]) - 1) for size, t in found.items())

    run.metric(
        "model_error",
        worst(lambda times: times.one),
        control=worst(lambda times: times.by_bytes),
        note="greatest deviation of the one kernel's time; control: by nothing but bytes",
    )
    times = found[most]
    run.metric(
        "crowded_over_hungry",
        times.ratio(CROWDED, ONE),
        control=times.ratio(ALONE, ONE),
        note="the frugal kernel's time at the hungry one's occupancy over the hungry one's; "
        "control: not crowded out",
    )
    run.metric(
        "occupancy_alone",
        times.ratio(CROWDED, ALONE),
        "×",
        control=times.noise,
        note="how much longer the same instructions take, crowded out",
    )
    losing = crossing([(size, times.ratio(TWO, ONE).value) for size, times in found.items()])
    if losing is not None:
        run.metric("losing_from", losing, note="straight between two that were measured")


def crossing(gains: Sequence[tuple[float, float]]) -> float | None:
    """Size at which a falling gain passes 1, straight between sizes in logarithms."""
    ordered = sorted(gains)
    for (small, high), (large, low) in pairwise(ordered):
        if high >= 1 > low:
            share = math.log(high) / math.log(high / low)
            return float(small * (large / small) ** share)
    return None
