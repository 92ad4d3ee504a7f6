"""Every path of the harness, tried quickly on the device at hand, with full tracebacks."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from demos.execution import Host
from demos.wire import Event, encode

ELEMENTS = 2**16


class Trial:
    """What the checks share: the machine, and the events of runs."""

    def __init__(self, kind: str) -> None:
        self.events: list[Event] = []
        self.host = Host(self.events.append, trace=True)
        self.machine = self.host.machine(kind)

    @property
    def cuda(self) -> bool:
        """Whether this is a GPU."""
        return self.machine.kind == "cuda"


def device(trial: Trial) -> str:
    """What the machine is and does."""
    from demos.device import other_processes, witness

    encode(trial.machine.fields())
    encode(witness(trial.machine))
    return f"{trial.machine}; now {witness(trial.machine)}; others {other_processes(trial.machine)}"


def ceilings(trial: Trial) -> str:
    """Every ceiling of this kind of device."""
    from demos.ceilings import KNOWN, Ceilings

    found = Ceilings(trial.machine)
    names = [name for name, (_, kinds, _) in KNOWN.items() if trial.machine.kind in kinds]
    return ", ".join(f"{n} {found.get(n).value:.4g} {found.get(n).unit}" for n in names)


def clocks(trial: Trial) -> str:
    """A variant by each clock, often enough to see the scatter."""
    from demos.bootstrap import interval
    from demos.clocks import Lane, clock_for
    from demos.elementwise import COPY, problem
    from demos.problem import Buffers

    buffers = Buffers(problem(2**22), trial.machine.device)
    buffers.draw(0)
    clock = clock_for(trial.machine)
    texts = []
    for name in clock.names:
        lane = Lane([COPY.bind(buffers)])
        known = interval([clock.sample(lane, name).seconds for _ in range(15)])
        texts.append(f"{name} {known.value:.3e} ±{known.spread:.1%}, spin {lane.spin:.1e}")
    return "; ".join(texts)


def compiled(trial: Trial) -> str:
    """torch.compile, more shapes than torch compiles for one function."""
    from demos.elementwise import compiled_chain, problem
    from demos.problem import Buffers

    variant = compiled_chain(cpu=not trial.cuda)
    for extra in range(10):
        buffers = Buffers(problem(ELEMENTS + extra), trial.machine.device)
        buffers.draw(extra)
        variant.bind(buffers)()
    return f"{variant.kernels[0].generated} kernels generated"


def cuda_source(trial: Trial) -> str:
    """CUDA C++ compiled, loaded, launched and asked for its registers."""
    if not trial.cuda:
        from demos.nvrtc import compile_cubin

        return f"compiled for sm_90 only: {len(compile_cubin(_source(), 'chain', 90))} bytes"
    from demos.elementwise import cuda_kernel
    from demos.nvrtc import Kernel

    kernel = Kernel(_source(), "chain")
    _honest(trial, cuda_kernel(kernel))
    return f"{kernel.registers} registers, {kernel.spills} B spilled, {kernel.shared} B shared"


def machine_code(trial: Trial) -> str:
    """A Triton kernel's machine code, for this GPU or for one that is not there."""
    from demos.elementwise import chain
    from demos.inspection import triton_kernel

    types = {"x": "*fp32", "y": "*fp32", "count": "i32", "a": "fp32", "b": "fp32"}
    texts = []
    for fusion in (False, True):
        found = triton_kernel(
            chain, types, {"BLOCK": 1024}, trial.machine.capability or 90, enable_fp_fusion=fusion
        )
        texts.append(
            f"fusion {fusion}: {found.registers} registers, {found.contractions} contractions"
        )
    return "; ".join(texts)


def launches(trial: Trial) -> str:
    """What the profiler sees of three kernels and of one."""
    from demos.elementwise import ONE, OPERATIONS, THREE, problem
    from demos.problem import Buffers
    from demos.profiling import launches as profiled

    buffers = Buffers(problem(ELEMENTS), trial.machine.device)
    buffers.draw(0)
    variants = [OPERATIONS, THREE, ONE] if trial.cuda else [OPERATIONS]
    texts = []
    for variant in variants:
        found = profiled(variant.bind(buffers), trial.machine, variant.kernels)
        texts.append(f"{variant.name}: " + ", ".join(map(str, found)))
    return "\n    ".join(texts)


