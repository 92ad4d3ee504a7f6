"""A chain of 20 element-wise operations: in a CUDA graph, in one kernel, or both.

The claim: a CUDA graph takes away what the host does for each launch, and not one byte.  The
20 kernels in it are the same 20 and move the same 40 passes over memory; one fused kernel
moves two.  So two numbers decide, and both are measured here before the chain is:

* small arrays: the program waits for the host, which needs H for each launch.  A graph is
  launched once, and its kernels follow each other in K: a gain of 20 H / 20 K;
* large arrays: the device is busy and the launches are hidden behind it.  A graph gains
  nothing, and one kernel gains the ratio of the bytes, 20.

What could refute it: a host so quick, or a graph whose kernels follow so slowly, that nothing
is gained on small arrays; and large arrays on which the graph gains something, since then
launches were not all that it took away.  The control of the gain on small arrays is the same
ratio by the device's clock, where no variant waits for the host; the control of no gain on
large ones is the gain on small ones.

The operations are multiplications and additions by turns, and no bit may change.  A kernel
that contracts the two into one multiply-add is the control of that.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import torch
import triton
import triton.language as tl
from torch.profiler import ProfilerActivity, profile

from demos import kernels, profiling
from demos.bootstrap import Estimate
from demos.clocks import Clock, Lane, clock_for
from demos.compiling import compiled
from demos.problem import Buffers, Call, Problem, Variant, empty, normal
from demos.rounds import Timings
from demos.run import Run

A, B = 0.9, 0.3
PAIRS = 10
"""Of a multiplication and an addition."""
OPERATIONS = 2 * PAIRS
FLOAT = 4
"""Bytes."""
BLOCK = 1024
"""Elements a program."""
SMALL = 2**12
ODD = 1_000_003
SWEEP = [2**k for k in range(14, 28, 2)]
SWEEP_SECONDS = 0.3
WORTH_IT = 1.1
"""Gain of the graph that somebody would still take the trouble for."""
SAMPLES = 15
QUEUED = 200
"""Kernels in a row, when the cost of one is measured."""
LAUNCHING = re.compile(r"cu(da)?(Graph)?Launch")
"""Calls of CUDA's that start something on the device: cuLaunchKernelEx, cudaGraphLaunch, ..."""


# 1. The kernel for the whole chain; the operations one by one are torch's.


