"""Target attention: mask, softmax and weighted sum of one query over a history, in six kernels
or in one, with the same bits.

The claim: product, sum, mask, softmax, product, sum, one kernel after the other, take six
arrays of batch · history · width through memory (keys, values, and two products written and
read).  One kernel takes only the keys and the values, or only the keys where these are the
values too (as in a deep interest network): about a third and about a sixth of the bytes.

And not one bit changes, though a floating-point sum depends on its order and a compiler
chooses that order by how it lays a tile out over threads.  So the order is written in the
program, the same text for the six and the one:

* over the width, neighbours are added, then neighbouring sums, and so on;
* over the history, each row of a tile has its own running sum over the tiles, and then the
  rows are folded, the upper half onto the lower;
* every step adds two numbers, which has only one order; no multiply-add is contracted.

Then neither the number of warps nor the kernel it is in can change a sum.  The controls do:
contraction allowed, and another height of the tile, which is another order.

No tile is taller than it need be: the history is walked tile by tile, and loads skip what is
past its end, so a history of 200 costs no more bytes than 200 rows.  One warp a history waits
for no other, and other histories hide its waiting for memory.  Where the keys are the values,
a history should not be fetched twice: either its whole tile stays in registers, or so few
histories are under way at a time that the second look finds it in the cache.  Which is best is
tried before the measurement, over a few tiles, and told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
import triton
import triton.language as tl

from demos import gate, profiling
from demos.bootstrap import Estimate
from demos.clocks import Lane, clock_for
from demos.compiling import Compiled, compiled
from demos.failures import Incorrect
from demos.kernels import copied
from demos.problem import Buffers, Call, Problem, Variant, empty, integers, normal
from demos.rounds import Timings
from demos.run import Run

FLOAT = 4
"""Bytes, of a number and of a length."""
LEVELS = tl.constexpr(12)
"""Most halvings of a tree."""
FLAT = 2048
"""Elements a program, in the kernels that know no history."""
WARPS = (1, 2, 4, 8, 16)
SEEDS = 3
TRIES = 7
"""Samples of each tile that is tried."""


# 1. The sums, as fixed trees.


@triton.jit
def sum_of_neighbours(x):  # type: ignore[no-untyped-def]
    """Sums over the columns: [R, C] → [R]."""
    rows: tl.constexpr = x.shape[0]
    for _ in tl.static_range(LEVELS):
        if x.shape[1] > 1:
            x = tl.sum(tl.reshape(x, [rows, x.shape[1] // 2, 2]), axis=2)
    return tl.reshape(x, [rows])


@triton.jit
def sum_of_halves(x):  # type: ignore[no-untyped-def]
    """Sums over the rows: [R, C] → [C]."""
    columns: tl.constexpr = x.shape[1]
    for _ in tl.static_range(LEVELS):
        if x.shape[0] > 1:
            x = tl.sum(tl.reshape(x, [2, x.shape[0] // 2, columns]), axis=0)
    return tl.reshape(x, [columns])


@triton.jit
def softmax_of(x):  # type: ignore[no-untyped-def]
    """Softmax of a vector; the greatest of it has no order to keep."""
    power = tl.exp(x - tl.max(x, 0))
    count: tl.constexpr = x.shape[0]
    return power / tl.sum(sum_of_halves(tl.reshape(power, [count, 1])), 0)


@triton.jit
def tile_of(x, rows_left, ROWS: tl.constexpr, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    """The first rows of ``x``; zeros, without a load, where none are left."""
    row = tl.arange(0, ROWS)
    at = row[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    return tl.load(x + at, mask=(row < rows_left)[:, None], other=0.0)


# 2. Six kernels ...


@triton.jit
def multiply_query(q, k, product, rows, history, ROWS: tl.constexpr, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    """product = q · k, element by element; ``rows`` of all histories are one after the other."""
    first = tl.program_id(0).to(tl.int64) * ROWS
    row = tl.arange(0, ROWS)
    column = tl.arange(0, WIDTH)[None, :]
    inside = (row < rows - first)[:, None]
    of = ((first + row) // history)[:, None]
    keys = tile_of(k + first * WIDTH, rows - first, ROWS, WIDTH)
    query = tl.load(q + of * WIDTH + column, mask=inside, other=0.0)
    tl.store(product + first * WIDTH + row[:, None] * WIDTH + column, keys * query, mask=inside)


@triton.jit
def sum_width(product, scores, rows, ROWS: tl.constexpr, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    """scores = sums of product over the width."""
    first = tl.program_id(0).to(tl.int64) * ROWS
    row = tl.arange(0, ROWS)
    found = sum_of_neighbours(tile_of(product + first * WIDTH, rows - first, ROWS, WIDTH))
    tl.store(scores + first + row, found, mask=row < rows - first)


@triton.jit
def scale_and_mask(scores, lengths, masked, rows, history, scale, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """masked = scores · scale, -∞ past the end of each history."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < rows
    length = tl.load(lengths + at // history, mask=inside, other=0)
    score = tl.load(scores + at, mask=inside, other=0.0) * scale
    tl.store(masked + at, tl.where(at % history < length, score, -float("inf")), mask=inside)


@triton.jit
def softmax_history(masked, weights, history, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """weights = softmax of masked over each history."""
    start = tl.program_id(0) * history
    at = tl.arange(0, BLOCK)
    inside = at < history
    score = tl.load(masked + start + at, mask=inside, other=-float("inf"))
    tl.store(weights + start + at, softmax_of(score), mask=inside)


@triton.jit
def multiply_weights(weights, v, product, rows, ROWS: tl.constexpr, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    """product = weights · v, each row by its weight."""
    first = tl.program_id(0).to(tl.int64) * ROWS
    row = tl.arange(0, ROWS)
    inside = row < rows - first
    values = tile_of(v + first * WIDTH, rows - first, ROWS, WIDTH)
    weight = tl.load(weights + first + row, mask=inside, other=0.0)
    at = row[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    tl.store(product + first * WIDTH + at, weight[:, None] * values, mask=inside[:, None])


@triton.jit
def sum_history(product, y, history, ROWS: tl.constexpr, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = sums of product over each history."""
    b = tl.program_id(0).to(tl.int64)
    product += b * history * WIDTH
    total = tl.zeros([ROWS, WIDTH], tl.float32)
    for i in range(tl.cdiv(history, ROWS)):
        total += tile_of(product + i * (ROWS * WIDTH), history - i * ROWS, ROWS, WIDTH)
    tl.store(y + b * WIDTH + tl.arange(0, WIDTH), sum_of_halves(total))


# ... and one.


@triton.jit
def attention(  # type: ignore[no-untyped-def]
    q,
    k,
    v,
    lengths,
    y,
    history,
    scale,
    ROWS: tl.constexpr,
    TILES: tl.constexpr,
    WIDTH: tl.constexpr,
    KEEP: tl.constexpr,
):
    """All six for one history; with ``KEEP`` it is one tile, and the keys are the values."""
    b = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, WIDTH)
    number = tl.arange(0, TILES)[:, None]
    query = tl.load(q + b * WIDTH + column)[None, :]
    k += b * history * WIDTH
    v += b * history * WIDTH
    scores = tl.zeros([TILES, ROWS], tl.float32)
    if KEEP:
        keys = tile_of(k, history, ROWS, WIDTH)
        scores = tl.reshape(sum_of_neighbours(keys * query), [1, ROWS])
    else:
        for i in range(tl.cdiv(history, ROWS)):
            tile = tile_of(k + i * (ROWS * WIDTH), history - i * ROWS, ROWS, WIDTH)
            scores = tl.where(number == i, sum_of_neighbours(tile * query)[None, :], scores)
    place = number * ROWS + tl.arange(0, ROWS)[None, :]
    scores = tl.where(place < tl.load(lengths + b), scores * scale, -float("inf"))
    weights = softmax_of(tl.reshape(scores, [TILES * ROWS]))
    total = tl.zeros([ROWS, WIDTH], tl.float32)
    if KEEP:
        total += weights[:, None] * keys
    else:
        weights = tl.reshape(weights, [TILES, ROWS])
        for i in range(tl.cdiv(history, ROWS)):
            tile = tile_of(v + i * (ROWS * WIDTH), history - i * ROWS, ROWS, WIDTH)
            weight = tl.sum(tl.where(number == i, weights, 0.0), 0)  # one weight and zeros
            total += weight[:, None] * tile
    tl.store(y + b * WIDTH + column, sum_of_halves(total))


# 3. The counts, functions of the size.  ``arrays`` is 1 where the keys are the values.


def six_bytes(batch: int, history: int, width: int, arrays: int) -> int:  # noqa: ARG001
    """Kernel by kernel: what it reads, and what it writes."""
    tile, row = history * width, history
    each = (
        width + tile + tile,  # query, keys → product
        tile + row,  # product → scores
        row + 1 + row,  # scores, length → masked
        row + row,  # masked → weights
        row + tile + tile,  # weights, values → product
        tile + width,  # product → result
    )
    return FLOAT * batch * sum(each)


def one_bytes(batch: int, history: int, width: int, arrays: int) -> int:
    """Query, length and result of each history, its keys, and its values if they are others."""
    return FLOAT * batch * (arrays * history * width + 2 * width + 1)


def flops(batch: int, history: int, width: int, arrays: int) -> int:  # noqa: ARG001
    """Two products and two sums over every element, scale, softmax; however they are cut."""
    return batch * (4 * history * width + 5 * history)


# 4. The variants.


@dataclass(frozen=True, slots=True)
class Tile:
    """How the one kernel walks a history.  Its height is part of the order of the sum."""

    rows: int
    warps: int
    keep: bool = False
    """The whole history is one tile, kept from the scores to the weighted sum."""

    def tiles(self, history: int) -> int:
        """Tiles that a history takes, as a power of two."""
        return triton.next_power_of_2(triton.cdiv(history, self.rows))

    def __str__(self) -> str:
        kept = ", kept in registers" if self.keep else ""
        return f"{self.rows} rows a tile{kept}, {self.warps} warps"


def tiles_to_try(history: int, width: int, arrays: int) -> list[Tile]:
    """A few by how many elements a thread holds and how many warps share a history."""
    if arrays == 2:
        return [_tile(n, warps, width) for n, warps in ((16, 1), (32, 1), (16, 2), (16, 4))]
    whole = triton.next_power_of_2(history)
    kept = [Tile(whole, max(1, whole * width // (32 * n)), keep=True) for n in (32, 64)]
    return [
        *(tile for tile in kept if tile.warps <= max(WARPS)),
        *(_tile(16, warps, width) for warps in (8, 16)),
    ]


def _tile(elements: int, warps: int, width: int) -> Tile:
    return Tile(max(1, elements * 32 * warps // width), warps)


def values_of(b: Buffers) -> torch.Tensor:
    """The values: the keys where there are no others."""
    return b.k if b.problem.size["arrays"] == 1 else b.v


def six_kernels(tile: Tile) -> Callable[[Buffers], Call]:
    """Six launches with five intermediates in memory."""

    def bind(b: Buffers) -> Call:
        batch, history, width = b.k.shape
        rows, values, scale = batch * history, values_of(b), width**-0.5
        flat = max(1, FLAT // width)
        grid, points = (triton.cdiv(rows, flat),), (triton.cdiv(rows, FLAT),)
        exact: dict[str, Any] = {"enable_fp_fusion": False}
        block = tile.tiles(history) * tile.rows

        def call() -> None:
            multiply_query[grid](b.q, b.k, b.product, rows, history, flat, width, **exact)
            sum_width[grid](b.product, b.scores, rows, flat, width, **exact)
            scale_and_mask[points](
                b.scores, b.lengths, b.masked, rows, history, scale, FLAT, **exact
            )
            softmax_history[(batch,)](b.masked, b.weights, history, block, num_warps=1, **exact)
            multiply_weights[grid](b.weights, values, b.weighted, rows, flat, width, **exact)
            sum_history[(batch,)](
                b.weighted, b.y, history, tile.rows, width, num_warps=tile.warps, **exact
            )

        return call

    return bind


def one_kernel(tile: Tile, contracted: bool = False) -> Callable[[Buffers], Call]:
    """One launch."""

    def bind(b: Buffers) -> Call:
        batch, history, width = b.k.shape
        given = (b.q, b.k, values_of(b), b.lengths, b.y, history, width**-0.5)
        shape = (tile.rows, tile.tiles(history), width, tile.keep)
        options = {"num_warps": tile.warps, "enable_fp_fusion": contracted}

        def call() -> None:
            attention[(batch,)](*given, *shape, **options)

        return call

    return bind


def operations(b: Buffers) -> Call:
    """Eager torch, each operation into memory that is already there."""
    values, scale, place = values_of(b), b.k.shape[2] ** -0.5, _places(b)

    def call() -> None:
        torch.mul(b.q[:, None], b.k, out=b.product)
        torch.sum(b.product, -1, out=b.scores)
        torch.mul(b.scores, scale, out=b.masked)
        b.masked.masked_fill_(place >= b.lengths[:, None], -float("inf"))
        torch.softmax(b.masked, -1, out=b.weights)
        torch.mul(b.weights[:, :, None], values, out=b.weighted)
        torch.sum(b.weighted, 1, out=b.y)

    return call


def batched_products(b: Buffers) -> Call:
    """The library's batched matrix product for both sums, and the mask and softmax between."""
    values, scale, place = values_of(b), b.k.shape[2] ** -0.5, _places(b)

    def call() -> None:
        torch.bmm(b.k, b.q[:, :, None], out=b.scores[:, :, None])
        torch.mul(b.scores, scale, out=b.masked)
        b.masked.masked_fill_(place >= b.lengths[:, None], -float("inf"))
        torch.softmax(b.masked, -1, out=b.weights)
        torch.bmm(b.weights[:, None], values, out=b.y[:, None])

    return call


def library_attention(b: Buffers) -> Call:
    """Torch's attention, one head and one query."""
    values, place = values_of(b), _places(b)

    def call() -> torch.Tensor:
        seen = place < b.lengths[:, None]
        return F.scaled_dot_product_attention(
            b.q[:, None, None], b.k[:, None], values[:, None], attn_mask=seen[:, None, None]
        )[:, 0, 0]

    return call


def _places(b: Buffers) -> torch.Tensor:
    return torch.arange(b.k.shape[1], device=b.device)[None]


def attended(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, lengths: torch.Tensor
) -> torch.Tensor:
    """The definition, in plain torch: the reference, and what torch.compile is given."""
    scores = (q[:, None] * k).sum(-1) * k.shape[2] ** -0.5
    past = torch.arange(k.shape[1], device=k.device)[None] >= lengths[:, None]
    weights = torch.softmax(scores.masked_fill(past, -float("inf")), -1)
    return (weights[:, :, None] * v).sum(1)


def six(tile: Tile) -> Variant:
    """The baseline in the same order of sums."""
    written = (
        multiply_query,
        sum_width,
        scale_and_mask,
        softmax_history,
        multiply_weights,
        sum_history,
    )
    return Variant(
        "six kernels",
        "Six Triton kernels",
        six_kernels(tile),
        bytes=six_bytes,
        flops=flops,
        baseline=True,
        kernels=written,
    )


def one(tile: Tile) -> Variant:
    """The one kernel."""
    return Variant(
        "one kernel",
        "One Triton kernel",
        one_kernel(tile),
        bytes=one_bytes,
        flops=flops,
        kernels=(attention,),
    )


OPERATIONS = Variant("eager", "Torch operations with out=", operations, flops=flops, baseline=True)
PRODUCTS = Variant(
    "bmm", "Batched products and a softmax", batched_products, baseline=True, unchecked=True
)
LIBRARY = Variant("SDPA", "Torch's attention", library_attention, baseline=True, unchecked=True)
LIBRARIES = (PRODUCTS, LIBRARY)
"""Their sums are less exact than trees, so they are held to the type's limit alone."""
COPY = Variant(
    "copy", "A plain copy by torch", lambda b: lambda: b.product.copy_(b.k), unchecked=True
)
TRITON_COPY = Variant(
    "Triton copy",
    "A plain copy by Triton",
    lambda b: lambda: copied(b.k, b.product),
    unchecked=True,
)


def by_compiler(function: Compiled) -> Variant:
    """The definition under torch.compile."""
    return Variant(
        "torch.compile",
        "What torch.compile makes of the definition",
        lambda b: function.bind(b.q, b.k, values_of(b), b.lengths),
        kernels=(function,),
    )


# 5. The problem, at any size.


def problem(batch: int, history: int, width: int, arrays: int = 2) -> Problem:
    """One query for each history, of any length up to ``history``."""
    tables = {"q": normal(batch, width), "k": normal(batch, history, width)}
    if arrays == 2:
        tables["v"] = normal(batch, history, width)
    return Problem(
        inputs={**tables, "lengths": integers(batch, low=1, high=history + 1)},
        outputs={"y": empty(batch, width)},
        scratch={
            "product": empty(batch, history, width),
            "weighted": empty(batch, history, width),
            **{name: empty(batch, history) for name in ("scores", "masked", "weights")},
        },
        reference=lambda q, k, lengths, v=None: attended(q, k, k if v is None else v, lengths),
        size={"batch": batch, "history": history, "width": width, "arrays": arrays},
        sliced=("k", *(name for name in tables if name != "k"), "lengths"),
    )


ODD = (37, 50, 32)
"""Batch, history and width of the small check."""


@dataclass(frozen=True, slots=True)
class Case:
    """One shape in one formulation, and the tile that suits it."""

    prefix: str
    suffix: str
    task: Problem
    tile: Tile

    @property
    def headline(self) -> bool:
        """Whether it is the first of its formulation."""
        return not self.suffix

    def named(self, metric: str) -> str:
        """The metric's name in this case."""
        return self.prefix + metric + self.suffix


PREFIXES = {2: "", 1: "same_"}
"""Of metrics, by the number of arrays: ``same_`` is where the keys are the values."""


def shapes(batch: int) -> dict[str, tuple[int, int, int]]:
    """The headline, one whose history is no power of two, and one twice as wide."""
    return {
        "": (batch, 128, 64),
        "_odd": (batch, 200, 64),
        "_wide": (max(1, batch // 2), 256, 128),
    }


# 6. The story.


def demo(run: Run) -> None:
    """Predict both gains from the bytes, show that no bit changes, and measure."""
    compiler = by_compiler(compiled(attended))
    others = [OPERATIONS, compiler, *LIBRARIES]
    small = Tile(16, 2)
    run.begin([six(small), one(small), *others, COPY, TRITON_COPY], measures=6)
    bandwidth, start = run.ceiling("copy bandwidth"), run.ceiling("empty kernel")
    cases = _cases(run)
    for case in cases:
        _predict(run, case, bandwidth, start)
    _compare_bits(run, cases)
    for case in cases:
        variants = [six(case.tile), one(case.tile), *others]
        odd = problem(*ODD, arrays=case.task.size["arrays"])
        run.gate([odd, case.task], variants, yardstick=variants[0])
        _check_libraries(run, case)
        if case.headline and not case.prefix:
            _count_kernels(run, case)
        times = run.measure(
            case.task, [*variants, COPY, TRITON_COPY], point=case.task.size, seconds=1.5
        )
        _conclude(run, case, times)


def _cases(run: Run) -> list[Case]:
    found = []
    for arrays, prefix in PREFIXES.items():
        for suffix, shape in shapes(run.params["batch"]).items():
            task = problem(*shape, arrays=arrays)
            found.append(Case(prefix, suffix, task, _fastest(run, task)))
    return found


def _fastest(run: Run, task: Problem) -> Tile:
    """The tile that takes the least time here, of the few worth trying."""
    _, history, width = task.inputs["k"].shape
    clock = clock_for(run.machine)
    buffers = Buffers(task, run.device)
    buffers.draw(run.seed)

    def seconds(tile: Tile) -> float:
        run.stage(f"trying {tile}")
        lane = Lane([one_kernel(tile)(buffers)])
        clock.sample(lane, clock.names[0])
        return median(clock.sample(lane, clock.names[0]).seconds for _ in range(TRIES))

    return min(tiles_to_try(history, width, task.size["arrays"]), key=seconds)


def _predict(run: Run, case: Case, bandwidth: float, start: float) -> None:
    """From bytes, the copy bandwidth and the cost of a launch, all measured here."""
    many, few = six_bytes(**case.task.size), one_bytes(**case.task.size)
    gain = (many / bandwidth + 6 * start) / (few / bandwidth + start)
    run.predict(case.named("speedup"), gain, "×", "(bytes of six / BW + 6 L) / (of one / BW + L)")
    if not case.headline:
        return
    run.predict(case.named("differing"), 0, "elements", "the same sums in the same order")
    if not case.prefix:
        run.predict("time:six kernels", many / bandwidth + 6 * start, "s", "bytes / BW + 6 L")
        run.predict("time:one kernel", few / bandwidth + start, "s", "bytes / BW + L")


def _compare_bits(run: Run, cases: Sequence[Case]) -> None:
    """Every number of warps against the six; and both controls, which must differ."""
    differing = dict.fromkeys(PREFIXES.values(), 0)
    against = dict.fromkeys(PREFIXES.values(), 0)
    for case in cases:
        rows, keep = case.tile.rows, case.tile.keep
        warps = WARPS if case.headline else (case.tile.warps,)
        ways = {f"one kernel, {n} warps": one_kernel(Tile(rows, n, keep)) for n in warps}
        differing[case.prefix] += sum(_differing(run, case, ways, control=False))
        if case.headline:
            against[case.prefix] = min(_differing(run, case, _controls(case.tile), control=True))
    for prefix, count in differing.items():
        run.metric(f"{prefix}differing", count, "elements", control=against[prefix])


def _controls(tile: Tile) -> dict[str, Callable[[Buffers], Call]]:
    lower = Tile(max(1, tile.rows // 4), tile.warps)  # half of a whole tile is the same order
    return {
        "multiply-add allowed": one_kernel(tile, contracted=True),
        f"another order: {lower.rows} rows": one_kernel(lower),
    }


def _differing(
    run: Run, case: Case, ways: dict[str, Callable[[Buffers], Call]], control: bool
) -> list[int]:
    """Of each way, how many elements differ from the six over all seeds; each is a check."""
    buffers = Buffers(case.task, run.device)
    calls = {name: bind(buffers) for name, bind in ways.items()}
    six_call, counts, total = six_kernels(case.tile)(buffers), dict.fromkeys(ways, 0), 0
    for seed in range(SEEDS):
        buffers.draw(run.seed + 20 + seed)
        six_call()
        want = buffers.y.clone()
        total += want.numel()
        for name, call in calls.items():
            run.stage(f"comparing bits: {name}")
            buffers.poison(float("nan"))
            call()
            counts[name] += gate.differing(buffers.y, want)
    shape = " · ".join(str(side) for side in case.task.inputs["k"].shape)
    for name, count in counts.items():
        detail = f"{count} of {total} elements differ from the six ({shape}, {SEEDS} seeds)"
        run.check(name, "bit-identical", count == 0, detail, count, total, control)
    return list(counts.values())


def _check_libraries(run: Run, case: Case) -> None:
    """No better than single precision must be, and no worse."""
    buffers, limit = Buffers(case.task, run.device), gate.CAPS[torch.float32]
    for variant in LIBRARIES:
        findings = gate.Findings()
        gate.trial(buffers, variant.bind(buffers), findings, (run.seed + 1,))
        gate.judge(findings, gate.Error(limit, 100 * limit))
        error = f"relative error {findings.error.relative:.1e}, allowed {limit:.1e}"
        run.check(variant.name, "correct", not findings.faults, "; ".join(findings.faults) or error)
        if findings.faults:
            raise Incorrect(f"{variant.name}: {findings.faults[0]}")


def _count_kernels(run: Run, case: Case) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    for side, variant in (("unfused", six(case.tile)), ("fused", one(case.tile))):
        if found := run.kernels(case.task, variant):
            run.metric(f"kernels_{side}", profiling.total(found), "kernels")


def _conclude(run: Run, case: Case, times: Timings) -> None:
    size = case.task.size
    least = six_bytes(**size) / one_bytes(**size)
    speedup = times.ratio("six kernels", "one kernel")
    run.metric(case.named("speedup"), speedup, "×", control=times.noise, note=str(case.tile))
    run.metric(case.named("speedup_over_bytes"), speedup / least, "", control=times.noise / least)
    run.metric(
        case.named("copy_share"),
        _share(times, one_bytes(**size), case.task, "one kernel"),
        "",
        control=_share(times, one_bytes(**size), case.task, "six kernels"),
        note="bytes that it must move a second over the fastest copy's",
    )
    for metric, name in (
        ("over_eager", "eager"),
        ("over_compiled", "torch.compile"),
        ("over_bmm", "bmm"),
        ("over_sdpa", "SDPA"),
    ):
        run.metric(case.named(metric), times.ratio(name, "one kernel"), "×", control=times.noise)
    run.metric(case.named("bytes_unfused_over_fused"), least, "×")


def _share(times: Timings, needed: int, task: Problem, name: str) -> Estimate:
    """The needed bytes a second over those of the fastest copy of the keys."""
    part = needed / (2 * task.inputs["k"].bytes)
    return times.combined(
        lambda t, *copies: part * min(copies) / t, name, COPY.name, TRITON_COPY.name
    )
