"""A kernel made faster, and what the whole model gains: Amdahl's law on a small recommender.

The claim: six kernels of target attention become one, s times as fast, but they were only a
share f of the forward pass, so what remains of it is 1 - f (1 - 1/s), and the gain is never more
than 1 / (1 - f).  Both numbers are known before the kernel goes into the model: f from the model
as it is, s from the two kernels by themselves.  The prediction is made of these and compared
with the model measured whole.

The model is the usual one: rows of a table are gathered for a history and a candidate, the
history is projected to keys and values, the candidate attends to it, and what it found goes with
the candidate and some dense features through three layers.  All but the attention is the
library's, the same calls into the same memory either way, so not a bit of the output changes.

What could refute it: a kernel that is faster by itself only, since its inputs come from memory
there and from the cache in the model (short histories fit); launches that the GPU waits for, of
which there are five fewer (a small batch is nothing but launches, and its gain is told beside
it); and other kernels that run slower or faster beside the new one.

The strongest rival is torch.compile on the whole model, which fuses across all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from types import SimpleNamespace
from typing import Any

import torch

from demos import profiling
from demos import target_attention as attention
from demos.bootstrap import Estimate
from demos.clocks import Lane, clock_for
from demos.compiling import compiled
from demos.problem import Buffers, Call, Problem, Variant, empty, integers, normal
from demos.rounds import Timings
from demos.run import Run

WIDTH, DENSE = 64, 64
"""Of a row of the table, and of the dense features."""
LAYERS = (1024, 512)
"""Widths of the layers between; the last gives one number."""
ITEMS = 2**20
"""Rows of the table: more than the cache holds."""
HISTORIES = (32, 64, 256)
"""Measured beside the history that is asked for."""
TILE = attention.Tile(16, 1)
ODD = (37, 50)
"""Batch and history of the small check."""
SMALL = 64
"""A batch that is nothing but launches."""
SECONDS = 1.0
TRIES = 7
"""Samples of each part, before anything is predicted."""
SIX_NAMES = (
    "multiply_query",
    "sum_width",
    "scale_and_mask",
    "softmax_history",
    "multiply_weights",
    "sum_history",
)


# 1. The model.


def before(b: Buffers) -> Call:
    """Rows of the table for the history and the candidate, and the keys and values."""
    rows, keys, values = (t.view(-1, WIDTH) for t in (b.rows, b.k, b.v))
    ids = b.ids.view(-1)

    def call() -> None:
        torch.index_select(b.table, 0, ids, out=rows)
        torch.index_select(b.table, 0, b.candidate, out=b.q)
        torch.mm(rows, b.to_keys, out=keys)
        torch.mm(rows, b.to_values, out=values)

    return call


def after(b: Buffers) -> Call:
    """Three layers on the candidate, what it found and the dense features."""

    def call() -> None:
        torch.cat((b.q, b.found, b.dense), 1, out=b.features)
        torch.addmm(b.bias1, b.features, b.layer1, out=b.hidden1)
        torch.clamp_min(b.hidden1, 0.0, out=b.hidden1)
        torch.addmm(b.bias2, b.hidden1, b.layer2, out=b.hidden2)
        torch.clamp_min(b.hidden2, 0.0, out=b.hidden2)
        torch.addmm(b.bias3, b.hidden2, b.layer3, out=b.y)

    return call


def attending(bind: Callable[[Any], Call]) -> Callable[[Buffers], Call]:
    """The attention alone, on the keys and values of the model's buffers."""

    def bound(b: Buffers) -> Call:
        names = ("q", "k", "v", "lengths", "product", "scores", "masked", "weights", "weighted")
        own = {name: getattr(b, name) for name in names}
        size = SimpleNamespace(size={"arrays": 2})
        return bind(SimpleNamespace(problem=size, y=b.found, device=b.device, **own))

    return bound