@triton.jit
def chain(x, y, count, a, b, PAIRS: tl.constexpr, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = x · a + b, again and again; every result but the last stays in registers."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at, mask=inside)
    for _ in tl.static_range(PAIRS):
        value = value * a + b
    tl.store(y + at, value, mask=inside)


# 2. The counts, functions of the size.


def one_bytes(elements: int) -> int:
    """One read and one write of every element."""
    return 2 * FLOAT * elements


def many_bytes(elements: int) -> int:
    """The same for every operation."""
    return OPERATIONS * one_bytes(elements)


def flops(elements: int) -> int:
    """One for every operation and element, however they are cut."""
    return OPERATIONS * elements


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds and bytes a second, measured here, and what the chain should take of them."""

    bandwidth: float
    host: float
    """Of the host, to launch one torch operation."""
    host_triton: float
    """Of the host, to launch one Triton kernel."""
    host_graph: float
    """Of the host, to launch a graph."""
    empty: float
    """Of the device, from one kernel that does nothing to the next."""
    in_graph: float
    """Of the device, from one tiny kernel to the next in a graph, each waiting for the last."""

    def eager(self) -> float:
        """Small, as called: the host's time, unless the device is slower still."""
        return OPERATIONS * max(self.host, self.empty)

    def graph(self) -> float:
        """Small, as called: one launch, or the kernels in it."""
        return max(self.host_graph, OPERATIONS * self.in_graph)

    def fused(self) -> float:
        """Small, as called."""
        return max(self.host_triton, self.empty)

    def fused_graph(self) -> float:
        """Small, as called."""
        return max(self.host_graph, self.in_graph)

    def pays_until(self) -> float:
        """Elements up to which the host is slower than the bytes, by as much as is worth it."""
        return self.host * self.bandwidth / (one_bytes(1) * WORTH_IT)

    def memory(self, task: Problem, launches: int) -> float:
        """Large, by the device: each launch takes its share of the bytes, and its start."""
        return launches * (one_bytes(**task.size) / self.bandwidth + self.empty)


# 3. The variants.


def operations(b: Buffers) -> Call:
    """Eager torch, each operation into memory that is already there."""

    def call() -> None:
        source, target, other = b.x, b.t, b.u
        for number in range(PAIRS):
            torch.mul(source, A, out=target)
            torch.add(target, B, out=b.y if number == PAIRS - 1 else other)
            source = other

    return call


def one_kernel(b: Buffers) -> Call:
    """One launch; every operation rounds as it does alone."""
    return _one(b, contracted=False)


def contracted_kernel(b: Buffers) -> Call:
    """The same kernel, but the compiler may make multiply-adds."""
    return _one(b, contracted=True)


def _one(b: Buffers, contracted: bool) -> Call:
    count = b.x.numel()
    grid = (triton.cdiv(count, BLOCK),)

    def call() -> None:
        chain[grid](b.x, b.y, count, A, B, PAIRS, BLOCK, enable_fp_fusion=contracted)

    return call


def captured(call: Call) -> Call:
    """``call`` as a CUDA graph: its launches are recorded once, and replayed as one.

    A graph holds addresses, so the call has to work on memory that stays.  It is called first,
    since compiling and loading are not allowed while recording; nor is what Python's collector
    may release then.
    """
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    collecting = gc.isenabled()
    gc.disable()
    try:
        with torch.cuda.graph(graph):
            call()
    finally:
        if collecting:
            gc.enable()
    return lambda: graph.replay()


def written(x: torch.Tensor, y: torch.Tensor) -> None:
    """The chain as torch.compile is given it; it writes straight into ``y``."""
    y.copy_(repeated(x))


def repeated(x: torch.Tensor) -> torch.Tensor:
    """The chain by its definition."""
    for _ in range(PAIRS):
        x = x * A + B
    return x


EAGER = Variant(
    "eager",
    f"{OPERATIONS} torch operations with out=",
    operations,
    bytes=many_bytes,
    flops=flops,
    baseline=True,
)
GRAPH = Variant(
    "graph",
    "The same in a CUDA graph",
    lambda b: captured(operations(b)),
    bytes=many_bytes,
    flops=flops,
)
FUSED = Variant(
    "fused",
    "One Triton kernel",
    one_kernel,
    bytes=one_bytes,
    flops=flops,
    kernels=(chain,),
)
FUSED_GRAPH = Variant(
    "fused, graph",
    "One Triton kernel in a CUDA graph",
    lambda b: captured(one_kernel(b)),
    bytes=one_bytes,
    flops=flops,
    kernels=(chain,),
)
CONTRACTED = Variant(
    "contracted", "One Triton kernel with multiply-add", contracted_kernel, unchecked=True
)
COPY = Variant(
    "copy", "A plain copy", lambda b: lambda: b.y.copy_(b.x), bytes=one_bytes, unchecked=True
)
VARIANTS = (EAGER, GRAPH, FUSED, FUSED_GRAPH)


def compiled_chain() -> Variant:
    """The chain under torch.compile."""
    function = compiled(written)
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
        reference=repeated,
        size={"elements": elements},
        sliced=("x",),
    )


# 5. The story.


def demo(run: Run) -> None:
    """Predict both gains at both ends, and measure them as called and by the device."""
    full, small = problem(run.params["elements"]), problem(SMALL)
    sweep = [n for n in SWEEP if n < run.params["elements"]] if run.params["sweep"] else []
    compiler = compiled_chain()
    run.begin([*VARIANTS, compiler, COPY], measures=2 + len(sweep))
    costs = measured_costs(run)
    _predict(run, costs, full)
    run.gate([problem(ODD), small, full], [*VARIANTS, compiler], yardstick=EAGER)
    _compare_bits(run, full)
    _count(run, small)
    few = run.measure(small, [*VARIANTS, compiler], point={"elements": SMALL})
    _conclude_small(run, few, costs)
    gains = {SMALL: few.called_ratio(EAGER.name, GRAPH.name)}
    for elements in sweep:
        times = run.measure(
            problem(elements), VARIANTS, point={"elements": elements}, seconds=SWEEP_SECONDS
        )
        gains[elements] = times.called_ratio(EAGER.name, GRAPH.name)
    if sweep:
        _conclude_sweep(run, gains)
    many = run.measure(full, [*VARIANTS, compiler, COPY])
    _conclude_large(run, many, few, costs, full)


