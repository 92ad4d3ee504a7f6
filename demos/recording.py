"""A forward pass written down: every operation, what it read and wrote, and how long it took.

Torch hands each operation, below autograd and with the composite ones taken apart, to whoever
asks.  Here it is run as it is, and noted with its shapes and the identity of its memory.  A
second pass, by the profiler, tells what kernels each operation launched and how long they took,
where they stand in the module.

An operation that writes into its argument is told as its twin that returns a new tensor, if
nobody looks at the old memory by another name afterwards; else nothing is fused across it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile, record_function
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map
from torch.utils.flop_counter import flop_registry

from demos.chains import Extent, Graph, Kind, Op, Value
from demos.device import Machine
from demos.failures import Unsupported
from demos.profiling import exported


def _named(text: str) -> frozenset[str]:
    return frozenset(text.split())


PASSES = 5
MARK = "demos operation "
"""Before an operation's number, in the profiler's record."""
ALONG_ROWS = _named(
    "sum mean amax amin prod var std var_mean std_mean any all logsumexp linalg_vector_norm "
    "_softmax _log_softmax softmax log_softmax native_layer_norm _fused_rms_norm rms_norm "
    "native_group_norm max min argmax argmin native_batch_norm cudnn_batch_norm "
    "_native_batch_norm_legit_no_training"
)
"""Reductions that a compiler writes itself and fuses what is around them into."""
COPIES = _named(
    "_to_copy clone cat stack constant_pad_nd flip roll repeat fill full full_like zeros ones "
    "zeros_like ones_like new_zeros new_ones new_full arange scalar_tensor lift_fresh_copy "
    "contiguous tril triu masked_fill where copy"
)
"""Data moved or made, element by element."""
NOT_WRITTEN = _named("empty empty_like empty_strided new_empty new_empty_strided")
TORCH = str(Path(torch.__file__).parent)
OWN = str(Path(__file__).parent)
EXAMPLE = str(Path(__file__).with_name("fuse_advice.py"))
"""The one file here whose lines are a module's."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Stands for a tensor among an operation's arguments."""

    value: int


@dataclass(frozen=True, slots=True)
class Step:
    """How to do an operation again."""

    function: Any
    """Returns new tensors, also where the operation that ran wrote into its argument."""
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    """With a :class:`Ref` for each tensor."""
    writes: tuple[int | None, ...]
    """A value for each thing that it returns; none for what is no tensor."""


@dataclass(slots=True)
class Recording:
    """One forward pass: its graph, how to do its steps again, and its tensors."""

    graph: Graph
    steps: list[Step]
    tensors: list[torch.Tensor]
    """By value; what was overwritten was kept."""

    def arguments(
        self, step: Step, look: Callable[[int], Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A step's arguments with what ``look`` has for each tensor."""

        def of(one: Any) -> Any:
            return look(one.value) if isinstance(one, Ref) else one

        return tree_map(of, step.args, is_leaf=_is_ref), tree_map(of, step.kwargs, is_leaf=_is_ref)


@dataclass(frozen=True, slots=True)
class Spent:
    """What an operation took in the module."""

    seconds: float = 0.0
    kernels: tuple[str, ...] = ()


def record(call: Callable[[], Any], machine: Machine) -> Recording:
    """Run ``call`` and write down what it does."""
    recorder = Recorder(machine.device)
    with torch.no_grad(), recorder:
        result = call()
    return recorder.finished(result)


