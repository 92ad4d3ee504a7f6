"""A recorded chain as a problem with two variants: its operations one by one, and compiled.

Each input has memory of its own, as dense as its elements allow, with its axes in the order of
the recorded one, and holds the recorded numbers, each scaled by a random factor, so that no
answer can be kept from before.  One by one, every operation writes into memory that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, GraphModule

from demos.chains import Chain, Extent, Kind
from demos.compiling import Compiled
from demos.problem import Buffers, Call, Problem, Spec, Variant
from demos.recording import Recording, written_into

LEAST, MOST = 0.75, 1.0
"""Of the factors: nothing leaves the domain of a function that its recorded value was in."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a tensor lies in a piece of memory without holes."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    count: int
    """Elements of memory."""

    def of(self, memory: torch.Tensor) -> torch.Tensor:
        """The tensor in that memory."""
        return memory.view(-1).as_strided(self.shape, self.stride)


class Region:
    """A chain, taken out of its module."""

    def __init__(self, recording: Recording, chain: Chain, device: torch.device) -> None:
        self.recording, self.chain, self._device = recording, chain, device
        tensors, values = recording.tensors, recording.graph.values
        self._layouts = {value: dense(tensors[value]) for value in chain.inputs}
        self._names: dict[Extent, str] = {}
        self._holders: dict[int, str] = {}
        """Input → the buffer it looks at; two views of the same elements share one."""
        for value in chain.inputs:
            extent = values[value].extent
            name = self._names.setdefault(extent, f"in{len(self._names)}")
            self._holders[value] = name
        self._orders = {value: _order(tensors[value]) for value in chain.outputs}
        self.module = self._built(recording)
        self.wide = self._built(recording, wide=True)

    @property
    def finite(self) -> bool:
        """Whether what it gave in the module can be compared at all."""
        given = (self.recording.tensors[value] for value in self.chain.outputs)
        return all(bool(torch.isfinite(tensor).all()) for tensor in given)

    def problem(self, size: Mapping[str, Any]) -> Problem:
        """What both variants compute; ``size`` is what their counts are called with."""
        first = {name: value for value, name in reversed(self._holders.items())}
        return Problem(
            inputs={name: self._input(value) for name, value in sorted(first.items())},
            outputs={f"out{i}": self._output(v) for i, v in enumerate(self.chain.outputs)},
            reference=self._reference,
            size=dict(size),
        )

    def one_by_one(self, name: str, moved: int) -> Variant:
        """Every operation of it, as in the module."""
        return Variant(
            name,
            "Its operations one by one",
            self._bind,
            bytes=lambda **_: moved,
            baseline=True,
        )

    def compiled(self, name: str) -> Variant:
        """What torch.compile makes of it."""
        into = self._device.type == "cpu"
        module = self._built(self.recording, into=into)
        module.__name__ = name
        function = Compiled(module)

        def bind(b: Buffers) -> Call:
            outs = self._outs(b) if into else []
            call = function.bind(*self._views(b.inputs), *outs)
            return _without_result(call) if into else call

        moved = self.chain.bytes
        return Variant(name, "Compiled", bind, bytes=lambda **_: moved, kernels=(function,))

    def _bind(self, b: Buffers) -> Call:
        """Into memory that is there, where torch can; what looks at it is made beforehand."""
        graph, env = self.recording.graph, self._env(b)
        outs = dict(zip(self.chain.outputs, self._outs(b), strict=True))
        calls: list[Call] = []
        for number in self.chain.ops:
            op, step = graph.ops[number], self.recording.steps[number]
            args, kwargs = self.recording.arguments(step, env.__getitem__)
            if op.kind is Kind.VIEW:
                given = step.function(*args, **kwargs)
                _keep(env, step.writes, given)
                continue
            room = [outs[v] if v in outs else self._room(v) for v in op.writes]
            call = written_into(step, args, kwargs, room)
            if call is None:  # then as the module does it, all of it
                views = self._views(b.inputs)
                return lambda: self.module(*views)
            calls.append(call)
            env.update(zip(op.writes, room, strict=True))

        def run() -> None:
            for call in calls:
                call()

        return run

    def _env(self, b: Buffers) -> dict[int, torch.Tensor]:
        return dict(zip(self.chain.inputs, self._views(b.inputs), strict=True))

    def _views(self, memory: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
        """The inputs as they were recorded."""
        return [self._layouts[v].of(memory[self._holders[v]]) for v in self.chain.inputs]

    def _outs(self, b: Buffers) -> list[torch.Tensor]:
        """The outputs' buffers, with their axes as recorded."""
        return [
            tensor.permute(_inverse(self._orders[value]))
            for value, tensor in zip(self.chain.outputs, b.outputs.values(), strict=True)
        ]

    def _room(self, value: int) -> torch.Tensor:
        """Memory for an intermediate, laid out as the recorded one."""
        like = self.recording.tensors[value]
        layout = dense(like)
        memory = torch.empty(layout.count, dtype=like.dtype, device=self._device)
        return layout.of(memory)

    def _input(self, value: int) -> Spec:
        recorded = self.recording.tensors[value]
        count = self._layouts[value].count

        def fill(tensor: torch.Tensor, generator: torch.Generator) -> None:
            tensor.copy_(_in_memory_order(recorded))
            if tensor.dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
                factor = torch.empty_like(tensor).uniform_(LEAST, MOST, generator=generator)
                tensor.mul_(factor)

        return Spec((count,), recorded.dtype, fill)

    def _output(self, value: int) -> Spec:
        recorded = self.recording.tensors[value]
        shape = tuple(recorded.shape[axis] for axis in self._orders[value])
        return Spec(shape, recorded.dtype)

    def _reference(self, **inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The operations one by one in float64; in their own types where torch refuses that."""
        try:
            given: tuple[torch.Tensor, ...] = self.wide(*self._views(inputs))
        except (RuntimeError, TypeError):
            own = {
                name: tensor.to(self.recording.tensors[value].dtype)
                for value, name in self._holders.items()
                for tensor in (inputs[name],)
            }
            given = self.module(*self._views(own))
        return tuple(
            tensor.permute(self._orders[value])
            for value, tensor in zip(self.chain.outputs, given, strict=True)
        )

    def _built(self, recording: Recording, wide: bool = False, into: bool = False) -> GraphModule:
        """The chain as a function of its inputs, and of its outputs' memory if ``into``."""
        graph = Graph()
        env: dict[int, Any] = {v: graph.placeholder(f"in_{v}") for v in self.chain.inputs}
        rooms = [graph.placeholder(f"out_{v}") for v in self.chain.outputs] if into else []
        for number in self.chain.ops:
            step = recording.steps[number]
            args, kwargs = recording.arguments(step, env.__getitem__)
            if wide:
                args, kwargs = _widened(step.function, args, kwargs)
            node = graph.call_function(step.function, args, kwargs)
            if len(step.writes) == 1 and not _gives_a_list(step.function):
                env[_only(step.writes)] = node
                continue
            for place, value in enumerate(step.writes):
                if value is not None:
                    env[value] = graph.call_function(_item, (node, place))
        found = [env[value] for value in self.chain.outputs]
        if into:
            found = [
                graph.call_function(torch.ops.aten.copy_.default, (room, one))
                for room, one in zip(rooms, found, strict=True)
            ]
        elif not wide:
            found = [
                self._ordered(graph, v, one)
                for v, one in zip(self.chain.outputs, found, strict=True)
            ]
        graph.output(tuple(found))
        return GraphModule(torch.nn.Module(), graph)

    def _ordered(self, graph: Graph, value: int, node: Any) -> Any:
        order = self._orders[value]
        if order == list(range(len(order))):
            return node
        return graph.call_function(torch.ops.aten.permute.default, (node, order))


def dense(tensor: torch.Tensor) -> Layout:
    """The same axes in the same order in memory, without the holes between them."""
    strides = [0] * tensor.dim()
    count = 1
    order = sorted(range(tensor.dim()), key=lambda axis: (tensor.stride(axis), -axis))
    for axis in order:
        if tensor.stride(axis) and tensor.shape[axis] != 1:
            strides[axis] = count
            count *= tensor.shape[axis]
        elif tensor.shape[axis] == 1:
            strides[axis] = max(1, count)
    return Layout(tuple(tensor.shape), tuple(strides), count)


def _in_memory_order(tensor: torch.Tensor) -> torch.Tensor:
    """Its elements in one row, each that takes room once."""
    for axis in range(tensor.dim()):
        if tensor.stride(axis) == 0 and tensor.shape[axis] > 1:
            tensor = tensor.narrow(axis, 0, 1)
    return tensor.permute(_order(tensor)).reshape(-1)


def _order(tensor: torch.Tensor) -> list[int]:
    """The axes as they lie in memory, the outermost first."""
    return sorted(range(tensor.dim()), key=lambda axis: (-tensor.stride(axis), axis))


def _inverse(order: Sequence[int]) -> list[int]:
    return sorted(range(len(order)), key=order.__getitem__)


def _keep(env: dict[int, Any], writes: Sequence[int | None], given: Any) -> None:
    made = list(given) if isinstance(given, tuple | list) else [given]
    env.update((v, one) for v, one in zip(writes, made, strict=True) if v is not None)


def _item(given: Any, place: int) -> Any:
    return given[place]


def _only(writes: Sequence[int | None]) -> int:
    value = writes[0]
    assert value is not None
    return value


def _gives_a_list(function: Any) -> bool:
    returns = function._schema.returns
    return len(returns) > 1 or "[]" in str(returns[0].type) or "List" in str(returns[0].type)


def _widened(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments for float64: every type asked for becomes it."""
    names = [argument.name for argument in function._schema.arguments]

    def wide(name: str, one: Any) -> Any:
        if name == "half_to_float":
            return False
        if isinstance(one, torch.dtype) and one.is_floating_point:
            return torch.float64
        return one

    return (
        tuple(wide(name, one) for name, one in zip(names, args, strict=False)),
        {name: wide(name, one) for name, one in kwargs.items()},
    )


def _without_result(call: Callable[[], Any]) -> Call:
    def run() -> None:
        call()

    return run
