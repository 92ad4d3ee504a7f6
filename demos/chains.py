"""Which kernels could be one: chains of memory-bound operations, their bytes, their ranking.

A module's operations in the order in which they ran, and which values each read and wrote: that
is all that is known here, no torch.  A *chain* is a greatest set of memory-bound operations that
are connected by what they hand each other, such that no other kernel has to run between them: one
that was launched there, but could as well be launched before or after, does not part them.  What a
chain hands itself need not go through memory once it is one kernel; what comes from outside, or
is used outside, must, once.  Views cost nothing.

What fusing a chain should gain is its operations' time less what those bytes take at the speed
of a copy; a kernel takes at least the cost of its launch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import permutations
from random import Random

ENOUGH = 8
"""Longest ranking all of whose orders are tried; of longer ones, so many are drawn:"""
DRAWN = 20_000
SURE = 0.95
PRODUCTS = frozenset({"mm", "addmm", "bmm", "baddbmm"})


class Kind(Enum):
    """What an operation is to a chain."""

    VIEW = "view"
    """Launches nothing: another look at the same memory, or memory not yet written."""
    FUSABLE = "fusable"
    """Element by element, along a row, or a copy: what a compiler writes itself."""
    BARRIER = "barrier"
    """A kernel that stays one of its own: a product, a gather, attention, random numbers, ..."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The memory that a tensor covers: equal for two views of the same elements."""

    storage: int
    key: tuple[int, ...]
    """Its offset, then stride and length of each axis that cannot be merged with the next."""
    bytes: int


@dataclass(frozen=True, slots=True)
class Value:
    """A tensor at one moment."""

    extent: Extent
    root: int
    """The value that it is a view of; its own number if it is none."""
    op: int = -1
    """The operation that made it; -1 for what came from outside."""


@dataclass(frozen=True, slots=True)
class Op:
    """One operation that ran."""

    name: str
    """E.g. ``aten.add.Tensor``."""
    kind: Kind
    reads: tuple[int, ...] = ()
    """Values."""
    writes: tuple[int, ...] = ()
    flops: int = 0
    fence: bool = False
    """Nothing may be moved across it: it writes into memory, or the host reads what it gives."""
    place: str = ""
    """Where in the user's code it was called, ``file:line``."""
    signature: str = ""
    """Name, constants, shapes and types: equal where the same work is done on other numbers."""


@dataclass(frozen=True, slots=True)
class Graph:
    """All operations of one forward pass, in order."""

    ops: Sequence[Op]
    values: Sequence[Value]
    results: frozenset[int] = frozenset()
    """Values that the module returned."""

    def bytes_of(self, op: Op) -> int:
        """What one operation alone reads and writes, each piece of memory once."""
        return sum(e.bytes for e in {self.values[v].extent for v in op.reads}) + sum(
            e.bytes for e in {self.values[v].extent for v in op.writes}
        )


@dataclass(frozen=True, slots=True)
class Chain:
    """Operations that could be one kernel."""

    ops: tuple[int, ...]
    """Of the graph, views between them included, in order."""
    kernels: tuple[int, ...]
    """Those that launch one."""
    inputs: tuple[int, ...]
    """Values from outside."""
    outputs: tuple[int, ...]
    """Values used outside."""
    bytes_in: int
    """Of the inputs, each piece of memory once."""
    bytes_out: int

    @property
    def bytes(self) -> int:
        """All that must go through memory."""
        return self.bytes_in + self.bytes_out


@dataclass(slots=True)
class Group:
    """Chains that do the same work on other numbers, as the layers of a model do."""

    first: Chain
    members: list[Chain] = field(default_factory=list)


def find_chains(graph: Graph, ridge: float) -> list[Chain]:
    """Chains of at least two kernels, in order; ``ridge`` is FLOP a byte: peak over bandwidth.

    Only below it is an operation bound by memory, and has fusing anything to save.
    """
    found = [chain for level in _levels(graph, ridge) for chain in _connected(graph, level)]
    return sorted((chain for chain in found if len(chain.kernels) > 1), key=lambda c: c.ops)


def region(graph: Graph, numbers: Iterable[int]) -> Chain:
    """These operations as one, whatever they are: what goes in, what comes out, its bytes."""
    ops = tuple(sorted(set(numbers)))
    made = {value for number in ops for value in graph.ops[number].writes}
    inputs = dict.fromkeys(
        value for number in ops for value in graph.ops[number].reads if value not in made
    )
    outside = _used(graph, made, set(ops))
    outputs = tuple(
        sorted(value for value in made if _root(graph, value, made) and value in outside)
    )
    kernels = tuple(n for n in ops if graph.ops[n].kind is not Kind.VIEW)
    return Chain(
        ops,
        kernels,
        tuple(inputs),
        outputs,
        sum(extent.bytes for extent in {graph.values[v].extent for v in inputs}),
        sum(graph.values[v].extent.bytes for v in outputs),
    )


def neighbour(graph: Graph, seconds: Sequence[float]) -> Chain | None:
    """The longest product together with an operation that works on what it gives.

    By bytes alone it promises most of all: the control of a ranking that knows better.
    """
    readers = _readers(graph)
    best: Chain | None = None
    longest = 0.0
    for number, op in enumerate(graph.ops):
        named = op.name.split(".")[1:2]
        if not PRODUCTS.issuperset(named) or not named or seconds[number] <= longest:
            continue
        after, views = _first_reader(graph, readers, number)
        if after is not None:
            best, longest = region(graph, [number, *views, after]), seconds[number]
    return best


