"""A forward pass written down: kinds, memory, what is written in place, times by the profiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from demos import chains, recording
from demos.chains import Kind
from demos.failures import Unsupported

RIDGE = 1e9


def kinds(made: recording.Recording) -> list[tuple[str, Kind]]:
    return [(op.name.split(".")[1], op.kind) for op in made.graph.ops]


def recorded(machine: Any, call: Callable[[], Any]) -> recording.Recording:
    return recording.record(call, machine)


def test_products_stay_and_views_cost_nothing(machine: Any) -> None:
    x, w = torch.randn(6, 8), torch.randn(8, 4)
    made = recorded(machine, lambda: F.silu((x @ w).view(2, 3, 4).transpose(0, 1)) * 2)
    assert kinds(made) == [
        ("mm", Kind.BARRIER),
        ("view", Kind.VIEW),
        ("transpose", Kind.VIEW),
        ("silu", Kind.FUSABLE),
        ("mul", Kind.FUSABLE),
    ]
    assert made.graph.ops[0].flops == 2 * 6 * 8 * 4
    (chain,) = chains.find_chains(made.graph, RIDGE)
    assert (chain.bytes_in, chain.bytes_out) == (4 * 24, 4 * 24)
    assert made.graph.ops[3].place.startswith(__file__)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.rand_like(x),
        lambda x: F.embedding(x[0].abs().long() % 3, x),
        lambda x: torch.sort(x)[0],
        lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None]),
        lambda x: x[x > 0],
        lambda x: F.dropout(x, 0.5, True),
        lambda x: torch.complex(x, x),
    ],
)
def test_what_no_chain_may_hold(machine: Any, call: Callable[[torch.Tensor], Any]) -> None:
    x = torch.randn(8, 8)
    made = recorded(machine, lambda: call(x))
    assert Kind.BARRIER in {op.kind for op in made.graph.ops}


def test_the_same_elements_are_one_extent() -> None:
    x = torch.randn(4, 6, 8)
    same = [x, x.view(24, 8), x.transpose(0, 1), x[None], x.view(-1), x.permute(2, 0, 1)]
    assert len({recording.extent_of(one) for one in same}) == 1
    left, right = x.chunk(2, -1)
    assert recording.extent_of(left) != recording.extent_of(right)
    assert recording.extent_of(left).bytes == 4 * 4 * 6 * 4
    assert recording.extent_of(x[0].expand(9, 6, 8)).bytes == 4 * 6 * 8
    assert recording.extent_of(x[:0]).bytes == 0


def test_a_batch_norm_in_use_is_fusable_and_one_in_training_is_not(machine: Any) -> None:
    norm, x = torch.nn.BatchNorm2d(3), torch.randn(2, 3, 4, 4)
    for kind in (Kind.FUSABLE, Kind.BARRIER):
        norm.train(kind is Kind.BARRIER)
        made = recorded(machine, lambda: F.relu(norm(x)))
        assert [op.kind for op in made.graph.ops if "batch_norm" in op.name] == [kind]


def test_in_place_becomes_its_twin(machine: Any) -> None:
    x = torch.randn(5, 5)

    def call() -> torch.Tensor:
        y = x * 2
        y.add_(x)
        return F.relu(y, inplace=True)

    made = recorded(machine, call)
    assert [str(step.function) for step in made.steps] == [
        "aten.mul.Tensor",
        "aten.add.Tensor",
        "aten.relu.default",
    ]
    (chain,) = chains.find_chains(made.graph, RIDGE)
    assert (chain.bytes_in, chain.bytes_out) == (100, 100)
    product, total = made.tensors[made.graph.ops[0].writes[0]], x * 2 + x
    assert torch.equal(product, x * 2), "what was overwritten is kept"
    assert torch.equal(made.tensors[made.graph.ops[2].writes[0]], total.relu())


def test_in_place_under_another_name_is_a_fence(machine: Any) -> None:
    x = torch.randn(5, 5)

    def call() -> torch.Tensor:
        y = x * 2
        y[0].zero_()
        return (y + 1) * 3

    made = recorded(machine, call)
    zero = next(op for op in made.graph.ops if op.name.startswith("aten.zero_"))
    assert (zero.kind, zero.fence) == (Kind.BARRIER, True)
    (chain,) = chains.find_chains(made.graph, RIDGE)
    assert [made.graph.ops[n].name for n in chain.kernels] == ["aten.add.Tensor", "aten.mul.Tensor"]


def test_memory_from_outside_that_is_written_into_is_a_fence(machine: Any) -> None:
    """The next pass may look at it."""
    count, x = torch.zeros(5), torch.randn(5)
    made = recorded(machine, lambda: (x + 1) * count.add_(1))
    assert [op.fence for op in made.graph.ops] == [False, True, False]
    assert chains.find_chains(made.graph, RIDGE) == []


def test_memory_not_written_by_any_operation_is_an_input(machine: Any) -> None:
    """Somebody torch does not see, a kernel of one's own, writes into it."""
    x = torch.randn(5)

    def call() -> torch.Tensor:
        room = torch.empty(5)
        return (room + x) * 2

    made = recorded(machine, call)
    (chain,) = chains.find_chains(made.graph, RIDGE)
    assert [made.graph.ops[n].name for n in chain.ops] == ["aten.add.Tensor", "aten.mul.Tensor"]
    assert (chain.bytes_in, chain.bytes_out) == (40, 20)


