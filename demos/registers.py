"""Registers: a fusion that loses, since it holds so many that few warps are left to wait.

The claim: two kernels, one that walks from row to row and writes what it sees, and one that
reads it back into R accumulators a lane, move every row three times; fused, once.  By the
bytes the one kernel is three times as fast, whatever R is.  But the walk waits for memory at
every step (``walking``), and what it gets is warps at once × 128 bytes / latency.  Fused, its
warps hold R registers more; the more they hold, the fewer fit a multiprocessor.  The second
kernel alone does not mind: it knows its addresses and reads ahead.  So at few accumulators
fusing wins, and at many it loses.

Three things are foretold, of ceilings measured before: the gain at either end, the fused
kernel's time at every R by Little's law, and from how many accumulators on it loses.  The
model that counts only bytes is held against the same times: it must fail.

Whether it is the occupancy and not the arithmetic is seen with the arithmetic left out: the
kernel of 8 accumulators, the same machine code, asks for shared memory that it never touches,
so that no more of its blocks fit than of the hungry one's.  It must be as slow.  A limit on
the registers is no way out where it spills them; it is measured beside.

A second, simpler loss of registers: a whole row of a softmax held by few warps.  It does not
fit their registers, is spilled to memory, and the one kernel is slower than five that keep
nothing.  More warps a row repair that one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import triton

from demos import inspection, profiling, reductions, walking
from demos.nvrtc import EXACT, Kernel
from demos.problem import Buffers, Call, Problem, Variant, empty
from demos.rounds import Timings
from demos.run import Run
from demos.walking import ALONE, CROWDED, HEAD, LANES, ONE, THREADS, TWO, Costs, Expected, grid_of

FEW = 8
SWEEP = (FEW, 32, 64, 96, 128, 192)
"""Accumulators a lane."""
CAP, CAP_BLOCKS = 64, 4
"""Registers a thread to which the hungry kernel is held in a variant of its own, by asking for
room for so many blocks."""
AHEAD = 4
"""Rows that the second kernel has asked for while it works on as many."""
ODD = (37, 7)
"""Walkers and steps of the small check: no whole blocks, and no whole reads ahead."""
SECONDS = 0.5
WIDTH = 2**16
SOFTMAX_ROWS = 2**11
SOFTMAX_ODD = (5, 1000)
FEW_WARPS, ENOUGH_WARPS = 4, 16
CAPPED = f"one kernel, {CAP} registers"
PIECES = reductions.SOFTMAX.pieces
FUSED_WORK, BANK_WORK = 15, 14
"""Instructions a row beside the multiply-adds: the load, the next row, the loop (on Hopper)."""


# 1. The kernels.

BANK = (
    HEAD
    + f"#define AHEAD {AHEAD}\n"
    + r"""
// acc = acc · c + v; every c is exact.  The operations are written out, so that no compiler
// rounds otherwise in one kernel than in the other.
__device__ __forceinline__ void take(float (&kept)[R], int word) {
    float v = lane() == 31 ? 0.0f : __int_as_float(word);
    #pragma unroll
    for (int j = 0; j < R; ++j) {
        const float c = 0.5f + j * (1.0f / 1024);
#ifdef ROUND_TWICE
        kept[j] = __fadd_rn(__fmul_rn(kept[j], c), v);
#else
        kept[j] = __fmaf_rn(kept[j], c, v);
#endif
    }
}

__device__ __forceinline__ float total(float (&kept)[R]) {
    float sum = 0.0f;
    #pragma unroll
    for (int j = 0; j < R; ++j) sum = __fadd_rn(sum, kept[j]);
    return sum;
}
"""
)

APART = (
    BANK
    + r"""
extern "C" __global__ void __launch_bounds__(256)
bank(const int* __restrict__ seen, float* __restrict__ y, int walkers, int steps) {
    int w = walker();
    if (w >= walkers) return;
    float kept[R] = {};
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
        for (int u = 0; u < AHEAD; ++u) if (s + u < steps) take(kept, word[u]);
        #pragma unroll
        for (int u = 0; u < AHEAD; ++u) word[u] = later[u];
    }
    y[at(w)] = total(kept);
}
"""
)
"""The second of two kernels: it has asked for the next rows while it works on these."""

FUSED = (
    BANK
    + r"""