def grouped(graph: Graph, chains: Sequence[Chain]) -> list[Group]:
    """Chains by what they do: operations, shapes, types and how they are connected."""
    groups: dict[tuple[object, ...], Group] = {}
    for chain in chains:
        key = _likeness(graph, chain)
        groups.setdefault(key, Group(chain)).members.append(chain)
    return list(groups.values())


def fused_seconds(moved: int, bandwidth: float, launch: float) -> float:
    """The least that one kernel takes: its bytes at the speed of a copy, or its launch."""
    return max(moved / bandwidth, launch)


def ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, 1 for the smallest; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            found[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return found


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's ρ: the correlation of the ranks; 0 where one side does not vary at all."""
    if len(one) != len(other):
        raise ValueError("two rankings of different lengths")
    a, b = ranks(one), ranks(other)
    middle = (len(a) + 1) / 2
    together = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    scale = sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)
    return together / scale**0.5 if scale else 0.0


def shuffled_spearman(count: int) -> float:
    """What ρ a ranking by chance stays under 19 times in 20."""
    straight = list(range(count))
    if count <= ENOUGH:
        orders: Iterable[Sequence[int]] = permutations(straight)
    else:
        draw = Random(count)
        orders = (draw.sample(straight, count) for _ in range(DRAWN))
    found = sorted(spearman(straight, order) for order in orders)
    return found[min(len(found) - 1, int(SURE * len(found)))] if found else 0.0


def _levels(graph: Graph, ridge: float) -> list[list[int]]:
    """Views and fusable operations by how many kernels that stay must run before them, at least.

    Operations of one level have none of those between them: any that depends on one of them is
    followed by a higher level.
    """
    of_value: dict[int, int] = {}
    levels: dict[int, list[int]] = defaultdict(list)
    floor = highest = 0
    for number, op in enumerate(graph.ops):
        level = max([floor, *(of_value.get(value, 0) for value in op.reads)])
        if _stays(graph, op, ridge):
            level += 1
        else:
            levels[level].append(number)
        highest = max(highest, level)
        if op.fence:
            floor = level = highest = highest + 1
        of_value.update(dict.fromkeys(op.writes, level))
    return [levels[level] for level in sorted(levels)]


def _stays(graph: Graph, op: Op, ridge: float) -> bool:
    """Whether it is a kernel of its own: by kind, or since it is bound by arithmetic."""
    if op.kind is Kind.VIEW:
        return False
    return op.kind is Kind.BARRIER or op.flops >= ridge * max(1, graph.bytes_of(op))


def _connected(graph: Graph, level: Sequence[int]) -> list[Chain]:
    """The parts of a level that hand each other something."""
    parent = {number: number for number in level}

    def leader(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for number in level:
        for value in graph.ops[number].reads:
            maker = graph.values[graph.values[value].root].op
            if maker in parent:
                parent[leader(number)] = leader(maker)
    parts: dict[int, list[int]] = defaultdict(list)
    for number in level:
        parts[leader(number)].append(number)
    return [region(graph, _needed(graph, part)) for part in parts.values()]


def _needed(graph: Graph, part: Sequence[int]) -> list[int]:
    """The part without views that none of its kernels looks at."""
    wanted: set[int] = set()
    kept = []
    for number in reversed(part):
        op = graph.ops[number]
        if op.kind is not Kind.VIEW or wanted.intersection(op.writes):
            kept.append(number)
            wanted.update(op.reads)
    return kept[::-1]


def _root(graph: Graph, value: int, made: set[int]) -> bool:
    """Whether it is memory that these operations wrote, and not a view of such."""
    root = graph.values[value].root
    return root == value or root not in made


def _used(graph: Graph, made: set[int], inside: set[int]) -> set[int]:
    """The values that somebody else reads, itself or a view of it; results are read."""
    found: set[int] = set()
    for number, op in enumerate(graph.ops):
        if number not in inside and op.kind is not Kind.VIEW:
            found.update(_sources(graph, op.reads))
    found.update(_sources(graph, graph.results))
    return found & made


def _sources(graph: Graph, values: Iterable[int]) -> Iterable[int]:
    """The values and what they are views of."""
    for value in values:
        yield value
        yield graph.values[value].root


def _readers(graph: Graph) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for number, op in enumerate(graph.ops):
        for value in op.reads:
            found[value].append(number)
    return found


def _first_reader(
    graph: Graph, readers: Mapping[int, list[int]], number: int
) -> tuple[int | None, list[int]]:
    """The first fusable operation on what an operation wrote, and the views in between."""
    waiting: list[tuple[int, list[int]]] = [(value, []) for value in graph.ops[number].writes]
    while waiting:
        value, views = waiting.pop(0)
        for reader in readers.get(value, []):
            if graph.ops[reader].kind is Kind.FUSABLE:
                return reader, views
            if graph.ops[reader].kind is Kind.VIEW:
                waiting += [(seen, [*views, reader]) for seen in graph.ops[reader].writes]
    return None, []


def _likeness(graph: Graph, chain: Chain) -> tuple[object, ...]:
    """Equal for chains that are one and the same program."""
    local: dict[int, int] = {}
    lines: list[object] = []
    for number in chain.ops:
        op = graph.ops[number]
        reads = tuple(local.setdefault(value, len(local)) for value in op.reads)
        writes = tuple(local.setdefault(value, len(local)) for value in op.writes)
        lines.append((op.signature or op.name, reads, writes))
    return (*lines, chain.bytes_in, chain.bytes_out, tuple(local[v] for v in chain.outputs))
