"""Buffers: fresh contents in the same place, poison, guards."""

from __future__ import annotations

import pytest
import torch

from demos.problem import GUARD, Buffers, Problem, empty, filled, integers, normal, uniform

CPU = torch.device("cpu")

TASK = Problem(
    inputs={
        "x": normal(3, 50),
        "u": uniform(40, low=2.0, high=3.0),
        "i": integers(60, low=5, high=9),
        "one": filled(4, value=1.0),
    },
    outputs={"y": empty(3, 50), "n": empty(6, dtype=torch.int64)},
    scratch={"t": empty(3, 50, dtype=torch.bfloat16)},
    reference=lambda x, **_: x,
    size={"rows": 3},
)


def test_bytes_are_those_of_the_tensors() -> None:
    inputs, outputs = 4 * (150 + 40 + 60 + 4), 4 * 150 + 8 * 6
    assert TASK.compulsory_bytes == inputs + outputs
    assert TASK.footprint == inputs + outputs + 2 * 150


def test_draw_writes_fresh_contents_into_the_same_addresses() -> None:
    buffers = Buffers(TASK, CPU)
    buffers.draw(1)
    first, address = buffers.x.clone(), buffers.x.data_ptr()
    buffers.draw(2)
    assert not torch.equal(first, buffers.x)
    buffers.draw(1)
    assert torch.equal(first, buffers.x)
    assert buffers.x.data_ptr() == address
    assert float(buffers.u.min()) >= 2
    assert float(buffers.u.max()) < 3
    assert set(buffers.i.tolist()) == {5, 6, 7, 8}


def test_inputs_of_one_kind_are_drawn_apart() -> None:
    twins = Problem({"a": normal(9), "b": normal(9)}, {}, lambda **_: (), {})
    buffers = Buffers(twins, CPU)
    buffers.draw(1)
    assert not torch.equal(buffers.a, buffers.b)


def test_poison_fills_outputs_guards_and_scratch() -> None:
    buffers = Buffers(TASK, CPU)
    buffers.draw(1)
    buffers.poison(float("nan"))
    assert buffers.y.isnan().all()
    assert buffers.t.isnan().all()
    assert not buffers.x.isnan().any()
    assert len(set(buffers.n.tolist())) == 1
    guards = list(buffers.guards())
    assert len(guards) == 4
    assert all(len(guard) == GUARD for guard in guards)


def test_outputs_are_aligned_and_guards_touch_them() -> None:
    buffers = Buffers(TASK, CPU)
    assert (buffers.y.data_ptr() - buffers._arenas["y"].data_ptr()) % 1024 == 0
    before, after = list(buffers.guards())[:2]
    assert before.data_ptr() + 4 * GUARD == buffers.y.data_ptr()
    assert after.data_ptr() == buffers.y.data_ptr() + 4 * buffers.y.numel()


def test_a_tensor_that_is_not_there_and_an_input_without_contents() -> None:
    buffers = Buffers(TASK, CPU)
    with pytest.raises(AttributeError, match="no tensor 'z'"):
        buffers.z  # noqa: B018
    with pytest.raises(ValueError, match="input x"):
        Buffers(Problem({"x": empty(3)}, {}, lambda x: x, {}), CPU).draw(1)
