"""The correctness gate: no time is reported for an answer that is wrong.

Benchmarks of generated kernels have been fooled by outputs never written, cached by shape or
by address, accumulated into, computed in half precision, on another stream or not at all.
The gate is built so that each of these shows (``cheats.py`` holds one of each):

* outputs are poisoned before each call, with NaN and again with a finite number, and
  surrounded by guard bands;
* fresh inputs are written into the *same* addresses, and must be unchanged afterwards;
* an output is exactly a ``torch.Tensor`` of the right shape and type, that shares no memory
  with an input or with the output of an earlier call;
* it is compared with a float64 reference; what error is allowed is derived from the error
  of the yardstick (the variant without what the demo is about), not chosen;
* the functions that tell the time are still the ones they were;
* only work that is done, or that the current stream waits for, counts: the output is copied on
  the current stream with no other synchronisation, must be right then, and must be the same
  once it has been inspected; a call starts no thread.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from demos.clocks import restore_timers, timers_intact
from demos.problem import Buffers, Call, Problem, poison_for

POISONS = (float("nan"), 123.25)
SLICE = {"cuda": 1 << 24, "cpu": 1 << 18}
"""Elements of a float64 reference computed at once; on a CPU, so few that they stay in its cache
and their memory is used again instead of being asked of the system anew."""

CAPS = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.float16: 5e-3,
    torch.bfloat16: 4e-2,
}
"""Greatest relative error, whatever the yardstick's: float32 below TF32's 3e-4."""


@dataclass(frozen=True, slots=True)
class Error:
    """How far an output is from the float64 reference."""

    relative: float
    """‖output - reference‖ / ‖reference‖."""
    largest: float
    """Greatest |output - reference|, over the greatest |reference|."""


NONE = Error(0.0, 0.0)


@dataclass(slots=True)
class Findings:
    """What the gate saw of one variant."""

    error: Error = NONE
    """The worst over all trials."""
    faults: list[str] = field(default_factory=list)
    """What is wrong, in words; empty when nothing is."""

    def fault(self, text: str) -> None:
        """Note a fault once."""
        if text not in self.faults:
            self.faults.append(text)

    def saw(self, error: Error) -> None:
        """Keep the worst error; NaN is worse than anything."""
        self.error = Error(
            _worse(self.error.relative, error.relative), _worse(self.error.largest, error.largest)
        )


def trial(buffers: Buffers, call: Call, findings: Findings, seeds: Sequence[int] = (1, 2)) -> None:
    """Call once for each seed and poison, and note everything that is wrong."""
    previous: list[torch.Tensor] = []
    for seed in seeds:
        buffers.draw(seed)
        inspected: list[torch.Tensor] = []
        for poison in POISONS:
            outputs = once(buffers, call, poison, findings)
            _same_memory(outputs, previous, "an earlier output", findings)
            previous = [tensor for tensor in outputs if not _is_buffer(tensor, buffers)]
            if not _same_bits(outputs, inspected):  # a big reference takes long, compute it once
                inspected = [tensor.clone() for tensor in outputs]
                inspect_outputs(buffers, inspected, findings)
                if not _same_bits(outputs, inspected):
                    findings.fault("wrote its output after its call had returned")


def once(
    buffers: Buffers, call: Call, poison: float, findings: Findings
) -> tuple[torch.Tensor, ...]:
    """One call on poisoned outputs: what it gave; notes changed inputs and broken guards."""
    kept = {name: tensor.clone() for name, tensor in buffers.inputs.items()}
    buffers.poison(poison)
    threads = set(threading.enumerate())
    outputs = returned(buffers, call(), findings)
    if set(threading.enumerate()) - threads:
        findings.fault("left work to another thread")
    if not timers_intact():
        findings.fault("replaced the functions that tell the time")
        restore_timers()
    for name, tensor in buffers.inputs.items():
        if differing(tensor, kept[name]):
            findings.fault(f"input {name} was modified")
            tensor.copy_(kept[name])
    for guard in buffers.guards():
        if differing(guard, torch.full_like(guard, poison_for(guard, poison))):
            findings.fault("wrote outside its output")
    return outputs


def returned(buffers: Buffers, result: Any, findings: Findings) -> tuple[torch.Tensor, ...]:
    """The outputs of a call: the problem's buffers, or the tensors that it returned."""
    if result is None:
        return tuple(buffers.outputs.values())
    outputs = result if isinstance(result, tuple | list) else (result,)
    if any(type(tensor) is not torch.Tensor for tensor in outputs):
        findings.fault("an output is not exactly a torch.Tensor")
        outputs = tuple(_bare(tensor) for tensor in outputs)
    _same_memory(outputs, list(buffers.inputs.values()), "an input", findings)
    return tuple(outputs)


