"""Advice for a module: which chains of its kernels to fuse, best first, and whether it is right.

The forward pass is recorded and profiled, its chains are found, and each is foretold to gain its
operations' time less the bytes that must still move over the bandwidth of a copy.  The check
then compiles each chain, holds it to the operations one by one, and times the two, interleaved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from demos import chains
from demos.bootstrap import Estimate
from demos.chains import Chain, Graph, Kind
from demos.clocks import Lane, clock_for
from demos.failures import Cancelled, Incorrect, first_line
from demos.fusing import Region
from demos.problem import Problem, Variant
from demos.profiling import total
from demos.recording import Recording, Spent, record, spent
from demos.rounds import Timings
from demos.run import Run

SECONDS = {"cuda": 1.0, "cpu": 1.5}
"""Of measuring, for each chain."""
SIDE = 1024
"""Of the matrices that tell a CPU's rate."""
PRODUCT = "product"
"""The chain that is none: a matrix product and what works on its result."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Chains that do the same work, and what fusing them should gain."""

    name: str
    """Its rank, 1 for the greatest gain; :data:`PRODUCT` for the control."""
    chain: Chain
    """One of them."""
    repeats: int
    operators: tuple[str, ...]
    kernels: tuple[str, ...]
    """What the operations launched, by the profiler."""
    place: str
    """Where in the code they are called for."""
    seconds: float
    """Of one, its operations one by one, in the module."""
    fused_seconds: float
    """Foretold."""
    share: float
    """Of the module's time that the gain of all of them is."""

    @property
    def gain(self) -> float:
        """Seconds that fusing one should save."""
        return self.seconds - self.fused_seconds

    @property
    def total_gain(self) -> float:
        """Seconds that fusing all of them should save."""
        return self.repeats * self.gain


@dataclass(frozen=True, slots=True)
class Checked:
    """A chain both ways, measured."""

    timings: Timings
    one_by_one: str
    """Names of the variants."""
    fused: str
    kernels: tuple[int, int] | None = None
    """One by one and fused; none where the profiler may not see them."""

    @property
    def gain(self) -> Estimate:
        """Seconds saved."""
        return self.timings.combined(lambda a, b: a - b, self.one_by_one, self.fused)

    @property
    def speedup(self) -> Estimate:
        """Times as fast."""
        return self.timings.ratio(self.one_by_one, self.fused)

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """Samples of both, by round."""
        found = self.timings.samples[self.timings.clocks[0]]
        return list(zip(found[self.one_by_one], found[self.fused], strict=True))


@dataclass(frozen=True, slots=True)
class Survey:
    """A module's forward pass: recorded, profiled, its chains ranked."""

    recording: Recording
    spent: Sequence[Spent]
    bandwidth: float
    launch: float
    ridge: float
    candidates: Sequence[Candidate]
    """Best first."""

    @property
    def graph(self) -> Graph:
        """The operations."""
        return self.recording.graph

    @property
    def seconds(self) -> float:
        """All operations of the forward pass."""
        return sum(one.seconds for one in self.spent)


def survey(run: Run, call: Callable[[], Any]) -> Survey:
    """Record and profile ``call``, a forward pass, and rank its chains."""
    run.stage("recording the forward pass")
    with torch.no_grad():
        call()
    recording = record(call, run.machine)
    run.stage("profiling the forward pass")
    took = spent(call, recording, run.machine)
    bandwidth = run.ceiling("copy bandwidth")
    launch = run.ceiling("empty kernel" if run.cuda else "launch")
    peak = (
        run.ceiling("fp32 fma")
        if run.cuda
        else run.own_ceiling("fp32 gemm", "FLOP/s", lambda: _cpu_rate(run))
    )
    ridge = peak / bandwidth
    ranked = rank(recording.graph, took, bandwidth, launch, ridge)
    return Survey(recording, took, bandwidth, launch, ridge, ranked)


def rank(
    graph: Graph, took: Sequence[Spent], bandwidth: float, launch: float, ridge: float
) -> list[Candidate]:
    """The chains of a graph by what fusing them should gain, best first."""
    module = sum(one.seconds for one in took)
    found = []
    for group in chains.grouped(graph, chains.find_chains(graph, ridge)):
        times = [sum(took[n].seconds for n in chain.kernels) for chain in group.members]
        fused = chains.fused_seconds(group.first.bytes, bandwidth, launch)
        seconds = sum(times) / len(times)
        found.append((group, seconds, fused))
    found.sort(key=lambda one: (one[2] - one[1]) * len(one[0].members))
    return [
        _candidate(
            str(number), graph, took, group.first, len(group.members), seconds, fused, module
        )
        for number, (group, seconds, fused) in enumerate(found, 1)
    ]


def product(survey: Survey) -> Candidate | None:
    """The control: a product with what works on its result, foretold by the same rule.

    It is bound by arithmetic and stays as long as it is; the one kernel after it, alone, has
    nothing to be fused with: no gain.
    """
    times = [one.seconds for one in survey.spent]
    found = chains.neighbour(survey.graph, times)
    if found is None:
        return None
    seconds = sum(times[n] for n in found.kernels)
    graph, took = survey.graph, survey.spent
    return _candidate(PRODUCT, graph, took, found, 1, seconds, seconds, survey.seconds)