def test_a_number_for_the_host_is_a_fence(machine: Any) -> None:
    x = torch.randn(5)
    made = recorded(machine, lambda: (x + 1) * float(x.sum()))
    assert [op.fence for op in made.graph.ops if "scalar_dense" in op.name] == [True]
    assert chains.find_chains(made.graph, RIDGE) == []


def test_parameters_are_inputs_and_results_are_outputs(machine: Any) -> None:
    norm, x = torch.nn.LayerNorm(8), torch.randn(3, 8)

    def call() -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        y = norm(x)
        return y, {"z": y + x}

    made = recorded(machine, call)
    (chain,) = chains.find_chains(made.graph, RIDGE)
    assert chain.bytes_in == 4 * (24 + 8 + 8)
    assert chain.bytes_out == 4 * (24 + 24), "mean and deviation are nobody's"


def test_out_variants_do_the_same() -> None:
    x = torch.randn(4, 6)
    aten = torch.ops.aten
    for function, args in (
        (aten.mul.Tensor, (x, x)),
        (aten._softmax.default, (x, -1, False)),
        (aten.mean.dim, (x, [-1], True)),
        (aten.cat.default, ([x, x], 0)),
        (aten._to_copy.default, (x,)),
    ):
        want = function(*args)
        out = torch.full_like(want, float("nan"))
        step = recording.Step(function, args, {}, (0,))
        call = recording.written_into(step, args, {}, [out])
        assert call is not None
        call()
        assert torch.equal(out, want)
    half = recording.Step(aten._to_copy.default, (x,), {"dtype": torch.bfloat16}, (0,))
    out = torch.empty(4, 6, dtype=torch.bfloat16)
    call = recording.written_into(half, (x,), {"dtype": torch.bfloat16}, [out])
    assert call is not None
    call()
    assert torch.equal(out, x.bfloat16())
    assert recording.out_variant(aten.view.default) is None


def test_every_operation_is_timed_in_a_pass(machine: Any) -> None:
    x = torch.randn(64, 64)

    def call() -> torch.Tensor:
        return F.silu((x @ x).view(-1)) * 2

    made = recorded(machine, call)
    found = recording.spent(call, made, machine)
    assert [one.seconds > 0 for one in found] == [True, False, True, True]
    assert [one.kernels for one in found] == [
        ("aten.mm",),
        (),
        ("aten.silu",),
        ("aten.mul.Tensor",),
    ]


NAMES = ("aten.add.Tensor", "aten.mul.Tensor", "aten.sum.default")


def events_of(*launches: tuple[int, float, str], passes: int = 2) -> list[dict[str, Any]]:
    """What the profiler writes of operations 0, 1, 2 and of kernels launched in some of them."""
    found: list[dict[str, Any]] = []
    for number in range(passes):
        for op in range(3):
            name = f"{recording.MARK}{op} {NAMES[op]}"
            start = 1000.0 * number + 100 * op
            found.append({"cat": "user_annotation", "name": name, "ts": start, "dur": 50})
        for place, (op, micros, name) in enumerate(launches):
            link = {"correlation": 100 * number + place}
            start = 1000.0 * number + 100 * op + 10 + place
            found.append({"cat": "cuda_runtime", "name": "launch", "ts": start, "args": link})
            late = {"ts": start + 5000, "dur": micros * (1 + number), "args": link}
            found.append({"cat": "kernel", "name": name, **late})
    return found


def test_a_kernel_belongs_to_the_operation_that_launched_it(machine: Any) -> None:
    x = torch.randn(4)
    made = recorded(machine, lambda: ((x + 1).view(2, 2) * 2).sum())
    ops = [made.graph.ops[0], *made.graph.ops[2:]]
    graph = chains.Graph(ops, made.graph.values)
    events = events_of((0, 10, "add"), (2, 4, "part one"), (2, 8, "part two"))
    found = recording.from_trace(events, graph, "cuda")
    assert [one.seconds for one in found] == pytest.approx([15e-6, 0, 18e-6])
    assert [one.kernels for one in found] == [("add",), (), ("part one", "part two")]
    with pytest.raises(Unsupported, match="no kernels"):
        recording.from_trace(events_of(), graph, "cuda")
    other = chains.Graph(ops[::-1], made.graph.values)
    with pytest.raises(Unsupported, match="not do the same in every"):
        recording.from_trace(events, other, "cuda")


def test_the_marks_number_operations_as_the_recording_does(machine: Any) -> None:
    x = torch.randn(4, 4)

    def call() -> torch.Tensor:
        return F.relu(x @ x, inplace=True).sum(0)

    made = recorded(machine, call)
    with torch.no_grad(), recording.Marked() as marked:
        call()
    assert marked._next == len(made.graph.ops)
