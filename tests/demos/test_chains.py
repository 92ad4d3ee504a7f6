"""Chains on graphs made by hand: what is one, what it reads and writes, and the rankings."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from demos import chains
from demos.chains import Extent, Graph, Kind, Op, Value

RIDGE = 10.0
"""FLOP a byte."""


class Made:
    """A graph written down op by op; every tensor is 100 bytes unless said otherwise."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.values: list[Value] = []

    def given(self, size: int = 100) -> int:
        number = len(self.values)
        self.values.append(Value(Extent(number, (0,), size), number))
        return number

    def op(
        self,
        *reads: int,
        kind: Kind = Kind.FUSABLE,
        size: int = 100,
        flops: int = 25,
        fence: bool = False,
        name: str = "aten.add.Tensor",
    ) -> int:
        number = len(self.values)
        self.values.append(Value(Extent(number, (0,), size), number, len(self.ops)))
        self.ops.append(Op(name, kind, reads, (number,), flops, fence))
        return number

    def view(self, of: int, key: tuple[int, ...] = (0,), size: int = 100) -> int:
        number, root = len(self.values), self.values[of].root
        extent = Extent(self.values[root].extent.storage, key, size)
        self.values.append(Value(extent, root, len(self.ops)))
        self.ops.append(Op("aten.view.default", Kind.VIEW, (of,), (number,)))
        return number

    def product(self, *reads: int, size: int = 100) -> int:
        return self.op(*reads, kind=Kind.BARRIER, size=size, flops=10**6, name="aten.mm.default")

    def graph(self, *results: int) -> Graph:
        return Graph(self.ops, self.values, frozenset(results))

    def found(self, *results: int) -> list[chains.Chain]:
        return chains.find_chains(self.graph(*results), RIDGE)


def test_a_chain_hands_itself_what_nobody_else_reads() -> None:
    m = Made()
    x, y = m.given(), m.given(40)
    a = m.op(x, y)
    b = m.op(a)
    c = m.op(b, x, size=60)
    (chain,) = m.found(c)
    assert (chain.ops, chain.kernels) == ((0, 1, 2), (0, 1, 2))
    assert (chain.inputs, chain.outputs) == ((x, y), (c,))
    assert (chain.bytes_in, chain.bytes_out, chain.bytes) == (140, 60, 200)


def test_one_operation_is_no_chain() -> None:
    m = Made()
    assert m.found(m.product(m.op(m.given()), m.given())) == []


def test_a_product_parts_what_needs_it() -> None:
    m = Made()
    x = m.given()
    before = m.op(m.op(x))
    p = m.product(before, m.given())
    after = m.op(m.op(p), before)
    first, second = m.found(after)
    assert (first.kernels, first.outputs) == ((0, 1), (before,))
    assert (second.kernels, second.inputs) == ((3, 4), (p, before))


def test_a_product_that_could_run_before_does_not_part_a_chain() -> None:
    m = Made()
    h = m.given()
    gate = m.op(m.product(h))
    up = m.product(h)
    hidden = m.op(gate, up)
    (chain,) = m.found(hidden)
    assert (chain.kernels, chain.outputs) == ((1, 3), (hidden,))
    assert chain.bytes == 300


def test_a_chain_that_would_wait_for_itself_is_none() -> None:
    """What a product makes of it comes back: between the two, the product must run."""
    m = Made()
    a = m.op(m.given())
    b = m.op(a, m.product(a))
    assert m.found(b) == []


def test_what_is_used_outside_is_written_once_and_ends_nothing() -> None:
    m = Made()
    stream = m.op(m.given(), m.given())
    norm = m.op(m.op(stream))
    back = m.op(stream, m.product(norm))
    (chain,) = m.found(back)
    assert chain.outputs == (stream, norm)
    assert (chain.bytes_in, chain.bytes_out) == (200, 200)


def test_strangers_between_two_products_are_two_chains() -> None:
    m = Made()
    a, b = m.given(), m.given()
    one, other = m.op(a), m.op(b)
    one, other = m.op(one), m.op(other)
    found = m.found(one, other)
    assert [chain.kernels for chain in found] == [(0, 2), (1, 3)]


def test_two_that_read_the_same_are_not_connected_by_it() -> None:
    m = Made()
    x = m.given()
    seen = m.view(x)
    assert m.found(m.op(seen), m.op(seen)) == []


def test_views_are_free_and_lead_through() -> None:
    m = Made()
    a = m.op(m.given())
    seen = m.view(m.view(a, (1,)), (2,))
    m.view(a, (3,))  # nobody looks at this one
    b = m.op(seen)
    (chain,) = m.found(b)
    assert (chain.ops, chain.kernels, chain.outputs) == ((0, 1, 2, 4), (0, 4), (b,))
    assert chain.bytes == 200