def measured_costs(run: Run) -> Costs:
    """The two costs of a launch, the host's and the device's, each by its own clock."""
    clock = clock_for(run.machine)
    nothing, shortest = kernels.nothing_on(run.device), _shortest(run.device)

    def in_a_row(call: Call, name: str) -> float:
        return _seconds(clock, Lane([call] * QUEUED, cold=False), name)

    def in_graph() -> float:
        return _seconds(clock, Lane([captured(_again(shortest, QUEUED))], cold=False)) / QUEUED

    return Costs(
        bandwidth=run.ceiling("copy bandwidth"),
        host=run.ceiling("launch"),
        host_triton=run.own_ceiling("launch by Triton", "s", lambda: in_a_row(nothing, "call")),
        host_graph=run.own_ceiling(
            "launch of a graph", "s", lambda: in_a_row(captured(nothing), "call")
        ),
        empty=run.ceiling("empty kernel"),
        in_graph=run.own_ceiling("kernel in a graph", "s", in_graph),
    )


def _shortest(device: torch.device) -> Call:
    """A kernel that reads and writes one number: it has to wait for the one before."""
    tiny = torch.zeros(1, device=device)
    return lambda: torch.add(tiny, 1.0, out=tiny)


def _again(call: Call, times: int) -> Call:
    def calls() -> None:
        for _ in range(times):
            call()

    return calls


def _seconds(clock: Clock, lane: Lane, name: str = "device") -> float:
    clock.sample(lane, name)
    return median(clock.sample(lane, name).seconds for _ in range(SAMPLES))


def _predict(run: Run, costs: Costs, full: Problem) -> None:
    many, one = costs.memory(full, OPERATIONS), costs.memory(full, 1)
    run.predict(
        "small_graph_speedup",
        costs.eager() / costs.graph(),
        "×",
        f"{OPERATIONS} H / max(launch of a graph, {OPERATIONS} K)",
    )
    run.predict(
        "small_fused_speedup",
        costs.eager() / costs.fused(),
        "×",
        f"{OPERATIONS} H / launch by Triton",
    )
    run.predict(
        "small_fused_graph_speedup",
        costs.eager() / costs.fused_graph(),
        "×",
        f"{OPERATIONS} H / max(launch of a graph, K)",
    )
    run.predict("graph_pays_until", costs.pays_until(), "elements", f"H BW / ({WORTH_IT} · 2 s)")
    run.predict("graph_speedup", 1, "×", "the same kernels move the same bytes")
    run.predict("fused_speedup", many / one, "×", f"{OPERATIONS} (2 N s / BW + L) / (…)")
    run.predict("fused_graph_speedup", many / one, "×", "as without a graph")
    run.predict(f"time:{EAGER.name}", many, "s", f"{OPERATIONS} (2 N s / BW + L)")
    run.predict(f"time:{FUSED.name}", one, "s", "2 N s / BW + L")
    for name, count in (("eager", OPERATIONS), ("graph", OPERATIONS), ("fused", 1)):
        run.predict(f"kernels_{name}", count, "kernels", "one for each operation that is left")
    run.predict("launches_eager", OPERATIONS, "launches", "one for each operation")
    run.predict("launches_graph", 1, "launches", "the graph")
    run.predict("differing", 0, "elements", "the same operations in the same order")


def _compare_bits(run: Run, full: Problem) -> None:
    """Every way against the operations; with contraction, which must be seen to differ."""
    others = (GRAPH, FUSED, FUSED_GRAPH)
    differing = sum(run.identical(full, EAGER, other).differing for other in others)
    against = run.identical(full, EAGER, CONTRACTED, control=True).differing
    run.metric("differing", differing, "elements", control=against)


