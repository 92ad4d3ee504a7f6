"""A big matrix product pulled out of the library to fuse what follows: from which depth it loses.

The claim: bias and GELU after a product cost one pass over the result, 2 · item · M N bytes,
whatever the depth K; a product of one's own that has them in its epilogue saves that pass,
but is slower than the library's by some share of a time that grows with K.  So it wins where
K is small and loses where K is large.  With an efficiency e of one's own product (the
library's time over its) and a library's rate F, the sign changes at
K* = item · F / BW · e / (1 - e): the better the kernel, the deeper; at e = 1 it never loses.

That formula takes it that the epilogue is free and that times are proportional to K.  Neither
is so: the last tile's store, the start of the first tile's loads and the GELU itself overlap
with nothing where a multiprocessor holds one tile only.  The better model gives each side a
straight line in K, a fixed part and a part a step, read off at two depths that are not among
those measured.  It foretells every sign and the crossing; both models are held to what is found.

There are three kernels, the same text with other tiles: the greatest that fits is best where K
is large, and a middle one, of which two share a multiprocessor, where the epilogue counts; the
small one is how a first attempt looks.  What stands against them is the faster of two ways with
two kernels, product with a fused pass after it and product with its bias and GELU after it;
and, told beside it, the vendor's own epilogue, which is what one should try before any of this.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import torch
import triton
import triton.language as tl

from demos import profiling
from demos.bootstrap import Estimate
from demos.clocks import Lane, clock_for
from demos.epilogue import (
    ALONE,
    TWO,
    VENDOR,
    crossing,
    flops,
    gelu,
    one_bytes,
    problem,
    product,
    result_bytes,
    two_bytes,
)
from demos.problem import Buffers, Call, Problem, Variant
from demos.rounds import Timings
from demos.run import Run

DEPTHS = (128, 256, 512, 1024, 2048, 4096, 8192, 16384)
SHALLOW, DEEP = 256, 8192
"""Depths of which the gains are told."""
KNOWN = (384, 6144)
"""Depths at which the lines are read off; not among those measured."""
DEEPEST = 2**20
"""As far as a crossing is looked for."""
ODD = (300, 264, 136)
"""Rows, columns and depth of the small check: no multiples of a tile."""
SECONDS = 0.7
TRIES = 7
"""Samples of each point of a line."""
BLOCK = 2048
"""Elements a program, of the pass after the product."""


# 1. The kernels: that of the epilogue's demo, and one pass over the result.


@triton.jit
def bias_and_gelu(t, bias, y, columns, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = gelu(t + bias), part of a row a program; rounds once."""
    start = tl.program_id(0).to(tl.int64) * columns
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(t + start + column, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(bias + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + start + column, gelu(value).to(y.dtype.element_ty), mask=inside)


# 2. The counts and the models.


def pass_bytes(rows: int, columns: int, item: int) -> int:
    """The result read and written once more."""
    return 2 * result_bytes(rows, columns, item)


def formula_depth(rate: float, bandwidth: float, efficiency: float, item: int) -> float:
    """The depth from which on it loses, K* = item · F / BW · e / (1 - e); ∞ if it never does."""
    if efficiency >= 1:
        return math.inf
    return item * rate / bandwidth * efficiency / (1 - efficiency)


@dataclass(frozen=True, slots=True)
class Line:
    """A time that grows in proportion to the depth, from a fixed part on."""

    fixed: float
    """Seconds."""
    step: float
    """Seconds a unit of depth."""

    @classmethod
    def through(cls, times: Mapping[int, float]) -> Line:
        """The line through two measured times, by depth."""
        (shallow, early), (deep, late) = sorted(times.items())
        step = (late - early) / (deep - shallow)
        return cls(early - shallow * step, step)

    def at(self, depth: float) -> float:
        """Seconds at that depth."""
        return self.fixed + self.step * depth


@dataclass(frozen=True, slots=True)
class Model:
    """The lines of the library's products and of one's own, epilogue included."""

    library: tuple[Line, ...]
    own: tuple[Line, ...]
    after: float
    """Seconds of the pass that follows the library's product."""

    def gain(self, depth: float) -> float:
        """The library's time over that of one's own, of either the fastest."""
        slow = min(line.at(depth) for line in self.library) + self.after
        return slow / min(line.at(depth) for line in self.own)

    def crossover(self, shallowest: int) -> float | None:
        """The depth at which the gain falls below 1; None if it does not."""
        octaves = int(math.log2(DEEPEST / shallowest))
        depths = [round(shallowest * 2 ** (n / 8)) for n in range(8 * octaves + 1)]
        gains = {depth: self.gain(depth) for depth in depths}
        return crossing({d: g for d, g in gains.items() if g > 0}, 1.0)

    @property
    def efficiency(self) -> float:
        """The library's time a step over that of one's own."""
        return min(line.step for line in self.library) / min(line.step for line in self.own)

    def signs(self, gains: Mapping[int, float]) -> int:
        """Of how many measured gains it foretells whether they are over 1."""
        return sum((self.gain(depth) > 1) == (gain > 1) for depth, gain in gains.items())


# 3. The variants.


def library_and_pass(b: Buffers) -> Call:
    """The library's product, and one kernel for all that follows."""
    rows, columns = b.y.shape
    grid = (rows, triton.cdiv(columns, BLOCK))

    def call() -> None:
        torch.mm(b.x, b.w, out=b.t)
        bias_and_gelu[grid](b.t, b.bias, b.y, columns, BLOCK, enable_fp_fusion=True)

    return call


@dataclass(frozen=True, slots=True)
class Tile:
    """How one's own product cuts the result, and how it is launched."""

    key: str
    """What its metrics end with."""
    rows: int
    columns: int
    depth: int
    warps: int
    stages: int = 3

    @property
    def name(self) -> str:
        """Of its variant."""
        return f"one kernel, {self.key} tile"

    @property
    def options(self) -> dict[str, int]:
        """As the kernel and its launch take them."""
        return {
            "ROWS": self.rows,
            "COLUMNS": self.columns,
            "DEPTH": self.depth,
            "num_warps": self.warps,
            "num_stages": self.stages,
        }

    def bind(self, b: Buffers) -> Call:
        """One launch."""
        (rows, depth), columns = b.x.shape, b.w.shape[1]
        grid = (triton.cdiv(rows, self.rows) * triton.cdiv(columns, self.columns),)
        given = (b.x, b.w, b.bias, b.y, rows, columns, depth, depth % self.depth == 0)
        options = self.options

        def call() -> None:
            product[grid](*given, **options, enable_fp_fusion=True)

        return call

    def variant(self) -> Variant:
        """The kernel with this tile."""
        shape = f"{self.rows} × {self.columns}, {self.depth} deep a step, {self.warps} warps"
        return Variant(
            self.name,
            f"One Triton kernel: {shape}",
            self.bind,
            one_bytes,
            flops,
            kernels=(product,),
        )


def tiles_for(capability: int) -> tuple[Tile, Tile, Tile]:
    """Large, medium and small, as far as shared memory goes."""
    small = Tile("small", 64, 64, 32, 4)
    if capability // 10 in (9, 10):
        return Tile("large", 128, 256, 64, 8), Tile("medium", 128, 128, 64, 4), small
    return Tile("large", 128, 128, 32, 8), Tile("medium", 128, 64, 32, 4), small


PASS = Variant(
    "product, pass",
    "The library's product, and one Triton kernel for bias and GELU",
    library_and_pass,
    two_bytes,
    flops,
    baseline=True,
    kernels=(bias_and_gelu,),
)
BIASED = Variant(
    "product with bias",
    "The library's product with its bias, and nothing after it",
    lambda b: lambda: torch.addmm(b.bias, b.x, b.w, out=b.y),
    flops=flops,
    unchecked=True,
)
LIBRARY = (PASS, TWO)
"""Two kernels, either way."""


# 4. The story; the problem is the epilogue's.


def demo(run: Run) -> None:
    """Read lines off at two depths, predict signs and crossings, and measure all depths."""
    rows, columns = run.params["rows"], run.params["columns"]
    tiles = tiles_for(run.machine.capability)
    own = [tile.variant() for tile in tiles]
    variants = [*LIBRARY, VENDOR, *own, ALONE]
    run.begin(variants, measures=len(DEPTHS))
    tasks = {depth: problem(rows, columns, depth) for depth in DEPTHS}
    bandwidth = run.ceiling("copy bandwidth")
    known = [problem(rows, columns, depth) for depth in KNOWN]
    run.gate([problem(*ODD), known[0]], variants, yardstick=TWO)
    library, lines = _lines(run, known, [ALONE, BIASED]), _lines(run, known, own)
    size = {name: known[0].size[name] for name in ("rows", "columns", "item")}
    after = pass_bytes(**size) / bandwidth
    models = {"": Model(library, lines, after)}
    for tile, line in zip(tiles, lines, strict=True):
        models[f"_{tile.key}"] = Model(library, (line,), after)
    formulas = _predict(run, models, known[0], bandwidth)
    _count_kernels(run, known[0], own[0])
    names = {"": [tile.name for tile in tiles], **{f"_{tile.key}": [tile.name] for tile in tiles}}
    gains: dict[str, dict[int, float]] = {suffix: {} for suffix in names}
    for depth, task in tasks.items():
        times = run.measure(task, variants, point={"depth": depth}, seconds=SECONDS)
        for suffix, among in names.items():
            gain = gain_of(times, [variant.name for variant in LIBRARY], among)
            gains[suffix][depth] = gain.value
            _tell(run, times, gain, suffix, among, depth)
    for suffix in names:
        _judge(run, gains, suffix, formulas[suffix])
    _count_signs(run, models, gains)


def _lines(run: Run, known: Sequence[Problem], variants: Sequence[Variant]) -> tuple[Line, ...]:
    """The time of each variant against the depth, by two depths."""
    clock = clock_for(run.machine)
    times: dict[str, dict[int, float]] = {variant.name: {} for variant in variants}
    for task in known:
        buffers = Buffers(task, run.device)
        buffers.draw(run.seed)
        depth = task.size["depth"]
        for variant in variants:
            run.stage(f"depth {depth}: {variant.name}")
            lane = Lane([variant.bind(buffers)])
            clock.sample(lane, clock.names[0])
            samples = (clock.sample(lane, clock.names[0]).seconds for _ in range(TRIES))
            times[variant.name][depth] = median(samples)
    lines = {name: Line.through(by_depth) for name, by_depth in times.items()}
    for name, line in lines.items():
        run.own_ceiling(f"{name}: fixed part", "s", partial(float, line.fixed))
        run.own_ceiling(f"{name}: a step of depth", "s", partial(float, line.step))
    return tuple(lines.values())


def _predict(
    run: Run, models: Mapping[str, Model], task: Problem, bandwidth: float
) -> dict[str, float]:
    """By the lines; the crossings of the formula are returned, to be compared with."""
    formulas = {}
    rows, columns, item = (task.size[name] for name in ("rows", "columns", "item"))
    for suffix, model in models.items():
        words = "(the library's line + bytes of the pass / BW) / one's own line"
        run.predict(f"gain_shallow{suffix}", model.gain(SHALLOW), "×", words)
        run.predict(f"gain_deep{suffix}", model.gain(DEEP), "×", words)
        found = model.crossover(DEPTHS[0])
        if found is not None:
            run.predict(f"crossover{suffix}", found, "", "where the lines meet")
        step = min(line.step for line in model.library)
        rate = 2 * rows * columns / step
        formulas[suffix] = formula_depth(rate, bandwidth, model.efficiency, item)
        run.predict(f"crossover_over_formula{suffix}", 1, "", "K* = item F / BW · e / (1 - e)")
        run.predict(f"efficiency{suffix}", model.efficiency, "", "the library's step over its own")
    run.predict("signs_foretold", 1, "", "every one, of every tile at every depth")
    return formulas


def _count_kernels(run: Run, task: Problem, own: Variant) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    for metric, variant in (
        ("kernels_library", PASS),
        ("kernels_vendor", VENDOR),
        ("kernels_own", own),
    ):
        if found := run.kernels(task, variant):
            run.metric(metric, profiling.total(found), "kernels")


def gain_of(times: Timings, library: Sequence[str], own: Sequence[str]) -> Estimate:
    """The fastest of the library's ways over the fastest of one's own."""
    return times.combined(
        lambda *t: min(t[: len(library)]) / min(t[len(library) :]), *library, *own
    )


def _tell(
    run: Run, times: Timings, gain: Estimate, suffix: str, own: Sequence[str], depth: int
) -> None:
    """What is told of a single depth."""
    noise = times.noise
    if depth == SHALLOW:
        run.metric(f"gain_shallow{suffix}", gain, "×", control=noise, note=f"depth {depth}")
    if depth == DEEP:
        run.metric(f"gain_deep{suffix}", gain, "×", control=noise, note=f"depth {depth}")
    if depth == DEPTHS[-1]:
        share = gain_of(times, [ALONE.name], own)
        run.metric(
            f"efficiency{suffix}",
            share,
            "",
            note=f"time of the library's product, with nothing after it, over its; depth {depth}",
        )
    if not suffix and depth in (SHALLOW, DEEP):
        where = "shallow" if depth == SHALLOW else "deep"
        vendor = gain_of(times, [VENDOR.name], own)
        run.metric(f"over_vendor_{where}", vendor, "×", control=noise, note=f"depth {depth}")


def _judge(run: Run, gains: Mapping[str, Mapping[int, float]], suffix: str, formula: float) -> None:
    """Where the sign changed, if it did; the small tile's crossing is the control."""
    found = crossing(gains[suffix], 1.0)
    if found is None:
        return
    other = "_small" if suffix != "_small" else "_large"
    control = crossing(gains[other], 1.0)
    run.metric(f"crossover{suffix}", found, "", control=control, note="depth at which it loses")
    if math.isfinite(formula):
        run.metric(f"crossover_over_formula{suffix}", found / formula, "")


def _count_signs(
    run: Run, models: Mapping[str, Model], gains: Mapping[str, Mapping[int, float]]
) -> None:
    """Of all tiles and depths; the control says that fewer bytes always win."""
    total = sum(map(len, gains.values()))
    foretold = sum(models[suffix].signs(found) for suffix, found in gains.items())
    by_bytes = sum(gain > 1 for found in gains.values() for gain in found.values())
    run.metric(
        "signs_foretold",
        foretold / total,
        "",
        control=by_bytes / total,
        note=f"of {total}; control: of those that save bytes, all of which should win",
    )
