"""What a compiler cannot see into it cannot fuse across: pointwise, X, pointwise.

The claim: torch.compile makes one kernel of a chain that it sees whole, two passes over memory.
X stands in the middle of it, and is the same multiplication each time, by a number in a tensor:

* *clean*: written in torch.  One graph, one kernel;
* *visible op*: an operator of one's own whose body is torch (``CompositeImplicitAutograd``),
  which the compiler takes apart: as good as clean.  It is the control here;
* *opaque*: an operator of one's own (``torch.library.custom_op``).  Still one graph, but what
  is before and after it must go through memory: three kernels, six passes;
* *Triton op*: the same registered by ``torch.library.triton_op``.  The compiler sees the kernel
  in its graph, and need not call Python for it; that it would fuse into it is not said, and here
  it is foretold that it does not.  What is fused must be written into the kernel;
* *graph break*: two graphs, two kernels, four passes;
* *item*: the number is read by ``.item()``.  A graph break as well, and the host has to wait
  until the device has got there.

Nothing of this may change a bit: the operations and their order are the same, and none of them
is a product that feeds a sum, which a compiler could contract.  v + 0.1 v instead of 1.1 v,
equal on paper, is the control: it must be seen to differ.

The same in earnest is an embedding bag with two pointwise operations after it.  The library's
bag stays a kernel of its own, and the result takes two passes more.  Two ways out: write the
bag in torch (a gather and a sum, which the compiler fuses), or as a Triton op with the pointwise
operations in it.

What could refute it: a compiler that fuses into a Triton op after all, or no longer breaks its
graph at ``.item()``.  On a CPU the graphs, the kernels that the compiler generates and the
operations that it calls are counted and the bits compared; that passes cost time is not claimed
there, for each intermediate is fresh memory, which costs a CPU more than a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch.library import custom_op, define, impl, triton_op, wrap_triton

from demos.compiling import Compiled, compiled
from demos.optional import tl, triton
from demos.problem import Buffers, Call, Problem, Spec, Variant, empty, filled, integers, normal
from demos.profiling import Launch
from demos.rounds import Timings
from demos.run import Run

SHIFT, SCALE, MOST, LESS = 0.25, 1.1, 2.0, 0.5
FLOAT, LONG = 4, 8
"""Bytes."""
BLOCK = 1024
"""Elements a program."""
SMALL = 2**12 + 3
"""Elements; no multiple of a block, and checked as well as timed."""
LENGTH, WIDTH = 8, 64
"""Of a bag, and of a row of the table."""
ROWS_A_BAG = 4
"""Rows of the table; half of what is gathered, and far more than the cache holds."""
ODD_BAGS = 37
BAGS = 16
"""A program."""
SPACE = "demos_boundary"
"""Of the operators' names."""


# 1. The kernels.


