"""What a demo's variants all compute, and the memory they compute it in.

A :class:`Problem` says which tensors there are, how to draw fresh inputs, and what the right
answer is.  A :class:`Variant` is one way of computing it: given one set of buffers it returns
a call without arguments, so that whatever it has to set up is never timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

Fill = Callable[[torch.Tensor, torch.Generator], object]
"""Writes fresh contents into a tensor, in place."""

Call = Callable[[], Any]
"""One call of a variant: writes the outputs' buffers, or returns new tensors in their order."""

GUARD = 1024
"""Elements of poison before and after every output; keeps it aligned to 1024 bytes."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A tensor to allocate; made by :func:`normal`, :func:`integers`, :func:`empty`, ..."""

    shape: tuple[int, ...]
    dtype: torch.dtype = torch.float32
    fill: Fill | None = None
    """How to draw its contents; outputs and scratch have none."""

    @property
    def bytes(self) -> int:
        """Size in memory."""
        return math.prod(self.shape) * self.dtype.itemsize


def normal(*shape: int, dtype: torch.dtype = torch.float32, std: float = 1.0) -> Spec:
    """Normally distributed around 0."""
    return Spec(shape, dtype, lambda t, g: t.normal_(0.0, std, generator=g))


def uniform(
    *shape: int, low: float = 0.0, high: float = 1.0, dtype: torch.dtype = torch.float32
) -> Spec:
    """Evenly distributed in [low, high)."""
    return Spec(shape, dtype, lambda t, g: t.uniform_(low, high, generator=g))


def integers(*shape: int, low: int, high: int, dtype: torch.dtype = torch.int32) -> Spec:
    """Whole numbers in [low, high)."""
    return Spec(shape, dtype, lambda t, g: t.random_(low, high, generator=g))


def filled(*shape: int, value: float, dtype: torch.dtype = torch.float32) -> Spec:
    """One value everywhere: for controls only, zeros are faster than real data."""
    return Spec(shape, dtype, lambda t, _: t.fill_(value))


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> Spec:
    """Memory to be written: an output, or scratch for intermediates."""
    return Spec(shape, dtype)


@dataclass(frozen=True, slots=True)
class Problem:
    """One computation at one size."""

    inputs: Mapping[str, Spec]
    outputs: Mapping[str, Spec]
    reference: Callable[..., Any]
    """The right answer in plain torch.  It is called with the inputs as keywords, floating
    ones in float64, and returns one tensor, or a tuple in the order of ``outputs``."""
    size: Mapping[str, Any]
    """Its size by name, e.g. ``{"elements": n}``: what bytes and FLOPs are functions of."""
    scratch: Mapping[str, Spec] = field(default_factory=dict)
    """Room for intermediates; every variant may use it."""
    sliced: tuple[str, ...] = ()
    """Inputs that may be cut along their first axis, together with every output, so that a
    big float64 reference is computed in pieces.  Empty: all at once."""
    tolerance: float | None = None
    """Greatest relative error allowed whatever the yardstick's; default by type of output."""

    @property
    def footprint(self) -> int:
        """Bytes of one set of buffers."""
        specs = (*self.inputs.values(), *self.outputs.values(), *self.scratch.values())
        return sum(spec.bytes for spec in specs)

    @property
    def compulsory_bytes(self) -> int:
        """Fewest bytes through memory: inputs read once, outputs written once."""
        return sum(spec.bytes for spec in (*self.inputs.values(), *self.outputs.values()))


class Buffers:
    """One set of a problem's tensors, by name: ``b.x``, ``b.y``."""

    def __init__(self, problem: Problem, device: torch.device) -> None:
        self.problem = problem
        self.device = device
        self.inputs = {k: _plain(s, device) for k, s in problem.inputs.items()}
        self.scratch = {k: _plain(s, device) for k, s in problem.scratch.items()}
        self._arenas = {k: _arena(s, device) for k, s in problem.outputs.items()}
        self.outputs = {
            k: self._arenas[k][GUARD:-GUARD].view(s.shape) for k, s in problem.outputs.items()
        }

    def __getattr__(self, name: str) -> torch.Tensor:
        for group in ("inputs", "outputs", "scratch"):
            tensors = self.__dict__.get(group, {})
            if name in tensors:
                return tensors[name]
        raise AttributeError(f"the problem has no tensor {name!r}")

    def draw(self, seed: int) -> None:
        """Write fresh inputs into the same addresses."""
        generator = torch.Generator(self.device)
        for number, (name, spec) in enumerate(self.problem.inputs.items()):
            if spec.fill is None:
                raise ValueError(f"input {name} says not how to draw it")
            generator.manual_seed(seed * 1000 + number)
            spec.fill(self.inputs[name], generator)

    def poison(self, value: float) -> None:
        """Fill the outputs, the guards around them and the scratch with ``value``."""
        for tensor in (*self._arenas.values(), *self.scratch.values()):
            tensor.fill_(poison_for(tensor, value))

    def guards(self) -> Iterator[torch.Tensor]:
        """The bands before and after each output."""
        for arena in self._arenas.values():
            yield arena[:GUARD]
            yield arena[-GUARD:]


def poison_for(tensor: torch.Tensor, value: float) -> float | int:
    """``value`` as ``tensor`` can hold it: whole numbers know no NaN."""
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        return value
    if tensor.dtype == torch.bool:
        return True
    return 99 if value == value else -99 if tensor.dtype.is_signed else 77


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of computing a problem, as a practitioner would write it."""

    name: str
    """Short, unique in the demo, e.g. ``three kernels``."""
    title: str
    bind: Callable[[Buffers], Call]
    """Sets up for one set of buffers and returns the call that is timed."""
    bytes: Callable[..., int] | None = None
    """Counted bytes through memory in one call, a function of the problem's size."""
    flops: Callable[..., int] | None = None
    """Counted floating-point operations in one call, likewise."""
    baseline: bool = False
    """The strongest way without what the demo is about."""
    unchecked: bool = False
    """Not meant to be right: a negative control, or a ceiling such as a plain copy."""
    kernels: tuple[Any, ...] = ()
    """Its Triton functions or CUDA C++ kernels, so that their spills can be told."""

    def counted_bytes(self, problem: Problem) -> int:
        """Bytes in one call at the problem's size; 0 if not counted."""
        return self.bytes(**problem.size) if self.bytes else 0

    def counted_flops(self, problem: Problem) -> int:
        """Floating-point operations in one call at the problem's size; 0 if not counted."""
        return self.flops(**problem.size) if self.flops else 0


def _plain(spec: Spec, device: torch.device) -> torch.Tensor:
    return torch.empty(spec.shape, dtype=spec.dtype, device=device)


def _arena(spec: Spec, device: torch.device) -> torch.Tensor:
    return torch.empty(math.prod(spec.shape) + 2 * GUARD, dtype=spec.dtype, device=device)