#ifndef BLOCKS
#define BLOCKS 1
#endif
extern "C" __global__ void __launch_bounds__(256, BLOCKS)
fused(const int* __restrict__ table, float* __restrict__ y, int walkers, int steps) {
    int w = walker();
    if (w >= walkers) return;
    float kept[R] = {};
    int word = table[at(w)];
    #pragma unroll 1
    for (int s = 0; s < steps; ++s) {
        int later = s + 1 < steps ? table[at(next_of(word))] : 0;
        take(kept, word);
        word = later;
    }
    y[at(w)] = total(kept);
}
"""
)
"""The one kernel: it too asks for the next row before it works on this one."""


# 2. The counts, functions of the size.


def two_bytes(walkers: int, steps: int, accumulators: int) -> int:  # noqa: ARG001
    """Every row read, written and read back, and the result."""
    rows = walking.walk_bytes(walkers, steps) + walking.table_bytes(walkers, steps)
    return rows + walkers * walking.ROW


def one_bytes(walkers: int, steps: int, accumulators: int) -> int:  # noqa: ARG001
    """Every row read, and the result."""
    return walking.table_bytes(walkers, steps) + walkers * walking.ROW


def flops(walkers: int, steps: int, accumulators: int) -> int:
    """A multiply-add for each word of a row and accumulator, and the accumulators' sum."""
    return walkers * LANES * accumulators * (2 * steps + 1)


@dataclass(frozen=True, slots=True)
class Model:
    """What both ways should take, by Little's law and by nothing but bytes."""

    costs: Costs

    def fused(self, task: Problem, blocks: int) -> float:
        """Seconds of the one kernel, so many blocks of which fit a multiprocessor."""
        work = task.size["accumulators"] + FUSED_WORK
        return self._walk(task, blocks, work, one_bytes(**task.size))

    def two(self, task: Problem, walk_blocks: int, bank_blocks: int) -> float:
        """Seconds of the two."""
        walkers, steps = task.size["walkers"], task.size["steps"]
        work = task.size["accumulators"] + BANK_WORK
        return self._walk(
            task, walk_blocks, FUSED_WORK, walking.walk_bytes(walkers, steps)
        ) + self.costs.streaming(
            walkers * steps, bank_blocks, work, AHEAD, walking.table_bytes(walkers, steps)
        )

    def fused_by_bytes(self, task: Problem) -> float:
        """Seconds of the one kernel, were it bound by its bytes."""
        return one_bytes(**task.size) / self.costs.random

    def _walk(self, task: Problem, blocks: int, work: int, moved: int) -> float:
        walkers, steps = task.size["walkers"], task.size["steps"]
        return self.costs.walking(walkers, steps, blocks, work, moved)


# 3. The variants.


@dataclass(frozen=True, slots=True)
class Bank:
    """The kernels for one number of accumulators."""

    accumulators: int
    walk: Kernel
    bank: Kernel
    fused: Kernel

    @property
    def blocks(self) -> int:
        """Of the one kernel, on a multiprocessor at once, as the driver says."""
        return self.fused.blocks(THREADS)

    @property
    def pair(self) -> tuple[Variant, Variant]:
        """The two kernels, and the one."""
        return two_kernels(self.walk, self.bank), one_kernel(self.fused)

    def crowding(self, capability: int, like: Bank) -> int:
        """Bytes of shared memory with which no more blocks fit than of the other's kernel."""
        return inspection.crowding(capability, like.blocks) if like.blocks < self.blocks else 0


def bank_of(walk: Kernel, accumulators: int, capability: int) -> Bank:
    """Compile the kernels; the one may be crowded out down to a single block."""
    option = f"-DR={accumulators}"
    most = inspection.crowding(capability, 1)
    bank = walking.compiled(APART, "bank", option)
    return Bank(accumulators, walk, bank, walking.compiled(FUSED, "fused", option, shared=most))