def correctness(trial: Trial) -> str:
    """Honest variants pass the gate, and every cheat is caught."""
    from demos import cheats
    from demos.elementwise import ONE, OPERATIONS

    for variant in (*cheats.HONEST, ONE if trial.cuda else OPERATIONS):
        _honest(trial, variant)
    caught = []
    for cheat in (*cheats.CHEATS, *(cheats.GPU_CHEATS if trial.cuda else ())):
        faults = _faults(trial, cheat)
        _settle(trial)
        if not faults:
            raise AssertionError(f"the gate let a cheat pass: {cheat.title}")
        caught.append(f"{cheat.name}: {faults[0]}")
    return "\n    ".join(caught)


def memory(trial: Trial) -> str:
    """Running out of memory is told, and the memory is there again afterwards."""
    import os

    os.environ["DEMOS_SELFTEST"] = "1"
    failure = trial.host.run("memory", "_memory", {}, kind=trial.machine.kind)
    if failure is None or failure.kind != "memory":
        raise AssertionError(f"not recognised as a lack of memory: {failure}")
    return failure.message


def whole_demo(trial: Trial) -> str:
    """The element-wise demo at a small size."""
    given = {"elements": 2**20, "sweep": False}
    failure = trial.host.run("whole", "elementwise", given, kind=trial.machine.kind)
    if failure is not None:
        raise AssertionError(failure.message)
    from demos.report import lines

    for event in trial.events:
        encode(event)
    return "\n" + "\n".join(lines([e for e in trial.events if e.get("run", "whole") == "whole"]))


CHECKS: tuple[Callable[[Trial], str], ...] = (
    device,
    ceilings,
    clocks,
    correctness,
    machine_code,
    cuda_source,
    compiled,
    launches,
    memory,
    whole_demo,
)


def main(kind: str = "") -> int:
    """Run every check; the number that failed is told, and gives the exit status."""
    trial = Trial(kind)
    failed = sum(not _passes(check, trial) for check in CHECKS)
    print(f"{len(CHECKS) - failed} of {len(CHECKS)} checks passed")
    return 1 if failed else 0


def _passes(check: Callable[[Trial], str], trial: Trial) -> bool:
    began = time.perf_counter()
    try:
        text = check(trial)
    except Exception:  # noqa: BLE001 - the traceback is what this is for
        print(f"FAILED {check.__name__}", flush=True)
        traceback.print_exc(file=sys.stdout)
        return False
    print(f"ok {check.__name__} ({time.perf_counter() - began:.1f} s): {text}", flush=True)
    return True


def _honest(trial: Trial, variant: Any) -> None:
    if faults := _faults(trial, variant):
        raise AssertionError(f"{variant.name}: {faults}")


def _faults(trial: Trial, variant: Any) -> list[str]:
    """What the gate and then the check after the timing say of a variant."""
    from demos import gate
    from demos.clocks import clock_for
    from demos.elementwise import problem
    from demos.problem import Buffers
    from demos.rounds import Session

    task = problem(ELEMENTS + 3)
    allowed = gate.allowed(task, gate.Error(1e-7, 1e-7))
    buffers, findings = Buffers(task, trial.machine.device), gate.Findings()
    gate.trial(buffers, variant.bind(buffers), findings)
    gate.judge(findings, allowed)
    if findings.faults:
        return findings.faults
    session = Session(task, [variant], variant, clock_for(trial.machine), trial.machine, seed=0)
    for _ in session.rounds(0.1, session.timings.clocks):
        pass
    return next(found for _, found in session.recheck(allowed)).faults


def _settle(trial: Trial) -> None:
    """Wait for what a cheat has left running, before its memory is used again."""
    if trial.cuda:
        import torch

        torch.cuda.synchronize()


def _source() -> str:
    from demos.elementwise import CUDA_CHAIN

    return CUDA_CHAIN
