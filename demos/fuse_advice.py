"""Which chain to fuse: a module's memory-bound kernels, ranked by what fusing them should gain.

The claim: who knows how long each kernel takes, and what it reads and writes, knows which to
fuse first, before writing a line.  The module here is a block of a transformer, written as people
write it, and the tower of a recommender.  A profiler pass over it tells the time of every kernel.
Neighbours that are bound by memory (less arithmetic for each byte than the device has) and hand
each other something are a chain.  Fusing a chain should save

    Σ time of its kernels - max((bytes in + bytes out) / copy bandwidth, cost of a launch)

where each piece of memory that comes from outside the chain, or is used outside, counts once.

Then every chain is compiled, checked against its operations one by one, and timed with them in
turns.  The order of the savings should be the foretold one: Spearman's ρ of the two rankings is
at least 0.8, and the first of the one is the first of the other.

The controls: a ranking by chance stays below that ρ.  The longest matrix product, taken together
with what works on its result, would be first in a ranking that counts bytes alone; it is bound by
arithmetic, so it is foretold to gain nothing, and must come out last.

What could refute it: kernels so short that their data never leave the cache, so that bytes do not
count; chains that the compiler cannot make one kernel of; two chains with about the same gain.
A ranking by time alone is given beside it: where long chains are also those that waste most, it
does as well, and the bytes are not needed.

On a CPU the operations are timed into memory that is there already, and the compiled ones write
into such memory as well, for asking for memory costs more than a pass.  The caches there hold
much of what the chains hand each other, so the claim is for a GPU; the numbers are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from statistics import median

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from demos import advising, chains
from demos.advising import PRODUCT, Candidate, Checked, Survey
from demos.bootstrap import Estimate
from demos.run import Run

HEAD = 64
"""Width of a head."""
SEQUENCES = 8
HISTORY, ITEM, DENSE = 128, 64, 256
"""Of the tower: items in a history, their width, and dense features."""
EPSILON = 1e-6
RESAMPLES = 400


# 1. The module, as people write it.


class Block(nn.Module):
    """Attention with rotary positions, then a gated feed-forward layer; half as many keys."""

    def __init__(self, width: int, dtype: torch.dtype) -> None:
        super().__init__()
        hidden = 11 * width // 4
        self.heads = width // HEAD
        self.first = nn.LayerNorm(width, dtype=dtype)
        self.qkv = nn.Linear(width, 2 * width, bias=False, dtype=dtype)
        self.out = nn.Linear(width, width, bias=False, dtype=dtype)
        self.weight = nn.Parameter(torch.ones(width, dtype=dtype))
        self.gate = nn.Linear(width, hidden, bias=False, dtype=dtype)
        self.up = nn.Linear(width, hidden, bias=False, dtype=dtype)
        self.down = nn.Linear(hidden, width, bias=False, dtype=dtype)
        self.scale = nn.Parameter(torch.full((width,), 0.1, dtype=dtype))

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        """``x``: sequences, length, width; ``cos``, ``sin``: length, half a head."""
        sequences, length, width = x.shape
        qkv = self.qkv(self.first(x)).view(sequences, length, 2 * self.heads, HEAD).transpose(1, 2)
        q, k, v = qkv.split([self.heads, self.heads // 2, self.heads // 2], 1)
        q, k = rotated(q, cos, sin), rotated(k, cos, sin)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(sequences, length, width))
        h = rms_norm(x, self.weight)
        h = self.down(F.silu(self.gate(h)) * self.up(h))
        return x + h * self.scale


def rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary positions: the two halves of each head, turned against each other."""
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """In single precision inside."""
    wide = x.float()
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + EPSILON)
    return (wide * scale).to(x.dtype) * weight


class Tower(nn.Module):
    """Attention of one query to a history, dense features, and two products."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(ITEM, ITEM)
        self.mean = nn.Parameter(torch.ones(DENSE))
        self.rate = nn.Parameter(torch.full((DENSE,), 0.7))
        self.deep = nn.Linear(ITEM + DENSE, 256)
        self.last = nn.Linear(256, 1)

    def forward(
        self, item: torch.Tensor, history: torch.Tensor, past: torch.Tensor, dense: torch.Tensor
    ) -> torch.Tensor:
        """``item``: batch, width; ``history``: batch, items, width; ``past``: what is none."""
        scores = (self.query(item)[:, None] * history).sum(-1) * ITEM**-0.5
        weights = torch.softmax(scores.masked_fill(past, -1e9), -1)
        interest = (weights[:, :, None] * history).sum(1)
        features = ((torch.log1p(dense.clamp_min(0)) - self.mean) * self.rate).clamp(-3, 3)
        wide = F.linear(interest, self.deep.weight[:, :ITEM], self.deep.bias)
        return torch.sigmoid(self.last(F.relu(wide + features @ self.deep.weight[:, ITEM:].t())))


class Both(nn.Module):
    """The block and the tower."""

    def __init__(self, width: int, dtype: torch.dtype) -> None:
        super().__init__()
        self.block, self.tower = Block(width, dtype), Tower()

    def forward(self, *given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Three tensors for the block, four for the tower."""
        return self.block(*given[:3]), self.tower(*given[3:])