def whole(bind: Callable[[Any], Call]) -> Callable[[Buffers], Call]:
    """The forward pass with that attention in it."""

    def bound(b: Buffers) -> Call:
        parts = (before(b), attending(bind)(b), after(b))

        def call() -> None:
            for part in parts:
                part()

        return call

    return bound


def alone(bind: Callable[[Any], Call]) -> Callable[[Buffers], Call]:
    """The attention alone, on keys and values that are there already."""

    def bound(b: Buffers) -> Call:
        before(b)()
        return attending(bind)(b)

    return bound


def forward(
    table: torch.Tensor,
    ids: torch.Tensor,
    candidate: torch.Tensor,
    lengths: torch.Tensor,
    dense: torch.Tensor,
    to_keys: torch.Tensor,
    to_values: torch.Tensor,
    layer1: torch.Tensor,
    bias1: torch.Tensor,
    layer2: torch.Tensor,
    bias2: torch.Tensor,
    layer3: torch.Tensor,
    bias3: torch.Tensor,
) -> torch.Tensor:
    """The definition, in plain torch: the reference, and what torch.compile is given."""
    rows, q = table[ids], table[candidate]
    found = attention.attended(q, rows @ to_keys, rows @ to_values, lengths)
    hidden = torch.relu(torch.cat((q, found, dense), 1) @ layer1 + bias1)
    hidden = torch.relu(hidden @ layer2 + bias2)
    return hidden @ layer3 + bias3


# 2. The counts and the law.


def flops(batch: int, history: int) -> int:
    """The projections, the attention and the layers."""
    widths = (2 * WIDTH + DENSE, *LAYERS, 1)
    layers = sum(2 * one * other for one, other in pairwise(widths))
    projections = 2 * 2 * history * WIDTH**2
    return batch * (projections + layers) + attention.flops(batch, history, WIDTH, 2)


def remaining(share: float, speedup: float) -> float:
    """Amdahl: of the whole time, what is left if a share of it becomes so many times as fast."""
    return 1 - share * (1 - 1 / speedup)


@dataclass(frozen=True, slots=True)
class Parts:
    """What is known before the new kernel goes into the model, in seconds."""

    six: float
    one: float
    forward: float
    """With the six."""

    @property
    def share(self) -> float:
        """Of the forward pass, what the six take."""
        return self.six / self.forward

    @property
    def speedup(self) -> float:
        """Of the one over the six, by themselves."""
        return self.six / self.one

    @property
    def remaining(self) -> float:
        """By Amdahl's law."""
        return remaining(self.share, self.speedup)


# 3. The variants.


SIX = Variant(
    "forward, six kernels",
    "The model with six kernels of attention",
    whole(attention.six_kernels(TILE)),
    flops=flops,
    baseline=True,
    kernels=tuple(getattr(attention, name) for name in SIX_NAMES),
)
ONE = Variant(
    "forward, one kernel",
    "The model with one kernel of attention",
    whole(attention.one_kernel(TILE)),
    flops=flops,
    kernels=(attention.attention,),
)
CONTRACTED = Variant(
    "forward, contracted",
    "The model with one kernel of attention, multiply-adds allowed",
    whole(attention.one_kernel(TILE, contracted=True)),
    unchecked=True,
)
SIX_ALONE = Variant(
    "six kernels", "The six kernels alone", alone(attention.six_kernels(TILE)), unchecked=True
)
ONE_ALONE = Variant(
    "one kernel", "The one kernel alone", alone(attention.one_kernel(TILE)), unchecked=True
)
SMALL_SIX = Variant(f"batch {SMALL}: six", "A small batch, six kernels", SIX.bind, baseline=True)
SMALL_ONE = Variant(f"batch {SMALL}: one", "A small batch, one kernel", ONE.bind)


def by_compiler() -> Variant:
    """The definition under torch.compile."""
    function = compiled(forward)
    return Variant(
        "torch.compile",
        "What torch.compile makes of the model",
        lambda b: function.bind(*b.inputs.values()),
        flops=flops,
        kernels=(function,),
    )


