"""Is the output the same?  Three things that change the bits of a fused kernel, one at a time.

The claim: putting two kernels into one changes nothing by itself.  y = Σ (x · a + b) over a row,
in two kernels or in one, has the same bits, as long as three things stay as they are:

* the *order of the sum*: a floating-point sum depends on it, and a compiler or a library
  chooses it by how a tile lies in registers.  Here each is written as a tree in the program,
  of sums of two numbers, which have only one order: neighbours, or halves, or one after the other;
* *contraction*: x · a + b as one multiply-add rounds once and not twice.  Kept apart, there is
  nothing to contract, so fusing invites it; it is off by ``enable_fp_fusion=False``;
* *rounding in between*: what goes through memory in 16 bits is rounded to them.  In one kernel
  it stays in 32 bits unless the program rounds it.

Each is changed alone, everything else as it was, and the elements that differ are counted, with
the error against float64: a result can be another and no worse.  Contraction is a little nearer
to the truth, and so is a result that is not rounded in between; one sum after the other is
worse than either tree.  "Not the same" and "wrong" are two questions.

The controls: with nothing changed, nothing may differ, at any number of warps.  A factor that is
a power of two never rounds, so that there contraction changes nothing either: a test with 2.0
proves nothing.  And two kernels with 16 bits in between are reproduced to the bit by one that
rounds where they do.

The same in earnest: a chain in bfloat16 by torch rounds after every operation, and compiled it
does not.  ``emulate_precision_casts`` asks the compiler to round where torch does.

On a CPU the trees are torch operations, and the one kernel is the compiler's.  Contraction is
done by way of float64, which holds the product of two floats without rounding: the same number
as a multiply-add but for one case in a great many.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from demos import gate
from demos.compiling import compiled
from demos.failures import Incorrect
from demos.optional import tl, triton
from demos.problem import Buffers, Call, Problem, Variant, empty, normal
from demos.rounds import Timings
from demos.run import Run

A, B, C, D = (float(torch.tensor(value)) for value in (1.1, 0.3, 0.9, 0.7))
"""None is a power of two; each is exactly what a float holds, so that float64 has the same."""
FLOAT = 4
"""Bytes."""
NEIGHBOURS, HALVES, IN_TURN = range(3)
"""Orders of a sum."""
WIDTH = {"cuda": 256, "cpu": 64}
"""Of a row; a power of two."""
TILE = 4096
"""Elements a program."""
WARPS = 4
OTHER_WARPS = (1, 2, 8)
ODD = 1003
"""Rows of the small check."""
SIXTEEN = 2**22 + 3
"""Elements of the chain in 16 bits."""
SEEDS = 2


# 1. The sums, as trees in the program.


@triton.jit
def sum_of_neighbours(x, LEVELS: tl.constexpr):  # type: ignore[no-untyped-def]
    """Sums of two neighbours, then of two neighbouring sums: [R, C] → [R]."""
    rows: tl.constexpr = x.shape[0]
    for _ in tl.static_range(LEVELS):
        x = tl.sum(tl.reshape(x, [rows, x.shape[1] // 2, 2]), axis=2)
    return tl.reshape(x, [rows])


@triton.jit
def sum_of_halves(x, LEVELS: tl.constexpr):  # type: ignore[no-untyped-def]
    """The second half onto the first, again and again: [R, C] → [R]."""
    rows: tl.constexpr = x.shape[0]
    for _ in tl.static_range(LEVELS):
        x = tl.sum(tl.reshape(x, [rows, 2, x.shape[1] // 2]), axis=1)
    return tl.reshape(x, [rows])


@triton.jit
def rounded_if(value, ROUND: tl.constexpr):  # type: ignore[no-untyped-def]
    """As 16 bits in memory would have it."""
    if ROUND:
        value = value.to(tl.bfloat16).to(tl.float32)
    return value


# 2. Two kernels ...


@triton.jit
def multiply_and_add(x, t, count, a, b, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """t = x · a + b, rounded to the type of t."""
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at, mask=inside, other=0.0) * a + b
    tl.store(t + at, value.to(t.dtype.element_ty), mask=inside)


@triton.jit
def sum_rows(t, y, rows, ROWS: tl.constexpr, WIDTH: tl.constexpr, LEVELS: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = sums of the rows of t, neighbours first."""
    first = tl.program_id(0).to(tl.int64) * ROWS
    row = tl.arange(0, ROWS)
    inside = row < rows - first
    at = first * WIDTH + row[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    value = tl.load(t + at, mask=inside[:, None], other=0.0).to(tl.float32)
    tl.store(y + first + row, sum_of_neighbours(value, LEVELS), mask=inside)


# ... and one.


@triton.jit
def sum_of_multiplied(  # type: ignore[no-untyped-def]
    x,
    y,
    rows,
    a,
    b,
    ORDER: tl.constexpr,
    ROUND: tl.constexpr,
    ROWS: tl.constexpr,
    WIDTH: tl.constexpr,
    LEVELS: tl.constexpr,
):
    """y = sums of the rows of x · a + b; t lives and dies in registers."""
    first = tl.program_id(0).to(tl.int64) * ROWS
    row = tl.arange(0, ROWS)
    inside = row < rows - first
    start = x + first * WIDTH + row * WIDTH
    if ORDER == 2:
        total = tl.zeros([ROWS], tl.float32)
        for column in range(WIDTH):
            value = tl.load(start + column, mask=inside, other=0.0) * a + b
            total += rounded_if(value, ROUND)
    else:
        at = start[:, None] + tl.arange(0, WIDTH)[None, :]
        value = rounded_if(tl.load(at, mask=inside[:, None], other=0.0) * a + b, ROUND)
        total = sum_of_neighbours(value, LEVELS) if ORDER == 0 else sum_of_halves(value, LEVELS)
    tl.store(y + first + row, total, mask=inside)


# 3. The counts and the error to expect.


def two_bytes(rows: int, width: int) -> int:
    """Every element read, written, and read again; the sums written."""
    return FLOAT * (3 * rows * width + rows)


def one_bytes(rows: int, width: int) -> int:
    """Every element read; the sums written."""
    return FLOAT * (rows * width + rows)


def flops(rows: int, width: int) -> int:
    """A multiplication and an addition each, and the sum."""
    return rows * (3 * width - 1)


def rounding_error(width: int) -> float:
    """Relative error of a row's sum if each t is rounded to bfloat16 on the way.

    Steps are 2^-7 of the power of two below a number m · 2^e.  An error is spread evenly over a
    step, so its square is step² / 12 on average; mantissas m are spread evenly in logarithms,
    for which the average of 1 / m² is (3/8) / ln 2.  Errors of a row add up like a random walk.
    """
    step = 2**-7 * math.sqrt(3 / 8 / math.log(2) / 12)
    of_terms = math.sqrt(width * (A**2 + B**2))
    return step * of_terms / math.sqrt((width * B) ** 2 + width * A**2)


# 4. The variants.


@dataclass(frozen=True, slots=True)
class Way:
    """How the one kernel computes; each field is one thing that can be changed."""

    order: int = NEIGHBOURS
    contracted: bool = False
    rounded: bool = False
    factor: float = A
    warps: int = WARPS


UNCHANGED = Way()


def two_kernels(way: Way) -> Callable[[Buffers], Call]:
    """Two launches; what is in between is in 16 bits where it is rounded."""

    def bind(b: Buffers) -> Call:
        rows, width = b.x.shape
        between = b.t16 if way.rounded else b.t
        count, levels, height = rows * width, width.bit_length() - 1, TILE // width
        flat, tiles = (triton.cdiv(count, TILE),), (triton.cdiv(rows, height),)

        def call() -> None:
            multiply_and_add[flat](
                b.x, between, count, way.factor, B, TILE, enable_fp_fusion=way.contracted
            )
            sum_rows[tiles](between, b.y, rows, height, width, levels, enable_fp_fusion=False)

        return call

    return bind


def one_kernel(way: Way) -> Callable[[Buffers], Call]:
    """One launch."""

    def bind(b: Buffers) -> Call:
        rows, width = b.x.shape
        height = TILE // width
        grid = (triton.cdiv(rows, height),)
        given = (b.x, b.y, rows, way.factor, B)
        shape = (way.order, way.rounded, height, width, width.bit_length() - 1)
        options = {"num_warps": way.warps, "enable_fp_fusion": way.contracted}

        def call() -> None:
            sum_of_multiplied[grid](*given, *shape, **options)

        return call

    return bind


def operations(way: Way) -> Callable[[Buffers], Call]:
    """The same in torch."""

    def bind(b: Buffers) -> Call:
        def call() -> torch.Tensor:
            if way.contracted:
                b.t.copy_(b.x.double() * way.factor + B)
            else:
                torch.add(torch.mul(b.x, way.factor, out=b.t), B, out=b.t)
            t = b.t16.copy_(b.t).float() if way.rounded else b.t
            return summed(t, way.order)

        return call

    return bind


def summed(t: torch.Tensor, order: int) -> torch.Tensor:
    """The sums of rows in that order: [R, C] → [R], C a power of two."""
    if order == IN_TURN:
        total = t[:, 0]
        for column in range(1, t.shape[1]):
            total = total + t[:, column]
        return total
    while t.shape[1] > 1:
        half = t.shape[1] // 2
        t = t[:, 0::2] + t[:, 1::2] if order == NEIGHBOURS else t[:, :half] + t[:, half:]
    return t[:, 0]


def by_tree(x: torch.Tensor) -> torch.Tensor:
    """All of it, as a CPU's compiler is given it."""
    return summed(x * A + B, NEIGHBOURS).clone()


def by_library(x: torch.Tensor) -> torch.Tensor:
    """The definition; the order is the library's, or the compiler's."""
    return (x * A + B).sum(1)


def chain(x: torch.Tensor) -> torch.Tensor:
    """Four operations, each of which rounds to the type of x if it is done alone."""
    return (x * A + B) * C - D


@dataclass(frozen=True, slots=True)
class Ways:
    """The variants on one kind of device."""

    two: Variant
    one: Variant
    same: tuple[Variant, ...]
    """Nothing that matters is changed."""
    changed: Mapping[str, Variant]
    """What is changed alone → how."""
    two_in_16: Variant
    doubled: tuple[Variant, Variant]
    """A factor of 2: without contraction, and with it."""
    library: Variant
    """Whose orders are not ours, as is the compiler's."""
    compiler: Variant


def ways_for(cuda: bool) -> Ways:
    """Kernels on a GPU, torch operations on a CPU."""
    once, twice = (one_kernel, two_kernels) if cuda else (operations, operations)
    known: dict[str, Any] = {"bytes": one_bytes, "flops": flops}
    kernels = (sum_of_multiplied,) if cuda else ()
    function = compiled(by_library, cpu=not cuda)

    def changed(name: str, title: str, way: Way, checked: bool = False) -> Variant:
        return Variant(name, title, once(way), unchecked=not checked, kernels=kernels, **known)

    if cuda:
        one = Variant("one kernel", "One kernel", once(UNCHANGED), kernels=kernels, **known)
        same = tuple(
            changed(f"one kernel, {n} warps", "The same", replace(UNCHANGED, warps=n), True)
            for n in OTHER_WARPS
        )
    else:
        tree = compiled(by_tree, cpu=True)
        name, title = "one kernel", "The tree under torch.compile"
        one = Variant(name, title, lambda b: tree.bind(b.x), kernels=(tree,), **known)
        same = ()
    contracted = replace(UNCHANGED, contracted=True)
    doubled = replace(UNCHANGED, factor=2.0)
    return Ways(
        two=Variant(
            "two kernels",
            "Two kernels, 32 bits in between" if cuda else "Torch operations, 32 bits in between",
            twice(UNCHANGED),
            bytes=two_bytes,
            flops=flops,
            baseline=True,
            kernels=(multiply_and_add, sum_rows) if cuda else (),
        ),
        one=one,
        same=(one, *same),
        changed={
            "order": changed("halves", "Another tree", replace(UNCHANGED, order=HALVES), True),
            "in_turn": changed("in turn", "One after the other", replace(UNCHANGED, order=IN_TURN)),
            "contraction": changed("contracted", "Multiply-adds allowed", contracted, True),
            "rounding": changed(
                "rounded", "Rounded to 16 bits in between", replace(UNCHANGED, rounded=True)
            ),
        },
        two_in_16=Variant(
            "two kernels, 16 bits",
            "Two kernels, 16 bits in between",
            twice(replace(UNCHANGED, rounded=True)),
            unchecked=True,
        ),
        doubled=(
            changed("factor 2", "A power of two", doubled),
            changed(
                "factor 2, contracted",
                "A power of two, multiply-adds allowed",
                replace(doubled, contracted=True),
            ),
        ),
        library=Variant(
            "library", "The library's sum", lambda b: lambda: by_library(b.x), unchecked=True
        ),
        compiler=Variant(
            "torch.compile",
            "What torch.compile makes of the definition",
            lambda b: function.bind(b.x),
            bytes=one_bytes,
            flops=flops,
            unchecked=True,
            kernels=(function,),
        ),
    )


EAGER = Variant("16 bits: eager", "Torch", lambda b: lambda: chain(b.x), unchecked=True)


def compiled_chains(cuda: bool) -> tuple[Variant, Variant]:
    """The chain in 16 bits under torch.compile, and asked to round where torch does."""
    plain = compiled(chain, cpu=not cuda)
    casts = compiled(chain, cpu=not cuda, options={"emulate_precision_casts": True})
    return (
        Variant("16 bits: compiled", "Compiled", lambda b: plain.bind(b.x), unchecked=True),
        Variant(
            "16 bits: compiled, casts",
            "Compiled, with emulate_precision_casts",
            lambda b: casts.bind(b.x),
            unchecked=True,
        ),
    )


# 5. The problems, at any size.


def problem(rows: int, width: int) -> Problem:
    """Sums over rows of normally distributed numbers, each times a and plus b."""
    return Problem(
        inputs={"x": normal(rows, width)},
        outputs={"y": empty(rows)},
        scratch={"t": empty(rows, width), "t16": empty(rows, width, dtype=torch.bfloat16)},
        reference=by_library,
        size={"rows": rows, "width": width},
        sliced=("x",),
    )


def problem_in_16(elements: int) -> Problem:
    """The chain on so many numbers in bfloat16."""
    return Problem(
        inputs={"x": normal(elements, dtype=torch.bfloat16)},
        outputs={"y": empty(elements, dtype=torch.bfloat16)},
        reference=chain,
        size={"elements": elements},
        sliced=("x",),
    )


# 6. The story.


def demo(run: Run) -> None:
    """Predict that nothing differs until one of three things is changed, and change each alone."""
    width = WIDTH["cuda" if run.cuda else "cpu"]
    ways, chains = ways_for(run.cuda), compiled_chains(run.cuda)
    others = (*ways.same[1:], *ways.changed.values(), ways.library, ways.two_in_16)
    others = (*others, *ways.doubled)
    run.begin([ways.two, ways.one, ways.compiler, *others, EAGER, *chains])
    full, in_16 = problem(run.params["rows"], width), problem_in_16(SIXTEEN)
    _predict(run, full)
    checked = [v for v in (*ways.same, *ways.changed.values()) if not v.unchecked]
    run.gate([problem(ODD, width), full], [ways.two, *checked], yardstick=ways.two)
    _change_each(run, full, ways)
    _round_alike(run, full, ways)
    _compile_in_16(run, in_16, chains)
    contracted = ways.changed["contraction"]
    times = run.measure(full, [ways.two, ways.one, contracted, ways.compiler])
    if run.cuda:
        _conclude(run, times, full, ways)


def _predict(run: Run, full: Problem) -> None:
    """The counts and one error everywhere; times only on a GPU."""
    run.predict("differing", 0, "elements", "the same operations in the same order")
    run.predict("differing_doubled", 0, "elements", "times 2 never rounds: nothing to contract")
    run.predict("differing_rounded_alike", 0, "elements", "rounded at the same places")
    words = "2^-7 √(3/8 / 12 ln 2) · √(width (a² + b²)) / √(width² b² + width a²)"
    run.predict("error_rounding", rounding_error(full.size["width"]), "", words)
    if run.cuda:
        run.predict("differing_share_casts", 0, "", "rounded at the same places, not contracted")
        bandwidth, start = run.ceiling("copy bandwidth"), run.ceiling("empty kernel")
        two = two_bytes(**full.size) / bandwidth + 2 * start
        one = one_bytes(**full.size) / bandwidth + start
        run.predict("speedup", two / one, "×", "(bytes of two / BW + 2 L) / (of one / BW + L)")
        run.predict("cost_of_exactness", 1, "×", "the bytes take longer than either")


@dataclass(frozen=True, slots=True)
class Found:
    """How far one way is from another, and from the truth."""

    differing: int
    of: int
    error: float
    """Relative, against float64."""

    @property
    def share(self) -> float:
        """Of the elements, those that differ."""
        return self.differing / self.of


def _compare(
    run: Run, task: Problem, base: Variant, ways: Mapping[str, Variant], control: bool | None
) -> dict[str, Found]:
    """Each way against the base: bits, and the error of each.

    With ``control`` the bits must differ, without it they must not; None claims neither.
    No error may be over what the type allows.
    """
    buffers = Buffers(task, run.device)
    calls = {key: variant.bind(buffers) for key, variant in ways.items()}
    base_call = base.bind(buffers)
    found = {key: Found(0, 0, 0.0) for key in ways}
    for seed in range(SEEDS):
        buffers.draw(run.seed + 30 + seed)
        want = _output(buffers, base_call)
        for key, call in calls.items():
            run.stage(f"comparing bits: {ways[key].name}")
            y = _output(buffers, call)
            before, error = found[key], gate.error_of(buffers, [y]).relative
            found[key] = Found(
                before.differing + gate.differing(y, want),
                before.of + want.numel(),
                max(before.error, error),
            )
    for key, one in found.items():
        name = ways[key].name
        if control is not None:
            detail = f"{one.differing} of {one.of} elements differ from {base.name}"
            alike = one.differing == 0
            run.check(name, "bit-identical", alike, detail, one.differing, one.of, control)
        limit = gate.CAPS[torch.bfloat16 if _is_coarse(key, task) else torch.float32]
        detail = f"relative error {one.error:.1e}, allowed {limit:.1e}"
        run.check(name, "correct", one.error <= limit, detail)
        if not one.error <= limit:
            raise Incorrect(f"{name}: {detail}")
    return found


def _is_coarse(key: str, task: Problem) -> bool:
    return key == "rounding" or task.outputs["y"].dtype == torch.bfloat16


def _output(buffers: Buffers, call: Call) -> torch.Tensor:
    """What a call gives, by itself."""
    buffers.poison(float("nan"))
    (y,) = gate.returned(buffers, call(), gate.Findings())
    return y.clone()


def _change_each(run: Run, full: Problem, ways: Ways) -> None:
    """Nothing first, then one thing at a time; each is the other's control."""
    same = {variant.name: variant for variant in ways.same}
    unchanged = _compare(run, full, ways.two, same, control=False)
    changed = _compare(run, full, ways.two, ways.changed, control=True)
    elsewhere = {"library": ways.library, "compiled": ways.compiler}
    chosen = _compare(run, full, ways.two, elsewhere, control=None)
    count = sum(one.differing for one in unchanged.values())
    error = max(one.error for one in unchanged.values())
    fewest = min(one.differing for one in changed.values())
    run.metric("differing", count, "elements", control=fewest, note="nothing is changed")
    run.metric("error", error, "", note="nothing is changed; relative, against float64")
    for key, one in {**changed, **chosen}.items():
        run.metric(f"differing_share_{key}", one.share, "", control=count)
        run.metric(f"error_{key}", one.error, "", control=error)
    plain, contracted = ways.doubled
    alike = run.identical(full, plain, contracted).differing
    run.metric(
        "differing_doubled",
        alike,
        "elements",
        control=changed["contraction"].differing,
        note="by contraction, with a factor of 2",
    )


def _round_alike(run: Run, full: Problem, ways: Ways) -> None:
    """Two kernels with 16 bits in between are those of one that rounds there, not of one that
    does not."""
    alike = run.identical(full, ways.two_in_16, ways.changed["rounding"]).differing
    against = run.identical(full, ways.two_in_16, ways.one, control=True).differing
    run.metric("differing_rounded_alike", alike, "elements", control=against)


def _compile_in_16(run: Run, task: Problem, chains: tuple[Variant, Variant]) -> None:
    plain, casts = chains
    eager = _compare(run, task, EAGER, {"eager": EAGER}, control=False)["eager"]
    found = _compare(run, task, EAGER, {"compiled": plain}, control=None)["compiled"]
    asked = _compare(run, task, EAGER, {"casts": casts}, control=None)["casts"]
    run.metric("differing_share_in_16", found.share, "", control=eager.differing)
    run.metric("error_in_16_eager", eager.error, "", control=found.error)
    run.metric("error_in_16_compiled", found.error, "", control=eager.error)
    run.metric(
        "differing_share_casts",
        asked.share,
        "",
        control=found.share,
        note="asked to round where torch does",
    )


def _conclude(run: Run, times: Timings, full: Problem, ways: Ways) -> None:
    """What the same bits are worth, and what they cost."""
    noise, one = times.noise, ways.one.name
    least = two_bytes(**full.size) / one_bytes(**full.size)
    speedup = times.ratio(ways.two.name, one)
    run.metric("speedup", speedup, "×", control=noise, note="with the same bits")
    run.metric("speedup_over_bytes", speedup / least, "", control=noise / least)
    contracted = times.ratio(one, ways.changed["contraction"].name)
    run.metric("cost_of_exactness", contracted, "×", control=noise, note="no multiply-adds")
    run.metric("over_compiled", times.ratio(ways.compiler.name, one), "×", control=noise)
