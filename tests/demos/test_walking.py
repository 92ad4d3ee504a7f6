"""The walk that waits: its table, its kernels off a GPU, and what it should cost."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from demos import inspection, nvrtc, walking
from demos.problem import Buffers, Problem
from tests.demos.emulation import Emulated

COSTS = walking.Costs(latency=4e-7, random=3e12, copy=4e12, issue=5e-10, multiprocessors=100)
CPU = torch.device("cpu")


def table(walkers: int, steps: int) -> Buffers:
    task = Problem(
        inputs={"table": walking.cycle(walkers, steps)},
        outputs={"seen": walking.seen(walkers, steps)},
        reference=lambda table: table,
        size={},
    )
    buffers = Buffers(task, CPU)
    buffers.draw(7)
    buffers.poison(float("nan"))
    return buffers


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (37, 1), (37, 7)])
def test_the_rows_are_one_cycle_and_walkers_take_turns_on_it(size: tuple[int, int]) -> None:
    walkers, steps = size
    following = table(*size).table[:, -1].tolist()
    order = [0]
    for _ in range(walkers * steps - 1):
        order.append(following[order[-1]])
    assert sorted(order) == list(range(walkers * steps))
    assert following[order[-1]] == 0
    assert order[::steps] == list(range(walkers))


def test_the_rows_are_not_in_order_and_another_seed_orders_them_otherwise() -> None:
    buffers = table(37, 7)
    first = buffers.table[:, -1].clone()
    near = ((first[1:] - first[:-1]).abs() <= 2).float().mean()
    assert near < 0.2
    buffers.draw(8)
    assert not torch.equal(first, buffers.table[:, -1])


@pytest.mark.parametrize("size", [(1, 1), (37, 7)])
def test_the_kernel_sees_what_the_reference_sees(size: tuple[int, int]) -> None:
    walkers, steps = size
    buffers = table(*size)
    walk = Emulated(walking.WALK, "walk")
    walk(walking.grid_of(walkers), (walking.THREADS,), buffers.table, buffers.seen, *size)
    assert all(bool((guard == -99).all()) for guard in buffers.guards())
    for seen, values in zip(
        buffers.seen, walking.payloads(buffers.table, walkers, steps), strict=True
    ):
        assert torch.equal(seen.view(torch.float32)[:, :31], values[:, :31])
        assert not values[:, 31].any()


def test_the_chase_goes_as_far_as_it_is_told() -> None:
    buffers = table(8, 5)
    ends = torch.zeros(2, dtype=torch.int32)
    Emulated(walking.CHASE, "chase")((2,), (32,), buffers.table, ends, 4, 10)
    assert ends.tolist() == [2, 6]  # two walkers on, from the first and from the fifth


def test_the_gather_reads_the_rows_it_is_told_to() -> None:
    buffers = table(37, 7)
    rows = 37 * 7
    ids = torch.randperm(rows).to(torch.int32)
    Emulated(walking.GATHER, "gather")((5,), (256,), buffers.table, ids, buffers.seen, rows)
    assert torch.equal(buffers.seen.view(rows, 32), buffers.table[ids.long()])
    assert all(bool((guard == -99).all()) for guard in buffers.guards())


@pytest.mark.parametrize("capability", [80, 90, 100])
@pytest.mark.parametrize("name", ["walk", "chase", "gather"])
def test_nothing_but_memory_bounds_them(capability: int, name: str) -> None:
    source = {"walk": walking.WALK, "chase": walking.CHASE, "gather": walking.GATHER}[name]
    cubin = nvrtc.compile_cubin(source, name, capability)
    found = inspection.machinery(cubin, name, capability, walking.THREADS)
    assert found.spills == 0
    assert found.occupancy == 1.0


def test_a_walk_takes_turns_of_steps_that_wait() -> None:
    """8,000 walkers are 1,000 blocks: 4 at a time on 100 multiprocessors, in 3 turns."""
    waiting = 3 * 10 * 4e-7
    assert COSTS.walking(8000, 10, 4, work=10, moved=0) == pytest.approx(waiting)
    assert COSTS.walking(8000, 10, 1, work=10, moved=0) == pytest.approx(10 * 10 * 4e-7)


def test_a_walk_with_much_to_do_does_not_wait_for_memory_alone() -> None:
    """4 blocks are 8 warps a scheduler: 8 · 200 instructions take longer than a row does."""
    assert COSTS.walking(8000, 10, 4, work=200, moved=0) == pytest.approx(3 * 10 * 1600 * 5e-10)


def test_a_walk_is_not_faster_than_its_bytes() -> None:
    assert COSTS.walking(8000, 10, 8, work=1, moved=3 * 10**9) == pytest.approx(1e-3)


def test_a_stream_is_bound_by_bytes_by_work_or_by_too_few_rows_in_flight() -> None:
    def seconds(**changes: int) -> float:
        given = {"rows": 10**6, "blocks": 8, "work": 1, "ahead": 4, "moved": 1} | changes
        return COSTS.streaming(**given)

    assert seconds(moved=4 * 10**8) == pytest.approx(1e-4)
    assert seconds(work=100) == pytest.approx(10**6 * 100 * 5e-10 / 400)
    assert seconds(blocks=1, ahead=4) == pytest.approx(10**6 * 4e-7 / (100 * 8 * 4))


def test_the_end_of_the_gain_is_found_between_two_sizes() -> None:
    assert walking.crossing([(16, 4.0), (64, 0.25)]) == pytest.approx(32)
    assert walking.crossing([(64, 0.25), (16, 4.0)]) == pytest.approx(32)
    assert walking.crossing([(16, 1.0), (64, 0.5)]) == pytest.approx(16)
    assert walking.crossing([(16, 2.0), (64, 1.0)]) is None
    assert walking.crossing([(16, 0.5), (64, 0.25)]) is None


def test_latency_is_what_is_foretold_of() -> None:
    slower = replace(COSTS, latency=8e-7)
    assert slower.walking(8000, 10, 4, 10, 0) == 2 * COSTS.walking(8000, 10, 4, 10, 0)