@dataclass(frozen=True, slots=True)
class _Ran:
    """An operation that has just run."""

    func: Any
    templates: tuple[tuple[Any, ...], dict[str, Any]]
    """Its arguments, with a :class:`Ref` for each tensor."""
    read: Sequence[torch.Tensor]
    leaves: Sequence[Any]
    """What it returned, one after the other."""
    changed: Sequence[torch.Tensor]
    """Arguments that it wrote into."""

    @property
    def made(self) -> list[torch.Tensor]:
        """The tensors that it returned."""
        return [leaf for leaf in self.leaves if isinstance(leaf, torch.Tensor)]

    @property
    def trains(self) -> bool:
        """Whether it is told to update what it was given, as a batch norm in training does."""
        names = [argument.name for argument in self.func._schema.arguments]
        given = {**dict(zip(names, self.templates[0], strict=False)), **self.templates[1]}
        return given.get("training") is True or given.get("train") is True

    @property
    def looks(self) -> bool:
        """Whether all that it returned is memory that it was given, as it was."""
        held = {_memory(tensor) for tensor in self.read}
        made = self.made
        return bool(made) and not self.changed and all(_memory(one) in held for one in made)


class Recorder(TorchDispatchMode):
    """Notes every operation that torch runs while it is entered."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self._device = device
        self._ops: list[Op] = []
        self._steps: list[Step] = []
        self._tensors: list[torch.Tensor] = []
        self._held: list[torch.Tensor] = []
        """Alive, so that nothing else gets its identity or its memory."""
        self._values: list[Value] = []
        self._numbers: dict[int, int] = {}
        self._by_storage: dict[int, list[int]] = {}
        self._overwritten: dict[int, int] = {}
        """Value → the operation that wrote into its memory by another name."""
        self._barriers: set[int] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation and note it."""
        del types
        kwargs = kwargs or {}
        changed = _changed(func, args, kwargs)
        before = [tensor.clone() for tensor in changed]
        read = _tensors((args, kwargs))
        reads = tuple(dict.fromkeys(map(self._number, read)))
        templates = tree_map(self._ref, (tuple(args), dict(kwargs)))
        result = func(*args, **kwargs)
        ran = _Ran(func, templates, read, tree_flatten(result)[0], changed)
        kind, function = self._kind(ran)
        flops = 0 if kind is Kind.VIEW else _flops(func, args, kwargs, result, ran)
        signature = _signature(func, templates, self._tensors)
        self._look_back(reads)
        for tensor, old in zip(changed, before, strict=True):
            self._overwrite(tensor, old)
        writes = self._made(ran, kind)
        self._steps.append(Step(function, templates[0], templates[1], writes))
        written = tuple(value for value in writes if value is not None)
        fence = kind is Kind.BARRIER and (bool(changed) or not ran.made)
        self._ops.append(Op(str(func), kind, reads, written, flops, fence, _place(), signature))
        return result

    def finished(self, result: Any) -> Recording:
        """What was noted; ``result`` is what the module returned."""
        given = _tensors(result)
        results = frozenset(self._numbers[id(t)] for t in given if id(t) in self._numbers)
        self._look_back(results)
        ops = [
            _as_barrier(op) if number in self._barriers else op
            for number, op in enumerate(self._ops)
        ]
        return Recording(Graph(ops, self._values, results), self._steps, self._tensors)

    def _made(self, ran: _Ran, kind: Kind) -> tuple[int | None, ...]:
        """A value for each tensor that was returned, and new ones for what was written into."""
        roots = {_memory(t): self._values[self._numbers[id(t)]].root for t in ran.read}
        if kind is not Kind.VIEW:
            roots = {}
        number = -1 if _plain_name(ran.func) in NOT_WRITTEN else len(self._ops)
        writes = tuple(
            self._add(leaf, number, roots.get(_memory(leaf)))
            if isinstance(leaf, torch.Tensor)
            else None
            for leaf in ran.leaves
        )
        for tensor in ran.changed:
            if all(tensor is not leaf for leaf in ran.leaves):
                self._add(tensor, number)
        return writes

    def _kind(self, ran: _Ran) -> tuple[Kind, Any]:
        """What it is to a chain, and how to do it again."""
        func = ran.func
        if _plain_name(func) in NOT_WRITTEN or (ran.looks and not _recast(func)):
            return Kind.VIEW, func
        twin = _twin(func) if ran.changed else func
        fusable = (
            twin is not None
            and _fusable(twin)
            and bool(ran.made)
            and torch.Tag.nondeterministic_seeded not in func.tags
            and all(tensor.device == self._device and not _odd(tensor) for tensor in ran.made)
            and not any(self._from_outside(tensor) for tensor in ran.changed)
            and not ran.trains
        )
        return (Kind.FUSABLE, twin) if fusable else (Kind.BARRIER, func)

    def _from_outside(self, tensor: torch.Tensor) -> bool:
        """Whether the module may look at this memory again in its next pass."""
        return self._values[self._values[self._numbers[id(tensor)]].root].op < 0

    def _number(self, tensor: torch.Tensor) -> int:
        found = self._numbers.get(id(tensor))
        return self._add(tensor, -1) if found is None else found

    def _ref(self, one: Any) -> Any:
        return Ref(self._numbers[id(one)]) if isinstance(one, torch.Tensor) else one

    def _add(self, tensor: torch.Tensor, op: int, root: int | None = None) -> int:
        number = len(self._values)
        self._values.append(Value(extent_of(tensor), number if root is None else root, op))
        self._tensors.append(tensor.detach())
        self._held.append(tensor)
        self._numbers[id(tensor)] = number
        self._by_storage.setdefault(_memory(tensor), []).append(number)
        return number

    def _overwrite(self, tensor: torch.Tensor, before: torch.Tensor) -> None:
        """From here on, the same tensor is another value; the old one was ``before``."""
        old = self._numbers[id(tensor)]
        for other in self._by_storage[_memory(tensor)]:
            if other != old:
                self._overwritten.setdefault(other, len(self._ops))
        self._tensors[old] = before

    def _look_back(self, values: Iterable[int]) -> None:
        """Whoever reads what was overwritten by another name makes that a barrier."""
        for value in values:
            if value in self._overwritten:
                self._barriers.add(self._overwritten[value])