def by_bytes_alone(survey: Survey, candidate: Candidate) -> float:
    """The gain that a rule would foretell which does not ask what a kernel is bound by."""
    moved = candidate.chain.bytes
    return candidate.seconds - chains.fused_seconds(moved, survey.bandwidth, survey.launch)


def variants_of(name: str) -> tuple[str, str]:
    """The names of a chain's two variants."""
    return f"{name}: one by one", f"{name}: fused"


def announced(names: Sequence[str]) -> list[Variant]:
    """The variants of these chains, before the chains are known."""

    def none(_: Any) -> Any:
        raise RuntimeError("only announced")

    found = []
    for name in names:
        what = "A product and its neighbour" if name == PRODUCT else f"The chain ranked {name}"
        apart, fused = variants_of(name)
        found.append(Variant(apart, f"{what}, its operations one by one", none, baseline=True))
        found.append(Variant(fused, f"{what}, compiled", none))
    return found


def tell(
    run: Run, survey: Survey, one: Candidate, checked: Checked | None = None, note: str = ""
) -> None:
    """Send a chain as an event."""
    gain = checked.gain if checked else None
    run.chain(
        name=one.name,
        operators=list(one.operators),
        kernels=list(one.kernels),
        place=one.place,
        repeats=one.repeats,
        seconds=one.seconds,
        bytes_in=one.chain.bytes_in,
        bytes_out=one.chain.bytes_out,
        fused_seconds=one.fused_seconds,
        gain=one.total_gain,
        share=one.share,
        module_seconds=survey.seconds,
        measured=None if gain is None else gain.value,
        low=None if gain is None else gain.low,
        high=None if gain is None else gain.high,
        speedup=None if checked is None else checked.speedup.value,
        note=note,
    )


def check(run: Run, survey: Survey, one: Candidate) -> Checked:
    """Compile a chain, hold it to its operations one by one, count kernels, time both."""
    region = Region(survey.recording, one.chain, run.device)
    if not region.finite:
        raise Incorrect("what it gives holds infinite numbers or NaN, and cannot be compared")
    apart_name, fused_name = variants_of(one.name)
    task = region.problem({"chain": one.name})
    apart = region.one_by_one(apart_name, _one_by_one_bytes(survey.graph, one.chain))
    fused = region.compiled(fused_name)
    run.gate(task, [apart, fused], yardstick=apart)
    kernels = _kernels(run, task, apart, fused)
    timings = run.measure(task, [apart, fused], seconds=SECONDS[run.machine.kind])
    return Checked(timings, apart_name, fused_name, kernels)


def try_check(run: Run, survey: Survey, one: Candidate) -> Checked | str:
    """Check a chain of a module that is not ours; or why that cannot be done."""
    try:
        return check(run, survey, one)
    except (Cancelled, BrokenPipeError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - the compiler may fail at anything, and it is told
        return first_line(error)


def _kernels(run: Run, task: Problem, apart: Variant, fused: Variant) -> tuple[int, int] | None:
    before, after = run.kernels(task, apart), run.kernels(task, fused)
    return (total(before), total(after)) if before and after else None


def _candidate(
    name: str,
    graph: Graph,
    took: Sequence[Spent],
    chain: Chain,
    repeats: int,
    seconds: float,
    fused: float,
    module: float,
) -> Candidate:
    kernels = [kernel for n in chain.kernels for kernel in took[n].kernels]
    operators = tuple(_short(graph.ops[n].name) for n in chain.kernels)
    share = repeats * (seconds - fused) / module if module else 0.0
    return Candidate(
        name,
        chain,
        repeats,
        operators,
        tuple(kernels),
        _places([graph.ops[n].place for n in chain.kernels]),
        seconds,
        fused,
        share,
    )


def _short(name: str) -> str:
    """``add`` for ``aten.add_.Tensor``."""
    return name.split(".")[1].strip("_") if name.count(".") else name


def _places(places: Sequence[str]) -> str:
    """``block.py:12-15`` for places in one file; the first file's where there are several."""
    known = [place.rpartition(":") for place in places if place]
    if not known:
        return ""
    file = known[0][0]
    lines = sorted({int(line) for name, _, line in known if name == file})
    span = f"{lines[0]}-{lines[-1]}" if len(lines) > 1 else str(lines[0])
    return f"{Path(file).name}:{span}"


def _one_by_one_bytes(graph: Graph, chain: Chain) -> int:
    return sum(
        graph.bytes_of(graph.ops[n]) for n in chain.kernels if graph.ops[n].kind is Kind.FUSABLE
    )


def _cpu_rate(run: Run) -> float:
    """FLOP a second of a single-precision matrix product, the best of a few."""
    a, b = torch.rand(SIDE, SIDE), torch.rand(SIDE, SIDE)
    out = torch.empty_like(a)
    clock = clock_for(run.machine)
    lane = Lane([lambda: torch.mm(a, b, out=out)])
    best = min(clock.sample(lane, clock.names[0]).seconds for _ in range(5))
    return 2 * SIDE**3 / best