def inspect_outputs(buffers: Buffers, outputs: Sequence[torch.Tensor], findings: Findings) -> None:
    """Compare outputs with the reference of the inputs as they stand."""
    specs = list(buffers.problem.outputs.items())
    if len(outputs) != len(specs):
        findings.fault(f"gave {len(outputs)} outputs of {len(specs)}")
        return
    for (name, spec), tensor in zip(specs, outputs, strict=True):
        if tuple(tensor.shape) != spec.shape or tensor.dtype != spec.dtype:
            findings.fault(f"output {name} is {tuple(tensor.shape)} {tensor.dtype}")
            return
    error = error_of(buffers, outputs)
    findings.saw(error)
    if error.relative != error.relative:
        findings.fault("some of the output was never written, or is NaN")


def error_of(buffers: Buffers, outputs: Sequence[torch.Tensor]) -> Error:
    """The worst error over the outputs."""
    count = len(outputs)
    square = [0.0] * count
    norm = [0.0] * count
    largest = [0.0] * count
    scale = [0.0] * count
    for part, references in _references(buffers):
        for i, (output, reference) in enumerate(zip(outputs, references, strict=True)):
            wide = output[part].double() if part is not None else output.double()
            off = wide - reference.double()
            square[i] += float(off.square().sum())
            norm[i] += float(reference.double().square().sum())
            largest[i] = _worse(largest[i], float(off.abs().max()) if off.numel() else 0.0)
            scale[i] = _worse(scale[i], float(reference.abs().max()) if off.numel() else 0.0)
    return Error(
        _worst(_over(s**0.5, n**0.5) for s, n in zip(square, norm, strict=True)),
        _worst(_over(m, r) for m, r in zip(largest, scale, strict=True)),
    )


def allowed(problem: Problem, yardstick: Error) -> Error:
    """The error allowed: twice the yardstick's (four times for the single worst element).

    The floor is one rounding of the output's type, the cap :data:`CAPS`.
    """
    dtype = next(iter(problem.outputs.values())).dtype
    if not dtype.is_floating_point:
        return NONE
    epsilon = torch.finfo(dtype).eps
    cap = problem.tolerance or CAPS.get(dtype, 0.1)
    return Error(
        min(cap, max(2 * yardstick.relative, epsilon)),
        min(100 * cap, max(4 * yardstick.largest, 2 * epsilon)),
    )


def judge(findings: Findings, limit: Error) -> None:
    """Note it as a fault if the worst error is over the limit."""
    if not findings.error.relative <= limit.relative:
        findings.fault(
            f"relative error {findings.error.relative:.1e}, allowed {limit.relative:.1e}"
        )
    elif not findings.error.largest <= limit.largest:
        findings.fault(
            f"one element is off by {findings.error.largest:.1e} of the greatest, "
            f"allowed {limit.largest:.1e}"
        )


def differing(one: torch.Tensor, other: torch.Tensor) -> int:
    """How many elements differ in any bit, so that -0 is not 0 and NaN equals itself."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return max(one.numel(), other.numel())
    return int((_bits(one) != _bits(other)).sum())


def _same_bits(some: Sequence[torch.Tensor], others: Sequence[torch.Tensor]) -> bool:
    return len(some) == len(others) and not any(map(differing, some, others))


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    whole = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return tensor.contiguous().view(whole[tensor.dtype.itemsize])


def _references(buffers: Buffers) -> Iterator[tuple[slice | None, tuple[torch.Tensor, ...]]]:
    """The reference, in one piece or cut along the first axis."""
    problem = buffers.problem
    if not problem.sliced:
        yield None, _reference(problem, buffers.inputs)
        return
    first = buffers.inputs[problem.sliced[0]]
    rows = first.shape[0]
    step = max(1, SLICE[buffers.device.type] * rows // max(1, first.numel()))
    for start in range(0, rows, step):
        part = slice(start, start + step)
        cut = {
            name: tensor[part] if name in problem.sliced else tensor
            for name, tensor in buffers.inputs.items()
        }
        yield part, _reference(problem, cut)


def _reference(problem: Problem, inputs: dict[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
    wide = {k: t.double() if t.dtype.is_floating_point else t for k, t in inputs.items()}
    answer = problem.reference(**wide)
    return answer if isinstance(answer, tuple) else (answer,)


def _is_buffer(tensor: torch.Tensor, buffers: Buffers) -> bool:
    return any(tensor is own for own in buffers.outputs.values())


def _same_memory(
    tensors: Sequence[torch.Tensor], others: Sequence[torch.Tensor], what: str, findings: Findings
) -> None:
    held = {other.untyped_storage().data_ptr() for other in others}
    if any(tensor.untyped_storage().data_ptr() in held for tensor in tensors):
        findings.fault(f"an output shares memory with {what}")


def _bare(tensor: Any) -> torch.Tensor:
    if isinstance(tensor, torch.Tensor):
        return tensor.as_subclass(torch.Tensor)
    return torch.as_tensor(tensor)


def _over(value: float, scale: float) -> float:
    return value / scale if scale else value


def _worse(one: float, other: float) -> float:
    """The greater; NaN is worse than anything."""
    return one if one != one or one >= other else other


def _worst(values: Iterator[float]) -> float:
    worst = 0.0
    for value in values:
        worst = _worse(worst, value)
    return worst