class Marked(TorchDispatchMode):
    """Gives every operation its number in the profiler's record."""

    def __init__(self) -> None:
        super().__init__()
        self._next = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation under its number."""
        del types
        number, self._next = self._next, self._next + 1
        with record_function(f"{MARK}{number} {func}"):
            return func(*args, **(kwargs or {}))


def spent(call: Callable[[], Any], recording: Recording, machine: Machine) -> list[Spent]:
    """Time and kernels of each operation where it stands, the median of some passes.

    On a CPU the operations are done again into memory that is already there: asking the system
    for fresh memory would cost more than the operations.
    """
    again = replayed(recording) if machine.kind == "cpu" else lambda: _marked_call(call)
    again()
    activities = [ProfilerActivity.CPU]
    if machine.kind == "cuda":
        torch.cuda.synchronize()
        activities.append(ProfilerActivity.CUDA)
    with torch.no_grad(), profile(activities=activities, acc_events=True) as profiler:
        for _ in range(PASSES):
            again()
        if machine.kind == "cuda":
            torch.cuda.synchronize()
    return from_trace(exported(profiler), recording.graph, machine.kind)


def _marked_call(call: Callable[[], Any]) -> None:
    with torch.no_grad(), Marked():
        call()


def from_trace(events: Sequence[dict[str, Any]], graph: Graph, kind: str) -> list[Spent]:
    """What each operation took, from the profiler's record of some passes.

    On a GPU a kernel belongs to the operation during which the host launched it.
    """
    marks = sorted(
        (float(e["ts"]), float(e["ts"]) + float(e.get("dur", 0)), _marked(e["name"], graph))
        for e in events
        if e.get("cat") == "user_annotation" and str(e.get("name", "")).startswith(MARK)
    )
    passes: list[list[float]] = [[] for _ in graph.ops]
    names: list[dict[str, None]] = [{} for _ in graph.ops]
    if kind == "cpu":
        for start, end, number in marks:
            passes[number].append((end - start) / 1e6)
            names[number] = {graph.ops[number].name.removesuffix(".default"): None}
    else:
        _kernels(events, marks, passes, names)
    return [
        Spent() if op.kind is Kind.VIEW or not times else Spent(median(times), tuple(called))
        for op, times, called in zip(graph.ops, passes, names, strict=True)
    ]


def _marked(name: str, graph: Graph) -> int:
    """The operation of a mark, which must be the one that was recorded under its number."""
    number, _, called = name.removeprefix(MARK).partition(" ")
    if int(number) >= len(graph.ops) or graph.ops[int(number)].name != called:
        raise Unsupported(
            "the module does not do the same in every forward pass",
            "make its operations independent of chance and of earlier passes",
        )
    return int(number)


def _kernels(
    events: Sequence[dict[str, Any]],
    marks: Sequence[tuple[float, float, int]],
    passes: list[list[float]],
    names: list[dict[str, None]],
) -> None:
    """Add up the kernels that were launched inside each mark."""
    launched: dict[Any, float] = {
        e["args"]["correlation"]: float(e["ts"])
        for e in events
        if e.get("cat") in ("cuda_runtime", "cuda_driver") and "correlation" in e.get("args", {})
    }
    kernels = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    if not kernels:
        raise Unsupported("the profiler sees no kernels here", "allow it to use the GPU's counters")
    found = sorted(
        (launched[e["args"]["correlation"]], float(e.get("dur", 0)) / 1e6, str(e["name"]))
        for e in kernels
        if e.get("args", {}).get("correlation") in launched
    )
    at = 0
    for start, end, number in marks:
        while at < len(found) and found[at][0] < start:
            at += 1
        seconds = 0.0
        while at < len(found) and found[at][0] <= end:
            seconds += found[at][1]
            names[number][found[at][2]] = None
            at += 1
        passes[number].append(seconds)


def replayed(recording: Recording) -> Callable[[], None]:
    """All operations once more on the recorded tensors, each into the memory of its result."""
    calls: list[tuple[int, Callable[[], Any]]] = []
    for number, (op, step) in enumerate(zip(recording.graph.ops, recording.steps, strict=True)):
        if op.kind is Kind.VIEW:
            continue
        args, kwargs = recording.arguments(step, lambda value: recording.tensors[value])
        outs = [recording.tensors[value] for value in op.writes]
        calls.append((number, written_into(step, args, kwargs, outs) or _again(step, args, kwargs)))

    def call() -> None:
        with torch.no_grad():
            for number, one in calls:
                with record_function(f"{MARK}{number} {recording.graph.ops[number].name}"):
                    one()

    return call


def _again(step: Step, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[], Any]:
    return lambda: step.function(*args, **kwargs)


def written_into(
    step: Step, args: tuple[Any, ...], kwargs: dict[str, Any], outs: Sequence[torch.Tensor]
) -> Callable[[], Any] | None:
    """The step's call into given memory; none where torch has no such variant of it."""
    variant = out_variant(step.function)
    if variant is None or any(value is None for value in step.writes):
        return None
    names = [a.name for a in variant._schema.arguments if a.is_out]
    if len(names) != len(outs):
        return None
    kept = {k: v for k, v in kwargs.items() if k in {a.name for a in variant._schema.arguments}}
    given = {**kept, **dict(zip(names, outs, strict=True))}
    return lambda: variant(*args, **given)


