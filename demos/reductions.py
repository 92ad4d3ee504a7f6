"""Chains that end in a reduction over a row: softmax, RMSNorm, residual + LayerNorm.

The claim: written as separate operations, each takes its rows through memory again and again
(softmax: greatest, subtract, exponential, sum, divide: eight passes).  One kernel that holds
a row in registers reads it once and writes it once, so the gain is the ratio of the passes.

What could refute it: fusing what is fused already.  ``torch.softmax`` is one kernel; nothing
is left to gain on it, and it is the control here.  Nor is the gain one of accuracy lost: each
intermediate that is not stored is not rounded to 16 bits either, so the error against
float64 must not grow.  The variance is where a careless fusion loses: E[x²] - E[x]² needs
one pass less and cancels catastrophically when the mean is far from 0.  It is the control of
the error.

A row's sum is a tree that depends on the kernel, so no bits are claimed here
(``target_attention`` shows what that takes).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
import triton
import triton.language as tl

from demos import gate, profiling
from demos.compiling import compiled
from demos.problem import Buffers, Call, Problem, Spec, Variant, empty, normal
from demos.rounds import Timings
from demos.run import Run

EPS = 1e-5
ODD = (5, 1000)
"""Rows and width of the small check: no power of two."""
FAR = 300.0
"""A mean far from 0, in deviations: where the one-pass variance cancels."""
ELEMENTS_A_THREAD = 32
"""Of a row; four loads of 16 bytes each, when they are of 16 bits."""


# 1. The kernels: one program a row, the whole row in registers.


@triton.jit
def softmax_row(x, y, width, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = softmax of each row."""
    start = tl.program_id(0).to(tl.int64) * width
    at = tl.arange(0, BLOCK)
    inside = at < width
    value = tl.load(x + start + at, mask=inside, other=-float("inf")).to(tl.float32)
    power = tl.exp(value - tl.max(value, 0))
    tl.store(y + start + at, (power / tl.sum(power, 0)).to(y.dtype.element_ty), mask=inside)