def limited(accumulators: int) -> Kernel:
    """The one kernel held to :data:`CAP` registers.

    What it spills lives in the first cache, so that is not given away to shared memory.
    """
    options = (f"-DR={accumulators}", f"-DBLOCKS={CAP_BLOCKS}")
    return Kernel(FUSED, "fused", (*EXACT, *options))


def two_kernels(walk: Kernel, bank: Kernel) -> Variant:
    """The walk, and then the accumulators."""

    def bind(b: Buffers) -> Call:
        walkers, steps = _sizes(b)
        grid = grid_of(walkers)

        def call() -> None:
            walk(grid, (THREADS,), b.table, b.seen, walkers, steps)
            bank(grid, (THREADS,), b.seen, b.y, walkers, steps)

        return call

    return Variant(
        TWO,
        "The walk, then the accumulators",
        bind,
        bytes=two_bytes,
        flops=flops,
        baseline=True,
        kernels=(walk, bank),
    )


def one_kernel(kernel: Kernel, name: str = ONE, title: str = "Both in one") -> Variant:
    """The accumulators in the registers of the warp that walks."""
    return Variant(name, title, _fused(kernel), bytes=one_bytes, flops=flops, kernels=(kernel,))


def few_alone(kernel: Kernel) -> Variant:
    """Few accumulators, whatever the problem asks for; writes beside the result."""
    return Variant(
        ALONE,
        f"Both in one, {FEW} accumulators",
        _fused(kernel, output="spare"),
        bytes=one_bytes,
        kernels=(kernel,),
        unchecked=True,
    )


def crowded(kernel: Kernel, shared: int) -> Variant:
    """The same, and shared memory that nobody touches."""
    return Variant(
        CROWDED,
        f"Both in one, {FEW} accumulators, crowded out by unused shared memory",
        _fused(kernel, shared, output="spare"),
        bytes=one_bytes,
        kernels=(kernel,),
        unchecked=True,
    )


def _fused(kernel: Kernel, shared: int = 0, output: str = "y") -> Callable[[Buffers], Call]:
    def bind(b: Buffers) -> Call:
        walkers, steps = _sizes(b)
        grid, to = grid_of(walkers), getattr(b, output)

        def call() -> None:
            kernel(grid, (THREADS,), b.table, to, walkers, steps, shared=shared)

        return call

    return bind


def _sizes(b: Buffers) -> tuple[int, int]:
    size = b.problem.size
    return size["walkers"], size["steps"]


def softmax_by(warps: int) -> Variant:
    """One Triton kernel that holds a whole row in the registers of so many warps."""

    def bind(b: Buffers) -> Call:
        def call() -> None:
            _softmax(b, warps)

        return call

    name, title = f"softmax: {warps} warps", f"One Triton kernel, {warps} warps a row"
    return Variant(name, title, bind, bytes=reductions.SOFTMAX.kernel.bytes)


def _softmax(b: Buffers, warps: int) -> Any:
    """Launch it; Triton gives the compiled kernel, its interpreter nothing."""
    rows, width = b.x.shape
    block = triton.next_power_of_2(width)
    launch = reductions.softmax_row[(rows,)]
    return launch(b.x, b.y, width, block, num_warps=warps, enable_fp_fusion=True)


# 4. The problem, at any size.


def problem(walkers: int, steps: int, accumulators: int) -> Problem:
    """A walk, and so many accumulators of what each lane sees.

    The reference has no accumulators: after S steps the one with factor c holds the sum of
    v(s) · c^(S-1-s), so all of them together weigh each step with a sum of powers.
    """
    factors = 0.5 + torch.arange(accumulators, dtype=torch.float64) / 1024
    weights = [float((factors**power).sum()) for power in reversed(range(steps))]

    def reference(table: torch.Tensor) -> torch.Tensor:
        total = torch.zeros(walkers, LANES, dtype=torch.float64, device=table.device)
        walk = walking.payloads(table, walkers, steps)
        for weight, values in zip(weights, walk, strict=True):
            total += weight * values.double()
        return total

    return Problem(
        inputs={"table": walking.cycle(walkers, steps)},
        outputs={"y": empty(walkers, LANES)},
        scratch={"seen": walking.seen(walkers, steps), "spare": empty(walkers, LANES)},
        reference=reference,
        size={"walkers": walkers, "steps": steps, "accumulators": accumulators},
    )