# 4. The problem, at any size.


def problem(batch: int, history: int) -> Problem:
    """A model whose every layer keeps the size of the numbers."""
    first, second = LAYERS
    features = 2 * WIDTH + DENSE
    tile = (batch, history, WIDTH)

    def layer(rows: int, columns: int) -> Any:
        return normal(rows, columns, std=(2 / rows) ** 0.5)

    return Problem(
        inputs={
            "table": normal(ITEMS, WIDTH),
            "ids": integers(batch, history, low=0, high=ITEMS, dtype=torch.int64),
            "candidate": integers(batch, low=0, high=ITEMS, dtype=torch.int64),
            "lengths": integers(batch, low=1, high=history + 1),
            "dense": normal(batch, DENSE),
            "to_keys": normal(WIDTH, WIDTH, std=WIDTH**-0.5),
            "to_values": normal(WIDTH, WIDTH, std=WIDTH**-0.5),
            "layer1": layer(features, first),
            "bias1": normal(first),
            "layer2": layer(first, second),
            "bias2": normal(second),
            "layer3": layer(second, 1),
            "bias3": normal(1),
        },
        outputs={"y": empty(batch, 1)},
        scratch={
            **{name: empty(*tile) for name in ("rows", "k", "v", "product", "weighted")},
            **{name: empty(batch, history) for name in ("scores", "masked", "weights")},
            **{name: empty(batch, WIDTH) for name in ("q", "found")},
            "features": empty(batch, features),
            "hidden1": empty(batch, first),
            "hidden2": empty(batch, second),
        },
        reference=forward,
        size={"batch": batch, "history": history},
        sliced=("ids", "candidate", "lengths", "dense"),
    )


# 5. The story.


def demo(run: Run) -> None:
    """Predict what remains of the forward pass from its parts, and measure it whole."""
    batch, headline = run.params["batch"], run.params["history"]
    tasks = {n: problem(batch, n) for n in sorted({*HISTORIES, headline})}
    compiler = by_compiler()
    measured = [SIX, ONE, SIX_ALONE, ONE_ALONE]
    run.begin([*measured, compiler, SMALL_SIX, SMALL_ONE], measures=len(tasks) + 1)
    full = tasks[headline]
    run.gate(problem(*ODD), [SIX, ONE], yardstick=SIX)
    run.gate(full, [SIX, ONE, compiler], yardstick=SIX)
    parts = {history: _parts(run, task) for history, task in tasks.items()}
    _predict(run, full, parts[headline])
    differing = run.identical(full, SIX, ONE).differing
    against = run.identical(full, SIX, CONTRACTED, control=True).differing
    run.metric("differing", differing, "elements", control=against)
    _profile(run, full)
    found: dict[int, float] = {}
    for history, task in tasks.items():
        main = history == headline
        variants = [*measured, compiler] if main else measured
        point = {} if main else {"history": history}
        times = run.measure(task, variants, point=point, seconds=SECONDS)
        found[history] = times.ratio(ONE.name, SIX.name).value
        if main:
            _conclude(run, times, parts[history], compiler)
    _judge(run, parts, found)
    times = run.measure(problem(SMALL, headline), [SMALL_SIX, SMALL_ONE], clocks=("call",))
    gain = times.called_ratio(SMALL_SIX.name, SMALL_ONE.name)
    where = f"as called, a batch of {SMALL}: launches, not bytes"
    run.metric("small_speedup_called", gain, "×", times.called_noise, where)


def _parts(run: Run, task: Problem) -> Parts:
    """Time of the attention either way, by itself, and of the model as it is."""
    clock = clock_for(run.machine)
    buffers = Buffers(task, run.device)
    buffers.draw(run.seed)

    def seconds(variant: Variant) -> float:
        run.stage(f"history {task.size['history']}: {variant.name}")
        lane = Lane([variant.bind(buffers)])
        clock.sample(lane, clock.names[0])
        return median(clock.sample(lane, clock.names[0]).seconds for _ in range(TRIES))

    return Parts(*map(seconds, (SIX_ALONE, ONE_ALONE, SIX)))