@triton.jit
def scale_all(v, scale, y, count, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = v · scale, a number in memory."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(y + at, tl.load(v + at, mask=inside) * tl.load(scale), mask=inside)


@triton.jit
def scaled_bag(  # type: ignore[no-untyped-def]
    table,
    ids,
    scale,
    y,
    bags,
    LENGTH: tl.constexpr,
    WIDTH: tl.constexpr,
    BAGS: tl.constexpr,
):
    """y = relu(scale · the sum of the rows of a bag), some bags a program."""
    bag = tl.program_id(0).to(tl.int64) * BAGS + tl.arange(0, BAGS)
    inside = bag < bags
    column = tl.arange(0, WIDTH)[None, :]
    total = tl.zeros([BAGS, WIDTH], tl.float32)
    for number in tl.static_range(LENGTH):
        row = tl.load(ids + bag * LENGTH + number, mask=inside, other=0)
        total += tl.load(table + row[:, None] * WIDTH + column, mask=inside[:, None], other=0.0)
    result = tl.maximum(total * tl.load(scale), 0.0)
    tl.store(y + bag[:, None] * WIDTH + column, result, mask=inside[:, None])


# 2. X: one multiplication, and four ways to hand it to the compiler.


@custom_op(f"{SPACE}::opaque", mutates_args=())
def opaque_scaled(v: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """The compiler is told of its shape and calls it."""
    return _scaled_by(scale_all, v, scale) if v.is_cuda else v * scale


@opaque_scaled.register_fake
def _shape_of(v: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:  # noqa: ARG001
    return torch.empty_like(v)


@triton_op(f"{SPACE}::triton", mutates_args=())
def triton_scaled(v: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """The compiler sees the launch of the same kernel."""
    return _scaled_by(wrap_triton(scale_all), v, scale)


def _scaled_by(kernel: Any, v: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    y, count = torch.empty_like(v), v.numel()
    kernel[(triton.cdiv(count, BLOCK),)](v, scale, y, count, BLOCK)
    return y


define(f"{SPACE}::visible", "(Tensor v, Tensor scale) -> Tensor")


@impl(f"{SPACE}::visible", "CompositeImplicitAutograd")
def visible_scaled(v: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """The compiler sees the multiplication."""
    return v * scale


@triton_op(f"{SPACE}::bag", mutates_args=())
def triton_bag(table: torch.Tensor, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """The bag and what comes after it, in one kernel."""
    bags, length = ids.shape
    width = table.shape[1]
    y = torch.empty((bags, width), dtype=table.dtype, device=table.device)
    grid = (triton.cdiv(bags, BAGS),)
    wrap_triton(scaled_bag)[grid](table, ids, scale, y, bags, length, width, BAGS)
    return y


# 3. The chains, as the compiler is given them.


def before(x: torch.Tensor) -> torch.Tensor:
    """Two pointwise operations."""
    return (x + SHIFT).abs()


def after(w: torch.Tensor) -> torch.Tensor:
    """And two more."""
    return w.clamp_max(MOST) - LESS


def clean(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Nothing but torch: also the definition."""
    return after(before(x) * scale)


def visible(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """An operator with a body of torch."""
    return after(torch.ops.demos_boundary.visible(before(x), scale))


def opaque(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """An operator without one."""
    return after(torch.ops.demos_boundary.opaque(before(x), scale))


def by_triton(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """An operator that is a Triton kernel."""
    return after(torch.ops.demos_boundary.triton(before(x), scale))


def broken(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """What any call does that the compiler cannot follow."""
    w = before(x) * scale
    torch._dynamo.graph_break()
    return after(w)


def item(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """The number comes to the host."""
    v = before(x)
    return after(v * scale.item())


def rewritten(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Equal on paper."""
    v = before(x)
    return after(v + v * (scale - 1))


def library_bag(
    table: torch.Tensor, ids: torch.Tensor, offsets: torch.Tensor, scale: torch.Tensor
) -> torch.Tensor:
    """The library's bag, and two pointwise operations."""
    return torch.relu(F.embedding_bag(ids.view(-1), table, offsets, mode="sum") * scale)


def gathered_bag(
    table: torch.Tensor,
    ids: torch.Tensor,
    offsets: torch.Tensor,  # noqa: ARG001
    scale: torch.Tensor,
) -> torch.Tensor:
    """The same in operations that the compiler fuses: also the definition."""
    return torch.relu(F.embedding(ids, table).sum(1) * scale)


def fused_bag(
    table: torch.Tensor,
    ids: torch.Tensor,
    offsets: torch.Tensor,  # noqa: ARG001
    scale: torch.Tensor,
) -> torch.Tensor:
    """A Triton op that does all of it."""
    return torch.ops.demos_boundary.bag(table, ids, scale)


# 4. The counts.


@dataclass(frozen=True, slots=True)
class Case:
    """One way to write the chain, and what should become of it."""

    key: str
    """What its metrics end with."""
    name: str
    title: str
    function: Callable[..., torch.Tensor]
    kernels: int
    graphs: int = 1
    triton: bool = False
    """Whether it takes a GPU."""

    @property
    def passes(self) -> int:
        """Every kernel reads and writes every element."""
        return 2 * self.kernels


CASES = (
    Case("clean", "clean", "Compiled: nothing but torch", clean, 1),
    Case("visible", "visible op", "Compiled: an operator with a body of torch", visible, 1),
    Case("opaque", "opaque op", "Compiled: an operator without one", opaque, 3),
    Case("triton", "Triton op", "Compiled: a Triton operator", by_triton, 3, triton=True),
    Case("break", "graph break", "Compiled: with a graph break", broken, 2, graphs=2),
    Case("item", ".item()", "Compiled: a number read by the host", item, 2, graphs=2),
)
BAG_CASES = (
    Case("compiled", "bag: compiled", "Compiled: the library's bag", library_bag, 2),
    Case("gathered", "bag: gathered", "Compiled: a gather and a sum", gathered_bag, 1),
    Case("triton", "bag: Triton op", "Compiled: a Triton operator", fused_bag, 1, triton=True),
)
EAGER_KERNELS, BAG_EAGER_KERNELS = 5, 3


def chain_bytes(passes: int) -> Callable[..., int]:
    """Bytes of so many passes, a function of the size."""
    return lambda elements: passes * FLOAT * elements


def bag_bytes(kernels: int) -> Callable[..., int]:
    """The rows and their ids read, the result written; each kernel more reads and writes it."""

    def counted(bags: int) -> int:
        result = FLOAT * bags * WIDTH
        return LENGTH * (result + LONG * bags) + (1 + 2 * (kernels - 1)) * result

    return counted


# 5. The variants.


def eager(b: Buffers) -> Call:
    """One operation after the other."""
    return lambda: clean(b.x, b.scale)


EAGER = Variant("eager", "Torch, not compiled", eager, chain_bytes(2 * EAGER_KERNELS), None, True)
REWRITTEN = Variant(
    "rewritten", "v + 0.1 v", lambda b: lambda: rewritten(b.x, b.scale), unchecked=True
)
BAG_EAGER = Variant(
    "bag: eager",
    "Torch, not compiled",
    lambda b: lambda: library_bag(b.table, b.ids, b.offsets, b.scale),
    bag_bytes(BAG_EAGER_KERNELS),
    baseline=True,
)


def variant_of(case: Case, inputs: Sequence[str], bytes_of: Callable[..., int]) -> Variant:
    """The case under torch.compile."""
    function = compiled(case.function, cpu=not case.triton, fullgraph=case.graphs == 1)
    return Variant(
        case.name,
        case.title,
        lambda b: function.bind(*(getattr(b, name) for name in inputs)),
        bytes=bytes_of,
        kernels=(function,),
    )


def graphs_of(function: Callable[..., Any], *args: torch.Tensor) -> int:
    """Into how many graphs torch.compile cuts a function."""
    graphs: list[Any] = []

    def keep(graph: Any, inputs: Any) -> Callable[..., Any]:  # noqa: ARG001
        graphs.append(graph)
        forward: Callable[..., Any] = graph.forward
        return forward

    Compiled(function, backend=keep, fullgraph=False).bind(*args)
    return len(graphs)


def kernels_of(launches: Iterable[Launch]) -> int:
    """Kernels among what a call launches: copying a number to the host is none."""
    nothing = ("Memcpy", "Memset", "aten::item")
    return sum(found.launches for found in launches if not found.name.startswith(nothing))


# 6. The problems, at any size.


def problem(elements: int) -> Problem:
    """The chain on so many normally distributed numbers."""
    return Problem(
        inputs={"x": normal(elements), "scale": filled(1, value=SCALE)},
        outputs={"y": empty(elements)},
        reference=clean,
        size={"elements": elements},
        sliced=("x",),
    )


def bag_problem(bags: int) -> Problem:
    """Bags of random rows of a table."""
    rows = ROWS_A_BAG * bags
    return Problem(
        inputs={
            "table": normal(rows, WIDTH),
            "ids": integers(bags, LENGTH, low=0, high=rows, dtype=torch.int64),
            "offsets": Spec((bags,), torch.int64, _every_bag),
            "scale": filled(1, value=SCALE),
        },
        outputs={"y": empty(bags, WIDTH)},
        reference=gathered_bag,
        size={"bags": bags},
        sliced=("ids",),
    )


def _every_bag(offsets: torch.Tensor, _: torch.Generator) -> None:
    end = LENGTH * offsets.numel()
    offsets.copy_(torch.arange(0, end, LENGTH, device=offsets.device))


# 7. The story.


def demo(run: Run) -> None:
    """Predict graphs, kernels and passes, count them, and time what they cost."""
    cases = [case for case in CASES if run.cuda or not case.triton]
    bag_cases = [case for case in BAG_CASES if run.cuda or not case.triton]
    ways = {c.key: variant_of(c, ("x", "scale"), chain_bytes(c.passes)) for c in cases}
    names = ("table", "ids", "offsets", "scale")
    bags = {c.key: variant_of(c, names, bag_bytes(c.kernels)) for c in bag_cases}
    run.begin([EAGER, *ways.values(), BAG_EAGER, *bags.values()], measures=3 if run.cuda else 2)
    full, bag_full = problem(run.params["elements"]), bag_problem(run.params["bags"])
    _predict(run, full, bag_full, cases, bag_cases)
    run.gate([problem(SMALL), full], [EAGER, *ways.values()], yardstick=EAGER)
    run.gate([bag_problem(ODD_BAGS), bag_full], [BAG_EAGER, *bags.values()], yardstick=BAG_EAGER)
    _compare_bits(run, full, list(ways.values()))
    _count_graphs(run, cases, bag_cases)
    _count_kernels(run, full, {"eager": EAGER, **ways}, "kernels_")
    _count_kernels(run, bag_full, {"eager": BAG_EAGER, **bags}, "bag_kernels_")
    times = run.measure(full, [EAGER, *ways.values()], again=ways["clean"])
    bag_times = run.measure(bag_full, [BAG_EAGER, *bags.values()])
    if run.cuda:
        _conclude(run, times, cases)
        _conclude_bags(run, bag_times, bag_cases)
        small = run.measure(
            problem(SMALL), list(ways.values()), point={"elements": SMALL}, clocks=("call",)
        )
        _conclude_small(run, small, cases)


def _predict(
    run: Run,
    full: Problem,
    bag_full: Problem,
    cases: Sequence[Case],
    bag_cases: Sequence[Case],
) -> None:
    """The counts everywhere; what passes cost only on a GPU."""
    for prefix, among in (("", cases), ("bag_", bag_cases)):
        for case in among:
            words = "cut before and after what cannot be seen into"
            run.predict(f"{prefix}kernels_{case.key}", case.kernels, "kernels", words)
            run.predict(f"{prefix}graphs_{case.key}", case.graphs, "graphs", "one more a break")
    run.predict("differing", 0, "elements", "the same operations in the same order")
    if not run.cuda:
        return
    bandwidth, start = run.ceiling("copy bandwidth"), run.ceiling("empty kernel")

    def seconds(task: Problem, bytes_of: Callable[..., int], kernels: int) -> float:
        return bytes_of(**task.size) / bandwidth + kernels * start

    def chain(kernels: int) -> float:
        return seconds(full, chain_bytes(2 * kernels), kernels)

    def bag(kernels: int) -> float:
        return seconds(bag_full, bag_bytes(kernels), kernels)

    for case in cases[1:]:
        gain = chain(case.kernels) / chain(1)
        run.predict(f"slowdown_{case.key}", gain, "×", "(2 N s / BW + L) of each kernel")
    run.predict("eager_over_clean", chain(EAGER_KERNELS) / chain(1), "×", "likewise")
    run.predict("time:clean", chain(1), "s", "2 N s / BW + L")
    for case in bag_cases[1:]:
        gain = bag(bag_cases[0].kernels) / bag(case.kernels)
        run.predict(f"bag_speedup_{case.key}", gain, "×", "bytes / BW + L of each kernel")


def _compare_bits(run: Run, full: Problem, ways: Sequence[Variant]) -> None:
    """Every way against eager; and a rewriting, which must be seen to differ."""
    differing = sum(run.identical(full, EAGER, way).differing for way in ways)
    against = run.identical(full, EAGER, REWRITTEN, control=True).differing
    run.metric("differing", differing, "elements", control=against)


def _count_graphs(run: Run, cases: Sequence[Case], bag_cases: Sequence[Case]) -> None:
    for prefix, among, task in (
        ("", cases, problem(SMALL)),
        ("bag_", bag_cases, bag_problem(ODD_BAGS)),
    ):
        buffers = Buffers(task, run.device)
        buffers.draw(run.seed)
        for case in among:
            run.stage(f"counting graphs: {case.name}")
            found = graphs_of(case.function, *buffers.inputs.values())
            run.metric(f"{prefix}graphs_{case.key}", found, "graphs")


def _count_kernels(run: Run, task: Problem, ways: dict[str, Variant], prefix: str) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    note = "" if run.cuda else "generated by the compiler, and operations that it calls"
    for key, variant in ways.items():
        if found := run.kernels(task, variant):
            run.metric(prefix + key, kernels_of(found), "kernels", note=note)
        if found and run.cuda and key == "item":
            copies = sum(launch.launches for launch in found) - kernels_of(found)
            run.metric("copies_item", copies, "copies", note="to the host, in each call")


def _conclude(run: Run, times: Timings, cases: Sequence[Case]) -> None:
    """What it costs not to be seen; an operator that is seen is the control."""
    visible_op = times.ratio("visible op", "clean")
    for case in cases[1:]:
        against = times.noise if case.key == "visible" else visible_op
        run.metric(f"slowdown_{case.key}", times.ratio(case.name, "clean"), "×", control=against)
    run.metric("eager_over_clean", times.ratio(EAGER.name, "clean"), "×", control=times.noise)
    run.metric(
        "item_over_break",
        times.ratio(".item()", "graph break"),
        "×",
        control=times.noise,
        note="the host waits, and the device for the host",
    )


def _conclude_bags(run: Run, times: Timings, cases: Sequence[Case]) -> None:
    library = cases[0].name
    for case in cases[1:]:
        gain = times.ratio(library, case.name)
        run.metric(f"bag_speedup_{case.key}", gain, "×", control=times.noise)
    gain = times.ratio(BAG_EAGER.name, library)
    run.metric("bag_eager_over_compiled", gain, "×", control=times.noise)


def _conclude_small(run: Run, times: Timings, cases: Sequence[Case]) -> None:
    """Where calls count and not passes."""
    where = f"as called, {SMALL} elements"
    for case in cases[1:]:
        ratio = times.called_ratio(case.name, "clean")
        run.metric(f"small_slowdown_{case.key}", ratio, "×", times.called_noise, where)