def softmax_problem(rows: int, width: int) -> Problem:
    """Rows too long for the registers of few warps."""
    return reductions.SOFTMAX.problem(rows, width, torch.float32)


# 5. The story.


def demo(run: Run) -> None:
    """Predict where fusing wins and where it loses, and measure both, and why."""
    most, capability = run.params["accumulators"], run.machine.capability
    sweep = sorted({FEW, most, *(SWEEP if run.params["sweep"] else ())})
    walkers, steps = walking.walkers_for(run), run.params["steps"]
    tasks = {count: problem(walkers, steps, count) for count in sweep}
    walk, capped = walking.walk_kernel(), limited(most)
    banks = {count: bank_of(walk, count, capability) for count in sorted({FEW, most})}
    headline = [
        *banks[most].pair,
        crowded(banks[FEW].fused, banks[FEW].crowding(capability, banks[most])),
        few_alone(banks[FEW].fused),
        one_kernel(capped, CAPPED, f"Both in one, held to {CAP} registers"),
    ]
    run.begin([*headline, *softmaxes()], measures=len(sweep) + 1)
    model = Model(walking.measured_costs(run, tasks[FEW]))
    for count in sweep:
        if count not in banks:
            run.stage(f"compiling: {count} accumulators")
            banks[count] = bank_of(walk, count, capability)
    expected = _predict(run, model, tasks, banks)
    _check(run, tasks, banks, headline[-1])
    _count(run, tasks[most], banks)
    found = {most: run.measure(tasks[most], headline, seconds=2 * SECONDS)}
    for count in sweep:
        if count != most:
            shared = banks[FEW].crowding(capability, banks[count])
            variants = [*banks[count].pair, crowded(banks[FEW].fused, shared)]
            point = {"accumulators": count}
            found[count] = run.measure(tasks[count], variants, point=point, seconds=SECONDS)
    walking.conclude(run, expected, found, FEW, most)
    _conclude_capped(run, found[most], banks[most], capped)
    _tell_of_softmax(run)


def _predict(
    run: Run, model: Model, tasks: Mapping[int, Problem], banks: Mapping[int, Bank]
) -> dict[int, Expected]:
    """Every time, of the blocks that the compiled kernels leave room for."""
    expected = {
        count: Expected(
            model.two(tasks[count], bank.walk.blocks(THREADS), bank.bank.blocks(THREADS)),
            model.fused(tasks[count], bank.blocks),
            model.fused_by_bytes(tasks[count]),
        )
        for count, bank in banks.items()
    }
    most = run.params["accumulators"]
    walking.predict(run, expected, FEW, most)
    for name, count in (("occupancy_few", FEW), ("occupancy", most)):
        registers = banks[count].fused.registers
        share = inspection.occupancy(run.machine.capability, registers, 0, THREADS)
        run.predict(name, share, "", f"blocks of {THREADS} threads of {registers} registers")
    passes = reductions.PIECES_PASSES["softmax"] / reductions.FUSED_PASSES["softmax"]
    run.predict("softmax_speedup", passes, "×", "8 passes over the rows or 2")
    return expected