@triton.jit
def rms_norm_row(x, weight, y, width, eps, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = x / sqrt(mean of x² + eps) · weight."""
    start = tl.program_id(0).to(tl.int64) * width
    at = tl.arange(0, BLOCK)
    inside = at < width
    value = tl.load(x + start + at, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, 0) / width + eps)
    factor = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + start + at, (value * scale * factor).to(y.dtype.element_ty), mask=inside)


@triton.jit
def add_layer_norm_row(x, residual, weight, bias, y, width, eps, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """y = LayerNorm of x + residual; the variance is of what is left after the mean."""
    start = tl.program_id(0).to(tl.int64) * width
    at = tl.arange(0, BLOCK)
    inside = at < width
    value = tl.load(x + start + at, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(residual + start + at, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, value - tl.sum(value, 0) / width, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, 0) / width + eps)
    factor = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    shift = tl.load(bias + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + start + at, (centred * scale * factor + shift).to(y.dtype.element_ty), mask=inside)


# 2. The counts: passes over the rows, and what they come to in bytes.

PIECES_PASSES = {
    "softmax": 1 + 2 + 2 + 1 + 2,  # greatest, subtract, exponential, sum, divide
    "RMSNorm": 2 + 1 + 2 + 2,  # square, mean, scale, weight
    "add, LayerNorm": 3 + 1 + 2 + 2 + 1 + 2 + 2 + 2,  # add, mean, centre, square, mean, 3 × scale
}
LIBRARY_PASSES = {"softmax": 2, "RMSNorm": 2, "add, LayerNorm": 3 + 2}
FUSED_PASSES = {"softmax": 2, "RMSNorm": 2, "add, LayerNorm": 3}
PARAMETERS = {"softmax": 0, "RMSNorm": 1, "add, LayerNorm": 2}
"""Vectors as long as a row that all rows share."""


def moved(passes: int, rows: int, width: int, item: int) -> int:
    """Bytes of so many passes over all rows; a row's own sums and parameters are left out."""
    return passes * rows * width * item


def _bytes(passes: int) -> Callable[..., int]:
    return lambda rows, width, item: moved(passes, rows, width, item)


# 3. The variants.


def softmax_pieces(b: Buffers) -> Call:
    """Five operations into memory that is already there."""

    def call() -> None:
        torch.amax(b.x, -1, keepdim=True, out=b.row)
        torch.sub(b.x, b.row, out=b.t)
        torch.exp(b.t, out=b.u)
        torch.sum(b.u, -1, keepdim=True, out=b.row)
        torch.div(b.u, b.row, out=b.y)

    return call


def rms_norm_pieces(b: Buffers) -> Call:
    """Square, mean, root, and two products."""

    def call() -> None:
        torch.mul(b.x, b.x, out=b.t)
        _root(torch.mean(b.t, -1, keepdim=True, out=b.row))
        torch.mul(b.x, b.row, out=b.u)
        torch.mul(b.u, b.weight, out=b.y)

    return call


def add_layer_norm_pieces(b: Buffers) -> Call:
    """The sum, then LayerNorm by its definition."""

    def call() -> None:
        torch.add(b.x, b.residual, out=b.t)
        torch.mean(b.t, -1, keepdim=True, out=b.row)
        torch.sub(b.t, b.row, out=b.u)
        torch.mul(b.u, b.u, out=b.t)
        _root(torch.mean(b.t, -1, keepdim=True, out=b.row))
        torch.mul(b.u, b.row, out=b.t)
        torch.mul(b.t, b.weight, out=b.u)
        torch.add(b.u, b.bias, out=b.y)

    return call


def _root(mean: torch.Tensor) -> None:
    """1 / sqrt(mean + eps), in place: two kernels on one number a row."""
    torch.rsqrt(mean.add_(EPS), out=mean)


def one_pass_variance(b: Buffers) -> Call:
    """The control of the error: LayerNorm with the variance as E[x²] - E[x]²."""

    def call() -> None:
        total = b.x + b.residual
        mean = total.mean(-1, keepdim=True)
        variance = (total * total).mean(-1, keepdim=True) - mean * mean
        scale = torch.rsqrt(variance.clamp_min(0) + EPS)
        b.y.copy_((total - mean) * scale * b.weight + b.bias)

    return call


def softmax(x: torch.Tensor, y: torch.Tensor) -> None:
    """As torch.compile is given it; the library's operator is one kernel already."""
    y.copy_(torch.softmax(x, -1))


def rms_norm(x: torch.Tensor, weight: torch.Tensor, y: torch.Tensor) -> None:
    """As torch.compile is given it."""
    y.copy_(F.rms_norm(x, (x.shape[-1],), weight, EPS))


def add_layer_norm(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    y: torch.Tensor,
) -> None:
    """As torch.compile is given it."""
    y.copy_(F.layer_norm(x + residual, (x.shape[-1],), weight, bias, EPS))


def softmax_library(b: Buffers) -> Call:
    """Torch's operator."""
    return lambda: torch.softmax(b.x, -1, out=b.y)


def rms_norm_library(b: Buffers) -> Call:
    """Torch's operator, one kernel on a GPU."""
    return lambda: F.rms_norm(b.x, (b.x.shape[-1],), b.weight, EPS)


def add_layer_norm_library(b: Buffers) -> Call:
    """A sum, and torch's operator."""

    def call() -> torch.Tensor:
        torch.add(b.x, b.residual, out=b.t)
        return F.layer_norm(b.t, (b.x.shape[-1],), b.weight, b.bias, EPS)

    return call


def softmax_kernel(b: Buffers) -> Call:
    """One kernel."""
    rows, width, options = _launch(b)

    def call() -> None:
        softmax_row[(rows,)](b.x, b.y, width, **options)

    return call


def rms_norm_kernel(b: Buffers) -> Call:
    """One kernel."""
    rows, width, options = _launch(b)

    def call() -> None:
        rms_norm_row[(rows,)](b.x, b.weight, b.y, width, EPS, **options)

    return call


def add_layer_norm_kernel(b: Buffers) -> Call:
    """One kernel."""
    rows, width, options = _launch(b)
    given = (b.x, b.residual, b.weight, b.bias, b.y, width, EPS)

    def call() -> None:
        add_layer_norm_row[(rows,)](*given, **options)

    return call


def _launch(b: Buffers) -> tuple[int, int, dict[str, Any]]:
    rows, width = b.x.shape
    block = triton.next_power_of_2(width)
    warps = warps_for(block)
    return rows, width, {"BLOCK": block, "num_warps": warps, "enable_fp_fusion": True}


def warps_for(block: int) -> int:
    """Warps a program, so that no thread holds more of the row than fits its registers."""
    return min(16, max(1, block // (32 * ELEMENTS_A_THREAD)))


# 4. The chains.


@dataclass(frozen=True, slots=True)
class Chain:
    """One of the three, and the ways to compute it."""

    name: str
    key: str
    """What its metrics begin with."""
    inputs: tuple[str, ...]
    """Names of the tensors in the order that the function takes them, ``y`` last."""
    pieces: Variant
    library: Variant
    kernel: Variant
    function: Callable[..., None]
    reference: Callable[..., torch.Tensor]

    @property
    def rows_of(self) -> tuple[str, ...]:
        """The inputs that have rows; the others are shared by all rows."""
        return tuple(name for name in self.inputs if name in ("x", "residual"))

    def problem(
        self, rows: int, width: int, dtype: torch.dtype, draw: Callable[..., Spec] = normal
    ) -> Problem:
        """The chain at one size."""
        wide = {name: draw(rows, width, dtype=dtype) for name in self.rows_of}
        shared = [name for name in self.inputs if name not in self.rows_of]
        return Problem(
            inputs=wide | {name: normal(width, dtype=dtype) for name in shared},
            outputs={"y": empty(rows, width, dtype=dtype)},
            scratch={
                "t": empty(rows, width, dtype=dtype),
                "u": empty(rows, width, dtype=dtype),
                "row": empty(rows, 1, dtype=dtype),
            },
            reference=self.reference,
            size={"rows": rows, "width": width, "item": dtype.itemsize},
            sliced=self.rows_of,
        )

    def compiled(self, cpu: bool) -> Variant:
        """The chain under torch.compile."""
        function = compiled(self.function, cpu=cpu)
        names = (*self.inputs, "y")
        return Variant(
            f"{self.name}: torch.compile",
            "One kernel by torch.compile",
            lambda b: function.bind(*(getattr(b, name) for name in names)),
            bytes=_bytes(FUSED_PASSES[self.name]),
            kernels=(function,),
        )


def _chain(
    name: str,
    key: str,
    inputs: tuple[str, ...],
    ways: Sequence[Callable[[Buffers], Call]],
    written: Any,
    function: Callable[..., None],
    reference: Callable[..., torch.Tensor],
) -> Chain:
    pieces, library, kernel = ways
    return Chain(
        name,
        key,
        inputs,
        Variant(
            f"{name}: pieces",
            "One torch operation after the other",
            pieces,
            bytes=_bytes(PIECES_PASSES[name]),
            baseline=True,
        ),
        Variant(
            f"{name}: library",
            "Torch's own operator",
            library,
            bytes=_bytes(LIBRARY_PASSES[name]),
            baseline=True,
        ),
        Variant(
            f"{name}: kernel",
            "One Triton kernel",
            kernel,
            bytes=_bytes(FUSED_PASSES[name]),
            kernels=(written,),
        ),
        function,
        reference,
    )


def _rms_norm_of(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPS) * weight


def _layer_norm_of(
    x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    return F.layer_norm(x + residual, (x.shape[-1],), weight, bias, EPS)


SOFTMAX = _chain(
    "softmax",
    "softmax",
    ("x",),
    (softmax_pieces, softmax_library, softmax_kernel),
    softmax_row,
    softmax,
    lambda x: torch.softmax(x, -1),
)
RMS_NORM = _chain(
    "RMSNorm",
    "rms_norm",
    ("x", "weight"),
    (rms_norm_pieces, rms_norm_library, rms_norm_kernel),
    rms_norm_row,
    rms_norm,
    _rms_norm_of,
)
ADD_LAYER_NORM = _chain(
    "add, LayerNorm",
    "add_layer_norm",
    ("x", "residual", "weight", "bias"),
    (add_layer_norm_pieces, add_layer_norm_library, add_layer_norm_kernel),
    add_layer_norm_row,
    add_layer_norm,
    _layer_norm_of,
)
CHAINS = (SOFTMAX, RMS_NORM, ADD_LAYER_NORM)
COPY = Variant("copy", "A plain copy by torch", lambda b: lambda: b.y.copy_(b.x), unchecked=True)
ONE_PASS = Variant("one-pass variance", "E[x²] - E[x]²", one_pass_variance, unchecked=True)


def far_from_zero(*shape: int, dtype: torch.dtype = torch.float32) -> Spec:
    """Normally distributed around :data:`FAR`."""
    return Spec(shape, dtype, lambda t, g: t.normal_(FAR, 1.0, generator=g))


# 5. The story.


def demo(run: Run) -> None:
    """Predict each gain from the passes, and measure it against every way that is fused."""
    rows, width = run.params["rows"], run.params["width"]
    dtype = torch.bfloat16 if run.cuda else torch.float32
    cases = [(chain, chain.compiled(cpu=not run.cuda)) for chain in CHAINS]
    run.begin([v for case in cases for v in _variants(run, *case)] + [COPY], measures=len(cases))
    bandwidth = run.ceiling("copy bandwidth")
    for chain, _ in cases:
        _predict(run, chain, chain.problem(rows, width, dtype), bandwidth)
    for chain, compiler in cases:
        odd, full = chain.problem(*ODD, dtype), chain.problem(rows, width, dtype)
        run.gate([odd, full], _variants(run, chain, compiler), yardstick=chain.pieces)
    _compare_errors(run, ADD_LAYER_NORM, cases[-1][1])
    for chain, compiler in cases:
        full = chain.problem(rows, width, dtype)
        fused = chain.kernel if run.cuda else compiler
        _count_kernels(run, chain, full, fused)
        times = run.measure(full, [*_variants(run, chain, compiler), COPY])
        _conclude(run, chain, times, fused, compiler)


def _variants(run: Run, chain: Chain, compiler: Variant) -> list[Variant]:
    own = [chain.kernel] if run.cuda else []
    return [chain.pieces, chain.library, *own, compiler]


def _predict(run: Run, chain: Chain, full: Problem, bandwidth: float) -> None:
    """Passes over passes; the odd launches on one number a row are too small to count."""
    fused = FUSED_PASSES[chain.name]
    gain = PIECES_PASSES[chain.name] / fused
    seconds = moved(fused, **full.size) / bandwidth
    name = chain.kernel.name if run.cuda else f"{chain.name}: torch.compile"
    run.predict(f"time:{name}", seconds, "s", f"{fused} N s / BW")
    run.predict(f"{chain.key}_speedup", gain, "×", "passes of the pieces over passes of the one")
    left = LIBRARY_PASSES[chain.name] / fused
    if run.cuda:
        run.predict(f"{chain.key}_over_library", left, "×", "passes of torch's operator, likewise")


def _compare_errors(run: Run, chain: Chain, compiler: Variant) -> None:
    """Where a careless variance loses every digit, the fused one must not."""
    far = chain.problem(64, 4096, torch.float32, far_from_zero)
    fused = chain.kernel if run.cuda else compiler
    unfused, one, careless = (_error(run, far, v) for v in (chain.pieces, fused, ONE_PASS))
    run.metric(
        "error_over_unfused",
        one / unfused,
        "×",
        control=careless / unfused,
        note=f"against float64, fp32 with mean {FAR:g} deviations; control: E[x²] - E[x]²",
    )


def _error(run: Run, task: Problem, variant: Variant) -> float:
    buffers = Buffers(task, run.device)
    buffers.draw(run.seed + 1)
    outputs = gate.once(buffers, variant.bind(buffers), float("nan"), gate.Findings())
    return gate.error_of(buffers, outputs).relative


def _count_kernels(run: Run, chain: Chain, full: Problem, fused: Variant) -> None:
    """Left out where the profiler may not see kernels; on a CPU the one is several loops."""
    sides = [("unfused", chain.pieces)] + [("fused", fused)] * run.cuda
    for side, variant in sides:
        if found := run.kernels(full, variant):
            run.metric(f"{chain.key}_kernels_{side}", profiling.total(found), "kernels")


def _conclude(run: Run, chain: Chain, times: Timings, fused: Variant, compiler: Variant) -> None:
    key, passes = chain.key, FUSED_PASSES[chain.name]
    speedup = times.ratio(chain.pieces.name, fused.name)
    expected = PIECES_PASSES[chain.name] / passes
    library = times.ratio(chain.library.name, fused.name)
    fair = library if LIBRARY_PASSES[chain.name] == passes and run.cuda else times.noise
    run.metric(f"{key}_speedup", speedup, "×", control=fair)
    run.metric(f"{key}_speedup_over_prediction", speedup / expected, "", control=fair / expected)
    run.metric(f"{key}_over_library", library, "×")
    run.metric(
        f"{key}_copy_share",
        times.combined(lambda t, copy: copy * passes / 2 / t, fused.name, COPY.name),
        "",
        control=times.combined(lambda t, copy: copy * passes / 2 / t, chain.pieces.name, COPY.name),
        note="bytes that it must move a second over the copy's",
    )
    if run.cuda:
        run.metric(f"{key}_over_compiled", times.ratio(compiler.name, fused.name), "×")
