"""The whole model: its law, its counts, its parts in the interpreter, its story."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from demos import end_to_end as model
from demos.bootstrap import Estimate
from demos.problem import Buffers

INTERPRETED = """
import json, torch
from demos import end_to_end as m, gate
from demos.problem import Buffers
m.ITEMS = 50
for batch, history in ((1, 1), (5, 50), (3, 33)):
    b = Buffers(m.problem(batch, history), torch.device("cpu"))
    b.draw(history)
    found, errors = [], []
    for variant in (m.SIX, m.ONE):
        findings = gate.Findings()
        (y,) = gate.once(b, variant.bind(b), float("nan"), findings)
        assert not findings.faults, findings.faults
        found.append(y.clone())
        errors.append(gate.error_of(b, [y]).relative)
    b.poison(float("nan"))
    m.ONE_ALONE.bind(b)()
    print(json.dumps([torch.equal(*found), max(errors), bool(b.found.isfinite().all())]))
"""


def test_values_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 3
    for same, error, filled in rows:
        assert same
        assert error < 2e-6
        assert filled


def test_amdahls_law() -> None:
    """The figures of the source: 996.5 µs become 279.8, and a third of the time is saved."""
    speedup = 996.5 / 279.8
    assert 1 - model.remaining(0.464, speedup) == pytest.approx(0.334, abs=0.001)
    assert model.remaining(1.0, 4.0) == 0.25
    assert model.remaining(0.5, 1e12) == pytest.approx(0.5)
    assert model.remaining(0.5, 1.0) == 1


def test_the_parts_make_the_prediction() -> None:
    parts = model.Parts(six=4.0, one=1.0, forward=10.0)
    assert (parts.share, parts.speedup) == (0.4, 4.0)
    assert parts.remaining == pytest.approx((10 - 4 + 1) / 10)


def test_what_is_saved_has_its_interval_the_other_way_round() -> None:
    found = model.saved(Estimate(0.7, 0.6, 0.9))
    assert (found.value, found.low, found.high) == pytest.approx((0.3, 0.1, 0.4))


def test_flops_follow_the_tensors() -> None:
    batch, history = 5, 7
    task = model.problem(batch, history)
    shapes = {name: spec.shape for name, spec in task.inputs.items()}
    layers = sum(2 * batch * shapes[f"layer{n}"][0] * shapes[f"layer{n}"][1] for n in (1, 2, 3))
    projections = sum(
        2 * batch * history * shapes[name][0] * shapes[name][1] for name in ("to_keys", "to_values")
    )
    own = model.attention.flops(batch, history, model.WIDTH, 2)
    assert model.flops(**task.size) == layers + projections + own


def test_the_parts_around_the_attention_are_those_of_the_definition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model, "ITEMS", 50)
    b = Buffers(model.problem(9, 12), torch.device("cpu"))
    b.draw(1)
    model.before(b)()
    b.found.copy_(model.attention.attended(b.q, b.k, b.v, b.lengths))
    model.after(b)()
    torch.testing.assert_close(b.y, model.forward(**b.inputs))
    assert b.y.std() > 0.1


def test_the_inputs_are_in_the_order_of_the_definition() -> None:
    """The compiler is given them by place."""
    names = model.forward.__code__.co_varnames[: model.forward.__code__.co_argcount]
    assert tuple(model.problem(1, 1).inputs) == names


def test_the_whole_story_rehearsed_without_a_gpu(rehearsed: Any) -> None:
    rehearsed(
        "end_to_end",
        {"batch": 2, "history": 16},
        {
            "ITEMS": 40,
            "HISTORIES": [8],
            "ODD": [2, 5],
            "SMALL": 2,
            "SECONDS": 0.001,
            "TRIES": 1,
        },
        perhaps={"share_by_profiler"},
    )