def _check(
    run: Run, tasks: Mapping[int, Problem], banks: Mapping[int, Bank], capped: Variant
) -> None:
    """Every kernel at an odd size, both ends at the full one; bits at every number."""
    differing, most = 0, run.params["accumulators"]
    for count, bank in banks.items():
        two, one = bank.pair
        variants = [two, one, capped] if count == most else [two, one]
        whole = [tasks[count]] if count in (FEW, most) else []
        run.gate([problem(*ODD, count), *whole], variants, yardstick=two)
        differing += sum(run.identical(tasks[count], two, v).differing for v in variants[1:])
        _check_crowding(run, banks[FEW], bank)
    twice = walking.compiled(FUSED, "fused", f"-DR={FEW}", "-DROUND_TWICE")
    rounded = one_kernel(twice, "rounded twice", "Both in one, a product and then a sum")
    against = run.identical(tasks[FEW], banks[FEW].pair[0], rounded, control=True)
    run.metric("differing", differing, "elements", control=against.differing)


def _check_crowding(run: Run, few: Bank, like: Bank) -> None:
    """Whether the control has as many blocks as what it stands beside."""
    shared = few.crowding(run.machine.capability, like)
    blocks = few.fused.blocks(THREADS, shared)
    run.check(
        CROWDED,
        "occupancy",
        passed=blocks == like.blocks,
        detail=f"{blocks} blocks with {shared} bytes unused, {like.blocks} of "
        f"{like.accumulators} accumulators in {like.fused.registers} registers",
    )


def _count(run: Run, task: Problem, banks: Mapping[int, Bank]) -> None:
    """What the kernels hold; how many are launched, where the profiler is allowed to see it."""
    most = banks[run.params["accumulators"]]
    for suffix, bank in (("_few", banks[FEW]), ("", most)):
        run.metric(f"registers{suffix}", bank.fused.registers, "registers", note="a thread")
        walking.tell_occupancy(run, f"occupancy{suffix}", bank.blocks)
    for metric, variant in zip(("kernels_unfused", "kernels_fused"), most.pair, strict=True):
        if launched := run.kernels(task, variant):
            run.metric(metric, profiling.total(launched), "kernels")
    run.metric("bytes_unfused_over_fused", two_bytes(**task.size) / one_bytes(**task.size), "×")


def _conclude_capped(run: Run, times: Timings, bank: Bank, capped: Kernel) -> None:
    """Whether it helps to hold the hungry kernel to fewer registers."""
    blocks = capped.blocks(THREADS)
    run.metric(
        "capped_speedup",
        times.ratio(ONE, CAPPED),
        "×",
        control=times.noise,
        note=f"{blocks} blocks instead of {bank.blocks}, and spills",
    )
    run.metric("capped_spills", capped.spills, "B", note="a thread")


def softmaxes() -> tuple[Variant, Variant, Variant]:
    """Five kernels that keep nothing, and one of few warps and of enough."""
    return PIECES, softmax_by(FEW_WARPS), softmax_by(ENOUGH_WARPS)


def _tell_of_softmax(run: Run) -> None:
    """A row that does not fit the registers of few warps."""
    pieces, few, enough = softmaxes()
    full = softmax_problem(SOFTMAX_ROWS, WIDTH)
    run.gate([softmax_problem(*SOFTMAX_ODD), full], [pieces, few, enough], yardstick=pieces)
    for suffix, warps in (("_few_warps", FEW_WARPS), ("", ENOUGH_WARPS)):
        run.metric(f"softmax_spills{suffix}", spills_of(run, warps), "B", note="a thread")
    times = run.measure(full, [pieces, few, enough], seconds=SECONDS)
    gain = times.ratio(pieces.name, enough.name)
    run.metric("softmax_speedup", gain, "×", control=times.noise)
    run.metric(
        "softmax_speedup_few_warps",
        times.ratio(pieces.name, few.name),
        "×",
        control=gain,
        note=f"control: {ENOUGH_WARPS} warps a row instead of {FEW_WARPS}",
    )


def spills_of(run: Run, warps: int) -> int:
    """Bytes that each thread of the softmax spills, as Triton tells of what it has compiled."""
    buffers = Buffers(softmax_problem(1, WIDTH), run.device)
    buffers.draw(run.seed)
    return 4 * int(getattr(_softmax(buffers, warps), "n_spills", 0) or 0)