def _count(run: Run, task: Problem) -> None:
    """Kernels on the device and launches by the host; left out where neither can be seen."""
    for name, variant in (("eager", EAGER), ("graph", GRAPH), ("fused", FUSED)):
        if found := run.kernels(task, variant):
            run.metric(f"kernels_{name}", profiling.total(found), "kernels")
    buffers = Buffers(task, run.device)
    buffers.draw(run.seed)
    for name, variant in (("eager", EAGER), ("graph", GRAPH)):
        if launches := launches_of(variant.bind(buffers)):
            run.metric(f"launches_{name}", launches, "launches")


def launches_of(call: Call) -> int:
    """How often the host starts something on the device in one call; 0 if that is not seen."""
    call()
    torch.cuda.synchronize()
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as profiler:
        call()
        torch.cuda.synchronize()
    return count_launches(profiler.events())


def count_launches(events: Iterable[Any]) -> int:
    """How many of the profiler's events are launches, by their names."""
    names = Counter(str(event.name) for event in events)
    return sum(count for name, count in names.items() if LAUNCHING.match(name))


def _conclude_small(run: Run, times: Timings, costs: Costs) -> None:
    """As called, where the host is what is waited for."""
    eager, noise = EAGER.name, times.called_noise
    gain, expected = times.called_ratio(eager, GRAPH.name), costs.eager() / costs.graph()
    on_device = times.ratio(eager, GRAPH.name)
    where = f"as called, {SMALL} elements"
    run.metric(
        "small_graph_speedup",
        gain,
        "×",
        control=on_device,
        note=f"{where}; control: by the device's clock, where none waits for the host",
    )
    run.metric(
        "small_graph_speedup_over_prediction",
        gain / expected,
        "",
        control=on_device / expected,
        note=f"{costs.host * 1e6:.2f} µs of the host for each launch, "
        f"{costs.in_graph * 1e6:.2f} µs of the device for each kernel in a graph",
    )
    for metric, over, under in (
        ("small_fused_speedup", EAGER, FUSED),
        ("small_fused_graph_speedup", EAGER, FUSED_GRAPH),
        ("small_graph_of_fused_speedup", FUSED, FUSED_GRAPH),
        ("small_fused_graph_over_graph", GRAPH, FUSED_GRAPH),
    ):
        run.metric(metric, times.called_ratio(over.name, under.name), "×", noise, where)


def _conclude_sweep(run: Run, gains: Mapping[int, Estimate]) -> None:
    """Where the gain ends.  Left out where there is none, or no end."""
    worth = [elements for elements, gain in gains.items() if gain.low >= WORTH_IT]
    if worth and max(worth) < max(gains):
        run.metric(
            "graph_pays_until",
            max(worth),
            "elements",
            note=f"greatest size measured with a gain of {WORTH_IT - 1:.0%} as called",
        )


def _conclude_large(run: Run, times: Timings, small: Timings, costs: Costs, full: Problem) -> None:
    """By the device, which is what is waited for."""
    eager, noise = EAGER.name, times.noise
    gain = times.ratio(eager, FUSED.name)
    expected = costs.memory(full, OPERATIONS) / costs.memory(full, 1)
    run.metric(
        "graph_speedup",
        times.ratio(eager, GRAPH.name),
        "×",
        control=small.called_ratio(eager, GRAPH.name),
        note=f"control: as called, {SMALL} elements",
    )
    run.metric("graph_called_speedup", times.called_ratio(eager, GRAPH.name), "×")
    run.metric("fused_speedup", gain, "×", control=noise)
    run.metric("fused_speedup_over_prediction", gain / expected, "", control=noise / expected)
    run.metric("fused_graph_speedup", times.ratio(eager, FUSED_GRAPH.name), "×", control=noise)
    run.metric("over_compiled", times.ratio("torch.compile", FUSED.name), "×", control=noise)
    run.metric(
        "copy_share",
        times.combined(lambda copy, t: copy / t, COPY.name, FUSED.name),
        "",
        control=times.combined(lambda copy, t: copy / t, COPY.name, GRAPH.name),
        note="a plain copy's time over its time",
    )
    ratio = EAGER.counted_bytes(full) / FUSED.counted_bytes(full)
    run.metric("bytes_eager_over_fused", ratio, "×")