def out_variant(func: Any) -> Any | None:
    """The overload that does the same into given tensors."""
    packet = getattr(func, "overloadpacket", None)
    if packet is None:
        return None
    dropped = {"dtype", "layout", "device", "pin_memory"}  # the given tensors tell

    def shape(schema: Any, leave: set[str]) -> list[tuple[str, str]]:
        kept = (a for a in schema.arguments if not a.is_out and a.name not in leave)
        return [(a.name, str(a.type)) for a in kept]

    for name in packet.overloads():
        other = getattr(packet, name)
        if not any(a.is_out for a in other._schema.arguments):
            continue
        known = {a.name for a in other._schema.arguments}
        if shape(func._schema, dropped - known) == shape(other._schema, set()):
            return other
    return None


def extent_of(tensor: torch.Tensor) -> Extent:
    """The memory that a tensor covers, whatever its axes are called."""
    sides = axes_in_memory(tensor)
    merged: list[list[int]] = []
    for stride, length in sides:
        if merged and merged[-1][0] == stride * length:
            merged[-1] = [stride, merged[-1][1] * length]
        else:
            merged.append([stride, length])
    key = (tensor.storage_offset(), tensor.dtype.itemsize, *(n for pair in merged for n in pair))
    count = 0 if tensor.numel() == 0 else math.prod(length for _, length in sides)
    return Extent(_memory(tensor), key, count * tensor.dtype.itemsize)