def make_module(
    tokens: int, width: int, batch: int, device: torch.device, seed: int = 0
) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    """The module and its inputs: bfloat16 in the block on a GPU, single precision elsewhere."""
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    generator = torch.Generator(device).manual_seed(seed)
    torch.manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, device=device, generator=generator)

    length = max(1, tokens // SEQUENCES)
    turns = torch.arange(length, device=device)[:, None] * torch.logspace(
        0, -4, HEAD // 2, device=device
    )
    kept = torch.randint(1, HISTORY + 1, (batch, 1), device=device, generator=generator)
    module = Both(width, dtype).to(device).eval()
    return module, (
        normal(SEQUENCES, length, width).to(dtype),
        turns.cos().to(dtype),
        turns.sin().to(dtype),
        normal(batch, ITEM),
        normal(batch, HISTORY, ITEM),
        torch.arange(HISTORY, device=device)[None] >= kept,
        normal(batch, DENSE),
    )


# 2. The story.


def demo(run: Run) -> None:
    """Rank the chains, foretell their gains, and see whether the order is right."""
    names = [str(number) for number in range(1, run.params["chains"] + 1)]
    run.begin(advising.announced([*names, PRODUCT]), measures=len(names) + 1)
    sizes = (run.params["tokens"], run.params["width"], run.params["batch"])
    module, inputs = make_module(*sizes, run.device, run.seed)
    found = advising.survey(run, lambda: module(*inputs))
    ranked = list(found.candidates[: len(names)])
    against = advising.product(found)
    assert against is not None, "the module has products"
    asked = [*ranked, against]
    for one in asked:
        advising.tell(run, found, one)
    _predict(run, ranked)
    checked = []
    for one in asked:
        checked.append(advising.check(run, found, one))
        advising.tell(run, found, one, checked[-1])
    run.metric("chains", len(found.candidates), "chains")
    _conclude(run, found, ranked, checked[:-1])
    _conclude_control(run, found, asked, checked)


def _predict(run: Run, ranked: Sequence[Candidate]) -> None:
    run.predict("spearman", 1.0, "", "the order by Σ t - max(bytes / BW, L)")
    run.predict("top_rank", 1, "", "the first is the first")
    run.predict("behind_all", 1.0, "", "a product is bound by arithmetic, and gains nothing")
    run.predict("gain_over_prediction", 1.0, "", "Σ t - max(bytes / BW, L), all chains together")
    for one in ranked:
        words = "max(bytes / BW, L)"
        run.predict(f"time:{advising.variants_of(one.name)[1]}", one.fused_seconds, "s", words)


def _conclude(
    run: Run, found: Survey, ranked: Sequence[Candidate], checked: Sequence[Checked]
) -> None:
    foretold = [one.gain for one in ranked]
    run.metric(
        "spearman",
        resampled(checked, lambda gains: chains.spearman(foretold, gains)),
        control=chains.shuffled_spearman(len(ranked)),
        note="the control: what 19 of 20 rankings by chance stay under",
    )
    longest = [one.seconds for one in ranked]
    run.metric(
        "spearman_by_time",
        resampled(checked, lambda gains: chains.spearman(longest, gains)),
        note="ranked by how long they take, without counting a byte",
    )
    run.metric(
        "gain_over_prediction",
        resampled(checked, lambda gains: sum(gains) / sum(foretold)),
        note="all chains together",
    )
    run.metric("gain_share", sum(one.share for one in found.candidates), note="foretold, of it all")
    counted = [one.kernels for one in checked if one.kernels]
    if len(counted) == len(checked):
        run.metric("kernels_unfused", sum(before for before, _ in counted), "kernels")
        run.metric("kernels_fused", sum(after for _, after in counted), "kernels")


def _conclude_control(
    run: Run, found: Survey, asked: Sequence[Candidate], checked: Sequence[Checked]
) -> None:
    """With the product among them: where it comes, and who would have been first by bytes."""
    gains = [one.gain.value for one in checked]
    by_bytes = [advising.by_bytes_alone(found, one) for one in asked]
    first_by_bytes = max(range(len(asked)), key=by_bytes.__getitem__)
    run.metric(
        "top_rank",
        place(gains, 0),
        control=place(gains, first_by_bytes),
        note="the control: the first by bytes alone, whatever bounds it",
    )
    run.metric(
        "behind_all",
        (place(gains, len(gains) - 1) - 1) / (len(gains) - 1),
        control=(place(by_bytes, len(gains) - 1) - 1) / (len(gains) - 1),
        note="share of the chains that gain more than the product; the control: by bytes alone",
    )
    run.metric(
        "spearman_with_product",
        resampled(checked, lambda g: chains.spearman([one.gain for one in asked], g)),
        control=chains.spearman(by_bytes, gains),
        note="the control: ranked by bytes alone",
    )


def place(gains: Sequence[float], number: int) -> int:
    """Where one stands among all, 1 for the greatest."""
    return 1 + sum(gain > gains[number] for gain in gains)


def resampled(checked: Sequence[Checked], formula: Callable[[list[float]], float]) -> Estimate:
    """A formula of all measured gains, with its interval from resampled rounds of each."""
    draw = Random(RESAMPLES).choices
    pairs = [one.pairs for one in checked]

    def gain(rounds: Sequence[tuple[float, float]]) -> float:
        return median(a for a, _ in rounds) - median(b for _, b in rounds)

    value = formula([gain(rounds) for rounds in pairs])
    found = sorted(
        formula([gain(draw(rounds, k=len(rounds))) for rounds in pairs]) for _ in range(RESAMPLES)
    )
    tail = math.floor(0.025 * RESAMPLES)
    return Estimate(value, min(value, found[tail]), max(value, found[-1 - tail]))