def _predict(run: Run, full: Problem, parts: Parts) -> None:
    """All from the parts, but for the gain of the kernel: that is of bytes alone."""
    size = {**full.size, "width": WIDTH, "arrays": 2}
    least = attention.six_bytes(**size) / attention.one_bytes(**size)
    share, speedup = parts.share, parts.speedup
    run.own_ceiling("share of the six kernels", "", lambda: share)
    run.own_ceiling("gain of the kernel alone", "", lambda: speedup)
    run.predict("kernel_speedup", least, "×", "bytes of the six / bytes of the one")
    run.predict("remaining", parts.remaining, "", "1 - f (1 - 1/s)")
    run.predict("speedup", 1 / parts.remaining, "×", "1 / (1 - f (1 - 1/s))")
    run.predict("saved", 1 - parts.remaining, "", "f (1 - 1/s)")
    run.predict("remaining_over_prediction", 1, "", "if nothing else changes")
    run.predict("kernels_removed", 5, "kernels", "six become one")
    run.predict("differing", 0, "elements", "the same sums in the same order")


def _profile(run: Run, full: Problem) -> None:
    """Left out where the profiler is not allowed to see kernels."""
    six, one = run.kernels(full, SIX), run.kernels(full, ONE)
    if not six or not one:
        return
    run.metric("kernels_six", profiling.total(six), "kernels")
    run.metric("kernels_one", profiling.total(one), "kernels")
    run.metric("kernels_removed", profiling.total(six) - profiling.total(one), "kernels")
    seconds = sum(launch.seconds for launch in six)
    if seconds:
        own = sum(launch.seconds for launch in six if launch.name in SIX_NAMES)
        note = "of the time in kernels, by the profiler"
        run.metric("share_by_profiler", own / seconds, "", note=note)


def _conclude(run: Run, times: Timings, parts: Parts, compiler: Variant) -> None:
    noise = times.noise
    kernel = times.ratio(SIX_ALONE.name, ONE_ALONE.name)
    left = times.ratio(ONE.name, SIX.name)
    called = times.called_ratio(ONE.name, SIX.name)
    naive = 1 / kernel.value
    share = times.ratio(SIX_ALONE.name, SIX.name)
    run.metric("share", share, "", note="time of the six by themselves over the forward pass")
    run.metric("kernel_speedup", kernel, "×", control=noise)
    run.metric("speedup", times.ratio(SIX.name, ONE.name), "×", control=noise)
    run.metric("remaining", left, "", control=naive, note="control: if all of it were as fast")
    expected = parts.remaining
    run.metric("remaining_over_prediction", left / expected, "", control=naive / expected)
    run.metric("saved", saved(left), "", control=saved(noise), note="of the time on the device")
    run.metric(
        "saved_called",
        saved(called),
        "",
        control=saved(times.called_noise),
        note="of the time as called",
    )
    over_compiled = times.ratio(compiler.name, ONE.name)
    run.metric("over_compiled", over_compiled, "×", control=noise)


def saved(left: Estimate) -> Estimate:
    """What is gone, of what is left."""
    return Estimate(1 - left.value, 1 - left.high, 1 - left.low)


def _judge(run: Run, parts: Mapping[int, Parts], found: Mapping[int, float]) -> None:
    """Every history against the law, and against a gain that does not know the share."""

    def worst(expected: Callable[[Parts], float]) -> float:
        return max(abs(left / expected(parts[n]) - 1) for n, left in found.items())

    run.metric(
        "curve_error",
        worst(lambda known: known.remaining),
        "",
        control=worst(lambda known: 1 / known.speedup),
        note="greatest deviation of what remains, over all histories",
    )