def axes_in_memory(tensor: torch.Tensor) -> list[tuple[int, int]]:
    """Stride and length of each axis that takes room, the outermost first."""
    both = zip(tensor.stride(), tensor.shape, strict=True)
    return sorted(((s, n) for s, n in both if s and n > 1), reverse=True)


def _memory(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _is_ref(one: Any) -> bool:
    return isinstance(one, Ref)


def _changed(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """The arguments that an operation writes into."""
    found: list[torch.Tensor] = []
    for place, argument in enumerate(func._schema.arguments):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        given = args[place] if place < len(args) else kwargs.get(argument.name)
        found += _tensors(given)
    return found


def _tensors(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def _twin(func: Any) -> Any | None:
    """The operation that returns what ``func`` writes into its first argument."""
    name = _plain_name(func)
    arguments = func._schema.arguments
    writes = [a for a in arguments if a.alias_info is not None and a.alias_info.is_write]
    if not name.endswith("_") or name == "copy_" or writes != arguments[:1]:
        return None
    packet = getattr(torch.ops.aten, name[:-1], None)
    return getattr(packet, func._overloadname, None) if packet is not None else None


def _plain_name(func: Any) -> str:
    """``add_`` of ``aten::add_``."""
    return str(func._schema.name.partition("::")[2])


def _fusable(func: Any) -> bool:
    name = _plain_name(func)
    return torch.Tag.pointwise in func.tags or name in ALONG_ROWS or name in COPIES


def _recast(func: Any) -> bool:
    """Whether a view has other elements than what it looks at."""
    return str(func) in (
        "aten.view.dtype",
        "aten.view_as_real.default",
        "aten.view_as_complex.default",
    )


def _odd(tensor: torch.Tensor) -> bool:
    """Tensors that the chains are not built for."""
    return tensor.dtype.is_complex or tensor.is_quantized or tensor.layout != torch.strided


def _flops(func: Any, args: Any, kwargs: Any, result: Any, ran: _Ran) -> int:
    """Of a product as torch counts them; one an element of the greatest tensor otherwise."""
    counter = flop_registry.get(getattr(func, "overloadpacket", None))
    if counter is not None:
        return int(counter(*args, **kwargs, out_val=result))
    return max((tensor.numel() for tensor in (*ran.read, *ran.made)), default=0)


def _signature(func: Any, templates: tuple[Any, Any], tensors: Sequence[torch.Tensor]) -> str:
    def told(one: Any) -> Any:
        if not isinstance(one, Ref):
            return repr(one)
        tensor = tensors[one.value]
        return f"{tensor.dtype}{tuple(tensor.shape)}{tensor.stride()}"

    return f"{func} {tree_map(told, templates, is_leaf=_is_ref)}"


def _as_barrier(op: Op) -> Op:
    return replace(op, kind=Kind.BARRIER, fence=True)


def _place() -> str:
    """The line outside torch that called for the operation."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file == EXAMPLE or not file.startswith((OWN, TORCH, "<")):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