def test_a_view_that_somebody_else_reads_is_its_root_written() -> None:
    m = Made()
    a = m.op(m.given(), size=80)
    b = m.op(a)
    end = m.product(m.view(a, (1,), size=20))
    (chain,) = m.found(b, end)
    assert chain.outputs == (a, b)
    assert chain.bytes_out == 180


def test_the_same_memory_counts_once_by_whatever_name() -> None:
    m = Made()
    x = m.given()
    whole, again = m.view(x), m.view(x)
    half = m.view(x, (50,), size=50)
    b = m.op(m.op(whole, again), half)
    (chain,) = m.found(b)
    assert chain.inputs == (whole, again, half)
    assert chain.bytes_in == 150


def test_bound_by_arithmetic_is_no_part_of_a_chain() -> None:
    m = Made()
    a = m.op(m.given())  # moves 200 bytes
    costly = m.op(a, flops=2000)
    assert m.found(costly) == []
    m.ops[1] = replace(m.ops[1], flops=1999)
    assert len(m.found(costly)) == 1


def test_nothing_moves_across_a_fence() -> None:
    m = Made()
    a, b = m.given(), m.given()
    one = m.op(a)
    m.op(b, kind=Kind.BARRIER, fence=True)
    two = m.op(one)
    assert m.found(two) == []
    m.ops[1] = replace(m.ops[1], fence=False)
    assert len(m.found(two)) == 1


def test_layers_that_do_the_same_are_one_group() -> None:
    m = Made()
    x = m.given()
    for _ in range(3):
        x = m.product(m.op(m.op(x)), m.given())
    last = m.op(m.op(x, m.given()))
    groups = chains.grouped(m.graph(last), m.found(last))
    assert [len(group.members) for group in groups] == [3, 1]
    assert groups[0].first.kernels == (0, 1)


def test_another_shape_is_another_group() -> None:
    m = Made()
    one, other = m.given(), m.given(40)
    a = m.op(m.op(one))
    b = m.op(m.op(other, size=40), size=40)
    assert len(chains.grouped(m.graph(a, b), m.found(a, b))) == 2


def test_the_neighbour_is_of_the_longest_product() -> None:
    m = Made()
    p = m.product(m.given(), m.given())
    q = m.product(m.given(), m.given())
    a = m.op(p)
    b = m.op(m.view(q))
    found = chains.neighbour(m.graph(a, b), [1.0, 2.0, 0.1, 0.0, 0.1])
    assert found is not None
    assert (found.kernels, found.outputs, found.bytes) == ((1, 4), (b,), 300)
    assert chains.neighbour(Made().graph(), []) is None


def test_a_kernel_takes_its_bytes_or_its_launch() -> None:
    assert chains.fused_seconds(4000, 1e9, 1e-6) == pytest.approx(4e-6)
    assert chains.fused_seconds(4000, 1e9, 5e-6) == 5e-6


def test_ranks_with_ties_share_the_mean() -> None:
    assert chains.ranks([30, 10, 20]) == [3, 1, 2]
    assert chains.ranks([1, 2, 2, 3]) == [1, 2.5, 2.5, 4]
    assert chains.ranks([5, 5, 5]) == [2, 2, 2]
    assert chains.ranks([]) == []


def test_spearman_against_values_computed_by_hand() -> None:
    one = [1, 2, 3, 4, 5]
    assert chains.spearman(one, [10, 20, 30, 40, 50]) == 1
    assert chains.spearman(one, [9, 7, 5, 3, 1]) == -1
    # 1 - 6 Σ d² / (n (n² - 1)) with d = (1, -1, 0, 0, 0): 1 - 12 / 120
    assert chains.spearman(one, [2, 1, 3, 4, 5]) == pytest.approx(0.9)
    # d = (-4, 1, 1, 1, 1): 1 - 120 / 120
    assert chains.spearman(one, [5, 1, 2, 3, 4]) == pytest.approx(0)
    # Ranks (1, 2.5, 2.5, 4) against (1, 2, 3, 4): 4.5 / sqrt(4.5 · 5).
    assert chains.spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(math.sqrt(0.9))
    assert chains.spearman([7, 7, 7], [1, 2, 3]) == 0
    with pytest.raises(ValueError, match="different lengths"):
        chains.spearman([1], [1, 2])


def test_a_ranking_by_chance_stays_below() -> None:
    # Of the 24 orders of four, one has ρ = 1 and three have 0.8: 19 of 20 are at most 0.8.
    assert chains.shuffled_spearman(4) == pytest.approx(0.8)
    assert chains.shuffled_spearman(8) < 0.8
    assert chains.shuffled_spearman(12) < chains.shuffled_spearman(8)
    assert chains.shuffled_spearman(12) == chains.shuffled_spearman(12)
